#!/usr/bin/env python3
"""Writes the self-checking programs of this folder, nearly all for one op each.

usage: generate.py [--check]

With --check, only says which programs are not as they would be written.

Expected values are computed here, exactly or to sixty digits, and rounded once
to the element type; nothing of the compiler takes part. Operands of binary ops
come as a row and a column that the program broadcasts against each other.
"""

import itertools
import math
import pathlib
import re
import statistics
import struct
import sys
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

getcontext().prec = 60
inf, nan = math.inf, math.nan


# Element types ---------------------------------------------------------------

class Float:
    """A binary float of `bits` bits of which `precision` are significant."""
    kind = "float"

    def __init__(self, name, bits, precision, emax):
        self.name, self.bits, self.precision = name, bits, precision
        self.emin = 1 - emax
        self.emax = emax
        self.max = float((2 - Fraction(1, 2**(precision - 1))) * 2**emax)
        self.min_normal = float(Fraction(1, 2**(emax - 1)))
        self.min = float(Fraction(1, 2**(emax - 1 + precision - 1)))

    def round(self, x):
        """x, a float or an exact number, to nearest, ties to even."""
        if isinstance(x, float) and (math.isnan(x) or math.isinf(x) or x == 0):
            return x
        exact = Fraction(x)
        if exact == 0:
            return 0.0
        size = abs(exact)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if size < Fraction(2)**exponent:
            exponent -= 1
        quantum = Fraction(2)**(max(exponent, self.emin) - self.precision + 1)
        size = round(size / quantum) * quantum
        if size >= Fraction(2)**(self.emax + 1):
            return inf if exact > 0 else -inf
        return float(size) if exact > 0 else -float(size)

    def bits_of(self, x):
        if self.name == "f64":
            return struct.unpack("<Q", struct.pack("<d", x))[0]
        if self.name == "f16":
            return struct.unpack("<H", struct.pack("<e", x))[0]
        word = struct.unpack("<I", struct.pack("<f", x))[0]
        return word >> 16 if self.name == "bf16" else word

    def literal(self, x):
        if math.isnan(x) or math.isinf(x):
            sign = 0 if math.copysign(1, x) > 0 else 1 << (self.bits - 1)
            digits = self.precision - 1
            field = ((1 << (self.bits - 1 - digits)) - 1) << digits
            quiet = 1 << (digits - 1) if math.isnan(x) else 0
            return f"0x{sign | field | quiet:0{self.bits // 4}X}"
        text = repr(x)
        if "e" in text and "." not in text:
            text = text.replace("e", ".0e")
        return text


class Int:
    def __init__(self, name, bits, signed):
        self.name, self.bits, self.signed = name, bits, signed
        self.kind = "int"
        self.min = -(1 << (bits - 1)) if signed else 0
        self.max = (1 << (bits - signed)) - 1

    def round(self, x):
        """x modulo 2^bits."""
        x = int(x) & ((1 << self.bits) - 1)
        return x - (1 << self.bits) if x > self.max else x

    def bits_of(self, x):
        return x % (1 << self.bits)

    def literal(self, x):
        return str(x)


class Bool:
    name, bits, kind, signed = "i1", 1, "bool", False
    min, max = 0, 1

    def round(self, x):
        return int(bool(x))

    def literal(self, x):
        return "true" if x else "false"


f64 = Float("f64", 64, 53, 1023)
f32 = Float("f32", 32, 24, 127)
f16 = Float("f16", 16, 11, 15)
bf16 = Float("bf16", 16, 8, 127)
i1 = Bool()
i8, i16, i32, i64 = (Int(f"i{n}", n, True) for n in (8, 16, 32, 64))
ui8, ui16, ui32, ui64 = (Int(f"ui{n}", n, False) for n in (8, 16, 32, 64))
FLOATS = [f32, f64, bf16, f16]
SIGNED = [i8, i16, i32, i64]
INTS = SIGNED + [ui8, ui16, ui32, ui64]
NUMBERS = FLOATS + INTS
ALL = NUMBERS + [i1]


def samples(t):
    """Values of a type at which ops behave in different ways."""
    if t.kind == "bool":
        return [0, 1]
    if t.kind == "int":
        values = [t.min, t.min + 1, -7, -2, -1, 0, 1, 2, 3, 10, t.max - 1, t.max]
        return sorted({v for v in values if t.min <= v <= t.max})
    return [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, t.round(0.1), t.max, -t.max,
            t.min_normal, t.min, -t.min, inf, -inf, nan]


def plain(t, n):
    """n small different values, exact in every type."""
    if t.kind == "bool":
        return [(i * i // 2) % 2 for i in range(n)]
    return [t.round(float(i % 113) if t.kind == "float" else i % 113)
            for i in range(n)]


# Tensors ---------------------------------------------------------------------

def size_of(shape):
    return math.prod(shape)


def indices(shape):
    return itertools.product(*(range(n) for n in shape))


def offset(shape, index):
    position = 0
    for n, i in zip(shape, index):
        position = position * n + i
    return position


class Tensor:
    def __init__(self, t, shape, values):
        self.t, self.shape, self.values = t, tuple(shape), list(values)
        assert len(self.values) == size_of(self.shape), (shape, values)

    @staticmethod
    def make(t, shape, function):
        return Tensor(t, shape, [function(i) for i in indices(shape)])

    def at(self, index):
        return self.values[offset(self.shape, index)]

    def type(self):
        return "tensor<" + "".join(f"{n}x" for n in self.shape) + self.t.name + ">"

    def literal(self):
        if not self.values:
            return "dense<>"
        texts = [self.t.literal(v) for v in self.values]
        for n in reversed(self.shape):
            texts = ["[" + ", ".join(texts[i:i + n]) + "]"
                     for i in range(0, len(texts), n)]
        return f"dense<{texts[0]}>"


def vector(t, values):
    return Tensor(t, [len(values)], values)


def scalar(t, value):
    return Tensor(t, [], [value])


class Program:
    """The text of one @main."""

    def __init__(self, name):
        self.name, self.lines, self.count = name, [], 0

    def section(self, title):
        self.lines.append("")
        self.lines.append(f"  // {title}")

    def op(self, text, results=1, quote=""):
        name = f"%{self.count}"
        self.count += 1
        head = f"{name}:{results}" if results > 1 else name
        dialect = "" if text.startswith("chlo.") else "stablehlo."
        self.lines.append(f"  {head} = {quote}{dialect}{text}")
        return name

    def constant(self, tensor):
        return self.op(f"constant {tensor.literal()} : {tensor.type()}")

    def value(self, t, number):
        """A scalar that the compiler cannot fold."""
        pair = self.constant(vector(t, [number, number]))
        one = self.op(f"slice {pair} [0:1] : (tensor<2x{t.name}>) -> tensor<1x{t.name}>")
        return self.op(f"reshape {one} : (tensor<1x{t.name}>) -> tensor<{t.name}>")

    def expect(self, actual, expected, ulps=0):
        if ulps and expected.t.kind == "float":
            other = self.constant(expected)
            self.lines.append(
                f"  check.expect_close {actual}, {other}, max_ulp_difference = "
                f"{ulps} : {expected.type()}, {expected.type()}")
        else:
            self.lines.append(f"  check.expect_eq_const {actual}, "
                              f"{expected.literal()} : {expected.type()}")

    def text(self):
        body = "\n".join(self.lines)
        return ("// RUN: ps-run %s --entry=main\n// Made by generate.py.\n\n"
                f"func.func @main() {{{body}\n  return\n}}\n")


PROGRAMS = []


def program(function):
    """Registers a function that fills the program named after it."""
    PROGRAMS.append((function.__name__.strip("_"), function))
    return function


# Elementwise ops -------------------------------------------------------------

def signature(op, operands, t):
    """The types of an op whose operands and result are `t`, as it is printed."""
    if op.startswith("chlo."):
        return ", ".join([t] * operands) + f" -> {t}"
    return t


def unary(p, op, types, function, ulps=None, values=samples):
    for t in types:
        p.section(t.name)
        operand = vector(t, values(t))
        x = p.constant(operand)
        y = p.op(f"{op} {x} : {signature(op, 1, operand.type())}")
        expected = [t.round(function(v, t)) for v in operand.values]
        tolerance = ulps(t) if ulps else 0
        p.expect(y, vector(t, expected), tolerance)
    t = types[0]
    p.section("rank 0 and no elements")
    number = values(t)[:3][-1]
    x = p.value(t, number)
    y = p.op(f"{op} {x} : {signature(op, 1, f'tensor<{t.name}>')}")
    p.expect(y, scalar(t, t.round(function(number, t))), ulps(t) if ulps else 0)
    empty = Tensor(t, [2, 0], [])
    x = p.constant(empty)
    y = p.op(f"{op} {x} : {signature(op, 1, empty.type())}")
    p.expect(y, empty)


def outer(p, t, values):
    """All pairs of values: two square matrices in the program."""
    n = len(values)
    line, square = f"tensor<{n}x{t.name}>", f"tensor<{n}x{n}x{t.name}>"
    x = p.constant(vector(t, values))
    lhs = p.op(f"broadcast_in_dim {x}, dims = [0] : ({line}) -> {square}")
    rhs = p.op(f"broadcast_in_dim {x}, dims = [1] : ({line}) -> {square}")
    return lhs, rhs, square


def table(t, values, function):
    return Tensor(t, [len(values)] * 2,
                  [t.round(function(a, b)) for a in values for b in values])


def binary(p, op, types, function, ulps=None, values=samples):
    for t in types:
        p.section(t.name)
        lhs, rhs, square = outer(p, t, values(t))
        y = p.op(f"{op} {lhs}, {rhs} : {signature(op, 2, square)}")
        p.expect(y, table(t, values(t), lambda a, b: function(a, b, t)),
                 ulps(t) if ulps else 0)
    t = types[0]
    p.section("rank 0 and no elements")
    a, b = values(t)[:3][-1], values(t)[-2]
    x, y = p.value(t, a), p.value(t, b)
    z = p.op(f"{op} {x}, {y} : {signature(op, 2, f'tensor<{t.name}>')}")
    p.expect(z, scalar(t, t.round(function(a, b, t))), ulps(t) if ulps else 0)
    empty = Tensor(t, [0, 3], [])
    x = p.constant(empty)
    y = p.op(f"{op} {x}, {x} : {signature(op, 2, empty.type())}")
    p.expect(y, empty)


def is_special(*values):
    return any(math.isnan(v) or math.isinf(v) for v in values)


def add_numbers(a, b, t):
    if t.kind == "bool":
        return a | b
    if t.kind == "int" or is_special(a, b):
        return a + b
    total = Fraction(a) + Fraction(b)
    # A sum of zeros, or of opposites, has the sign that IEEE-754 gives it.
    return total if total else a + b


def multiply_numbers(a, b, t):
    if t.kind == "bool":
        return a & b
    if t.kind == "int" or is_special(a, b) or a == 0 or b == 0:
        return a * b
    return nonzero(Fraction(a) * Fraction(b), t)


def nonzero(exact, t):
    """An exact result that may round to zero: the zero keeps its sign."""
    rounded = t.round(exact)
    return abs(rounded) if exact > 0 else -abs(rounded)


def divide_numbers(a, b, t):
    if t.kind == "int":
        if b == 0:
            return -1
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)):
        return nan
    sign = math.copysign(1, a) * math.copysign(1, b)
    if b == 0:
        return nan if a == 0 else sign * inf
    if math.isinf(a):
        return sign * inf
    if math.isinf(b) or a == 0:
        return sign * 0.0
    return nonzero(Fraction(a) / Fraction(b), t)


def remainder_numbers(a, b, t):
    if t.kind == "int":
        return a if b == 0 else a - b * divide_numbers(a, b, t)
    if is_special(a) or b == 0 or math.isnan(b):
        return nan
    return math.fmod(a, b)


def chosen_by(choose):
    """maximum_numbers or minimum_numbers, for max or min: NaN wins, and -0.0 is
    below 0.0."""
    def function(a, b, t):
        if t.kind == "float" and (math.isnan(a) or math.isnan(b)):
            return nan
        return choose(a, b, key=lambda x: (x, math.copysign(1, x)))
    return function


maximum_numbers = chosen_by(max)
minimum_numbers = chosen_by(min)


def power_numbers(a, b, t):
    if t.kind == "int":
        if b >= 0:
            return pow(a, b, 1 << t.bits)
        return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)
    is_integer = not math.isinf(b) and b == b and b == int(b)
    sign = -1 if is_integer and int(b) % 2 and math.copysign(1, a) < 0 else 1
    if b == 0 or a == 1:
        return 1.0
    if math.isnan(a) or math.isnan(b):
        return nan
    if math.isinf(b) or a == 0 or math.isinf(a):
        if abs(a) == 1:
            return 1.0
        return sign * (inf if (abs(a) > 1) == (b > 0) else 0.0)
    if a < 0 and not is_integer:
        return nan
    if is_integer and abs(b) <= 64:
        return nonzero(Fraction(a)**int(b), t)
    size = exp_of(Decimal(b) * Decimal(abs(a)).ln())
    return sign * (size if isinstance(size, float) else
                   nonzero(Fraction(size), t))


@program
def add(p):
    binary(p, "add", ALL, add_numbers)


@program
def subtract(p):
    binary(p, "subtract", NUMBERS,
           lambda a, b, t: add_numbers(a, -b, t))


@program
def multiply(p):
    binary(p, "multiply", ALL, multiply_numbers)


@program
def divide(p):
    binary(p, "divide", NUMBERS, divide_numbers)


@program
def remainder(p):
    binary(p, "remainder", NUMBERS, remainder_numbers)


@program
def power(p):
    binary(p, "power", NUMBERS, power_numbers,
           ulps=lambda t: {"f32": 2, "f64": 2}.get(t.name, 1))


@program
def maximum(p):
    binary(p, "maximum", ALL, maximum_numbers)


@program
def minimum(p):
    binary(p, "minimum", ALL, minimum_numbers)


@program
def and_(p):
    binary(p, "and", [i1] + INTS, lambda a, b, t: a & b)


@program
def or_(p):
    binary(p, "or", [i1] + INTS, lambda a, b, t: a | b)


@program
def xor(p):
    binary(p, "xor", [i1] + INTS, lambda a, b, t: a ^ b)


def shifted_by(function):
    """Of the operand and the bits by which it is shifted, at most all."""
    def apply(a, b, t):
        return function(a, min(t.bits_of(b), t.bits), t)
    return apply


@program
def shift_left(p):
    binary(p, "shift_left", INTS, shifted_by(lambda a, b, t: a << b))


@program
def shift_right_logical(p):
    binary(p, "shift_right_logical", INTS,
           shifted_by(lambda a, b, t: t.bits_of(a) >> b))


@program
def shift_right_arithmetic(p):
    def shift(a, b, t):
        return (a if t.signed or a < 1 << (t.bits - 1) else
                a - (1 << t.bits)) >> b
    binary(p, "shift_right_arithmetic", INTS, shifted_by(shift))


@program
def popcnt(p):
    unary(p, "popcnt", INTS, lambda a, t: bin(t.bits_of(a)).count("1"))


@program
def count_leading_zeros(p):
    unary(p, "count_leading_zeros", INTS,
          lambda a, t: t.bits - t.bits_of(a).bit_length())


@program
def not_(p):
    values = lambda t: [1, 0, 1] if t.kind == "bool" else samples(t)
    unary(p, "not", [i1] + INTS,
          lambda a, t: 1 - a if t.kind == "bool" else ~a, values=values)


# Total order tells NaNs and zeros of either sign apart.
def expect_bits(p, op, types, function):
    for t in types:
        p.section(f"sign bits of {t.name}")
        operand = vector(t, [0.0, -0.0, nan, -nan, 2.0, -2.0])
        x = p.constant(operand)
        y = p.op(f"{op} {x} : {operand.type()}")
        e = p.constant(vector(t, [function(v) for v in operand.values]))
        same = p.op(f"compare EQ, {y}, {e}, TOTALORDER : ({operand.type()}, "
                    f"{operand.type()}) -> tensor<6xi1>")
        p.expect(same, vector(i1, [1] * 6))


@program
def negate(p):
    unary(p, "negate", NUMBERS, lambda a, t: -a)
    expect_bits(p, "negate", FLOATS, lambda a: -a)


@program
def abs_(p):
    unary(p, "abs", FLOATS + SIGNED, lambda a, t: abs(a))
    expect_bits(p, "abs", FLOATS, abs)


def sign_of(a, t):
    if t.kind == "float" and (math.isnan(a) or a == 0):
        return a
    return (a > 0) - (a < 0) if t.kind == "int" else math.copysign(1.0, a)


@program
def sign(p):
    unary(p, "sign", FLOATS + SIGNED, sign_of)


def rounded_by(function):
    def apply(a, t):
        if is_special(a) or a == 0:
            return a
        return math.copysign(float(function(a)), a)
    return apply


def around_integers(t):
    return samples(t) + [0.5, -0.5, 2.5, 7.0, -6.75, 100.0, -99.5]


@program
def floor(p):
    unary(p, "floor", FLOATS, rounded_by(math.floor), values=around_integers)


@program
def ceil(p):
    unary(p, "ceil", FLOATS, rounded_by(math.ceil), values=around_integers)


def round_away(a):
    """Of a magnitude: ties go up."""
    return math.floor(Fraction(abs(a)) + Fraction(1, 2))


@program
def round_nearest_even(p):
    unary(p, "round_nearest_even", FLOATS, rounded_by(lambda a: round(a)),
          values=around_integers)


@program
def round_nearest_afz(p):
    unary(p, "round_nearest_afz", FLOATS, rounded_by(round_away),
          values=around_integers)


# Transcendental functions, to more digits than any type has.

def digits_of(function):
    """A function of decimals on floats; NaN gives NaN."""
    def apply(a, t):
        if math.isnan(a):
            return nan
        result = function(a if math.isinf(a) or a == 0 else Decimal(a))
        if isinstance(result, float):
            return result
        return nonzero(Fraction(result), t) if result else 0.0
    return apply


def decimals(function):
    """`function` of what it gets as a decimal, zeros and infinities too."""
    return lambda a: function(Decimal(a))


def exp_of(a):
    if a > 1000:
        return inf
    if a < -1000:
        return 0.0
    return Decimal(a).exp()


def expm1_of(a):
    if a == 0:
        return a
    if abs(a) < Decimal("1e-20"):
        return a + a * a / 2
    return -1.0 if a < -1000 else exp_of(a) - 1 if a < 1000 else inf


def log_of(a):
    if a == 0:
        return -inf
    if a < 0:
        return nan
    return inf if a == inf else a.ln()


def log1p_of(a):
    if a == 0 or a == inf:
        return a
    if abs(a) < Decimal("1e-20"):
        return a - a * a / 2
    return log_of(a + 1)


def logistic_of(a):
    if a == inf:
        return 1.0
    return 0.0 if a < -1000 else 1 / (1 + (-Decimal(a)).exp())


def tanh_of(a):
    if a == 0:
        return a
    if abs(a) > 1000:
        return math.copysign(1.0, a)
    if abs(a) < Decimal("1e-20"):
        return a - a**3 / 3
    return 1 - 2 / (1 + (2 * a).exp())


def rsqrt_of(a):
    if a == 0:
        return math.copysign(inf, a)
    if a < 0:
        return nan
    return 0.0 if a == inf else 1 / a.sqrt()


def sqrt_of(a):
    if a == 0 or a == inf:
        return a
    return nan if a < 0 else a.sqrt()


def cbrt_of(a):
    if a == 0 or math.isinf(a):
        return a
    root = abs(a)**(Decimal(1) / 3)
    return root if a > 0 else -root


def arctan_of_inverse(n):
    """By its series."""
    power = total = Decimal(1) / n
    for k in itertools.count(1):
        power /= -n * n
        if abs(power) < Decimal(10)**-getcontext().prec:
            return total
        total += power / (2 * k + 1)


def sine_of(a, quarters=0):
    """The sine of a plus some right angles."""
    if math.isinf(a):
        return nan
    if a == 0 and quarters == 0:
        return a
    with localcontext() as context:
        # Enough for the quotient of the largest f64 and for what is left.
        context.prec = 400
        half_pi = 8 * arctan_of_inverse(5) - 2 * arctan_of_inverse(239)
        turns = (Decimal(a) / half_pi).to_integral_value()
        x = Decimal(a) - turns * half_pi
        quarters = int(turns + quarters) % 4
    # The series of sine or cosine of x, which is below one.
    term, first = (Decimal(1), 1) if quarters % 2 else (x, 2)
    total = Decimal(0)
    for k in itertools.count(first, 2):
        total += term
        if abs(term) < abs(total) * Decimal(10)**-getcontext().prec:
            return -total if quarters >= 2 else total
        term *= -x * x / (k * (k + 1))


def cosine_of(a):
    return sine_of(a, 1)


def tan_of(a):
    return a if a == 0 else nan if math.isinf(a) else sine_of(a) / cosine_of(a)


def with_digits(digits):
    """Decorates a function of decimals that cancels that many digits."""
    def decorate(function):
        def apply(*arguments):
            with localcontext() as context:
                context.prec = digits
                return function(*arguments)
        return apply
    return decorate


PI = {}


def pi_of_context():
    digits = getcontext().prec
    if digits not in PI:
        PI[digits] = 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)
    return PI[digits]


def arctan_of(a):
    """By its series, after the angle was halved until it is small."""
    if math.isinf(a):
        return (pi_of_context() / 2).copy_sign(Decimal(a))
    if a == 0:
        return a
    x, halvings = Decimal(a), 0
    while abs(x) > Decimal("0.01"):
        x /= 1 + (1 + x * x).sqrt()
        halvings += 1
    power = total = x
    for k in itertools.count(1):
        power *= -x * x
        if abs(power) < abs(total) * Decimal(10)**-getcontext().prec:
            return total * 2**halvings
        total += power / (2 * k + 1)


@with_digits(80)
def atan2_of(a, b, t):
    if math.isnan(a) or math.isnan(b):
        return nan
    behind = math.copysign(1, b) < 0
    if a == 0 and not behind:
        return a
    if math.isinf(a) and math.isinf(b):
        angle = pi_of_context() / 4
    elif math.isinf(a) or b == 0 and a != 0:
        angle = pi_of_context() / 2
    elif a == 0 or math.isinf(b):
        angle = Decimal(0)
    else:
        angle = arctan_of(abs(Decimal(a) / Decimal(b)))
    if behind and not (math.isinf(a) and not math.isinf(b)) and (
            b != 0 or a == 0):
        angle = pi_of_context() - angle
    if angle == 0:
        return math.copysign(0.0, a)
    return nonzero(Fraction(angle.copy_sign(Decimal(a))), t)


@with_digits(500)
def arcsine_of(a):
    if abs(a) > 1:
        return nan
    if a == 0:
        return a
    if abs(a) == 1:
        return pi_of_context() / 2 * a
    return arctan_of(a / (1 - a * a).sqrt())


@with_digits(500)
def arccosine_of(a):
    return nan if abs(a) > 1 else pi_of_context() / 2 - Decimal(arcsine_of(a))


@with_digits(800)
def arsinh_of(a):
    if a == 0 or math.isinf(a):
        return a
    x = abs(a)
    return (x + (x * x + 1).sqrt()).ln().copy_sign(a)


@with_digits(500)
def arcosh_of(a):
    if a < 1 or a == inf:
        return nan if a < 1 else inf
    return (a + (a * a - 1).sqrt()).ln()


@with_digits(800)
def artanh_of(a):
    if a == 0:
        return a
    if abs(a) >= 1:
        return nan if abs(a) > 1 else math.copysign(inf, a)
    return ((1 + a) / (1 - a)).ln() / 2


@with_digits(800)
def sinh_of(a):
    if a == 0 or abs(a) > 1000:
        return a if a == 0 else math.copysign(inf, a)
    return (a.exp() - (-a).exp()) / 2


def cosh_of(a):
    return inf if abs(a) > 1000 else (Decimal(a).exp() + Decimal(-a).exp()) / 2


@with_digits(450)
def erf_of(a):
    """e^(-a^2) times a series of positive terms, Abramowitz and Stegun 7.1.6."""
    if a == 0:
        return a
    if abs(a) > 30:
        return Decimal(1).copy_sign(Decimal(a))
    term = total = a
    for n in itertools.count(1):
        term *= 2 * a * a / (2 * n + 1)
        total += term
        if abs(term) < abs(total) * Decimal(10)**-450:
            return 2 / pi_of_context().sqrt() * (-a * a).exp() * total


@with_digits(450)
def erfc_of(a):
    if a > 30:
        return 0.0
    return 1 - Decimal(erf_of(a))


@with_digits(450)
def erf_inv_of(a):
    """By Newton's method."""
    if a == 0 or abs(a) >= 1:
        return a if a == 0 else nan if abs(a) > 1 else math.copysign(inf, a)
    if abs(a) < Decimal("1e-30"):
        return a * pi_of_context().sqrt() / 2
    low = statistics.NormalDist().inv_cdf(float((1 - abs(a)) / 2))
    y = Decimal(-low / math.sqrt(2))
    for _ in range(7):
        slope = 2 / pi_of_context().sqrt() * (-y * y).exp()
        y -= (Decimal(erf_of(y)) - abs(a)) / slope
        y = +y.quantize(Decimal(10)**-120)
    return y.copy_sign(a)


def bernoulli_numbers(count):
    """B2, B4, .."""
    numbers = []
    for m in range(2 * count + 1):
        numbers.append(Fraction(int(m == 0)) - sum(
            math.comb(m, k) * numbers[k] / (m - k + 1) for k in range(m)))
    return [Decimal(b.numerator) / b.denominator for b in numbers[2::2]]


BERNOULLI = bernoulli_numbers(40)


def is_pole(a):
    return a <= 0 and (math.isinf(a) or a == int(a))


@with_digits(400)
def lgamma_of(a):
    """Stirling's series where it is exact, from 60 on."""
    if a == inf or is_pole(a):
        return inf
    if a < Decimal("0.5"):
        sine = abs(Decimal(sine_of(a * pi_of_context())))
        return (pi_of_context() / sine).ln() - Decimal(lgamma_of(1 - a))
    shift = Decimal(1)
    while a < 60:
        shift *= a
        a += 1
    y = (a - Decimal("0.5")) * a.ln() - a + (2 * pi_of_context()).ln() / 2
    for k, b in enumerate(BERNOULLI, 1):
        y += b / (2 * k * (2 * k - 1)) / a**(2 * k - 1)
    return y - shift.ln()


@with_digits(400)
def digamma_of(a):
    if is_pole(a):
        return nan
    if a == inf:
        return inf
    if a < Decimal("0.5"):
        x = a * pi_of_context()
        return Decimal(digamma_of(1 - a)) - pi_of_context() / tan_of(x)
    shift = Decimal(0)
    while a < 60:
        shift += 1 / a
        a += 1
    y = a.ln() - 1 / (2 * a)
    for k, b in enumerate(BERNOULLI, 1):
        y -= b / (2 * k) / a**(2 * k)
    return y - shift


@with_digits(400)
def zeta_of(x, q, t, times=1):
    """By Euler-Maclaurin summation from 60 on."""
    if math.isnan(x) or math.isnan(q) or x < 1:
        return nan
    if x == 1 or q == inf:
        return inf if x == 1 else 0.0
    if is_pole(q) and q >= -6:
        return times * inf if x % 2 == 0 else nan
    if q < -6 or q < 0 and x != int(x):
        return nan
    x, q, total = Decimal(x), Decimal(q), Decimal(0)
    while q < 60:
        total += q**-x
        q += 1
    total += q**(1 - x) / (x - 1) + q**-x / 2
    factor = x * q**(-x - 1)
    for k, b in enumerate(BERNOULLI, 1):
        total += b / math.factorial(2 * k) * factor
        factor *= (x + 2 * k - 1) * (x + 2 * k) / q**2
    return nonzero(Fraction(times * total), t)


def polygamma_of(n, x, t):
    if math.isnan(n) or math.isnan(x) or n < 0 or n != int(n):
        return nan
    if n == 0:
        return digits_of(decimals(digamma_of))(x, t)
    return zeta_of(n + 1, x, t, (-1)**int(n + 1) * math.factorial(int(n)))


def smooth(t):
    """Values over the range where exponentials are finite."""
    top = math.log(t.max)
    low = math.log(t.min)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 2.0, -3.0, 10.0, -7.5, 0.001,
              -0.0001, top * 0.99, top * 1.01, low * 0.99, low * 1.1, low * 0.7,
              t.min, t.min_normal, -t.min_normal, t.max, -t.max, inf, -inf, nan]
    return [t.round(v) for v in values]


def positive(t):
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.99, 1.01, 10.0, 1000.0,
              0.001, t.max, t.min, t.min_normal, 7 * t.min, -t.min, inf, -inf,
              nan]
    return [t.round(v) for v in values]


def angles(t):
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0,
              -100.0, 1000.0, 0.001, t.min, -t.min_normal, 60000.0, -t.max, 22.0, inf,
              -inf, nan]
    return [t.round(v) for v in values]


def accuracy(single, double=1, narrow=1):
    return lambda t: {"f32": single, "f64": double}.get(t.name, narrow)


@program
def exponential(p):
    unary(p, "exponential", FLOATS, digits_of(exp_of),
          accuracy(2), smooth)


@program
def exponential_minus_one(p):
    unary(p, "exponential_minus_one", FLOATS, digits_of(expm1_of),
          accuracy(2), smooth)


@program
def log(p):
    unary(p, "log", FLOATS, digits_of(log_of), accuracy(2), positive)


@program
def log_plus_one(p):
    values = lambda t: smooth(t) + [t.round(v) for v in (-0.5, -0.99, 1000.0)]
    unary(p, "log_plus_one", FLOATS, digits_of(log1p_of), accuracy(2), values)


@program
def logistic(p):
    unary(p, "logistic", FLOATS, digits_of(logistic_of), accuracy(3, 2),
          smooth)


@program
def tanh(p):
    unary(p, "tanh", FLOATS, digits_of(tanh_of), accuracy(3, 2), smooth)


@program
def sqrt(p):
    unary(p, "sqrt", FLOATS, digits_of(sqrt_of), values=positive)


@program
def rsqrt(p):
    unary(p, "rsqrt", FLOATS, digits_of(rsqrt_of), accuracy(1), positive)


@program
def cbrt(p):
    values = lambda t: samples(t) + [8.0, -27.0, 0.125, 100.0]
    unary(p, "cbrt", FLOATS, digits_of(cbrt_of), accuracy(1), values)


@program
def sine(p):
    unary(p, "sine", FLOATS, digits_of(sine_of), accuracy(1),
          angles)


@program
def cosine(p):
    unary(p, "cosine", FLOATS, digits_of(cosine_of), accuracy(1),
          angles)


@program
def tan(p):
    unary(p, "tan", FLOATS, digits_of(tan_of), accuracy(1), angles)


@program
def atan2(p):
    values = lambda t: samples(t) + [-3.0, 0.5]
    binary(p, "atan2", FLOATS, atan2_of, accuracy(1), values)


# Functions of the chlo dialect, which are formulas of other ops --------------

def within_one(t):
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 0.75, -0.99, 0.999, 0.001, 0.1,
              -0.0001, 0.45, 0.47, -0.84, 0.86, 1.5, -3.0, t.min, -t.min_normal,
              1 - 2.0**-t.precision, 2.0**-t.precision - 1, inf, -inf, nan]
    return [t.round(v) for v in values]


def around_one(t):
    values = [1.0, 1.001, 1 + 2.0**(1 - t.precision), 1.5, 2.0, 3.0, 10.0,
              1000.0, 20000.0, 1e9, t.max, 0.5, 0.0, -1.0, -3.0, -1000.0, t.min,
              inf, -inf, nan]
    return [t.round(v) for v in values]


def gentle(t):
    """Values over the range in which error functions change."""
    values = [0.0, -0.0, 0.001, -0.1, 0.46, 0.47, -0.5, 0.84375, 1.0, -1.25, 2.0,
              -2.85, 3.9, 4.1, -5.0, 5.9, 6.5, 8.0, 9.1, -9.0, 20.0, 26.0, t.min,
              -t.min_normal, 40.0, -t.max, inf, -inf, nan]
    return [t.round(v) for v in values]


def gamma_arguments(t):
    values = [0.5, 0.25, 0.01, 0.75, 1.25, 1.75, 2.5, 3.0, 4.0, 7.0, 10.5, 33.0,
              100.0, 1000.0, 50000.0, t.min_normal, -0.25, -0.75, -1.25, -2.75,
              -10.25, 0.0, -0.0, -1.0, -5.0, inf, nan]
    return [t.round(v) for v in values]


@program
def chlo_acos(p):
    unary(p, "chlo.acos", FLOATS, digits_of(decimals(arccosine_of)),
          accuracy(4, 4), within_one)


@program
def chlo_acosh(p):
    unary(p, "chlo.acosh", FLOATS, digits_of(arcosh_of), accuracy(4, 4),
          around_one)


@program
def chlo_asin(p):
    unary(p, "chlo.asin", FLOATS, digits_of(arcsine_of), accuracy(4, 4),
          within_one)


@program
def chlo_asinh(p):
    unary(p, "chlo.asinh", FLOATS, digits_of(arsinh_of), accuracy(4, 4), smooth)


@program
def chlo_atan(p):
    unary(p, "chlo.atan", FLOATS, digits_of(with_digits(80)(arctan_of)),
          accuracy(1), smooth)


@program
def chlo_atanh(p):
    unary(p, "chlo.atanh", FLOATS, digits_of(artanh_of), accuracy(4, 4),
          within_one)


@program
def chlo_cosh(p):
    unary(p, "chlo.cosh", FLOATS, digits_of(cosh_of), accuracy(4, 4), smooth)


@program
def chlo_sinh(p):
    unary(p, "chlo.sinh", FLOATS, digits_of(sinh_of), accuracy(4, 4), smooth)


@program
def chlo_tan(p):
    unary(p, "chlo.tan", FLOATS, digits_of(tan_of), accuracy(1), angles)


@program
def chlo_square(p):
    unary(p, "chlo.square", NUMBERS, lambda a, t: multiply_numbers(a, a, t))


@program
def chlo_erf(p):
    unary(p, "chlo.erf", FLOATS, digits_of(erf_of), accuracy(4, 4), gentle)


@program
def chlo_erfc(p):
    unary(p, "chlo.erfc", FLOATS, digits_of(decimals(erfc_of)), accuracy(4, 4),
          gentle)


@program
def chlo_erf_inv(p):
    # Where the quotient of f64 would round the most in f32.
    rounded = [0.01721321, -0.0321852, -0.03463845, -0.13964565]
    unary(p, "chlo.erf_inv", FLOATS, digits_of(erf_inv_of), accuracy(4, 4),
          lambda t: within_one(t) + [t.round(v) for v in rounded])


@program
def chlo_lgamma(p):
    # In f64 the error is absolute near the zeros, where digits cancel.
    unary(p, "chlo.lgamma", FLOATS, digits_of(decimals(lgamma_of)),
          accuracy(1, 128), gamma_arguments)


@program
def chlo_digamma(p):
    unary(p, "chlo.digamma", FLOATS, digits_of(decimals(digamma_of)),
          accuracy(1, 16), gamma_arguments)


def zeta_values(t):
    values = [1.0, 2.0, 3.0, 0.5, 1.5, 0.0, -1.0, -2.75, -5.3, -7.0, 7.25, 0.1,
              20.0, 4.0, 100.0, nan]
    return [t.round(v) for v in values]


@program
def chlo_zeta(p):
    binary(p, "chlo.zeta", FLOATS, zeta_of, accuracy(1, 256), zeta_values)


@program
def chlo_polygamma(p):
    values = lambda t: [v for v in zeta_values(t) if not v > 50]
    binary(p, "chlo.polygamma", FLOATS, polygamma_of, accuracy(1, 512), values)


def next_number(a, b, t):
    if math.isnan(a) or math.isnan(b):
        return nan
    if a == b:
        return b
    if a == 0:
        return math.copysign(t.min, b)
    step = 1 if (b > a) == (a > 0) else -1
    exponent = math.frexp(a)[1] - 1 if not math.isinf(a) else t.emax + 1
    if math.isinf(a):
        return math.copysign(t.max, a)
    quantum = Fraction(2)**(max(exponent, t.emin) - t.precision + 1)
    size = abs(Fraction(a))
    if step < 0 and size == Fraction(2)**exponent and exponent > t.emin:
        quantum /= 2
    result = size + step * quantum
    if result == 0:
        return math.copysign(0.0, a)
    return result if a > 0 else -result


@program
def chlo_next_after(p):
    binary(p, "chlo.next_after", FLOATS, next_number)


# Comparison and choice -------------------------------------------------------

@program
def bitcast_convert(p):
    for a, b in [(f32, ui32), (f64, i64), (bf16, i16), (f16, ui16)]:
        numbers = vector(a, samples(a))
        n = len(numbers.values)
        bits = vector(b, [b.round(a.bits_of(v)) for v in numbers.values])
        for x, y in [(numbers, bits), (bits, numbers)]:
            p.section(f"{x.t.name} to {y.t.name}")
            z = p.op(f"bitcast_convert {p.constant(x)} : ({x.type()}) -> "
                     f"{y.type()}")
            p.expect(z, y)
    for a, b, n in [(ui32, ui64, 2), (i8, i32, 4), (f32, i64, 2), (ui16, f64, 4)]:
        p.section(f"{n} of {a.name} are one {b.name}")
        parts = Tensor(a, (3, n), plain(a, 3 * n))
        bits = [a.bits_of(v) if a.kind == "float" else v % 2**a.bits
                for v in parts.values]
        wholes = [sum(bit << a.bits * j for j, bit in
                      enumerate(bits[i * n:i * n + n])) for i in range(3)]
        if b.kind == "float":
            wholes = [struct.unpack("<d", struct.pack("<Q", v))[0]
                      for v in wholes]
        whole = vector(b, wholes)
        for x, y in [(parts, whole), (whole, parts)]:
            z = p.op(f"bitcast_convert {p.constant(x)} : ({x.type()}) -> "
                     f"{y.type()}")
            p.expect(z, y)
    for a, b in [(i8, ui8), (ui32, i32), (i64, ui64)]:
        p.section(f"{a.name} to {b.name}")
        x = vector(a, samples(a))
        y = vector(b, [b.round(v) for v in x.values])
        z = p.op(f"bitcast_convert {p.constant(x)} : ({x.type()}) -> {y.type()}")
        p.expect(z, y)


@program
def reduce_precision(p):
    def shorten(x, t, exponent, mantissa):
        if math.isnan(x) and mantissa == 0:
            return math.copysign(inf, x)
        if x == 0 or math.isnan(x) or math.isinf(x):
            return x
        if mantissa == 0 and abs(x) >= t.min_normal and \
                math.frexp(abs(x))[0] == 0.75:
            # As near to both powers: the one with an even biased exponent.
            power = math.frexp(x)[1] - 1
            x = math.copysign(2.0**(power + (power % 2 == 0)), x)
        same = exponent >= t.bits - t.precision
        to = Float("", 1 + exponent + mantissa,
                   min(mantissa + 1, t.precision),
                   t.emax if same else 2**(exponent - 1) - 1)
        if same:
            return to.round(x)
        to.emin = -5000  # there are no subnormal numbers
        shortened = to.round(x)
        return (math.copysign(0.0, x) if abs(shortened) < to.min_normal else
                shortened)

    for t in FLOATS:
        near = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 65519.0, 65520.0, 2.0**-14,
                2.0**-15, 3.0e-5, 1.99609375]
        values = samples(t) + [t.round(sign * x) for x in near for sign in (1, -1)]
        for exponent, mantissa in ((5, 10), (8, 7), (5, 2), (11, 52), (3, 1), (5, 0)):
            p.section(f"{t.name} to e{exponent}m{mantissa}")
            x = vector(t, values)
            y = p.op(f"reduce_precision {p.constant(x)}, format = "
                     f"e{exponent}m{mantissa} : {x.type()}")
            p.expect(y, vector(t, [shorten(v, t, exponent, mantissa)
                                   for v in values]))


@program
def is_finite(p):
    for t in FLOATS:
        p.section(t.name)
        operand = vector(t, samples(t))
        x = p.constant(operand)
        y = p.op(f"is_finite {x} : ({operand.type()}) -> "
                 f"tensor<{len(operand.values)}xi1>")
        p.expect(y, vector(i1, [not is_special(v) for v in operand.values]))
    p.section("rank 0")
    x = p.value(f32, inf)
    y = p.op(f"is_finite {x} : (tensor<f32>) -> tensor<i1>")
    p.expect(y, scalar(i1, 0))


RELATIONS = {
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b,
    "GE": lambda a, b: a >= b, "GT": lambda a, b: a > b,
    "LE": lambda a, b: a <= b, "LT": lambda a, b: a < b,
}


def order_key(t, x):
    bits = t.bits_of(x)
    top = 1 << (t.bits - 1)
    return -(bits - top) - 1 if bits & top else bits


@program
def compare(p):
    for t in ALL:
        kinds = ["FLOAT", "TOTALORDER"] if t.kind == "float" else [
            "SIGNED" if t.signed else "UNSIGNED"]
        values = samples(t) + ([-nan] if t.kind == "float" else [])
        n = len(values)
        for kind in kinds:
            p.section(f"{t.name} {kind}")
            lhs, rhs, square = outer(p, t, values)
            for name, relation in RELATIONS.items():
                y = p.op(f"compare {name}, {lhs}, {rhs}, {kind} : "
                         f"({square}, {square}) -> tensor<{n}x{n}xi1>")
                key = (lambda v: order_key(t, v)) if kind == "TOTALORDER" \
                    else (lambda v: v)
                p.expect(y, Tensor(i1, [n, n], [
                    relation(key(a), key(b)) for a in values for b in values]))
    p.section("the kind left out, rank 0, no elements")
    x, y = p.value(i32, -1), p.value(i32, 1)
    z = p.op(f"compare LT, {x}, {y} : (tensor<i32>, tensor<i32>) -> tensor<i1>")
    p.expect(z, scalar(i1, 1))
    x = p.constant(Tensor(f32, [0], []))
    z = p.op(f"compare LT, {x}, {x} : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xi1>")
    p.expect(z, Tensor(i1, [0], []))


@program
def select(p):
    for t in ALL:
        p.section(t.name)
        yes = vector(t, samples(t))
        no = vector(t, samples(t)[::-1])
        n = len(yes.values)
        mask = [i % 3 == 0 for i in range(n)]
        m, a, b = p.constant(vector(i1, mask)), p.constant(yes), p.constant(no)
        y = p.op(f"select {m}, {a}, {b} : tensor<{n}xi1>, {yes.type()}")
        p.expect(y, vector(t, [u if c else v for c, u, v in
                               zip(mask, yes.values, no.values)]))
    p.section("a scalar condition, rank 0, no elements")
    for condition in (0, 1):
        c = p.value(i1, condition)
        a = p.constant(Tensor(f32, [2, 2], [1.0, 2.0, 3.0, nan]))
        b = p.constant(Tensor(f32, [2, 2], [5.0, 6.0, -0.0, 8.0]))
        y = p.op(f"select {c}, {a}, {b} : tensor<i1>, tensor<2x2xf32>")
        p.expect(y, Tensor(f32, [2, 2], [1.0, 2.0, 3.0, nan] if condition
                           else [5.0, 6.0, -0.0, 8.0]))
        a, b = p.value(i64, 3), p.value(i64, 4)
        y = p.op(f"select {c}, {a}, {b} : tensor<i1>, tensor<i64>")
        p.expect(y, scalar(i64, 3 if condition else 4))
    m, a = p.constant(Tensor(i1, [0], [])), p.constant(Tensor(f32, [0], []))
    y = p.op(f"select {m}, {a}, {a} : tensor<0xi1>, tensor<0xf32>")
    p.expect(y, Tensor(f32, [0], []))


@program
def clamp(p):
    def clamped(low, x, high, t):
        return minimum_numbers(maximum_numbers(x, low, t), high, t)

    for t in ALL:
        p.section(t.name)
        values = samples(t)
        low, high = (0, 1) if t.kind == "bool" else \
            (t.round(1), t.round(3)) if t.kind == "int" else (-1.5, 2.0)
        operand = vector(t, values)
        x = p.constant(operand)
        a, b = p.value(t, low), p.value(t, high)
        s, v = f"tensor<{t.name}>", operand.type()
        y = p.op(f"clamp {a}, {x}, {b} : ({s}, {v}, {s}) -> {v}")
        p.expect(y, vector(t, [t.round(clamped(low, u, high, t)) for u in values]))
        # Bounds for each element, some the wrong way round.
        lows, highs = values[1:] + values[:1], values[2:] + values[:2]
        a, b = p.constant(vector(t, lows)), p.constant(vector(t, highs))
        y = p.op(f"clamp {a}, {x}, {b} : {v}")
        p.expect(y, vector(t, [t.round(clamped(l, u, h, t)) for l, u, h in
                               zip(lows, values, highs)]))
    p.section("rank 0")
    a, x, b = p.value(f32, 0.0), p.value(f32, 7.0), p.value(f32, 6.0)
    y = p.op(f"clamp {a}, {x}, {b} : tensor<f32>")
    p.expect(y, scalar(f32, 6.0))


def converted(x, source, target):
    if target.kind == "bool":
        return x != 0
    if source.kind != "float" or target.kind == "float":
        if target.kind == "float" and source.kind != "float":
            return Fraction(x)
        return x
    if math.isnan(x):
        return 0
    if math.isinf(x):
        return target.max if x > 0 else target.min
    return min(max(int(x), target.min), target.max)


def convertible(t):
    if t.kind == "bool":
        return [0, 1]
    if t.kind == "int":
        # Halfway cases of narrower floats.
        extra = [127, 128, 255, 256, 257, 258, 259, 2049, 2051, 65519, 65520,
                 2**24 + 1, 2**24 + 3, 2**31 - 1, 2**53 + 1, 2**62 + 2**54 + 1,
                 2**63 - 1]
        return samples(t) + [v for v in extra if v <= t.max]
    extra = [0.5, -0.75, 127.0, 127.9, 128.0, -128.0, -128.9, -129.0, 255.5,
             256.0, 32767.5, 65504.0, 65520.0, 2.0**31, -2.0**31, 2.0**32,
             2.0**63, -2.0**63, 2.0**64, 1.0e9, 257.0, 2049.0, 1 + 2.0**-8,
             1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40,
             1 + 3 * 2.0**-11 - 2.0**-40, 1.0e-40, 2.0**-25, 2.0**-150]
    return samples(t) + [t.round(v) for v in extra]


@program
def convert(p):
    for source in ALL:
        p.section(f"from {source.name}")
        operand = vector(source, convertible(source))
        x = p.constant(operand)
        n = len(operand.values)
        for target in ALL:
            y = p.op(f"convert {x} : ({operand.type()}) -> tensor<{n}x{target.name}>")
            p.expect(y, vector(target, [
                target.round(converted(v, source, target))
                for v in operand.values]))
    p.section("rank 0 and no elements")
    x = p.value(f32, -3.75)
    y = p.op(f"convert {x} : (tensor<f32>) -> tensor<i32>")
    p.expect(y, scalar(i32, -3))
    x = p.constant(Tensor(i8, [0, 2], []))
    y = p.op(f"convert {x} : (tensor<0x2xi8>) -> tensor<0x2xf64>")
    p.expect(y, Tensor(f64, [0, 2], []))


# Values from nothing ---------------------------------------------------------

@program
def constant(p):
    for t in ALL:
        p.section(t.name)
        for tensor in (vector(t, samples(t)), scalar(t, samples(t)[-1]),
                       Tensor(t, [2, 3], plain(t, 6)), Tensor(t, [0, 3], [])):
            p.expect(p.constant(tensor), tensor)
    p.section("one value for all elements")
    x = p.op("constant dense<2.5> : tensor<3x2xf32>")
    p.expect(x, Tensor(f32, [3, 2], [2.5] * 6))
    p.section("elements as a string of bytes")
    for t in NUMBERS:
        tensor = vector(t, samples(t))
        encoded = b"".join(t.bits_of(v).to_bytes(t.bits // 8, "little")
                           for v in tensor.values).hex().upper()
        x = p.op(f'constant dense<"0x{encoded}"> : {tensor.type()}')
        p.expect(x, tensor)


@program
def iota(p):
    for t in NUMBERS:
        p.section(t.name)
        for shape, dim in (((3, 4), 0), ((3, 4), 1), ((5,), 0)):
            tensor = Tensor.make(t, shape, lambda i: t.round(
                float(i[dim]) if t.kind == "float" else i[dim]))
            p.expect(p.op(f"iota dim = {dim} : {tensor.type()}"), tensor)
    p.section("wrapping around, rounding, no elements")
    tensor = Tensor.make(i8, [300], lambda i: i8.round(i[0]))
    p.expect(p.op(f"iota dim = 0 : {tensor.type()}"), tensor)
    tensor = Tensor.make(bf16, [300], lambda i: bf16.round(float(i[0])))
    p.expect(p.op(f"iota dim = 0 : {tensor.type()}"), tensor)
    tensor = Tensor(i32, [0, 2], [])
    p.expect(p.op(f"iota dim = 1 : {tensor.type()}"), tensor)


# Moving elements about -------------------------------------------------------

def moved(p, t, shape, text, result_shape, source):
    """Checks an op that takes each result element from source(index) of its
    operand; in `text`, {x} is the operand."""
    operand = Tensor(t, shape, plain(t, size_of(shape)))
    expected = Tensor.make(t, result_shape, lambda i: operand.at(source(i)))
    x = p.constant(operand)
    y = p.op(text.format(x=x) + f" : ({operand.type()}) -> {expected.type()}")
    p.expect(y, expected)


@program
def broadcast_in_dim(p):
    def case(t, shape, dims, result):
        moved(p, t, shape, f"broadcast_in_dim {{x}}, dims = {list(dims)}", result,
              lambda i: [0 if n == 1 else i[d] for n, d in zip(shape, dims)])

    for t in ALL:
        p.section(t.name)
        case(t, (3,), (1,), (2, 3))
    p.section("shapes")
    case(f32, (3,), (0,), (3, 2))
    case(f32, (1, 3), (0, 1), (4, 3))
    case(f32, (3, 1), (0, 2), (3, 2, 4))
    case(f32, (2, 3), (1, 0), (3, 2))
    case(f32, (2, 3), (2, 0), (3, 2, 2))
    case(f32, (1, 1), (0, 1), (1, 1))
    case(f32, (), (), (2, 2))
    case(f32, (), (), ())
    case(f32, (1,), (0,), (0,))
    case(f32, (0,), (1,), (2, 0))
    case(f32, (), (), (0, 3))


@program
def reshape(p):
    def case(t, shape, result):
        def source(index):
            position, place = offset(result, index), []
            for n in reversed(shape):
                place.insert(0, position % n)
                position //= n
            return place
        moved(p, t, shape, "reshape {x}", result, source)

    for t in ALL:
        p.section(t.name)
        case(t, (2, 6), (3, 4))
    p.section("shapes")
    case(f32, (2, 3, 4), (24,))
    case(f32, (24,), (4, 3, 2))
    case(f32, (2, 3), (1, 2, 1, 3, 1))
    case(f32, (1, 1), ())
    case(f32, (), (1,))
    case(f32, (0, 3), (5, 0))


@program
def transpose(p):
    def case(t, shape, dims):
        def source(index):
            place = [0] * len(shape)
            for i, d in zip(index, dims):
                place[d] = i
            return place
        moved(p, t, shape, f"transpose {{x}}, dims = {list(dims)}",
              [shape[d] for d in dims], source)

    for t in ALL:
        p.section(t.name)
        case(t, (2, 3), (1, 0))
    p.section("shapes")
    for dims in itertools.permutations(range(3)):
        case(f32, (2, 3, 4), dims)
    case(f32, (2, 1, 3, 2), (3, 0, 2, 1))
    case(f32, (5,), (0,))
    case(f32, (), ())
    case(f32, (0, 3), (1, 0))
    case(f32, (70, 33), (1, 0))


@program
def reverse(p):
    def case(t, shape, dims):
        operand = Tensor(t, shape, plain(t, size_of(shape)))
        expected = Tensor.make(t, shape, lambda index: operand.at(
            [shape[d] - 1 - i if d in dims else i
             for d, i in enumerate(index)]))
        x = p.constant(operand)
        y = p.op(f"reverse {x}, dims = {list(dims)} : {operand.type()}")
        p.expect(y, expected)

    for t in ALL:
        p.section(t.name)
        case(t, (2, 3), (1,))
    p.section("shapes")
    case(f32, (2, 3), (0,))
    case(f32, (2, 3), (0, 1))
    case(f32, (2, 3, 2), (2, 0))
    case(f32, (2, 3), ())
    case(f32, (), ())
    case(f32, (0, 3), (0, 1))


@program
def slice_(p):
    def case(t, shape, ranges):
        texts = [":".join(map(str, r)) for r in ranges]
        full = [r if len(r) == 3 else (*r, 1) for r in ranges]
        moved(p, t, shape, f"slice {{x}} [{', '.join(texts)}]",
              [len(range(*r)) for r in full],
              lambda index: [r[0] + i * r[2] for i, r in zip(index, full)])

    for t in ALL:
        p.section(t.name)
        case(t, (3, 4), [(1, 3), (0, 4, 2)])
    p.section("shapes")
    case(f32, (3, 4), [(0, 3), (0, 4)])
    case(f32, (3, 4), [(0, 2), (0, 3)])
    case(f32, (3, 4), [(0, 1), (0, 4, 3)])
    case(f32, (9,), [(1, 9, 3)])
    case(f32, (9,), [(2, 8, 4)])
    case(f32, (9,), [(8, 9, 100)])
    case(f32, (9,), [(4, 4)])
    case(f32, (2, 3, 4), [(1, 2), (2, 3), (0, 4, 3)])
    case(f32, (0, 3), [(0, 0), (1, 2)])
    case(f32, (), [])


def check_starts(p, case):
    """case(type, shape, starts, sizes, start_type) at all kinds of starts."""
    for t in ALL:
        p.section(t.name)
        case(t, (3, 4), (1, 2), (2, 2))
    p.section("types of the start")
    for t in INTS:
        case(f32, (9,), (t.max,), (4,), t)
        case(f32, (9,), (max(t.min, -3),), (4,), t)
    p.section("starts outside, shapes")
    case(f32, (3, 4), (-5, 100), (2, 3))
    case(f32, (3, 4), (2, 3), (3, 4))
    case(f32, (3, 4), (3, 1), (0, 2))
    case(f32, (0, 4), (0, 1), (0, 2))
    case(f32, (), (), ())


@program
def dynamic_slice(p):
    def case(t, shape, starts, sizes, start_type=i32):
        operand = Tensor(t, shape, plain(t, size_of(shape)))
        begin = [min(max(s, 0), n - k) for s, n, k in zip(starts, shape, sizes)]
        expected = Tensor.make(t, sizes, lambda index: operand.at(
            [b + i for b, i in zip(begin, index)]))
        x = p.constant(operand)
        names = [p.value(start_type, s) for s in starts]
        types = [operand.type()] + [f"tensor<{start_type.name}>"] * len(starts)
        y = p.op(f"dynamic_slice {', '.join([x] + names)}, sizes = {list(sizes)}"
                 f" : ({', '.join(types)}) -> {expected.type()}")
        p.expect(y, expected)

    check_starts(p, case)


@program
def dynamic_update_slice(p):
    def case(t, shape, starts, sizes, start_type=i32, fill=None):
        operand = Tensor(t, shape, plain(t, size_of(shape)) if fill is None
                         else [fill] * size_of(shape))
        update = Tensor(t, sizes, reversed(plain(t, size_of(sizes))))
        begin = [min(max(s, 0), n - k) for s, n, k in zip(starts, shape, sizes)]

        def element(index):
            inside = [i - b for i, b in zip(index, begin)]
            return (update.at(inside) if all(
                0 <= i < n for i, n in zip(inside, sizes)) else
                operand.at(index))
        expected = Tensor.make(t, shape, element)
        x, y = p.constant(operand), p.constant(update)
        names = [p.value(start_type, s) for s in starts]
        types = [operand.type(), update.type()]
        types += [f"tensor<{start_type.name}>"] * len(starts)
        z = p.op(f"dynamic_update_slice {', '.join([x, y] + names)}"
                 f" : ({', '.join(types)}) -> {expected.type()}")
        p.expect(z, expected)

    check_starts(p, case)
    p.section("into a repeated constant")
    case(f32, (3, 4), (1, 1), (1, 3), fill=0.0)


@program
def while_(p):
    p.section("Fibonacci numbers, stacked")
    zero = p.op("constant dense<0> : tensor<i32>")
    one = p.value(i64, 1)
    numbers = p.constant(Tensor(i64, [8], [7] * 8))
    types = "tensor<i32>, tensor<i64>, tensor<i64>, tensor<8xi64>"
    p.lines.append(f"""\
  %loop:4 = stablehlo.while(%i = {zero}, %a = {one}, %b = {one}, %all = {numbers}) : {types}
  cond {{
    %n = stablehlo.constant dense<7> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %sum = stablehlo.add %a, %b : tensor<i64>
    %element = stablehlo.reshape %a : (tensor<i64>) -> tensor<1xi64>
    %stacked = stablehlo.dynamic_update_slice %all, %element, %i : (tensor<8xi64>, tensor<1xi64>, tensor<i32>) -> tensor<8xi64>
    stablehlo.return %next, %b, %sum, %stacked : {types}
  }}""")
    p.expect("%loop#0", scalar(i32, 7))
    p.expect("%loop#1", scalar(i64, 21))
    p.expect("%loop#3", vector(i64, [1, 1, 2, 3, 5, 8, 13, 7]))


@program
def case(p):
    def branches(values):
        return "({\n" + "\n  }, {\n".join(
            f"    stablehlo.return {v} : tensor<2xf32>" for v in values) + "\n  })"

    p.section("case")
    values = [[1.0, nan], [3.0, 4.0], [-0.0, 6.0]]
    names = [p.constant(vector(f32, v)) for v in values]
    for index in (-2**31, -1, 0, 1, 2, 3):
        i = p.value(i32, index)
        y = p.op(f'case"({i}) {branches(names)} : (tensor<i32>) -> '
                 "tensor<2xf32>", quote='"')
        chosen = index if 0 <= index < 3 else 2
        p.expect(y, vector(f32, values[chosen]))
    p.section("if")
    for holds in (0, 1):
        c = p.value(i1, holds)
        y = p.op(f'if"({c}) {branches(names[:2])} : (tensor<i1>) -> '
                 "tensor<2xf32>", quote='"')
        p.expect(y, vector(f32, values[1 - holds]))


def in_total_order(x, t):
    """A key by which floats are in IEEE 754's total order."""
    if t.kind != "float":
        return x
    bits = t.bits_of(x)
    return bits if bits < 1 << (t.bits - 1) else -(bits - (1 << (t.bits - 1))) - 1


def comparator(direction, t, others=()):
    kind = ", TOTALORDER" if t.kind == "float" else ""
    arguments = [f"%x: tensor<{t.name}>", f"%y: tensor<{t.name}>"]
    for i, other in enumerate(others):
        arguments += [f"%p{i}: tensor<{other.name}>", f"%q{i}: tensor<{other.name}>"]
    return (f"({{\n  ^bb0({', '.join(arguments)}):\n"
            f"    %before = stablehlo.compare {direction}, %x, %y{kind} : "
            f"(tensor<{t.name}>, tensor<{t.name}>) -> tensor<i1>\n"
            "    stablehlo.return %before : tensor<i1>\n  })")


@program
def sort(p):
    def case(t, values, direction="LT"):
        sign = 1 if direction == "LT" else -1
        order = sorted(range(len(values)),
                       key=lambda i: sign * in_total_order(values[i], t))
        x, n = vector(t, values), vector(i32, range(len(values)))
        types = f"({x.type()}, {n.type()})"
        y = p.op(f'sort"({p.constant(x)}, {p.constant(n)}) '
                 f"<{{dimension = 0 : i64}}> {comparator(direction, t, [i32])} "
                 f": {types} -> {types}", results=2, quote='"')
        p.expect(f"{y}#0", vector(t, [values[i] for i in order]))
        p.expect(f"{y}#1", vector(i32, order))

    for t in ALL:
        p.section(t.name)
        values = [1, 0, 1, 0] if t.kind == "bool" else samples(t)
        case(t, values + values[::-1])
        case(t, values[::2] + values, "GT")
    p.section("equal elements keep their order, for every length")
    for n in range(1, 10):
        case(i32, [(7 * i * i + 3) % 4 for i in range(n)])
    p.section("dimensions")
    for dim, shape in ((0, (4, 3)), (1, (4, 3)), (-2, (2, 3, 2)), (1, (2, 0)),
                       (0, (2, 0))):
        x = Tensor.make(f32, shape, lambda i: float(
            (5 * offset(shape, i) + 3) % 7))
        along = dim % len(shape)

        def element(index):
            line = [list(index) for _ in range(shape[along])]
            for i, place in enumerate(line):
                place[along] = i
            return sorted(map(x.at, line))[index[along]]
        y = p.op(f'sort"({p.constant(x)}) <{{dimension = {dim} : i64, '
                 f"is_stable = true}}> {comparator('LT', f32)} : ({x.type()}) -> "
                 f"{x.type()}", quote='"')
        p.expect(y, Tensor.make(f32, shape, element))
    p.section("a comparator that is no order gives some permutation")
    x = vector(i32, [3, 1, 2])
    y = p.op(f'sort"({p.constant(x)}) {comparator("NE", i32)} : '
             f"({x.type()}) -> {x.type()}", quote='"')
    total = p.op(f"reduce({y} init: {p.value(i32, 0)}) applies stablehlo.add "
                 "across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>")
    p.expect(total, scalar(i32, 6))


@program
def chlo_top_k(p):
    for t in FLOATS + INTS:
        p.section(t.name)
        values = samples(t)
        rows = [values, values[::-1]]
        x = Tensor(t, [2, len(values)], rows[0] + rows[1])
        k = len(values) - 1
        orders = [sorted(range(len(row)),
                         key=lambda i: -in_total_order(row[i], t))[:k]
                  for row in rows]
        y = p.op(f"chlo.top_k({p.constant(x)}, k = {k}) : {x.type()} -> "
                 f"(tensor<2x{k}x{t.name}>, tensor<2x{k}xi32>)", results=2)
        p.expect(f"{y}#0", Tensor(t, [2, k], [
            row[i] for row, order in zip(rows, orders) for i in order]))
        p.expect(f"{y}#1", Tensor(i32, [2, k], orders[0] + orders[1]))


class Windows:
    """The dimension numbers of a gather or scatter, by StableHLO's formulas."""

    def __init__(self, window, dropped, index_map, vector_dim, batching=(),
                 indices_batching=()):
        self.window, self.dropped, self.index_map = window, dropped, index_map
        self.vector_dim = vector_dim
        self.batching, self.indices_batching = batching, indices_batching

    def text(self, kind, names):
        lists = [self.window, self.dropped, self.batching,
                 self.indices_batching, self.index_map]
        entries = [f"{n} = {list(l)}" for n, l in zip(names, lists) if l]
        if self.vector_dim:
            entries.append(f"index_vector_dim = {self.vector_dim}")
        return f"#stablehlo.{kind}<{', '.join(entries)}>"

    def batch_shape(self, indices, sizes):
        """Of gather's result and scatter's updates."""
        vectors = [n for d, n in enumerate(indices.shape) if d != self.vector_dim]
        kept = [n for d, n in enumerate(sizes)
                if d not in self.dropped and d not in self.batching]
        rank = len(vectors) + len(kept)
        return [kept.pop(0) if d in self.window else vectors.pop(0)
                for d in range(rank)]

    def place(self, indices, shape, index, clamp_to=None):
        """Where in the operand of this shape the element at `index` is, with
        starts clamped for windows of these sizes."""
        vector_at = [i for d, i in enumerate(index) if d not in self.window]
        place = [0] * len(shape)
        for k, d in enumerate(self.index_map):
            at = list(vector_at)
            if self.vector_dim < len(indices.shape):
                at.insert(self.vector_dim, k)
            place[d] = indices.at(at)
            if clamp_to is not None:
                place[d] = min(max(place[d], 0), shape[d] - clamp_to[d])
        for d, partner in zip(self.batching, self.indices_batching):
            place[d] = vector_at[partner - (partner > self.vector_dim)]
        present = [d for d in range(len(shape))
                   if d not in self.dropped and d not in self.batching]
        for d, b in zip(present, self.window):
            place[d] += index[b]
        return place


# Rows of a table; windows of a matrix; elements; vectors in front; batching.
ROWS = Windows([1], [0], [0], 1)
BOXES = Windows([1, 2], [], [0, 1], 1)
ELEMENTS = Windows([], [0, 1], [1, 0], 1)
VECTORS_FIRST = Windows([0, 2], [1], [1, 2], 0)
BATCHED = Windows([2], [1], [1], 2, [0], [0])
BATCHED_CROSSED = Windows([1], [], [1], 2, [0, 2], [1, 0])
WHOLE = Windows([1, 2], [], [], 1)


@program
def gather(p):
    names = ["offset_dims", "collapsed_slice_dims", "operand_batching_dims",
             "start_indices_batching_dims", "start_index_map"]

    def case(t, shape, starts, windows, sizes):
        operand = Tensor(t, shape, plain(t, size_of(shape)))
        result_shape = windows.batch_shape(starts, sizes)

        def element(index):
            if 0 in sizes:
                return t.round(0)
            return operand.at(windows.place(starts, shape, index, sizes))

        expected = Tensor.make(t, result_shape, element)
        x, i = p.constant(operand), p.constant(starts)
        dims = windows.text("gather", names)
        y = p.op(f'gather"({x}, {i}) <{{dimension_numbers = {dims}, '
                 f"indices_are_sorted = false, slice_sizes = array<i64"
                 f"{': ' if sizes else ''}{', '.join(map(str, sizes))}>}}> : "
                 f"({operand.type()}, {starts.type()}) -> {expected.type()}",
                 quote='"')
        p.expect(y, expected)

    for t in ALL:
        p.section(t.name)
        case(t, (3, 2), Tensor(i32, (4, 1), [2, 0, 2, 1]), ROWS, (1, 2))
    p.section("types of the indices, and indices outside")
    for t in INTS:
        case(f32, (3, 2), Tensor(t, (3, 1), [t.min, 1, t.max]), ROWS, (1, 2))
    p.section("forms")
    case(f32, (4, 5), Tensor(i64, (3, 2), [1, 2, -4, 9, 2, 0]), BOXES, (2, 3))
    case(f32, (4, 5), Tensor(i32, (3, 2), [1, 2, -4, 9, 4, 0]), ELEMENTS, (1, 1))
    case(f32, (4,), Tensor(i32, (2, 3), [0, 1, 2, 3, 4, -1]),
         Windows([], [0], [0], 2), (1,))
    case(f32, (4, 3), Tensor(i32, (), [2]), Windows([0], [0], [0], 0),
         (1, 3))
    case(f32, (3, 4, 5), Tensor(i32, (2, 3), [0, 1, 3, 4, 2, -9]), VECTORS_FIRST,
         (2, 1, 3))
    case(f32, (2, 4, 3), Tensor(i32, (2, 3, 1), [0, 1, 2, 3, 2, 9]), BATCHED,
         (1, 1, 3))
    case(f32, (2, 5, 3), Tensor(i32, (3, 2, 1), [0, 1, 2, 3, 2, 9]),
         BATCHED_CROSSED, (1, 2, 1))
    case(f32, (2, 3), Tensor(i32, (2, 0), []), WHOLE, (1, 2))
    case(f32, (1, 3), Tensor(i32, (2, 1), [0, 5]), ROWS, (1, 3))
    case(f32, (3, 2), Tensor(i32, (2, 2, 1), [0, 1, 2, 1]),
         Windows([2], [0], [0], 2), (1, 2))
    p.section("nothing to read, nothing to write")
    case(f32, (0, 2), Tensor(i32, (2, 1), [0, 1]), ROWS, (0, 2))
    case(f32, (3, 2), Tensor(i32, (2, 1), [0, 1]), ROWS, (0, 2))
    case(f32, (3, 2), Tensor(i32, (0, 1), []), ROWS, (1, 2))
    case(f32, (3, 2), Tensor(i32, (2, 1), [0, 1]), ROWS, (1, 0))


@program
def scatter(p):
    names = ["update_window_dims", "inserted_window_dims",
             "input_batching_dims", "scatter_indices_batching_dims",
             "scatter_dims_to_operand_dims"]

    def case(t, shape, where, windows, sizes, bodies, combine, count=1):
        """`bodies` are the lines of a region on %a0.., %b0.. that yields %r0..;
        the python function `combine` takes and gives lists."""
        inputs = [Tensor(t, shape, [t.round(3 * v) for v in
                                    plain(t, size_of(shape))])
                  for _ in range(count)]
        update_shape = windows.batch_shape(where, sizes)
        numbers = plain(t, size_of(update_shape))
        updates = [Tensor(t, update_shape, numbers[n:] + numbers[:n])
                   for n in range(count)]
        results = [list(x.values) for x in inputs]
        # Vectors in order, and within each its window.
        order = sorted(indices(update_shape), key=lambda index: (
            [i for d, i in enumerate(index) if d not in windows.window],
            [i for d, i in enumerate(index) if d in windows.window]))
        for index in order:
            place = windows.place(where, shape, index)
            if any(not 0 <= i < n for i, n in zip(place, shape)):
                continue
            at = offset(shape, place)
            for result, value in zip(results, combine(
                    [r[at] for r in results], [u.at(index) for u in updates])):
                result[at] = t.round(value)
        xs = [p.constant(x) for x in inputs]
        i = p.constant(where)
        us = [p.constant(u) for u in updates]
        dims = windows.text("scatter", names)
        scalar_type = f"tensor<{t.name}>"
        arguments = [f"%{side}{n}: {scalar_type}" for side in "ab"
                     for n in range(count)]
        types = ([x.type() for x in inputs] + [where.type()]
                 + [u.type() for u in updates])
        result_types = ", ".join(x.type() for x in inputs)
        y = p.op(f'scatter"({", ".join(xs + [i] + us)}) <{{indices_are_sorted = '
                 f"false, scatter_dimension_numbers = {dims}, unique_indices = "
                 f"false}}> ({{", count, quote='"')
        p.lines.append(f"  ^bb0({', '.join(arguments)}):")
        for line in bodies:
            p.lines.append(f"    {line.replace('TYPE', t.name)}")
        p.lines.append(f"    stablehlo.return "
                       f"{', '.join(f'%r{n}' for n in range(count))} : "
                       f"{', '.join([scalar_type] * count)}")
        p.lines.append(f"  }}) : ({', '.join(types)}) -> ({result_types})")
        for n, (x, result) in enumerate(zip(inputs, results)):
            p.expect(f"{y}#{n}" if count > 1 else y, Tensor(t, shape, result))

    def body(op):
        return [f"%r0 = stablehlo.{op} %a0, %b0 : tensor<TYPE>"]

    def plus(a, b):
        return [a[0] + b[0]]

    add = body("add")
    rows = Tensor(i32, (4, 1), [2, 0, 2, 2])
    for t in ALL:
        p.section(t.name)
        if t is i1:
            case(t, (3, 2), rows, ROWS, (1, 2), body("or"),
                 lambda a, b: [a[0] | b[0]])
            continue
        case(t, (3, 2), rows, ROWS, (1, 2), add, plus)
    p.section("bodies")
    case(f32, (3, 2), rows, ROWS, (1, 2), body("multiply"),
         lambda a, b: [a[0] * b[0]])
    case(f32, (3, 2), rows, ROWS, (1, 2), body("maximum"),
         lambda a, b: [max(a[0], b[0])])
    case(i32, (3, 2), rows, ROWS, (1, 2), body("minimum"),
         lambda a, b: [min(a[0], b[0])])
    case(f32, (3, 2), rows, ROWS, (1, 2), body("subtract"),
         lambda a, b: [a[0] - b[0]])
    case(f32, (3, 2), rows, ROWS, (1, 2),
         ["%r0 = stablehlo.reshape %b0 : (tensor<TYPE>) -> tensor<TYPE>"],
         lambda a, b: b)
    case(f32, (3, 2), rows, ROWS, (1, 2),
         ["%c = stablehlo.constant dense<2.0> : tensor<TYPE>",
          "%d = stablehlo.multiply %b0, %c : tensor<TYPE>",
          "%r0 = stablehlo.add %a0, %d : tensor<TYPE>"],
         lambda a, b: [a[0] + 2 * b[0]])
    case(f32, (3, 2), rows, ROWS, (1, 2),
         ["%r0 = stablehlo.add %a0, %b1 : tensor<TYPE>",
          "%r1 = stablehlo.maximum %a1, %b0 : tensor<TYPE>"],
         lambda a, b: [a[0] + b[1], max(a[1], b[0])], 2)
    p.section("types of the indices, and indices outside")
    for t in INTS:
        case(f32, (3, 2), Tensor(t, (3, 1), [t.min, 1, t.max]), ROWS, (1, 2),
             add, plus)
        case(f32, (4, 5), Tensor(t, (2, 2), [t.max, t.max, 1, 1]), BOXES, (2, 3),
             add, plus)
    p.section("forms")
    case(f32, (4, 5), Tensor(i64, (3, 2), [1, 2, -1, 3, 1, 2]), BOXES, (2, 3),
         add, plus)
    case(f32, (4, 5), Tensor(i32, (4, 2), [1, 2, -4, 9, 4, 0, 1, 2]), ELEMENTS,
         (1, 1), add, plus)
    case(f32, (4,), Tensor(i32, (2, 3), [0, 1, 2, 1, 4, -1]),
         Windows([], [0], [0], 2), (1,), add, plus)
    case(f32, (4, 3), Tensor(i32, (), [2]), Windows([0], [0], [0], 0), (1, 3),
         add, plus)
    case(f32, (3, 4, 5), Tensor(i32, (2, 3), [0, 1, 3, 4, 2, -1]), VECTORS_FIRST,
         (2, 1, 3), add, plus)
    case(f32, (2, 4, 3), Tensor(i32, (2, 3, 1), [0, 1, 0, 3, 2, 9]), BATCHED,
         (1, 1, 3), add, plus)
    case(f32, (2, 5, 3), Tensor(i32, (3, 2, 1), [0, 1, 2, 3, 2, 9]),
         BATCHED_CROSSED, (1, 2, 1), add, plus)
    case(f32, (2, 3), Tensor(i32, (3, 0), []), WHOLE, (1, 2), add, plus)
    p.section("index vectors of no component, so that all have one place")
    case(f32, (1,), Tensor(i32, (40, 0), []), Windows([], [0], [], 1), (1,), add,
         plus)
    case(f32, (), Tensor(i32, (40, 0), []), Windows([], [], [], 1), (), add, plus)
    p.section("many updates of one place")
    case(i64, (2,), Tensor(i32, (100, 1), [1] * 100), Windows([], [0], [0], 1),
         (1,), add, plus)
    p.section("nothing to write")
    case(f32, (3, 2), Tensor(i32, (0, 1), []), ROWS, (1, 2), add, plus)
    case(f32, (0, 2), Tensor(i32, (2, 1), [0, 1]), ROWS, (1, 2), add, plus)
    case(f32, (3, 2), Tensor(i32, (2, 1), [0, 1]), ROWS, (1, 0), add, plus)


@program
def pad(p):
    def case(t, shape, low, high, interior):
        operand = Tensor(t, shape, plain(t, size_of(shape)))
        filler = t.round(1.0 if t.kind == "float" else 1)
        result = [n + l + h + max(n - 1, 0) * i
                  for n, l, h, i in zip(shape, low, high, interior)]

        def element(index):
            place = []
            for j, n, l, i in zip(index, shape, low, interior):
                position, rest = divmod(j - l, i + 1)
                if rest or not 0 <= position < n:
                    return filler
                place.append(position)
            return operand.at(place)
        expected = Tensor.make(t, result, element)
        x, s = p.constant(operand), p.value(t, filler)
        y = p.op(f"pad {x}, {s}, low = {list(low)}, high = {list(high)}, interior"
                 f" = {list(interior)} : ({operand.type()}, tensor<{t.name}>) -> "
                 f"{expected.type()}")
        p.expect(y, expected)

    for t in ALL:
        p.section(t.name)
        case(t, (2, 3), (1, 0), (0, 2), (0, 1))
    p.section("removing, both, shapes")
    case(f32, (5,), (-1,), (-2,), (0,))
    case(f32, (5,), (-1,), (2,), (2,))
    case(f32, (5,), (3,), (-4,), (1,))
    case(f32, (5,), (-2,), (-3,), (0,))
    case(f32, (2, 3), (0, -2), (0, -3), (0, 1))
    case(f32, (2, 3), (0, 0), (0, 0), (0, 0))
    case(f32, (2, 2, 2), (1, -1, 0), (1, 1, 0), (2, 0, 1))
    case(f32, (0, 2), (2, 0), (1, 1), (3, 0))
    case(f32, (1,), (0,), (0,), (5,))
    case(f32, (), (), (), ())


@program
def concatenate(p):
    def case(t, shapes, dim):
        parts = []
        start = 0
        for shape in shapes:
            n = size_of(shape)
            parts.append(Tensor(t, shape, plain(t, start + n)[start:]))
            start += n
        result = list(shapes[0])
        result[dim] = sum(shape[dim] for shape in shapes)

        def element(index):
            index = list(index)
            for part in parts:
                if index[dim] < part.shape[dim]:
                    return part.at(index)
                index[dim] -= part.shape[dim]
        expected = Tensor.make(t, result, element)
        names = [p.constant(part) for part in parts]
        types = ", ".join(part.type() for part in parts)
        y = p.op(f"concatenate {', '.join(names)}, dim = {dim} : ({types}) -> "
                 f"{expected.type()}")
        p.expect(y, expected)

    for t in ALL:
        p.section(t.name)
        case(t, [(2, 1), (2, 3)], 1)
    p.section("shapes")
    case(f32, [(2, 3), (1, 3), (4, 3)], 0)
    case(f32, [(2, 1, 2), (2, 2, 2)], 1)
    case(f32, [(3,)], 0)
    case(f32, [(0,), (2,), (0,)], 0)
    case(f32, [(0, 2), (0, 3)], 1)


@program
def get_dimension_size(p):
    for t in ALL:
        p.section(t.name)
        x = p.constant(Tensor(t, [2, 0, 3], []))
        for dim, size in enumerate((2, 0, 3)):
            y = p.op(f"get_dimension_size {x}, dim = {dim} : "
                     f"(tensor<2x0x3x{t.name}>) -> tensor<i32>")
            p.expect(y, scalar(i32, size))


# Sums over elements ----------------------------------------------------------

def neutral(op, t):
    lowest = -inf if t.kind == "float" else t.min
    highest = inf if t.kind == "float" else t.max
    return {"add": t.round(0.0 if t.kind == "float" else 0),
            "multiply": t.round(1.0 if t.kind == "float" else 1),
            "maximum": lowest, "minimum": highest,
            "and": t.round(-1) if t.kind != "float" else None,
            "or": 0, "xor": 0}[op]


COMBINE = {
    "add": add_numbers, "multiply": multiply_numbers,
    "maximum": maximum_numbers, "minimum": minimum_numbers,
    "and": lambda a, b, t: a & b, "or": lambda a, b, t: a | b,
    "xor": lambda a, b, t: a ^ b,
}


def reduced(op, t, operand, dims, init=None):
    rest = [d for d in range(len(operand.shape)) if d not in dims]
    result = [operand.shape[d] for d in rest]

    def element(index):
        value = neutral(op, t) if init is None else init
        for place in indices([operand.shape[d] for d in dims]):
            full = [0] * len(operand.shape)
            for d, i in zip(rest, index):
                full[d] = i
            for d, i in zip(dims, place):
                full[d] = i
            value = t.round(COMBINE[op](value, operand.at(full), t))
        return value
    return Tensor.make(t, result, element)


@program
def reduce(p):
    def case(op, t, operand, dims, init=None):
        expected = reduced(op, t, operand, dims, init)
        x = p.constant(operand)
        c = p.constant(scalar(t, neutral(op, t) if init is None else init))
        y = p.op(f"reduce({x} init: {c}) applies stablehlo.{op} across dimensions"
                 f" = {list(dims)} : ({operand.type()}, tensor<{t.name}>) -> "
                 f"{expected.type()}")
        p.expect(y, expected)

    for t in ALL:
        p.section(t.name)
        arithmetic = ["add", "multiply", "maximum", "minimum"]
        bitwise = [] if t.kind == "float" else ["and", "or", "xor"]
        for op in arithmetic + bitwise:
            small = op in ("add", "multiply") and t.kind == "float"
            values = [1.0, 2.0, 0.5, 4.0, 1.0, 2.0] if small else \
                (samples(t) * 3)[:6]
            case(op, t, Tensor(t, [2, 3], values), (1,))
    p.section("NaN, zeros of both signs, infinities")
    for t in FLOATS:
        case("maximum", t, Tensor(t, [3, 3], [1.0, nan, 2.0, -0.0, 0.0, -0.0,
                                              -inf, -inf, -inf]), (1,))
        case("minimum", t, Tensor(t, [3, 3], [1.0, nan, 2.0, -0.0, 0.0, 0.0,
                                              inf, inf, inf]), (1,))
        case("add", t, Tensor(t, [3, 2], [inf, 1.0, inf, -inf, nan, 0.0]), (1,))
    p.section("shapes")
    cube = Tensor(f32, [2, 3, 4], plain(f32, 24))
    for count in range(4):
        for dims in itertools.combinations(range(3), count):
            case("add", f32, cube, dims)
    case("maximum", f32, cube, (2, 0))
    case("add", f32, scalar(f32, 3.0), ())
    case("add", f32, Tensor(f32, [0, 3], []), (0,))
    case("maximum", f32, Tensor(f32, [0, 3], []), (0,))
    case("add", f32, Tensor(f32, [0, 3], []), (1,))
    case("add", i32, Tensor(i32, [3, 500], plain(i32, 1500)), (1,))
    case("add", i32, Tensor(i32, [500, 3], plain(i32, 1500)), (0,))
    p.section("from another initial value")
    for t in (f32, f64, bf16, i32, ui8):
        ten = t.round(10.0 if t.kind == "float" else 10)
        for op in ("add", "multiply", "maximum", "minimum"):
            case(op, t, Tensor(t, [2, 3], plain(t, 6)), (1,), ten)
        case("add", t, Tensor(t, [0, 2], []), (0,), ten)
        case("add", t, Tensor(t, [2], plain(t, 2)), (), ten)
        case("add", t, scalar(t, ten), (), ten)
    x = p.constant(cube)
    c = p.value(f32, 10.0)
    y = p.op(f"reduce({x} init: {c}) applies stablehlo.add across dimensions = "
             "[0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>")
    p.expect(y, reduced("add", f32, cube, (0, 2), 10.0))
    generic(p, cube)
    argmax(p)


def generic(p, cube):
    """The generic form, and a body of several ops: the largest magnitude."""
    p.section("a body of several ops, in generic form")
    x, c = p.constant(cube), p.constant(scalar(f32, 0.0))
    s = "tensor<f32>"
    y = p.op(
        f'reduce"({x}, {c}) <{{dimensions = array<i64: 2>}}> ({{\n'
        f"  ^bb0(%a: {s}, %b: {s}):\n"
        f'    %m = "stablehlo.abs"(%a) : ({s}) -> {s}\n'
        f'    %n = "stablehlo.abs"(%b) : ({s}) -> {s}\n'
        f'    %l = "stablehlo.compare"(%m, %n) <{{comparison_direction = '
        f"#stablehlo<comparison_direction LT>}}> : ({s}, {s}) -> tensor<i1>\n"
        f'    %r = "stablehlo.select"(%l, %n, %m) : (tensor<i1>, {s}, {s}) -> {s}'
        f'\n    "stablehlo.return"(%r) : ({s}) -> ()\n'
        f"  }}) : (tensor<2x3x4xf32>, {s}) -> tensor<2x3xf32>", quote='"')
    p.expect(y, reduced("maximum", f32, cube, (2,)))


def argmax(p):
    """Two operands: the largest value and its first index."""
    for t, u in ((f32, i32), (f64, i64), (i32, ui32), (bf16, i32)):
        p.section(f"{t.name} and {u.name} together")
        rows = [[3, 7, 1, 7], [5, 5, 5, 5], [0, 1, 2, 3]]
        values = Tensor(t, [3, 4], [t.round(float(v) if t.kind == "float" else v)
                                    for row in rows for v in row])
        x = p.constant(values)
        i = p.op(f"iota dim = 1 : tensor<3x4x{u.name}>")
        a = p.constant(scalar(t, neutral("maximum", t)))
        c = p.constant(scalar(u, 0))
        s, k = f"tensor<{t.name}>", f"tensor<{u.name}>"
        kind = "FLOAT" if t.kind == "float" else "SIGNED"
        order = "SIGNED" if u.signed else "UNSIGNED"
        y = p.op(
            f"reduce({x} init: {a}), ({i} init: {c}) across dimensions = [1] : "
            f"(tensor<3x4x{t.name}>, tensor<3x4x{u.name}>, {s}, {k}) -> "
            f"(tensor<3x{t.name}>, tensor<3x{u.name}>)\n"
            f"   reducer(%x: {s}, %y: {s}) (%i: {k}, %j: {k}) {{\n"
            f"    %gt = stablehlo.compare GT, %x, %y, {kind} : ({s}, {s}) -> tensor<i1>\n"
            f"    %eq = stablehlo.compare EQ, %x, %y, {kind} : ({s}, {s}) -> tensor<i1>\n"
            f"    %lt = stablehlo.compare LT, %i, %j, {order} : ({k}, {k}) -> tensor<i1>\n"
            f"    %first = stablehlo.and %eq, %lt : tensor<i1>\n"
            f"    %take = stablehlo.or %gt, %first : tensor<i1>\n"
            f"    %v = stablehlo.select %gt, %x, %y : tensor<i1>, {s}\n"
            f"    %n = stablehlo.select %take, %i, %j : tensor<i1>, {k}\n"
            f"    stablehlo.return %v, %n : {s}, {k}\n"
            f"  }}", results=2)
        p.expect(f"{y}#0", vector(t, [t.round(float(max(r)) if t.kind == "float"
                                              else max(r)) for r in rows]))
        p.expect(f"{y}#1", vector(u, [r.index(max(r)) for r in rows]))


@program
def dot_general(p):
    def product(t, out, lhs, rhs, batch, contract):
        """batch and contract are pairs of lists of dimensions."""
        def rest(shape, side):
            return [d for d in range(len(shape))
                    if d not in batch[side] and d not in contract[side]]
        left, right = rest(lhs.shape, 0), rest(rhs.shape, 1)
        shape = [lhs.shape[d] for d in batch[0]] + \
            [lhs.shape[d] for d in left] + [rhs.shape[d] for d in right]
        nb, nl = len(batch[0]), len(left)

        def element(index):
            total = 0
            for k in indices([lhs.shape[d] for d in contract[0]]):
                a, b = [0] * len(lhs.shape), [0] * len(rhs.shape)
                for i, (d, e) in zip(index[:nb], zip(*batch)):
                    a[d] = b[e] = i
                for i, d in zip(index[nb:nb + nl], left):
                    a[d] = i
                for i, d in zip(index[nb + nl:], right):
                    b[d] = i
                for i, (d, e) in zip(k, zip(*contract)):
                    a[d] = b[e] = i
                total += Fraction(lhs.at(a)) * Fraction(rhs.at(b))
            return out.round(float(total) if out.kind == "float" else total)
        return Tensor.make(out, shape, element)

    def case(t, lshape, rshape, batch, contract, out=None, rest=""):
        out = out or t
        limit = 5 if t.kind != "bool" else 2
        small = lambda n, k: [t.round(float(i * k % limit) if t.kind == "float"
                                      else i * k % limit) for i in range(n)]
        lhs = Tensor(t, lshape, small(size_of(lshape), 1))
        rhs = Tensor(t, rshape, small(size_of(rshape), 3))
        expected = product(t, out, lhs, rhs, batch, contract)
        x, y = p.constant(lhs), p.constant(rhs)
        batching = f"batching_dims = {batch[0]} x {batch[1]}, " if batch[0] else ""
        z = p.op(f"dot_general {x}, {y}, {batching}contracting_dims = "
                 f"{contract[0]} x {contract[1]}{rest} : ({lhs.type()}, "
                 f"{rhs.type()}) -> {expected.type()}")
        p.expect(z, expected)

    for t in ALL:
        p.section(t.name)
        case(t, (2, 3), (3, 4), ([], []), ([1], [0]))
    p.section("a wider result")
    for t, out in ((i8, i32), (ui8, ui32), (i16, i64), (bf16, f32), (f16, f32),
                   (f32, f64)):
        case(t, (2, 3), (3, 4), ([], []), ([1], [0]), out)
    p.section("shapes")
    default = ", precision = [DEFAULT, DEFAULT]"
    for t in (f32, f64, i32):
        case(t, (3, 2), (3, 4), ([], []), ([0], [0]), rest=default)
        case(t, (2, 3), (4, 3), ([], []), ([1], [1]))
        case(t, (3, 2), (4, 3), ([], []), ([0], [1]))
        case(t, (3,), (3,), ([], []), ([0], [0]))
        case(t, (2, 3), (3,), ([], []), ([1], [0]))
        case(t, (3,), (3, 2), ([], []), ([0], [0]))
        case(t, (2,), (3,), ([], []), ([], []))
        case(t, (), (), ([], []), ([], []))
        case(t, (2, 3, 4), (2, 4, 5), ([0], [0]), ([2], [1]))
        case(t, (2, 3), (2, 3), ([0], [0]), ([1], [1]))
        case(t, (2, 3), (2, 3), ([0, 1], [0, 1]), ([], []))
        case(t, (3, 2, 4), (4, 5, 2), ([1], [2]), ([2], [0]))
        case(t, (2, 3, 4), (4, 3, 5), ([], []), ([1, 2], [1, 0]))
        case(t, (2, 3, 4), (4, 5), ([], []), ([2], [0]))
        case(t, (2, 0), (0, 3), ([], []), ([1], [0]))
        case(t, (0, 2), (2, 3), ([], []), ([1], [0]))
        case(t, (0, 2, 3), (0, 3, 2), ([0], [0]), ([2], [1]))
        case(t, (4, 5), (5, 1), ([], []), ([1], [0]))
    p.section("integers wrap around")
    x = p.constant(Tensor(i8, [1, 3], [100, 100, 100]))
    y = p.constant(Tensor(i8, [3, 1], [1, 1, 1]))
    z = p.op(f"dot_general {x}, {y}, contracting_dims = [1] x [0] : "
             "(tensor<1x3xi8>, tensor<3x1xi8>) -> tensor<1x1xi8>")
    p.expect(z, Tensor(i8, [1, 1], [300 - 256]))
    p.section("NaN and infinity reach what they touch, and nothing else")
    x = p.constant(Tensor(f32, [3, 2], [nan, 0.0, inf, 1.0, 1.0, 2.0]))
    y = p.constant(Tensor(f32, [2, 2], [1.0, 0.0, 1.0, 1.0]))
    z = p.op(f"dot_general {x}, {y}, contracting_dims = [1] x [0] : "
             "(tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>")
    p.expect(z, Tensor(f32, [3, 2], [nan, nan, inf, nan, 3.0, 2.0]))
    p.section("larger than a block")
    for t in (f32, f64):
        case(t, (33, 65), (65, 17), ([], []), ([1], [0]))
        case(t, (65, 33), (65, 17), ([], []), ([0], [0]))
        case(t, (33, 65), (17, 65), ([], []), ([1], [1]))


# Ops that depend on each other -----------------------------------------------

class Graph:
    """Random ops on small tensors, so that kernels are made of many of them."""

    def __init__(self, p, t, seed):
        self.p, self.t, self.state, self.values = p, t, seed, []

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) \
            % 2**64
        return (self.state >> 33) % n

    def choose(self, items):
        return items[self.below(len(items))]

    def keep(self, text, tensor):
        self.values.append((self.p.op(text), tensor))

    def number(self, x):
        return self.t.round(float(x) if self.t.kind == "float" else x)

    def source(self):
        shape = [self.choose([1, 2, 3, 4]) for _ in range(self.below(4))]
        if self.below(3) == 0:
            value = self.number(self.below(7) - 3)
            tensor = Tensor(self.t, shape, [value] * size_of(shape))
        elif shape and self.below(3) == 0:
            dim = self.below(len(shape))
            tensor = Tensor.make(self.t, shape, lambda i: self.number(i[dim]))
            return self.keep(f"iota dim = {dim} : {tensor.type()}", tensor)
        else:
            tensor = Tensor.make(self.t, shape,
                                 lambda i: self.number(self.below(9) - 4))
        self.keep(f"constant {tensor.literal()} : {tensor.type()}", tensor)

    def move(self, name, x, text, shape, source):
        result = Tensor.make(self.t, shape, lambda i: x.at(source(i)))
        self.keep(f"{text.format(name)} : ({x.type()}) -> {result.type()}",
                  result)

    def transpose(self, name, x):
        dims = list(range(len(x.shape)))
        dims.sort(key=lambda d: self.below(100))
        self.move(name, x, f"transpose {{}}, dims = {dims}",
                  [x.shape[d] for d in dims],
                  lambda i: [i[dims.index(d)] for d in range(len(dims))])

    def slice(self, name, x):
        ranges = []
        for n in x.shape:
            begin = self.choose([0, 0, self.below(n + 1)])
            ranges.append((begin, begin + self.below(n - begin + 1),
                           self.choose([1, 1, 2])))
        text = ", ".join(":".join(map(str, r)) for r in ranges)
        self.move(name, x, f"slice {{}} [{text}]",
                  [len(range(*r)) for r in ranges],
                  lambda i: [r[0] + k * r[2] for k, r in zip(i, ranges)])

    def reverse(self, name, x):
        dims = [d for d in range(len(x.shape)) if self.below(2)]
        result = Tensor.make(self.t, x.shape, lambda i: x.at(
            [x.shape[d] - 1 - k if d in dims else k for d, k in enumerate(i)]))
        self.keep(f"reverse {name}, dims = {dims} : {x.type()}", result)

    def reshape(self, name, x):
        size = size_of(x.shape)
        shapes = [[size], [1, size], [size, 1], [1, *x.shape], [*x.shape, 1],
                  [n for n in x.shape if n != 1]]
        shapes += [[size // n, n] for n in (2, 3, 4) if size % n == 0]
        result = Tensor(self.t, self.choose(shapes), x.values)
        self.keep(f"reshape {name} : ({x.type()}) -> {result.type()}", result)

    def broadcast(self, name, x):
        shape, dims = [], []
        for n in x.shape + (None,):
            for _ in range(self.choose([0, 0, 1])):
                shape.append(self.choose([1, 2, 3]))
            if n is not None:
                dims.append(len(shape))
                shape.append(self.choose([1, 3]) if n == 1 else n)
        self.move(name, x, f"broadcast_in_dim {{}}, dims = {dims}", shape,
                  lambda i: [0 if n == 1 else i[d]
                             for n, d in zip(x.shape, dims)])

    def pad(self, name, x):
        low = [self.choose([0, 1, -1]) for _ in x.shape]
        inner = [self.choose([0, 0, 1]) for _ in x.shape]
        high = [self.choose([0, 0, 2]) + max(0, -n) for n in low]
        shape = [n + l + h + max(0, n - 1) * k
                 for n, l, h, k in zip(x.shape, low, high, inner)]

        def element(index):
            places = [divmod(i - l, k + 1) for i, l, k in zip(index, low, inner)]
            inside = all(rest == 0 and 0 <= i < n
                         for (i, rest), n in zip(places, x.shape))
            return x.at([i for i, _ in places]) if inside else self.number(5)
        result = Tensor.make(self.t, shape, element)
        five = self.p.constant(scalar(self.t, self.number(5)))
        self.keep(f"pad {name}, {five}, low = {low}, high = {high}, interior = "
                  f"{inner} : ({x.type()}, tensor<{self.t.name}>) -> "
                  f"{result.type()}", result)

    def reduce(self, name, x):
        op = self.choose(["add", "maximum"])
        dims = [d for d in range(len(x.shape)) if self.below(2)]
        result = reduced(op, self.t, x, dims)
        if any(v == neutral("maximum", self.t) for v in result.values):
            return
        init = self.p.constant(scalar(self.t, neutral(op, self.t)))
        self.keep(f"reduce({name} init: {init}) applies stablehlo.{op} across "
                  f"dimensions = {dims} : ({x.type()}, tensor<{self.t.name}>) "
                  f"-> {result.type()}", result)

    def limited(self, name, x):
        """x between -8 and 8, so that sums of products stay exact."""
        low, high = (self.number(n) for n in (-8, 8))
        a, b = (self.p.constant(scalar(self.t, n)) for n in (low, high))
        s = f"tensor<{self.t.name}>"
        y = self.p.op(f"clamp {a}, {name}, {b} : ({s}, {x.type()}, {s}) -> "
                      f"{x.type()}")
        return y, Tensor(self.t, x.shape,
                         [min(max(v, low), high) for v in x.values])

    def partner(self, fits):
        return self.choose([v for v in self.values if fits(v[1])])

    def combine(self, name, x):
        op = self.choose(["add", "subtract", "multiply", "maximum", "minimum"])
        other, y = self.partner(lambda v: v.shape == x.shape)
        if op == "multiply":
            (name, x), (other, y) = self.limited(name, x), self.limited(other, y)
        functions = {"subtract": lambda a, b, t: add_numbers(a, -b, t),
                     "minimum": minimum_numbers, **COMBINE}
        result = Tensor(self.t, x.shape, [
            self.t.round(functions[op](a, b, self.t))
            for a, b in zip(x.values, y.values)])
        self.keep(f"{op} {name}, {other} : {x.type()}", result)

    def select(self, name, x):
        other, y = self.partner(lambda v: v.shape == x.shape)
        mask = Tensor(i1, x.shape, [a > b for a, b in zip(x.values, y.values)])
        m = self.p.op(f"compare GT, {name}, {other} : ({x.type()}, {y.type()}) "
                      f"-> {mask.type()}")
        third, z = self.partner(lambda v: v.shape == x.shape)
        result = Tensor(self.t, x.shape, [
            a if c else b for c, a, b in zip(mask.values, x.values, z.values)])
        self.keep(f"select {m}, {name}, {third} : {mask.type()}, {x.type()}",
                  result)

    def concatenate(self, name, x):
        if not x.shape:
            return
        other, y = self.partner(lambda v: v.shape[1:] == x.shape[1:] and v.shape)
        result = Tensor(self.t, [x.shape[0] + y.shape[0], *x.shape[1:]],
                        x.values + y.values)
        self.keep(f"concatenate {name}, {other}, dim = 0 : ({x.type()}, "
                  f"{y.type()}) -> {result.type()}", result)

    def dot(self, name, x):
        if not x.shape:
            return
        other, y = self.partner(lambda v: x.shape[-1] in v.shape)
        dim = self.choose([d for d, n in enumerate(y.shape) if n == x.shape[-1]])
        (name, x), (other, y) = self.limited(name, x), self.limited(other, y)
        rest = [n for d, n in enumerate(y.shape) if d != dim]

        def element(index):
            row, place = list(index[:len(x.shape) - 1]), list(
                index[len(x.shape) - 1:])
            return self.number(sum(
                x.at(row + [k]) * y.at(place[:dim] + [k] + place[dim:])
                for k in range(x.shape[-1])))
        result = Tensor.make(self.t, [*x.shape[:-1], *rest], element)
        self.keep(f"dot_general {name}, {other}, contracting_dims = "
                  f"[{len(x.shape) - 1}] x [{dim}] : ({x.type()}, {y.type()}) "
                  f"-> {result.type()}", result)

    def grow(self, count):
        for _ in range(3):
            self.source()
        steps = [self.transpose, self.slice, self.reverse, self.reshape,
                 self.broadcast, self.pad, self.reduce, self.combine,
                 self.combine, self.combine, self.select, self.concatenate,
                 self.dot]
        while len(self.values) < count:
            if self.below(12) == 0:
                self.source()
                continue
            step, (name, x) = self.choose(steps), self.choose(self.values[-8:])
            if len(x.shape) > 4 or size_of(x.shape) > 400:
                step = self.reduce
            step(name, x)
        for i, (name, tensor) in enumerate(self.values):
            if i % 5 == 0 or i >= count - 4:
                self.p.expect(name, tensor, ulps=1)


@program
def together(p):
    for t in (i32, f32):
        for seed in range(4):
            p.section(f"{t.name}, graph {seed}")
            Graph(p, t, seed).grow(25)
    p.section("a reshape of a value that is in no buffer")
    x = p.value(f32, 2.5)
    y = p.op(f"broadcast_in_dim {x}, dims = [] : (tensor<f32>) -> tensor<2x6xf32>")
    z = p.op(f"reshape {y} : (tensor<2x6xf32>) -> tensor<2x2x3xf32>")
    p.expect(z, Tensor(f32, [2, 2, 3], [2.5] * 12))
    y = p.op(f"broadcast_in_dim {x}, dims = [] : (tensor<f32>) -> tensor<0x4xf32>")
    z = p.op(f"reshape {y} : (tensor<0x4xf32>) -> tensor<0xf32>")
    p.expect(z, Tensor(f32, [0], []))
    p.section("products of vectors, and seen through a reshape")
    x = p.constant(Tensor(f32, [1, 2], [2.0, 3.0]))
    v = p.op(f"reshape {x} : (tensor<1x2xf32>) -> tensor<2xf32>")
    d = p.op(f"dot_general {v}, {v}, contracting_dims = [0] x [0] : "
             "(tensor<2xf32>, tensor<2xf32>) -> tensor<f32>")
    d = p.op(f"minimum {d}, {d} : tensor<f32>")
    y = p.op(f"broadcast_in_dim {d}, dims = [] : (tensor<f32>) -> tensor<1xf32>")
    p.expect(y, vector(f32, [13.0]))
    d = p.op(f"dot_general {x}, {x}, contracting_dims = [1] x [1] : "
             "(tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>")
    y = p.op(f"reshape {d} : (tensor<1x1xf32>) -> tensor<1x1x1xf32>")
    z = p.op(f"negate {d} : tensor<1x1xf32>")
    p.expect(y, Tensor(f32, [1, 1, 1], [13.0]))
    p.expect(z, Tensor(f32, [1, 1], [-13.0]))
    p.section("two results of one column that share memory")
    three = p.op("constant dense<3.0> : tensor<1x1xf32>")
    y = p.op(f"add {three}, {three} : tensor<1x1xf32>")
    y = p.op(f"minimum {y}, {three} : tensor<1x1xf32>")
    z = p.op(f"add {y}, {d} : tensor<1x1xf32>")
    p.expect(y, Tensor(f32, [1, 1], [3.0]))
    p.expect(z, Tensor(f32, [1, 1], [16.0]))
    p.section("the first elements of a value that is needed as a whole")
    x = p.constant(Tensor(f64, [2, 4], plain(f64, 8)))
    y = p.op(f"sqrt {x} : tensor<2x4xf64>")
    y = p.op(f"multiply {y}, {y} : tensor<2x4xf64>")
    z = p.op(f"slice {y} [0:2, 0:2] : (tensor<2x4xf64>) -> tensor<2x2xf64>")
    z = p.op(f"exponential {z} : tensor<2x2xf64>")
    z = p.op(f"log {z} : tensor<2x2xf64>")
    p.expect(y, Tensor(f64, [2, 4], plain(f64, 8)), 2)
    p.expect(z, Tensor(f64, [2, 2], [0.0, 1.0, 4.0, 5.0]), 2)


# Windows ---------------------------------------------------------------------

class Axis:
    """How a window of `size` elements moves along a dimension."""

    def __init__(self, size=1, stride=1, low=0, high=0, base=1, dilation=1,
                 reverse=False):
        self.size, self.stride, self.low, self.high = size, stride, low, high
        self.base, self.dilation, self.reverse = base, dilation, reverse

    def places(self, n):
        padded = (0 if n == 0 else (n - 1) * self.base + 1) + self.low + self.high
        window = (self.size - 1) * self.dilation + 1
        return 0 if padded < window else (padded - window) // self.stride + 1

    def at(self, place, k, n):
        """The index of the base there, or None on padding or a hole."""
        i = place * self.stride + k * self.dilation - self.low
        inside = i % self.base == 0 and 0 <= i // self.base < n
        return i // self.base if inside else None


def small_numbers(t, n, factor):
    limit = 2 if t.kind == "bool" else 5
    numbers = [i * factor % limit for i in range(n)]
    return [t.round(float(i) if t.kind == "float" else i) for i in numbers]


def convolved(out, x, w, axes, numbers, features, batches):
    """The convolution of x by w, summed exactly."""
    (xb, xf, xs), (wi, wo, ws), (yb, yf, ys) = numbers
    shape = [0] * len(x.shape)
    shape[yb] = x.shape[xb] // batches
    shape[yf] = w.shape[wo]
    for axis, i, o in zip(axes, xs, ys):
        shape[o] = axis.places(x.shape[i])

    def element(index):
        total = 0
        group = index[yf] // (w.shape[wo] // (features * batches))
        for k in indices([axis.size for axis in axes] + [w.shape[wi]]):
            a, b = [0] * len(shape), [0] * len(shape)
            for axis, place, i, j, n in zip(axes, [index[o] for o in ys], xs, ws,
                                            k):
                a[i] = axis.at(place, n, x.shape[i])
                b[j] = axis.size - 1 - n if axis.reverse else n
            if None in a:
                continue
            a[xb] = index[yb] + (group * shape[yb] if batches > 1 else 0)
            a[xf] = k[-1] + (group * w.shape[wi] if features > 1 else 0)
            b[wi], b[wo] = k[-1], index[yf]
            total += Fraction(x.at(a)) * Fraction(w.at(b))
        return out.round(float(total) if out.kind == "float" else total)
    return Tensor.make(out, shape, element)


def dimension_numbers(text):
    """[b, 0, f]x[0, i, o]->[b, 0, f] as indices of the letters and numbers."""
    numbers = []
    for part, letters in zip(re.findall(r"\[(.*?)\]", text), ("bf", "io", "bf")):
        names = part.split(", ")
        spatial = [names.index(str(i)) for i in range(len(names) - 2)]
        numbers.append((names.index(letters[0]), names.index(letters[1]), spatial))
    return numbers


def listed(values):
    return "[" + ", ".join(str(v).lower() for v in values) + "]"


@program
def convolution(p):
    def case(t, x, w, text, axes, features=1, batches=1, out=None):
        out = out or t
        x = Tensor(t, x, small_numbers(t, size_of(x), 1))
        w = Tensor(t, w, small_numbers(t, size_of(w), 3))
        expected = convolved(out, x, w, axes, dimension_numbers(text), features,
                             batches)
        a, b = p.constant(x), p.constant(w)
        pads = ", ".join(f"[{axis.low}, {axis.high}]" for axis in axes)
        y = p.op(
            f"convolution({a}, {b}) dim_numbers = {text}, window = {{"
            f"stride = {listed(axis.stride for axis in axes)}, pad = [{pads}], "
            f"lhs_dilate = {listed(axis.base for axis in axes)}, "
            f"rhs_dilate = {listed(axis.dilation for axis in axes)}, "
            f"reverse = {listed(axis.reverse for axis in axes)}}} "
            f"{{batch_group_count = {batches} : i64, "
            f"feature_group_count = {features} : i64}} : "
            f"({x.type()}, {w.type()}) -> {expected.type()}")
        p.expect(y, expected)

    rows = "[b, 0, f]x[0, i, o]->[b, 0, f]"
    images = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
    planes = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
    for t in ALL:
        p.section(t.name)
        case(t, (2, 4, 2), (2, 2, 3), rows, [Axis(2, low=1)])
    p.section("a wider result")
    for t, out in ((i8, i32), (bf16, f32), (f32, f64)):
        case(t, (2, 4, 2), (2, 2, 3), rows, [Axis(2)], out=out)
    for t in (f32, f64, i32):
        p.section(f"{t.name}: windows")
        case(t, (2, 5, 4, 2), (3, 2, 2, 3), images, [Axis(3), Axis(2)])
        case(t, (2, 2, 5, 4), (3, 2, 3, 2), planes, [Axis(3), Axis(2)])
        case(t, (2, 5, 5, 1), (3, 3, 1, 2), images,
             [Axis(3, 2, 1, 1), Axis(3, 2, 0, 2)])
        case(t, (1, 5, 5, 2), (2, 2, 2, 1), images,
             [Axis(2, 2, -1, 1, 2), Axis(2, 1, 2, -1, 1, 3)])
        case(t, (1, 4, 3, 2), (3, 2, 2, 2), images,
             [Axis(3, reverse=True), Axis(2, 1, 1, 1, 2, 1, True)])
        case(t, (1, 3, 3, 1), (2, 2, 1, 1), images, [Axis(2), Axis(2, low=3)])
        case(t, (1, 2, 2, 1), (3, 3, 1, 1), images, [Axis(3), Axis(3)])
        case(t, (2, 3), (3, 4), "[b, f]x[i, o]->[b, f]", [])
        case(t, (1, 2, 3, 2, 2), (1, 2, 2, 2, 3),
             "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]",
             [Axis(1), Axis(2), Axis(2, low=1)])
        p.section(f"{t.name}: dimensions")
        case(t, (3, 2, 4, 2), (2, 2, 2, 3), "[f, b, 0, 1]x[1, i, 0, o]->[0, f, 1, b]"
             .replace("i, 0, o", "0, o, i"), [Axis(2), Axis(2)])
        case(t, (4, 2, 3, 4), (2, 3, 3, 4), "[0, f, b, 1]x[i, 0, 1, o]->[1, b, f, 0]",
             [Axis(3), Axis(3, high=1)])
        p.section(f"{t.name}: derivatives of a convolution of step 2")
        case(t, (2, 5, 5, 2), (2, 3, 3, 3), "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
             [Axis(3, 1, 1, 1, 1, 2), Axis(3, 1, 1, 1, 1, 2)])
        case(t, (2, 3, 3, 3), (3, 3, 2, 3), "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]",
             [Axis(3, 1, 1, 1, 2, 1, True), Axis(3, 1, 1, 1, 2, 1, True)])
        p.section(f"{t.name}: groups")
        case(t, (2, 3, 3, 4), (2, 2, 2, 6), images, [Axis(2), Axis(2)], features=2)
        case(t, (2, 4, 3, 3), (8, 1, 2, 2), planes, [Axis(2), Axis(2)], features=4)
        case(t, (4, 3, 3, 2), (2, 2, 2, 4), images, [Axis(2), Axis(2)], batches=2)
        case(t, (4, 2, 4, 4), (4, 2, 2, 2), planes,
             [Axis(2, low=1), Axis(2, 2, reverse=True)], batches=4)
        case(t, (2, 3, 3, 4), (2, 2, 3, 4), "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
             .replace("x[0, 1, i, o]", "x[0, 1, o, i]"),
             [Axis(2, 1, 1, 1, 1, 1, True), Axis(2, 1, 1, 1, 1, 1, True)])
        p.section(f"{t.name}: nothing")
        case(t, (0, 3, 2), (2, 2, 3), rows, [Axis(2)])
        case(t, (2, 3, 0), (2, 0, 3), rows, [Axis(2)])
        case(t, (2, 0, 2), (2, 2, 3), rows, [Axis(2, low=1, high=1)])


def windows(axes, shape):
    """Each place, with the indices of its window: None where it is outside."""
    for place in indices([a.places(n) for a, n in zip(axes, shape)]):
        yield place, [
            None if None in index else tuple(index)
            for index in ([a.at(o, j, n) for a, o, j, n in
                           zip(axes, place, k, shape)]
                          for k in indices([a.size for a in axes]))]


def window_attributes(axes, dilations=True):
    def array(name, values):
        numbers = ": " + ", ".join(map(str, values)) if values else ""
        return f"{name} = array<i64{numbers}>"
    parts = []
    if dilations:
        parts.append(array("base_dilations", [a.base for a in axes]))
    pads = ", ".join(f"[{a.low}, {a.high}]" for a in axes)
    pads = f"[{pads}]" if axes else ""
    parts.append(f"padding = dense<{pads}> : tensor<{len(axes)}x2xi64>")
    if dilations:
        parts.append(array("window_dilations", [a.dilation for a in axes]))
    parts.append(array("window_dimensions", [a.size for a in axes]))
    parts.append(array("window_strides", [a.stride for a in axes]))
    return "<{" + ", ".join(parts) + "}>"


def pair_body(arguments, lines, results):
    head = ", ".join(f"%{name}: {t}" for name, t in arguments)
    values = ", ".join(f"%{name}" for name, _ in results)
    types = ", ".join(t for _, t in results)
    return "\n".join(["({", f"  ^bb0({head}):"] + [f"    {line}" for line in lines]
                     + [f"    stablehlo.return {values} : {types}", "  })"])


def add_small(a, b):
    return a + b


@program
def reduce_window(p):
    def case(t, shape, axes, op, function, init, values=None):
        x = Tensor(t, shape, values or small_numbers(t, size_of(shape), 3))
        places = [a.places(n) for a, n in zip(axes, shape)]

        def fold(window):
            total = init
            for index in window:
                total = t.round(function(
                    total, x.at(index) if index is not None else init))
            return total
        expected = Tensor(t, places, [fold(w) for _, w in windows(axes, shape)])
        scalar_type = f"tensor<{t.name}>"
        body = pair_body([("a", scalar_type), ("b", scalar_type)],
                         [f"%c = stablehlo.{op} %a, %b : {scalar_type}"],
                         [("c", scalar_type)])
        a, start = p.constant(x), p.constant(scalar(t, init))
        y = p.op(f'reduce_window"({a}, {start}) {window_attributes(axes)} {body} '
                 f": ({x.type()}, {scalar_type}) -> {expected.type()}", quote='"')
        p.expect(y, expected)

    def number(t, value):
        return t.round(float(value) if t.kind == "float" else value)

    for t in NUMBERS:
        p.section(t.name)
        lowest = -inf if t.kind == "float" else t.min
        highest = inf if t.kind == "float" else t.max
        plane = (2, 4, 4, 1)
        tile = [Axis(), Axis(2, 2), Axis(2, 2), Axis()]
        case(t, plane, tile, "maximum", max, lowest)
        case(t, plane, tile, "minimum", min, highest)
        case(t, plane, tile, "add", add_small, number(t, 0))
        case(t, (5,), [Axis(5, 1, 4)], "add", add_small, number(t, 0))
    for t in (i1,):
        p.section(t.name)
        case(t, (3, 3), [Axis(2), Axis(2, low=1)], "or", lambda a, b: a | b, 0)
        case(t, (3, 3), [Axis(2), Axis(2)], "and", lambda a, b: a & b, 1)
    for t in (f32, f64, i32):
        p.section(f"{t.name}: windows")
        zero = number(t, 0)
        case(t, (5, 5), [Axis(3, 2, 1, 1), Axis(2)], "maximum", max, number(t, -9))
        case(t, (5, 5), [Axis(3, 2, 1, 1), Axis(2)], "add", add_small, zero)
        case(t, (5, 5), [Axis(3, 2, 1, 1), Axis(2)], "add", add_small, number(t, 1))
        case(t, (4, 3), [Axis(2, 1, 1, 1, 2), Axis(2, 1, 2, 0, 1, 2)], "add",
             add_small, zero)
        case(t, (4, 6), [Axis(2, low=-1), Axis(6)], "add", add_small, zero)
        case(t, (4, 6), [Axis(4), Axis(6)], "maximum", max, number(t, 2))
        case(t, (3, 9), [Axis(), Axis(5, 2, 2, 2, 1, 2)], "minimum", min,
             number(t, 3))
        case(t, (9, 8), [Axis(5, 1, 2, 2), Axis(5, 1, 2, 2)], "add", add_small, zero)
        case(t, (2, 3), [Axis(3), Axis(2)], "add", add_small, zero)
        case(t, (0, 3), [Axis(), Axis(2)], "add", add_small, zero)
        case(t, (0, 3), [Axis(2, low=2, high=1), Axis(2)], "add", add_small,
             number(t, 1))
        case(t, (), [], "add", add_small, zero)
    p.section("not a number")
    case(f32, (4,), [Axis(2)], "maximum",
         lambda a, b: nan if a != a or b != b else max(a, b), -inf,
         [1.0, nan, 0.0, 2.0])
    p.section("several operands: the largest element and its index")
    x = Tensor(f32, (6,), [1.0, 5.0, 4.0, 2.0, 0.0, 7.0])
    n = vector(i32, range(6))
    a, b = p.constant(x), p.constant(n)
    low, none = p.constant(scalar(f32, -inf)), p.constant(scalar(i32, -1))
    number_type, index_type = "tensor<f32>", "tensor<i32>"
    body = pair_body(
        [("a", number_type), ("i", index_type), ("b", number_type),
         ("j", index_type)],
        ["%keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> "
         "tensor<i1>",
         "%c = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>",
         "%k = stablehlo.select %keep, %i, %j : tensor<i1>, tensor<i32>"],
        [("c", number_type), ("k", index_type)])
    y = p.op(f'reduce_window"({a}, {b}, {low}, {none}) '
             f"{window_attributes([Axis(3, 1, 1)])} {body} : ({x.type()}, "
             f"{n.type()}, {number_type}, {index_type}) -> (tensor<5xf32>, "
             "tensor<5xi32>)", 2, quote='"')
    p.expect(f"{y}#0", vector(f32, [5.0, 5.0, 5.0, 4.0, 7.0]))
    p.expect(f"{y}#1", vector(i32, [1, 1, 1, 2, 5]))


@program
def select_and_scatter(p):
    def case(t, shape, axes, direction="GE", keeps=lambda a, b: a >= b,
             init=0, values=None):
        x = Tensor(t, shape, values or small_numbers(t, size_of(shape), 3))
        places = [a.places(n) for a, n in zip(axes, shape)]
        g = Tensor(t, places, plain(t, size_of(places)))
        init = t.round(float(init) if t.kind == "float" else init)
        sums = [init] * size_of(shape)
        for place, window in windows(axes, shape):
            best = None
            for index in window:
                if index is None:
                    continue
                if best is None or not keeps(x.at(best), x.at(index)):
                    best = index
            if best is not None:
                i = offset(shape, best)
                sums[i] = t.round(sums[i] + g.at(place))
        expected = Tensor(t, shape, sums)
        scalar_type = f"tensor<{t.name}>"
        arguments = [("a", scalar_type), ("b", scalar_type)]
        select = pair_body(arguments, [
            f"%c = stablehlo.compare {direction}, %a, %b : ({scalar_type}, "
            f"{scalar_type}) -> tensor<i1>"], [("c", "tensor<i1>")])
        scatter = pair_body(arguments,
                            [f"%c = stablehlo.add %a, %b : {scalar_type}"],
                            [("c", scalar_type)])
        a, b = p.constant(x), p.constant(g)
        start = p.constant(scalar(t, init))
        y = p.op(f'select_and_scatter"({a}, {b}, {start}) '
                 f"{window_attributes(axes, False)} ({select[1:-1]}, {scatter[1:-1]})"
                 f" : ({x.type()}, {g.type()}, {scalar_type}) -> {expected.type()}",
                 quote='"')
        p.expect(y, expected)

    for t in NUMBERS:
        p.section(t.name)
        case(t, (2, 4, 4, 1), [Axis(), Axis(2, 2), Axis(2, 2), Axis()])
    for t in (f32, f64, i32):
        p.section(f"{t.name}: windows")
        case(t, (5, 4), [Axis(3, 2, 1, 1), Axis(2)])
        case(t, (5, 4), [Axis(3, 2, 1, 1), Axis(2)], "GT", lambda a, b: a > b)
        case(t, (5, 4), [Axis(3, 1, 2, 2), Axis(2, 3)], "LE", lambda a, b: a <= b)
        case(t, (7, 3), [Axis(2, 2), Axis()], init=3)
        case(t, (4, 4), [Axis(2, 2, -1), Axis(4)])
        case(t, (2, 2), [Axis(1, 1, 1, 1), Axis(2)])
        case(t, (2, 3), [Axis(3), Axis(2)])
        case(t, (0, 2), [Axis(), Axis(2)])
        case(t, (0, 2), [Axis(2, low=1, high=1), Axis(2)])
        case(t, (), [])
    p.section("equal elements, and what is no number")
    case(f32, (6,), [Axis(3, 3)], values=[2.0, 2.0, 2.0, 1.0, nan, 0.0])


# Triangular matrices ---------------------------------------------------------

def triangle(shape, lower, diagonal):
    """Small integers by index: `diagonal(i)` there, 0 beyond the triangle."""
    def element(index):
        *batch, i, j = index
        if i == j:
            return diagonal(i)
        return (3 * i + 5 * j + sum(batch)) % 4 - 2 if (i > j) == lower else 0
    return {index: element(index) for index in indices(shape)}


def unread(t, shape, values, lower, diagonal=False):
    """The tensor with NaN in place of what is not to be read."""
    def element(index):
        i, j = index[-2:]
        is_read = not diagonal if i == j else (i > j) == lower
        return float(values[index]) if is_read else nan
    return Tensor.make(t, shape, element)


@program
def triangular_solve(p):
    def case(t, batch, n, columns, left, lower, unit, transpose):
        shape = (*batch, n, n)
        size = (*batch, n, columns) if left else (*batch, columns, n)
        a = triangle(shape, lower, lambda i: 1 if unit else (2, -1, 4)[i % 3])
        x = Tensor.make(t, size, lambda i: float(
            (-2, -1, 1, 2, 3)[7 * offset(size, i) % 5]))

        def product(index):
            *at, i, j = index
            def factor(row, column):
                return a[(*at, column, row) if transpose != "NO_TRANSPOSE"
                         else (*at, row, column)]
            return float(sum(factor(i, k) * x.at((*at, k, j)) if left
                             else x.at((*at, i, k)) * factor(k, j)
                             for k in range(n)))
        b = Tensor.make(t, size, product)
        operand = unread(t, shape, a, lower, unit)
        flags = ", ".join(f"{name} = {str(flag).lower()}" for name, flag in
                          [("left_side", left), ("lower", lower)])
        y = p.op(f'triangular_solve"({p.constant(operand)}, {p.constant(b)}) '
                 f"<{{{flags}, transpose_a = #stablehlo<transpose {transpose}>, "
                 f"unit_diagonal = {str(unit).lower()}}}> : ({operand.type()}, "
                 f"{b.type()}) -> {b.type()}", quote='"')
        p.expect(y, x)

    flags = [True, False]
    for t in FLOATS:
        p.section(f"{t.name}: all forms")
        for form in itertools.product(flags, flags, flags, [
                "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]):
            case(t, (), 3, 2, *form)
    p.section("several matrices, other sizes")
    for left, lower in itertools.product(flags, flags):
        case(f32, (2,), 4, 3, left, lower, False, "NO_TRANSPOSE")
        case(f64, (3, 2), 2, 5, left, lower, True, "TRANSPOSE")
    case(f32, (), 1, 1, True, True, False, "NO_TRANSPOSE")
    case(f32, (), 0, 2, True, True, False, "NO_TRANSPOSE")
    case(f32, (0,), 2, 2, True, True, False, "NO_TRANSPOSE")
    case(f32, (), 3, 0, True, True, False, "NO_TRANSPOSE")
    p.section("a diagonal of 0")
    a = Tensor(f32, (2, 2), [0.0, 0.0, 1.0, 1.0])
    b = Tensor(f32, (2, 2), [1.0, 0.0, 1.0, 1.0])
    y = p.op(f'triangular_solve"({p.constant(a)}, {p.constant(b)}) <{{left_side '
             "= true, lower = true, transpose_a = #stablehlo<transpose "
             "NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, "
             "tensor<2x2xf32>) -> tensor<2x2xf32>", quote='"')
    p.expect(y, Tensor(f32, (2, 2), [inf, nan, -inf, nan]))


@program
def cholesky(p):
    def case(t, shape, lower):
        root = triangle(shape, True, lambda i: (1, 2, 4)[i % 3])

        def product(index):
            *at, i, j = index
            return sum(root[(*at, i, k)] * root[(*at, j, k)]
                       for k in range(shape[-1]))
        a = unread(t, shape, {i: product(i) for i in indices(shape)}, lower)
        y = p.op(f"cholesky {p.constant(a)}, lower = {str(lower).lower()} : "
                 f"{a.type()}")
        p.expect(y, Tensor.make(t, shape, lambda at: float(
            root[at if lower else (*at[:-2], at[-1], at[-2])])))

    for t in FLOATS:
        p.section(t.name)
        for lower in True, False:
            case(t, (4, 4), lower)
    p.section("several matrices, other sizes")
    for shape in (2, 3, 3), (2, 2, 2, 2), (1, 1), (0, 0), (0, 2, 2):
        case(f32, shape, True)
        case(f64, shape, False)
    p.section("not positive definite from the second row on")
    a = Tensor(f32, (3, 3), [4.0, nan, nan, 2.0, 0.5, nan, 6.0, 7.0, 8.0])
    y = p.op(f"cholesky {p.constant(a)}, lower = true : tensor<3x3xf32>")
    p.expect(y, Tensor(f32, (3, 3), [2.0, 0.0, 0.0, 1.0, nan, 0.0, 3.0, nan,
                                     nan]))


# Ops that others express -----------------------------------------------------

class BatchNorm:
    """Exact statistics of one operand: the features are along one dimension."""

    def __init__(self, t, shape, feature, epsilon, seed=1):
        self.t, self.shape, self.feature = t, shape, feature
        self.features = shape[feature]
        self.epsilon = Fraction(f32.round(epsilon))
        self.x = Tensor(t, shape, small_numbers(t, size_of(shape), 5 + seed))
        self.n = size_of(shape) // self.features if self.features else 0

    def vector(self, values):
        return vector(self.t, [self.t.round(v) for v in values])

    def over(self, values):
        """The sum over each feature of `values(index)`."""
        sums = [Fraction(0)] * self.features
        for i in indices(self.shape):
            sums[i[self.feature]] += Fraction(values(i))
        return sums

    def statistics(self):
        mean = [s / self.n for s in self.over(self.x.at)]
        return mean, [s / self.n for s in self.over(
            lambda i: (Fraction(self.x.at(i)) - mean[i[self.feature]])**2)]

    def root(self, variance):
        return Fraction(root_of(variance + self.epsilon))

    def normalized(self, mean, variance):
        roots = [self.root(v) for v in variance]
        return lambda i: (Fraction(self.x.at(i)) - mean[i[self.feature]]
                          ) / roots[i[self.feature]]

    def tensor(self, values):
        return Tensor.make(self.t, self.shape,
                           lambda i: self.t.round(values(i)))

    def attributes(self):
        return (f"<{{epsilon = {f32.literal(float(self.epsilon))} : f32, "
                f"feature_index = {self.feature} : i64}}>")


@with_digits(60)
def root_of(x):
    return (Decimal(x.numerator) / x.denominator).sqrt()


def batch_norms():
    yield BatchNorm(f32, (6, 3), 1, 0.001)
    yield BatchNorm(f64, (3, 2, 4), 1, 0.001)
    yield BatchNorm(f64, (2, 5), 0, 0.5)
    yield BatchNorm(f32, (4,), 0, 1.0)
    yield BatchNorm(f32, (2, 3, 3, 2), 3, 1e-5)


def per_feature(case, first, step):
    return case.vector([first + step * i for i in range(case.features)])


def expect_all(p, results, expected, ulps):
    for i, tensor in enumerate(expected):
        p.expect(f"{results}#{i}" if len(expected) > 1 else results, tensor,
                 ulps)


@program
def batch_norm_training(p):
    for case in batch_norms():
        p.section(f"{case.t.name}: {case.shape}")
        scale, shift = per_feature(case, 2, -0.5), per_feature(case, 7, 0.75)
        mean, variance = case.statistics()
        y = case.normalized(mean, variance)
        of = case.feature
        features = scale.type()
        result = p.op(
            f'batch_norm_training"({p.constant(case.x)}, {p.constant(scale)}, '
            f"{p.constant(shift)}) {case.attributes()} : ({case.x.type()}, "
            f"{features}, {features}) -> ({case.x.type()}, {features}, "
            f"{features})", 3, quote='"')
        expect_all(p, result, [
            case.tensor(lambda i: Fraction(scale.values[i[of]]) * y(i)
                        + Fraction(shift.values[i[of]])),
            case.vector(mean), case.vector(variance)], 64)


@program
def batch_norm_inference(p):
    for case in batch_norms():
        p.section(f"{case.t.name}: {case.shape}")
        scale, shift = per_feature(case, 2, -0.5), per_feature(case, 7, 0.75)
        mean, variance = per_feature(case, 0.5, 0.25), per_feature(case, 2, 1)
        y = case.normalized(*[[Fraction(v) for v in s.values]
                              for s in (mean, variance)])
        of = case.feature
        operands = ", ".join(p.constant(v) for v in
                             (case.x, scale, shift, mean, variance))
        features = scale.type()
        result = p.op(
            f'batch_norm_inference"({operands}) {case.attributes()} : '
            f"({case.x.type()}, {features}, {features}, {features}, {features})"
            f" -> {case.x.type()}", quote='"')
        p.expect(result, case.tensor(
            lambda i: Fraction(scale.values[i[of]]) * y(i)
            + Fraction(shift.values[i[of]])), 64)


@program
def batch_norm_grad(p):
    for case in batch_norms():
        p.section(f"{case.t.name}: {case.shape}")
        g = BatchNorm(case.t, case.shape, case.feature, 0.0, seed=3).x
        scale = per_feature(case, 2, -0.5)
        mean, variance = per_feature(case, 0.5, 0.25), per_feature(case, 2, 1)
        means, variances = ([Fraction(v) for v in s.values]
                            for s in (mean, variance))
        y = case.normalized(means, variances)
        of, n = case.feature, case.n
        roots = [case.root(v) for v in variances]
        sums = case.over(g.at)
        products = case.over(lambda i: Fraction(g.at(i)) * y(i))
        operands = ", ".join(p.constant(v) for v in
                             (case.x, scale, mean, variance, g))
        features = scale.type()
        result = p.op(
            f'batch_norm_grad"({operands}) {case.attributes()} : '
            f"({case.x.type()}, {features}, {features}, {features}, "
            f"{case.x.type()}) -> ({case.x.type()}, {features}, {features})", 3,
            quote='"')
        expect_all(p, result, [
            case.tensor(lambda i: Fraction(scale.values[i[of]]) / roots[i[of]]
                        * (Fraction(g.at(i)) - sums[i[of]] / n
                           - y(i) * products[i[of]] / n)),
            case.vector(products), case.vector(sums)], 256)


@program
def map_(p):
    def case(t, shape, lines, function):
        a, b = (Tensor(t, shape, small_numbers(t, size_of(shape), seed))
                for seed in (3, 2))
        scalar_type = f"tensor<{t.name}>"
        body = pair_body([("a", scalar_type), ("b", scalar_type)], lines,
                         [("c", scalar_type)])
        y = p.op(f'map"({p.constant(a)}, {p.constant(b)}) <{{dimensions = '
                 f"array<i64{': ' if shape else ''}"
                 f"{', '.join(str(i) for i in range(len(shape)))}>}}> {body} : "
                 f"({a.type()}, {a.type()}) -> {a.type()}", quote='"')
        p.expect(y, Tensor(t, shape, [t.round(function(v, w)) for v, w in
                                      zip(a.values, b.values)]))

    for t in NUMBERS:
        p.section(t.name)
        case(t, (2, 3), [
            f"%d = stablehlo.constant dense<{t.literal(t.round(2))}> : tensor<{t.name}>",
            f"%e = stablehlo.multiply %b, %d : tensor<{t.name}>",
            f"%c = stablehlo.add %a, %e : tensor<{t.name}>"],
             lambda v, w: v + t.round(w * 2))
    p.section("one argument as it is, rank 0, no elements")
    case(f32, (3,), ["%d = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>",
                     "%c = stablehlo.negate %d : tensor<f32>"],
         lambda v, w: -v)
    case(f32, (), ["%c = stablehlo.maximum %a, %b : tensor<f32>"], max)
    case(f32, (2, 0), ["%c = stablehlo.maximum %a, %b : tensor<f32>"], max)


def main():
    folder = pathlib.Path(__file__).resolve().parent
    outdated = []
    for name, fill in PROGRAMS:
        p = Program(name)
        fill(p)
        path = folder / f"{name}.mlir"
        if sys.argv[1:] != ["--check"]:
            path.write_text(p.text())
        elif not path.exists() or path.read_text() != p.text():
            outdated.append(path.name)
    if outdated:
        sys.exit(f"run generate.py: {', '.join(outdated)} would change")


if __name__ == "__main__":
    main()
