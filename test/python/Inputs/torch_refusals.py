# SPDX-License-Identifier: Apache-2.0
"""What cannot be imported from PyTorch, and with which message."""

import re
import sys

import torch
from torch import nn
from torch.nn import functional as F

from ps_mlir.graph import GraphError
from ps_mlir.importers.torch.importer import import_torch


class Net(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.first = nn.Linear(4, 3)
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(self.first(x))


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return self.function(x * self.weight)


def mean(module, batch):
    return module(batch["x"]).float().mean()


def half(module, batch):
    return module(batch["x"]).mean(dim=0)


def noisy(x):
    return torch.fft.rfft(x).abs() + torch.rand_like(x)[:, :3]


class Padded(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4, dtype=torch.bfloat16))

    def forward(self, x):
        return x * self.weight


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return -gradient


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 3)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.first(x)


class Hooked(Net):
    def __init__(self):
        super().__init__()
        self.first.register_full_backward_hook(lambda *_: None)


PLACE = r" at .*torch_refusals.py:\d+"
CASES = [
    (Net(nn.Dropout(0.5)), mean,
     r"dropout of 0.5 of module 'layers.0'.*: random numbers are not "
     r"supported: set p = 0, or call module.eval\(\)"),
    (Net(nn.Dropout(0.5), nn.Linear(3, 3), nn.AlphaDropout(0.2)), mean,
     r"dropout of 0.5 of module 'layers.0'.*; dropout of 0.2 of module "
     r"'layers.2'"),
    (Function(noisy), mean,
     r"no translation of aten._fft_r2c.default" + PLACE +
     r"; aten.abs.*|no translation of .*_fft_r2c.*" + PLACE +
     r"; aten.rand_like.default" + PLACE),
    (Function(lambda x: x[x > 0]), mean,
     r"aten.index.Tensor" + PLACE + r": a size that depends on values: use a "
     r"mask with torch.where, or multiply by it"),
    (Function(lambda x: x[0]), mean, r"aten.select.int.*: selects one sample"),
    (Function(lambda x: x[:3] * 2), mean,
     r"torch.export: Constraints violated \(batch\)! .*\(fixed_batch=True imports "
     r"it for the batch size of the sample\)"),
    (Function(lambda x: torch.cat([x, x])), mean,
     r"aten.cat.default.*: joins along the batch dimension"),
    (Function(lambda x: x if x.sum() > 0 else -x), mean, r"torch.export: "),
    (Function(Reverse.apply), mean, r"the gradient that 'Reverse' defines \(a "
     r"torch.autograd.Function or a hook\) is not supported"),
    (Hooked(), mean, r"the gradient that 'BackwardHookFunction' defines"),
    (Mixed(), mean, r"torch.autocast in a module"),
    (Function(lambda x: F.embedding(x.long(), torch.ones(3, 2),
                                    scale_grad_by_freq=True)), mean,
     r"aten.embedding.default.*: scale_grad_by_freq"),
    (Padded(), mean, r"a parameter of bfloat16"),
    (Net(), half, r"expected a loss that returns a scalar tensor, found one "
     r"of shape \[3\]"),
    (Net(), lambda module, batch: 1.0,
     r"expected a loss that returns a scalar tensor, found float"),
    (Function(lambda x: F.embedding_bag(
        torch.ones(3, dtype=torch.long), x, torch.tensor([0, 1]))), mean,
     r"bags of different lengths|embedding_bag"),
]


def main():
    failed = 0
    for module, loss, expected in CASES:
        try:
            import_torch(module, loss, {"x": torch.ones(3, 4)}, name="net")
            message = "imported"
        except GraphError as error:
            message = str(error)
        if not re.search(expected, message) or "\n" in message:
            failed += 1
            print(f"expected: {expected}\nfound:    {message}\n")
    print(f"{len(CASES) - failed} of {len(CASES)} messages are as expected")
    return failed


sys.exit(main())
