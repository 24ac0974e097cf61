# SPDX-License-Identifier: Apache-2.0
"""--recovery=log where processes are started by hand: a pserver that is killed
is started again by the same command and goes on; what is not to be gone on from
is refused, with what to do; and a job that ends leaves no log."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import sys

from canonical import assert_same_files
from job import GRAPH, INPUTS, Job, refused_usage, run, wait_until
from launched import Launched

FOLDER = pathlib.Path(sys.argv[1])
STEPS = 4000
FLAGS = ("--batch-size=4", f"--steps={STEPS}", "--deterministic")


class LoggedJob(Job):
    """Two pservers and two trainers; pserver 1 has its log in `log`."""

    def __init__(self, name):
        super().__init__(FOLDER / name, 2, 2, options="min-block-size=4")
        self.log = self.folder / "calls"
        self.flags = ("--recovery=log", *FLAGS,
                      f"--checkpoint={self.folder}/checkpoints",
                      f"--checkpoint-every={STEPS // 4}")

    def pserver(self, index, *arguments, **options):
        return super().pserver(index, *self.flags, "--recover",
                               f"--recovery-log={self.log}-{index}", *arguments,
                               **options)

    def start_all(self):
        self.pserver(0)
        pserver = self.pserver(1)
        trainers = [self.trainer(index, *self.flags, *(
            [f"--save={self.folder}/model"] if index == 0 else []))
            for index in range(2)]
        return pserver, trainers

    def is_logging(self):
        first = pathlib.Path(f"{self.log}-1/00000001.calls")
        return first.exists() and first.stat().st_size > 20000

    def logs(self):
        return [path.name for path in self.folder.glob("calls-*")]


def kill(process):
    process.signal(signal.SIGKILL)
    process.end()


def quiet_model():
    saved = FOLDER / "quiet"
    run("ps-run", "launch", GRAPH, f"--data=csv:{INPUTS}/linear.csv", *FLAGS,
        "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/quiet-log",
        "--transpile=min-block-size=4", "--threads=1", f"--save={saved}")
    return saved


def test_same_command_goes_on(quiet):
    with LoggedJob("again") as job:
        pserver, trainers = job.start_all()
        wait_until(job.is_logging, "calls are logged")
        kill(pserver)
        job.processes.remove(pserver)
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
    with LoggedJob("refused") as job:
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
    quiet = quiet_model()
    test_same_command_goes_on(quiet)
    test_what_is_refused()
    test_a_trainer_takes_the_job_back(quiet)
    test_usage()


main()
