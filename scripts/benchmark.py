#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures everything and writes the figures of docs/Benchmarks.md: builds the
release preset, runs every program of test/benchmarks, and replaces the
generated region of the document, with commit, date and machine.

Let nothing else run on the machine meanwhile. Each result is kept in
build/benchmark/results.json as soon as it is there; a run that was interrupted
goes on from it.
"""

import argparse
import dataclasses
import datetime
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
from typing import Callable

import benchmark_document as document

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "test" / "benchmarks"
FOLDER = ROOT / "build" / "benchmark"
DOCUMENT = ROOT / "docs" / "Benchmarks.md"

sys.path.append(str(BENCHMARKS))
from link import can_link  # noqa: E402: in the folder that was just added


class Skip(Exception):
    """Why a program is not measured here."""


class Broken(Skip):
    """Why a program that should have been measured was not."""


class Failure(Exception):
    """Why the whole run cannot go on."""


@dataclasses.dataclass
class Tree:
    """A source tree and its release build; `name` is "before" or "after"."""
    name: str
    source: pathlib.Path
    commit: str

    @property
    def build(self):
        return self.source / "build" / "release"

    def program(self, name):
        return str(self.build / "test" / "benchmarks" / name)


@dataclasses.dataclass
class Program:
    about: str
    # The commands of one round in a tree; raises Skip.
    commands: Callable
    # What of the build it runs.
    target: str = ""
    # Takes minutes: one round is enough.
    is_long: bool = False
    deadline: int = 600


def in_c(name, *arguments, quick=None):
    return lambda tree, options: [
        [tree.program(f"bench-{name}"),
         *(quick if options.quick and quick is not None else arguments)]]


def transpile(tree, options):
    return [[sys.executable, str(BENCHMARKS / "transpile_bench.py"),
             str(tree.build / "bin"), *(["--quick"] if options.quick else [])]]


def wide_deep(tree, options):
    if not options.torch:
        raise Skip("it needs PyTorch, whose Python --torch names")
    steps = ["--steps=20", "--repeat=1"] if options.quick else []
    return [[options.torch, str(BENCHMARKS / "wide_deep_bench.py"),
             str(tree.build / "bin" / "ps-run"), str(ROOT / "examples"), *steps]]


def convolutions(tree, options):
    if not options.torch:
        raise Skip("it needs PyTorch, whose Python --torch names")
    steps = ["--steps=4", "--repeat=1"] if options.quick else []
    return [["env", "OMP_NUM_THREADS=1", options.torch,
             str(BENCHMARKS / "conv_bench.py"),
             str(tree.build / "bin" / "ps-run"), *steps]]


def recurrent(tree, options):
    if not options.torch:
        raise Skip("it needs PyTorch, whose Python --torch names")
    steps = ["--steps=10", "--repeat=1"] if options.quick else []
    return [["env", "OMP_NUM_THREADS=1", options.torch,
             str(BENCHMARKS / "lstm_bench.py"),
             str(tree.build / "bin" / "ps-run"), *steps]]


def feed(tree, options):
    steps = ["--steps=20", "--repeat=1"] if options.quick else []
    return [[sys.executable, str(BENCHMARKS / "feed_bench.py"),
             str(tree.build / "bin" / "ps-run"),
             str(tree.program("bench-feed")), str(ROOT / "examples"), *steps]]


def write_words():
    """A text for word2vec: words drawn by Zipf's law, the same ones always."""
    file = FOLDER / "words.txt"
    if not file.exists():
        draw = random.Random(1)
        words = [f"w{i}" for i in range(20000)]
        weights = [1 / (i + 1) for i in range(len(words))]
        file.write_text("\n".join(
            " ".join(draw.choices(words, weights, k=20)) for _ in range(20000)))
    return file


def word2vec(tree, options):
    if not options.gensim:
        raise Skip("it needs gensim, whose Python --gensim names")
    steps = ["--steps=100", "--repeat=1"] if options.quick else []
    return [[options.gensim, str(BENCHMARKS / "word2vec_bench.py"),
             str(tree.build / "bin" / "ps-run"),
             str(ROOT / "examples" / "word2vec" / "word2vec.mlir"),
             str(write_words()), *steps]]


def copies_of_rows(tree, options):
    if not can_link():
        raise Skip("it needs network namespaces: root, ip and tc")
    settings = [["--rate=200mbit"], ["--rate=1gbit"], [],
                ["--rate=200mbit", "--trainers=2"]]
    short = ["--steps=20", "--repeat=1"] if options.quick else ["--repeat=3"]
    return [[sys.executable, str(BENCHMARKS / "cache_bench.py"),
             str(tree.build / "bin"),
             str(ROOT / "examples" / "word2vec" / "word2vec.mlir"),
             f"--data=text:{write_words()}?window=5&negatives=5",
             *setting, *short]
            for setting in (settings[:1] if options.quick else settings)]


def write_sgd_graph(file):
    """The graph of word2vec with SGD, which mode geo needs."""
    text = (ROOT / "examples" / "word2vec" / "word2vec.mlir").read_text()
    file.write_text(text.replace("#ps.adagrad<learning_rate = 0.1>",
                                 "#ps.sgd<learning_rate = 2.0>"))


def modes(tree, options):
    graph = tree.build / "word2vec_sgd.mlir"
    write_sgd_graph(graph)
    short = ["--steps=200", "--repeat=1"] if options.quick else []
    return [[sys.executable, str(BENCHMARKS / "modes_bench.py"),
             str(tree.build / "bin"), str(graph),
             f"--data=text:{write_words()}?window=5&negatives=5",
             "--modes=async;geo geo-steps=10;geo geo-steps=100;"
             "geo geo-steps=400;geo geo-steps=800", *short]]


def on_gpu(tree, options):
    devices = subprocess.run([str(tree.build / "bin" / "ps-run"), "devices"],
                             capture_output=True, text=True)
    if "cuda" not in devices.stdout:
        raise Skip("it needs a GPU")
    return [[tree.program("bench-ps-cuda"), "cuda",
             str(BENCHMARKS / "classifier.mlir")]]


def tiers(tree, options):
    rows = "400000" if options.quick else "4000000"
    return in_c("tiers", rows, str(tree.build / "tier"))(tree, options)


def checkpoints(tree, options):
    short = (["--rows=200000", "--repeat=1", "--steps=50"] if options.quick
             else [])
    return [[sys.executable, str(BENCHMARKS / "checkpoint_bench.py"),
             str(tree.build / "bin"),
             str(ROOT / "examples" / "deepfm" / "deepfm.mlir"),
             f"--folder={tree.build / 'checkpoint'}", *short]]


def recovery(tree, options):
    short = ["--steps=100", "--repeat=1"] if options.quick else []
    return [[sys.executable, str(BENCHMARKS / "recovery_bench.py"),
             str(tree.build / "bin"),
             str(ROOT / "examples" / "deepfm" / "deepfm.mlir"), *short]]


PROGRAMS = {
    "bench-step": Program(
        "A step of a 784-512-256-10 classifier at batch 512 with one thread, "
        "and its matrix products alone.",
        in_c("step", str(BENCHMARKS / "classifier.mlir")), "bench-step"),
    "bench-ps-cuda": Program(
        "Kernels of a GPU beside a copy within its memory, products, rows of "
        "tables that are found by their ids beside plain copies of rows, and a "
        "step of a 784-512-256-10 classifier at batch 4,096 beside its kernels.",
        on_gpu, "bench-ps-cuda"),
    "bench-step-floor": Program(
        "The exchange and the products of a step of `examples/mnist_mlp` by 2 "
        "pservers and 2 trainers, written by hand: no framework.",
        in_c("step-floor", quick=["--steps=200"]), "bench-step-floor"),
    "bench-word2vec-floor": Program(
        "The updates of `examples/word2vec` with SGD, written by hand; one "
        "thread.", in_c("word2vec-floor"), "bench-word2vec-floor"),
    "bench-transport": Program(
        "Pushes, pulls and rows of 16 floats over gRPC on loopback, beside "
        "copies over raw TCP and through raw shared memory.",
        in_c("transport"), "bench-transport"),
    "bench-allreduce": Program(
        "All-reduce between processes over loopback, beside raw TCP that moves "
        "as many bytes to the next process and from the one before.",
        in_c("allreduce"), "bench-allreduce"),
    "bench-table": Program(
        "A table of 16 floats with Adagrad's state, beside loops over plain "
        "memory that get the places of the rows; one thread.",
        in_c("table", "1000000", "50000000", quick=["1000000"]), "bench-table",
        is_long=True),
    "bench-tiers": Program(
        "Lookups and updates of Zipf's law in a table of which a tenth is in "
        "memory and the rest on the SSD of the build directory, beside one "
        "that is in memory; one thread, beside the one that writes to the "
        "SSD.",
        tiers, "bench-tiers"),
    "bench-rows": Program(
        "A step's different ids, and what is done with their rows.",
        in_c("rows"), "bench-rows"),
    "bench-executor": Program("What the executor itself costs.",
                              in_c("executor"), "bench-executor"),
    "bench-gemm": Program(
        "Nodes of matrix products, beside calls of the library.", in_c("gemm"),
        "bench-gemm"),
    "bench-kernels": Program("Compiled kernels, per element.", in_c("kernels"),
                             "bench-kernels"),
    "bench-reader": Program(
        "Lines of 26 ids and 13 numbers from the page cache.", in_c("reader"),
        "bench-reader"),
    "feed_bench.py": Program(
        "Batches that a Python process sends (`--data=batches:`): the server "
        "alone, and Wide & Deep at batch 1,024 in one process, beside the same "
        "samples in memory.", feed, "bench-feed", is_long=True),
    "transpile_bench.py": Program(
        "The compiler on generated graphs: `ps-opt --ps-transpile`, and a chain "
        "of additions that `ps-run` compiles and runs.", transpile,
        is_long=True),
    "wide_deep_bench.py": Program(
        "Wide & Deep at batch 1,024: a trainer and a pserver with a thread "
        "each, once the table has all rows, and PyTorch without a server.",
        wide_deep, is_long=True),
    "conv_bench.py": Program(
        "LeNet-5 and a residual block of 64 features at batch 64, and PyTorch; "
        "one thread.", convolutions, is_long=True),
    "lstm_bench.py": Program(
        "An LSTM of 128 units over 28 rows of 28 at batch 64, and PyTorch; one "
        "thread.", recurrent, is_long=True),
    "word2vec_bench.py": Program(
        "word2vec at batch 1,024 with its tables in the process, and gensim; "
        "one thread.", word2vec, is_long=True),
    "cache_bench.py": Program(
        "word2vec at batch 1,024 with a pserver behind a link of a given rate: "
        "`cache_rows` of its tables against none. One thread per process.",
        copies_of_rows, is_long=True),
    "modes_bench.py": Program(
        "word2vec with SGD at batch 1,024 on loopback: two trainers and a "
        "pserver in mode async, and in mode geo. One thread per process.",
        modes, is_long=True),
    "checkpoint_bench.py": Program(
        "A job that trains DeepFM with 10 M rows in each of its tables, and "
        "takes checkpoints meanwhile: a pserver and a trainer.", checkpoints,
        is_long=True),
    "recovery_bench.py": Program(
        "DeepFM at batch 512 on loopback: two trainers and a pserver that logs "
        "their calls (`--recovery=log`), and one that does not. One thread per "
        "process.", recovery, is_long=True),
}
ABOUTS = {name: program.about for name, program in PROGRAMS.items()}


def find_programs(source):
    """The programs of test/benchmarks, by its build file and its scripts."""
    folder = source / "test" / "benchmarks"
    names = re.findall(r"^ps_add_benchmark\(([\w-]+)",
                       (folder / "CMakeLists.txt").read_text(), re.M)
    return ([f"bench-{name}" for name in names]
            + [path.name for path in sorted(folder.glob("*_bench.py"))])


def run(command, deadline=None, **arguments):
    """Runs a command to its end, in a process group of its own, which ends with
    us. Returns what it printed."""
    process = subprocess.Popen(command, text=True, start_new_session=True,
                               stdin=subprocess.DEVNULL, **arguments)
    try:
        output, errors = process.communicate(timeout=deadline)
    except BaseException as error:
        # An interrupt first: programs remove what they have set up.
        for number in (signal.SIGINT, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(10)
                break
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        if isinstance(error, subprocess.TimeoutExpired):
            raise Broken(f"it ran for more than {deadline} s") from error
        raise
    if errors:
        print(errors, end="", file=sys.stderr, flush=True)
    if process.returncode:
        reason = (errors or "").strip().splitlines()[-1:]
        raise Broken(": ".join([f"{pathlib.Path(command[0]).name} ended with "
                                f"{process.returncode}", *reason]))
    return output


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True,
                          text=True)
    if done.returncode:
        raise Failure(done.stderr.strip())
    return done.stdout.strip()


def describe_tree(allow_changes):
    """This tree's commit; what is not committed, the document aside, is named."""
    commit = git("rev-parse", "--short=10", "HEAD")
    if git("status", "--porcelain", "--", ".", ":!docs/Benchmarks.md"):
        if not allow_changes:
            raise Failure("there are changes that are not committed, so that no "
                          "commit names what would be measured: commit them, or "
                          "pass --allow-changes")
        commit += " with changes"
    return commit


def make_trees(options):
    """The trees to measure: in turn, in this order."""
    after = Tree("after", ROOT, describe_tree(options.allow_changes))
    if not options.compare:
        return [after]
    commit = git("rev-parse", "--short=10", f"{options.compare}^{{commit}}")
    source = FOLDER / commit
    if not source.exists():
        git("worktree", "prune")
        git("worktree", "add", "--detach", str(source), commit)
    return [Tree("before", source, commit), after]


def build(tree, names):
    print(f"building {tree.commit} in {tree.build}", flush=True)
    there = find_programs(tree.source)
    targets = [PROGRAMS[name].target for name in names
               if PROGRAMS[name].target and name in there]
    make = ["cmake", "--build", "--preset", "release", "--target"]
    try:
        run(["cmake", "--preset", "release", "--log-level=WARNING"],
            cwd=tree.source, stdout=subprocess.DEVNULL)
        run([*make, "ps-opt", "ps-run"], cwd=tree.source)
    except Broken as reason:
        raise Failure(f"cannot build {tree.commit}: {reason}")
    try:
        run([*make, *targets, "--", "-k", "0"], cwd=tree.source)
    except Broken as reason:
        # An older commit is measured by those of its programs that build.
        if tree.name == "after":
            raise Failure(f"cannot build {tree.commit}: {reason}")
        print(f"  some of its programs do not build: {reason}", flush=True)


def describe_machine():
    names = re.findall(r"^model name\s*: (.*)$",
                       pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"cpu": names[0] if names else "an unknown processor",
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(pages / 2**30), "load": os.getloadavg()[0]}


def is_whole(options):
    return not options.only and not options.quick


def results_file(options):
    """Parts and trials never mix with a run of everything."""
    return FOLDER / ("results.json" if is_whole(options) else "trial.json")


def load_results(trees, machine, options):
    """Those of an earlier run that was of the same, or new ones."""
    commits = {tree.name: tree.commit for tree in trees}
    fresh = {"after": commits["after"], "before": commits.get("before"),
             "quick": options.quick, "rounds": options.rounds,
             "date": datetime.date.today().isoformat(),
             "machine": machine, "runs": [], "skipped": {},
             "broken": False}
    file = results_file(options)
    if options.fresh or not file.exists():
        return fresh
    found = json.loads(file.read_text())
    is_same = all(found[key] == fresh[key]
                  for key in ("after", "before", "quick", "rounds"))
    if not is_same or "with changes" in found["after"]:
        return fresh
    print(f"going on from {len(found['runs'])} results in {file}")
    return found | {"skipped": {}, "broken": False}


def save_results(results, options):
    file = results_file(options)
    new = file.with_suffix(".new")
    new.write_text(json.dumps(results, indent=1))
    new.replace(file)


def measure_once(name, tree, options):
    """The entry of one round for the results."""
    program, outputs = PROGRAMS[name], []
    begin = time.monotonic()
    for command in program.commands(tree, options):
        if not pathlib.Path(command[0]).exists():
            raise Skip(f"there is no {pathlib.Path(command[0]).name}")
        outputs.append(run(command, program.deadline, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE))
    rows, notes = document.parse_output("\n".join(outputs))
    return {"program": name, "tree": tree.name, "notes": notes,
            "rows": [dataclasses.astuple(row) for row in rows],
            "seconds": time.monotonic() - begin}


def measure(names, trees, results, options):
    done = [(entry["program"], entry["tree"]) for entry in results["runs"]]
    for number, name in enumerate(names, 1):
        rounds = 1 if PROGRAMS[name].is_long else options.rounds
        left = list(trees)
        for round, tree in itertools.product(range(rounds), trees):
            if tree not in left or done.count((name, tree.name)) > round:
                continue
            print(f"[{number}/{len(names)}] {name}, {tree.commit}, "
                  f"round {round + 1} of {rounds}", flush=True)
            try:
                entry = measure_once(name, tree, options)
            except Skip as reason:
                left.remove(tree)
                print(f"  not measured: {reason}", flush=True)
                results["skipped"][name] = f"{tree.commit}: {reason}"
                results["broken"] |= isinstance(reason, Broken)
                continue
            results["runs"].append(entry)
            save_results(results, options)
            print(f"  {entry['seconds']:.0f} s, {len(entry['rows'])} figures",
                  flush=True)


def check(file):
    """Whether the document lists every program that there is."""
    programs = find_programs(ROOT)
    faults = [f"scripts/benchmark.py does not know '{name}'"
              for name in programs if name not in PROGRAMS]
    faults += document.find_faults(file.read_text(), programs)
    for fault in faults:
        print(f"{file}: {fault}", file=sys.stderr)
    if not faults:
        print(f"{file.name}: {len(programs)} programs")
    return 1 if faults else 0


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare", metavar="COMMIT",
                        help="measure that commit too, in turn with this tree")
    parser.add_argument("--only", metavar="NAME,..",
                        help=f"of {', '.join(PROGRAMS)}; the document stays as it is")
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, to try the script; the document stays as it is")
    parser.add_argument("--rounds", type=int,
                        help="runs of each short program, of which the median "
                        "counts (default 1, with --compare 3)")
    parser.add_argument("--torch", metavar="PYTHON",
                        help="a Python that has PyTorch, for wide_deep_bench.py, "
                        "conv_bench.py and lstm_bench.py")
    parser.add_argument("--gensim", metavar="PYTHON",
                        help="a Python that has gensim, for word2vec_bench.py")
    parser.add_argument("--document", type=pathlib.Path, metavar="FILE",
                        help="write into this file, also with --only and --quick")
    parser.add_argument("--fresh", action="store_true",
                        help="do not go on from results of an interrupted run")
    parser.add_argument("--allow-changes", action="store_true",
                        help="measure changes that are not committed")
    parser.add_argument("--render", type=pathlib.Path, metavar="RESULTS",
                        help="measure nothing: write the figures of a results.json")
    parser.add_argument("--check", action="store_true",
                        help="measure nothing: check that the document's figures "
                        "can be read and name every program")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.compare else 1)
    return options


def write(results, file):
    file.write_text(document.replace_region(
        file.read_text(), document.render(results, ABOUTS)))
    print(f"wrote {file}")


def main():
    options = parse_arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    file = options.document or DOCUMENT
    if options.check:
        return check(file)
    if options.render:
        write(json.loads(options.render.read_text()), file)
        return 0
    names = options.only.split(",") if options.only else list(PROGRAMS)
    unknown = [name for name in names if name not in PROGRAMS]
    if unknown:
        raise Failure(f"there is no program '{unknown[0]}'; there are "
                      f"{', '.join(PROGRAMS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    machine = describe_machine()
    if machine["load"] > 0.5:
        print(f"warning: the load average is {machine['load']:.2f}: other "
              "programs are running")
    trees = make_trees(options)
    for tree in trees:
        build(tree, names)
    results = load_results(trees, machine, options)
    measure(names, trees, results, options)
    save_results(results, options)
    if is_whole(options) or options.document:
        write(results, file)
    else:
        print(document.render(results, ABOUTS))
    return 1 if results["broken"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"benchmark.py: {failure}")
    except KeyboardInterrupt:
        sys.exit(f"benchmark.py: interrupted; the same command goes on from "
                 f"the results in {FOLDER}")
