# SPDX-License-Identifier: Apache-2.0
"""Trainers on GPUs that average their gradients by NCCL, on what stands for
both (test/cuda). Each process of a machine gets a GPU of its own. When a
trainer is killed, loses its GPU or fails in NCCL, the others end with a line
that names it."""
# REQUIRES: host-cuda
# RUN: %on-gpus %python %s %t

import contextlib
import os
import pathlib
import shutil
import signal
import sys

from job import DATA, INPUTS, Process, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
graph = FOLDER / "graph.mlir"
graph.write_text((INPUTS / "linear.mlir.in").read_text().replace(
    "OPTIMIZER", "#ps.sgd<learning_rate = 0.05>"))
FLAGS = (DATA, "--batch-size=2", "--device=cuda")
SUMMED_ON_HOST = "gradients are added up on the host"

out, err = run("ps-run", "launch", graph, "--pservers=0", "--trainers=2",
               f"--log-dir={FOLDER}/log", "--steps=6", *FLAGS)
assert "end  6 steps" in out and SUMMED_ON_HOST not in out + err, out + err
out, err = run("ps-run", "launch", graph, "--pservers=0", "--trainers=2",
               "--elastic", f"--checkpoint={FOLDER}/checkpoints",
               f"--log-dir={FOLDER}/log", "--steps=6", *FLAGS)
assert "end  6 steps" in out and SUMMED_ON_HOST not in out + err, out + err
# Six trainers have four GPUs.
out, err = run("ps-run", "launch", graph, "--pservers=0", "--trainers=6",
               f"--log-dir={FOLDER}/log", "--steps=6", *FLAGS)
assert f"{SUMMED_ON_HOST}: trainer 4 has the same device" in out + err, out + err

program = FOLDER / "dist.mlir"
run("ps-opt", graph, "-o", program,
    "--ps-transpile=mode=collective trainers=2")


@contextlib.contextmanager
def trainers(name, **environment):
    """Two of a job; `environment` is the second one's."""
    folder = FOLDER / name
    folder.mkdir()
    started = [
        Process(f"trainer{number}", folder, program, "--role=trainer",
                f"--trainer-id={number}", f"--address-file={folder}/addresses",
                "--steps=1000000", "--log-every=20", *FLAGS,
                env=os.environ | {"LOCAL_RANK": str(number)} |
                (environment if number == 1 else {}))
        for number in (0, 1)]
    try:
        yield started
    finally:
        for trainer in started:
            if trainer.process.poll() is None:
                trainer.process.kill()
                trainer.process.wait()


with trainers("killed") as (survivor, victim):
    survivor.wait_for("steps/s")
    assert SUMMED_ON_HOST not in survivor.text(), survivor.text()
    victim.signal(signal.SIGKILL)
    victim.end()
    # In an all-reduce, or between two.
    assert survivor.end(20) == 1 and survivor.error().endswith(
        "lost the connection to trainer 1"), survivor.text()

# One rank fails while the other one waits for it, and goes on doing so until it
# learns of that.
with trainers("failed", PS_HOST_NCCL_FAIL="200") as (survivor, victim):
    assert victim.end(20) == 1, victim.text()
    # CUDA knows of no error.
    assert "NCCL: ncclAllReduce: unhandled cuda error: " in victim.error(), \
        victim.text()
    assert survivor.end(20) == 1, survivor.text()
    assert "trainer 1 failed: " in survivor.error(), survivor.text()
    assert "unhandled cuda error" in survivor.error(), survivor.text()

with trainers("lost", PS_HOST_CUDA_LOSE="3000") as (survivor, victim):
    assert victim.end(20) == 1, victim.text()
    assert "uncorrectable ECC error" in victim.error(), victim.text()
    assert survivor.end(20) == 1 and "trainer 1" in survivor.error(), \
        survivor.text()
