# SPDX-License-Identifier: Apache-2.0
"""An LSTM on one core: ps-run beside PyTorch.

usage: lstm_bench.py PS_RUN [--repeat=5] [--steps=100]

Both train an LSTM of 128 units over the 28 rows of a digit, and a layer of 10
classes after the last, in batches of 64 by gradient descent: whole steps, one
thread, in alternating runs. Ours is the loop of lstm.mlir in this folder, as
lax.scan of JAX makes it; PyTorch has a kernel for the whole sequence
(torch.nn.LSTM). Run it with the Python of a virtual environment in which torch
is installed, with OMP_NUM_THREADS=1.

Prints rows as Table.h does: the median of each contestant's runs in samples per
second, by the clock and by processor time, as conv_bench.py does, and how many
times as fast as PyTorch ours is.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

from table import row

GRAPH = pathlib.Path(__file__).resolve().parent / "lstm.mlir"
BATCH, ROWS, UNITS, CLASSES, WARM_UP = 64, 28, 128, 10, 20
GOAL = 1.0


def run_steps(ps_run, steps, metrics):
    """The processor time of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [ps_run, GRAPH, f"--batch-size={BATCH}", "--threads=1",
         f"--steps={steps}", "--epochs=1000", "--data=synthetic:digits?n=2048",
         f"--metrics={metrics}"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def run_ours(ps_run, steps):
    """Samples per second, by the clock and by processor time."""
    with tempfile.TemporaryDirectory() as folder:
        metrics = pathlib.Path(folder) / "metrics.jsonl"
        short = run_steps(ps_run, WARM_UP, metrics)
        long = run_steps(ps_run, WARM_UP + steps, metrics)
        rates = [line["examples_per_second"]
                 for line in map(json.loads, metrics.read_text().splitlines())
                 if line["phase"] == "train"][WARM_UP:]
    return statistics.harmonic_mean(rates), steps * BATCH / (long - short)


def run_torch(steps):
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(1)
    lstm = torch.nn.LSTM(ROWS, UNITS, batch_first=True)
    output = torch.nn.Linear(UNITS, CLASSES, bias=False)
    optimizer = torch.optim.SGD([*lstm.parameters(), *output.parameters()],
                                lr=0.05)
    images = torch.rand(32, BATCH, ROWS, 28)
    labels = torch.randint(0, CLASSES, (32, BATCH))

    def train(count):
        for i in range(count):
            states, _ = lstm(images[i % 32])
            loss = torch.nn.functional.cross_entropy(output(states[:, -1]),
                                                     labels[i % 32])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    train(WARM_UP)
    clock, cpu = time.perf_counter(), time.process_time()
    train(steps)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    return steps * BATCH / clock, steps * BATCH / cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ps_run")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    runs = {"ours": lambda: run_ours(args.ps_run, args.steps),
            "torch": lambda: run_torch(args.steps)}
    rates = {who: [] for who in runs}
    for _ in range(args.repeat):
        for who, run in runs.items():
            rates[who].append(run())
    for i, how in enumerate(("", ", processor time")):
        medians = {who: statistics.median(value[i] for value in values)
                   for who, values in rates.items()}
        for who, median in medians.items():
            row(f"lstm, {who}{how}", median, "samples/s")
        row(f"lstm, ours against torch{how}",
            medians["ours"] / medians["torch"], "x", f">= {GOAL:g} x")


if __name__ == "__main__":
    main()
