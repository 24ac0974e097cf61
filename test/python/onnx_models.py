# SPDX-License-Identifier: Apache-2.0
"""ONNX files as PyTorch writes them."""

import copy
import logging
import warnings

import numpy
import torch
from torch.nn import functional as F

import torch_modules as modules
from ps_mlir.importers.onnx.importer import import_onnx
from torch_suite import STEPS, tensors, updater

TITLE = "ONNX files"


class OnnxCase:
    """A file, a loss by name, and a reference in PyTorch.

    `make` returns a ModelProto, tensors by parameter, and a function
    loss(tensors, batch).
    """

    def __init__(self, name, make, loss, draw, **options):
        self.name, self.make, self.loss, self.draw = name, make, loss, draw
        self.options = options
        self.made = None

    def parts(self):
        if self.made is None:
            torch.manual_seed(1)
            self.made = self.make()
        return self.made

    def batches(self):
        random = numpy.random.RandomState(3)
        return [self.draw(random) for _ in range(STEPS)]

    def function(self):
        return import_onnx(self.parts()[0], self.loss, name=self.name,
                           **self.options)

    def train(self, optimizer):
        _, values, loss = self.parts()
        values = {name: value.detach().clone().requires_grad_(
            value.requires_grad) for name, value in values.items()}
        update = updater(optimizer, [v for v in values.values()
                                     if v.requires_grad])
        losses = []
        for batch in self.batches():
            update.zero_grad()
            value = loss(values, tensors(batch))
            value.backward()
            update.step()
            losses.append(value.item())
        return losses, {name: value.detach().numpy()
                        for name, value in values.items()}


def exported(make, inputs, loss):
    """A module of PyTorch in evaluation mode, as torch.onnx writes it."""
    def build():
        module = make().eval()
        sample = {name: torch.from_numpy(value)
                  for name, value in inputs.items()}
        size = torch.export.Dim("batch")
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                copy.deepcopy(module), tuple(sample.values()),
                input_names=list(sample), output_names=["output"],
                dynamic_shapes=tuple({0: size} for _ in sample), dynamo=True,
                optimize=False, verbose=False)
        written = {i.name for i in program.model_proto.graph.initializer}
        # Of the names of a tied parameter, the one in the file.
        values = {name: value for name, value in module.named_parameters(
            remove_duplicate=False) if name in written}
        values |= dict(module.named_buffers())

        def reference(values, batch):
            result = torch.func.functional_call(
                module, values, tuple(batch[name] for name in sample))
            return loss(result, batch["target"])
        return program.model_proto, values, reference
    return build


# Data.

def renamed(draw, **names):
    """Batches with other names of arrays."""
    def wrapped(random):
        batch = draw(random)
        return {names.get(name, name): value for name, value in batch.items()}
    return wrapped


def sample(draw, *names):
    batch = draw(numpy.random.RandomState(0))
    return {name: batch[name] for name in names}


def from_torch(name, make, loss, draw, inputs=("x",), reference=None, **names):
    draw = renamed(draw, **({"y": "target"} | names))
    references = {"softmax_cross_entropy": F.cross_entropy,
                  "mse": F.mse_loss, "binary_cross_entropy":
                  F.binary_cross_entropy_with_logits}
    return OnnxCase(name, exported(make, sample(draw, *inputs),
                                   reference or references[loss]), loss, draw)


def next_token(logits, target):
    return F.cross_entropy(logits.transpose(1, 2), target)


def token_loss(emitter, outputs, targets):
    """Cross entropy where classes are the last dimension."""
    from ps_mlir.importers.stablehlo.losses import cross_entropy
    logits = emitter.transpose(outputs["output"], [0, 2, 1])
    return cross_entropy(emitter, logits, targets["target"])


def gpt():
    from ps_mlir.importers.function import Feed
    case = from_torch("GPT", modules.GPT, "softmax_cross_entropy",
                      modules.texts(20, 6), reference=next_token)
    case.loss = token_loss
    case.options["targets"] = [Feed("target", (None, 6), "i64")]
    return case


def reconstruction(draw):
    def wrapped(random):
        batch = draw(random)
        return {"x": batch["x"], "target": batch["x"].copy()}
    return wrapped


def cases():
    classify, clicked = "softmax_cross_entropy", "binary_cross_entropy"
    clicks = modules.clicks(5, 40, 3)
    wide = {"inputs": ("dense", "sparse")}
    m = modules
    return [
        from_torch("MLP", m.mlp, classify, m.vectors(8)),
        from_torch("Activations", m.activations, classify, m.vectors(8)),
        from_torch("Residual MLP", m.ResidualMLP, "mse", m.regression(8)),
        from_torch("Autoencoder", m.Autoencoder, "mse",
                   reconstruction(m.regression(16))),
        from_torch("LeNet", m.LeNet, classify, m.images(1, 16)),
        from_torch("ResNet block", m.ResNetBlock, classify, m.images(3, 8)),
        from_torch("ViT", m.ViT, classify, m.images(3, 8)),
        from_torch("LSTM", m.LSTMClassifier, classify, m.tokens(50, 5)),
        from_torch("GRU", m.GRUForecast, "mse", m.series(5, 3)),
        from_torch("Wide & Deep", m.WideAndDeep, clicked, clicks, **wide),
        from_torch("DCN v2", m.CrossNetwork, clicked, clicks, **wide),
        gpt(),
    ]
