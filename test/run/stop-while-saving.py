# SPDX-License-Identifier: Apache-2.0
"""A stop waits for what is being saved, however long that takes: trainers for
the one that saves, and launch for all of them. Another Ctrl-C does not."""
# RUN: %python %s %t

import contextlib
import pathlib
import re
import shutil
import signal
import sys

from job import DATA, GRAPH, Job, build_shim, run, run_at_once, wait_until
from launched import Launched, is_alive
from series import newest_checkpoint

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FOREVER = ("--steps=1000000000", "--batch-size=6", "--threads=1")
# The first fsync() of a file by trainer 0 takes SLOW seconds, and creates
# SLOW_MARK.
SHIM = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int file) {
  static int calls;
  const char *trainer = getenv("PADDLE_TRAINER_ID");
  struct stat info;
  fstat(file, &info);
  if (trainer && !strcmp(trainer, "0") && S_ISREG(info.st_mode) &&
      __sync_fetch_and_add(&calls, 1) == 0) {
    close(open(getenv("SLOW_MARK"), O_CREAT | O_WRONLY, 0666));
    sleep(atoi(getenv("SLOW")));
  }
  return syscall(SYS_fsync, file);
}
"""
SHIMMED = build_shim(FOLDER, SHIM)


STOPS = re.compile(r"stops when the checkpoint after step \d+ is written; "
                   "interrupt again to end without")


def slow(name, seconds):
    """An environment of slow disks, and whether one of them is at work."""
    mark = FOLDER / f"{name}-mark"
    return {**SHIMMED, "SLOW": str(seconds),
            "SLOW_MARK": str(mark)}, mark.exists


def another_trainer():
    """It stops with trainer 0, which saves for long."""
    folder = FOLDER / "trainers"
    env, is_slow = slow("trainers", 10)
    with Job(folder, 1, 2) as job:
        job.pserver(0)
        trainers = [job.trainer(i, *FOREVER, f"--save={folder}/model",
                                env={**env, "PADDLE_TRAINER_ID": str(i)})
                    for i in range(2)]
        trainers[0].wait_for("steps/s")
        trainers[0].signal(signal.SIGINT)
        trainers[0].wait_for("stops when the model is saved; interrupt again "
                             "to end without")
        wait_until(is_slow, "it saves")
        for trainer in trainers:
            assert trainer.end() == 130, trainer.text()
            assert "nothing saved" not in trainer.text(), trainer.text()
        assert job.processes[0].end() == 130, job.processes[0].text()
    run("ps-run", "verify", folder / "model")


@contextlib.contextmanager
def launch(name):
    """A launch that is interrupted while its first checkpoint is written, for
    longer than processes have for a stop."""
    env, is_slow = slow(name, 40)
    checkpoints = FOLDER / f"{name}-checkpoints"
    job = Launched(name, FOLDER, GRAPH, "--pservers=1", "--trainers=2", DATA,
                   *FOREVER, f"--checkpoint={checkpoints}",
                   "--checkpoint-every=2000", env=env)
    try:
        wait_until(is_slow, f"{name}: it saves")
        job.signal(signal.SIGINT)
        wait_until(lambda: STOPS.search(job.text()), "it stops later")
        yield job, checkpoints
    finally:
        job.process.kill()
        job.process.wait()


def launch_waits():
    with launch("waits") as (job, checkpoints):
        assert job.ends_with_all(timeout=90) == 130, job.text()
        assert "ps-run: error" not in job.text(), job.text()
        run("ps-run", "verify", checkpoints / newest_checkpoint(checkpoints))


def another_stop_ends_it():
    with launch("again") as (job, checkpoints):
        children = job.children().values()
        job.signal(signal.SIGINT)
        assert job.end(20) == 130, job.text()
        wait_until(lambda: not any(map(is_alive, children)),
                   "its processes end", 10)
        assert not newest_checkpoint(checkpoints), job.text()


run_at_once(another_trainer, launch_waits, another_stop_ends_it)
