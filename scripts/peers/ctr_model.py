# SPDX-License-Identifier: Apache-2.0
"""What all frameworks train in the part ctr of bench-peers.sh: the sizes of
test/benchmarks/ctr_dnn.mlir and examples/wide_deep, and the batches. Runs in
the virtual environment of each peer; needs numpy alone."""

import argparse
import sys
import time

import numpy as np

BATCH, FIELDS, IDS, WIDTH, NUMBERS, HIDDEN = 1024, 26, 100_000, 9, 13, 400
WARM_UP = 10
# Plain SGD, and Adam whose state of a row moves when the row has a gradient.
SGD_RATE, ADAM_RATE, ADAM_EPSILON = 0.01, 0.001, 1e-6
MODELS = ("ctr_dnn", "wide_deep")


def make_batches(count, seed):
    """Ids of a field are as skewed as those of synthetic:ctr, and those of
    field f begin at f * IDS. (ids, numbers, labels) for each batch."""
    draw = np.random.default_rng(seed)
    ranks = np.arange(1, IDS + 1) ** -1.05
    chance = np.cumsum(ranks / ranks.sum())
    for _ in range(count):
        ids = np.searchsorted(chance, draw.random((BATCH, FIELDS)))
        ids = np.minimum(ids, IDS - 1) + np.arange(FIELDS) * IDS
        yield (ids.astype(np.int64),
               draw.random((BATCH, NUMBERS), dtype=np.float32),
               (draw.random((BATCH, 1)) < 0.25).astype(np.float32))


def parse(**more):
    """The arguments of every peer; `more` are its own, with their defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=MODELS)
    defaults = {"steps": 60, "trainers": 1, "servers": 1, "id": 0} | more
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def print_rate(rate):
    """What the script that started this process reads."""
    print(f"rate {rate}", file=sys.stderr, flush=True)


def time_steps(step, batches):
    """Calls `step` for each batch, and prints the samples per second of all
    but the first ones."""
    batches = list(batches)
    for number, batch in enumerate(batches):
        if number == WARM_UP:
            begin = time.perf_counter()
        step(*batch)
    print_rate((len(batches) - WARM_UP) * BATCH /
               (time.perf_counter() - begin))
