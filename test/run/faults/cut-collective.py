# SPDX-License-Identifier: Apache-2.0
"""Trainers that all-reduce do not outlive the end of a connection that carries
values: each ends with one line, and names the other one."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import DATA, GRAPH, Process, free_endpoints, run, wait_until
from proxy import Proxy

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
program = FOLDER / "dist.mlir"
run("ps-opt", GRAPH, "-o", program, "--ps-transpile=trainers=2 mode=collective")
own = free_endpoints(2)
with Proxy(own[0]) as first, Proxy(own[1]) as second:
    trainers = []
    for index, ends in enumerate((f"{own[0]},{second.endpoint}",
                                  f"{first.endpoint},{own[1]}")):
        trainers.append(Process(
            f"trainer{index}", FOLDER, program, "--role=trainer",
            f"--trainer-id={index}", f"--listen={own[index]}",
            f"--trainer-endpoints={ends}", DATA, "--batch-size=6",
            "--steps=1000000000", "--threads=1", "--log-every=100",
            "--transport=grpc"))
    trainers[0].wait_for("steps/s")
    # One that carries nothing at that moment is opened again.
    wait_until(lambda: (first.cut(), second.cut()) and
               trainers[0].process.poll() is not None, "the job ends")
    errors = []
    for trainer in trainers:
        assert trainer.end() == 1, trainer.text()
        errors.append(trainer.error())
        print(errors[-1])
    assert all("trainer" in error for error in errors), errors
    # Which of them notices first is chance, and whether that is in a step.
    assert any(re.search("lost the connection to trainer [01]", error)
               for error in errors), errors
