# SPDX-License-Identifier: Apache-2.0
"""Matrix products, convolutions and attention."""

import math

from ps_mlir.importers.stablehlo.arithmetic import (add, broadcast_to, like, multiply,
                                          where)
from ps_mlir.importers.stablehlo.emitter import expect_static
from ps_mlir.importers.stablehlo.movement import diagonal_mask, squeeze, swap, unsqueeze
from ps_mlir.importers.stablehlo.reductions import any_of, softmax
from ps_mlir.importers.stablehlo.shapes import BATCH, Unsupported, broadcast_dims, size_of
from ps_mlir.importers.stablehlo.windows import per_dimension


def matmul(e, x, y):
    """Products of matrices, or vectors, in the last two dimensions."""
    x, y = same_types(e, x, y)
    if x.rank == 1:
        return squeeze(e, matmul(e, unsqueeze(e, x, 0), y), [-2]) \
            if y.rank > 1 else e.dot(x, y, ([0], [0]))
    if y.rank <= 2:
        return e.dot(x, y, ([x.rank - 1], [0]))
    lead = broadcast_dims([x.dims[:-2], y.dims[:-2]])
    x = broadcast_to(e, x, (*lead, *x.dims[-2:]))
    y = broadcast_to(e, y, (*lead, *y.dims[-2:]))
    batching = list(range(len(lead)))
    return e.dot(x, y, ([x.rank - 1], [y.rank - 2]), (batching, batching))


def same_types(e, x, y):
    if x.dtype == y.dtype:
        return x, y
    raise Unsupported(f"a product of {x.dtype} and {y.dtype}")


def linear(e, x, weight, bias=None):
    """x weight^T + bias."""
    x, weight = same_types(e, x, weight)
    result = e.dot(x, weight, ([x.rank - 1], [weight.rank - 1]))
    return result if bias is None else add(e, result, bias)


def scaled_product(e, bias, x, y, beta=1, alpha=1):
    """beta * bias + alpha * x y."""
    result = matmul(e, x, y)
    if alpha != 1:
        result = multiply(e, result, float(alpha))
    if bias is None or beta == 0:
        return result
    return add(e, result, bias if beta == 1 else multiply(
        e, bias, float(beta)))


def attention(e, query, key, value, mask=None, causal=False, scale=None):
    """softmax(query key^T scale + mask) value.

    Masked scores are a large negative number, not infinite: a row without any
    other score then has finite derivatives, and is set to zeros.
    """
    if query.rank != key.rank:
        raise Unsupported("attention of different ranks")
    scale = 1 / math.sqrt(size_of(query.dims[-1])) if scale is None else scale
    scores = matmul(e, multiply(e, query, float(scale)), swap(e, key, -1, -2))
    if causal:
        seen = diagonal_mask(e, scores.dims[-2:], 0, upper=False)
        scores = where(e, seen, scores, like(e, scores, -1e30))
    if mask is not None and mask.dtype != "i1":
        scores, mask = add(e, scores, mask), None
    if mask is not None:
        scores = where(e, mask, scores, like(e, scores, -1e30))
    weights = softmax(e, scores, scores.rank - 1)
    if mask is not None:
        some = any_of(e, mask, [-1], keep=True)
        weights = where(e, some, weights, like(e, weights, 0))
    return matmul(e, weights, value)


def repeat_heads(e, x, count):
    """Each head `count` times, for grouped queries."""
    size = expect_static(x, x.rank - 3, "repeats heads")
    parts = (*x.dims[:-2], (1,), *x.dims[-2:])
    wide = (*x.dims[:-2], (count,), *x.dims[-2:])
    x = broadcast_to(e, e.reshape(x, parts), wide)
    return e.reshape(x, (*x.dims[:-4], (size * count,), *x.dims[-2:]))


# Convolutions.

def emit_convolution(e, x, kernel, layout, window, groups):
    """A convolution of x [n, c, ..]; `layout` names the kernel's dimensions.

    `window` has strides, pads, dilations of x and dilations of the kernel.
    """
    strides, pads, dilations_x, dilations = window
    count = len(strides)
    space = ", ".join(map(str, range(count)))
    spatial = []
    for size, n, stride, pad, spread, dilation in zip(
            [dim[0] for dim in x.dims[2:]], [d[0] for d in kernel.dims[2:]],
            strides, pads, dilations_x, dilations):
        padded = (size - 1) * spread + 1 + sum(pad)
        spatial.append((padded - (n - 1) * dilation - 1) // stride + 1)
    outputs = kernel.dims[layout.index("o")][0]
    dims = (x.dims[0], (outputs,), *((n,) for n in spatial))
    kinds = ", ".join(layout)
    result = f"tensor<{'x'.join(_sizes(dims))}x{x.dtype}>"
    return e.result(
        f"stablehlo.convolution({x.name}, {kernel.name}) dim_numbers = "
        f"[b, f, {space}]x[{kinds}, {space}]->[b, f, {space}], window = "
        f"{{stride = {strides}, pad = {[list(pad) for pad in pads]}, "
        f"lhs_dilate = {dilations_x}, rhs_dilate = {dilations}}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : "
        f"i64}} : ({x.type}, {kernel.type}) -> {result}", dims, x.dtype)


def _sizes(dims):
    return ["?" if dim[0] is BATCH else str(dim[0]) for dim in dims]


def convolution(e, x, kernel, bias=None, strides=1, pads=0, dilations=1,
                groups=1):
    """x [n, c, ..] with a kernel [o, c / groups, ..]; pads are (low, high)
    pairs or one number for both."""
    count = kernel.rank - 2
    has_samples = x.rank == kernel.rank
    if not has_samples:
        x = unsqueeze(e, x, 0)
    _expect_image(x)
    strides = per_dimension(strides, count)
    dilations = per_dimension(dilations, count)
    pads = [pad if isinstance(pad, tuple) else (pad, pad)
            for pad in per_dimension(pads, count)]
    window = (strides, pads, [1] * count, dilations)
    result = emit_convolution(e, x, kernel, "oi", window, groups)
    return _finish(e, result, bias, has_samples)


def transposed_convolution(e, x, kernel, bias=None, strides=1, pads=0,
                           output_pads=0, dilations=1, groups=1):
    """The gradient of a convolution: kernel [c, o / groups, ..] reversed."""
    count = kernel.rank - 2
    has_samples = x.rank == kernel.rank
    if not has_samples:
        x = unsqueeze(e, x, 0)
    _expect_image(x)
    strides = per_dimension(strides, count)
    dilations = per_dimension(dilations, count)
    edges = []
    for pad, extra, dilation, dim in zip(
            per_dimension(pads, count), per_dimension(output_pads, count),
            dilations, kernel.dims[2:]):
        low, high = pad if isinstance(pad, tuple) else (pad, pad)
        reach = dilation * (dim[0] - 1)
        edges.append((reach - low, reach - high + extra))
    kernel = e.reverse(kernel, list(range(2, kernel.rank)))
    kernel = _group_kernel(e, kernel, groups)
    window = ([1] * count, edges, strides, dilations)
    result = emit_convolution(e, x, kernel, "oi", window, groups)
    return _finish(e, result, bias, has_samples)


def _group_kernel(e, kernel, groups):
    """[c, o / groups, ..] as [o, c / groups, ..]."""
    inputs, outputs = kernel.dims[0][0], kernel.dims[1][0]
    rest = kernel.dims[2:]
    split = e.reshape(kernel, ((groups,), (inputs // groups,), (outputs,),
                               *rest))
    order = [0, 2, 1, *range(3, split.rank)]
    return e.reshape(e.transpose(split, order), (
        (groups * outputs,), (inputs // groups,), *rest))


def _expect_image(x):
    if any(BATCH in dim for dim in x.dims[1:]) or len(x.dims[0]) > 1:
        raise Unsupported(f"a convolution of {x}: only dimension 0 may be "
                          "the batch, and not a multiple of it")


def _finish(e, result, bias, has_samples):
    if bias is not None:
        shape = [(1,)] * result.rank
        shape[1] = bias.dims[0]
        result = add(e, result, e.reshape(bias, tuple(shape)))
    return result if has_samples else squeeze(e, result, [0])


def bilinear(e, x, weight, y):
    """x_i weight_kij y_j for each sample."""
    left = e.dot(x, weight, ([x.rank - 1], [1]))  # [.., k, j]
    lead = list(range(x.rank - 1))
    return e.dot(left, y, ([left.rank - 1], [y.rank - 1]), (lead, lead))
