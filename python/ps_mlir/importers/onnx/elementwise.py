# SPDX-License-Identifier: Apache-2.0
"""Ops of ONNX on elements, and reductions."""

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import indexing as i
from ps_mlir.importers.stablehlo import reductions as r
from ps_mlir.importers.stablehlo.emitter import NUMPY_TYPES
from ps_mlir.importers.onnx.table import TABLE, Known, op
from ps_mlir.importers.stablehlo.shapes import Unsupported

ELEMENTS = {1: "f32", 2: "ui8", 3: "i8", 4: "ui16", 5: "i16", 6: "i32",
            7: "i64", 9: "i1", 10: "f16", 11: "f64", 12: "ui32", 13: "ui64",
            16: "bf16"}

TABLE.update({name: (lambda c, x, kind=kind: c.e.unary(kind, x))
              for name, kind in {
    "Exp": "exponential", "Log": "log", "Sqrt": "sqrt", "Tanh": "tanh",
    "Sigmoid": "logistic", "Neg": "negate", "Floor": "floor", "Ceil": "ceil",
    "Sign": "sign", "Round": "round_nearest_even", "Sin": "sine",
    "Cos": "cosine", "Tan": "tan", "Erf": "chlo.erf", "Acos": "chlo.acos",
    "Asin": "chlo.asin", "Atan": "chlo.atan", "Acosh": "chlo.acosh",
    "Asinh": "chlo.asinh", "Atanh": "chlo.atanh", "Cosh": "chlo.cosh",
    "Sinh": "chlo.sinh", "Not": "not", "BitwiseNot": "not"}.items()})

TABLE.update({name: (lambda c, x, y, f=f: f(c.e, *c.tensors(x, y)))
              for name, f in {
    "Add": a.add, "Sub": a.subtract, "Mul": a.multiply, "And": a.binary("and"),
    "Or": a.binary("or"), "Xor": a.binary("xor")}.items()})

TABLE.update({name: (lambda c, x, y, d=d: a.compare(c.e, d, *c.tensors(x, y)))
              for name, d in {
    "Equal": "EQ", "Less": "LT", "LessOrEqual": "LE", "Greater": "GT",
    "GreaterOrEqual": "GE"}.items()})

TABLE.update({name: (lambda c, x, f=f: f(c.e, x)) for name, f in {
    "Abs": a.absolute, "Reciprocal": a.reciprocal, "Relu": a.relu,
    "Softplus": a.softplus, "Mish": a.mish}.items()})


@op("Div")
def _divide(c, x, y):
    x, y = c.tensors(x, y)
    if x.is_float:
        return a.divide(c.e, x, y)
    return c.e.binary("divide", *a.operands(c.e, None, x, y))


@op("Mod")
def _modulo(c, x, y):
    x, y = c.tensors(x, y)
    if c.attribute("fmod", 0):
        return c.e.binary("remainder", *a.operands(c.e, None, x, y))
    return a.floor_modulo(c.e, x, y)


@op("Pow")
def _power(c, x, y):
    x = c.tensor(x)
    if not hasattr(y, "dims") and y.array.size == 1:
        return a.power(c.e, x, c.number(y))
    return a.power(c.e, x, c.e.convert(c.tensor(y), x.dtype))


def _folded(function):
    def emit(c, *values):
        values = c.tensors(*values)
        result = values[0]
        for value in values[1:]:
            result = function(c.e, result, value)
        return result
    return emit


TABLE.update(Max=_folded(a.maximum), Min=_folded(a.minimum),
             Sum=_folded(a.add))


@op("Mean")
def _mean_of_values(c, *values):
    return a.divide(c.e, _folded(a.add)(c, *values), float(len(values)))


@op("Where")
def _where(c, condition, x, y):
    return a.where(c.e, c.tensor(condition), *c.tensors(x, y))


@op("Clip")
def _clip(c, x, low=None, high=None):
    """As torch.clamp, except relu6, whose bounds have derivative 0."""
    low = c.attribute("min") if low is None else c.number(low)
    high = c.attribute("max") if high is None else c.number(high)
    if low == 0 and high == 6:
        return a.clamp_outside(c.e, x, 0, 6)
    return a.clamp(c.e, x, low, high)


@op("LeakyRelu")
def _leaky_relu(c, x):
    return a.leaky_relu(c.e, x, c.attribute("alpha", 0.01))


@op("PRelu")
def _prelu(c, x, slope):
    return a.where(c.e, a.compare(c.e, "GT", x, 0.0), x,
                   a.multiply(c.e, x, c.tensor(slope)))


@op("Elu")
def _elu(c, x):
    return a.elu(c.e, x, c.attribute("alpha", 1.0))


@op("Celu")
def _celu(c, x):
    alpha = c.attribute("alpha", 1.0)
    return a.elu(c.e, x, alpha, 1.0, 1 / alpha)


@op("Selu")
def _selu(c, x):
    return a.elu(c.e, x, c.attribute("alpha", 1.6732632),
                 c.attribute("gamma", 1.0507010))


@op("Gelu")
def _gelu(c, x):
    return a.gelu(c.e, x, c.text("approximate", "none") == "tanh")


@op("HardSigmoid")
def _hard_sigmoid(c, x):
    alpha, beta = c.attribute("alpha", 0.2), c.attribute("beta", 0.5)
    return a.clamp_outside(c.e, a.add(c.e, a.multiply(c.e, x, alpha), beta),
                           0, 1)


@op("HardSwish")
def _hard_swish(c, x):
    return a.multiply(c.e, x, a.hard_sigmoid(c.e, x))


@op("Swish")
def _swish(c, x):
    return a.multiply(c.e, x, c.e.unary("logistic", a.multiply(
        c.e, x, c.attribute("alpha", 1.0))))


@op("Softsign")
def _softsign(c, x):
    return a.divide(c.e, x, a.add(c.e, a.absolute(c.e, x), 1.0))


@op("ThresholdedRelu")
def _thresholded(c, x):
    bound = c.attribute("alpha", 1.0)
    return c.e.select(a.compare(c.e, "GT", x, bound), x, a.like(c.e, x, 0))


@op("IsNaN")
def _is_nan(c, x):
    return c.e.compare("NE", x, x)


@op("Cast")
def _cast(c, x):
    kind = c.attribute("to")
    if kind not in ELEMENTS:
        raise Unsupported(f"a cast to type {kind}")
    return c.e.convert(x, ELEMENTS[kind])


@op("CastLike")
def _cast_like(c, x, y):
    if isinstance(x, Known) and c.tensor(y).dtype in NUMPY_TYPES:
        return Known(x.array.astype(NUMPY_TYPES[c.tensor(y).dtype]))
    return c.e.convert(c.tensor(x), c.tensor(y).dtype)


@op("Identity", "StringNormalizer", "ZipMap")
def _identity(c, x, *_):
    return x


@op("Dropout")
def _dropout(c, x, ratio=None, training=None):
    """Nothing is dropped unless the model says that it trains."""
    trains = c.opset < 7 and not c.attribute("is_test", 0)
    if training is not None:
        trains = not isinstance(training, Known) or bool(training.array)
    if trains and not (isinstance(ratio, Known) and ratio.array == 0):
        raise Unsupported("dropout in training mode: export the model in "
                          "evaluation mode")
    return x


# Reductions.

def _reduction(function):
    def emit(c, x, axes=None):
        axes = c.axes(axes)
        if not axes and c.attribute("noop_with_empty_axes", 0):
            return x
        return function(c.e, x, axes, bool(c.attribute("keepdims", 1)))
    return emit


def _total_of(before=None, after=None):
    def emit(e, x, axes, keep):
        result = r.total(e, before(e, x) if before else x, axes, keep)
        return after(e, result) if after else result
    return emit


TABLE.update({f"Reduce{name}": _reduction(f) for name, f in {
    "Sum": r.total, "Mean": r.mean, "Max": r.maximum, "Min": r.minimum,
    "Prod": r.product, "LogSumExp": r.log_sum_exp,
    "L1": _total_of(a.absolute), "SumSquare": _total_of(a.square),
    "L2": lambda e, x, axes, keep: r.safe_norm(e, x, axes, keep),
    "LogSum": _total_of(None, lambda e, x: e.unary("log", x))}.items()})


def _expect_first(c):
    if c.attribute("select_last_index", 0):
        raise Unsupported("select_last_index = 1")


@op("ArgMax")
def _argmax(c, x):
    _expect_first(c)
    return r.arg_extreme(c.e, c.e.stop_gradient(x), c.attribute("axis", 0),
                         bool(c.attribute("keepdims", 1)))


@op("ArgMin")
def _argmin(c, x):
    _expect_first(c)
    return r.arg_extreme(c.e, c.e.stop_gradient(x), c.attribute("axis", 0),
                         bool(c.attribute("keepdims", 1)), smallest=True)


def _softmax(function):
    def emit(c, x):
        if c.opset < 13 and c.attribute("axis", 1) not in (-1, x.rank - 1):
            raise Unsupported("Softmax of several dimensions (opset < 13)")
        return function(c.e, x, c.attribute("axis", -1) % x.rank)
    return emit


TABLE.update(Softmax=_softmax(r.softmax), LogSoftmax=_softmax(r.log_softmax))


@op("CumSum")
def _cumulative_sum(c, x, axis):
    if c.attribute("exclusive", 0) or c.attribute("reverse", 0):
        raise Unsupported("CumSum that is exclusive or reversed")
    return r.cumulative_sum(c.e, x, c.number(axis))


@op("TopK")
def _top(c, x, count):
    return i.top(c.e, x, c.number(count), c.attribute("axis", -1),
                 bool(c.attribute("largest", 1)))
