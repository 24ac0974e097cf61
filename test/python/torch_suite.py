# SPDX-License-Identifier: Apache-2.0
"""Cases for coverage.py of modules of PyTorch."""

import copy

import numpy
import torch

from ps_mlir.importers.torch.importer import import_torch

STEPS = 10


class TorchCase:
    """A module with a loss, and random batches from `draw(random)`."""

    def __init__(self, name, make, loss, draw, optimizers=("sgd", "adam")):
        self.name, self.make, self.loss, self.draw = name, make, loss, draw
        self.optimizers = optimizers
        self.made = None

    def module(self):
        if self.made is None:
            torch.manual_seed(1)
            self.made = self.make()
        return copy.deepcopy(self.made)

    def batches(self):
        random = numpy.random.RandomState(3)
        return [self.draw(random) for _ in range(STEPS)]

    def function(self):
        return import_torch(self.module(), self.loss,
                            tensors(self.batches()[0]), name=self.name)

    def train(self, optimizer):
        module = self.module()
        update = updater(optimizer, module.parameters())
        losses = []
        for batch in self.batches():
            update.zero_grad()
            loss = self.loss(module, tensors(batch))
            loss = loss[0] if isinstance(loss, tuple) else loss
            loss.backward()
            update.step()
            losses.append(loss.item())
        return losses, {name: value.detach().numpy()
                        for name, value in module.state_dict(
                            keep_vars=True).items()}


def tensors(batch):
    return {name: torch.from_numpy(value) for name, value in batch.items()}


def updater(optimizer, parameters):
    """PyTorch's optimizer of the numbers in coverage.py."""
    if optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=0.05)
    return torch.optim.Adam(parameters, lr=0.002, eps=1e-3)
