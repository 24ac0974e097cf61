# SPDX-License-Identifier: Apache-2.0
"""A trainer that is killed in any phase of a checkpoint, or after its last step,
is replaced: the others, which wait for it there, go on, and no sample is lost or
counted twice. In mode sync they go on without it.

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
from job import read_model
from launched import Launched

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)


def crash(point, number, every, steps, mode):
    """Runs a job with a process that is killed there; gives it."""
    name = f"{mode}-{point}-{number}-{every}"
    crashed = FOLDER / f"{name}-crashed"
    job = Launched(name, FOLDER, counter.graph, counter.data,
                   f"--batch-size={BATCH}", f"--steps={steps}", "--threads=1",
                   "--pservers=2", "--trainers=3", f"--transpile=mode={mode}",
                   f"--save={FOLDER}/{name}", "--max-restarts=1",
                   *(["--on-trainer-loss=continue"] if mode == "sync" else []),
                   f"--checkpoint={FOLDER}/{name}-checkpoints",
                   f"--checkpoint-every={every}",
                   env={**os.environ,
                        "PS_CRASH_AT": f"{point}:{number}:{crashed}"})
    job.ends_well()
    assert crashed.exists(), f"{name}: nothing was killed"
    return job


def is_replaced(point, number, every, steps):
    job = crash(point, number, every, steps, "async")
    line, = job.restarts()
    assert "was killed by signal 9" in line and line.endswith(" alone"), line
    counter.check(FOLDER / job.name, [steps] * 3)


def others_go_on(point, number, every, steps):
    """A mean over fewer trainers, whose samples all count 1, is the same."""
    job = crash(point, number, every, steps, "sync")
    assert not job.restarts(), job.text()
    assert job.text().count("; the others go on without it") == 1, job.text()
    assert job.text().count("checkpoint  step") >= 2, job.text()
    _, values = read_model(FOLDER / job.name)["w"]
    assert values == [BATCH * steps] * 15, values


for case in (*(("trainer.meets", number, 20, 50) for number in (1, 2, 3, 4, 7)),
             ("trainer.meets", 2, "0.1s", 1500),
             ("trainer.completed", 1, 20, 30)):
    began = time.monotonic()
    is_replaced(*case)
    print(f"{case}: {time.monotonic() - began:.1f} s", flush=True)
for case in (*(("trainer.meets", number, 20, 50) for number in (1, 2, 3, 4, 7)),
             ("trainer.meets", 2, "0.1s", 1500)):
    began = time.monotonic()
    others_go_on(*case)
    print(f"sync {case}: {time.monotonic() - began:.1f} s", flush=True)
