# SPDX-License-Identifier: Apache-2.0
"""A pserver whose memory ends while its table grows ends the job: each process
has one line, which says so. A new job with --resume goes on from the last
checkpoint with more memory."""
# RUN: %python %s %t

import pathlib
import re
import resource
import shutil
import sys

from job import Job
from row_model import Sample, plain_graph, write_samples
from series import newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
WIDTH, BATCH, STEPS = 1024, 64, 1000
graph = FOLDER / "graph.mlir"
text = plain_graph(False, "adagrad", 1000000)
graph.write_text(text.replace("x3x", f"x{WIDTH}x").replace(
    "dense<[[0.5, -0.25, 1.0], [0.75, 0.5, -0.5]]>", "dense<0.01>").replace(
    "2x3x", f"2x{WIDTH}x"))
# Every sample names two new ids.
data = "--data=" + write_samples(FOLDER / "samples.txt", [
    Sample(1.0, [2 * i, 2 * i + 1], [], []) for i in range(BATCH * STEPS)])


def virtual_bytes(process):
    status = pathlib.Path(f"/proc/{process.process.pid}/status").read_text()
    return int(re.search(r"VmData:\s+(\d+) kB", status)[1]) << 10


with Job(FOLDER / "job", 2, 1, graph=graph) as job:
    flags = [f"--batch-size={BATCH}", f"--steps={STEPS}", "--log-every=1",
             f"--checkpoint={FOLDER}/checkpoints", "--checkpoint-every=10"]
    for index in (0, 1):
        job.pserver(index, *flags)
    trainer = job.trainer(0, *flags, data=data)
    trainer.wait_for("checkpoint  step 20 ")
    pserver = job.processes[1]
    limit = virtual_bytes(pserver) + (8 << 20)
    resource.prlimit(pserver.process.pid, resource.RLIMIT_DATA, (limit, limit))
    for process in job.processes:
        assert process.end() == 1, process.text()
        print(f"{process.name}: {process.error()}")
        assert "memory" in process.error(), process.error()

    job.processes.clear()
    # As many as suffice.
    steps = steps_of(newest_checkpoint(FOLDER / "checkpoints")) + 40
    flags += ["--resume", f"--steps={steps}"]
    for index in (0, 1):
        job.pserver(index, *flags)
    trainer = job.trainer(0, *flags, data=data)
    trainer.wait_for("resuming from step ")
    job.ends_well()
