# SPDX-License-Identifier: Apache-2.0
"""Pooling and resizing of images [n, c, ..]."""

import math

import numpy

from ps_mlir.importers.stablehlo.arithmetic import divide
from ps_mlir.importers.stablehlo.emitter import NUMPY_TYPES, expect_static, type_text
from ps_mlir.importers.stablehlo.movement import move_axis, squeeze, unsqueeze
from ps_mlir.importers.stablehlo.reductions import lowest, mean
from ps_mlir.importers.stablehlo.shapes import Unsupported, flatten


def per_dimension(numbers, count):
    """One number, or pair, for each spatial dimension."""
    numbers = list(numbers) if isinstance(numbers, (list, tuple)) \
        else [numbers]
    return numbers * count if len(numbers) == 1 else numbers


def reduce_window(e, op, x, initial, window):
    """Folds windows of the last dimensions by `op`.

    `window` has sizes, strides, (low, high) pads and dilations, one of each
    for each of these dimensions.
    """
    sizes, strides, pads, dilations = window
    count = len(sizes)
    dims = list(x.dims)
    for i, (size, stride, pad, dilation) in enumerate(zip(*window)):
        axis = x.rank - count + i
        n = expect_static(x, axis, "pools") + sum(pad)
        dims[axis] = ((n - (size - 1) * dilation - 1) // stride + 1,)
    lead = len(flatten(x.dims[:-count]))

    def array(numbers, rest):
        return "array<i64: " + ", ".join(
            map(str, [rest] * lead + list(numbers))) + ">"
    edges = [[0, 0]] * lead + [list(pad) for pad in pads]
    start = e.scalar(initial, x.dtype)
    a, b, c = e.fresh(), e.fresh(), e.fresh()
    return e.result(
        f'"stablehlo.reduce_window"({x.name}, {start.name}) <{{padding = '
        f"dense<{edges}> : tensor<{len(edges)}x2xi64>, window_dilations = "
        f"{array(dilations, 1)}, window_dimensions = {array(sizes, 1)}, "
        f"window_strides = {array(strides, 1)}}}> ({{\n"
        f"^bb0({a}: {start.type}, {b}: {start.type}):\n"
        f"  {c} = stablehlo.{op} {a}, {b} : {start.type}\n"
        f"  stablehlo.return {c} : {start.type}\n"
        f"}}) : ({x.type}, {start.type}) -> "
        f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)


def _pool_window(x, sizes, strides, pads, dilations, ceil_mode):
    count = len(sizes)
    strides = per_dimension(strides, count) if strides not in (None, [], ()) \
        else list(sizes)
    pads, dilations = per_dimension(pads, count), per_dimension(
        dilations, count)
    edges = []
    for i, (size, stride, pad, dilation) in enumerate(
            zip(sizes, strides, pads, dilations)):
        low, high = pad if isinstance(pad, tuple) else (pad, pad)
        n = expect_static(x, x.rank - count + i, "pools")
        reach = n + low + high - dilation * (size - 1) - 1
        if ceil_mode and reach % stride:
            steps = reach // stride + 1
            # The last window has to begin inside the operand or its low pad.
            if steps * stride < n + low:
                high += steps * stride - reach
        edges.append((low, high))
    return list(sizes), strides, edges, dilations


def max_pool(e, x, sizes, strides=None, pads=0, dilations=1, ceil_mode=False,
             spatial=2):
    window = _pool_window(x, per_dimension(sizes, spatial), strides, pads,
                          dilations, ceil_mode)
    return reduce_window(e, "maximum", x, lowest(x.dtype), window)


def average_pool(e, x, sizes, strides=None, pads=0, ceil_mode=False,
                 count_pads=True, divisor=None, spatial=2):
    """Means of windows; the elements of each are counted here."""
    sizes, strides, edges, _ = window = _pool_window(
        x, per_dimension(sizes, spatial), strides, pads, 1, ceil_mode)
    sums = reduce_window(e, "add", x, 0, window)
    if divisor:
        return divide(e, sums, float(divisor))
    counts = numpy.ones([1] * len(sizes))
    declared = per_dimension(pads, spatial)
    for i, (size, stride, edge) in enumerate(zip(sizes, strides, edges)):
        n = x.dims[x.rank - spatial + i][0]
        own = declared[i] if isinstance(declared[i], tuple) \
            else (declared[i], declared[i])
        counted = numpy.zeros(n + sum(edge))
        if count_pads:
            counted[:n + sum(own)] = 1
        else:
            counted[edge[0]:edge[0] + n] = 1
        starts = range(0, len(counted) - size + 1, stride)
        axis = [1] * len(sizes)
        axis[i] = -1
        counts = counts * numpy.array(
            [counted[s:s + size].sum() for s in starts]).reshape(axis)
    counts = e.constant(counts.astype(NUMPY_TYPES[x.dtype]))
    return divide(e, sums, counts)


def adaptive_average_pool(e, x, outputs):
    """Means of equal parts of the last dimensions, or nearly equal ones."""
    count = len(outputs)
    for i, size in enumerate(outputs):
        axis = x.rank - count + i
        n = expect_static(x, axis, "pools")
        if size in (None, n):
            continue
        if size == 1:
            x = mean(e, x, [axis], keep=True)
            continue
        weights = numpy.zeros((size, n), "float32")
        for j in range(size):
            low, high = j * n // size, -(-(j + 1) * n // size)
            weights[j, low:high] = 1 / (high - low)
        x = resample(e, x, axis, weights)
    return x


def adaptive_max_pool(e, x, outputs):
    sizes = []
    for i, size in enumerate(outputs):
        n = expect_static(x, x.rank - len(outputs) + i, "pools")
        if n % size:
            raise Unsupported(f"adaptive max pooling of {n} to {size}")
        sizes.append(n // size)
    return max_pool(e, x, sizes, sizes, spatial=len(sizes))


def resample(e, x, axis, weights):
    """Dimension `axis` as weighted sums of its elements."""
    matrix = e.constant(weights.astype(NUMPY_TYPES[x.dtype]))
    return move_axis(e, e.dot(x, matrix, ([axis], [1])), -1, axis)


def chosen_weights(n, size, place):
    """Of each of `size` elements: one of n, at `place` of its number, as far as
    there is one."""
    weights = numpy.zeros((size, n), "float32")
    for j in range(size):
        weights[j, min(max(place(j), 0), n - 1)] = 1
    return weights


def nearest_weights(n, size, scale=None):
    """As PyTorch, which computes places in f32, resizes to the nearest."""
    step = numpy.float32(1 / scale if scale else n / size)
    return chosen_weights(n, size,
                          lambda j: math.floor(numpy.float32(j) * step))


def linear_weights(n, size, align_corners, scale=None):
    weights = numpy.zeros((size, n))
    for j in range(size):
        if align_corners:
            at = j * (n - 1) / (size - 1) if size > 1 else 0.0
        else:
            step = 1 / scale if scale else n / size
            at = max((j + 0.5) * step - 0.5, 0.0)
        low = min(int(at), n - 1)
        high = min(low + 1, n - 1)
        weights[j, low] += 1 - (at - low)
        weights[j, high] += at - low
    return weights.astype("float32")


def resize(e, x, outputs, weights_of, scales=None):
    """Resizes the last dimensions, each by a matrix of `weights_of`."""
    count = len(outputs)
    for i, size in enumerate(outputs):
        axis = x.rank - count + i
        n = expect_static(x, axis, "resizes")
        scale = scales[i] if scales else None
        if n == size and scale in (None, 1):
            continue
        x = resample(e, x, axis, weights_of(n, size, scale))
    return x


def with_samples(emit):
    """A function of images that accepts one without a batch dimension."""
    def wrapped(e, x, *args, spatial=2, **named):
        if x.rank == spatial + 2:
            return emit(e, x, *args, spatial=spatial, **named)
        return squeeze(e, emit(e, unsqueeze(e, x, 0), *args, spatial=spatial,
                               **named), [0])
    return wrapped
