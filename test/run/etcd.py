# SPDX-License-Identifier: Apache-2.0
"""--coordinator=etcd://..: a job whose record three members of etcd hold, one
of which is killed at a time, and each of whose processes is killed, ends with
the bytes of an undisturbed one.

usage: etcd.py FOLDER
"""
# REQUIRES: etcd
# RUN: %python %s %t

import atexit
import pathlib
import shutil
import signal
import subprocess
import sys

from job import DATA, GRAPH, Process, free_endpoints, refused_usage, run, wait_until
from series import assert_saved_alike, newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
PROGRAM = FOLDER / "dist.mlir"
run("ps-opt", GRAPH, "-o", PROGRAM, "--ps-transpile=pservers=1 trainers=2")
FLAGS = (DATA, "--batch-size=6", "--threads=1", "--deterministic",
         "--peer-timeout=6")
ROLES = ("pserver", "trainer-a", "trainer-b")


class Etcd:
    """Three members on this machine."""

    def __init__(self):
        addresses = free_endpoints(6)
        self.clients, self.peers = addresses[:3], addresses[3:]
        self.members = [None] * 3
        for index in range(3):
            self.start(index)
        for index in range(3):
            wait_until(lambda: b"ready to serve client requests" in
                       (FOLDER / f"etcd{index}.log").read_bytes(), "etcd serves")

    def start(self, index):
        with open(FOLDER / f"etcd{index}.log", "ab") as log:
            self.members[index] = subprocess.Popen(
                ["etcd", f"--name=m{index}",
                 f"--data-dir={FOLDER}/etcd{index}", "--unsafe-no-fsync",
                 f"--listen-client-urls=http://{self.clients[index]}",
                 f"--advertise-client-urls=http://{self.clients[index]}",
                 f"--listen-peer-urls=http://{self.peers[index]}",
                 f"--initial-advertise-peer-urls=http://{self.peers[index]}",
                 "--initial-cluster=" + ",".join(
                     f"m{i}=http://{peer}" for i, peer in enumerate(self.peers))],
                stdout=log, stderr=log)

    def kill(self, index):
        self.members[index].kill()
        self.members[index].wait()

    def end(self):
        for member in self.members:
            member.kill()
            member.wait()


class Job:
    """One whose processes are started again when a signal has killed them."""

    def __init__(self, name, etcd, *flags):
        self.folder = FOLDER / name
        self.folder.mkdir()
        self.arguments = (
            f"--coordinator=etcd://{','.join(etcd.clients)}/{name}", *FLAGS,
            *flags)
        self.processes, self.starts = {}, {}
        for role in ROLES:
            self.start(role)

    def start(self, role):
        number = self.starts[role] = self.starts.get(role, 0) + 1
        self.processes[role] = Process(
            f"{role}-{number}", self.folder, PROGRAM,
            f"--role={role.split('-')[0]}", *self.arguments)
        atexit.register(self.processes[role].process.kill)

    def until(self, condition, what):
        def look():
            for role, process in self.processes.items():
                if (process.process.poll() or 0) < 0:
                    self.start(role)
            return condition() or self.has_ended()
        wait_until(look, what)
        assert condition(), self.text()

    def has_ended(self):
        return all(p.process.poll() is not None for p in self.processes.values())

    def kill(self, role):
        self.processes[role].signal(signal.SIGKILL)
        self.processes[role].process.wait()

    def text(self):
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')}"
                         for path in sorted(self.folder.glob("*.log")))

    def ends_well(self):
        self.until(self.has_ended, "all end")
        for process in self.processes.values():
            assert process.process.returncode == 0, self.text()


def recovers(etcd):
    """Steps are taken for as long as processes are killed, and then as many as
    to the last checkpoint without any that is."""
    checkpoints = FOLDER / "checkpoints"
    job = Job("killed", etcd, "--steps=1000000000", f"--save={FOLDER}/model",
              f"--checkpoint={checkpoints}", "--checkpoint-every=100",
              "--max-restarts=1")

    def await_checkpoint():
        before = newest_checkpoint(checkpoints)
        job.until(lambda: newest_checkpoint(checkpoints) != before,
                  "a checkpoint")

    for index, role in enumerate(ROLES):
        await_checkpoint()
        etcd.kill(index)
        job.kill(role)
        await_checkpoint()
        etcd.start(index)
        await_checkpoint()
    for role in ROLES[1:]:
        job.processes[role].signal(signal.SIGINT)
    job.until(job.has_ended, "all end")
    for process in job.processes.values():
        assert process.process.returncode in (0, 130), job.text()
    assert set(job.starts.values()) == {2}, job.starts
    assert (FOLDER / "model" / "training.json").exists()
    newest = newest_checkpoint(checkpoints)
    quiet = Job("quiet", etcd, f"--steps={steps_of(newest)}",
                f"--save={FOLDER}/quiet-model")
    quiet.ends_well()
    assert_saved_alike(checkpoints / newest, FOLDER / "quiet-model")
    # A process that is started again finds that there is nothing to do.
    _, err = run("ps-run", PROGRAM, "--role=trainer", *quiet.arguments)
    assert "the job has completed" in err, err
    _, err = run("ps-run", PROGRAM, "--role=trainer", *quiet.arguments,
                 "--max-restarts=2", code=2)
    assert ("ps-run: error: expected --max-restarts '0', as the job has it, "
            "found '2'") in err, err
    other = FOLDER / "other.mlir"
    run("ps-opt", GRAPH, "-o", other,
        "--ps-transpile=pservers=1 trainers=2 mode=async")
    _, err = run("ps-run", other, "--role=trainer", *quiet.arguments, code=2)
    assert "ps-run: error: the job has other programs: " in err, err


def refuses(etcd):
    refused_usage(f"--coordinator=etcd://{etcd.clients[0]}: expected "
                  "etcd://HOST:PORT,../JOB, with a name of its own for each run",
                  PROGRAM, "--role=trainer",
                  f"--coordinator=etcd://{etcd.clients[0]}", DATA)
    refused_usage("--coordinator: 'a/b' is not the name of a job: expected "
                  "printable characters without '/'", PROGRAM, "--role=trainer",
                  f"--coordinator=etcd://{etcd.clients[0]}/a/b", DATA)
    refused_usage("--max-restarts is for launch and --coordinator=etcd://..: a "
                  "scheduler has a flag of its own", PROGRAM, "--role=trainer",
                  "--coordinator=127.0.0.1:1", "--max-restarts=1", DATA)
    # A majority is needed.
    etcd.kill(0)
    etcd.kill(1)
    _, err = run("ps-run", PROGRAM, "--role=trainer", DATA, code=1,
                 *(f"--coordinator=etcd://{','.join(etcd.clients)}/x",
                   "--connect-timeout=1", "--peer-timeout=1"))
    assert "ps-run: error: no majority of etcd answers at " in err, err


etcd = Etcd()
try:
    recovers(etcd)
    refuses(etcd)
finally:
    etcd.end()
