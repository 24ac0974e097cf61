# SPDX-License-Identifier: Apache-2.0
"""Ops of ONNX that view, cut, join and index tensors."""

import math

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import indexing as i
from ps_mlir.importers.stablehlo import movement as m
from ps_mlir.importers.stablehlo.emitter import ELEMENT_TYPES, Tensor
from ps_mlir.importers.onnx.table import op
from ps_mlir.importers.stablehlo.shapes import (BATCH, Multiple, Unsupported, dim_of,
                                      size_of)


@op("Reshape")
def _reshape(c, x, shape):
    sizes = c.sizes(shape)
    if not c.attribute("allowzero", 0):
        sizes = [size_of(x.dims[n]) if size == 0 else size
                 for n, size in enumerate(sizes)]
    return m.view(c.e, x, _complete(x, sizes))


def _product(sizes):
    """(static factor, number of batch sizes) of a product of sizes."""
    static = math.prod(size.factor if isinstance(size, Multiple) else size
                       for size in sizes)
    return static, sum(isinstance(size, Multiple) for size in sizes)


def _complete(x, sizes):
    """Sizes with what -1 stands for."""
    if -1 not in sizes:
        return sizes
    known, batches = _product([size for size in sizes if size != -1])
    static, samples = _product([size_of(dim) for dim in x.dims])
    if not known or static % known:
        raise Unsupported(f"a view of {x} as {sizes}")
    rest = static // known
    missing = Multiple(rest) if samples > batches else rest
    return [missing if size == -1 else size for size in sizes]


@op("Flatten")
def _flatten(c, x):
    axis = c.attribute("axis", 1)
    axis = axis % x.rank if axis < 0 else axis
    sizes = []
    for part in (x.dims[:axis], x.dims[axis:]):
        static, samples = _product([size_of(dim) for dim in part])
        sizes.append(Multiple(static) if samples else static)
    return m.view(c.e, x, sizes)


@op("Transpose")
def _transpose(c, x):
    return c.e.transpose(x, c.attribute("perm") or list(
        reversed(range(x.rank))))


@op("Squeeze")
def _squeeze(c, x, axes=None):
    return m.squeeze(c.e, x, c.axes(axes))


@op("Unsqueeze")
def _unsqueeze(c, x, axes=None):
    axes = c.axes(axes)
    rank = x.rank + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        x = m.unsqueeze(c.e, x, axis)
    return x


@op("Expand")
def _expand(c, x, shape):
    x, sizes = c.tensor(x), c.sizes(shape)
    own = [size_of(dim) for dim in x.dims]
    own = [1] * (len(sizes) - len(own)) + own
    sizes = [1] * (len(own) - len(sizes)) + sizes
    return m.expand(c.e, x, [mine if size == 1 else size
                             for mine, size in zip(own, sizes)])


@op("Tile")
def _tile(c, x, counts):
    return m.repeat(c.e, x, c.sizes(counts))


@op("Concat")
def _concatenate(c, *values):
    return m.concatenate(c.e, c.tensors(*values), c.attribute("axis"))


@op("Split")
def _split(c, x, sizes=None):
    axis = c.attribute("axis", 0) % x.rank
    if sizes is not None:
        parts = c.sizes(sizes)
    elif c.attribute("split"):
        parts = list(c.attribute("split"))
    else:
        size = size_of(x.dims[axis])
        if isinstance(size, Multiple):
            raise Unsupported("splits samples")
        step = -(-size // c.outputs)
        parts = [min(step, size - n) for n in range(0, size, step)]
    return m.split(c.e, x, parts, axis)


@op("SplitToSequence")
def _split_to_sequence(c, x, sizes=None):
    """A list, of which SequenceAt takes a part."""
    axis = c.attribute("axis", 0) % x.rank
    size = size_of(x.dims[axis])
    if sizes is None:
        parts = [1] * size
    elif sizes.array.ndim == 0:
        step = c.number(sizes)
        parts = [min(step, size - n) for n in range(0, size, step)]
    else:
        parts = c.sizes(sizes)
    values = m.split(c.e, x, parts, axis)
    if sizes is None and not c.attribute("keepdims", 1):
        values = [m.squeeze(c.e, value, [axis]) for value in values]
    return [values]


@op("SequenceAt")
def _sequence_at(c, values, position):
    return values[c.number(position)]


@op("Slice")
def _slice(c, x, starts=None, ends=None, axes=None, steps=None):
    starts = c.attribute("starts") if starts is None else c.sizes(starts)
    ends = c.attribute("ends") if ends is None else c.sizes(ends)
    axes = c.axes(axes) or list(range(len(starts)))
    steps = c.sizes(steps) if steps is not None else [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        x = _slice_axis(c, x, axis % x.rank, start, end, step)
    return x


def _slice_axis(c, x, axis, start, end, step):
    if step == -1 and start == -1 and end < -10 ** 6:
        return c.e.reverse(x, [axis])
    if step < 0:
        raise Unsupported("a slice with a negative step")
    if step == 1 and start == 0 and (
            end == size_of(x.dims[axis]) or
            isinstance(end, int) and end >= 2 ** 31 - 1):
        return x
    return m.narrow(c.e, x, axis, start, end, step)


@op("Pad")
def _pad(c, x, pads=None, value=None, axes=None):
    if c.text("mode", "constant") != "constant":
        raise Unsupported(f"padding of mode {c.text('mode', '')}")
    pads = c.attribute("pads") if pads is None else c.sizes(pads)
    axes = c.axes(axes) or list(range(x.rank))
    edges = [0] * (2 * x.rank)
    for n, axis in enumerate(axes):
        last_first = x.rank - 1 - axis % x.rank
        edges[2 * last_first] = pads[n]
        edges[2 * last_first + 1] = pads[n + len(axes)]
    number = c.attribute("value", 0.0) if value is None else c.number(value)
    return m.pad(c.e, x, edges, number)


@op("Trilu")
def _triangle(c, x, diagonal=None):
    offset = 0 if diagonal is None else c.number(diagonal)
    return m.triangle(c.e, x, offset, bool(c.attribute("upper", 1)))


@op("ConstantOfShape")
def _constant_of_shape(c, shape):
    value = c.attribute("value")
    number = value.reshape(-1)[0].item() if value is not None else 0.0
    dtype = ELEMENT_TYPES[str(value.dtype)] if value is not None else "f32"
    return m.full(c.e, c.sizes(shape), number, dtype)


@op("Range")
def _range(c, start, limit, step):
    (limit,) = c.sizes(limit)
    start, step = c.number(start), c.number(step)
    if start or step != 1:
        raise Unsupported("a range of samples that does not count from 0")
    result = a.arange(c.e, 0, limit, 1, "i64")
    c.e.ranges[result.name] = (0, 1)
    return result


@op("EyeLike")
def _eye(c, x):
    rows, columns = (c.e.iota(x.dims, axis, "i32") for axis in (0, 1))
    return c.e.convert(c.e.compare("EQ", rows, columns), x.dtype)


# Indices.

def _from_front(c, index, size):
    """Negative indices count from the end."""
    return a.where(c.e, a.compare(c.e, "LT", index, 0),
                   a.add(c.e, index, size, index.dtype), index)


@op("Gather")
def _gather(c, x, index):
    axis = c.attribute("axis", 0)
    if isinstance(x, Tensor) and not isinstance(index, Tensor) and \
            index.array.ndim == 0:
        return m.select(c.e, x, axis, int(index.array))
    x, index = c.tensor(x), c.tensor(index)
    axis %= x.rank
    if axis == 0 and x.rank == 2 and BATCH not in x.shape:
        return i.embedding(c.e, x, _from_front(c, index, x.dims[0][0]))
    return i.take(c.e, x, [None] * axis + [index])


@op("GatherElements")
def _gather_elements(c, x, index):
    axis = c.attribute("axis", 0) % x.rank
    index = c.tensor(index)
    if not isinstance(x.dims[axis][0], int):
        raise Unsupported("indices that select samples")
    return i.take_along(c.e, x, axis,
                        _from_front(c, index, x.dims[axis][0]))


@op("ScatterElements")
def _scatter_elements(c, x, index, updates):
    kinds = {"none": None, "add": "add", "mul": "multiply", "max": "maximum",
             "min": "minimum"}
    return i.scatter_along(c.e, c.tensor(x), c.attribute("axis", 0),
                           c.tensor(index), c.tensor(updates),
                           kinds[c.text("reduction", "none")])


@op("OneHot")
def _one_hot(c, index, depth, values):
    hot = i.one_hot(c.e, index, int(c.number(depth)),
                    c.tensor(values).dtype, c.attribute("axis", -1))
    low, high = values.array.tolist()
    if (low, high) == (0, 1):
        return hot
    return a.add(c.e, a.multiply(c.e, hot, high - low), low)


@op("ArrayFeatureExtractor")
def _columns(c, x, index):
    return i.take(c.e, x, [None] * (x.rank - 1) + [c.e.reshape(
        c.tensor(index), (dim_of(index.array.size),))])
