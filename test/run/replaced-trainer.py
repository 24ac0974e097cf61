# SPDX-License-Identifier: Apache-2.0
"""--on-trainer-loss=wait: where trainers do not keep step, the others go on
without a trainer that is killed, another process takes its place, and each
sample counts once.

usage: replaced-trainer.py FOLDER
"""
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import sys
import time

from counter import BATCH, Counter
from job import Job, refused_usage, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)
WAIT = "--on-trainer-loss=wait"


class CounterJob(Job):
    """2 pservers and 3 trainers, started by hand, that train until stopped."""

    def __init__(self, name, mode, *flags):
        super().__init__(FOLDER / name, pservers=2, trainers=3,
                         graph=counter.graph, options=f"mode={mode}")
        self.saved = self.folder / "model"
        self.flags = [f"--batch-size={BATCH}", "--steps=1000000000",
                      "--log-every=50", WAIT, *flags]
        for index in (0, 1):
            self.pserver(index, WAIT, *(f for f in flags if "checkpoint=" in f))
        for process in self.processes:
            process.wait_for("Server listening")
        self.running = [self.begin(index) for index in range(3)]
        self.lost = 0

    def begin(self, index, name=None):
        return self.start(name or f"trainer{index}", "--role=trainer",
                          f"--trainer-id={index}", counter.data, *self.flags,
                          *([f"--save={self.saved}"] if index == 0 else []))

    def reached(self, index):
        """The step that a trainer has pushed last."""
        out, _ = run("ps-run", "status", self.endpoints[0], "--json")
        return json.loads(out)["trainers"][index]["step"]

    def kill(self, index):
        process = self.running[index]
        process.process.kill()
        process.process.wait()
        self.processes.remove(process)

    def replace(self, index):
        self.lost += 1
        name = f"trainer{index}-{self.lost}"
        self.running[index] = self.begin(index, name)
        return self.running[index]

    def ends_exactly(self):
        for process in self.running:
            process.signal(signal.SIGTERM)
        steps = []
        for process in self.running:
            assert process.end() in (130, 143), process.text()
            self.processes.remove(process)
            stopped = re.search(r"stopped after (\d+) of", process.text())
            steps.append(int(stopped.group(1)))
        self.ends_well()
        counter.check(self.saved, steps)


def goes_on(name, mode, *flags):
    """The others train while a trainer is dead, and no sample is lost."""
    with CounterJob(name, mode, *flags) as job:
        for index in (1, 2):
            before = job.reached(index) + 50
            wait_until(lambda: job.reached(index) > before, "steps")
            job.kill(index)
            lost = job.reached(index)
            others = job.reached(0)
            wait_until(lambda: job.reached(0) > others + 20, "others go on")
            assert job.reached(index) == lost, (job.reached(index), lost)
            job.replace(index).wait_for("goes on with step")
        job.ends_exactly()
        assert re.search(r"^goes on with step \d\d+ for another process of "
                         r"trainer 1$", job.running[1].text(), re.M)
        log = job.processes[0].text()
        assert log.count("; the others go on, and another process") == 2, log
        assert log.count("another process takes the place of trainer") == 2, log


def only_the_dead_are_replaced():
    with CounterJob("alive", "async") as job:
        wait_until(lambda: job.reached(1) > 50, "steps")
        second = job.begin(1, "second")
        assert second.end() == 1, second.text()
        assert "which is already training" in second.error(), second.text()
        job.kill(0)  # It saves, and its loss ends the job.
        for process in job.running[1:]:
            assert process.end() == 1, process.text()
            assert "trainer 0 has gone" in process.error(), process.text()


def is_refused_elsewhere():
    for mode, flags, found in (
            ("sync", (), "is for jobs of mode=async and half-async, found "
                         "mode=sync"),
            ("geo", (), "is for jobs of mode=async and half-async, found "
                        "mode=geo"),
            ("async", ("--workers=2",), "is for trainers with one worker in "
                                        "mode=async, found --workers=2"),
            ("async", ("--send-queue=2",), "is for trainers without a queue of "
                                           "pushes, found --send-queue=2")):
        program = FOLDER / f"refused-{mode}.mlir"
        run("ps-opt", counter.graph, "-o", program,
            f"--ps-transpile=pservers=1 trainers=2 mode={mode}")
        refused_usage(f"{WAIT} {found}", program, "--role=trainer",
                      "--trainer-id=1", "--pserver-endpoints=127.0.0.1:9",
                      counter.data, WAIT, *flags)


for case in (lambda: goes_on("async", "async"),
             only_the_dead_are_replaced, is_refused_elsewhere):
    began = time.monotonic()
    case()
    print(f"{time.monotonic() - began:.1f} s")
