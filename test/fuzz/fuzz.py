"""Trains random graphs as random jobs and in one process, which must learn the
same, and has every pass and verifier look at them on the way.

usage: fuzz.py [--graphs=N | --seconds=N] [--seed=TEXT] [--only=WORD [--list]]
               [--folder=DIR] [--jobs=N]

A graph and its job follow from a word, SEED-NUMBER. Where one fails, its folder
stays and the line that repeats it is printed; --only=WORD is that graph alone,
and --list shows it instead. ps-opt and ps-run are looked for on the path."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import time

from random_graph import random_graph, random_job, random_table

TOLERANCE = "1e-5"
DEADLINE = 120  # seconds that any command may take


class Failure(Exception):
    pass


class Case:
    """One graph, one job, and the folder with what they leave."""

    def __init__(self, word, folder):
        self.word, self.folder = word, folder / word
        rng = random.Random(word)
        self.job = random_job(rng)
        self.text, features = random_graph(rng, self.job)
        self.table = random_table(rng, features)

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "graph.mlir").write_text(self.text)
        (self.folder / "table.csv").write_text(self.table)

    def run(self, *command):
        """In the case's folder, which keeps the commands for a reader; gives
        stderr."""
        with open(self.folder / "commands.sh", "a") as log:
            log.write(shlex.join(command) + "\n")
        try:
            done = subprocess.run(command, cwd=self.folder, text=True,
                                  capture_output=True, timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            raise Failure(f"{shlex.join(command)}\nno end after {DEADLINE} s")
        if done.returncode:
            raise Failure(f"{shlex.join(command)}\nexit code {done.returncode}\n"
                          f"{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.stderr

    def train(self, program, saved, batch, steps, *flags):
        self.run("ps-run", program, "--data=csv:table.csv", "--seed=3",
                 "--threads=1", f"--batch-size={batch}", f"--steps={steps}",
                 f"--save={saved}", *flags)

    def check(self):
        job = self.job
        # ps-opt verifies after every pass, and the text is read back.
        noted = self.run("ps-opt", "graph.mlir", "--verify-roundtrip",
                         f"--ps-transpile={job.options}", "-o", "dist.mlir")
        # All these losses are means over samples.
        if "warning" in noted:
            raise Failure(f"ps-opt warns:\n{noted}")
        self.run("ps-opt", "dist.mlir", "--ps-verify-programs",
                 "--ps-report=report.html", "-o", os.devnull)
        if not job.keeps_step:
            return
        self.train("dist.mlir", "job", job.batch, job.steps * job.accumulate,
                   "--role=all")
        self.train("graph.mlir", "local",
                   job.batch * job.trainers * job.accumulate, job.steps)
        self.run("ps-run", "compare", "job", "local", f"--tolerance={TOLERANCE}")


def try_case(word, folder):
    """What went wrong, or None."""
    case = Case(word, folder)
    case.write()
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
        case = Case(options.only, options.folder)
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
