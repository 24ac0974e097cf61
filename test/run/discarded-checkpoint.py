# SPDX-License-Identifier: Apache-2.0
"""What pservers have staged of a checkpoint that fails takes no space any more,
while training goes on; the next checkpoint is whole."""
# RUN: %python %s %t

import os
import pathlib
import shutil
import signal
import sys

from job import INPUTS, Job, build_shim, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
CHECKPOINTS = FOLDER / "checkpoints"
# Of the process that has it, the first fsync() of a file, no folder, fails.
SHIM = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int file) {
  static int calls;
  struct stat info;
  fstat(file, &info);
  if (S_ISREG(info.st_mode) && __sync_fetch_and_add(&calls, 1) == 0) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_fsync, file);
}
"""
GRAPH = FOLDER / "graph.mlir"
GRAPH.write_text((INPUTS / "linear.mlir.in").read_text().replace(
    "OPTIMIZER", "#ps.momentum<learning_rate = 0.05, momentum = 0.9>"))


def open_files(process):
    """Those of checkpoints; also of files that are removed."""
    links = []
    for link in pathlib.Path(f"/proc/{process.process.pid}/fd").iterdir():
        try:
            links.append(os.readlink(link))
        except OSError:
            pass  # Closed meanwhile.
    return [link for link in links if str(CHECKPOINTS.absolute()) in link]


with Job(FOLDER / "job", 2, 1, graph=GRAPH) as job:
    pservers = [job.pserver(i) for i in range(2)]
    trainer = job.trainer(
        0, "--steps=1000000000", "--batch-size=6",
        f"--checkpoint={CHECKPOINTS}", "--checkpoint-every=10000",
        env=build_shim(FOLDER, SHIM))
    trainer.wait_for("no checkpoint after step 10000, training goes on: ")
    trainer.signal(signal.SIGSTOP)  # Until then it is far from the next one.
    for pserver in pservers:
        wait_until(lambda: not open_files(pserver),
                   f"{pserver.name} has closed {open_files(pserver)}", 10)
    trainer.signal(signal.SIGCONT)
    trainer.wait_for("checkpoint  step 20000")
    trainer.signal(signal.SIGINT)
    assert trainer.end() == 130, trainer.text()
    for pserver in pservers:
        assert pserver.end() == 130, pserver.text()
run("ps-run", "verify", max(CHECKPOINTS.glob("step-*"),
                            key=lambda path: int(path.name[5:])))
