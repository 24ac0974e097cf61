# SPDX-License-Identifier: Apache-2.0
"""Layer, group, batch and RMS normalization."""

from ps_mlir.importers.stablehlo.arithmetic import (add, as_float, multiply, square,
                                          subtract)
from ps_mlir.importers.stablehlo.emitter import expect_static
from ps_mlir.importers.stablehlo.reductions import count, divide, mean, total


def _channels(e, vector, x):
    """A vector of one number per channel, beside x [n, c, ..]."""
    shape = [(1,)] * x.rank
    shape[1] = vector.dims[0]
    return e.reshape(vector, tuple(shape))


def normalize(e, x, axes, epsilon):
    """(x - mean) / sqrt(variance + epsilon), the mean and the reciprocal."""
    average = mean(e, x, axes, keep=True)
    centered = subtract(e, x, average)
    variance = mean(e, square(e, centered), axes, keep=True)
    scale = e.unary("rsqrt", add(e, variance, float(epsilon)))
    return multiply(e, centered, scale), average, scale


def affine(e, x, weight, bias):
    if weight is not None:
        x = multiply(e, x, weight)
    return x if bias is None else add(e, x, bias)


def layer_norm(e, x, count_axes, weight=None, bias=None, epsilon=1e-5):
    axes = list(range(x.rank - count_axes, x.rank))
    return affine(e, normalize(e, x, axes, epsilon)[0], weight, bias)


def rms_norm(e, x, count_axes, weight=None, epsilon=None):
    axes = list(range(x.rank - count_axes, x.rank))
    squares = mean(e, square(e, x), axes, keep=True)
    epsilon = 1.1920928955078125e-07 if epsilon is None else epsilon
    result = multiply(e, x, e.unary("rsqrt", add(e, squares, epsilon)))
    return affine(e, result, weight, None)


def group_norm(e, x, groups, weight=None, bias=None, epsilon=1e-5):
    """Normalizes groups of channels of each sample."""
    channels = expect_static(x, 1, "normalizes groups")
    split = e.reshape(x, (x.dims[0], (groups,), (channels // groups,),
                          *x.dims[2:]))
    axes = list(range(2, split.rank))
    result = e.reshape(normalize(e, split, axes, epsilon)[0], x.dims)
    weight, bias = (None if vector is None else _channels(e, vector, x)
                    for vector in (weight, bias))
    return affine(e, result, weight, bias)


def instance_norm(e, x, weight=None, bias=None, epsilon=1e-5):
    return group_norm(e, x, expect_static(x, 1, "normalizes"), weight, bias,
                      epsilon)


def batch_norm(e, x, weight, bias, average, variance, epsilon):
    """Normalizes by given statistics of each channel."""
    average, variance = (_channels(e, v, x) for v in (average, variance))
    scale = e.unary("rsqrt", add(e, variance, float(epsilon)))
    result = multiply(e, subtract(e, x, average), scale)
    weight, bias = (None if vector is None else _channels(e, vector, x)
                    for vector in (weight, bias))
    return affine(e, result, weight, bias)


def batch_statistics(e, x):
    """Mean, biased variance and unbiased variance of each channel."""
    axes = [axis for axis in range(x.rank) if axis != 1]
    x = as_float(e, x)
    average = mean(e, x, axes)
    centered = subtract(e, x, _channels(e, average, x))
    squares = total(e, square(e, centered), axes)
    variance = divide(e, squares, count(e, x, axes, x.dtype))
    unbiased = divide(e, squares, count(e, x, axes, x.dtype, less=1))
    return average, variance, unbiased


def moving(e, old, new, momentum):
    """(1 - momentum) old + momentum new, without gradient."""
    return add(e, multiply(e, old, 1 - momentum),
               multiply(e, e.stop_gradient(new), momentum))


def train_batch_norm(e, x, weight, bias, running, momentum, epsilon):
    """Normalizes by the statistics of the batch.

    `running` are the running mean and variance, or None. Returns the result,
    the mean, the reciprocal deviation and new running statistics.
    """
    average, variance, unbiased = batch_statistics(e, x)
    result = batch_norm(e, x, weight, bias, average, variance, epsilon)
    scale = e.unary("rsqrt", add(e, variance, float(epsilon)))
    if running is None:
        return result, average, scale, None, None
    return (result, average, scale, moving(e, running[0], average, momentum),
            moving(e, running[1], unbiased, momentum))
