# SPDX-License-Identifier: Apache-2.0
"""Gathers, scatters, and orders along a dimension."""

from ps_mlir.importers.stablehlo.arithmetic import add, broadcast_to, compare, like, where
from ps_mlir.importers.stablehlo.emitter import Tensor, expect_static, type_text
from ps_mlir.importers.stablehlo.movement import move_axis, narrow, unsqueeze
from ps_mlir.importers.stablehlo.reductions import (along, arg_extreme, lowest, maximum,
                                          minimum, picked_by)
from ps_mlir.importers.stablehlo.shapes import (BATCH, Unsupported, axes_of,
                                      broadcast_dims, flatten, size_of)

WHOLE = -9223372036854775808  # the slice size that stands for `?`


def _numbers(fields):
    """The fields of dimension numbers that are not empty."""
    return ", ".join(f"{name} = {value}" for name, value in fields
                     if value != [])


def _integers(e, index):
    return e.convert(index, "i32") if index.dtype == "i1" else index


def gather(e, x, index, dims, fields, slice_sizes):
    sizes = ", ".join(map(str, slice_sizes))
    return e.result(
        f'"stablehlo.gather"({x.name}, {index.name}) <{{dimension_numbers = '
        f"#stablehlo.gather<{_numbers(fields)}>, slice_sizes = "
        f"array<i64: {sizes}>}}> : ({x.type}, {index.type}) -> "
        f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)


def scatter(e, x, index, updates, fields, op=None):
    """x with updates added, or whatever `op` does, or put in their place."""
    scalar = type_text((), x.dtype)
    a, b, c = e.fresh(), e.fresh(), e.fresh()
    body = f"  {c} = stablehlo.{op} {a}, {b} : {scalar}\n" if op else ""
    return e.result(
        f'"stablehlo.scatter"({x.name}, {index.name}, {updates.name}) '
        f"<{{scatter_dimension_numbers = #stablehlo.scatter<"
        f"{_numbers(fields)}>}}> ({{\n^bb0({a}: {scalar}, {b}: {scalar}):\n"
        f"{body}  stablehlo.return {c if op else b} : {scalar}\n}}) : "
        f"({x.type}, {index.type}, {updates.type}) -> {x.type}", x.dims,
        x.dtype)


def embedding(e, table, ids, padding=None):
    """Rows of a table, as ps-opt makes a sharded table of.

    The row of the id `padding` is read, but gets no gradient.
    """
    if e.is_range(ids) and BATCH not in ids.shape:
        rows = narrow(e, table, 0, 0, max(ids.shape, default=1))
        return e.reshape(rows, (*ids.dims, table.dims[1]))
    ids = _integers(e, ids)
    vectors = unsqueeze(e, ids, ids.rank)
    rank, width = len(ids.shape), table.dims[1][0]
    rows = gather(e, table, vectors, (*ids.dims, table.dims[1]), [
        ("offset_dims", [rank]), ("collapsed_slice_dims", [0]),
        ("start_index_map", [0]), ("index_vector_dim", rank)], [1, width])
    if padding is None or padding < 0:
        return rows
    is_padding = compare(e, "EQ", vectors, e.full(
        padding, vectors.dims, vectors.dtype))
    return where(e, is_padding, e.stop_gradient(rows), rows)


def index_select(e, x, axis, index):
    """The slices of x at the indices of a vector."""
    axis %= x.rank
    index = index if index.rank else unsqueeze(e, index, 0)
    return take(e, x, [None] * axis + [index])


def _vectors(e, x, indices, axes, beside=()):
    """Index vectors for the given dimensions of x, and the dimensions that
    their indices broadcast to, together with those `beside`."""
    parts = [_wrap_negative(e, x, axis, _integers(e, indices[axis]))
             for axis in axes]
    dims = broadcast_dims([part.dims for part in [*parts, *beside]])
    return e.concatenate([unsqueeze(e, broadcast_to(
        e, e.convert(part, "i64"), dims), len(dims)) for part in parts],
        len(dims)), dims


def take(e, x, indices):
    """x[indices] with tensors of numbers and None for whole dimensions.

    The dimensions of the indices replace those that they index where these
    are neighbors, and are the first ones otherwise.
    """
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    vectors, dims = _vectors(e, x, indices, axes)
    at = axes[0] if axes[-1] - axes[0] + 1 == len(axes) else 0
    rest = [dim for axis, dim in enumerate(x.dims) if axis not in axes]
    result = (*rest[:at], *dims, *rest[at:])
    first, count = len(flatten(rest[:at])), len(flatten(dims))
    window = [i if i < first else i + count
              for i in range(len(flatten(rest)))]
    positions = [axes_of(x.dims, axis)[0] for axis in axes]
    sizes = [1 if i in positions else WHOLE if size is BATCH else size
             for i, size in enumerate(x.shape)]
    return gather(e, x, vectors, result, [
        ("offset_dims", window), ("collapsed_slice_dims", positions),
        ("start_index_map", positions), ("index_vector_dim", count)], sizes)


def take_of_samples(e, x, samples, indices):
    """x[samples, indices], where `samples` are the numbers of the samples: of
    each sample, the elements at its indices."""
    if x.dims[0] != (BATCH,) or None in indices:
        raise Unsupported("these indices of samples")
    axes = list(range(1, len(indices) + 1))
    vectors, dims = _vectors(e, x, [None, *indices], axes, (samples,))
    batch = len(flatten(dims[:len(dims) - samples.rank +
                             samples.dims.index((BATCH,))]))
    rest = x.dims[len(indices) + 1:]
    count = len(flatten(dims))
    positions = [axes_of(x.dims, axis)[0] for axis in axes]
    sizes = [1] * (1 + len(indices)) + list(flatten(rest))
    return gather(e, x, vectors, (*dims, *rest), [
        ("offset_dims", [count + i for i in range(len(flatten(rest)))]),
        ("collapsed_slice_dims", positions), ("operand_batching_dims", [0]),
        ("start_indices_batching_dims", [batch]),
        ("start_index_map", positions), ("index_vector_dim", count)], sizes)


def _wrap_negative(e, x, axis, index):
    """Indices that count from the end, as those from the beginning."""
    if len(x.dims[axis]) > 1:
        raise Unsupported("an index into a multiple of the batch size")
    if index.name in e.ranges or index.dtype.startswith("ui"):
        return index
    size = size_of(x.dims[axis])
    if BATCH in x.dims[axis]:
        raise Unsupported("an index that may select other samples")
    return where(e, compare(e, "LT", index, like(e, index, 0)),
                 add(e, index, size, index.dtype), index)


def _beside(x, index, axis):
    """Dimensions in MLIR of all but one dimension, of x and of the index."""
    for i in range(x.rank):
        if i != axis and x.dims[i] != index.dims[i]:
            raise Unsupported(f"indices {index} into {x}")
    return ([i for a in range(x.rank) if a != axis
             for i in axes_of(x.dims, a)],
            [i for a in range(x.rank) if a != axis
             for i in axes_of(index.dims, a)])


def take_along(e, x, axis, index):
    """Element i of the result is the element of x at index i of `axis`."""
    axis %= max(x.rank, 1)
    expect_static(x, axis, "picks samples")
    index = _integers(e, index)
    for i in range(x.rank):
        if i != axis and x.dims[i] != index.dims[i]:
            if BATCH in index.dims[i] or BATCH in x.dims[i]:
                x = e.reshape(x, tuple(index.dims[i] if j == i else dim
                                       for j, dim in enumerate(x.dims)))
            else:
                x = narrow(e, x, i, 0, index.dims[i][0])
    if index.dims[axis] == (1,):
        return picked_by(e, x, index, axis)
    operand, indices = _beside(x, index, axis)
    (position,) = axes_of(x.dims, axis)
    return gather(e, x, index, index.dims, [
        ("collapsed_slice_dims", [position]),
        ("operand_batching_dims", operand),
        ("start_indices_batching_dims", indices),
        ("start_index_map", [position]),
        ("index_vector_dim", len(index.shape))], [1] * len(x.shape))


def scatter_along(e, x, axis, index, updates, op=None):
    """The inverse of take_along: x with `updates` at the indices of `axis`."""
    axis %= max(x.rank, 1)
    expect_static(x, axis, "scatters samples")
    index = _integers(e, index)
    operand, indices = _beside(x, index, axis)
    (position,) = axes_of(x.dims, axis)
    updates = broadcast_to(e, e.convert(updates, x.dtype), index.dims)
    return scatter(e, x, index, updates, [
        ("inserted_window_dims", [position]),
        ("input_batching_dims", operand),
        ("scatter_indices_batching_dims", indices),
        ("scatter_dims_to_operand_dims", [position]),
        ("index_vector_dim", len(index.shape))], op)


def add_slices(e, x, axis, index, updates, op="add"):
    """x with slices added at the indices of a vector along `axis`."""
    axis %= x.rank
    index = _integers(e, index)
    (position,) = axes_of(x.dims, axis)
    window = [i for i in range(len(updates.shape)) if i != position]
    return scatter(e, x, unsqueeze(e, index, 1), e.convert(updates, x.dtype), [
        ("update_window_dims", window), ("inserted_window_dims", [position]),
        ("scatter_dims_to_operand_dims", [position]),
        ("index_vector_dim", 1)], op)


def put(e, x, indices, values, op=None):
    """x[indices] = values for tensors that index the first dimensions."""
    axes = list(range(len(indices)))
    if any(index is None for index in indices):
        raise Unsupported("index_put with whole dimensions before an index")
    vectors, dims = _vectors(e, x, indices, axes)
    rest = x.dims[len(axes):]
    updates = broadcast_to(e, e.convert(values, x.dtype), (*dims, *rest))
    positions = [axes_of(x.dims, axis)[0] for axis in axes]
    count = len(flatten(dims))
    return scatter(e, x, vectors, updates, [
        ("update_window_dims", list(range(count, len(updates.shape)))),
        ("inserted_window_dims", positions),
        ("scatter_dims_to_operand_dims", positions),
        ("index_vector_dim", count)], op)


def one_hot(e, index, count, dtype, axis=-1):
    """1 at the index along a new dimension, 0 elsewhere."""
    axis %= index.rank + 1
    wide = unsqueeze(e, index, axis)
    dims = (*wide.dims[:axis], (count,), *wide.dims[axis + 1:])
    numbers = along(e, Tensor("", dims, dtype), axis, index.dtype)
    return e.convert(compare(e, "EQ", wide, numbers), dtype)


# Orders. Indices come from values without gradient; the values are then taken
# by these indices, through which they get theirs.

def top(e, x, count, axis=-1, largest=True):
    """The `count` largest or smallest elements in falling or rising order,
    and their indices."""
    axis %= x.rank
    expect_static(x, axis, "orders samples")
    keys = e.stop_gradient(x if largest else e.unary("negate", x))
    if count <= 4:
        index = _repeated_maximum(e, keys, count, axis)
    else:
        index = _top_k(e, keys, count, axis)
    return take_along(e, x, axis, index), index


def _repeated_maximum(e, keys, count, axis):
    """Indices by `count` searches for the maximum among those not found.

    Infinite keys are as good as others: what is found is marked, not changed.
    """
    size = keys.dims[axis][0]
    numbers = broadcast_to(e, along(e, keys, axis, "i64"), keys.dims)
    low = like(e, keys, lowest(keys.dtype))
    beyond = e.full(size, keys.dims, "i64")
    found, taken = [], None
    for _ in range(count):
        left = keys if taken is None else e.select(taken, low, keys)
        best = compare(e, "EQ", left, maximum(e, left, [axis], keep=True))
        if taken is not None:
            best = e.binary("and", best, e.unary("not", taken))
        index = minimum(e, e.select(best, numbers, beyond), [axis], keep=True)
        found.append(index)
        again = compare(e, "EQ", numbers, index)
        taken = again if taken is None else e.binary("or", taken, again)
    return e.concatenate(found, axis)


def _top_k(e, keys, count, axis):
    keys = move_axis(e, keys, axis, -1)
    dims = (*keys.dims[:-1], (count,))
    values, index = (f"{e.fresh()}", f"{e.fresh()}")
    e.append(
        f"{values}, {index} = chlo.top_k({keys.name}, k = {count}) : "
        f"{keys.type} -> ({type_text(flatten(dims), keys.dtype)}, "
        f"{type_text(flatten(dims), 'i32')})")
    index = e.convert(Tensor(index, dims, "i32"), "i64")
    return move_axis(e, index, -1, axis)


def sort(e, x, axis=-1, descending=False):
    """The elements in order, equal ones in the order of x; and their indices.
    """
    axis %= x.rank
    expect_static(x, axis, "orders samples")
    keys = e.stop_gradient(x)
    numbers = broadcast_to(e, along(e, x, axis, "i64"), x.dims)
    (position,) = axes_of(x.dims, axis)
    a, b, c, d, less, name = (e.fresh() for _ in range(6))
    key, number = type_text((), x.dtype), type_text((), "i64")
    direction = "GT" if descending else "LT"
    e.append(
        f'{name}:2 = "stablehlo.sort"({keys.name}, {numbers.name}) '
        f"<{{dimension = {position} : i64, is_stable = true}}> ({{\n"
        f"^bb0({a}: {key}, {b}: {key}, {c}: {number}, {d}: {number}):\n"
        f"  {less} = stablehlo.compare {direction}, {a}, {b} : "
        f"({key}, {key}) -> tensor<i1>\n"
        f"  stablehlo.return {less} : tensor<i1>\n"
        f"}}) : ({keys.type}, {numbers.type}) -> "
        f"({keys.type}, {numbers.type})")
    index = Tensor(f"{name}#1", x.dims, "i64")
    return take_along(e, x, axis, index), index


def extreme_with_index(e, x, axis, keep=False, smallest=False):
    """The largest element and its first index; only that element gets the
    gradient."""
    axis %= max(x.rank, 1)
    index = arg_extreme(e, e.stop_gradient(x), axis, True, smallest)
    value = picked_by(e, x, index, axis)
    if keep:
        return value, index
    dims = (*x.dims[:axis], *x.dims[axis + 1:])
    return e.reshape(value, dims), e.reshape(index, dims)
