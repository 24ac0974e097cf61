# SPDX-License-Identifier: Apache-2.0
"""Any process of a job may be killed at any moment, launch included: a job that
keeps step saves the bytes of one that was not disturbed, and where trainers do
not keep step no sample is lost or counted twice.

usage: restarts-random.py FOLDER [--jobs=N] [--seed=S] [--first=I]
                          [--shape=PSERVERSxTRAINERS]

Jobs I, I + 1, .. of a seed, N in all: each has a mode, a shape (2x2 or 3x3,
unless it is given), and a plan of whom to kill, and when.
"""
# RUN: %python %s %t --jobs=6

import collections
import signal
import time

from canonical import assert_same_files
from counter import BATCH, Counter
from job import DATA, GRAPH, INPUTS, run
from launched import Launched
from random_jobs import begin, make_parser, run_jobs
from row_model import make_samples, write_samples

MOST_KILLS = 5
STEPS = 1500
MIXED = INPUTS / "mixed.mlir"


class Shape:
    """So many pservers and trainers."""

    def __init__(self, text):
        self.text = text
        self.pservers, self.trainers = map(int, text.split("x"))

    def roles(self, mode):
        pservers = 0 if mode.is_collective else self.pservers
        return [*(f"pserver{index}" for index in range(pservers)),
                *(f"trainer{index}" for index in range(self.trainers)),
                "launch"]


class Mode:
    """One way of training, with what it has to save: the bytes of an undisturbed
    job, or what `check` of its folder and shape accepts."""

    def __init__(self, name, graph, data, *flags, check=None):
        self.name, self.graph, self.check = name, graph, check
        self.flags = (data, f"--batch-size={BATCH}", f"--steps={STEPS}",
                      "--threads=1", *flags)
        self.is_collective = name.startswith("collective")
        self.quiet = {}

    def flags_of(self, shape):
        pservers = 0 if self.is_collective else shape.pservers
        return (*self.flags, f"--pservers={pservers}",
                f"--trainers={shape.trainers}")

    def check_saved(self, saved, shape, folder):
        if self.check:
            self.check(saved, shape)
            return
        if shape.text not in self.quiet:
            quiet = folder / f"{self.name}-{shape.text}-quiet"
            run("ps-run", "launch", self.graph, *self.flags_of(shape),
                f"--save={quiet}", f"--log-dir={folder}/log")
            self.quiet[shape.text] = quiet
        assert_same_files(saved, self.quiet[shape.text])


def kill(process, role):
    if role != "launch":
        return process.kill(role)
    process.signal(signal.SIGKILL)
    return process.ends_with_all() == -signal.SIGKILL


def disturb(mode, shape, folder, plan, kinds):
    """Runs the job, kills by plan; how many restarts that brought about."""
    saved = folder / "model"
    flags = [*mode.flags_of(shape), f"--save={saved}",
             f"--checkpoint={folder}/checkpoints",
             f"--checkpoint-every={plan.choice([20, 50, 130])}",
             f"--max-restarts={MOST_KILLS}"]
    kills = starts = killed = 0
    process = Launched("launch0", folder, mode.graph, *flags)
    for _ in range(plan.randint(1, MOST_KILLS)):
        # A start takes as long as some hundreds of steps.
        time.sleep(plan.uniform(0, 1.2))
        role = plan.choice(shape.roles(mode))
        if not kill(process, role):
            continue
        kinds[role] += 1
        kills += role != "launch"
        if role == "launch":
            killed += len(process.restarts())
            starts += 1
            process = Launched(f"launch{starts}", folder, mode.graph, *flags,
                               "--resume")
    process.ends_well()
    killed += len(process.restarts())
    for line in process.restarts():
        assert "was killed by signal 9" in line, process.text()
    assert killed <= kills, process.text()
    mode.check_saved(saved, shape, folder.parent)
    return killed


def make_modes(folder):
    counter = Counter(folder)
    samples = write_samples(folder / "mixed.txt", make_samples(96))

    def counted(tolerance=0.0):
        return lambda saved, shape: counter.check(
            saved, [STEPS] * shape.trainers, tolerance)
    return [
        Mode("sync", MIXED, f"--data={samples}", "--deterministic"),
        Mode("async", counter.graph, counter.data, "--transpile=mode=async",
             check=counted()),
        Mode("collective", GRAPH, DATA, "--deterministic"),
        Mode("async-queue", counter.graph, counter.data, "--send-queue=3",
             "--max-merge=2", "--transpile=mode=async", check=counted()),
        Mode("half-async", counter.graph, counter.data,
             "--transpile=mode=half-async", check=counted()),
        # Its sums are rounded; what is lost is a whole number or a half.
        Mode("geo", counter.graph, counter.data,
             "--transpile=mode=geo geo-steps=7", check=counted(0.4)),
        # Variables alone, all of them in slices.
        Mode("sync-dense", GRAPH, DATA, "--deterministic",
             "--transpile=min-block-size=4"),
    ]


def main():
    parser = make_parser(jobs=200)
    parser.add_argument("--shape", type=Shape)
    options = begin(parser)
    modes = make_modes(options.folder)
    kinds, restarts = collections.Counter(), []

    def draw(index, plan):
        mode = modes[(options.seed + index) % len(modes)]
        shape = options.shape or Shape(plan.choice(["2x2", "3x3"]))

        def train(folder):
            folder.mkdir()
            restarts.append(disturb(mode, shape, folder, plan, kinds))
        return f"{mode.name}-{shape.text}", train
    run_jobs(options, draw, lambda: f"{sum(restarts)} restarts; killed: "
                                    f"{dict(sorted(kinds.items()))}")
    # The kills of a few jobs may all come too late, not those of every job.
    assert sum(restarts) or options.jobs < len(modes), kinds


main()
