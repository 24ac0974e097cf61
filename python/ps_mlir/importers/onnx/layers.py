# SPDX-License-Identifier: Apache-2.0
"""Ops of ONNX that are layers, and those of ai.onnx.ml that prepare columns."""

import math

import numpy

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import normalization as n
from ps_mlir.importers.stablehlo import products as p
from ps_mlir.importers.stablehlo import reductions as r
from ps_mlir.importers.stablehlo import windows as w
from ps_mlir.importers.stablehlo.movement import concatenate, swap
from ps_mlir.importers.onnx.table import op
from ps_mlir.importers.stablehlo.shapes import Unsupported, size_of


@op("MatMul")
def _matmul(c, x, y):
    return p.matmul(c.e, *c.tensors(x, y))


@op("Gemm")
def _gemm(c, x, y, bias=None):
    x, y = c.tensors(x, y)
    if c.attribute("transA", 0):
        x = swap(c.e, x, 0, 1)
    if c.attribute("transB", 0):
        result = p.linear(c.e, x, y)
    else:
        result = p.matmul(c.e, x, y)
    alpha, beta = c.attribute("alpha", 1.0), c.attribute("beta", 1.0)
    if alpha != 1:
        result = a.multiply(c.e, result, alpha)
    if bias is None or beta == 0:
        return result
    bias = c.tensor(bias)
    return a.add(c.e, result, bias if beta == 1 else a.multiply(
        c.e, bias, beta))


@op("Einsum")
def _einsum(c, x, y):
    """Products of two operands whose letters are batches, sums or kept."""
    equation = c.text("equation", "").replace(" ", "")
    inputs, arrow, output = equation.partition("->")
    left, _, right = inputs.partition(",")
    if not arrow or "." in equation or len(set(left)) < len(left) or \
            len(set(right)) < len(right):
        raise Unsupported(f"the equation '{equation}'")
    x, y = c.tensors(x, y)
    batch = [k for k in left if k in right and k in output]
    summed = [k for k in left if k in right and k not in output]
    kept = batch + [k for k in left if k not in right] + [
        k for k in right if k not in left]
    if sorted(kept) != sorted(output):
        raise Unsupported(f"the equation '{equation}'")

    def axes(letters, operand):
        return [operand.index(k) for k in letters]
    result = c.e.dot(x, y, (axes(summed, left), axes(summed, right)),
                     (axes(batch, left), axes(batch, right)))
    return c.e.transpose(result, [kept.index(k) for k in output])


def _pads(c, x, kernel, strides, dilations):
    """(low, high) for each spatial dimension."""
    auto, count = c.text("auto_pad", "NOTSET"), len(kernel)
    if auto == "VALID":
        return [(0, 0)] * count
    if auto == "NOTSET":
        pads = c.attribute("pads") or [0] * (2 * count)
        return list(zip(pads[:count], pads[count:]))
    result = []
    for size, k, stride, dilation in zip(
            [dim[0] for dim in x.dims[2:]], kernel, strides, dilations):
        reach = (k - 1) * dilation + 1
        total = max((-(-size // stride) - 1) * stride + reach - size, 0)
        low = total // 2 if auto == "SAME_UPPER" else total - total // 2
        result.append((low, total - low))
    return result


@op("Conv")
def _convolution(c, x, kernel, bias=None):
    x, kernel = c.tensors(x, kernel)
    count = kernel.rank - 2
    strides = list(c.attribute("strides") or [1] * count)
    dilations = list(c.attribute("dilations") or [1] * count)
    pads = _pads(c, x, [dim[0] for dim in kernel.dims[2:]], strides,
                 dilations)
    return p.convolution(c.e, x, kernel, c.tensor(bias), strides, pads,
                         dilations, c.attribute("group", 1))


@op("ConvTranspose")
def _transposed(c, x, kernel, bias=None):
    x, kernel = c.tensors(x, kernel)
    count = kernel.rank - 2
    if c.attribute("output_shape") or c.text("auto_pad",
                                             "NOTSET") != "NOTSET":
        raise Unsupported("ConvTranspose with auto_pad or output_shape")
    strides = list(c.attribute("strides") or [1] * count)
    dilations = list(c.attribute("dilations") or [1] * count)
    pads = _pads(c, x, [1] * count, strides, dilations)
    extra = list(c.attribute("output_padding") or [0] * count)
    return p.transposed_convolution(c.e, x, kernel, c.tensor(bias), strides,
                                    pads, extra, dilations,
                                    c.attribute("group", 1))


def _window(c, x):
    sizes = list(c.attribute("kernel_shape"))
    strides = list(c.attribute("strides") or [1] * len(sizes))
    dilations = list(c.attribute("dilations") or [1] * len(sizes))
    return sizes, strides, _pads(c, x, sizes, strides, dilations), dilations


@op("MaxPool")
def _max_pool(c, x):
    sizes, strides, pads, dilations = _window(c, x)
    return w.max_pool(c.e, x, sizes, strides, pads, dilations,
                      bool(c.attribute("ceil_mode", 0)), spatial=len(sizes))


@op("AveragePool")
def _average_pool(c, x):
    sizes, strides, pads, dilations = _window(c, x)
    if any(step != 1 for step in dilations):
        raise Unsupported("AveragePool with dilations")
    return w.average_pool(c.e, x, sizes, strides, pads,
                          bool(c.attribute("ceil_mode", 0)),
                          bool(c.attribute("count_include_pad", 0)),
                          spatial=len(sizes))


@op("GlobalAveragePool")
def _global_average(c, x):
    return r.mean(c.e, x, list(range(2, x.rank)), keep=True)


@op("GlobalMaxPool")
def _global_maximum(c, x):
    return r.maximum(c.e, x, list(range(2, x.rank)), keep=True)


@op("Resize")
def _resize(c, x, roi=None, scales=None, sizes=None):
    mode = c.text("mode", "nearest")
    how = c.text("coordinate_transformation_mode", "half_pixel")
    policy = c.text("keep_aspect_ratio_policy", "stretch")
    if c.attribute("antialias", 0) or c.attribute("axes") or \
            policy != "stretch":
        raise Unsupported("Resize with antialias, axes or "
                          "keep_aspect_ratio_policy")
    if sizes is not None:
        outputs, factors = c.sizes(sizes)[2:], None
    else:
        factors = scales.array.tolist()[2:]
        outputs = [int(size_of(dim) * scale)
                   for dim, scale in zip(x.dims[2:], factors)]
    if mode == "nearest" and how in ("asymmetric", "half_pixel"):
        rounding = _ROUNDINGS[c.text("nearest_mode", "round_prefer_floor")]
        middle = 0.5 if how == "half_pixel" else 0
        return w.resize(c.e, x, outputs, lambda n, size, scale: (
            w.chosen_weights(n, size, lambda j: rounding(
                (j + middle) / (scale or size / n) - middle))), factors)
    # "pytorch_half_pixel" takes the first element for a size of 1, and runtimes
    # differ in where corners are that no factor of a size hits.
    is_whole = factors is None or all(
        size_of(dim) * scale == size
        for dim, scale, size in zip(x.dims[2:], factors, outputs))
    if mode == "linear" and (how == "half_pixel" or
                             how == "align_corners" and is_whole or
                             how == "pytorch_half_pixel" and
                             1 not in outputs):
        return w.resize(c.e, x, outputs, lambda n, size, scale: (
            w.linear_weights(n, size, how == "align_corners", scale)), factors)
    raise Unsupported(f"resizing by {mode}, {how}")


_ROUNDINGS = {
    "floor": math.floor, "ceil": math.ceil,
    "round_prefer_floor": lambda at: math.ceil(at - 0.5),
    "round_prefer_ceil": lambda at: math.floor(at + 0.5)}


# Norms.

@op("BatchNormalization")
def _batch_norm(c, x, weight, bias, average, variance):
    if c.attribute("training_mode", 0):
        raise Unsupported("training_mode = 1: export the model in evaluation "
                          "mode, whose statistics stay as they are")
    return n.batch_norm(c.e, x, *map(c.tensor, (weight, bias, average,
                                                variance)),
                        c.attribute("epsilon", 1e-5))


@op("LayerNormalization")
def _layer_norm(c, x, weight, bias=None):
    axes = x.rank - c.attribute("axis", -1) % x.rank
    return n.layer_norm(c.e, x, axes, c.tensor(weight), c.tensor(bias),
                        c.attribute("epsilon", 1e-5))


@op("RMSNormalization")
def _rms_norm(c, x, weight):
    axes = x.rank - c.attribute("axis", -1) % x.rank
    return n.rms_norm(c.e, x, axes, c.tensor(weight),
                      c.attribute("epsilon", 1e-5))


@op("InstanceNormalization")
def _instance_norm(c, x, weight, bias):
    return n.instance_norm(c.e, x, c.tensor(weight), c.tensor(bias),
                           c.attribute("epsilon", 1e-5))


@op("GroupNormalization")
def _group_norm(c, x, weight, bias):
    weight, bias = c.tensor(weight), c.tensor(bias)
    groups = c.attribute("num_groups")
    if weight.dims[0][0] != x.dims[1][0]:
        raise Unsupported("GroupNormalization with a scale per group")
    return n.group_norm(c.e, x, groups, weight, bias,
                        c.attribute("epsilon", 1e-5))


# What prepares columns, of ai.onnx.ml.

@op("Scaler")
def _scaler(c, x):
    x = c.e.convert(x, "f32")
    for name, function in (("offset", a.subtract), ("scale", a.multiply)):
        values = numpy.array(c.attribute(name), "float32")
        x = function(c.e, x, c.e.constant(values))
    return x


@op("Normalizer")
def _normalizer(c, x):
    kind = c.text("norm", "MAX")
    if kind == "MAX":
        sizes = r.maximum(c.e, x, [1], keep=True)
    else:
        sizes = r.norm(c.e, x, {"L1": 1, "L2": 2}[kind], [1], keep=True)
    return a.divide(c.e, x, sizes)


@op("FeatureVectorizer")
def _features(c, *values):
    return concatenate(c.e, [c.e.convert(v, "f32") for v in values], 1)
