# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen on elements."""

import math

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.torch.aten import TABLE, aten
from ps_mlir.importers.stablehlo.emitter import Tensor


def _unary(op):
    """A function of floats; integers become floats first."""
    return lambda c, x, **_: c.e.unary(op, c.cast(x))


TABLE.update({f"{name}.default": _unary(op) for name, op in {
    "exp": "exponential", "expm1": "exponential_minus_one", "log": "log",
    "log1p": "log_plus_one", "sigmoid": "logistic", "tanh": "tanh",
    "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sine", "cos": "cosine",
    "tan": "tan", "floor": "floor", "ceil": "ceil", "sign": "sign",
    "round": "round_nearest_even", "erf": "chlo.erf", "erfc": "chlo.erfc",
    "erfinv": "chlo.erf_inv", "acos": "chlo.acos", "asin": "chlo.asin",
    "atan": "chlo.atan", "acosh": "chlo.acosh", "asinh": "chlo.asinh",
    "atanh": "chlo.atanh", "cosh": "chlo.cosh", "sinh": "chlo.sinh",
    "lgamma": "chlo.lgamma", "digamma": "chlo.digamma", "neg": "negate",
    "bitwise_not": "not", "special_expit": "logistic"}.items()})


def _binary(function):
    def emit(c, x, y, **_):
        return function(c.e, x, y, c.dtype)
    return emit


TABLE.update({f"{name}.{kind}": _binary(function) for name, function in {
    "mul": a.multiply, "div": a.divide, "pow": a.power_op,
    "atan2": a.atan2, "maximum": a.maximum, "minimum": a.minimum,
    "remainder": a.floor_modulo, "floor_divide": a.floor_divide,
    "bitwise_and": a.binary("and"), "bitwise_or": a.binary("or"),
    "bitwise_xor": a.binary("xor"), "fmod": a.binary("remainder"),
    "bitwise_left_shift": a.binary("shift_left"),
    "bitwise_right_shift": a.binary("shift_right_arithmetic"),
    "__and__": a.binary("and"), "__or__": a.binary("or"),
    "__xor__": a.binary("xor"), "__lshift__": a.binary("shift_left"),
    "__rshift__": a.binary("shift_right_arithmetic")}.items()
    for kind in ("Tensor", "Scalar", "default", "Tensor_Tensor")})

TABLE.update({f"{name}.{kind}": (
    lambda c, x, y, direction=direction: a.compare_as(
        c.e, direction, x, y, c.common))
    for name, direction in {
        "eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT",
        "ge": "GE"}.items() for kind in ("Tensor", "Scalar")})


@aten("add.Tensor", "add.Scalar")
def _add(c, x, y, alpha=1):
    if isinstance(y, (int, float)) and y == 0 and c.dtype == x.dtype:
        return x
    if alpha != 1:
        y = a.multiply(c.e, y, alpha, c.dtype)
    return a.add(c.e, x, y, c.dtype)


@aten("sub.Tensor", "sub.Scalar", "subtract.Tensor")
def _subtract(c, x, y, alpha=1):
    if alpha != 1:
        y = a.multiply(c.e, y, alpha, c.dtype)
    return a.subtract(c.e, x, y, c.dtype)


@aten("rsub.Scalar", "rsub.Tensor")
def _reverse_subtract(c, x, y, alpha=1):
    return _subtract(c, y, x, alpha)


@aten("div.Tensor_mode", "div.Scalar_mode")
def _divide_mode(c, x, y, rounding_mode=None):
    if rounding_mode == "floor":
        return a.floor_divide(c.e, x, y, c.dtype)
    quotient = a.divide(c.e, x, y, c.dtype)
    return a.truncate(c.e, quotient) if rounding_mode == "trunc" else quotient


@aten("trunc", "fix")
def _truncate(c, x):
    return a.truncate(c.e, x)


@aten("frac")
def _fraction(c, x):
    return a.subtract(c.e, x, a.truncate(c.e, x))


@aten("pow.Tensor_Scalar", "pow.Scalar", "float_power.Tensor_Scalar")
def _power(c, x, exponent):
    if isinstance(x, Tensor):
        return a.power(c.e, c.cast(x), exponent)
    return a.power_op(c.e, x, exponent, c.dtype)


@aten("square")
def _square(c, x):
    return a.square(c.e, x)


@aten("reciprocal")
def _reciprocal(c, x):
    return a.reciprocal(c.e, c.cast(x))


@aten("abs")
def _absolute(c, x):
    return a.absolute(c.e, x)


@aten("exp2", "special_exp2")
def _exp2(c, x):
    return c.e.unary("exponential", a.multiply(
        c.e, c.cast(x), math.log(2)))


@aten("log2")
def _log2(c, x):
    return a.multiply(c.e, c.e.unary("log", c.cast(x)), 1 / math.log(2))


@aten("log10")
def _log10(c, x):
    return a.multiply(c.e, c.e.unary("log", c.cast(x)), 1 / math.log(10))


@aten("logical_not")
def _not(c, x):
    return c.e.unary("not", a.logical(c.e, x))


def _logical(op):
    return lambda c, x, y: a.binary(op)(c.e, a.logical(c.e, x),
                                        a.logical(c.e, y))


TABLE.update({"logical_and.default": _logical("and"),
              "logical_or.default": _logical("or"),
              "logical_xor.default": _logical("xor")})


@aten("isnan")
def _is_nan(c, x):
    return c.e.compare("NE", x, x)


@aten("isinf")
def _is_infinite(c, x):
    return a.compare(c.e, "EQ", c.e.unary("abs", x), math.inf)


@aten("where.self")
def _where(c, condition, x, y):
    return a.where(c.e, condition, c.cast(x), c.cast(y), c.dtype)


@aten("where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def _where_scalar(c, condition, x, y):
    return a.where(c.e, condition, *a.operands(c.e, c.dtype, x, y), c.dtype)


@aten("masked_fill.Scalar", "masked_fill.Tensor")
def _masked_fill(c, x, mask, value):
    filled = a.operands(c.e, c.dtype, x, value)[1] \
        if isinstance(value, Tensor) else a.like(c.e, x, value)
    return a.where(c.e, mask, filled, x)


@aten("clamp", "clamp.Tensor", "clip")
def _clamp(c, x, low=None, high=None, min=None, max=None):
    low, high = (min if low is None else low), (max if high is None else high)
    return a.clamp(c.e, c.cast(x), low, high)


@aten("hypot")
def _hypot(c, x, y):
    squares = a.add(c.e, a.square(c.e, x), a.square(c.e, y))
    return c.e.unary("sqrt", squares)


@aten("heaviside")
def _heaviside(c, x, values):
    step = c.cast(a.compare(c.e, "GT", x, 0.0))
    return a.where(c.e, a.compare(c.e, "EQ", x, 0.0), values, step)


@aten("clamp_min", "clamp_min.Tensor")
def _clamp_min(c, x, low):
    return a.clamp(c.e, c.cast(x), low=low)


@aten("clamp_max", "clamp_max.Tensor")
def _clamp_max(c, x, high):
    return a.clamp(c.e, c.cast(x), high=high)


@aten("relu")
def _relu(c, x):
    return a.relu(c.e, x)


@aten("relu6")
def _relu6(c, x):
    return a.clamp_outside(c.e, x, 0, 6)


@aten("hardtanh")
def _hardtanh(c, x, low=-1.0, high=1.0):
    return a.clamp_outside(c.e, x, low, high)


@aten("hardsigmoid")
def _hard_sigmoid(c, x):
    return a.hard_sigmoid(c.e, x)


@aten("hardswish")
def _hard_swish(c, x):
    return a.multiply(c.e, x, a.hard_sigmoid(c.e, x))


@aten("leaky_relu")
def _leaky_relu(c, x, slope=0.01):
    return a.leaky_relu(c.e, x, float(slope))


@aten("prelu", "_prelu_kernel")
def _prelu(c, x, weight):
    if x.rank > 1 and weight.dims != ((1,),) and weight.rank == 1:
        shape = [(1,)] * x.rank
        shape[1] = weight.dims[0]
        weight = c.e.reshape(weight, tuple(shape))
    return a.where(c.e, a.compare(c.e, "GT", x, 0.0), x,
                   a.multiply(c.e, x, weight))


@aten("elu")
def _elu(c, x, alpha=1.0, scale=1.0, input_scale=1.0):
    return a.elu(c.e, x, alpha, scale, input_scale)


@aten("celu")
def _celu(c, x, alpha=1.0):
    return a.elu(c.e, x, alpha, 1.0, 1 / alpha)


@aten("selu")
def _selu(c, x):
    return a.elu(c.e, x, 1.6732632423543772, 1.0507009873554805)


@aten("gelu")
def _gelu(c, x, approximate="none"):
    return a.gelu(c.e, x, approximate == "tanh")


@aten("silu")
def _silu(c, x):
    return a.silu(c.e, x)


@aten("mish")
def _mish(c, x):
    return a.mish(c.e, x)


@aten("softplus")
def _softplus(c, x, beta=1.0, threshold=20.0):
    return a.softplus(c.e, x, float(beta))


@aten("log_sigmoid")
def _log_sigmoid(c, x):
    return a.log_sigmoid(c.e, x)


@aten("threshold")
def _threshold(c, x, bound, value):
    return a.where(c.e, a.compare(c.e, "GT", x, float(bound)), x,
                   a.like(c.e, x, value))


@aten("_to_copy", "to.dtype", "_cast_Float")
def _convert(c, x, *_, **__):
    if c.dtype != x.dtype and x.is_float and not c.dtype.startswith(
            ("f", "bf")) and c.dtype != "i1":
        return c.cast(c.e.stop_gradient(x))
    return c.cast(x)


@aten("lerp.Scalar", "lerp.Tensor")
def _lerp(c, x, y, weight):
    return a.add(c.e, x, a.multiply(c.e, a.subtract(c.e, y, x), weight))


@aten("addcmul")
def _addcmul(c, x, y, z, value=1):
    term = a.multiply(c.e, y, z)
    return a.add(c.e, x, a.multiply(c.e, term, value)
                 if value != 1 else term)


@aten("addcdiv")
def _addcdiv(c, x, y, z, value=1):
    term = a.divide(c.e, y, z)
    return a.add(c.e, x, a.multiply(c.e, term, value)
                 if value != 1 else term)


@aten("logaddexp")
def _logaddexp(c, x, y):
    """maximum + log1p(exp(-|x - y|)), which ps-opt knows as one function."""
    x, y = a.operands(c.e, c.dtype, x, y)
    gap = c.e.unary("abs", c.e.binary("subtract", x, y))
    rest = c.e.unary("log_plus_one", c.e.unary(
        "exponential", c.e.unary("negate", gap)))
    return c.e.binary("add", c.e.binary("maximum", x, y), rest)


@aten("glu")
def _glu(c, x, dim=-1):
    from ps_mlir.importers.stablehlo.movement import split
    half = x.dims[dim][0] // 2
    value, gate = split(c.e, x, [half, half], dim)
    return a.multiply(c.e, value, c.e.unary("logistic", gate))
