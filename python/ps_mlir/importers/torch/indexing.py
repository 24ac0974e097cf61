# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen that read or write at indices."""

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import indexing as i
from ps_mlir.importers.stablehlo import reductions as r
from ps_mlir.importers.torch.aten import aten
from ps_mlir.importers.stablehlo.movement import unsqueeze
from ps_mlir.importers.stablehlo.shapes import BATCH, Unsupported, normalize, refine


@aten("embedding")
def _embedding(c, table, ids, padding=-1, scale_by_frequency=False, sparse=0):
    _expect_plain_gradient(scale_by_frequency)
    return i.embedding(c.e, table, ids, padding)


def _expect_plain_gradient(scale_by_frequency):
    if scale_by_frequency:
        raise Unsupported("scale_grad_by_freq")


@aten("embedding_bag", "embedding_bag.padding_idx", "_embedding_bag")
def _embedding_bag(c, table, ids, offsets, scale_by_frequency=False, mode=0,
                   sparse=False, weights=None, include_last=False,
                   padding=None):
    """Bags of one length: a bag of each row of ids, as nn.EmbeddingBag makes
    them of a matrix."""
    _expect_plain_gradient(scale_by_frequency)
    start, length = c.e.ranges.get(offsets.name, (None, None))
    (dim,), (bags,) = ids.dims, offsets.dims
    if start != 0 or include_last or bags != (BATCH,) and (
            BATCH in bags or bags[0] * length != dim[0]) or (
            bags == (BATCH,) and normalize((BATCH, length)) != dim):
        raise Unsupported("bags of different lengths: write a ps.lookup with "
                          "segments (docs/Data.md)")
    shape = (bags, (length,))
    padding = None if padding is not None and padding < 0 else padding
    rows = i.embedding(c.e, table, c.e.reshape(ids, shape), padding)
    return _pool(c, rows, c.e.reshape(ids, shape), mode, weights, padding)


def _pool(c, rows, ids, mode, weights, padding):
    """Sums, means or maxima over bags; padding does not count."""
    counted = None
    if padding is not None:
        counted = unsqueeze(c.e, c.e.convert(a.compare(
            c.e, "NE", ids, padding), rows.dtype), 2)
    if weights is not None:
        shape = (*ids.dims, (1,))
        rows = a.multiply(c.e, rows, c.e.reshape(weights, shape))
    if mode == 2:
        if counted is not None:
            raise Unsupported("embedding_bag of mode max with padding_idx")
        return [r.maximum(c.e, rows, [1])]
    if counted is not None:
        rows = a.multiply(c.e, rows, counted)
    if mode == 0:
        return [r.total(c.e, rows, [1])]
    if counted is None:
        return [r.mean(c.e, rows, [1])]
    sizes = r.total(c.e, counted, [1])
    return [a.divide(c.e, r.total(c.e, rows, [1]),
                     a.maximum(c.e, sizes, a.like(c.e, sizes, 1)))]


@aten("index_select")
def _index_select(c, x, axis, index):
    return i.index_select(c.e, x, axis, index)


@aten("index.Tensor", "_unsafe_index.Tensor")
def _index(c, x, indices):
    kept = [index for index in indices if index is not None]
    if any(index.dtype == "i1" for index in kept):
        raise Unsupported("a selection by a mask, whose size depends on "
                          "values: multiply by the mask, or use torch.where")
    if indices[0] is not None and x.dims[0] == (BATCH,) and \
            c.e.is_range(indices[0]) and BATCH in indices[0].shape:
        return i.take_of_samples(c.e, x, indices[0], list(indices[1:]))
    return i.take(c.e, x, list(indices))


@aten("gather")
def _gather(c, x, axis, index, **_):
    x, index = _same_factors(c, x, index, axis)
    return i.take_along(c.e, x, axis, index)


def _same_factors(c, x, index, axis):
    """Both with dimensions of the same factors where their sizes agree."""
    dims = [list(value.dims) for value in (x, index)]
    for n in range(x.rank):
        if n != axis % x.rank and BATCH in x.dims[n]:
            dims[0][n] = dims[1][n] = refine(x.dims[n], index.dims[n])
    return c.e.reshape(x, tuple(dims[0])), c.e.reshape(index, tuple(dims[1]))


@aten("scatter.src", "scatter.value")
def _scatter(c, x, axis, index, value):
    return _scattered(c, x, axis, index, value, None)


@aten("scatter_add")
def _scatter_add(c, x, axis, index, value):
    return _scattered(c, x, axis, index, value, "add")


def _scattered(c, x, axis, index, value, op):
    x, index = _same_factors(c, x, index, axis)
    if isinstance(value, (int, float)):
        value = c.e.full(value, index.dims, x.dtype)
    return i.scatter_along(c.e, x, axis, index, value, op)


@aten("index_add")
def _index_add(c, x, axis, index, updates, alpha=1):
    if alpha != 1:
        updates = a.multiply(c.e, updates, alpha)
    return i.add_slices(c.e, x, axis, index, updates)


@aten("index_put", "_unsafe_index_put")
def _index_put(c, x, indices, values, accumulate=False):
    if len(indices) == 1 and indices[0].dtype == "i1" and not accumulate \
            and values.rank == 0:
        mask = indices[0]
        for _ in range(x.rank - mask.rank):
            mask = unsqueeze(c.e, mask, mask.rank)
        return a.where(c.e, mask, c.cast(values), x, c.dtype)
    return i.put(c.e, x, list(indices), values, "add" if accumulate else None)


@aten("select_scatter")
def _select_scatter(c, x, part, axis, index):
    axis %= x.rank
    wide = unsqueeze(c.e, part, axis)
    index %= x.dims[axis][0]
    return _replace(c, x, wide, axis, index, index + 1)


@aten("slice_scatter")
def _slice_scatter(c, x, part, axis=0, start=None, end=None, step=1):
    axis %= x.rank
    if step != 1:
        raise Unsupported("slice_scatter with a step")
    if part.dims == x.dims:
        return part
    if BATCH in x.dims[axis]:
        raise Unsupported("assigns to a part of the samples")
    start, end, _ = slice(start, end).indices(x.dims[axis][0])
    return _replace(c, x, part, axis, start, end)


def _replace(c, x, part, axis, start, end):
    from ps_mlir.importers.stablehlo.movement import concatenate, narrow
    pieces = [narrow(c.e, x, axis, 0, start), c.cast(part),
              narrow(c.e, x, axis, end, x.dims[axis][0])]
    return concatenate(c.e, [piece for piece in pieces
                             if piece.dims[axis] != (0,)], axis)


@aten("one_hot")
def _one_hot(c, index, classes=-1):
    if classes < 0:
        raise Unsupported("one_hot without num_classes")
    return i.one_hot(c.e, index, classes, c.dtype)


@aten("bucketize.Tensor", "searchsorted.Tensor")
def _bucketize(c, x, boundaries, right=False, **_):
    """How many boundaries are less than x, or not above it."""
    if boundaries.rank != 1:
        x, boundaries = boundaries, x
    wide = unsqueeze(c.e, x, x.rank)
    below = a.compare(c.e, "LE" if right else "LT", boundaries, wide)
    return r.total(c.e, c.cast(below), [-1])
