# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions of tensors that broadcast and promote.

Where a function has a kink, its formula is chosen so that ps-opt derives what
PyTorch does there (docs/Design.md, "Derivatives where a function has none").
"""

import math

from ps_mlir.importers.stablehlo.emitter import FLOATS, Tensor, singles
from ps_mlir.importers.stablehlo.shapes import (Multiple, Unsupported, broadcast_dims,
                                      flatten, size_of)

_ORDER = ["i1", "ui8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]


def broadcast_to(e, x, dims):
    """x repeated to the given dimensions, of which its own are the last."""
    dims = tuple(dims)
    if x.dims == dims:
        return x
    offset = len(dims) - x.rank
    kept = [axis for axis in range(x.rank)
            if x.dims[axis] != (1,) or dims[offset + axis] == (1,)]
    for axis in kept:
        if size_of(x.dims[axis]) != size_of(dims[offset + axis]):
            raise Unsupported(f"cannot expand {x} to that shape")
    core = e.reshape(x, tuple(dims[offset + axis] for axis in kept))
    if len(kept) == len(dims):
        return core
    positions, first = [], 0
    for axis, dim in enumerate(dims):
        if axis - offset in kept:
            positions += range(first, first + len(dim))
        first += len(dim)
    if len(flatten(dims)) == len(positions):
        return Tensor(core.name, dims, core.dtype)
    if all(dims[axis] == (1,) for axis in range(len(dims))
           if axis - offset not in kept):
        return e.reshape(core, dims)
    if core.name in e.zeros:
        return e.full(0, dims, core.dtype)
    return e.broadcast(core, dims, positions)


def broadcast(e, *tensors):
    dims = broadcast_dims([tensor.dims for tensor in tensors])
    return [broadcast_to(e, tensor, dims) for tensor in tensors]


def promote_types(left, right):
    """The element type of left + right, for tensors of any rank."""
    if {left, right} == {"f16", "bf16"}:
        return "f32"
    if {left, right} == {"ui8", "i8"}:
        return "i16"
    return max(left, right, key=_ORDER.index)


def operands(e, dtype, *values):
    """Tensors and numbers, as tensors of one shape and element type.

    A number is a scalar that is broadcast; dtype None stands for what the
    tensors promote to.
    """
    tensors = [value for value in values if isinstance(value, Tensor)]
    if dtype is None:
        dtype = tensors[0].dtype
        for tensor in tensors[1:]:
            dtype = promote_types(dtype, tensor.dtype)
        if dtype not in FLOATS and any(isinstance(v, float) for v in values):
            dtype = "f32"
    dims = broadcast_dims([tensor.dims for tensor in tensors] or [()])
    return [number(e, value, dims, dtype) if not isinstance(value, Tensor)
            else broadcast_to(e, e.convert(value, dtype), dims)
            for value in values]


def number(e, value, dims, dtype):
    """A number, or a multiple of the batch size, in the given shape."""
    if isinstance(value, Multiple):
        return broadcast_to(e, batch_multiple(e, value, dtype), dims)
    return e.full(value, dims, dtype)


def batch_multiple(e, size, dtype):
    """The scalar size.factor * batch size."""
    batch = e.batch_size(dtype)
    if size.factor == 1:
        return batch
    return e.once(("multiple", size.factor, dtype), lambda: e.binary(
        "multiply", batch, e.scalar(size.factor, dtype)))


def binary(op, dtype=None):
    """A function that emits `op` on two tensors or numbers."""
    def emit(e, x, y, dtype=dtype):
        return e.binary(op, *operands(e, dtype, x, y))
    return emit


add, subtract = binary("add"), binary("subtract")
multiply, divide = binary("multiply"), binary("divide")
maximum, minimum = binary("maximum"), binary("minimum")
power_op, atan2 = binary("power"), binary("atan2")


def compare(e, direction, x, y):
    return e.compare(direction, *operands(e, None, x, y))


def where(e, condition, x, y, dtype=None):
    x, y = operands(e, dtype, x, y) if not (
        isinstance(x, Tensor) and isinstance(y, Tensor)
        and x.type == y.type) else (x, y)
    condition, x, y = broadcast(e, condition, x, y)
    return e.select(condition, x, y)


def logical(e, x):
    """Whether elements are not zero."""
    return e.convert(x, "i1")


def like(e, x, value):
    """A number in the shape and type of x."""
    return e.full(value, x.dims, x.dtype)


def as_float(e, x):
    return x if x.is_float else e.convert(x, "f32")


def square(e, x):
    return e.binary("multiply", x, x)


def reciprocal(e, x):
    return e.binary("divide", like(e, x, 1), x)


def absolute(e, x):
    """|x| with derivative 0 at 0: x times its sign."""
    if not x.is_float:
        return x if x.dtype.startswith(("ui", "i1")) else e.unary("abs", x)
    return e.binary("multiply", x, e.unary("sign", x))


def power(e, x, exponent):
    """x to the power of a tensor or number, small integers as products."""
    if isinstance(exponent, (int, float)) and not isinstance(exponent, bool):
        if exponent == 2:
            return square(e, x)
        if exponent == 3:
            return e.binary("multiply", square(e, x), x)
        if exponent == 1:
            return x
        if exponent == 0.5 and x.is_float:
            return e.unary("sqrt", x)
        if exponent == -0.5 and x.is_float:
            return e.unary("rsqrt", x)
        if exponent == -1 and x.is_float:
            return reciprocal(e, x)
    return power_op(e, x, exponent)


def relu(e, x):
    """The form whose derivative at 0 is 0: maximum with zeros second."""
    return e.binary("maximum", x, like(e, x, 0))


def clamp(e, x, low=None, high=None):
    """Limits x by numbers, tensors or None.

    The derivative at a bound is 0 for a number, 1/2 for a tensor, as in
    PyTorch 2.15 (earlier ones have 1).
    """
    if _is_number(low) and _is_number(high):
        return clamp_outside(e, x, low, high)
    for bound, op, direction in ((low, maximum, "LE"), (high, minimum, "GE")):
        if isinstance(bound, Tensor):
            x = op(e, x, bound)
        elif bound is not None:
            limit = like(e, x, bound)
            x = e.select(e.compare(direction, x, limit), limit, x)
    return x


def _is_number(value):
    return isinstance(value, (int, float))


def clamp_outside(e, x, low, high):
    """Limits x; the derivative at a bound is 0, as of hardtanh."""
    return e.clamp(e.scalar(low, x.dtype), x, e.scalar(high, x.dtype))


def silu(e, x):
    return e.binary("multiply", x, e.unary("logistic", x))


def softplus(e, x, beta=1.0):
    """log(1 + exp(beta x)) / beta, without overflow.

    maximum(x, 0) + log1p(exp(-|x|)) with choices that have derivatives at 0: 1
    of the maximum, and -1 of -|x|.
    """
    scaled = multiply(e, x, beta) if beta != 1 else x
    zero = like(e, scaled, 0)
    is_large = e.compare("GE", scaled, zero)
    large = e.select(is_large, scaled, zero)
    below = e.select(is_large, e.unary("negate", scaled), scaled)
    small = e.unary("log_plus_one", e.unary("exponential", below))
    result = e.binary("add", large, small)
    return divide(e, result, beta) if beta != 1 else result


def log_sigmoid(e, x):
    return e.unary("negate", softplus(e, e.unary("negate", x)))


def gelu(e, x, tanh=False):
    half = multiply(e, x, 0.5)
    if tanh:
        cube = e.binary("multiply", square(e, x), x)
        inner = add(e, x, multiply(e, cube, 0.044715))
        factor = e.unary("tanh", multiply(e, inner, math.sqrt(2 / math.pi)))
    else:
        factor = e.unary("chlo.erf", multiply(e, x, math.sqrt(0.5)))
    return e.binary("multiply", half, add(e, factor, 1.0))


def leaky_relu(e, x, slope=0.01):
    return e.select(compare(e, "GT", x, 0.0), x, multiply(e, x, slope))


def elu(e, x, alpha=1.0, scale=1.0, input_scale=1.0):
    """scale x where x > 0, else scale alpha (exp(input_scale x) - 1).

    The exponential gets no positive x, which might overflow.
    """
    is_positive = compare(e, "GT", x, 0.0)
    negative = e.select(is_positive, like(e, x, 0), x)
    curve = e.unary("exponential_minus_one", multiply(
        e, negative, float(input_scale)))
    return e.select(is_positive, multiply(e, x, float(scale)),
                    multiply(e, curve, float(alpha) * float(scale)))


def mish(e, x):
    return e.binary("multiply", x, e.unary("tanh", softplus(e, x)))


def hard_sigmoid(e, x):
    """relu6(x + 3) / 6."""
    return divide(e, clamp_outside(e, add(e, x, 3.0), 0, 6), 6.0)


def floor_divide(e, x, y, dtype=None):
    """The quotient rounded down."""
    x, y = operands(e, dtype, x, y)
    if x.is_float:
        return e.unary("floor", e.binary("divide", x, y))
    quotient = e.binary("divide", x, y)
    rest = e.binary("subtract", x, e.binary("multiply", quotient, y))
    zero = like(e, x, 0)
    differ = e.binary("xor", e.compare("LT", rest, zero),
                      e.compare("LT", y, zero))
    down = e.binary("and", differ, e.compare("NE", rest, zero))
    return e.binary("subtract", quotient, e.convert(down, x.dtype))


def floor_modulo(e, x, y, dtype=None):
    """The rest of floor_divide: it has the sign of y."""
    x, y = operands(e, dtype, x, y)
    quotient = floor_divide(e, x, y)
    return e.binary("subtract", x, e.binary("multiply", quotient, y))


def truncate(e, x):
    if not x.is_float:
        return x
    return e.select(compare(e, "LT", x, 0.0), e.unary("ceil", x),
                    e.unary("floor", x))


def arange(e, start, count, step, dtype):
    """`count` numbers from `start` on; count may be a Multiple of the batch.
    """
    if isinstance(count, Multiple):
        if count.factor != 1:
            raise Unsupported("a range over a multiple of the batch size")
        dims = ((None,),)
    else:
        dims = singles((count,))
    result = e.iota(dims, 0, dtype)
    if step != 1:
        result = multiply(e, result, step, dtype)
    return add(e, result, start, dtype) if start != 0 else result


def compare_as(e, direction, x, y, dtype):
    """Compares after conversion to a common element type."""
    return e.compare(direction, *operands(e, dtype, x, y))
