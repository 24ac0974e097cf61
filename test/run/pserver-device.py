"""Pservers that keep variables in a device's memory and update them there: in
every mode, with what an exchange leaves on a pserver, from and to checkpoints
of the host, and when the job is interrupted or fails.

usage: pserver-device.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import sys

from job import (DATA, DEVICE, INPUTS, Job, Process, read_metrics,
                 refused_usage, run)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
ON_DEVICE = f"--pserver-device={DEVICE}"
FLAGS = (DATA, "--batch-size=6", "--seed=7", "--threads=1")
ADAM = "#ps.adam<learning_rate = 0.01>"
SCHEDULED = ("#ps.adam<learning_rate = #ps.exponential_decay<"
             "learning_rate = 0.05, decay_steps = 4, decay_rate = 0.5>>")
CLIPPED = f"{SCHEDULED}) clip(#ps.clip_by_global_norm<0.1>"


def write_graph(name, optimizer):
    graph = FOLDER / f"{name}.mlir"
    graph.write_text((INPUTS / "linear.mlir.in").read_text().replace(
        "OPTIMIZER", optimizer))
    return graph


def transpile(name, optimizer, options):
    program = FOLDER / f"{name}-dist.mlir"
    run("ps-opt", write_graph(name, optimizer), "-o", program,
        f"--ps-transpile=pservers=2 min-block-size=12 {options}")
    return program


def train(program, saved, *flags, steps=12):
    run("ps-run", program, "--role=all", *FLAGS, f"--steps={steps}",
        f"--save={saved}", *flags)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def is_same(name, optimizer, options, *flags, tolerance=0):
    """A job with pservers on a device saves what it saves with all on the
    host."""
    program = transpile(name, optimizer, options)
    saved = [FOLDER / f"{name}-{where}" for where in ("host", "device")]
    train(program, saved[0], *flags)
    train(program, saved[1], ON_DEVICE, *flags)
    if tolerance == 0:
        assert files(saved[0]) == files(saved[1]), name
    run("ps-run", "compare", *saved, f"--tolerance={tolerance}")


# What trainers pull beside the blocks is on the host, too: the sums of squares
# of a norm, blocks of fewer bits.
is_same("sync", SCHEDULED, "trainers=2")
is_same("norm", CLIPPED, "trainers=2", tolerance=1e-5)
is_same("wire", ADAM, "trainers=2 wire=bf16")
is_same("large", ADAM, "trainers=2 top-k=0.25")
# Without common steps, one trainer's order is the order of the updates.
ORDERED = "--deterministic"
is_same("async", SCHEDULED, "trainers=1 mode=async", ORDERED)
is_same("half", SCHEDULED, "trainers=1 mode=half-async", ORDERED)
is_same("delays", "#ps.sgd<learning_rate = 0.05>",
        "trainers=1 mode=async dc=0.5", ORDERED)
is_same("geo", "#ps.sgd<learning_rate = 0.05>",
        "trainers=1 mode=geo geo-steps=3", ORDERED)

# Several trainers learn what they learn.
for mode in ("async", "half-async", "geo"):
    rule = "#ps.sgd<learning_rate = 0.05>"
    options = f"trainers=3 mode={mode}"
    program = transpile(f"many-{mode}", rule, options +
                        (" geo-steps=5" if mode == "geo" else " staleness=2"))
    metrics = FOLDER / f"{mode}.jsonl"
    train(program, FOLDER / mode, ON_DEVICE, f"--metrics={metrics}", steps=100)
    losses = [line["loss"] for line in read_metrics(metrics) if "loss" in line]
    assert losses[-1] < 0.3 * losses[0], (mode, losses[0], losses[-1])

# Optimizers go on from what the other kind of pserver has saved.
program = FOLDER / "sync-dist.mlir"
train(program, FOLDER / "all", steps=24)
for first, flags in (("host", [ON_DEVICE]), ("device", [])):
    on = FOLDER / f"from-{first}"
    train(program, on, f"--load={FOLDER}/sync-{first}", *flags)
    run("ps-run", "compare", FOLDER / "from-host", on)

# Processes: launch has a flag for its pservers, which by themselves have
# --device. A trace shows what the device did.
graph = FOLDER / "sync.mlir"
launch = ["ps-run", "launch", graph, "--pservers=2", "--trainers=2",
          "--transpile=min-block-size=12", f"--log-dir={FOLDER}/log", *FLAGS]
run(*launch, "--steps=12", f"--save={FOLDER}/launched", ON_DEVICE,
    f"--trace={FOLDER}/trace")
assert files(FOLDER / "launched") == files(FOLDER / "sync-host")
assert "(device)" in (FOLDER / "trace.pserver-0").read_text() or \
    DEVICE in (FOLDER / "trace.pserver-0").read_text()
with Job(FOLDER / "by-hand", 2, 2, graph=graph,
         options="min-block-size=12") as job:
    for index in (0, 1):
        job.pserver(index, f"--device={DEVICE}", "--seed=7")
    for index in (1, 0):
        job.trainer(index, "--batch-size=6", "--seed=7", "--steps=12",
                    *([] if index else [f"--save={FOLDER}/by-hand-saved"]))
    job.ends_well()
run("ps-run", "compare", FOLDER / "by-hand-saved", FOLDER / "sync-host")
refused_usage("--pserver-device is for launch and --role=all: a pserver "
              "computes on its own --device", program, "--role=pserver", ON_DEVICE)

# An interrupted job saves, optimizers included.
process = Process("stopped", FOLDER, *launch[1:], "--steps=1000000000",
                  "--log-every=10", f"--save={FOLDER}/stopped", ON_DEVICE)
process.wait_for("steps/s")
process.signal(signal.SIGTERM)
assert process.end(20) == 130, process.text()
assert "error" not in process.text(), process.text()
assert files(FOLDER / "stopped").keys() == files(FOLDER / "launched").keys()
out, _ = run("ps-run", graph, f"--load={FOLDER}/stopped",
             f"--eval-data=csv:{INPUTS}/linear.csv")
assert re.search(r"eval  loss \S+", out), out

# A job whose pservers get no device does not begin.
_, error = run(*launch, "--steps=12", "--pserver-device=cuda:4095", code=1)
assert re.search(r"ps-run: error: pserver \d failed: --device=cuda", error), error
