"""Fewer bits on the network: the loss falls as with f32, and what is saved is
what the pservers hold, with all bits."""
# RUN: %python %s %t %S/../../examples/mnist_mlp/mnist_mlp.mlir

import pathlib
import struct
import sys

from job import read_metrics, read_model, run

FOLDER, GRAPH = pathlib.Path(sys.argv[1]), sys.argv[2]
DATA = ("--data=synthetic:digits#0-3200",
        "--eval-data=synthetic:digits#3200-4000")
ENDPOINTS = "127.0.0.1:6174,127.0.0.1:6175"


def train(wire):
    """The last line of the evaluation, and the model."""
    program = FOLDER / f"{wire}.mlir"
    run("ps-opt", GRAPH, "-o", program, "--ps-transpile="
        f"pservers={ENDPOINTS} trainers=2 wire={wire} bucket-bytes=4096")
    metrics = FOLDER / f"{wire}.jsonl"
    run("ps-run", program, "--role=all", *DATA, "--batch-size=32", "--seed=3",
        "--threads=1", f"--metrics={metrics}", f"--save={FOLDER}/{wire}")
    evals = [r for r in read_metrics(metrics) if r["phase"] == "eval"]
    return evals[-1]["loss"], read_model(FOLDER / wire)


def low_bits(model):
    """Whether some number of the model has bits that bf16 and f16 lack."""
    return any(struct.unpack("<I", struct.pack("<f", value))[0] & 0x1fff
               for _, values in model.values() for value in values)


FOLDER.mkdir(parents=True, exist_ok=True)
exact, model = train("f32")
for wire in ("bf16", "f16"):
    loss, narrow = train(wire)
    print(f"{wire}: loss {loss}, with f32 {exact}")
    assert abs(loss - exact) < 0.05 * exact + 0.01, (wire, loss, exact)
    assert narrow.keys() == model.keys(), narrow.keys()
    assert low_bits(narrow), f"{wire}: the model was saved from the network"
