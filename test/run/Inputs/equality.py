"""Trains a small graph as a job of T trainers and S pservers and as one
process with T times the batch, and compares the variables: every number of
trainers and pservers, both ways of placing, sliced or whole.

  equality.py FOLDER OPTIMIZER all     every cell, in one process each
  equality.py FOLDER OPTIMIZER launch  a few cells, as processes over gRPC and shared memory
  equality.py FOLDER OPTIMIZER pair    two trainers and two pservers
  equality.py FOLDER OPTIMIZER device  the same with pservers on a device, which
                                       gives the bits of pservers on the host
                                       but for sums, and with all on devices

OPTIMIZER is a name of RULES, or "each" for all that are not among its first
three."""

import itertools
import pathlib
import re
import sys

from job import DATA, INPUTS, run

FOLDER, OPTIMIZER, HOW = pathlib.Path(sys.argv[1]), *sys.argv[2:]
BATCH, STEPS, TOLERANCE = 6, 20, "1e-5"
# What ps.minimize is told: an optimizer, and what comes before it.
RULES = {
    "sgd": "#ps.sgd<learning_rate = 0.05>",
    "momentum": "#ps.momentum<learning_rate = 0.05, momentum = 0.9>",
    "nesterov":
        "#ps.momentum<learning_rate = 0.05, momentum = 0.9, use_nesterov = true>",
    "lars_momentum": "#ps.lars_momentum<learning_rate = 1.0, momentum = 0.9, "
                     "lars_coeff = 0.02>",
    "adam": "#ps.adam<learning_rate = 0.01>",
    "adamw": "#ps.adamw<learning_rate = 0.01, weight_decay = 0.1>",
    "adamax": "#ps.adamax<learning_rate = 0.01>",
    "adagrad": "#ps.adagrad<learning_rate = 0.05>",
    "adagrad_row_wise": "#ps.adagrad<learning_rate = 0.05, row_wise = true>",
    "decayed_adagrad": "#ps.decayed_adagrad<learning_rate = 0.01>",
    "rmsprop": "#ps.rmsprop<learning_rate = 0.01>",
    "rmsprop_centered": "#ps.rmsprop<learning_rate = 0.01, momentum = 0.9, "
                        "centered = true>",
    "adadelta": "#ps.adadelta<learning_rate = 1.0>",
    "ftrl": "#ps.ftrl<learning_rate = 0.1, l1 = 0.01, l2 = 0.01>",
    "lamb": "#ps.lamb<learning_rate = 0.01>",
    "l2_decay": "#ps.adam<learning_rate = 0.01>) regularize(#ps.l2_decay<0.1>",
    "l1_decay": "#ps.sgd<learning_rate = 0.05>) regularize(#ps.l1_decay<0.01>",
    "clip_by_value":
        "#ps.momentum<learning_rate = 0.05, momentum = 0.9>) "
        "clip(#ps.clip_by_value<min = -0.05, max = 0.1>",
    "clip_by_norm":
        "#ps.sgd<learning_rate = 0.05>) clip(#ps.clip_by_norm<0.2>) "
        "regularize(#ps.l2_decay<0.1>",
    "all_together":
        "#ps.lamb<learning_rate = #ps.noam_decay<d_model = 64, "
        "warmup_steps = 8>>) clip(#ps.clip_by_global_norm<0.3>) "
        "regularize(#ps.l1_decay<0.01>",
}
GRAPH = FOLDER / "graph.mlir"
CELLS = {
    "all": list(itertools.product(
        (1, 2, 3), (1, 2, 3, 7), ("RoundRobin", "HashName"), (True, False))),
    "pair": [(2, 2, "RoundRobin", True)],
    "device": [(2, 2, "RoundRobin", True)],
    "launch": [(2, 2, "RoundRobin", True), (1, 3, "HashName", True),
               (3, 2, "HashName", False), (2, 3, "RoundRobin", True, "auto")],
}
# Norms and means of gradients, which a device adds up in another order.
SUMS = {"lars_momentum", "adagrad_row_wise", "lamb", "clip_by_norm",
        "all_together"}


def train(*arguments):
    run("ps-run", *arguments, DATA, f"--steps={STEPS}", "--seed=7",
        "--threads=1", "--shuffle")


def difference(left, right, tolerance):
    out, _ = run("ps-run", "compare", left, right, f"--tolerance={tolerance}")
    return float(re.search(r"max relative difference (\S+)", out)[1])


def run_on_devices(program, host, name, *flags):
    """Compares with the job on the host, which is `host`; returns the model of
    a job that is on devices only."""
    saved = [pathlib.Path(f"{host}-{where}") for where in ("server", "both")]
    train(program, "--role=all", *flags, f"--save={saved[0]}",
          "--pserver-device=emulated")
    train(program, "--role=all", *flags, f"--save={saved[1]}",
          "--pserver-device=emulated", "--device=emulated")
    difference(saved[0], host, TOLERANCE if name in SUMS else 0)
    return saved[1]


def run_cell(name, trainers, pservers, method, slices, transport="grpc"):
    options = (f"split-method={method} " +
               ("min-block-size=12" if slices else "slice-var-up=false"))
    saved = FOLDER / f"{trainers}-{pservers}-{method}-{slices}"
    flags = (f"--batch-size={BATCH}",)
    if HOW == "launch":
        train("launch", GRAPH, f"--trainers={trainers}",
              f"--pservers={pservers}", f"--transpile={options}",
              f"--log-dir={saved}-log", f"--transport={transport}",
              f"--save={saved}", *flags)
    else:
        program = FOLDER / f"{saved.name}.mlir"
        endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
        run("ps-opt", GRAPH, "-o", program,
            f"--ps-transpile=pservers={endpoints} trainers={trainers} {options}")
        train(program, "--role=all", f"--save={saved}", *flags)
    if HOW == "device":
        saved = run_on_devices(program, saved, name, *flags)
    return difference(saved, FOLDER / f"local-{trainers}", TOLERANCE)


def compare(name):
    """The largest difference of any cell from the run in one process."""
    GRAPH.write_text((INPUTS / "linear.mlir.in").read_text().replace(
        "OPTIMIZER", RULES[name]))
    for trainers in sorted({cell[0] for cell in CELLS[HOW]}):
        train(GRAPH, f"--batch-size={BATCH * trainers}",
              f"--save={FOLDER}/local-{trainers}")
    return max(run_cell(name, *cell) for cell in CELLS[HOW])


FOLDER.mkdir(parents=True, exist_ok=True)
names = list(RULES)[3:] if OPTIMIZER == "each" else [OPTIMIZER]
for name in names:
    print(f"{name}: ", end="", flush=True)
    largest = compare(name)
    print(f"{len(CELLS[HOW])} cells agree, the largest difference is {largest}")
