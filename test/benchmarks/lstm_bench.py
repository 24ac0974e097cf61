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
second, by the clock and by processor time (steps.py), and how many times as
fast as PyTorch ours is.
"""
import argparse
import pathlib

from steps import DIGITS, alternate, time_graph, time_training
from table import row

GRAPH = pathlib.Path(__file__).resolve().parent / "lstm.mlir"
BATCH, ROWS, UNITS, CLASSES, WARM_UP = 64, 28, 128, 10, 20
GOAL = 1.0


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
    return time_training(train, BATCH, WARM_UP, steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ps_run")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    medians = alternate(
        {"ours": lambda: time_graph(args.ps_run, GRAPH, DIGITS, BATCH,
                                    WARM_UP, args.steps),
         "torch": lambda: run_torch(args.steps)}, args.repeat)
    for i, how in enumerate(("", ", processor time")):
        for who, rates in medians.items():
            row(f"lstm, {who}{how}", rates[i], "samples/s")
        row(f"lstm, ours against torch{how}",
            medians["ours"][i] / medians["torch"][i], "x", f">= {GOAL:g} x")


if __name__ == "__main__":
    main()
