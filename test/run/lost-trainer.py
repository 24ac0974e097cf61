# SPDX-License-Identifier: Apache-2.0
"""--on-trainer-loss=continue: where trainers keep step, the others go on without
a trainer that is killed. Means are over those that have contributed, which all
rows of a pserver agree on, and a run that is resumed has all trainers again.

usage: lost-trainer.py FOLDER
"""
# RUN: %python %s %t

import collections
import json
import pathlib
import re
import shutil
import signal
import sys
import time

from counter import BATCH, GRAPH, Counter
from job import Job, read_model, run, wait_until
from launched import Launched
from row_model import read_columns

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FLAG = "--on-trainer-loss=continue"
# A sample adds 6 divided by the trainers of its step: whole numbers, of which
# sums are exact.
RATE = 6
counter = Counter(FOLDER)
counter.graph.write_text(GRAPH.replace("learning_rate = 1.0",
                                       f"learning_rate = {RATE}.0"))


def trained(trainers, trainer, first, end, share, rows):
    """Adds what steps [first, end) of a trainer of so many add to rows."""
    own = list(range(trainer, len(counter.samples), trainers))
    period = len(own) // BATCH
    for at in range(period):
        steps = len(range(first + (at - first) % period, end, period))
        for index in own[at * BATCH:(at + 1) * BATCH]:
            for id in counter.samples[index].ids:
                rows[id] += share * steps


def expect(trainers, phases):
    """What rows are after phases, each some steps of the trainers that are
    left: [(end, trainers)]."""
    rows, first = collections.Counter(), 0
    for end, left in phases:
        for trainer in left:
            trained(trainers, trainer, first, end, RATE // len(left), rows)
        first = end
    return {id: value for id, value in rows.items() if value}


def rows_by_pserver(model, pservers):
    """Of each pserver its rows, which one number describes."""
    for index in range(pservers):
        name = f"emb-{index:05}-of-{pservers:05}.safetensors"
        alone = model.parent / f"{model.name}-{index}"
        alone.mkdir(exist_ok=True)
        shutil.copy(model / name, alone / "emb-00000-of-00001.safetensors")
        rows = {id: row for id, (row,) in
                read_columns(alone, "values").items()}
        for row in rows.values():
            assert len(set(row)) == 1, row
        yield {id: row[0] for id, row in rows.items() if any(row)}


def check(model, pservers, trainers, steps, losses):
    """`losses` has for each pserver [(step, trainer)]: in that step the trainer
    has contributed to all rows of the pserver, or to none."""
    (shape, values) = read_model(model)["w"]
    assert values == [RATE * BATCH * steps] * 15, (values, steps)
    for index, found in enumerate(rows_by_pserver(model, pservers)):
        choices = [[]]
        for step, trainer in losses[index]:
            choices = [[*each, (step + more, trainer)]
                       for each in choices for more in (0, 1)]
        fits = []
        for choice in choices:
            phases, left = [], list(range(trainers))
            for step, trainer in choice:
                phases.append((step, tuple(left)))
                left.remove(trainer)
            expected = expect(trainers, [*phases, (steps, tuple(left))])
            if found == {id: n for id, n in expected.items() if id in found}:
                fits.append(choice)
        assert fits, (index, losses[index], found)


class SyncJob(Job):
    """2 pservers and 3 trainers, started by hand, that train until stopped."""

    def __init__(self, name, *options, flags=(FLAG,)):
        super().__init__(FOLDER / name, pservers=2, trainers=3,
                         graph=counter.graph, options=" ".join(options))
        self.saved = self.folder / "model"
        for index in (0, 1):
            self.pserver(index, *flags)
        for process in self.processes:
            process.wait_for("Server listening")
        self.running = [
            self.start(f"trainer{index}", "--role=trainer",
                       f"--trainer-id={index}", counter.data, *flags,
                       f"--batch-size={BATCH}", "--steps=100000000",
                       *([f"--save={self.saved}"] if index == 0 else []))
            for index in range(3)]

    def status(self, index):
        out, _ = run("ps-run", "status", self.endpoints[0], "--json")
        return json.loads(out)["trainers"][index]

    def reached(self):
        return self.status(0)["step"]

    def train(self, steps):
        before = self.reached()
        wait_until(lambda: self.reached() >= before + steps, "steps")

    def kill(self, index):
        process = self.running[index].process
        process.kill()
        process.wait()
        self.processes.remove(self.running[index])

    def losses(self, index):
        """[(step, trainer)] that a pserver has logged."""
        lines = re.findall(r"^trainer (\d) has gone .*; the others go on without "
                           r"it: from step (\d+) on", self.processes[index].text(),
                           re.M)
        return [(int(step), int(trainer)) for trainer, step in lines]


def goes_on(name, *options):
    with SyncJob(name, *options) as job:
        for index in (2, 1):
            job.train(50)
            job.kill(index)
            began = time.monotonic()
            job.train(20)
            # Of silence they would notice after 22.5 s.
            assert time.monotonic() - began < 20, "no trainer waits for it"
            status = job.status(index)
            assert status["lost"] and status["state"] == "absent", status
        job.running[0].signal(signal.SIGTERM)
        assert job.running[0].end() in (130, 143), job.running[0].text()
        for pserver in job.processes[:2]:
            assert pserver.end() == 130, pserver.text()
        steps = job.running[0].steps_taken()
        losses = [job.losses(index) for index in (0, 1)]
        assert [[trainer for _, trainer in each] for each in losses] == [
            [2, 1], [2, 1]], losses
        check(job.saved, 2, 3, steps, losses)


def trainer_0_ends_the_job():
    with SyncJob("zero") as job:
        job.train(20)
        job.kill(0)
        for process in job.processes:
            assert process.end() == 1, process.text()
            assert "trainer 0 has gone" in process.error(), process.text()


def one_that_comes_back_is_refused():
    """One that was silent for three quarters of --peer-timeout, and a process
    that is started again."""
    flags = FLAG, "--peer-timeout=4s"
    with SyncJob("silent", flags=flags) as job:
        job.train(20)
        job.running[1].signal(signal.SIGSTOP)
        job.processes[0].wait_for("trainer 1 has been silent for 3s")
        job.train(20)
        job.running[1].signal(signal.SIGCONT)
        again = job.start("again", "--role=trainer", "--trainer-id=1",
                          counter.data, *flags, f"--batch-size={BATCH}",
                          "--steps=100000000")
        for process in (job.running[1], again):
            assert process.end() == 1, process.text()
            assert "the others go on without it" in process.error(), (
                process.text())
        job.train(20)


def is_resumed_with_all(steps=4000):
    """launch does not start it again; the next run has it again."""
    folder = FOLDER / "launched"
    folder.mkdir()
    flags = (counter.graph, counter.data, f"--batch-size={BATCH}", "--pservers=2",
             "--trainers=3", "--threads=1", f"--checkpoint={folder}/checkpoints",
             "--checkpoint-every=500", FLAG)
    job = Launched("first", folder, *flags, "--steps=100000000",
                   "--max-restarts=3")
    job.wait_for("checkpoint  step 500")
    assert job.kill("trainer1")
    job.wait_for("the others go on without it")
    last = 500 * (len(re.findall("^checkpoint  step", job.text(), re.M)) + 2)
    job.wait_for(f"checkpoint  step {last}")
    job.signal(signal.SIGTERM)
    assert job.end() in (130, 143), job.text()
    assert "restart 1 of 3" not in job.text(), job.text()
    text = job.text()
    assert len(re.findall("^ps-run: warning: trainer 1 was killed by signal 9 .*; "
                          "the others go on without it: the rest of its samples "
                          "are not trained", text, re.M)) == 1, text
    newest = max((folder / "checkpoints").iterdir())
    reached = int(newest.name.removeprefix("step-"))
    losses = []
    for index in (0, 1):
        log = job.log_of(f"pserver{index}")
        step, = re.findall("without it: from step (\\d+) on", log)
        losses.append([(int(step), 1)])
    check(newest, 2, 3, reached, losses)
    before = list(rows_by_pserver(newest, 2))

    resumed = Launched("second", folder, *flags, f"--steps={reached + 800}",
                       f"--save={folder}/model", "--resume")
    resumed.ends_well()
    added = collections.Counter()
    for trainer in range(3):
        trained(3, trainer, reached, reached + 800, RATE // 3, added)
    for old, new in zip(before, rows_by_pserver(folder / "model", 2)):
        assert new == {id: old.get(id, 0) + added[id] for id in new}, (old, new)


def is_refused_elsewhere():
    for mode, flags, found in (
            ("async", (), "is for jobs of mode=sync, found mode=async"),
            ("geo", (), "is for jobs of mode=sync, found mode=geo"),
            ("sync", ("--deterministic",),
             "makes results depend on when a trainer is lost, which "
             "--deterministic excludes: leave one of them out")):
        counter.is_refused(FLAG, mode, flags, found)


for case in (lambda: goes_on("rows"), lambda: goes_on("cached", "cache-rows=16"),
             trainer_0_ends_the_job, one_that_comes_back_is_refused,
             is_resumed_with_all, is_refused_elsewhere):
    began = time.monotonic()
    case()
    print(f"{time.monotonic() - began:.1f} s", flush=True)
