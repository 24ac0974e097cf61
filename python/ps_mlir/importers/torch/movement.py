# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen that make, view, cut and join tensors."""

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import movement as m
from ps_mlir.importers.torch.aten import TABLE, aten
from ps_mlir.importers.stablehlo.emitter import Tensor
from ps_mlir.importers.stablehlo.shapes import Multiple, Unsupported, size_of


def _same(c, x, *_, **__):
    return x


TABLE.update({f"{name}.default": _same for name in (
    "clone", "contiguous", "alias", "lift_fresh_copy", "lift_fresh",
    "view_as_real", "positive", "dropout")})


@aten("detach")
def _detach(c, x):
    return c.e.stop_gradient(x)


@aten("view", "reshape", "_unsafe_view", "unflatten.int", "flatten.using_ints",
      "view_copy", "_reshape_copy", "view_as", "reshape_as")
def _view(c, x, *_, **__):
    return m.view(c.e, x, c.sizes)


@aten("unsqueeze")
def _unsqueeze(c, x, axis):
    return m.unsqueeze(c.e, x, axis)


@aten("squeeze", "squeeze.dim", "squeeze.dims")
def _squeeze(c, x, axes=None):
    axes = [axes] if isinstance(axes, int) else axes
    return m.squeeze(c.e, x, axes) if x.rank else x


@aten("permute")
def _permute(c, x, order):
    return c.e.transpose(x, [axis % x.rank for axis in order])


@aten("transpose.int")
def _transpose(c, x, i, j):
    return m.swap(c.e, x, i, j) if x.rank else x


@aten("t", "numpy_T", "mT")
def _matrix_transpose(c, x):
    return m.swap(c.e, x, -1, -2) if x.rank > 1 else x


@aten("expand", "expand_as")
def _expand(c, x, *_, **__):
    return m.expand(c.e, x, c.sizes)


@aten("copy")
def _copy(c, _, source, *__):
    return m.expand(c.e, c.cast(source), c.sizes)


@aten("repeat", "tile")
def _repeat(c, x, counts):
    return m.repeat(c.e, x, [1] * (x.rank - len(counts)) + list(counts))


@aten("slice.Tensor")
def _slice(c, x, axis=0, start=None, end=None, step=1):
    if c.sizes[axis % x.rank] == size_of(x.dims[axis % x.rank]) and step == 1:
        return x
    return m.narrow(c.e, x, axis, start, end, step)


@aten("narrow")
def _narrow(c, x, axis, start, length):
    return m.narrow(c.e, x, axis, start, start + length)


@aten("select.int")
def _select(c, x, axis, index):
    return m.select(c.e, x, axis, index)


@aten("unbind.int")
def _unbind(c, x, axis=0):
    count = x.dims[axis % x.rank][0]
    if count is None:
        raise Unsupported("unbinds samples")
    return [m.select(c.e, x, axis, i) for i in range(count)]


@aten("split_with_sizes", "split.sizes")
def _split_sizes(c, x, sizes, axis=0):
    return m.split(c.e, x, sizes, axis)


@aten("split.Tensor", "chunk")
def _split(c, x, size, axis=0):
    return m.split(c.e, x, [sizes[axis % x.rank] for sizes in c.sizes], axis)


@aten("cat", "concat", "concatenate")
def _concatenate(c, values, axis=0):
    values = [value for value in values if value.dims != ((0,),)]
    return m.concatenate(c.e, [c.cast(value) for value in values], axis)


@aten("stack")
def _stack(c, values, axis=0):
    return m.stack(c.e, [c.cast(value) for value in values], axis)


@aten("constant_pad_nd")
def _pad(c, x, edges, value=0):
    return m.pad(c.e, x, edges, value)


@aten("flip")
def _flip(c, x, axes):
    if any(None in x.dims[axis] for axis in axes):
        raise Unsupported("reverses samples")
    return c.e.reverse(x, axes)


@aten("roll")
def _roll(c, x, shifts, axes=()):
    if not axes:
        raise Unsupported("a roll without dimensions")
    listed = (value if isinstance(value, (list, tuple)) else [value]
              for value in (shifts, axes))
    return m.roll(c.e, x, *listed)


@aten("tril")
def _lower(c, x, diagonal=0):
    return m.triangle(c.e, x, diagonal, upper=False)


@aten("triu")
def _upper(c, x, diagonal=0):
    return m.triangle(c.e, x, diagonal, upper=True)


@aten("diagonal")
def _diagonal(c, x, offset=0, dim1=0, dim2=1):
    """The elements where the row is the column, as a masked sum."""
    from ps_mlir.importers.stablehlo.reductions import total
    last = m.move_axis(c.e, m.move_axis(c.e, x, dim1, -1),
                       dim2 - (dim2 > dim1), -1)
    if offset or last.dims[-1] != last.dims[-2]:
        raise Unsupported("a diagonal of another shape than a square")
    upper = m.diagonal_mask(c.e, last.dims, 0, True)
    lower = m.diagonal_mask(c.e, last.dims, 0, False)
    kept = c.e.select(c.e.binary("and", upper, lower), last,
                      a.like(c.e, last, 0))
    return total(c.e, kept, [-1])


# Constants.

@aten("full")
def _full(c, sizes, value, **_):
    return _filled(c, value)


@aten("full_like", "new_full")
def _full_like(c, x, *values, **_):
    return _filled(c, values[-1])


def _filled(c, value):
    if isinstance(value, Tensor):
        return m.expand(c.e, c.cast(value), c.sizes)
    return m.full(c.e, c.sizes, value, c.dtype)


@aten("zeros", "zeros_like", "new_zeros", "empty.memory_format", "empty_like",
      "new_empty", "zeros_like")
def _zeros(c, *_, **__):
    return m.full(c.e, c.sizes, 0, c.dtype)


@aten("ones", "ones_like", "new_ones")
def _ones(c, *_, **__):
    return m.full(c.e, c.sizes, 1, c.dtype)


@aten("scalar_tensor")
def _scalar(c, value, **_):
    return a.number(c.e, value, (), c.dtype)


@aten("fill.Scalar", "fill.Tensor")
def _fill(c, x, value):
    return _filled(c, value)


@aten("eye", "eye.m")
def _eye(c, *_, **__):
    rows, columns = (c.e.iota(tuple((n,) for n in c.sizes), axis, "i32")
                     for axis in (0, 1))
    return c.cast(c.e.compare("EQ", rows, columns))


@aten("arange", "arange.start", "arange.start_step")
def _arange(c, *numbers, **_):
    start = 0 if len(numbers) == 1 else numbers[0]
    step = numbers[2] if len(numbers) > 2 else 1
    if isinstance(start, Multiple) or isinstance(step, Multiple):
        raise Unsupported("a range from a multiple of the batch size on")
    result = a.arange(c.e, start, c.sizes[0], step, c.dtype)
    c.e.ranges[result.name] = (start, step)
    return result


@aten("linspace")
def _linspace(c, start, end, steps, **_):
    import numpy
    return c.e.constant(numpy.linspace(start, end, steps, dtype="float32"))


@aten("meshgrid.indexing", "meshgrid")
def _meshgrid(c, values, indexing="ij"):
    if indexing != "ij":
        raise Unsupported(f"meshgrid with indexing={indexing}")
    dims = tuple(value.dims[0] for value in values)
    return [a.broadcast_to(c.e, c.e.reshape(value, tuple(
        dim if i == axis else (1,) for i, dim in enumerate(dims))), dims)
        for axis, value in enumerate(values)]


@aten("unfold")
def _unfold(c, x, axis, size, step):
    axis %= x.rank
    count = (x.dims[axis][0] - size) // step + 1
    parts = [m.narrow(c.e, x, axis, i * step, i * step + size)
             for i in range(count)]
    return m.move_axis(c.e, m.stack(c.e, parts, axis), axis + 1, -1)
