# SPDX-License-Identifier: Apache-2.0
"""Losses, and how those of elements or samples become one number."""

import math

from ps_mlir.importers.stablehlo.arithmetic import (absolute, add, broadcast, clamp,
                                          compare, divide, like, log_sigmoid,
                                          multiply, relu, square, subtract,
                                          where)
from ps_mlir.importers.stablehlo.movement import unsqueeze
from ps_mlir.importers.stablehlo.reductions import log_softmax, mean, picked_by, total
from ps_mlir.importers.stablehlo.shapes import Unsupported, size_of

SUM, MEAN, NONE = "sum", "mean", "none"


def reduced(e, losses, reduction):
    if reduction == NONE:
        return losses
    return total(e, losses) if reduction == SUM else mean(e, losses)


def mse(e, x, y, reduction=MEAN):
    return reduced(e, square(e, subtract(e, x, y)), reduction)


def l1(e, x, y, reduction=MEAN):
    return reduced(e, absolute(e, subtract(e, x, y)), reduction)


def huber(e, x, y, reduction=MEAN, delta=1.0):
    """d^2 / 2 where |d| < delta, else delta (|d| - delta / 2)."""
    sizes = absolute(e, subtract(e, x, y))
    near = multiply(e, square(e, sizes), 0.5)
    far = multiply(e, subtract(e, sizes, 0.5 * delta), float(delta))
    return reduced(e, where(e, compare(e, "LT", sizes, delta), near, far),
                   reduction)


def smooth_l1(e, x, y, reduction=MEAN, beta=1.0):
    if beta == 0:
        return l1(e, x, y, reduction)
    return reduced(e, divide(e, huber(e, x, y, NONE, beta), float(beta)),
                   reduction)


def _bounded_log(e, op, x, zero):
    """The logarithm `op` of x, but at least -100, as PyTorch has it.

    It is not computed at `zero`, where it is infinite: its derivative, times
    0, would be NaN.
    """
    is_zero = compare(e, "EQ", x, zero)
    logs = e.unary(op, where(e, is_zero, like(e, x, 0.5), x))
    return where(e, is_zero, like(e, x, -100.0), clamp(e, logs, low=-100.0))


def binary_cross_entropy(e, x, y, weight=None, reduction=MEAN):
    """Of probabilities."""
    rest = subtract(e, like(e, y, 1), y)
    gain = add(e, multiply(e, y, _bounded_log(e, "log", x, 0.0)), multiply(
        e, rest, _bounded_log(e, "log_plus_one", e.unary("negate", x), -1.0)))
    losses = e.unary("negate", gain)
    if weight is not None:
        losses = multiply(e, losses, weight)
    return reduced(e, losses, reduction)


def logistic_loss(e, x, y, weight=None, positive=None, reduction=MEAN):
    """Binary cross entropy of logits: (1 - y) x + w log(1 + exp(-x))."""
    x, y = broadcast(e, x, y)
    rest = subtract(e, like(e, y, 1), y)
    log_inverse = e.unary("negate", log_sigmoid(e, x))
    if positive is not None:
        factor = add(e, multiply(e, subtract(e, positive, 1.0), y), 1.0)
        log_inverse = multiply(e, log_inverse, factor)
    losses = add(e, multiply(e, rest, x), log_inverse)
    if weight is not None:
        losses = multiply(e, losses, weight)
    return reduced(e, losses, reduction)


def kl_divergence(e, x, y, reduction=MEAN, log_target=False):
    """y (log y - x) for log probabilities x."""
    if log_target:
        losses = multiply(e, e.unary("exponential", y), subtract(e, y, x))
    else:
        is_positive = compare(e, "GT", y, 0.0)
        safe = where(e, is_positive, y, like(e, y, 1))
        entropy = multiply(e, y, e.unary("log", safe))
        losses = subtract(e, entropy, multiply(e, y, x))
    return reduced(e, losses, reduction)


def nll(e, log_probabilities, target, weight=None, reduction=MEAN,
        ignored=None):
    """-log_probabilities[target], classes in dimension 1, or 0 of a vector.

    Targets of the number `ignored` count neither in the sum nor in the mean.
    Without it every target counts, and one that is no class gives NaN: a mean
    over a fixed number of samples can be divided among trainers.
    """
    axis = 0 if log_probabilities.rank == 1 else 1
    x, target = log_probabilities, unsqueeze(e, target, axis)
    losses = e.unary("negate", picked_by(e, x, target, axis))
    factors = None
    if weight is not None:
        shape = [(1,)] * x.rank
        shape[axis] = weight.dims[0]
        wide = add(e, e.reshape(weight, tuple(shape)), like(e, x, 0))
        factors = picked_by(e, wide, target, axis)
    if ignored is None:
        losses = _expect_class(e, losses, target, size_of(x.dims[axis]))
    else:
        counted = e.convert(compare(e, "NE", target, ignored), x.dtype)
        factors = counted if factors is None else multiply(
            e, factors, counted)
    return _weighted(e, losses, factors, reduction, axis)


def _expect_class(e, losses, target, count):
    is_class = e.binary("and", compare(e, "GE", target, 0),
                        compare(e, "LT", target, count))
    return where(e, is_class, losses, like(e, losses, math.nan))


def _weighted(e, losses, factors, reduction, axis):
    """Losses times factors; their mean is divided by the sum of factors."""
    if factors is not None:
        losses = multiply(e, losses, factors)
    if reduction == MEAN and factors is not None:
        return divide(e, total(e, losses), total(e, factors))
    if reduction == NONE:
        return e.reshape(losses, (*losses.dims[:axis],
                                  *losses.dims[axis + 1:]))
    return reduced(e, losses, reduction)


def cross_entropy(e, x, target, weight=None, reduction=MEAN, ignored=None,
                  smoothing=0.0):
    """Of logits, with classes or probabilities as target."""
    axis = 0 if x.rank == 1 else 1
    logs = log_softmax(e, x, axis)
    if target.is_float:
        return _soft_cross_entropy(e, logs, target, weight, reduction, axis,
                                   smoothing)
    if smoothing == 0.0:
        return nll(e, logs, target, weight, reduction, ignored)
    if weight is not None or ignored is not None:
        raise Unsupported("cross entropy with label_smoothing and weight or "
                          "ignore_index")
    sharp = nll(e, logs, target, None, NONE)
    smooth = e.unary("negate", mean(e, logs, [axis]))
    return reduced(e, add(e, multiply(e, sharp, 1.0 - smoothing),
                          multiply(e, smooth, smoothing)), reduction)


def _soft_cross_entropy(e, logs, target, weight, reduction, axis, smoothing):
    if smoothing:
        target = add(e, multiply(e, target, 1.0 - smoothing),
                     smoothing / logs.dims[axis][0])
    if weight is not None:
        shape = [(1,)] * logs.rank
        shape[axis] = weight.dims[0]
        logs = multiply(e, logs, e.reshape(weight, tuple(shape)))
    losses = e.unary("negate", total(e, multiply(e, logs, target), [axis]))
    return reduced(e, losses, reduction)


def hinge_embedding(e, x, y, margin=1.0, reduction=MEAN):
    """x where y is 1, max(0, margin - x) where it is -1."""
    far = relu(e, subtract(e, like(e, x, margin), x))
    return reduced(e, where(e, compare(e, "EQ", y, 1.0), x, far), reduction)


def margin_ranking(e, x, y, target, margin=0.0, reduction=MEAN):
    """max(0, margin - target (x - y))."""
    gap = multiply(e, target, subtract(e, y, x))
    return reduced(e, relu(e, add(e, gap, float(margin))), reduction)
