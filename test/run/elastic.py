# SPDX-License-Identifier: Apache-2.0
"""launch --elastic: a job that launch has started gets further processes, and
fewer, while it trains; what is killed of it, its scheduler included, is started
again, and nothing outlives launch.

usage: elastic.py FOLDER
"""
# RUN: %python %s %t

import errno
import json
import os
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
from job import build_shim, read_model, refused_usage, run, wait_until
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
ENDLESS = "--steps=1000000000"
# At the start of a process with the log NAME: while there is a file NAME-waits
# it waits, and ends as one with a wrong flag does if there is NAME-ends.
SHIM = """
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int has(const char *name, const char *what) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof(path), "%s/%s-%s", getenv("PS_TEST_STARTS"), name,
           what);
  return access(path, F_OK) == 0;
}

__attribute__((constructor)) static void start(void) {
  char log[PATH_MAX] = "";
  if (readlink("/proc/self/fd/1", log, sizeof(log) - 1) < 0)
    return;
  const char *slash = strrchr(log, '/'), *name = slash ? slash + 1 : log;
  while (has(name, "waits"))
    usleep(10000);
  if (has(name, "ends"))
    _exit(2);
}
"""
SHIMMED = build_shim(FOLDER, SHIM)


class Elastic(Launched):
    def __init__(self, name, graph, *flags, every=100, starts=()):
        self.series = FOLDER / f"{name}-checkpoints"
        self.starts = FOLDER / f"{name}-starts"
        self.starts.mkdir()
        for start in starts:
            self.choose_start(start)
        super().__init__(name, FOLDER, graph, *SIZE, *FLAGS, "--elastic",
                         f"--checkpoint={self.series}",
                         f"--checkpoint-every={every}", *flags,
                         env={**SHIMMED, "PS_TEST_STARTS": str(self.starts)})

    def choose_start(self, start):
        (self.starts / start).touch()

    def state(self):
        return json.loads((self.logs / "latest" / "scheduler.json").read_text())

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
    job = Elastic("resized", COUNTS, ENDLESS)
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
    job.awaits(lambda: len(job.children()) == 4, "they have ended")
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
    job = Elastic("killed", ADAGRAD, ENDLESS, "--max-restarts=12")
    job.await_checkpoint()
    kills = 0
    for number in range(8):
        if number % 3 == 0:
            # There may be no scheduler at the moment.
            subprocess.run([*job.resize_command(), "--no-wait",
                            f"--pservers={3 - number // 3}"],
                           capture_output=True, timeout=30)
        time.sleep(plan.uniform(0, 0.8))
        roles = ["scheduler", "trainer0", "trainer1", "pserver0", "pserver2"]
        kills += job.kill(roles[number] if number < 2 else plan.choice(roles))
    print(f"seed {seed}")
    job.await_checkpoint()
    job.stop()
    assert kills and "scheduler was killed by signal 9" in job.text(), (
        f"seed {seed}: {job.text()}")
    newest = job.series / job.newest()
    quiet = train("killed", ADAGRAD, steps_of(newest.name))
    assert_same(canonical(newest), canonical(quiet), f"seed {seed}")


def stops():
    """Also while further processes wait for a checkpoint."""
    model = FOLDER / "stopped-model"
    job = Elastic("stopped", COUNTS, ENDLESS, f"--save={model}",
                  every=1000000000)
    job.wait_for("Communicator start")
    job.resize("--pservers=3", "--trainers=3", "--no-wait")
    job.awaits(lambda: {"trainer2", "pserver2"} <= job.children().keys(),
               "further processes")
    job.stop(signal.SIGTERM)
    assert (model / "training.json").exists()


def stops_early(name, abandons=False):
    """While a trainer has not begun to train: it ends at once then. What the
    job goes on without is of no interest."""
    metrics = FOLDER / f"{name}.jsonl"
    os.mkfifo(f"{metrics}.trainer-1")  # Nothing reads it.
    job = Elastic(name, COUNTS, ENDLESS, f"--metrics={metrics}",
                  starts=("workerlog.2-ends",))
    job.wait_for("Communicator start")
    if abandons:
        job.resize("--trainers=3", "--no-wait")
        job.wait_for("no further trainer is started")
    job.stop()


def stops_while_it_starts():
    job = Elastic("starts", COUNTS, ENDLESS, starts=("schedulerlog-waits",))
    job.awaits(lambda: "scheduler" in job.children(), "a scheduler")
    job.stop()
    assert "ps-run: error: " not in job.text(), job.all_text()


def goes_on_without_further_processes():
    """Those that it was to have cannot be started."""
    job = Elastic("abandons", COUNTS, ENDLESS, starts=("workerlog.2-ends",))
    job.await_checkpoint()
    kept = job.children()
    log = job.logs / "latest" / "serverlog.2"
    log.mkdir()
    job.resize("--pservers=3", "--trainers=3", "--no-wait")
    for role in "pserver", "trainer":
        job.wait_for(f"; no further {role} is started until another size is "
                     "asked for\n")
    job.await_checkpoint()
    assert job.children() == kept, job.all_text()
    log.rmdir()
    (job.starts / "workerlog.2-ends").unlink()
    job.resize("--pservers=2", "--trainers=3")
    job.resize("--pservers=3")
    assert job.children().keys() - kept.keys() == {"pserver2", "trainer2"}
    job.stop()
    assert job.text().count("; no further ") == 2, job.all_text()


def starts_again_what_waits():
    """However that has ended: it has not stopped the job."""
    job = Elastic("waits", COUNTS, ENDLESS, every=1000000000)
    job.wait_for("Communicator start")
    job.resize("--trainers=3", "--no-wait")

    def waiting():
        seat, = job.state()["resize"]["coming"]
        return int(seat.get("member", {}).get("pid", 0))

    job.awaits(waiting, "a further trainer waits")
    first = waiting()
    os.kill(first, signal.SIGTERM)
    job.awaits(lambda: waiting() not in (0, first), "another one waits")
    job.stop()


def outlives_its_scheduler():
    """A job trains for as long as none can be started."""
    job = Elastic("outlives", COUNTS, ENDLESS)
    job.await_checkpoint()
    state = job.logs / "latest" / "scheduler.json"
    kept, unreadable = FOLDER / "outlives.json", FOLDER / "unreadable"
    os.link(state, kept)
    unreadable.symlink_to(FOLDER)
    unreadable.rename(state)
    job.kill("scheduler")
    log = job.logs / "latest" / "schedulerlog"
    job.awaits(lambda: log.read_text().count("--- started again ---") >= 5,
               "it is started five times")
    job.await_checkpoint()
    assert job.text().count("; trying again for as long as the job trains") == 1
    kept.rename(state)
    job.awaits(lambda: "Server listening on " in
               log.read_text().rpartition("--- started again ---")[2],
               "it listens again")
    assert job.resize("--trainers=1").startswith("the job trains with 2 pservers")
    job.stop()


class ReadState:
    """The file of a job's state, as a pipe: launch waits in each read."""

    def __init__(self, job, record):
        self.job, self.text = job, json.dumps(record)
        self.path = job.logs / "latest" / "scheduler.json"
        self.replace(pipe=True)

    def replace(self, pipe):
        new = self.path.with_name("new")
        if pipe:
            os.mkfifo(new)
        else:
            new.write_text(self.text)
        new.rename(self.path)

    def is_read(self):
        try:
            self.opened = self.opened or os.open(self.path,
                                                 os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO, error
        return self.opened

    def answer(self, meanwhile=lambda: None, last=False):
        self.opened = None
        self.job.awaits(self.is_read, "launch reads the state")
        self.replace(pipe=not last)
        meanwhile()
        os.write(self.opened, self.text.encode())
        os.close(self.opened)


def completes_without_its_scheduler():
    """Its processes have the whole time to end."""
    job = Elastic("completes", COUNTS, ENDLESS)
    job.await_checkpoint()
    record = {**job.state(), "completed": True}
    job.choose_start("schedulerlog-waits")
    old = job.children()["scheduler"]
    job.kill("scheduler")
    job.awaits(lambda: job.children().get("scheduler", old) != old,
               "a scheduler that waits")

    def end_scheduler():
        job.choose_start("schedulerlog-ends")
        (job.starts / "schedulerlog-waits").unlink()
        job.awaits(lambda: "scheduler" not in job.children(), "it ends")

    state = ReadState(job, record)
    state.answer()
    state.answer(end_scheduler)
    state.answer()
    state.answer(last=True)
    for role in list(job.children()):
        job.kill(role)
    job.ends_well()


def shows_the_next_trainer_0():
    """From where its process is that, once the one before is not needed."""
    job = Elastic("next", COUNTS, ENDLESS, "--max-restarts=1", every=1000000000)
    job.wait_for("Communicator start")
    job.resize("--trainers=1", "--no-wait")
    first, = (role for role in ("trainer0", "trainer1")
              if "rank 0 of the job's trainers" in job.log_of(role))
    # The scheduler finds first that it is lost.
    others = [pid for role, pid in job.children().items()
              if role not in (first, "scheduler")]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    job.kill(first)
    job.awaits(lambda: job.state()["attempt"] == "2", "it is lost")
    for pid in others:
        os.kill(pid, signal.SIGCONT)
    job.wait_for("rank 0 of the job's trainers, attempt 2\n")
    job.stop()
    assert job.text().count("rank 0 of the job's trainers, attempt 2\n") == 1
    assert "rank 1 of the job's trainers" not in job.text(), job.text()


def ends_with_launch():
    """However that ends: also a process that has begun anew."""
    job = Elastic("lost", COUNTS, ENDLESS)
    job.await_checkpoint()
    job.resize("--pservers=3")
    assert len(job.children()) == 6, job.all_text()
    running = job.children().values()
    job.signal(signal.SIGKILL)
    assert job.end() == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, running)), "all end with launch", 10)


def fails_without_restarts():
    job = Elastic("fails", COUNTS, ENDLESS)
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
stops_early("early")
stops_early("early-abandons", abandons=True)
stops_while_it_starts()
goes_on_without_further_processes()
starts_again_what_waits()
outlives_its_scheduler()
completes_without_its_scheduler()
shows_the_next_trainer_0()
ends_with_launch()
fails_without_restarts()
refuses()
