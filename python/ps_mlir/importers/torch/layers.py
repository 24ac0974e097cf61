# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen that are layers: products, convolutions, pools, norms."""

from ps_mlir.importers.stablehlo import normalization as n
from ps_mlir.importers.stablehlo import products as p
from ps_mlir.importers.stablehlo import windows as w
from ps_mlir.importers.torch.aten import aten
from ps_mlir.importers.stablehlo.shapes import Unsupported


@aten("mm", "bmm", "matmul", "mv", "dot")
def _matmul(c, x, y):
    return p.matmul(c.e, x, y)


@aten("addmm", "baddbmm", "addmv")
def _addmm(c, bias, x, y, *, beta=1, alpha=1):
    return p.scaled_product(c.e, bias, x, y, beta, alpha)


@aten("linear")
def _linear(c, x, weight, bias=None):
    return p.linear(c.e, x, weight, bias)


@aten("bilinear")
def _bilinear(c, x, y, weight, bias=None):
    from ps_mlir.importers.stablehlo.arithmetic import add
    result = p.bilinear(c.e, x, weight, y)
    return result if bias is None else add(c.e, result, bias)


@aten("scaled_dot_product_attention")
def _attention(c, query, key, value, mask=None, dropout=0.0, causal=False, *,
               scale=None, enable_gqa=False):
    if dropout:
        raise Unsupported(f"attention with dropout_p = {dropout}, which draws "
                          "random numbers")
    if enable_gqa:
        times = query.dims[-3][0] // key.dims[-3][0]
        key, value = (p.repeat_heads(c.e, x, times) for x in (key, value))
    return p.attention(c.e, query, key, value, mask, causal, scale)


@aten("convolution")
def _convolution(c, x, kernel, bias, strides, pads, dilations, transposed,
                 output_pads, groups):
    if transposed:
        return p.transposed_convolution(c.e, x, kernel, bias, strides, pads,
                                        output_pads, dilations, groups)
    return p.convolution(c.e, x, kernel, bias, strides, pads, dilations,
                         groups)


# Pools.

def _pool(emit, spatial):
    wrapped = w.with_samples(emit)

    def pool(c, x, *args, **named):
        return wrapped(c.e, x, *args, spatial=spatial, **named)
    return pool


aten("max_pool1d")(_pool(w.max_pool, 1))
aten("max_pool2d")(_pool(w.max_pool, 2))
aten("max_pool3d")(_pool(w.max_pool, 3))
aten("avg_pool1d")(_pool(w.average_pool, 1))
aten("avg_pool2d")(_pool(w.average_pool, 2))
aten("avg_pool3d")(_pool(w.average_pool, 3))


@aten("max_pool2d_with_indices", "max_pool3d_with_indices")
def _max_pool_indices(c, x, sizes, strides=(), pads=0, dilations=1,
                      ceil_mode=False):
    values = w.max_pool(c.e, x, sizes, list(strides), pads, dilations,
                        ceil_mode, spatial=len(sizes))
    return [values]


@aten("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
      "_adaptive_avg_pool2d", "_adaptive_avg_pool3d")
def _adaptive_average(c, x, outputs):
    return w.adaptive_average_pool(c.e, x, list(outputs))


@aten("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d")
def _adaptive_max(c, x, outputs):
    return [w.adaptive_max_pool(c.e, x, list(outputs))]


def _outputs(c, x):
    return [size for size in c.sizes[2:]]


def _scales(*given):
    """Given as a list, or one by one; None where only sizes are."""
    scales = []
    for each in given:
        scales += each if isinstance(each, (list, tuple)) else [each]
    return scales if scales and None not in scales else None


@aten("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d",
      "upsample_nearest1d.vec", "upsample_nearest2d.vec",
      "upsample_nearest3d.vec")
def _nearest(c, x, size=None, *scales, **named):
    return w.resize(c.e, x, _outputs(c, x), w.nearest_weights,
                    _scales(*scales, *named.values()))


@aten("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d",
      "upsample_linear1d.vec", "upsample_bilinear2d.vec",
      "upsample_trilinear3d.vec")
def _linear_resize(c, x, size, align_corners, *scales, **named):
    return w.resize(c.e, x, _outputs(c, x), lambda n, size, scale: (
        w.linear_weights(n, size, align_corners, scale)),
        _scales(*scales, *named.values()))


# Norms.

@aten("layer_norm")
def _layer_norm(c, x, shape, weight=None, bias=None, epsilon=1e-5, *_):
    return n.layer_norm(c.e, x, len(shape), weight, bias, epsilon)


@aten("native_layer_norm")
def _native_layer_norm(c, x, shape, weight, bias, epsilon):
    return [n.layer_norm(c.e, x, len(shape), weight, bias, epsilon)]


@aten("rms_norm")
def _rms_norm(c, x, shape, weight=None, epsilon=None):
    return n.rms_norm(c.e, x, len(shape), weight, epsilon)


@aten("group_norm")
def _group_norm(c, x, groups, weight=None, bias=None, epsilon=1e-5, *_):
    return n.group_norm(c.e, x, groups, weight, bias, epsilon)


@aten("native_group_norm")
def _native_group_norm(c, x, weight, bias, _n, _c, _hw, groups, epsilon):
    return [n.group_norm(c.e, x, groups, weight, bias, epsilon)]


@aten("instance_norm")
def _instance_norm(c, x, weight, bias, average, variance, use_input, momentum,
                   epsilon, *_):
    if not use_input or average is not None:
        raise Unsupported("instance_norm with track_running_stats")
    return n.instance_norm(c.e, x, weight, bias, epsilon)


@aten("_native_batch_norm_legit_functional")
def _train_batch_norm(c, x, weight, bias, average, variance, training,
                      momentum, epsilon):
    if not training:
        result = n.batch_norm(c.e, x, weight, bias, average, variance,
                              epsilon)
        return [result, None, None, average, variance]
    return n.train_batch_norm(c.e, x, weight, bias, (average, variance),
                              momentum, epsilon)


@aten("_native_batch_norm_legit.no_stats")
def _batch_norm_without_statistics(c, x, weight, bias, training, momentum,
                                   epsilon):
    return n.train_batch_norm(c.e, x, weight, bias, None, momentum, epsilon)


@aten("_native_batch_norm_legit_no_training")
def _eval_batch_norm(c, x, weight, bias, average, variance, momentum,
                     epsilon):
    return [n.batch_norm(c.e, x, weight, bias, average, variance, epsilon)]


@aten("batch_norm")
def _batch_norm(c, x, weight, bias, average, variance, training, momentum,
                epsilon, _cudnn):
    if not training:
        return n.batch_norm(c.e, x, weight, bias, average, variance, epsilon)
    return n.train_batch_norm(c.e, x, weight, bias, None, momentum,
                              epsilon)[0]
