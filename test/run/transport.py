# SPDX-License-Identifier: Apache-2.0
"""Processes of one host share memory unless told otherwise: the log shows how
they exchange data, and the model is the same to the bit."""
# RUN: %python %s %t

import pathlib
import sys

from job import DATA, GRAPH, run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)


def train(name, *flags):
    """The model's bytes, and the lines of trainer 0's log about transports."""
    folder = FOLDER / name
    run("ps-run", "launch", GRAPH, DATA, "--pservers=2", "--trainers=2",
        "--batch-size=6", "--steps=8", "--deterministic", f"--save={folder}",
        f"--log-dir={FOLDER / 'log'}", *flags)
    log = FOLDER / "log" / "latest" / "workerlog.0"
    return ((folder / "model.safetensors").read_bytes(),
            [line for line in log.read_text().splitlines()
             if line.endswith((": shared memory", ": TCP"))])


memory, lines = train("memory")
assert [line.split(": ")[1] for line in lines] == ["shared memory"] * 2, lines
tcp, lines = train("tcp", "--transport=tcp")
assert [line.split(": ")[1] for line in lines] == ["TCP"] * 2, lines
grpc, lines = train("grpc", "--transport=grpc")
assert not lines, lines
assert memory == tcp == grpc
