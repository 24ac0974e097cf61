# SPDX-License-Identifier: Apache-2.0
"""A trainer that is killed in any phase of a checkpoint, or after its last step,
is replaced: the others, which wait for it there, go on, and no sample is lost or
counted twice.

usage: replaced-at-meeting.py FOLDER
"""
# REQUIRES: crash-points
# RUN: %python %s %t

import os
import pathlib
import shutil
import sys
import time

from counter import BATCH, Counter
from launched import Launched

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)


def crash(point, number, every, steps):
    name = f"{point}-{number}-{every}"
    crashed = FOLDER / f"{name}-crashed"
    job = Launched(name, FOLDER, counter.graph, counter.data,
                   f"--batch-size={BATCH}", f"--steps={steps}", "--threads=1",
                   "--pservers=2", "--trainers=3", "--transpile=mode=async",
                   f"--save={FOLDER}/{name}", "--max-restarts=1",
                   f"--checkpoint={FOLDER}/{name}-checkpoints",
                   f"--checkpoint-every={every}",
                   env={**os.environ,
                        "PS_CRASH_AT": f"{point}:{number}:{crashed}"})
    job.ends_well()
    assert crashed.exists(), f"{name}: nothing was killed"
    line, = job.restarts()
    assert "was killed by signal 9" in line and line.endswith(" alone"), line
    counter.check(FOLDER / name, [steps] * 3)


for case in (*(("trainer.meets", number, 20, 50) for number in (1, 2, 3, 4, 7)),
             ("trainer.meets", 2, "0.1s", 1500),
             ("trainer.completed", 1, 20, 30)):
    began = time.monotonic()
    crash(*case)
    print(f"{case}: {time.monotonic() - began:.1f} s", flush=True)
