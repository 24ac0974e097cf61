# SPDX-License-Identifier: Apache-2.0
"""Wide & Deep beside PyTorch: with a trainer and a pserver, or on one GPU.

usage: wide_deep_bench.py PS_RUN EXAMPLES [--device=cuda] [--steps=60] [--repeat=5]

Both train examples/wide_deep/wide_deep.mlir's model on samples with 26 ids of
1,000,000 each, in alternating runs. Run it with the Python of a virtual
environment in which torch is installed.

On the host, with batches of 1,024 samples, the trainer and the pserver have a
thread each; PyTorch (nn.EmbeddingBag(sparse=True), SparseAdam for it and Adam
for the rest) has one thread, and then two. With --device=cuda both are one
process on the first GPU, with batches of 4,096 samples that are in the host's
memory when a step begins; our rows are in the tier #ps.hbm. --device=emulated
shows that ours runs, with batches of 64 and without PyTorch.

PyTorch's table has all rows before the first step; ours gets them in a first epoch.
So ours reads its samples several times, and the rate of the later epochs is
compared. That of the first one is printed, too.

Prints rows as Table.h does: the median of each contestant's runs in samples per
second, and our rate against those of PyTorch.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from table import row

FIELDS, IDS, WARM_UP, EPOCHS = 26, 1_000_000, 10, 4
BATCH = {"cpu": 1024, "cuda": 4096, "emulated": 64}


def run_ours(ps_run, graph, device, steps):
    """Samples per second of the first epoch's steps, and of the others'."""
    batch = BATCH[device]
    with tempfile.TemporaryDirectory() as folder:
        metrics = pathlib.Path(folder) / "metrics.jsonl"
        if device == "cpu":
            command = ["launch", "--pservers=1", "--trainers=1", "--threads=1",
                       f"--log-dir={folder}/log", graph]
        else:
            command = [with_rows_on_gpu(graph, folder), f"--device={device}"]
        subprocess.run(
            [ps_run, *command, f"--batch-size={batch}", f"--epochs={EPOCHS}",
             f"--metrics={metrics}",
             f"--data=synthetic:ctr?n={batch * steps}&ids={IDS}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = map(json.loads, metrics.read_text().splitlines())
        rates = [line["examples_per_second"] for line in lines
                 if line["phase"] == "train"]
    return statistics.median(rates[WARM_UP:steps]), statistics.median(rates[steps:])


def with_rows_on_gpu(graph, folder):
    text, tables = re.subn(
        r"^( *ps\.table .*\))$",
        rf"\1 tiers([#ps.hbm<rows = {FIELDS * IDS // 4}>])",
        graph.read_text(), flags=re.MULTILINE)
    if tables != 1:
        raise SystemExit(f"{graph}: expected one table, found {tables}")
    changed = pathlib.Path(folder) / "graph.mlir"
    changed.write_text(text)
    return changed


def run_torch(device, threads, steps):
    out = subprocess.run(
        [sys.executable, __file__, "torch", device, str(threads), str(steps)],
        check=True, capture_output=True, text=True).stdout
    return float(out)


def train_torch(device, threads, steps):
    import time
    import torch
    from torch import nn
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    batch = BATCH[device]
    table = nn.EmbeddingBag(FIELDS * IDS, 9, mode="sum", sparse=True).to(device)
    deep = nn.Sequential(nn.Linear(FIELDS * 9 + 13, 400), nn.ReLU(),
                         nn.Linear(400, 400), nn.ReLU(),
                         nn.Linear(400, 400), nn.ReLU(),
                         nn.Linear(400, 1)).to(device)
    wide = nn.Linear(13, 1).to(device)
    dense_step = torch.optim.Adam([*deep.parameters(), *wide.parameters()], lr=1e-3)
    sparse_step = torch.optim.SparseAdam(table.parameters(), lr=1e-3)
    loss_of = nn.BCEWithLogitsLoss()
    offsets = torch.arange(0, batch * FIELDS, device=device)
    # The ids of a field are as skewed as those of synthetic:ctr.
    ranks = torch.arange(1, IDS + 1, dtype=torch.float64) ** -1.05
    chance = torch.cumsum(ranks / ranks.sum(), 0)
    batches = []
    for _ in range(steps):
        drawn = torch.searchsorted(chance, torch.rand(batch, FIELDS, dtype=torch.float64))
        ids = drawn.clamp(max=IDS - 1) + torch.arange(FIELDS) * IDS
        made = (ids.reshape(-1), torch.rand(batch, 13),
                (torch.rand(batch, 1) < 0.25).float())
        batches.append([t.pin_memory() for t in made] if device == "cuda" else made)
    rates = []
    for made in batches:
        begin = time.perf_counter()
        ids, numbers, label = (t.to(device, non_blocking=True) for t in made)
        rows = table(ids, offsets).reshape(batch, FIELDS * 9)
        logit = wide(numbers) + deep(torch.cat([rows, numbers], 1))
        loss = loss_of(logit, label)
        dense_step.zero_grad()
        sparse_step.zero_grad()
        loss.backward()
        dense_step.step()
        sparse_step.step()
        loss.item()  # each step's loss is printed or written, as ours is
        rates.append(batch / (time.perf_counter() - begin))
    print(statistics.median(rates[WARM_UP:]))


def contestants_on(options, graph):
    def torch(threads):
        return lambda: [run_torch(options.device, threads, options.steps)]

    def ours():
        return run_ours(options.ps_run, graph, options.device, options.steps)

    if options.device == "emulated":
        return {"an emulated device": ours}
    if options.device == "cuda":
        return {"one GPU": ours, "PyTorch, the same GPU": torch(1)}
    return {"1 trainer thread + 1 pserver thread": ours,
            "PyTorch, 1 thread": torch(1), "PyTorch, 2 threads": torch(2)}


def main():
    if sys.argv[1:2] == ["torch"]:
        return train_torch(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ps_run")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--device", choices=BATCH, default="cpu")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    graph = options.examples / "wide_deep" / "wide_deep.mlir"
    contestants = contestants_on(options, graph)
    rates = {name: [] for name in contestants}
    for _ in range(options.repeat):
        for name, run in contestants.items():
            rates[name].append(run())
    # Of the last epochs, where there are several.
    medians = {name: statistics.median(run[-1] for run in runs)
               for name, runs in rates.items()}
    ours, *others = medians
    for name, median in medians.items():
        row(name, median, "samples/s")
    row(f"{ours}, first epoch", statistics.median(run[0] for run in rates[ours]),
        "samples/s")
    # The goal is against the first of them.
    for i, name in enumerate(others):
        row(f"ours against {name}", medians[ours] / medians[name], "x",
            *([">= 1.5"] if i == 0 else []))


main()
