# SPDX-License-Identifier: Apache-2.0
"""--role=scheduler: processes that are started anyhow find their ranks and each
other. Each of them, the scheduler too, is killed; something starts it again,
and the job ends with the bytes of an undisturbed one.

usage: scheduler.py FOLDER
"""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys
import time

from job import (DATA, GRAPH, INPUTS, Process, build_shim, free_endpoints,
                 refused_usage, run, wait_until)
from series import assert_saved_alike, newest_checkpoint, steps_of
from supervised import Supervised

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
PROGRAM = FOLDER / "dist.mlir"
run("ps-opt", GRAPH, "-o", PROGRAM, "--ps-transpile=pservers=2 trainers=2")
FLAGS = (DATA, "--batch-size=6", "--threads=1", "--deterministic",
         "--peer-timeout=6")

SLOW_DATA = """
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  if (strstr(path, "slow.csv"))
    sleep(60);
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
"""


def start(name, *flags, scheduler=(), **options):
    return Supervised(FOLDER / name, PROGRAM, 2, 2, (*FLAGS, *flags),
                      ("--peer-timeout=6", *scheduler), **options)


def recovers():
    """Steps are taken for as long as processes are killed, and then as many as
    to the last checkpoint without any that is."""
    checkpoints = FOLDER / "checkpoints"
    job = start("killed", "--steps=1000000000", f"--save={FOLDER}/model",
                     f"--checkpoint={checkpoints}", "--checkpoint-every=100",
                     scheduler=("--max-restarts=1",))
    attempt = 1

    def await_checkpoint():
        before = newest_checkpoint(checkpoints)
        job.until(lambda: newest_checkpoint(checkpoints) != before,
                  "a checkpoint")

    for role in ("trainer-1", "scheduler", "pserver-0", "trainer-0",
                 "scheduler", "pserver-1"):
        await_checkpoint()
        job.kill(role)
        if role != "scheduler":
            attempt += 1
            job.until(lambda: f"attempt {attempt}, restart 1 of 1, from step "
                      in job.scheduler_log(), f"attempt {attempt}")
    await_checkpoint()
    for role in ("trainer-0", "trainer-1"):
        job.processes[role].signal(signal.SIGINT)
    assert set(job.end().values()) <= {0, 130}, job.text()
    assert f"attempt {attempt + 1}" not in job.scheduler_log(), job.text()
    # Those that were not killed have begun anew as the same process.
    assert job.starts == {"scheduler": 3, "pserver-0": 2, "pserver-1": 2,
                          "trainer-0": 2, "trainer-1": 2}, job.starts

    assert (FOLDER / "model" / "training.json").exists()
    newest = newest_checkpoint(checkpoints)
    quiet = start("quiet", f"--steps={steps_of(newest)}",
                  f"--save={FOLDER}/quiet-model")
    quiet.ends_well()
    log = quiet.scheduler_log()
    ranks = re.findall(r"^Assign rank id of node id: \S+, role: (MS_\w+), with "
                       r"host ip: \S+, old rank id: -1, new rank id: (\d)$",
                       log, re.M)
    assert sorted(ranks) == [("MS_PSERVER", "0"), ("MS_PSERVER", "1"),
                             ("MS_WORKER", "0"), ("MS_WORKER", "1")], log
    assert log.count("Cluster is successfully initialized.\n") == 1, log
    assert_saved_alike(checkpoints / newest, FOLDER / "quiet-model")


def fails_without_restarts():
    job = start("fails", "--steps=1000000000")
    job.until(lambda: all("Communicator start" in
                          job.processes[f"trainer-{x}"].text() for x in "01"),
              "the job trains")
    job.kill("pserver-0")
    job.exited["pserver-0"] = -9
    wait_until(lambda: all(p.process.poll() is not None
                           for p in job.processes.values()), "all end")
    for role, process in job.processes.items():
        if role != "pserver-0":
            assert process.process.returncode == 1, job.text()
            assert process.error(), job.text()


def ends_by_request():
    """A failure that no scheduler takes keeps no process from ending."""
    job = start("deaf", "--steps=1000000000")
    job.until(lambda: all("Communicator start" in
                          job.processes[f"trainer-{x}"].text() for x in "01"),
              "the job trains")
    for role in ("scheduler", "pserver-0", "pserver-1"):
        job.kill(role)
    trainers = [job.processes[f"trainer-{x}"] for x in "01"]
    # Long enough to notice that the pservers are gone, shorter than
    # --connect-timeout.
    time.sleep(3)
    for trainer in trainers:
        assert trainer.process.poll() is None, job.text()
        trainer.signal(signal.SIGINT)
    for trainer in trainers:
        assert trainer.end() in (1, 130), job.text()


def stops_in_order():
    """When one process is asked to: none takes that for a job that has
    completed."""
    job = start("stops", "--steps=1000000000", f"--save={FOLDER}/stopped")
    job.until(lambda: all("Communicator start" in
                          job.processes[f"trainer-{x}"].text() for x in "01"),
              "the job trains")
    job.processes["trainer-0"].signal(signal.SIGTERM)
    assert set(job.end().values()) == {130}, job.text()
    line = "the job was stopped: start it again with --resume"
    assert line in job.scheduler_log(), job.text()
    state = job.folder / "state.json"
    _, err = run("ps-run", "--role=scheduler", "--pservers=2", "--trainers=2",
                 f"--listen={job.address}", f"--scheduler-state={state}", code=1)
    assert (f"ps-run: error: '{state}' is the state of a job that has ended "
            f"({line}): remove it or choose another file") in err, err


def stops_while_it_waits():
    """For a process that is lost: nothing trains then."""
    job = start("waits", "--steps=1000000000",
                f"--checkpoint={FOLDER}/waits-checkpoints",
                scheduler=("--max-restarts=1",))
    job.until(lambda: all("Communicator start" in
                          job.processes[f"trainer-{x}"].text() for x in "01"),
              "the job trains")
    job.lost.add("trainer-1")
    job.kill("trainer-1")
    job.until(lambda: " to join attempt 2" in job.processes["trainer-0"].text(),
              "the others wait")
    job.processes["trainer-0"].signal(signal.SIGTERM)
    codes = job.end()
    assert codes.pop("trainer-1") == -signal.SIGKILL
    assert set(codes.values()) == {130}, job.text()
    assert ("the job was stopped: start it again with --resume"
            in job.scheduler_log()), job.text()


def stops_while_it_loads():
    """None takes a process for lost that has joined, and was asked to stop
    before it trains: to open the data takes trainers a minute."""
    slow = FOLDER / "slow.csv"
    slow.write_bytes((INPUTS / "linear.csv").read_bytes())
    shim = build_shim(FOLDER, SLOW_DATA)
    for role in "trainer-1", "pserver-0":
        job = start(f"loads-{role}", f"--data=csv:{slow}",
                    "--steps=1000000000", scheduler=("--max-restarts=1",),
                    env=shim)
        job.until(lambda: all("rank " in job.processes[f"trainer-{x}"].text()
                              for x in "01"), "the job has begun")
        job.processes[role].signal(signal.SIGTERM)
        begin = time.monotonic()
        assert set(job.end().values()) == {130}, job.text()
        assert time.monotonic() - begin < 20, job.text()
        assert "attempt 2" not in job.text(), job.text()


def stops_with_input():
    """Of one process, which has begun anew."""
    read_end, write_end = os.pipe()
    job = start("input", "--steps=1000000000",
                f"--checkpoint={FOLDER}/input-checkpoints",
                scheduler=("--max-restarts=1",), options={"trainer-0": {
                    "env": {**os.environ, "PS_STOP_WITH_STDIN": "1"},
                    "stdin": read_end}})
    os.close(read_end)
    trainer = job.processes["trainer-0"]
    job.until(lambda: "Communicator start" in trainer.text(), "the job trains")
    job.kill("trainer-1")
    job.until(lambda: trainer.text().count("Communicator start") == 2,
              "the job trains again")
    os.close(write_end)
    assert set(job.end().values()) == {130}, job.text()


def waits_for_what_stands_still():
    """Another process takes the place of a trainer 0 that is suspended, which
    still has the lock of the checkpoints."""
    checkpoints = FOLDER / "still-checkpoints"
    job = start("still", "--steps=1000000000", f"--checkpoint={checkpoints}",
                "--checkpoint-every=100", scheduler=("--max-restarts=1",))
    job.until(lambda: newest_checkpoint(checkpoints), "a checkpoint")
    still, = (job.processes[role] for role in ("trainer-0", "trainer-1")
              if "rank 0 of" in job.processes[role].text())
    still.signal(signal.SIGSTOP)
    job.start("trainer-2")
    other = job.processes["trainer-2"]
    job.until(lambda: "waiting for the end of a process of an earlier attempt, "
              f"which writes to '{checkpoints}'" in other.text(), "it waits")
    still.signal(signal.SIGCONT)
    job.until(lambda: "checkpoint  step " in other.text(), "the job goes on")
    other.signal(signal.SIGTERM)
    codes = job.end()
    assert codes["trainer-2"] == codes["scheduler"] == 130, job.text()
    assert "attempt 3" not in job.text(), job.text()


def saves_not_over_what_it_loads():
    """A restart may need that again."""
    model = FOLDER / "model"
    before = (model / "training.json").read_bytes()
    job = start("same", "--steps=5", f"--load={model}", f"--save={model}",
                     scheduler=("--max-restarts=1",))
    assert set(job.end().values()) == {1}, job.text()
    assert (f"failed: --max-restarts: '{model}' is loaded, which a restarted "
            "job may need again: expected another folder to save to"
            in job.scheduler_log()), job.text()
    assert (model / "training.json").read_bytes() == before


def begins_not_beside_checkpoints():
    """Of another run: no attempt begins, which a second one would go on
    from."""
    checkpoints = FOLDER / "checkpoints"
    before = sorted(checkpoints.iterdir())
    job = start("beside", "--steps=1000000000", f"--checkpoint={checkpoints}",
                "--checkpoint-every=1", scheduler=("--max-restarts=3",))
    newest = steps_of(newest_checkpoint(checkpoints))
    for role in "trainer-0", "trainer-1":
        trainer = job.processes[role]
        assert trainer.end() == 2, job.text()
        assert trainer.error() == (
            f"the scheduler at {job.address}: --checkpoint holds checkpoints "
            f"of another run, the newest after step {newest}: go on from it "
            "with --resume, or choose another folder"), job.text()
    # The others wait for trainers with --resume.
    for role in "scheduler", "pserver-0", "pserver-1":
        job.processes[role].signal(signal.SIGINT)
    job.end()
    assert "is successfully initialized" not in job.scheduler_log(), job.text()
    assert sorted(checkpoints.iterdir()) == before


def refuses():
    address, = free_endpoints(1)
    refused_usage("--listen is missing: expected HOST:PORT, the address that "
                  "the other processes have in --coordinator",
                  "--role=scheduler", "--pservers=1", "--trainers=1")
    sizes = "--pservers=1", "--listen=127.0.0.1:0"
    for number in "0", "10001":
        refused_usage(f"--trainers: expected an integer from 1 to 10000, got "
                      f"'{number}'", "--role=scheduler", *sizes,
                      f"--trainers={number}")
        refused_usage(f"MS_WORKER_NUM={number}: expected an integer from 1 to "
                      "10000", "--role=scheduler", *sizes,
                      env={**os.environ, "MS_WORKER_NUM": number})
    refused_usage("--trainers is missing: expected how many the job has, as in "
                  "its programs", "--role=scheduler", "--pservers=1")
    refused_usage(f"--listen=0.0.0.0:0: other processes get this address from "
                  "the coordinator: expected one of this machine's that they "
                  "can connect to", PROGRAM, "--role=pserver",
                  f"--coordinator={address}", "--listen=0.0.0.0:0")
    for file in PROGRAM, GRAPH:
        refused_usage("--listen is missing: expected HOST:0, where HOST is an "
                      "address of this machine that the other processes can "
                      "connect to, or 127.0.0.1:0 if all of them run on it",
                      file, "--role=pserver", "--coordinator=10.0.0.1:1")
    _, err = run("ps-run", PROGRAM, "--role=trainer",
                 f"--coordinator={address}", DATA, "--connect-timeout=1",
                 code=1)
    assert f"ps-run: error: no scheduler answers at {address}: " in err, err
    scheduler = Process("size", FOLDER, "--role=scheduler", "--pservers=3",
                        "--trainers=2", f"--listen={address}",
                        "--peer-timeout=1")
    try:
        scheduler.wait_for("Server listening on")
        _, err = run("ps-run", PROGRAM, "--role=trainer", DATA,
                     f"--coordinator={address}", code=2)
        assert ("the job has 3 pservers and 2 trainers, the programs are for 2 "
                "pservers and 2 trainers") in err, err
        scheduler.signal(signal.SIGINT)
        assert scheduler.end() == 130, scheduler.text()
    finally:
        scheduler.process.kill()


def differs():
    """All processes have one --peer-timeout, the scheduler's."""
    address, = free_endpoints(1)
    scheduler = Process("differs", FOLDER, "--role=scheduler", "--pservers=2",
                        "--trainers=2", f"--listen={address}",
                        "--peer-timeout=4")
    try:
        scheduler.wait_for("Server listening on")
        _, err = run("ps-run", PROGRAM, "--role=trainer", DATA,
                     f"--coordinator={address}", "--peer-timeout=6", code=2)
        assert ("expected --peer-timeout '4s', as the job has it, found "
                "'6s'") in err, err
        # What one process waits for that joins.
        _, err = run("ps-run", PROGRAM, "--role=trainer", DATA,
                     f"--coordinator={address}", "--peer-timeout=4",
                     "--connect-timeout=12", code=1)
        missing = "pserver 0, pserver 1, trainer 1"
        assert err.count("waiting for") == 2, err
        assert re.search(rf"^waiting for {missing} to join attempt 1, for "
                         r"([5-9]|1\d)(\.\d)?s so far$", err, re.M), err
        assert re.search(rf"^no longer waiting for {missing} to join "
                         r"attempt 1, after 1\d", err, re.M), err
        assert f"within 12s: {missing} did not join" in err, err
        scheduler.signal(signal.SIGINT)
        assert scheduler.end() == 130, scheduler.text()
    finally:
        scheduler.process.kill()


def waits_not_for_ever():
    """For processes that are not started, the scheduler with a limit."""
    address, = free_endpoints(1)
    scheduler = Process("alone", FOLDER, "--role=scheduler", "--pservers=1",
                        "--trainers=1", f"--listen={address}",
                        "--connect-timeout=1")
    assert scheduler.end() == 1, scheduler.text()
    assert scheduler.error() == (
        "the job is not complete within 1s: pserver 0, trainer 0 did not join"
    ), scheduler.text()


def by_the_environment():
    """As MindSpore's launchers have it: all roles by the same command."""
    address, = free_endpoints(1)
    host, port = address.split(":")
    common = dict(os.environ) | {
        "MS_SERVER_NUM": "2", "MS_WORKER_NUM": "2", "MS_SCHED_HOST": host,
        "MS_SCHED_PORT": port}
    folder = FOLDER / "environment"
    folder.mkdir()
    arguments = (PROGRAM, *FLAGS, "--steps=5")
    processes = []
    for role in ("MS_SCHED", "MS_PSERVER", "MS_PSERVER", "MS_WORKER", "MS_WORKER"):
        processes.append(Process(f"{role}-{len(processes)}", folder,
                                 *arguments, env=common | {"MS_ROLE": role}))
    for process in processes:
        process.ends_well()
        assert "waiting for" not in process.text(), process.text()


recovers()
saves_not_over_what_it_loads()
fails_without_restarts()
ends_by_request()
stops_in_order()
stops_while_it_waits()
stops_while_it_loads()
stops_with_input()
waits_for_what_stands_still()
begins_not_beside_checkpoints()
refuses()
differs()
waits_not_for_ever()
by_the_environment()
