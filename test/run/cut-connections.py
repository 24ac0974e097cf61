"""Connections that are cut at random moments change no result: a synchronous
job saves the bytes of one that was not disturbed, and where trainers do not
keep step no gradient is lost or counted twice; also when trainers are
interrupted meanwhile.

usage: cut-connections.py FOLDER [CUTS [SEED]]

CUTS are made in each mode (PS_CUTS, or 8); a run of 500 takes some minutes.
"""
# RUN: %python %s %t

import os
import pathlib
import random
import shutil
import signal
import sys
import time

from counter import BATCH, Counter
from job import DEADLINE, Job
from proxy import Proxy

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
CUTS = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("PS_CUTS", 8))
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
STEPS = 150
counter = Counter(FOLDER)
print(f"seed {SEED}, {CUTS} cuts in each mode")
random.seed(SEED)


def cut_until(ended, proxies, most):
    """Cuts connections until `ended`, at most `most` times; how often."""
    cuts = 0
    deadline = time.monotonic() + DEADLINE
    while not ended():
        assert time.monotonic() < deadline, "the job does not end"
        time.sleep(random.expovariate(1 / 0.04))
        if cuts < most:
            # All of a pserver, or some: heartbeats have their own.
            whole = random.random() < 0.5
            cuts += random.choice(proxies).cut(None if whole else random) > 0
    return cuts


def train(name, options, flags, most, stop=None):
    """Trains in a job whose connections are cut up to so many times. `stop`:
    which process is interrupted on the way, before the others are; all at once
    for "all". Its model, the steps of each trainer, and the cuts."""
    with Job(FOLDER / name, 2, 2, counter.graph, options) as job, \
            Proxy(job.endpoints[0]) as first, \
            Proxy(job.endpoints[1]) as second:
        ends = f"--pserver-endpoints={first.endpoint},{second.endpoint}"
        for index in (0, 1):
            job.pserver(index)
        model = job.folder / "model"
        steps = STEPS if stop is None else 100000
        trainers = [job.trainer(index, ends, f"--batch-size={BATCH}",
                                f"--steps={steps}", "--log-every=1", *flags,
                                *([f"--save={model}"] if index == 0 else []),
                                data=counter.data)
                    for index in (0, 1)]
        proxies = [first, second]
        cuts = 0
        if stop is not None:
            moment = time.monotonic() + random.uniform(0, 0.5)
            cuts += cut_until(
                lambda: time.monotonic() > moment and
                "step 3/" in trainers[0].text() and
                "Communicator start" in trainers[1].text(),
                proxies, most)
            for each in job.processes:
                if stop in (each.name, "all"):
                    each.signal(signal.SIGTERM)
            # A pserver has its trainers stop.
            if stop == "trainer1":
                time.sleep(random.uniform(0, 0.2))
                trainers[0].signal(signal.SIGTERM)
        cuts += cut_until(lambda: all(each.process.poll() is not None
                                      for each in trainers),
                          proxies, most - cuts)
        expected = 0 if stop is None else 130
        for each in trainers:
            assert each.end() == expected, each.text()
        for each in job.processes[:2]:
            stopped = stop in ("all", each.name)
            assert each.end() == (130 if stopped else 0), each.text()
        done = [STEPS, STEPS]
        if stop is not None:
            done = [each.steps_taken() for each in trainers]
        return model, done, cuts


def read_files(model):
    return {path.name: path.read_bytes()
            for path in model.iterdir() if path.suffix == ".safetensors"}


def repeat(name, *arguments, check, **how):
    """Jobs, until connections were cut CUTS times."""
    cuts = jobs = 0
    while cuts < CUTS:
        model, steps, more = train(f"{name}-{jobs}", *arguments, CUTS - cuts,
                                   **how)
        check(model, steps)
        cuts, jobs = cuts + more, jobs + 1
        shutil.rmtree(FOLDER / f"{name}-{jobs - 1}")
    print(f"{name}: {cuts} cuts in {jobs} jobs")


def saves_the_bytes_of(quiet):
    expected = read_files(quiet)

    def check(model, _):
        assert read_files(model) == expected, model
    return check


GRPC = ("--transport=grpc",)
quiet, _, _ = train("quiet", "mode=sync", (), 0)
repeat("sync", "mode=sync", GRPC, check=saves_the_bytes_of(quiet))
# Where memory is shared only heartbeats are cut.
repeat("sync-shared", "mode=sync", (), check=saves_the_bytes_of(quiet))
repeat("async", "mode=async", GRPC, check=counter.check)
repeat("async-queue", "mode=async", (*GRPC, "--send-queue=3"),
       check=counter.check)
repeat("half-async", "mode=half-async", GRPC, check=counter.check)
for stop in "trainer1", "pserver0", "all":
    repeat(f"async-stop-{stop}", "mode=async", (*GRPC, "--send-queue=3"),
           check=counter.check, stop=stop)
    repeat(f"half-async-stop-{stop}", "mode=half-async", GRPC,
           check=counter.check, stop=stop)
