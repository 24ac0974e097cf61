# SPDX-License-Identifier: Apache-2.0
"""launch whose process is asked to stop, by something else than launch: the
others stop in order, and launch exits as after Ctrl-C.

usage: stopped-child.py FOLDER
"""
# RUN: %python %s %t

import os
import pathlib
import shutil
import signal
import sys

from job import DATA, GRAPH, INPUTS, run, run_at_once
from launched import Launched

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FLAGS = ("--pservers=2", "--trainers=2", DATA, "--batch-size=6", "--threads=1",
         "--log-every=100", "--steps=1000000000")


# Runs the command here, whatever the machine is.
SSH = FOLDER / "ssh"
SSH.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
SSH.chmod(0o755)
HOSTS = FOLDER / "hosts"
HOSTS.write_text("localhost\n")


def stops(role, number, *flags, mode="sync", where="here"):
    name = f"{role}-{number.name}-{mode}-{where}"
    job = Launched(name, FOLDER, GRAPH, *FLAGS, f"--transpile=mode={mode}",
                   f"--save={FOLDER}/{name}", *flags)
    try:
        job.wait_for("steps/s")
        os.kill(job.children()[role], number)
        assert job.ends_with_all() == 130, job.text()
    finally:
        job.process.kill()
        job.process.wait()
    asked = role.rstrip("01") + " " + role[-1]
    if where == "hosts":
        asked += " on localhost"
    lines = [line for line in job.text().splitlines() if "ps-run: " in line]
    assert lines == [f"ps-run: warning: {asked} was asked to stop: the job "
                     "stops"], job.text()
    # The model is whole.
    run("ps-run", GRAPH, f"--load={FOLDER}/{name}",
        f"--eval-data=csv:{INPUTS}/linear.csv")


def trainers():
    stops("trainer1", signal.SIGTERM)
    stops("trainer1", signal.SIGINT, "--max-restarts=3",
          f"--checkpoint={FOLDER}/checkpoints", "--checkpoint-every=1000000")
    stops("trainer0", signal.SIGTERM)


def pservers():
    stops("pserver1", signal.SIGTERM)
    stops("pserver0", signal.SIGINT, mode="half-async")


def scheduled():
    """Where the processes have a scheduler."""
    elastic = ("--elastic", f"--checkpoint={FOLDER}/elastic-checkpoints",
               "--checkpoint-every=1000000")
    stops("trainer1", signal.SIGTERM, *elastic, where="elastic")
    for role in "pserver0", "trainer0":
        stops(role, signal.SIGTERM, f"--hosts={HOSTS}", f"--ssh={SSH}",
              "--max-restarts=1", f"--checkpoint={FOLDER}/{role}-checkpoints",
              where="hosts")


run_at_once(trainers, pservers)
scheduled()
