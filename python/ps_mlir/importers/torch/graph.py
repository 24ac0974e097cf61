# SPDX-License-Identifier: Apache-2.0
"""Makes graphs of PyTorch modules, and state_dicts of what was trained."""

import collections.abc
import dataclasses
import functools

import numpy
import torch

from ps_mlir.graph import GraphError, build_graph, feed_name
from ps_mlir.importers.torch.importer import import_torch
from ps_mlir.importers.torch.optimizers import import_optimizer


def from_torch(module, loss, batch, optimizer, *, name=None,
               fixed_batch=False, tables=None, auc=None):
    """Makes a Graph that trains the parameters of a module.

    loss(module, batch) returns a scalar tensor, which should be a mean over
    the samples of the batch, or a pair of one and a dict of tensors, which are
    fetched.

    module: its values are what training begins with, and its mode, train() or
        eval(), is that of the graph. It is not changed: load_state_dict() of a
        Result's params does.
    batch: dict, tuple or list of tensors whose dimension 0 is the batch; only
        their shapes and types matter. Training data have its structure, of
        arrays or tensors. Those without names are "batch.0" and so on.
    optimizer: one of torch.optim, which trains the parameters that it was
        given, or of ps_mlir.optimizers, or the text of an attribute, which
        train all that require gradients.
    fixed_batch: keep the size of `batch` as the only one.
    tables: ps_mlir.Table by the name of the weight of an embedding: its rows
        are then created when training needs them, and the values of the
        module do not matter.
    auc: names of an output of the loss, probabilities, and of a tensor of the
        batch, labels: their AUC is measured as "auc".

    Raises GraphError if the module cannot be imported.
    """
    count = None
    batch = _as_tensors(batch)
    if isinstance(batch, (list, tuple)):
        count = len(batch)
        loss, batch = _of_names(loss), _name(batch)
    function = import_torch(module, loss, batch, name,
                            dynamic=not fixed_batch)
    imported = import_optimizer(optimizer)
    others = _assign_groups(module, function, optimizer.param_groups, imported
                            ) if isinstance(optimizer, torch.optim.Optimizer
                                            ) else {}
    state = _StateDict(module, function)
    return build_graph(function, imported[0], others=others, tables=tables,
                       auc=auc,
                       flatten_batch=_FlattenBatch(function, count),
                       unflatten=state, flatten=state.flatten)


def _as_tensors(batch):
    def convert(value):
        return torch.from_numpy(value) if isinstance(
            value, numpy.ndarray) else value
    if isinstance(batch, collections.abc.Mapping):
        return {name: convert(value) for name, value in batch.items()}
    return [*map(convert, batch)] if isinstance(batch, (list, tuple)) else batch


def _assign_groups(module, function, groups, optimizers):
    """Parameters that are in no group are not trained. Returns the optimizers
    of those that the first one does not update."""
    optimizer_of = {id(parameter): optimizer
                    for group, optimizer in zip(groups, optimizers)
                    for parameter in group["params"]}
    own = {name: id(value) for name, value in
           module.named_parameters(remove_duplicate=False)}
    if not optimizer_of.keys() <= set(own.values()):
        raise GraphError("the optimizer has parameters that are not the "
                         "module's")
    found = {parameter.name: optimizer_of.get(own.get(parameter.name))
             for parameter in function.parameters if parameter.trainable}
    function.parameters[:] = [
        dataclasses.replace(parameter,
                            trainable=bool(found.get(parameter.name)))
        for parameter in function.parameters]
    return {name: optimizer for name, optimizer in found.items()
            if optimizer not in (None, optimizers[0])}


def _name(batch):
    return {feed_name(["batch", i]): value
            for i, value in enumerate(batch)}


def _of_names(loss):
    """`loss`, of a module and a tuple, as one of what _name makes of that."""

    @functools.wraps(loss)
    def of_names(module, batch):
        return loss(module, tuple(batch.values()))

    return of_names


class _FlattenBatch:
    """Makes arrays by feed of a batch."""

    def __init__(self, function, count):
        self.feeds = [feed.name for feed in function.feeds]
        self.count = count  # of tensors without names; None if they have some

    def __call__(self, batch, partial=False):
        if isinstance(batch, (list, tuple)):
            if len(batch) != self.count and not (
                    partial and 0 < len(batch) < (self.count or 0)):
                raise self.refuse(f"{len(batch)} without names")
            batch = _name(batch)
        if not isinstance(batch, collections.abc.Mapping):
            raise self.refuse(f"a {type(batch).__name__}")
        return {name: value.detach().cpu().numpy()
                if isinstance(value, torch.Tensor) else value
                for name, value in batch.items()}

    def refuse(self, found):
        expected = f"dicts with {', '.join(self.feeds)}" \
            if self.count is None else f"tuples of {self.count} tensors"
        return TypeError(f"expected batches that are {expected}, found {found}")


class _StateDict:
    """Makes a state_dict of variables."""

    def __init__(self, module, function):
        variables = {parameter.name for parameter in function.parameters}
        state = module.state_dict(keep_vars=True)
        names = {}
        for key, value in state.items():
            names.setdefault(id(value), []).append(key)
        # Of a tensor with several names, one is the variable.
        self.variable_of = {
            key: next((name for name in names[id(value)] if name in variables),
                      None) for key, value in state.items()}
        self.untrained = {key: value.detach().clone()
                          for key, value in state.items()
                          if self.variable_of[key] is None}

    def __call__(self, variables):
        return {key: self.untrained[key] if variable is None else
                torch.from_numpy(numpy.array(variables[variable]))
                for key, variable in self.variable_of.items()}

    def flatten(self, state):
        """Variables by name of a state_dict, or of a module."""
        state = state.state_dict() if hasattr(state, "state_dict") else state
        if not isinstance(state, collections.abc.Mapping):
            raise TypeError("expected a Result, a folder, a state_dict or a "
                            f"module, found {type(state).__name__}")
        variables = {}
        for key, value in state.items():
            name = self.variable_of.get(key, key)
            if name is None:  # nothing that the graph computes with
                continue
            if isinstance(value, torch.Tensor):
                value = value.detach().cpu()
                value = (value.float() if value.dtype == torch.bfloat16
                         else value).numpy()
            first = variables.setdefault(name, value)
            if first is not value and not numpy.array_equal(
                    first, value, equal_nan=True):
                raise TypeError(f"'{key}' and '{name}' are one parameter: "
                                "expected equal values")
        return variables
