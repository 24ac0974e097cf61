# SPDX-License-Identifier: Apache-2.0
"""Translates optimizers of torch.optim, by their class and hyperparameters."""

import torch

from ps_mlir import optimizers
from ps_mlir.graph import GraphError
from ps_mlir.optimizers import Optimizer


def import_optimizer(optimizer):
    """Returns the Optimizer for one of torch.optim, or what is one already."""
    if isinstance(optimizer, (str, Optimizer)):
        return optimizer
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise TypeError("expected an optimizer of torch.optim or of "
                        f"ps_mlir.optimizers, found {optimizer!r}")
    name = type(optimizer).__name__
    if name not in _MAKERS:
        raise GraphError(f"torch.optim.{name} has no counterpart here; known "
                         f"are {', '.join(sorted(_MAKERS))}, and "
                         "ps_mlir.optimizers")
    return _MAKERS[name](_Values(name, _hyperparameters(name, optimizer)))


def _hyperparameters(name, optimizer):
    first, *others = [{key: value for key, value in group.items()
                       if key not in ("params", "initial_lr")}
                      for group in optimizer.param_groups]
    for other in others:
        if other != first:
            raise GraphError(f"torch.optim.{name} with groups of parameters "
                             "that differ is not supported")
    return first


class _Values:
    """Hyperparameters; take() refuses values that have no counterpart."""

    def __init__(self, name, values):
        self.name, self.values = name, values

    def __getitem__(self, key):
        value = self.values[key]
        return float(value) if isinstance(value, torch.Tensor) else value

    def expect(self, **expected):
        for key, value in expected.items():
            if self.values.get(key, value) != value:
                raise GraphError(f"torch.optim.{self.name} with {key}="
                                 f"{self.values[key]!r} has no counterpart "
                                 "here")

    def decay(self):
        """weight_decay, which is added to the gradient."""
        self.expect(maximize=False)
        decay = self["weight_decay"]
        return optimizers.l2(decay) if decay else None


def _make_sgd(values):
    values.expect(dampening=0)
    momentum = values["momentum"]
    return optimizers.sgd(values["lr"], momentum or None, values["nesterov"],
                          regularize=values.decay())


def _make_adam(values):
    values.expect(amsgrad=False, decoupled_weight_decay=False)
    return optimizers.adam(values["lr"], *values["betas"], values["eps"],
                           regularize=values.decay())


def _make_adamw(values):
    values.expect(amsgrad=False, maximize=False)
    return optimizers.adamw(values["lr"], *values["betas"], values["eps"],
                            values["weight_decay"])


def _make_adagrad(values):
    values.expect(lr_decay=0)
    return optimizers.adagrad(
        values["lr"], values["initial_accumulator_value"], values["eps"],
        regularize=values.decay())


def _make_adadelta(values):
    return optimizers.adadelta(values["lr"], values["rho"], values["eps"],
                               regularize=values.decay())


def _make_rmsprop(values):
    """torch adds eps to the root, as Paddle's decayed Adagrad does."""
    values.expect(momentum=0, centered=False)
    return Optimizer(
        f"#ps.decayed_adagrad<learning_rate = {float(values['lr'])!r}, "
        f"decay = {float(values['alpha'])!r}, "
        f"epsilon = {float(values['eps'])!r}>", regularize=values.decay())


_MAKERS = {
    "SGD": _make_sgd, "Adam": _make_adam, "AdamW": _make_adamw,
    "Adagrad": _make_adagrad, "Adadelta": _make_adadelta,
    "RMSprop": _make_rmsprop
}
