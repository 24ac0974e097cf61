# SPDX-License-Identifier: Apache-2.0
"""Convolutional networks on one core: ps-run beside PyTorch.

usage: conv_bench.py PS_RUN [--nets=lenet,lenet_relu,residual_block] [--repeat=5]
           [--steps=..] [--batch=64]

Both train examples/lenet, and lenet_relu.mlir and residual_block.mlir of this
folder, on batches of 28x28 by gradient descent with momentum: whole steps, one
thread, in alternating runs. PyTorch trains twice, with images whose channels
come first, its default, and last. Run it with the Python of a virtual
environment in which torch is installed, with OMP_NUM_THREADS=1.

Prints rows as Table.h does: the median of each contestant's runs in samples per
second, by the clock and by processor time (steps.py).
"""
import argparse
import pathlib

from steps import DIGITS, alternate, time_graph, time_training
from table import row

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
GRAPHS = {"lenet": EXAMPLES / "lenet" / "lenet.mlir",
          "lenet_relu": HERE / "lenet_relu.mlir",
          "residual_block": HERE / "residual_block.mlir"}
STEPS = {"lenet": 400, "lenet_relu": 400, "residual_block": 8}
WARM_UP = {"lenet": 50, "lenet_relu": 50, "residual_block": 3}


def make_lenet(torch, function, pool):
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), function(), pool(2),
        nn.Conv2d(6, 16, 5), function(), pool(2), nn.Flatten(),
        nn.Linear(400, 120), function(), nn.Linear(120, 84), function(),
        nn.Linear(84, 10))


def make_residual_block(torch):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.expand = nn.Parameter(torch.rand(1, 64, 1, 1) * 2 - 1)
            self.conv1 = nn.Conv2d(64, 64, 3, padding=1)
            self.conv2 = nn.Conv2d(64, 64, 3, padding=1)
            self.fc = nn.Linear(64, 10)

        def forward(self, image):
            x = image * self.expand
            y = self.conv2(torch.relu(self.conv1(x)))
            return self.fc(torch.relu(y + x).mean(dim=(2, 3)))
    return Block()


def make_model(net, torch):
    nn = torch.nn
    if net == "lenet":
        return make_lenet(torch, nn.Tanh, nn.AvgPool2d)
    if net == "lenet_relu":
        return make_lenet(torch, nn.ReLU, nn.MaxPool2d)
    return make_residual_block(torch)


def run_torch(net, batch, steps, memory_format):
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(1)
    layout = getattr(torch, memory_format)
    model = make_model(net, torch).to(memory_format=layout)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    images = torch.rand(32, batch, 1, 28, 28)
    labels = torch.randint(0, 10, (32, batch))

    def train(count):
        for i in range(count):
            image = images[i % 32].contiguous(memory_format=layout)
            loss = torch.nn.functional.cross_entropy(model(image),
                                                     labels[i % 32])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return time_training(train, batch, WARM_UP[net], steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ps_run")
    parser.add_argument("--nets", default="lenet,lenet_relu,residual_block")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()
    for net in args.nets.split(","):
        steps = args.steps or STEPS[net]
        runs = {
            "ours": lambda: time_graph(args.ps_run, GRAPHS[net], DIGITS,
                                       args.batch, WARM_UP[net], steps),
            "torch": lambda: run_torch(net, args.batch, steps,
                                       "contiguous_format"),
            "torch, channels last": lambda: run_torch(net, args.batch, steps,
                                                      "channels_last"),
        }
        for who, rates in alternate(runs, args.repeat).items():
            for i, how in enumerate(("", ", processor time")):
                row(f"{net}, {who}{how}", rates[i], "samples/s")


if __name__ == "__main__":
    main()
