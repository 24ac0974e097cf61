# SPDX-License-Identifier: Apache-2.0
"""--coordinator=etcd://..: a job whose record three members of etcd hold, one
of which is killed at a time, and each of whose processes is killed, ends with
the bytes of an undisturbed one; so does one that gets another size.

usage: etcd.py FOLDER
"""
# REQUIRES: etcd
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import sys

from any_size import COUNT
from canonical import assert_same, canonical
from etcd_members import Etcd
from job import DATA, GRAPH, INPUTS, refused_usage, run
from row_model import make_samples, write_samples
from series import assert_saved_alike, newest_checkpoint, steps_of
from supervised import Supervised

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
PROGRAM = FOLDER / "dist.mlir"
run("ps-opt", GRAPH, "-o", PROGRAM, "--ps-transpile=pservers=1 trainers=2")
FLAGS = (DATA, "--batch-size=6", "--threads=1", "--deterministic",
         "--peer-timeout=6")
ROLES = ("pserver-0", "trainer-0", "trainer-1")


def start(name, etcd, *flags):
    return Supervised(FOLDER / name, PROGRAM, 1, 2, (*FLAGS, *flags),
                      etcd=etcd.address(name))


def recovers(etcd):
    """Steps are taken for as long as processes are killed, and then as many as
    to the last checkpoint without any that is."""
    checkpoints = FOLDER / "checkpoints"
    job = start("killed", etcd, "--steps=1000000000", f"--save={FOLDER}/model",
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
    assert set(job.end().values()) <= {0, 130}, job.text()
    assert set(job.starts.values()) == {2}, job.starts
    assert (FOLDER / "model" / "training.json").exists()
    newest = newest_checkpoint(checkpoints)
    quiet = start("quiet", etcd, f"--steps={steps_of(newest)}",
                  f"--save={FOLDER}/quiet-model")
    quiet.ends_well()
    assert_saved_alike(checkpoints / newest, FOLDER / "quiet-model")
    # A process that is started again finds that there is nothing to do.
    arguments = (f"--coordinator={quiet.address}", *quiet.flags)
    _, err = run("ps-run", PROGRAM, "--role=trainer", *arguments)
    assert ("the job has completed: another run needs another name than "
            "'quiet'") in err, err
    _, err = run("ps-run", PROGRAM, "--role=trainer", *arguments,
                 "--max-restarts=2", code=2)
    assert ("ps-run: error: expected --max-restarts '0', as the job has it, "
            "found '2'") in err, err
    other = FOLDER / "other.mlir"
    run("ps-opt", GRAPH, "-o", other,
        "--ps-transpile=pservers=1 trainers=2 mode=async")
    _, err = run("ps-run", other, "--role=trainer", *arguments, code=2)
    assert "ps-run: error: the job has other programs: " in err, err


def resizes(etcd):
    """Processes that make the programs themselves, for the size of the job."""
    graph, series = FOLDER / "count.mlir", FOLDER / "resized-checkpoints"
    graph.write_text(COUNT)
    flags = (f"--data={write_samples(FOLDER / 'samples.txt', make_samples(96))}",
             "--global-batch-size=8", "--threads=1", "--deterministic")
    job = Supervised(
        FOLDER / "resized", graph, 1, 2,
        (*flags, "--pservers=1", "--trainers=2", "--peer-timeout=6",
         "--max-restarts=1", "--steps=1000000000", f"--checkpoint={series}",
         "--checkpoint-every=100"), etcd=etcd.address("resized"))
    job.until(lambda: newest_checkpoint(series), "a checkpoint")
    job.start("pserver-1")
    out, _ = run("ps-run", "resize", job.address, "--pservers=2")
    assert "the job trains with 2 pservers and 2 trainers: attempt 2, " in out
    run("ps-run", "resize", job.address, "--trainers=4", "--no-wait")
    out, _ = run("ps-run", "status", job.address)
    assert out.startswith(f"{job.address}: attempt 2, formed\n"), out
    assert ("\nresize: the job goes on with 2 pservers and 4 trainers after its "
            "next checkpoint, once trainer 2, trainer 3 have been started\n"
            "pserver 0: joined, process ") in out, out
    out, _ = run("ps-run", "status", job.address, "--json")
    assert json.loads(out)["resize"] == {"pservers": 2, "trainers": 4,
                                         "is_due": False}, out
    run("ps-run", "resize", job.address, "--trainers=2")
    etcd.kill(0)
    job.kill("trainer-0")
    job.until(lambda: "attempt 3" in job.text(), "attempt 3")
    before = newest_checkpoint(series)
    job.until(lambda: newest_checkpoint(series) != before, "a checkpoint")
    out, _ = run("ps-run", "resize", job.address, "--trainers=1")
    assert "the job trains with 2 pservers and 1 trainer: attempt 4, " in out
    etcd.start(0)
    job.until(lambda: len(job.exited) == 1, "one is not needed")
    trainer, = {"trainer-0", "trainer-1"} - job.exited.keys()
    job.processes[trainer].signal(signal.SIGINT)
    assert set(job.end().values()) <= {0, 130}, job.text()
    newest, quiet = newest_checkpoint(series), FOLDER / "quiet-resized"
    run("ps-run", "launch", graph, *flags, f"--steps={steps_of(newest)}",
        "--pservers=1", "--trainers=2", f"--save={quiet}",
        f"--log-dir={FOLDER}/log")
    assert_same(canonical(series / newest), canonical(quiet))
    refused_usage("etcd has no job 'none' yet: expected --pservers and "
                  "--trainers, the size that it begins with", graph,
                  "--role=trainer", f"--coordinator={etcd.address('none')}",
                  *flags)
    _, err = run("ps-run", "resize", etcd.address("none"), "--trainers=1",
                 code=1)
    assert "ps-run: error: etcd has no job 'none'" in err, err
    _, err = run("ps-run", "status", etcd.address("none"), code=1)
    assert err == "ps-run: error: etcd has no job 'none'\n", err


def names_a_job_that_has_ended(etcd):
    """What it says is of the earlier run, and how to begin another one."""
    bad = FOLDER / "bad.csv"
    bad.write_text((INPUTS / "linear.csv").read_text() + "1,2,x,4,5\n")

    def join_again(name):
        return run("ps-run", PROGRAM, "--role=trainer", *FLAGS,
                   f"--coordinator={etcd.address(name)}",
                   code={"fails": 1, "stops": 130}[name])[1]

    job = start("fails", etcd, "--steps=50", f"--data=csv:{bad}")
    assert set(job.end().values()) == {1}, job.text()
    err = join_again("fails")
    assert re.fullmatch(
        r"ps-run: error: etcd's job 'fails' has failed: .*bad.csv:.*: another "
        r"run needs another name\n", err), err
    job = start("stops", etcd, "--steps=1000000000", "--log-every=1000")
    job.until(lambda: "steps/s" in job.text(), "it trains")
    job.processes["trainer-0"].signal(signal.SIGTERM)
    assert set(job.end().values()) == {130}, job.text()
    assert join_again("stops") == (
        "the job was stopped: start it again with --resume and another name "
        "than 'stops'\n")


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


etcd = Etcd(FOLDER)
try:
    recovers(etcd)
    resizes(etcd)
    names_a_job_that_has_ended(etcd)
    refuses(etcd)
finally:
    etcd.end()
