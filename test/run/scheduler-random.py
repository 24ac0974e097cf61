# SPDX-License-Identifier: Apache-2.0
"""Any process of a job with a scheduler may be killed at any moment, that one
included: a job that keeps step saves the bytes of one that was not disturbed,
and where trainers do not keep step no sample is lost or counted twice.

usage: scheduler-random.py FOLDER [--jobs=N] [--seed=S] [--first=I]
"""
# RUN: %python %s %t --jobs=3

import collections
import time

from job import run
from random_jobs import begin, make_parser, run_jobs
from random_modes import draw_mode, make_modes
from supervised import Supervised

MOST_KILLS = 5


def transpile(mode, shape, program):
    given = [flag.removeprefix("--transpile=") for flag in mode.flags
             if flag.startswith("--transpile=")]
    pservers = ("mode=collective" if mode.is_collective
                else f"pservers={shape.pservers}")
    run("ps-opt", mode.graph, "-o", program, "--ps-transpile="
        + " ".join([pservers, f"trainers={shape.trainers}", *given]))


def disturb(mode, shape, folder, plan, kinds):
    folder.mkdir()
    program, saved = folder / "dist.mlir", folder / "model"
    transpile(mode, shape, program)
    flags = [flag for flag in mode.flags if not flag.startswith("--transpile=")]
    job = Supervised(
        folder / "job", program, 0 if mode.is_collective else shape.pservers,
        shape.trainers,
        (*flags, "--peer-timeout=6", f"--save={saved}",
         f"--checkpoint={folder}/checkpoints",
         f"--checkpoint-every={plan.choice([20, 50, 130])}"),
        ("--peer-timeout=6", f"--max-restarts={MOST_KILLS}"))
    for _ in range(plan.randint(1, MOST_KILLS)):
        rest = time.monotonic() + plan.uniform(0, 1.2)
        while job.supervise() and time.monotonic() < rest:
            time.sleep(0.02)
        role = plan.choice(sorted(job.processes))
        # One that has ended stays as it has.
        if role not in job.exited and job.kill(role):
            kinds[role.partition("-")[0]] += 1
    # It may have been killed when all others had completed: then no process
    # of the job is left to tell.
    others = {role: code for role, code in job.end().items()
              if role != "scheduler"}
    assert set(others.values()) == {0}, job.text()
    mode.check_saved(saved, shape, folder.parent)


def main():
    options = begin(make_parser(jobs=40))
    modes = make_modes(options.folder)
    kinds = collections.Counter()

    def draw(index, plan):
        mode, shape = draw_mode(modes, options, index, plan)
        return f"{mode.name}-{shape.text}", lambda folder: disturb(
            mode, shape, folder, plan, kinds)
    run_jobs(options, draw, lambda: f"killed: {dict(sorted(kinds.items()))}")
    assert kinds, "nothing was killed"


main()
