# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen that reduce, normalize or order along dimensions."""

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import indexing as i
from ps_mlir.importers.stablehlo import reductions as r
from ps_mlir.importers.torch.aten import TABLE, aten
from ps_mlir.importers.stablehlo.movement import narrow, select, unsqueeze
from ps_mlir.importers.stablehlo.shapes import Unsupported


@aten("sum", "sum.dim_IntList")
def _sum(c, x, axes=None, keep=False, **_):
    return r.total(c.e, c.cast(x), axes, keep)


@aten("mean", "mean.dim")
def _mean(c, x, axes=None, keep=False, **_):
    return r.mean(c.e, c.cast(x), axes, keep)


@aten("prod", "prod.dim_int")
def _product(c, x, axes=None, keep=False, **_):
    return r.product(c.e, c.cast(x), axes, keep)


@aten("amax", "max")
def _maximum(c, x, axes=None, keep=False):
    return r.maximum(c.e, x, axes, keep)


@aten("amin", "min")
def _minimum(c, x, axes=None, keep=False):
    return r.minimum(c.e, x, axes, keep)


@aten("max.dim")
def _max_dim(c, x, axis, keep=False):
    return i.extreme_with_index(c.e, x, axis, keep)


@aten("min.dim")
def _min_dim(c, x, axis, keep=False):
    return i.extreme_with_index(c.e, x, axis, keep, smallest=True)


@aten("argmax")
def _argmax(c, x, axis=None, keep=False):
    return _arg(c, x, axis, keep, False)


@aten("argmin")
def _argmin(c, x, axis=None, keep=False):
    return _arg(c, x, axis, keep, True)


def _arg(c, x, axis, keep, smallest):
    if axis is None:
        raise Unsupported("the index of an extreme over all dimensions")
    return r.arg_extreme(c.e, c.e.stop_gradient(x), axis, keep, smallest)


@aten("any", "any.dim", "any.dims")
def _any(c, x, axes=None, keep=False):
    return r.any_of(c.e, a.logical(c.e, x), axes, keep)


@aten("all", "all.dim", "all.dims")
def _all(c, x, axes=None, keep=False):
    return r.all_of(c.e, a.logical(c.e, x), axes, keep)


def _correction(unbiased, correction):
    if correction is not None:
        return correction
    return 0 if unbiased is False else 1


@aten("var.correction", "var.dim", "var")
def _variance(c, x, axes=None, unbiased=None, keepdim=False, *,
              correction=None):
    if isinstance(axes, bool):
        axes, unbiased = None, axes
    return r.variance(c.e, x, axes, _correction(unbiased, correction),
                      keepdim)


@aten("std.correction", "std.dim", "std")
def _deviation(c, x, axes=None, unbiased=None, keepdim=False, *,
               correction=None):
    return r.safe_root(c.e, _variance(c, x, axes, unbiased, keepdim,
                                      correction=correction))


@aten("var_mean.correction", "var_mean.dim")
def _variance_and_mean(c, x, axes=None, unbiased=None, keepdim=False, *,
                       correction=None):
    return (_variance(c, x, axes, unbiased, keepdim, correction=correction),
            r.mean(c.e, x, axes, keepdim))


@aten("_softmax", "softmax.int", "_safe_softmax")
def _softmax(c, x, axis, *_, **__):
    return r.softmax(c.e, c.cast(x), axis)


@aten("_log_softmax", "log_softmax.int")
def _log_softmax(c, x, axis, *_, **__):
    return r.log_softmax(c.e, c.cast(x), axis)


@aten("logsumexp")
def _log_sum_exp(c, x, axes, keep=False):
    return r.log_sum_exp(c.e, x, axes, keep)


@aten("linalg_vector_norm")
def _norm(c, x, order=2, axes=None, keep=False, **_):
    return r.norm(c.e, x, order, axes, keep)


@aten("norm.ScalarOpt_dim", "norm.Scalar")
def _old_norm(c, x, order=2, axes=None, keep=False):
    return r.norm(c.e, x, 2 if order is None else order, axes, keep)


@aten("cumsum")
def _cumulative_sum(c, x, axis, **_):
    return r.cumulative_sum(c.e, c.cast(x), axis) if x.rank else c.cast(x)


@aten("topk")
def _top(c, x, count, axis=-1, largest=True, in_order=True):
    return i.top(c.e, x, count, axis, largest)


@aten("sort", "sort.stable")
def _sort(c, x, *args, **named):
    axis, descending = _order(args, named)
    return i.sort(c.e, x, axis, descending)


@aten("median.dim")
def _median(c, x, axis=-1, keep=False):
    """The lower one of two in the middle, and its index."""
    middle = (x.dims[axis][0] - 1) // 2
    parts = i.sort(c.e, x, axis)
    return tuple(narrow(c.e, part, axis, middle, middle + 1) if keep
                 else select(c.e, part, axis, middle) for part in parts)


@aten("argsort", "argsort.stable")
def _argsort(c, x, *args, **named):
    axis, descending = _order(args, named)
    return i.sort(c.e, x, axis, descending)[1]


def _order(args, named):
    axis = args[0] if args else named.get("dim", -1)
    descending = args[1] if len(args) > 1 else named.get("descending", False)
    return axis, descending


@aten("cosine_similarity")
def _cosine(c, x, y, axis=1, epsilon=1e-8):
    """x . y over norms that are at least epsilon."""
    x, y = a.broadcast(c.e, x, y)
    dot = r.total(c.e, c.e.binary("multiply", x, y), [axis])
    sizes = [c.e.binary("maximum", n, a.like(c.e, n, epsilon)) for n in (
        r.safe_norm(c.e, v, [axis]) for v in (x, y))]
    return a.divide(c.e, dot, c.e.binary("multiply", *sizes))


@aten("_cdist_forward", "_euclidean_dist")
def _distances(c, x, y, p=2.0, *_):
    gaps = a.subtract(c.e, unsqueeze(c.e, x, -2), unsqueeze(c.e, y, -3))
    return r.norm(c.e, gaps, p, [-1])


@aten("pairwise_distance")
def _distance(c, x, y, p=2.0, epsilon=1e-6, keep=False):
    gap = a.add(c.e, a.subtract(c.e, x, y), epsilon)
    return r.norm(c.e, gap, p, [-1], keep)


TABLE["logit.default"] = lambda c, x, eps=None: c.e.binary(
    "subtract", *(c.e.unary(op, v) for op, v in zip(
        ("log", "log_plus_one"), _logit_parts(c, x, eps))))


def _logit_parts(c, x, eps):
    if eps is not None:
        x = a.clamp(c.e, x, eps, 1 - eps)
    return x, c.e.unary("negate", x)
