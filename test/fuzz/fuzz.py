# SPDX-License-Identifier: Apache-2.0
"""Trains random graphs as random jobs and in one process, whose results must be
equal, and has every pass and verifier look at them on the way.

usage: fuzz.py [--graphs=N | --seconds=N] [--seed=TEXT] [--only=WORD [--list]]
               [--folder=DIR] [--jobs=N]

A graph and its job follow from a word, SEED-NUMBER. Where one fails, its folder
stays and the line that repeats it is printed; --only=WORD is that graph alone,
and --list shows it instead."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import time

from case import Case, Failure
from random_graph import random_graph, random_job, random_table

TOLERANCE = "1e-5"


class FuzzCase(Case):
    """One graph, one job, and the folder with what they leave."""

    def __init__(self, word, folder):
        super().__init__(word, folder)
        rng = random.Random(word)
        self.job = random_job(rng)
        self.text, features = random_graph(rng, self.job)
        self.table = random_table(rng, features)

    def check(self):
        self.write({"graph.mlir": self.text, "table.csv": self.table})
        # ps-opt verifies after every pass, and the text is read back.
        made = self.run("ps-opt", "graph.mlir", "--verify-roundtrip",
                        f"--ps-transpile={self.job.options}", "-o", "dist.mlir")
        # All these losses are means over samples.
        if "warning" in made.stderr:
            raise Failure(f"ps-opt warns:\n{made.stderr}")
        self.run("ps-opt", "dist.mlir", "--ps-verify-programs",
                 "--ps-report=report.html", "-o", os.devnull)
        if not self.job.keeps_step:
            return
        self.train_both(self.job, "graph.mlir")
        self.run("ps-run", "compare", "job", "local", f"--tolerance={TOLERANCE}")


def try_case(word, folder):
    """What went wrong, or None."""
    case = FuzzCase(word, folder)
    try:
        case.check()
    except Failure as failure:
        return (f"fuzz: {word} fails: {failure}\nfuzz: its files are in "
                f"{case.folder}; again with:\n  {sys.executable} "
                f"{pathlib.Path(__file__).resolve()} --only={word}")
    shutil.rmtree(case.folder)
    return None


def words(options, begin):
    if options.only:
        yield options.only
        return
    number = 0
    while (number < options.graphs if options.seconds is None
           else time.monotonic() - begin < options.seconds):
        yield f"{options.seed}-{number}"
        number += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graphs", type=int, default=200)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", default=str(random.randrange(10**9)))
    parser.add_argument("--only")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default="fuzz-failures")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.list:
        case = FuzzCase(options.only, options.folder)
        print(case.text, "//", case.job.options)
        return 0
    begin = time.monotonic()
    print(f"fuzz: seed {options.only or options.seed}", flush=True)

    tried, failures = 0, 0
    pending = set()
    remaining = words(options, begin)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while True:
            while len(pending) < options.jobs and (
                    word := next(remaining, None)) is not None:
                pending.add(pool.submit(try_case, word, options.folder))
            if not pending:
                break
            done, pending = concurrent.futures.wait(
                pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                tried += 1
                if problem := future.result():
                    failures += 1
                    print(problem, flush=True)
    print(f"fuzz: {tried} graphs, {failures} failures, "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
