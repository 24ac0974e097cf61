# SPDX-License-Identifier: Apache-2.0
"""Views, slices and joins."""

from ps_mlir.importers.stablehlo.arithmetic import broadcast_to, number
from ps_mlir.importers.stablehlo.emitter import expect_static
from ps_mlir.importers.stablehlo.shapes import (Unsupported, dim_of, refine, size_of,
                                      split_view)


def view(e, x, sizes):
    """x with other sizes: integers and Multiples of the batch size."""
    return e.reshape(x, split_view(x.dims, sizes))


def unsqueeze(e, x, axis):
    axis %= x.rank + 1
    return e.reshape(x, (*x.dims[:axis], (1,), *x.dims[axis:]))


def squeeze(e, x, axes=None):
    axes = range(x.rank) if axes is None else [axis % x.rank for axis in axes]
    return e.reshape(x, tuple(
        dim for axis, dim in enumerate(x.dims)
        if not (axis in axes and dim == (1,))))


def swap(e, x, a, b):
    order = list(range(x.rank))
    order[a], order[b] = order[b], order[a]
    return e.transpose(x, order)


def move_axis(e, x, source, target):
    order = [axis for axis in range(x.rank) if axis != source % x.rank]
    order.insert(target % x.rank, source % x.rank)
    return e.transpose(x, order)


def expand(e, x, sizes):
    """x repeated to the given sizes, -1 for those of its own."""
    offset = len(sizes) - x.rank
    dims = []
    for axis, size in enumerate(sizes):
        own = x.dims[axis - offset] if axis >= offset else (1,)
        keeps = size == -1 or size_of(own) == size
        dims.append(own if keeps else dim_of(size))
    return broadcast_to(e, x, dims)


def narrow(e, x, axis, start, limit, step=1):
    """The elements start, start + step, .. before limit, as Python slices."""
    axis %= x.rank
    if size_of(x.dims[axis]) == limit or limit is None or (
            isinstance(limit, int) and limit >= 2 ** 62):
        if start in (0, None) and step == 1:
            return x
    size = expect_static(x, axis, "takes a part of the samples:")
    start, limit, _ = slice(start, limit).indices(size)
    return e.slice(x, axis, start, max(start, limit), step)


def select(e, x, axis, index):
    """The slice at one index, without the dimension."""
    axis %= x.rank
    size = expect_static(x, axis, "selects one sample")
    index %= size
    part = e.slice(x, axis, index, index + 1)
    return e.reshape(part, (*part.dims[:axis], *part.dims[axis + 1:]))


def split(e, x, sizes, axis):
    axis %= x.rank
    parts, start = [], 0
    for size in sizes:
        parts.append(narrow(e, x, axis, start, start + size))
        start += size
    return parts


def concatenate(e, values, axis):
    """Joins values whose other dimensions may group their factors otherwise.
    """
    axis %= values[0].rank
    for value in values:
        expect_static(value, axis, "joins")
    dims = [None if i == axis else values[0].dims[i]
            for i in range(values[0].rank)]
    for value in values[1:]:
        for i, dim in enumerate(value.dims):
            if i != axis:
                dims[i] = refine(dims[i], dim)
    return e.concatenate([e.reshape(value, tuple(
        value.dims[axis] if i == axis else dim
        for i, dim in enumerate(dims))) for value in values], axis)


def stack(e, values, axis):
    axis %= values[0].rank + 1
    return concatenate(e, [unsqueeze(e, v, axis) for v in values], axis)


def repeat(e, x, counts):
    """Tiles x, after adding dimensions in front."""
    for _ in range(len(counts) - x.rank):
        x = unsqueeze(e, x, 0)
    for axis, count in enumerate(counts):
        if count == 1:
            continue
        if x.dims[axis] == (1,):
            x = expand(e, x, [count if i == axis else -1
                              for i in range(x.rank)])
        else:
            x = concatenate(e, [x] * count, axis)
    return x


def pad(e, x, edges, value=0.0):
    """Pads the last dimensions; edges as of torch: last dimension first."""
    low, high = [0] * x.rank, [0] * x.rank
    for i in range(len(edges) // 2):
        axis = x.rank - 1 - i
        low[axis], high[axis] = edges[2 * i], edges[2 * i + 1]
        if low[axis] or high[axis]:
            expect_static(x, axis, "pads")
    if not any(low) and not any(high):
        return x
    return e.pad(x, value, low, high)


def roll(e, x, shifts, axes):
    for shift, axis in zip(shifts, axes):
        axis %= x.rank
        size = expect_static(x, axis, "rolls")
        shift %= size
        if shift:
            x = concatenate(e, [e.slice(x, axis, size - shift, size),
                                e.slice(x, axis, 0, size - shift)], axis)
    return x


def diagonal_mask(e, dims, diagonal, upper):
    """Whether column - row >= diagonal, or <=, in the last two dimensions."""
    dims = tuple(dims)
    if any(None in dim for dim in dims[-2:]):
        raise Unsupported("a triangle over the batch dimension")
    rows, columns = (e.iota(dims[-2:], axis, "i32") for axis in (0, 1))
    shifted = e.binary("add", rows, e.full(diagonal, dims[-2:], "i32"))
    mask = e.compare("GE" if upper else "LE", columns, shifted)
    return broadcast_to(e, mask, dims)


def triangle(e, x, diagonal=0, upper=False):
    """x with zeros below, or above, a diagonal of its last two dimensions."""
    mask = diagonal_mask(e, x.dims, diagonal, upper)
    return e.select(mask, x, e.full(0, x.dims, x.dtype))


def full(e, sizes, value, dtype):
    """A tensor of one number of the given sizes."""
    return number(e, value, tuple(dim_of(size) for size in sizes), dtype)
