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
from job import DATA, GRAPH, INPUTS, Process, free_endpoints, run
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
        self.is_given_up = False
        self.start()

    def run(self):
        while True:
            self.process = Process(f"{self.name}-{self.starts}", self.folder,
                                   *self.arguments, env=self.env)
            self.starts += 1
            if self.process.process.wait() == 0 or self.is_given_up:
                return
            # As supervisors do, which start nothing in a tight loop.
            time.sleep(0.2)

    def give_up(self):
        self.is_given_up = True
        while self.is_alive():
            if self.process:
                self.process.signal(signal.SIGKILL)
            self.join(0.1)

    def logs(self):
        return "".join(path.read_text(errors="replace") for path in sorted(
            self.folder.glob(f"{self.name}-*.log")))


class Supervised:
    """A job, and what an undisturbed one saves: of 2 x 2 processes, or of two
    trainers that all-reduce."""

    def __init__(self, name, steps, env=None, collective=False):
        self.folder = FOLDER / name
        self.model, self.quiet = self.folder / "model", self.folder / "quiet"
        self.folder.mkdir(parents=True)
        graph, data = INPUTS / "mixed.mlir", "--data=" + write_samples(
            self.folder / "samples.txt", make_samples(96))
        if collective:
            graph, data = GRAPH, DATA
        program = self.folder / "dist.mlir"
        run("ps-opt", graph, "-o", program, "--ps-transpile=trainers=2 " + (
            "mode=collective" if collective else "pservers=2 min-block-size=3"))
        common = ["--threads=1", "--deterministic", "--batch-size=4",
                  f"--steps={steps}", "--log-every=100"]
        run("ps-run", program, "--role=all", data, *common,
            f"--save={self.quiet}")
        common += [f"--checkpoint={self.folder}/checkpoints", "--resume",
                   "--checkpoint-every=50", "--connect-timeout=30"]
        ends = free_endpoints(2)
        peers = "trainer" if collective else "pserver"
        start = functools.partial(Supervisor, self.folder, env)
        self.roles = [] if collective else [
            start(f"pserver{index}", program, "--role=pserver",
                  f"--server={index}", f"--listen={ends[index]}", *common)
            for index in (0, 1)]
        self.roles += [
            start(f"trainer{index}", program, "--role=trainer", data,
                  f"--trainer-id={index}", f"--save={self.model}",
                  f"--{peers}-endpoints={','.join(ends)}", *common)
            for index in (0, 1)]

    def ends_well(self):
        for role in self.roles:
            role.join(60 + 30 * KILLS)
        late = [role for role in self.roles if role.is_alive()]
        for role in late:
            role.give_up()
        assert not late, f"{late[0].name} does not end:\n{late[0].logs()}"
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


def killed_while_it_saves(point, number, collective=False):
    """At the end: a trainer that has nothing left to do is still there to be
    started again."""
    name = f"{point}{'-collective' * collective}"
    crashed = FOLDER / f"{name}-crashed"
    job = Supervised(name, 60, {
        **os.environ, "PS_CRASH_AT": f"{point}:{number}:{crashed}"}, collective)
    job.ends_well()
    assert crashed.exists(), f"{name}: nothing was killed"


print(f"seed {SEED}")
shutil.rmtree(FOLDER, ignore_errors=True)
killed_at_random(random.Random(SEED))
# After one checkpoint, of two files of a pserver.
killed_while_it_saves("save.staged", 2)
killed_while_it_saves("save.renamed", 3)
killed_while_it_saves("save.unlisted", 2, collective=True)
