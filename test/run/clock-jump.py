"""A wall clock that is put forward by an hour ends no wait: a trainer goes on
looking for its pservers, and the job runs to its end."""
# RUN: %python %s %t

import pathlib
import sys

from job import Job, build_shim

FOLDER = pathlib.Path(sys.argv[1])
# A second after a process has begun to look at it.
SHIM = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *time) {
  static long first;
  struct timespec steady;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &steady);
  const long now = steady.tv_sec * 1000 + steady.tv_nsec / 1000000;
  if (!first)
    first = now;
  const int result = syscall(SYS_clock_gettime, id, time);
  if (id == CLOCK_REALTIME && now - first > 1000)
    time->tv_sec += 3600;
  return result;
}
"""

FOLDER.mkdir(parents=True, exist_ok=True)
env = build_shim(FOLDER, SHIM)
with Job(FOLDER / "job", 1, 1) as job:
    trainer = job.trainer(0, "--batch-size=6", "--steps=3",
                          "--connect-timeout=50", env=env)
    trainer.wait_for("not ready endpoints")
    pserver = job.pserver(0, env=env)
    trainer.ends_well()
    pserver.ends_well()
