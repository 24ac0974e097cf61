# SPDX-License-Identifier: Apache-2.0
"""Runs a job of pservers and trainers, each a process with one thread, and
measures how fast it trains."""

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from link import link, listen_flags, moved

DEADLINE = 300


class Failure(Exception):
    """Why a job has no figure: what its processes wrote."""


@dataclasses.dataclass
class Job:
    bin: str
    graph: str
    data: str
    batch_size: int
    steps: int
    mode: str = "async"
    trainers: int = 2
    pservers: int = 1
    # Flags of every process.
    flags: tuple = ()
    # Of a link between trainers and pservers ("1gbit"); none is loopback.
    rate: str = ""
    # Gives each process a core, in turn: trainers first.
    pin: bool = False
    # With checkpoints after so many steps, and whether pservers keep a log.
    checkpoint_every: int = 0
    recovery: str = ""
    # The first steps of each trainer, which do not count for `steady`.
    warm_up: int = 0


@dataclasses.dataclass
class Rates:
    # Samples per second of all trainers, from the moment at which the last one
    # has its initial values to that at which the last one ends.
    whole: float
    # The sum of what the trainers make after their first steps.
    steady: float
    # Bytes for each sample over the link, in its busier direction.
    moved: float




class Process:
    """A process, what it wrote to stderr, and when it trained."""

    def __init__(self, command, core=None, environment=None):
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        # It ends with this script, however that ends.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *pinned, *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace", start_new_session=True, env=environment)
        self.lines = []
        self.began = self.ended = None
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            if line.startswith("Communicator start"):
                self.began = time.monotonic()
        self.code = self.process.wait()
        self.ended = time.monotonic()

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.thread.join()


def pick_core(job, role):
    """The core of a role: trainers come first, then pservers."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[role % len(cores)] if job.pin else None


def transpile(job, program):
    done = subprocess.run(
        [f"{job.bin}/ps-opt", job.graph, "-o", program,
         f"--ps-transpile=pservers={job.pservers} trainers={job.trainers} "
         f"mode={job.mode}"], capture_output=True, text=True)
    if done.returncode:
        raise Failure(done.stderr.strip().splitlines()[0])


def start(job, folder, address, inside):
    """The trainers and the pservers."""
    common = [f"{job.bin}/ps-run", folder / "dist.mlir", "--threads=1",
              f"--address-file={folder}/addresses", *job.flags]
    if job.checkpoint_every:
        common += [f"--checkpoint={folder}/checkpoints",
                   f"--checkpoint-every={job.checkpoint_every}",
                   f"--recovery={job.recovery}"]
    logs = job.recovery == "log"
    processes = []
    try:
        for i in range(job.pservers):
            processes.append(Process(
                [*inside, *common, "--role=pserver", f"--server={i}",
                 f"--listen={address}:0", *listen_flags(inside),
                 *([f"--recovery-log={folder}/calls-{i}"] if logs else [])],
                pick_core(job, job.trainers + i)))
        for i in range(job.trainers):
            metrics = ([f"--metrics={folder}/metrics-{i}"]
                       if job.warm_up else [])
            processes.append(Process(
                [*common, "--role=trainer", f"--trainer-id={i}",
                 f"--data={job.data}", f"--steps={job.steps}",
                 f"--batch-size={job.batch_size}", *metrics],
                pick_core(job, i)))
    except BaseException:
        for process in processes:
            process.kill()
        raise
    return processes[job.pservers:], processes[:job.pservers]


def wait_for(processes, seconds=DEADLINE):
    """Raises Failure, with what the first process that failed wrote last."""
    deadline = time.monotonic() + seconds
    try:
        for process in processes:
            process.thread.join(max(0, deadline - time.monotonic()))
            if process.thread.is_alive():
                raise Failure(f"it ran for more than {seconds} s")
    finally:
        for process in processes:
            process.kill()
    failed = [process for process in processes if process.code]
    if failed:
        raise Failure(describe_failure(failed[0]))


def describe_failure(process):
    """One line."""
    if process.code < 0:
        return f"a process was ended by {signal.Signals(-process.code).name}"
    lines = [line.strip() for line in process.lines if line.strip()]
    errors = [line for line in lines if "rror" in line]
    reason = (errors or lines or ["it wrote nothing"])[-1]
    return f"a process ended with {process.code}: {reason}"


def read_rate(file, warm_up):
    rates = [line["examples_per_second"]
             for line in map(json.loads, file.read_text().splitlines())
             if line["phase"] == "train"]
    return statistics.harmonic_mean(rates[warm_up:])


def run(job):
    """The job's rates; without a warm-up `steady` is None, and without a link
    `moved`."""
    samples = job.trainers * job.steps * job.batch_size
    with (tempfile.TemporaryDirectory() as name,
          link(job.rate) as (address, inside)):
        folder = pathlib.Path(name)
        transpile(job, folder / "dist.mlir")
        trainers, pservers = start(job, folder, address, inside)
        wait_for([*trainers, *pservers])
        seconds = (max(each.ended for each in trainers) -
                   max(each.began for each in trainers))
        steady = (sum(read_rate(folder / f"metrics-{i}", job.warm_up)
                      for i in range(job.trainers)) if job.warm_up else None)
        # The link is made for this run.
        per_sample = max(moved()) / samples if job.rate else None
    return Rates(samples / seconds, steady, per_sample)
