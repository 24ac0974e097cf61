# SPDX-License-Identifier: Apache-2.0
"""What batches from a Python process cost.

usage: feed_bench.py PS_RUN BENCH_FEED EXAMPLES [--repeat=5] [--steps=60]

Gigabytes per second of a server alone, of f32 arrays and of batches of a
generator. Then examples/wide_deep/wide_deep.mlir, one process, in alternating
runs on the same samples: from arrays in memory (npy:), from a server of batches
that a generator makes, and from the native generator of such clicks
(synthetic:ctr). Prints rows as Table.h does: medians, of later epochs, for
which the table has all its rows. It needs NumPy.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
from table import row

sys.path.append(str(pathlib.Path(__file__).parents[2] / "python"))
from ps_mlir.feeding import FeedServer  # noqa: E402: in the folder added above

FIELDS, IDS, BATCH, EPOCHS = 26, 1_000_000, 1024, 4


def feed_alone(bench, batch, width, make):
    """GB/s of some seconds."""
    with FeedServer(make(np.random.rand(4 * batch, width).astype("f4")),
                    epochs=max(1, 2**31 // (4 * batch * width * 4))) as server:
        out = subprocess.run([bench, server.data, str(batch), str(width)],
                             check=True, capture_output=True, text=True).stdout
    return float(out)


def in_batches(arrays, size):
    count = len(next(iter(arrays.values())))
    return lambda: ({name: array[begin:begin + size]
                     for name, array in arrays.items()}
                    for begin in range(0, count, size))


def draw_clicks(count):
    """Ids as skewed as those of synthetic:ctr."""
    random = np.random.default_rng(0)
    chance = np.cumsum(np.arange(1, IDS + 1, dtype="f8") ** -1.05)
    ids = np.searchsorted(chance / chance[-1], random.random((count, FIELDS)))
    return {"dense": random.uniform(-1, 1, (count, 13)).astype("f4"),
            "sparse": ids.clip(max=IDS - 1) + np.arange(FIELDS) * IDS,
            "label": (random.random(count) < 0.25).astype("f4")}


def train(ps_run, graph, data, steps, folder):
    """Samples per second."""
    metrics = folder / "metrics.jsonl"
    subprocess.run([ps_run, graph, f"--batch-size={BATCH}", f"--data={data}",
                    f"--epochs={EPOCHS}", f"--metrics={metrics}"],
                   check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    rates = [line["examples_per_second"]
             for line in map(json.loads, metrics.read_text().splitlines())
             if line["phase"] == "train"]
    return statistics.median(rates[steps:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ps_run")
    parser.add_argument("bench_feed")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    for name, make in (("arrays", lambda x: {"x": x}),
                       ("a generator", lambda x: in_batches({"x": x}, 1000))):
        for batch, width in ((1024, 64), (1024, 1024)):
            row(f"{name}, {batch} x {width} f32", statistics.median(
                feed_alone(options.bench_feed, batch, width, make)
                for _ in range(options.repeat)), "GB/s", ">= 1 GB/s")
    graph = options.examples / "wide_deep" / "wide_deep.mlir"
    count = BATCH * options.steps
    clicks = draw_clicks(count)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for column, array in clicks.items():
            np.save(folder / f"{column}.npy", array)
        files = ",".join(f"{c}={folder}/{c}.npy" for c in clicks)
        with FeedServer(in_batches(clicks, 1000)) as server:
            data = {"npy": f"npy:{files}", "a Python generator": server.data,
                    "synthetic:ctr": f"synthetic:ctr?n={count}&ids={IDS}"}
            rates = {source: [] for source in data}
            for _ in range(options.repeat):
                for source, text in data.items():
                    rates[source].append(train(options.ps_run, graph, text,
                                               options.steps, folder))
    medians = {source: statistics.median(r) for source, r in rates.items()}
    for source, median in medians.items():
        row(f"wide_deep, {source}", median, "samples/s")
    row("a Python generator, of npy",
        100 * medians["a Python generator"] / medians["npy"], "%", ">= 90 %")


main()
