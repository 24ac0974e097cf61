# SPDX-License-Identifier: Apache-2.0
"""Writes StableHLO, op by op, as ps-opt reads it.

An Emitter holds the lines of one function. Its methods append one op each and
return its result; they infer shapes, but do not broadcast or promote. What
frameworks do beyond that is in the modules beside this one, one for each kind
of op.
"""

import math
from dataclasses import dataclass

import numpy

from ps_mlir.importers.stablehlo.shapes import BATCH, Unsupported, axes_of, flatten, show

FLOATS = ("f16", "bf16", "f32", "f64")
NUMPY_TYPES = {"f16": "float16", "f32": "float32", "f64": "float64",
               "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32",
               "i64": "int64", "ui8": "uint8", "ui16": "uint16",
               "ui32": "uint32", "ui64": "uint64"}
ELEMENT_TYPES = {name: element for element, name in NUMPY_TYPES.items()}


@dataclass(frozen=True)
class Tensor:
    """A value: its name in MLIR, its dimensions (shapes.py), its element type.
    """
    name: str
    dims: tuple
    dtype: str

    @property
    def rank(self):
        return len(self.dims)

    @property
    def shape(self):
        """The shape in MLIR."""
        return flatten(self.dims)

    @property
    def type(self):
        return type_text(self.shape, self.dtype)

    @property
    def is_float(self):
        return self.dtype in FLOATS

    def __repr__(self):
        return f"{self.dtype}{show(self.dims)}"


def type_text(shape, dtype):
    sizes = ("?" if size is BATCH else str(size) for size in shape)
    return f"tensor<{'x'.join([*sizes, dtype])}>"


def singles(shape):
    """Dimensions of one factor each."""
    return tuple((size,) for size in shape)


def number_text(value, dtype):
    """A number as an attribute of MLIR, with all its bits."""
    if dtype == "i1":
        return "true" if value else "false"
    if dtype not in FLOATS:
        return str(int(value))
    value = float(value)
    if not math.isfinite(value):
        return _bits_text(value, dtype)
    return repr(value) if "e" not in repr(value) else f"{value:.17e}"


def _bits_text(value, dtype):
    """Infinities and NaN, which MLIR only reads as bits."""
    bits = {"f16": ("float16", 16, 0), "f32": ("float32", 32, 0),
            "f64": ("float64", 64, 0), "bf16": ("float32", 32, 16)}
    name, width, dropped = bits[dtype]
    pattern = int(numpy.array(value, name).view(f"uint{width}")) >> dropped
    return f"0x{pattern:0{(width - dropped) // 4}X}"


class Emitter:
    """The body of a function under construction."""

    def __init__(self):
        self.lines = []
        self.count = 0
        self.batch_source = None  # a tensor whose dimension 0 is the batch
        self.known = {}  # results of ops that are emitted once
        self.ranges = {}  # name of an arange -> (start, step)
        self.zeros = set()  # names of constants of zeros
        self.location = ""  # of the ops that follow, such as " loc(#loc3)"
        self.locations = {}  # (file, line) -> number

    def fresh(self):
        self.count += 1
        return f"%{self.count - 1}"

    def append(self, text):
        """Appends an op, with the current location."""
        self.lines.append(text + self.location)

    def result(self, text, dims, dtype):
        """Appends an op with one result."""
        value = Tensor(self.fresh(), tuple(dims), dtype)
        self.append(f"{value.name} = {text}")
        return value

    def locate(self, file, line):
        """The ops that follow come from a line of a user's file."""
        if file is None:
            self.location = ""
            return
        number = self.locations.setdefault((file, line),
                                           len(self.locations) + 1)
        self.location = f" loc(#loc{number})"

    def once(self, key, emit):
        """What `emit` returned the first time."""
        if key not in self.known:
            self.known[key] = emit()
        return self.known[key]

    # Constants.

    def scalar(self, value, dtype):
        text = number_text(value, dtype)
        result = self.once(("scalar", text, dtype), lambda: self.result(
            f"stablehlo.constant dense<{text}> : tensor<{dtype}>", (), dtype))
        if value == 0:
            self.zeros.add(result.name)
        return result

    def full(self, value, dims, dtype):
        """A tensor of one number."""
        result = self._full(value, tuple(dims), dtype)
        if value == 0:
            self.zeros.add(result.name)
        return result

    def _full(self, value, dims, dtype):
        if not dims:
            return self.scalar(value, dtype)
        text = number_text(value, dtype)
        if BATCH in flatten(dims):
            return self.once(("full", text, dims, dtype), lambda: (
                self.broadcast(self.scalar(value, dtype), dims, [])))
        return self.once(("full", text, dims, dtype), lambda: self.result(
            f"stablehlo.constant dense<{text}> : "
            f"{type_text(flatten(dims), dtype)}", dims, dtype))

    def constant(self, array):
        """A tensor of known elements."""
        array = numpy.asarray(array)
        dtype = ELEMENT_TYPES.get(str(array.dtype))
        if dtype is None:
            raise Unsupported(f"a constant of {array.dtype}")
        if array.size and (array == array.flat[0]).all():
            return self.full(array.flat[0], singles(array.shape), dtype)
        if dtype in ("i32", "i64") and array.size == max(array.shape) and \
                (array.reshape(-1) == numpy.arange(array.size)).all():
            return self.reshape(self.range(array.size, dtype),
                                singles(array.shape))

        def text(value):
            if isinstance(value, list):
                return "[" + ", ".join(map(text, value)) + "]"
            return number_text(value, dtype)
        elements = text(array.tolist()) if array.size else ""
        return self.result(
            f"stablehlo.constant dense<{elements}> : "
            f"{type_text(array.shape, dtype)}", singles(array.shape), dtype)

    def iota(self, dims, axis, dtype):
        """The index along dimension `axis`, which has one factor."""
        (dimension,) = axes_of(dims, axis)
        return self.result(
            f"stablehlo.iota dim = {dimension} : "
            f"{type_text(flatten(dims), dtype)}", dims, dtype)

    def range(self, size, dtype):
        """0, 1, .. as a vector."""
        result = self.once(("range", size, dtype), lambda: self.iota(
            ((size,),), 0, dtype))
        self.ranges[result.name] = (0, 1)
        return result

    def batch_size(self, dtype):
        """The number of samples as a scalar."""
        def emit():
            source = self.batch_source
            if source is None:
                raise Unsupported("the batch size of a model without feeds")
            size = self.result(
                f"stablehlo.get_dimension_size {source.name}, dim = 0 : "
                f"({source.type}) -> tensor<i32>", (), "i32")
            return self.convert(size, dtype)
        return self.once(("batch", dtype), emit)

    # Elementwise ops on tensors of one shape.

    def unary(self, op, x):
        dialect = "" if "." in op else "stablehlo."
        types = f"{x.type} -> {x.type}" if op.startswith("chlo") else x.type
        return self.result(f"{dialect}{op} {x.name} : {types}", x.dims,
                           x.dtype)

    def binary(self, op, x, y):
        if x.type != y.type:
            raise Unsupported(f"internal: {op} of {x} and {y}")
        return self.result(f"stablehlo.{op} {x.name}, {y.name} : {x.type}",
                           x.dims, x.dtype)

    def compare(self, direction, x, y):
        return self.result(
            f"stablehlo.compare {direction}, {x.name}, {y.name} : "
            f"({x.type}, {y.type}) -> {type_text(x.shape, 'i1')}", x.dims,
            "i1")

    def select(self, condition, x, y):
        return self.result(
            f"stablehlo.select {condition.name}, {x.name}, {y.name} : "
            f"{condition.type}, {x.type}", x.dims, x.dtype)

    def clamp(self, low, x, high):
        return self.result(
            f"stablehlo.clamp {low.name}, {x.name}, {high.name} : "
            f"({low.type}, {x.type}, {high.type}) -> {x.type}", x.dims,
            x.dtype)

    def is_range(self, x):
        """Whether x is 0, 1, 2, .. along its only dimension, besides 1s."""
        return self.ranges.get(x.name) == (0, 1) and sum(
            size != 1 for size in x.shape) <= 1

    def convert(self, x, dtype):
        if x.dtype == dtype:
            return x
        return self.result(
            f"stablehlo.convert {x.name} : ({x.type}) -> "
            f"{type_text(x.shape, dtype)}", x.dims, dtype)

    def unary_test(self, op, x):
        return self.result(
            f"stablehlo.{op} {x.name} : ({x.type}) -> "
            f"{type_text(x.shape, 'i1')}", x.dims, "i1")

    def stop_gradient(self, x):
        if not x.is_float:
            return x
        return self.result(f"ps.stop_gradient {x.name} : {x.type}", x.dims,
                           x.dtype)

    # Data movement. Dimensions given as integers are those of MLIR.

    def reshape(self, x, dims):
        """The elements of x with other dimensions."""
        dims = tuple(dims)
        if flatten(dims) == x.shape:
            return Tensor(x.name, dims, x.dtype)
        if x.name in self.zeros:
            return self.full(0, dims, x.dtype)
        result = self.result(
            f"stablehlo.reshape {x.name} : ({x.type}) -> "
            f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)
        if x.name in self.ranges:
            self.ranges[result.name] = self.ranges[x.name]
        return result

    def broadcast(self, x, dims, positions):
        """Dimension i of x becomes dimension positions[i] in MLIR."""
        return self.result(
            f"stablehlo.broadcast_in_dim {x.name}, dims = {positions} : "
            f"({x.type}) -> {type_text(flatten(dims), x.dtype)}", dims,
            x.dtype)

    def transpose(self, x, order):
        """Permutes the dimensions of x, those with several factors, too."""
        if list(order) == list(range(x.rank)):
            return x
        dims = tuple(x.dims[axis] for axis in order)
        permutation = [i for axis in order for i in axes_of(x.dims, axis)]
        if permutation == list(range(len(permutation))):
            return Tensor(x.name, dims, x.dtype)
        return self.result(
            f"stablehlo.transpose {x.name}, dims = {permutation} : "
            f"({x.type}) -> {type_text(flatten(dims), x.dtype)}", dims,
            x.dtype)

    def reverse(self, x, axes):
        numbers = [i for axis in axes for i in axes_of(x.dims, axis)]
        return self.result(f"stablehlo.reverse {x.name}, dims = {numbers} : "
                           f"{x.type}", x.dims, x.dtype)

    def slice(self, x, axis, start, limit, stride=1):
        """A range of a dimension that is not the batch."""
        size = x.dims[axis][0]
        if (start, limit, stride) == (0, size, 1):
            return x
        (position,) = axes_of(x.dims, axis)
        ranges = [f"0:{'?' if n is BATCH else n}" for n in x.shape]
        ranges[position] = f"{start}:{limit}" + (
            f":{stride}" if stride != 1 else "")
        dims = list(x.dims)
        dims[axis] = (max(0, -(-(limit - start) // stride)),)
        if x.name in self.zeros:
            return self.full(0, dims, x.dtype)
        result = self.result(
            f"stablehlo.slice {x.name} [{', '.join(ranges)}] : ({x.type}) -> "
            f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)
        if x.name in self.ranges and (start, stride) == (0, 1):
            self.ranges[result.name] = self.ranges[x.name]
        return result

    def pad(self, x, value, low, high, interior=None):
        """One number of elements per dimension; 0 where it has BATCH."""
        interior = interior or [0] * x.rank
        dims, texts = [], ([], [], [])
        for dim, *edges in zip(x.dims, low, high, interior):
            for text, edge in zip(texts, edges):
                text.extend([edge] * len(dim))
            if not any(edges):
                dims.append(dim)
                continue
            before, after, between = edges
            dims.append((dim[0] + before + after
                         + max(dim[0] - 1, 0) * between,))
        scalar = self.scalar(value, x.dtype)
        return self.result(
            f"stablehlo.pad {x.name}, {scalar.name}, low = {texts[0]}, "
            f"high = {texts[1]}, interior = {texts[2]} : "
            f"({x.type}, {scalar.type}) -> "
            f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)

    def concatenate(self, values, axis):
        if len(values) == 1:
            return values[0]
        dims = list(values[0].dims)
        dims[axis] = (sum(value.dims[axis][0] for value in values),)
        (position,) = axes_of(dims, axis)
        names = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        return self.result(
            f"stablehlo.concatenate {names}, dim = {position} : ({types}) -> "
            f"{type_text(flatten(dims), values[0].dtype)}", dims,
            values[0].dtype)

    # Reductions and products.

    def reduce(self, op, x, initial, axes):
        """Folds whole dimensions by a commutative op."""
        if not axes:
            return x
        numbers = sorted(i for axis in axes for i in axes_of(x.dims, axis))
        dims = [dim for axis, dim in enumerate(x.dims) if axis not in axes]
        start = self.scalar(initial, x.dtype)
        return self.result(
            f"stablehlo.reduce({x.name} init: {start.name}) applies "
            f"stablehlo.{op} across dimensions = {numbers} : "
            f"({x.type}, {start.type}) -> "
            f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)

    def dot(self, x, y, contracting, batching=((), ())):
        """Sums of products; dimensions as pairs of lists, for x and y."""
        def numbers(value, axes):
            return [i for axis in axes for i in axes_of(value.dims, axis)]

        def rest(value, used):
            return [dim for axis, dim in enumerate(value.dims)
                    if axis not in used]
        batch = ""
        if batching[0]:
            batch = (f"batching_dims = {numbers(x, batching[0])} x "
                     f"{numbers(y, batching[1])}, ")
        dims = [x.dims[axis] for axis in batching[0]]
        dims += rest(x, [*batching[0], *contracting[0]])
        dims += rest(y, [*batching[1], *contracting[1]])
        if x.name in self.zeros or y.name in self.zeros:
            # ps-opt then sees that it is the same for every sample.
            return self.full(0, dims, x.dtype)
        return self.result(
            f"stablehlo.dot_general {x.name}, {y.name}, {batch}"
            f"contracting_dims = {numbers(x, contracting[0])} x "
            f"{numbers(y, contracting[1])} : ({x.type}, {y.type}) -> "
            f"{type_text(flatten(dims), x.dtype)}", dims, x.dtype)


def expect_static(x, axis, what):
    """The size of a dimension of x that the op cannot have as the batch."""
    if BATCH in x.dims[axis]:
        raise Unsupported(f"{what} along the batch dimension")
    return x.dims[axis][0]
