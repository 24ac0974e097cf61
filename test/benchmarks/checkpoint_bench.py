# SPDX-License-Identifier: Apache-2.0
"""What a checkpoint costs while a job trains, and how soon a pserver serves that
begins with it: a trainer and a pserver that holds a table of many rows.

usage: checkpoint_bench.py BIN GRAPH --folder=DIR [--rows=10000000] [--repeat=5]
                           [--steps=2500]

GRAPH looks up 26 ids a sample in the data synthetic:ctr. A local run creates
about as many rows as asked for in each of its tables and saves them in DIR,
which takes 4 times their size. Then the job trains on the same samples, and
takes a checkpoint after each 2 x STEPS steps: the half after it is compared with
the half before the next one, so a half has to take longer than a checkpoint does
until it is whole. Prints rows as Table.h does, medians of all checkpoints except
the first.
"""
import argparse
import contextlib
import pathlib
import re
import shutil
import statistics
import subprocess
import time

from table import row

BATCH, IDS = 512, 26
DEADLINE = 1800


class Process:
    """One of ps-run, whose lines come with the time at which they did."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *map(str, command)], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.began = time.monotonic()

    def lines(self):
        for line in self.process.stdout:
            yield time.monotonic(), line

    def finish(self):
        output = self.process.stdout.read()
        if self.process.wait(DEADLINE):
            raise SystemExit(output)


def fill(options, data):
    folder = options.folder / "full"
    Process(f"{options.bin}/ps-run", options.graph, data, f"--save={folder}",
            f"--batch-size={BATCH}", "--epochs=1").finish()
    return folder


def train(options, data, full):
    """The times that checkpoints stopped training and took, the steps' times
    with and without one, and the folder of the checkpoints."""
    program = options.folder / "dist.mlir"
    subprocess.run([f"{options.bin}/ps-opt", options.graph, "-o", program,
                    "--ps-transpile=pservers=1 trainers=1"], check=True)
    series = options.folder / "series"
    steps = 2 * options.steps * (options.repeat + 2)
    common = [f"{options.bin}/ps-run", program, f"--load={full}",
              f"--batch-size={BATCH}", f"--steps={steps}",
              f"--address-file={options.folder}/addresses",
              f"--checkpoint={series}",
              f"--checkpoint-every={2 * options.steps}"]
    pserver = Process(*common, "--role=pserver", "--server=0",
                      "--listen=127.0.0.1:0")
    trainer = Process(*common, "--role=trainer", "--trainer-id=0", data,
                      f"--log-every={options.steps}")
    ends, stops, whole = {}, [], []
    with contextlib.closing(trainer.lines()) as lines:
        for now, line in lines:
            if found := re.search(r" step (\d+)/", line):
                ends[int(found[1])] = now
            elif found := re.match(
                    r"checkpoint  step \d+  (\S+) s  written in (\S+) s", line):
                stops.append(float(found[1]))
                whole.append(float(found[2]))
    trainer.finish()
    pserver.finish()
    # The first step of the run decides what the steps are called.
    marks = [ends[step] for step in sorted(ends)][:2 * (options.repeat + 2)]
    halves = [after - before for before, after in zip(marks, marks[1:])]
    # halves[0] ends with the first checkpoint; the next one begins with it.
    return stops[1:], whole[1:], halves[3::2], halves[2::2], program, series


def resume(options, program, series):
    """How long a pserver takes until trainers could connect."""
    addresses = options.folder / "again"
    addresses.unlink(missing_ok=True)
    pserver = Process(f"{options.bin}/ps-run", program, "--role=pserver",
                      "--server=0", "--listen=127.0.0.1:0", "--resume",
                      f"--checkpoint={series}",
                      f"--address-file={addresses}")
    while not addresses.exists():
        if pserver.process.poll() is not None:
            pserver.finish()
        time.sleep(0.01)
    taken = time.monotonic() - pserver.began
    pserver.process.kill()
    pserver.process.wait()
    return taken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("graph")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2500)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    # Few ids come twice.
    data = (f"--data=synthetic:ctr?n={options.rows // IDS}"
            f"&ids={1000 * options.rows}&zipf=0.1")
    try:
        full = fill(options, data)
        stops, whole, with_one, without, program, series = train(
            options, data, full)
        size = sum(file.stat().st_size for file in full.iterdir())
        median = statistics.median
        if max(whole) > min(without):
            raise SystemExit(f"expected a checkpoint to be whole within "
                             f"{min(without):.1f} s, in which half of an interval"
                             f" trains, found {max(whole):.1f} s: choose more "
                             f"--steps")
        cost = median(with_one) - median(without)
        row("checkpoint, size", size / 1e9, "GB")
        row("checkpoint, training stops", median(stops), "s", "<= 2 s")
        row("checkpoint, whole after", median(whole), "s")
        row("checkpoint, costs", cost, "s", "<= 6 s")
        row("checkpoint, examples/s with one in 10 min",
            100 * (1 - cost / 600), "%", ">= 99 %")
        row("checkpoint, pserver serves after",
            median(resume(options, program, series) for _ in range(3)), "s",
            "<= 10 s")
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
