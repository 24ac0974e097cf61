# SPDX-License-Identifier: Apache-2.0
"""Trains JAX losses through ps_mlir, and compares with optax.

usage: train_jax.py [--seed=N] [--local] [--fixed] [--table] [NAME...]

Each loss trains 10 steps in one process and as a job of 2 x 2 processes. The
parameters must be optax's within 1e-5 of the largest of each, and the job's
those of the one process; parameters that a case calls tables must be tables.
With --fixed the batch has one size only, and the job one trainer.
--table prints a line per loss for docs/Coverage.md. Without names, all losses.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import zlib

import jax
import numpy
import optax

import ps_mlir
from jax_losses import CASES, SAMPLES, Draw
from ps_mlir.programs import find_program

STEPS, BATCH = 10, 16
TOLERANCE = 1e-5


def train_by_optax(case, optimizer):
    """The parameters after STEPS steps over the samples in order."""

    @jax.jit
    def step(params, state, batch):
        gradients = jax.grad(case.loss)(params, batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state

    params, state = case.params, optimizer.init(case.params)
    for k in range(STEPS):
        first = k * BATCH % SAMPLES
        params, state = step(params, state, jax.tree.map(
            lambda leaf: leaf[first:first + BATCH], case.batch))
    return params


def difference(ours, theirs):
    """The largest difference, relative to the largest element of its array."""
    worst = 0.0
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs)):
        scale = max(float(numpy.max(numpy.abs(b), initial=0)), 1e-3)
        worst = max(worst, float(numpy.max(numpy.abs(a - b), initial=0)) / scale)
    return worst


def find_tables(graph):
    """The names of the parameters that ps-opt makes tables."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(graph.text)
        file.flush()
        text = subprocess.run(
            [find_program("ps-opt"), file.name,
             "--ps-transpile=pservers=2 trainers=2"],
            check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"ps\.table @([\w.]+) ", text))


class Difference(Exception):
    pass


def check(name, seed, local_only, fixed):
    """Raises if the loss does not train as it does by optax."""
    case = CASES[name](Draw(seed))
    optimizer = (optax.adagrad(0.05) if case.tables else
                 optax.sgd(0.05, momentum=0.9))
    batch = jax.tree.map(lambda leaf: leaf[:BATCH], case.batch)
    graph = ps_mlir.from_jax(case.loss, case.params, batch, optimizer,
                             fixed_batch=fixed)
    job = ps_mlir.Job(graph)
    # Divided by the number of samples, 2 trainers with half a batch each train
    # what one process does.
    options = {"steps": STEPS, "epochs": STEPS, "verbose": False}
    local = job.train(case.batch, batch_size=BATCH, **options).params
    distance = difference(local, train_by_optax(case, optimizer))
    if not distance <= TOLERANCE:
        raise Difference(f"{distance:.2e} from optax")
    if local_only:
        return f"{distance:.1e}"
    missing = set(case.tables) - find_tables(graph)
    if missing:
        raise Difference(f"{', '.join(sorted(missing))} became no table")
    trainers = 1 if fixed else 2
    shared = job.train(case.batch, batch_size=BATCH // trainers, pservers=2,
                       trainers=trainers, **options).params
    apart = difference(shared, local)
    if not apart <= TOLERANCE:
        raise Difference(f"the job is {apart:.2e} from one process")
    return f"{distance:.1e}, job {apart:.1e}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failed = []
    names = arguments.names or list(CASES)
    for name in names:
        seed = arguments.seed + zlib.crc32(name.encode())
        try:
            outcome = "trains: " + check(
                name, seed, arguments.local, arguments.fixed)
        except (ps_mlir.GraphError, ps_mlir.JobError, Difference,
                subprocess.CalledProcessError) as error:
            failed.append(name)
            outcome = "FAILED: " + str(error).strip().splitlines()[0][:300]
        line = f"| {name} | {outcome} |" if arguments.table else f"{name}: {outcome}"
        print(line, flush=True)
    print(f"{len(names) - len(failed)} of {len(names)} losses train, "
          f"seed {arguments.seed}")
    return 1 if failed else 0


sys.exit(main())
