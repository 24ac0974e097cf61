# SPDX-License-Identifier: Apache-2.0
"""Wide & Deep: one trainer and one pserver beside PyTorch without a server.

usage: wide_deep_bench.py PS_RUN EXAMPLES [--steps=60] [--repeat=5]

Both train examples/wide_deep/wide_deep.mlir's model on batches of 1,024
samples with 26 ids of 1,000,000 each, in alternating runs. The trainer and the
pserver have a thread each; PyTorch (nn.EmbeddingBag(sparse=True), SparseAdam
for it and Adam for the rest) has one thread, and then two. Run it with the
Python of a virtual environment in which torch is installed.

Prints rows as Table.h does: the median of each contestant's runs in samples per
second, and our rate against those of PyTorch.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from table import row

BATCH, FIELDS, IDS, WARM_UP = 1024, 26, 1_000_000, 10


def run_ours(ps_run, graph, steps):
    with tempfile.TemporaryDirectory() as folder:
        metrics = pathlib.Path(folder) / "metrics.jsonl"
        subprocess.run(
            [ps_run, "launch", "--pservers=1", "--trainers=1", "--threads=1",
             f"--log-dir={folder}/log", graph, f"--batch-size={BATCH}",
             f"--steps={steps}", f"--metrics={metrics}",
             f"--data=synthetic:ctr?n={BATCH * steps}&ids={IDS}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rates = [json.loads(line)["examples_per_second"]
                 for line in metrics.read_text().splitlines()]
    return statistics.median(rates[WARM_UP:])


def run_torch(threads, steps):
    out = subprocess.run([sys.executable, __file__, "torch", str(threads), str(steps)],
                         check=True, capture_output=True, text=True).stdout
    return float(out)


def train_torch(threads, steps):
    import time
    import torch
    from torch import nn
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    table = nn.EmbeddingBag(FIELDS * IDS, 9, mode="sum", sparse=True)
    deep = nn.Sequential(nn.Linear(FIELDS * 9 + 13, 400), nn.ReLU(),
                         nn.Linear(400, 400), nn.ReLU(),
                         nn.Linear(400, 400), nn.ReLU(), nn.Linear(400, 1))
    wide = nn.Linear(13, 1)
    dense_step = torch.optim.Adam([*deep.parameters(), *wide.parameters()], lr=1e-3)
    sparse_step = torch.optim.SparseAdam(table.parameters(), lr=1e-3)
    loss_of = nn.BCEWithLogitsLoss()
    offsets = torch.arange(0, BATCH * FIELDS)
    # The ids of a field are as skewed as those of synthetic:ctr.
    ranks = torch.arange(1, IDS + 1, dtype=torch.float64) ** -1.05
    chance = torch.cumsum(ranks / ranks.sum(), 0)
    batches = []
    for _ in range(steps):
        drawn = torch.searchsorted(chance, torch.rand(BATCH, FIELDS, dtype=torch.float64))
        ids = drawn.clamp(max=IDS - 1) + torch.arange(FIELDS) * IDS
        batches.append((ids.reshape(-1), torch.rand(BATCH, 13),
                        (torch.rand(BATCH, 1) < 0.25).float()))
    rates = []
    for ids, numbers, label in batches:
        begin = time.perf_counter()
        rows = table(ids, offsets).reshape(BATCH, FIELDS * 9)
        logit = wide(numbers) + deep(torch.cat([rows, numbers], 1))
        loss = loss_of(logit, label)
        dense_step.zero_grad()
        sparse_step.zero_grad()
        loss.backward()
        dense_step.step()
        sparse_step.step()
        rates.append(BATCH / (time.perf_counter() - begin))
    print(statistics.median(rates[WARM_UP:]))


def main():
    if sys.argv[1:2] == ["torch"]:
        return train_torch(int(sys.argv[2]), int(sys.argv[3]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ps_run")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    graph = options.examples / "wide_deep" / "wide_deep.mlir"
    contestants = {
        "1 trainer thread + 1 pserver thread":
            lambda: run_ours(options.ps_run, graph, options.steps),
        "PyTorch, 1 thread": lambda: run_torch(1, options.steps),
        "PyTorch, 2 threads": lambda: run_torch(2, options.steps),
    }
    rates = {name: [] for name in contestants}
    for _ in range(options.repeat):
        for name, run in contestants.items():
            rates[name].append(run())
    medians = {name: statistics.median(found) for name, found in rates.items()}
    ours = next(iter(medians.values()))
    for name, median in medians.items():
        row(name, median, "samples/s")
    row("ours against PyTorch, 1 thread", ours / medians["PyTorch, 1 thread"],
        "x", ">= 1.5")
    row("ours against PyTorch, 2 threads",
        ours / medians["PyTorch, 2 threads"], "x")


main()
