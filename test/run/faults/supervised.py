# SPDX-License-Identifier: Apache-2.0
"""A job under supervisors that know nothing of each other, one for each role, as
under Kubernetes or Slurm: each starts its role again, by the same command with
--resume, when it fails. Whichever role is killed, the job saves the bytes of one
that was not disturbed.

usage: supervised.py FOLDER [KILLS [SEED]]
"""
# REQUIRES: crash-points
# RUN: %python %s %t

import functools
import os
import pathlib
import random
import shutil
import signal
import sys
import threading
import time

from canonical import assert_same_files
from job import INPUTS, Job, Process, run
from row_model import make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
STEPS = 1500 * (KILLS + 1)


class Supervisor(threading.Thread):
    """Runs one role until it ends well."""

    def __init__(self, folder, env, name, *arguments):
        super().__init__(daemon=True)
        self.name, self.folder, self.env = name, folder, env
        self.arguments = arguments
        self.process = None
        self.starts = 0
        self.start()

    def run(self):
        while True:
            self.process = Process(f"{self.name}-{self.starts}", self.folder,
                                   *self.arguments, env=self.env)
            self.starts += 1
            if self.process.process.wait() == 0:
                return
            # As supervisors do, which start nothing in a tight loop.
            time.sleep(0.2)

    def logs(self):
        return "".join(path.read_text(errors="replace") for path in sorted(
            self.folder.glob(f"{self.name}-*.log")))


class Supervised:
    """A job of 2 x 2, and what an undisturbed one saves."""

    def __init__(self, name, steps, env=None):
        self.folder = FOLDER / name
        self.model, self.quiet = self.folder / "model", self.folder / "quiet"
        self.folder.mkdir(parents=True)
        samples = write_samples(self.folder / "samples.txt", make_samples(96))
        job = Job(self.folder, 2, 2, INPUTS / "mixed.mlir", "min-block-size=3")
        common = ["--threads=1", "--deterministic", "--batch-size=4",
                  f"--steps={steps}", "--log-every=100"]
        run("ps-run", job.program, "--role=all", f"--data={samples}", *common,
            f"--save={self.quiet}")
        common += [f"--checkpoint={self.folder}/checkpoints", "--resume",
                   "--checkpoint-every=50", "--connect-timeout=30"]
        start = functools.partial(Supervisor, self.folder, env)
        self.roles = [
            start(f"pserver{index}", job.program, "--role=pserver",
                  f"--endpoint={endpoint}", *common)
            for index, endpoint in enumerate(job.endpoints)]
        self.roles += [
            start(f"trainer{index}", job.program, "--role=trainer",
                  f"--trainer-id={index}", f"--data={samples}",
                  f"--save={self.model}", *common) for index in (0, 1)]

    def ends_well(self):
        for role in self.roles:
            role.join(60)
            assert not role.is_alive(), (
                f"{role.name} does not end:\n{role.logs()}")
        print({role.name: role.starts for role in self.roles}, flush=True)
        assert_same_files(self.model, self.quiet)


def killed_at_random(plan):
    job = Supervised("random", 1500 * (KILLS + 1))
    for _ in range(KILLS):
        time.sleep(plan.uniform(0.2, 1.5))
        victim = plan.choice(job.roles)
        print(f"kill {victim.name}", flush=True)
        if victim.process and victim.is_alive():
            victim.process.signal(signal.SIGKILL)
    job.ends_well()


def killed_while_it_saves(point, number):
    """At the end: a trainer that has nothing left to do is still there to be
    started again."""
    crashed = FOLDER / f"{point}-crashed"
    job = Supervised(point, 60, {
        **os.environ, "PS_CRASH_AT": f"{point}:{number}:{crashed}"})
    job.ends_well()
    assert crashed.exists(), f"{point}: nothing was killed"


print(f"seed {SEED}")
shutil.rmtree(FOLDER, ignore_errors=True)
killed_at_random(random.Random(SEED))
# After one checkpoint, of two files of a pserver.
killed_while_it_saves("save.staged", 2)
killed_while_it_saves("save.renamed", 3)
