# SPDX-License-Identifier: Apache-2.0
"""--recovery=log where processes are started by hand: a pserver that is killed
is started again by the same command and goes on; what is not to be gone on from
is refused, with what to do; and a job that ends leaves no log."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from canonical import assert_same_files
from job import GRAPH, INPUTS, Job, refused_usage, wait_until
from launched import Launched
from logged import FLAGS, STEPS, LoggedJob, kill, quiet_model

FOLDER = pathlib.Path(sys.argv[1])


def test_same_command_goes_on(quiet):
    with LoggedJob(FOLDER / "again") as job:
        pserver, trainers = job.start_all()
        wait_until(job.is_logging, "calls are logged")
        job.lose(pserver)
        again = job.pserver(1)
        job.ends_well()
        assert re.search(r"^recovered from (\S+ and )?\d+ calls in '\S+'$",
                         again.text(), re.M), again.text()
        assert job.logs() == [], "a job that has ended leaves a log"
        assert_same_files(job.folder / "model", quiet)
        for trainer in trainers:
            assert "is back after" in trainer.text() or (
                "gRPC" in trainer.text()), trainer.text()


def test_what_is_refused():
    with LoggedJob(FOLDER / "refused") as job:
        # No checkpoint, which would remove the log's beginning.
        job.flags += ("--steps=1000000000", "--checkpoint-every=1000000000")
        pserver, trainers = job.start_all()
        wait_until(job.is_logging, "calls are logged")
        kill(pserver)
        for trainer in trainers:
            kill(trainer)
        log = f"{job.log}-1"

        # As if it began.
        anew = Job.pserver(job, 1, *job.flags, f"--recovery-log={log}")
        assert anew.end() == 1
        assert anew.error() == (
            f"'{log}' holds the log of a pserver: go on from it with "
            "--recover, or remove it"), anew.error()
        # By another pserver.
        other = Job.pserver(job, 0, *job.flags, "--recover",
                            f"--recovery-log={log}")
        assert other.end() == 1
        assert re.fullmatch(
            rf"the log in '{log}' is of pserver_1 of job '\w+': expected "
            r"pserver_0 of job '\w+': remove it, or name another folder with "
            "--recovery-log", other.error()), other.error()
        # A damaged one.
        segment = pathlib.Path(log) / "00000001.calls"
        damaged = bytearray(segment.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        segment.write_bytes(damaged)
        broken = Job.pserver(job, 1, *job.flags, "--recover",
                             f"--recovery-log={log}")
        assert broken.end() == 1
        assert re.fullmatch(rf"the log '{segment}' is damaged at byte \d+: .*",
                            broken.error()), broken.error()


def test_a_trainer_takes_the_job_back(quiet):
    """And the logs of the attempt that failed are gone with it."""
    folder = FOLDER / "trainer"
    folder.mkdir()
    job = Launched(
        "launch", folder, GRAPH, f"--data=csv:{INPUTS}/linear.csv", *FLAGS,
        "--pservers=2", "--trainers=2", "--transpile=min-block-size=4",
        "--threads=1", "--recovery=log", f"--checkpoint={folder}/checkpoints",
        f"--checkpoint-every={STEPS // 4}", f"--save={folder}/model",
        "--max-restarts=3")
    job.wait_for("checkpoint  step")
    assert job.kill("trainer1")
    job.wait_for_restart(1)
    wait_until(lambda: job.log_of("pserver0").count("listening") == 2,
               "the pserver listens again")
    assert job.kill("pserver0"), job.text()
    job.ends_well()
    first, second = job.restarts()
    assert "trainer 1 was killed" in first and "from step" in first, first
    assert second.endswith("of pserver 0 alone"), second
    assert_same_files(folder / "model", quiet)


def test_usage():
    launch = ("launch", GRAPH, "--pservers=1", "--trainers=1",
              f"--log-dir={FOLDER}/usage")
    refused_usage("--recovery=log: expected --checkpoint=DIR, since what is "
                  "older than a checkpoint is removed from the log", *launch,
                  "--recovery=log")
    refused_usage("--recover: expected --recovery=log", GRAPH, "--role=pserver",
                  "--recover")
    data = f"--data=csv:{INPUTS}/linear.csv"
    checkpoints = f"--checkpoint={FOLDER}/usage-checkpoints"
    refused_usage("--recovery=log is for jobs of mode=sync, async and "
                  "half-async, found mode=geo", *launch, data, checkpoints,
                  "--recovery=log", "--transpile=mode=geo")
    refused_usage("--recovery=log is for jobs whose pservers are processes of "
                  "their own", "launch", GRAPH, "--pservers=0", "--trainers=2",
                  f"--log-dir={FOLDER}/usage", data, checkpoints,
                  "--recovery=log")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    quiet = quiet_model(FOLDER)
    test_same_command_goes_on(quiet)
    test_what_is_refused()
    test_a_trainer_takes_the_job_back(quiet)
    test_usage()


main()
