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

from launched import Launched
from random_jobs import begin, make_parser, run_jobs
from random_modes import Shape, draw_mode, make_modes

MOST_KILLS = 5


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
        role = plan.choice([*shape.roles(mode), "launch"])
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


def main():
    parser = make_parser(jobs=200)
    parser.add_argument("--shape", type=Shape)
    options = begin(parser)
    modes = make_modes(options.folder)
    kinds, restarts = collections.Counter(), []

    def draw(index, plan):
        mode, shape = draw_mode(modes, options, index, plan)
        shape = options.shape or shape

        def train(folder):
            folder.mkdir()
            restarts.append(disturb(mode, shape, folder, plan, kinds))
        return f"{mode.name}-{shape.text}", train
    run_jobs(options, draw, lambda: f"{sum(restarts)} restarts; killed: "
                                    f"{dict(sorted(kinds.items()))}")
    # The kills of a few jobs may all come too late, not those of every job.
    assert sum(restarts) or options.jobs < len(modes), kinds


main()
