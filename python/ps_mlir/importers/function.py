# SPDX-License-Identifier: Apache-2.0
"""What every importer returns: a loss function in StableHLO.

An importer turns a model of another framework into a LossFunction. Variables,
optimizers and the module that ps-opt reads are made from it elsewhere, so that
each importer only has to say what is computed.
"""

from dataclasses import dataclass, field

import numpy


@dataclass
class Parameter:
    """A tensor that the model keeps from step to step, with its initial value.

    `trainable` parameters get gradients; others are buffers, such as running
    means. A parameter is `assigned` if the loss function computes a new value
    for it (LossFunction.assignments).
    """
    name: str
    value: numpy.ndarray
    trainable: bool = True
    assigned: bool = False


@dataclass
class Feed:
    """A tensor that each batch provides.

    None in dimension 0 is the batch size; no other dimension may be None.
    `dtype` is an element type of MLIR, such as "f32" or "i64".
    """
    name: str
    shape: tuple[int | None, ...]
    dtype: str


@dataclass
class LossFunction:
    """A module with `func.func public @main` that computes a loss.

    Operands of @main are the parameters, then the feeds, in the order of these
    lists. Results are the loss (a scalar), the `outputs`, one gradient for each
    trainable parameter if `has_gradients`, then new values of parameters.
    `assignments` pairs the name of each assigned parameter with the index of
    the result of @main that is its new value. Private functions may stand
    beside @main.
    """
    name: str
    text: str
    parameters: list[Parameter]
    feeds: list[Feed]
    outputs: list[str] = field(default_factory=list)
    has_gradients: bool = False
    assignments: list[tuple[str, int]] = field(default_factory=list)
