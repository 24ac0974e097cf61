# SPDX-License-Identifier: Apache-2.0
"""Where a run stops without a checkpoint of its last step, a line says how far
--resume goes back.

usage: stop-goes-back.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import sys

from job import DATA, GRAPH, run_at_once
from launched import Launched
from series import newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FLAGS = (DATA, "--batch-size=6", "--threads=1", "--log-every=10",
         "--steps=1000000000")


def stop(name, transpile, every):
    """The newest checkpoint, which --resume is said to begin with."""
    series = FOLDER / name
    job = Launched(f"{name}-job", FOLDER, GRAPH, "--pservers=2", "--trainers=2",
                   f"--transpile={transpile}", *FLAGS, f"--checkpoint={series}",
                   f"--checkpoint-every={every}")
    job.wait_for("steps/s" if every > 1000000 else "checkpoint  step ")
    job.signal(signal.SIGINT)
    assert job.ends_with_all() == 130, job.text()
    newest = newest_checkpoint(series)
    stopped, = re.findall(r"^stopped after (\d+) of", job.text(), re.M)
    if newest and steps_of(newest) == int(stopped):
        return  # At its end by chance.
    where = f"step {steps_of(newest)}" if newest else "the beginning"
    lines = [line for line in job.text().splitlines() if "goes back" in line]
    assert lines == [f"no checkpoint after step {stopped}: --resume goes back to "
                     f"{where}"], job.text()


def other_modes():
    stop("async", "mode=async", 1500)
    stop("none", "mode=async", 100000000)
    stop("half-async", "mode=half-async", 1500)


def between_two_periods():
    """Of many steps, which a stop does not wait for."""
    stop("periods", "accumulate=1000", 1000)


run_at_once(other_modes, between_two_periods)
