# SPDX-License-Identifier: Apache-2.0
"""Sums, means, extremes, softmax and what counts along a dimension."""

import math

import numpy

from ps_mlir.importers.stablehlo.arithmetic import (as_float, batch_multiple,
                                          broadcast_to, compare, divide, like,
                                          multiply, operands, square, subtract,
                                          where)
from ps_mlir.importers.stablehlo.emitter import NUMPY_TYPES, expect_static
from ps_mlir.importers.stablehlo.movement import move_axis
from ps_mlir.importers.stablehlo.shapes import BATCH, Multiple, Unsupported, flatten


def resolve_axes(x, axes):
    """Axes as a sorted list of non-negative numbers; all for None or []."""
    if isinstance(axes, int):
        axes = [axes]
    if not axes:
        return list(range(x.rank))
    return sorted(axis % x.rank for axis in axes)


def keep_axes(e, reduced, x, axes):
    """The result of a reduction of x with a 1 for each reduced dimension."""
    return e.reshape(reduced, tuple(
        (1,) if axis in axes else dim for axis, dim in enumerate(x.dims)))


def fold(op, initial):
    """A function that reduces by `op`; `initial` is a number or a function
    of the element type."""
    def emit(e, x, axes=None, keep=False):
        if x.rank == 0:
            return x
        axes = resolve_axes(x, axes)
        start = initial(x.dtype) if callable(initial) else initial
        result = e.reduce(op, x, start, axes)
        return keep_axes(e, result, x, axes) if keep else result
    return emit


def lowest(dtype):
    if dtype in ("f16", "bf16", "f32", "f64"):
        return -math.inf
    return 0 if dtype == "i1" else numpy.iinfo(NUMPY_TYPES[dtype]).min


def highest(dtype):
    if dtype in ("f16", "bf16", "f32", "f64"):
        return math.inf
    return 1 if dtype == "i1" else numpy.iinfo(NUMPY_TYPES[dtype]).max


total = fold("add", 0)
product = fold("multiply", 1)
maximum = fold("maximum", lowest)
minimum = fold("minimum", highest)
any_of = fold("or", 0)
all_of = fold("and", 1)


def count(e, x, axes, dtype, less=0):
    """How many elements a reduction adds up, minus `less`, as a scalar."""
    factors = flatten([x.dims[axis] for axis in axes])
    size = math.prod(factor for factor in factors if factor is not BATCH)
    if BATCH not in factors:
        return e.scalar(size - less, dtype)
    result = batch_multiple(e, Multiple(size), dtype)
    for _ in range(factors.count(BATCH) - 1):
        result = multiply(e, result, e.batch_size(dtype))
    return subtract(e, result, float(less)) if less else result


def mean(e, x, axes=None, keep=False):
    axes = resolve_axes(x, axes) if x.rank else []
    if not axes:
        return x
    wide = e.convert(x, "f32") if x.dtype in ("f16", "bf16") else x
    summed = total(e, wide, axes, keep)
    return e.convert(divide(e, summed, count(e, x, axes, wide.dtype)),
                     x.dtype)


def variance(e, x, axes=None, correction=1, keep=False):
    axes = resolve_axes(x, axes)
    centered = subtract(e, x, mean(e, x, axes, keep=True))
    squares = total(e, square(e, centered), axes, keep)
    return divide(e, squares, count(e, x, axes, x.dtype, correction))


def shifted(e, x, axis):
    """x minus its maximum, through which no gradient has to flow."""
    top = e.stop_gradient(maximum(e, x, [axis], keep=True))
    return subtract(e, x, top), top


def softmax(e, x, axis):
    x = as_float(e, x)
    if x.rank == 0:
        return like(e, x, 1)
    exponentials = e.unary("exponential", shifted(e, x, axis)[0])
    return divide(e, exponentials, total(e, exponentials, [axis], keep=True))


def log_softmax(e, x, axis):
    x = as_float(e, x)
    if x.rank == 0:
        return like(e, x, 0)
    moved, _ = shifted(e, x, axis)
    sums = total(e, e.unary("exponential", moved), [axis], keep=True)
    return subtract(e, moved, e.unary("log", sums))


def log_sum_exp(e, x, axes, keep=False):
    """log(sum(exp(x))); infinite maxima are not subtracted."""
    axes = resolve_axes(x, axes)
    top = e.stop_gradient(maximum(e, x, axes, keep=True))
    top = where(e, e.unary_test("is_finite", top), top, like(e, top, 0))
    sums = total(e, e.unary("exponential", subtract(e, x, top)), axes, True)
    result = operands(e, None, e.unary("log", sums), top)
    result = e.binary("add", *result)
    if keep:
        return result
    return e.reshape(result, tuple(
        dim for axis, dim in enumerate(x.dims) if axis not in axes))


def safe_root(e, x):
    """The square root with derivative 0 at 0."""
    is_zero = compare(e, "EQ", x, 0.0)
    root = e.unary("sqrt", e.select(is_zero, like(e, x, 1), x))
    return e.select(is_zero, like(e, root, 0), root)


def safe_norm(e, x, axes, keep=False):
    """The root of the sum of squares, with derivative 0 at 0."""
    return safe_root(e, total(e, square(e, x), axes, keep))


def norm(e, x, order=2, axes=None, keep=False):
    """The vector norm of order 0, 1, 2, any other p, or infinite."""
    from ps_mlir.importers.stablehlo.arithmetic import absolute, power
    if order == 2:
        return safe_norm(e, x, axes, keep)
    if order == 0:
        return total(e, e.convert(compare(e, "NE", x, 0.0), x.dtype), axes,
                     keep)
    sizes = absolute(e, x)
    if order == math.inf:
        return maximum(e, sizes, axes, keep)
    if order == -math.inf:
        return minimum(e, sizes, axes, keep)
    if order == 1:
        return total(e, sizes, axes, keep)
    return power(e, total(e, power(e, sizes, order), axes, keep), 1 / order)


def arg_extreme(e, x, axis, keep=False, smallest=False):
    """The first index of the largest, or smallest, element, as i64."""
    axis %= x.rank
    size = expect_static(x, axis, "the index of an extreme")
    if x.dtype == "i1":
        x = e.convert(x, "i32")
    extreme = (minimum if smallest else maximum)(e, x, [axis], keep=True)
    is_extreme = compare(e, "EQ", x, extreme)
    numbers = broadcast_to(e, along(e, x, axis, "i64"), x.dims)
    candidates = e.select(is_extreme, numbers, e.full(size - 1, x.dims, "i64"))
    return minimum(e, candidates, [axis], keep)


def along(e, x, axis, dtype):
    """0, 1, .. in dimension `axis` of x; other dimensions are 1."""
    dim = x.dims[axis]
    if len(dim) > 1:
        raise Unsupported("numbers of a multiple of the batch size")
    numbers = e.once(("iota", dim, dtype), lambda: e.iota((dim,), 0, dtype))
    return e.reshape(numbers, tuple(
        dim if i == axis else (1,) for i in range(x.rank)))


def cumulative_sum(e, x, axis):
    """Sums of all elements up to each: of windows that end there."""
    from ps_mlir.importers.stablehlo.windows import reduce_window
    axis %= x.rank
    size = expect_static(x, axis, "cumulative sums")
    count = x.rank - axis
    ones = [1] * count
    if any(BATCH in dim for dim in x.dims[axis:]):
        return move_axis(e, cumulative_sum(
            e, move_axis(e, x, axis, -1), -1), -1, axis)
    return reduce_window(e, "add", x, 0, (
        [size] + ones[1:], ones, [(size - 1, 0)] + [(0, 0)] * (count - 1),
        ones))


def picked_by(e, x, index, axis):
    """The elements of x at `index`, which has size 1 in dimension `axis`.

    A sum over the one element whose number is the index: it has a gradient,
    and each sample keeps its place.
    """
    is_picked = compare(e, "EQ", along(e, x, axis, index.dtype), index)
    is_picked = broadcast_to(e, is_picked, x.dims)
    return total(e, e.select(is_picked, x, like(e, x, 0)), [axis], keep=True)
