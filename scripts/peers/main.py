#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ps-mlir beside other frameworks on this machine, in turn: builds the
release preset, makes a virtual environment for each peer, and prints a table,
whose lines name the floor of what they measure and their share of it.

  ctr        CTR-DNN and Wide & Deep, beside PyTorch, TorchRec, TensorFlow and
             PaddlePaddle
  words      word2vec in modes async and geo, beside gensim and fastText
  transport  messages of 1 KiB to 64 MiB, beside raw TCP and shared memory
  step       a small step of 2 trainers and 2 servers, beside the same exchange
             written by hand

Each process has one thread and one core, given out in turn. Every result is
kept in results.json as soon as it is there; a run that was interrupted goes on
from it. A peer that cannot be installed or run is one line with the reason.
"""

import argparse
import datetime
import fnmatch
import json
import os
import pathlib
import signal
import sys
import time

from common import ROOT, NotRun, Setting
import benchmark
from environments import Environments
import report

import ctr
import step
import transport
import words

PARTS = {"ctr": ctr, "words": words, "transport": transport, "step": step}
TARGETS = ["bench-transport", "bench-step-floor", "bench-word2vec-floor"]


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="bench-peers.sh", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true",
                        help="few steps, sizes and jobs, one round: to try the "
                        "command")
    parser.add_argument("--only", metavar="PATTERN,..", default="*",
                        help="contestants whose names begin with one of these "
                        "or match it ('step', 'ctr/PyTorch', 'ctr/*async*'); "
                        "--list prints the names")
    parser.add_argument("--rounds", type=int, metavar="N",
                        help="runs of each contestant, of which the median "
                        "counts (5, with --quick 1)")
    parser.add_argument("--list", action="store_true",
                        help="measure nothing: print the contestants")
    parser.add_argument("--build", type=pathlib.Path, metavar="DIR",
                        help="measure this build as it is (build/release, "
                        "which is brought up to date)")
    parser.add_argument("--folder", type=pathlib.Path, metavar="DIR",
                        default=ROOT / "build" / "peers",
                        help="of environments and results (build/peers)")
    parser.add_argument("--no-install", action="store_true",
                        help="leave out peers whose environment is not there")
    parser.add_argument("--fresh", action="store_true",
                        help="do not go on from the results of an earlier run")
    parser.add_argument("--render", type=pathlib.Path, metavar="RESULTS",
                        help="measure nothing: print the table of a "
                        "results.json")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.folder = options.folder.resolve()
    return options


def choose(options):
    """The contestants to measure, in their order."""
    patterns = options.only.split(",")
    found = [each for part in PARTS.values()
             for each in part.contestants(options.quick)
             if any(each.name.startswith(pattern)
                    or fnmatch.fnmatchcase(each.name, pattern)
                    for pattern in patterns)]
    if not found:
        raise benchmark.Failure(f"no contestant matches '{options.only}'; "
                                "--list prints their names")
    return found


def describe_commit():
    try:
        return benchmark.describe_tree(allow_changes=True)
    except benchmark.Failure:
        return "unknown"


def prepare_build(options, commit):
    """The folder of our programs."""
    if options.build:
        return options.build.resolve()
    tree = benchmark.Tree("after", ROOT, commit)
    benchmark.build(tree, TARGETS)
    return tree.build


def load_results(options, commit):
    fresh = {"commit": commit, "quick": options.quick,
             "build": str(options.build or "release"),
             "date": datetime.date.today().isoformat(),
             "machine": benchmark.describe_machine(), "runs": [], "not_run": {}}
    file = options.folder / "results.json"
    if options.fresh or not file.exists():
        return fresh
    found = json.loads(file.read_text())
    if any(found[key] != fresh[key] for key in ("commit", "quick", "build")):
        print(f"{file} is of {found['commit']}; it is kept as results.before")
        file.replace(options.folder / "results.before")
        return fresh
    print(f"going on from {len(found['runs'])} results in {file}; --fresh does "
          "not")
    return found | {"not_run": {}}


def save_results(results, options):
    new = options.folder / "results.new"
    new.write_text(json.dumps(results, indent=1))
    new.replace(options.folder / "results.json")


def measure_once(contestant, round, setting, results):
    begin = time.monotonic()
    try:
        values = contestant.run(setting)
    except NotRun as reason:
        # A reason of many lines is that of its last one.
        line = str(reason).strip().splitlines()[-1][:300]
        print(f"  {contestant.name}: not run: {line}", flush=True)
        results["not_run"][contestant.name] = line
        return
    results["runs"].append({
        "contestant": contestant.name, "round": round, "values": values,
        "load": os.getloadavg()[0], "seconds": time.monotonic() - begin})
    print(f"  {contestant.name}: "
          + ", ".join(f"{value:,.6g}" for value in values.values()), flush=True)


def measure(contestants, options, setting, results):
    """Round by round, so that all see the same machine."""
    done = [run["contestant"] for run in results["runs"]]
    for round in range(options.rounds):
        print(f"round {round + 1} of {options.rounds}", flush=True)
        for contestant in contestants:
            if (done.count(contestant.name) > round
                    or contestant.name in results["not_run"]):
                continue
            measure_once(contestant, round, setting, results)
            save_results(results, options)


def main():
    options = parse_arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if options.render:
        results = json.loads(options.render.read_text())
        lines = report.make_lines(results, PARTS.values())
        print(report.render(results, lines))
        return 0
    contestants = choose(options)
    if options.list:
        print("\n".join(each.name for each in contestants))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    commit = describe_commit()
    results = load_results(options, commit)
    environments = Environments(options.folder, not options.no_install)
    build = (prepare_build(options, commit)
             if any(each.is_ours for each in contestants) else None)
    measure(contestants, options,
            Setting(build, options.folder, environments, options.quick),
            results)
    report.write(results, PARTS.values(), options.folder, environments)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except benchmark.Failure as failure:
        sys.exit(f"bench-peers.sh: {failure}")
    except KeyboardInterrupt:
        sys.exit("bench-peers.sh: interrupted; the same command goes on from "
                 "the results")
