# SPDX-License-Identifier: Apache-2.0
"""A process that is silent for less than --peer-timeout changes nothing. One
that is silent for longer ends the job, with a line that names it, whether it
stands still or its connections are half open; launch --max-restarts goes on."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys
import time

from canonical import assert_same_files
from job import DATA, GRAPH, Job
from launched import Launched
from proxy import Proxy

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FLAGS = ("--batch-size=6", "--log-every=100")


def launch(name, steps, *flags):
    job = Launched(name, FOLDER, GRAPH, "--pservers=2", "--trainers=2", DATA,
                   "--threads=1", *FLAGS, "--deterministic", f"--steps={steps}",
                   f"--save={FOLDER}/{name}-model", *flags)
    job.wait_for("steps/s")
    return job


def short_stops():
    """Each process in turn, for a sixth of the limit: as 5 s of 30."""
    launch("quiet", 4000).ends_well()
    job = launch("stopped", 4000, "--peer-timeout=30s", "--max-restarts=1",
                 f"--checkpoint={FOLDER}/stopped-checkpoints")
    for role in "pserver0", "trainer1", "pserver1", "trainer0":
        pid = job.children().get(role)
        if pid is None:
            break  # The job has ended.
        os.kill(pid, signal.SIGSTOP)
        time.sleep(1)
        os.kill(pid, signal.SIGCONT)
    job.ends_well()
    assert not job.restarts(), job.text()
    assert_same_files(FOLDER / "stopped-model", FOLDER / "quiet-model")


def half_open():
    """Nothing passes between trainer 1 and the pservers any more, and no
    connection ends."""
    limits = ("--peer-timeout=4s", "--steps=1000000000")
    with Job(FOLDER / "half-open", 2, 2) as job, \
            Proxy(job.endpoints[0]) as first, \
            Proxy(job.endpoints[1]) as second:
        ends = f"--pserver-endpoints={first.endpoint},{second.endpoint}"
        for index in (0, 1):
            job.pserver(index, "--peer-timeout=4s")
        first_trainer = job.trainer(0, *FLAGS, *limits)
        behind = job.trainer(1, ends, *FLAGS, *limits, "--transport=grpc")
        first_trainer.wait_for("steps/s")
        for proxy in first, second:
            proxy.hold()
        for process in job.processes:
            assert process.end() == 1, process.text()
            error = process.error()
            print(f"{process.name}: {error}")
            if process is behind:
                assert re.search("pserver (%s|%s)" % (
                    first.endpoint, second.endpoint), error), error
            else:
                assert "trainer 1 " in error, error
            assert re.search(r"step \d+", error), error


short_stops()
half_open()
