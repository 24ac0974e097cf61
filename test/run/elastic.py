# SPDX-License-Identifier: Apache-2.0
"""launch --elastic: a job that launch has started gets further processes, and
fewer, while it trains; what is killed of it, its scheduler included, is started
again, and nothing outlives launch.

usage: elastic.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

from any_size import COUNT, GRAPH
from canonical import assert_same, canonical
from job import read_model, refused_usage, run, wait_until
from launched import Launched, is_alive
from row_model import make_samples, write_samples
from series import newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
SAMPLES = write_samples(FOLDER / "samples.txt", make_samples(96))
# The mean of samples that all count as one is exact.
COUNTS = FOLDER / "count.mlir"
COUNTS.write_text(COUNT)
ADAGRAD = FOLDER / "adagrad.mlir"
ADAGRAD.write_text(GRAPH.replace("OPTIMIZER",
                                 "#ps.adagrad<learning_rate = 0.05>"))
FLAGS = (f"--data={SAMPLES}", "--global-batch-size=6", "--threads=1",
         "--shuffle", "--deterministic", "--peer-timeout=6")
SIZE = ("--pservers=2", "--trainers=2")
STEPS = 6000


class Elastic(Launched):
    def __init__(self, name, graph, *flags, every=100):
        self.series = FOLDER / f"{name}-checkpoints"
        super().__init__(name, FOLDER, graph, *SIZE, *FLAGS, "--elastic",
                         f"--checkpoint={self.series}",
                         f"--checkpoint-every={every}", *flags)

    def awaits(self, condition, what):
        wait_until(lambda: condition() or self.process.poll() is not None, what)
        assert condition(), self.all_text()

    def newest(self):
        return newest_checkpoint(self.series)

    def await_checkpoint(self):
        before = self.newest()
        self.awaits(lambda: self.newest() != before, "a checkpoint")

    def resize(self, *flags):
        """What the command has printed last."""
        out, _ = run(*self.resize_command(), *flags)
        return out.splitlines()[-1]

    def resize_command(self):
        command = re.search("^resize with: (.*) --pservers=N --trainers=N$",
                            self.text(), re.M)
        assert command, self.all_text()
        return shlex.split(command[1])

    def all_text(self):
        return self.text() + "".join(
            f"--- {path.name}\n{path.read_text(errors='replace')}"
            for path in sorted(self.logs.glob("latest/*log*")))

    def stop(self, number=signal.SIGINT):
        """Leaves no process."""
        running = self.children().values()
        self.signal(number)
        assert self.end() == 130, self.all_text()
        assert not any(map(is_alive, running)), running


def train(name, graph, steps):
    """The model of an undisturbed job."""
    model = FOLDER / f"{name}-quiet"
    run("ps-run", "launch", graph, *SIZE, *FLAGS, f"--steps={steps}",
        f"--save={model}", f"--log-dir={FOLDER}/{name}-quiet-logs")
    return model


def changes_size():
    job = Elastic("resized", COUNTS, "--steps=1000000000")
    job.await_checkpoint()
    assert job.children().keys() == {"scheduler", "pserver0", "pserver1",
                                     "trainer0", "trainer1"}, job.all_text()
    kept = job.children()
    assert job.resize("--pservers=3", "--trainers=3").startswith(
        "the job trains with 3 pservers and 3 trainers: attempt 2, from step ")
    job.await_checkpoint()
    grown = job.children()
    assert grown.keys() - kept.keys() == {"pserver2", "trainer2"}, grown
    assert kept.items() <= grown.items(), (kept, grown)
    assert job.resize("--pservers=1", "--trainers=2").startswith(
        "the job trains with 1 pserver and 2 trainers: attempt 3, from step ")
    # Those that the job has gone on without stay away.
    job.await_checkpoint()
    left = job.children()
    assert left.items() <= grown.items() and len(left) == 4, (grown, left)
    # As one that is needed again does not.
    job.resize("--pservers=2")
    job.await_checkpoint()
    assert len(job.children()) == 5, job.all_text()
    job.stop()
    newest = job.series / job.newest()
    assert "starting it again" not in job.text(), job.all_text()
    steps = steps_of(newest.name)
    assert read_model(newest)["w"] == ([5, 3], [float(steps)] * 15)
    assert_same(canonical(newest), canonical(train("resized", COUNTS, steps)))


def shows_trainer_0():
    """The scheduler chooses which process that is."""
    job = Elastic("shows", COUNTS, "--steps=200", "--epochs=1000",
                  f"--metrics={FOLDER}/shows.jsonl")
    job.ends_well()
    assert job.text().count("rank 0 of the job's trainers, attempt 1\n") == 1
    assert "rank 1 of the job's trainers" not in job.text(), job.text()
    assert {path.name for path in FOLDER.glob("shows.jsonl*")} == {
        "shows.jsonl", "shows.jsonl.trainer-1", "shows.jsonl.pserver-0",
        "shows.jsonl.pserver-1"}, list(FOLDER.glob("shows.jsonl*"))


def withstands_kills():
    """At random moments, while the job gets another number of pservers."""
    seed = random.randrange(2**32)
    plan = random.Random(seed)
    model = FOLDER / "killed-model"
    job = Elastic("killed", ADAGRAD, f"--steps={STEPS}", f"--save={model}",
                  "--max-restarts=12")
    job.await_checkpoint()
    kills = 0
    for number in range(8):
        if number % 3 == 0:
            # The job may have ended.
            subprocess.run([*job.resize_command(), "--no-wait",
                            f"--pservers={3 - number // 3}"],
                           capture_output=True, timeout=30)
        time.sleep(plan.uniform(0, 0.8))
        roles = ["scheduler", "trainer0", "trainer1", "pserver0", "pserver2"]
        kills += job.kill(roles[number] if number < 2 else plan.choice(roles))
    assert job.ends_with_all(timeout=60) == 0, f"seed {seed}: {job.all_text()}"
    assert kills and "scheduler was killed by signal 9" in job.text(), (
        f"seed {seed}: {job.text()}")
    assert_same(canonical(model), canonical(train("killed", ADAGRAD, STEPS)),
                f"seed {seed}")


def stops():
    """Also while further processes wait for a checkpoint."""
    model = FOLDER / "stopped-model"
    job = Elastic("stopped", COUNTS, "--steps=1000000000", f"--save={model}",
                  every=1000000000)
    job.wait_for("Communicator start")
    job.resize("--pservers=3", "--trainers=3", "--no-wait")
    job.awaits(lambda: {"trainer2", "pserver2"} <= job.children().keys(),
               "further processes")
    job.stop(signal.SIGTERM)
    assert (model / "training.json").exists()


def stops_early():
    """Before its processes have met."""
    job = Elastic("early", COUNTS, "--steps=1000000000")
    job.wait_for("resize with: ")
    job.stop()


def ends_with_launch():
    """However that ends: also a process that has begun anew."""
    job = Elastic("lost", COUNTS, "--steps=1000000000")
    job.await_checkpoint()
    job.resize("--pservers=3")
    assert len(job.children()) == 6, job.all_text()
    running = job.children().values()
    job.signal(signal.SIGKILL)
    assert job.end() == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, running)), "all end with launch", 10)


def fails_without_restarts():
    job = Elastic("fails", COUNTS, "--steps=1000000000")
    job.await_checkpoint()
    job.kill("scheduler")
    job.wait_for("; starting it again")
    job.await_checkpoint()
    job.kill("trainer1")
    assert job.ends_with_all() == 1, job.all_text()
    assert "trainer" in job.error(), job.text()


def refuses():
    logs = f"--log-dir={FOLDER}/refused-logs"
    series = f"--checkpoint={FOLDER}/refused"
    for flags, message in (
            ((), "--elastic: expected --checkpoint=DIR, whose newest checkpoint "
             "a resized job goes on from"),
            ((series, "--recovery=log"),
             "--recovery=log is for jobs without --elastic"),
            ((series, "--transpile=mode=async", "--on-trainer-loss=wait"),
             "--elastic is for jobs with --on-trainer-loss=fail"),
            ((series, f"--hosts={FOLDER}/hosts"),
             "--elastic is for jobs without --hosts"),
            ((series, "--listen=10.0.0.7:0"),
             "--listen=10.0.0.7:0: with --elastic all processes run on this "
             "machine: expected an address of the loopback interface, such as "
             "127.0.0.1:0")):
        refused_usage(message, "launch", COUNTS, *SIZE, *FLAGS, "--elastic",
                      logs, *flags)
    refused_usage("--elastic: standard input cannot be read by each process: "
                  "expected a file", "launch", "-", *FLAGS, "--elastic", series)
    refused_usage("--listen is for --hosts and --elastic only", "launch", COUNTS,
                  *FLAGS, "--listen=127.0.0.1:0")
    assert not (FOLDER / "refused-logs").exists()


changes_size()
shows_trainer_0()
withstands_kills()
stops()
stops_early()
ends_with_launch()
fails_without_restarts()
refuses()
