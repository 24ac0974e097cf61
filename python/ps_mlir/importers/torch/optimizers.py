# SPDX-License-Identifier: Apache-2.0
"""Translates optimizers of torch.optim, by their class and hyperparameters."""

import warnings

import torch

from ps_mlir import optimizers
from ps_mlir.graph import GraphError
from ps_mlir.optimizers import Optimizer


def import_optimizer(optimizer):
    """Returns the Optimizer of each group of parameters of one of torch.optim,
    or what is an Optimizer already."""
    if isinstance(optimizer, (str, Optimizer)):
        return [optimizer]
    if isinstance(optimizer, torch.optim.lr_scheduler.LRScheduler):
        raise _refuse_scheduler("a scheduler of torch")
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise TypeError("expected an optimizer of torch.optim or of "
                        f"ps_mlir.optimizers, found {optimizer!r}")
    name = f"torch.optim.{type(optimizer).__name__}"
    make = _MAKERS.get(type(optimizer).__name__)
    if not make:
        raise GraphError(f"{name} has no counterpart here; known are "
                         f"{', '.join(sorted(_MAKERS))}, and "
                         "ps_mlir.optimizers")
    _warn_of_state(name, optimizer)
    groups = optimizer.param_groups
    if any("initial_lr" in group for group in groups):
        raise _refuse_scheduler(f"{name} with a scheduler")
    return [make(_Values(f"{name}, group {i}," if len(groups) > 1 else name,
                         group)) for i, group in enumerate(groups)]


def _warn_of_state(name, optimizer):
    """Adagrad has a state from the beginning, with a step of 0."""
    if any(state["step"] > 0 if "step" in state else
           any(value is not None for value in state.values())
           for state in optimizer.state.values()):
        warnings.warn(
            f"{name} has taken steps: its state is not taken over, training "
            "begins with a new one (start= goes on from what a Job has saved)",
            stacklevel=5)


def _refuse_scheduler(found):
    return GraphError(
        f"{found} is not followed: expected one of ps_mlir.optimizers, whose "
        "learning_rate may be a schedule by steps such as exponential_decay("
        "0.1, 1000, 0.5)")


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
                raise GraphError(f"{self.name} with {key}="
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
