"""Gradients where a function has a kink or an index lies outside, of random
cases in the forms that JAX 0.10 prints, against the conventions written out in
Python: each graph is trained for one step at rate 1, so that each variable
loses its gradient.

    gradient-conventions.py FOLDER [SEED]
"""
# RUN: %python %s %t

import itertools
import math
import pathlib
import random
import sys

from job import run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**31)
print(f"seed {SEED}")
draw = random.Random(SEED)
CASES = 15  # of each form


def tensor(shape, element="f32"):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def spell(value):
    return f"{value:e}" if isinstance(value, float) else str(value)


def nested(shape, values):
    if not shape:
        return spell(values[0])
    part = len(values) // shape[0]
    return "[" + ", ".join(nested(shape[1:], values[i * part:(i + 1) * part])
                           for i in range(shape[0])) + "]"


def places(shape):
    return list(itertools.product(*map(range, shape)))


def number():
    """Exact in f32, as are a few sums and products of such numbers."""
    return draw.randrange(-32, 33) / 4


class Graph:
    """A module of @main and functions that it calls, line by line."""

    def __init__(self):
        self.variables, self.body, self.functions = [], [], {}
        self.count = 0
        self.losses, self.expected = [], []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        name = self.name()
        self.body.append(f"{name} = {text}")
        return name

    def constant(self, shape, values, element="f32"):
        if values and not isinstance(values, list):
            values = [values] * math.prod(shape)
        return self.line(f"stablehlo.constant dense<{nested(shape, values)}> : "
                         f"{tensor(shape, element)}")

    def splat(self, shape, value, element="f32"):
        scalar = self.line("stablehlo.constant dense<"
                           f"{spell(value)}> : tensor<{element}>")
        return self.line(f"stablehlo.broadcast_in_dim {scalar}, dims = [] : "
                         f"(tensor<{element}>) -> {tensor(shape, element)}")

    def variable(self, shape, values):
        index = len(self.variables)
        kind = tensor(shape)
        self.variables.append(
            f"ps.variable @w{index} : {kind} init(#ps.constant<0.0>)")
        self.body.append(f"ps.assign @w{index}, {self.constant(shape, values)}"
                         f" : {kind}")
        return index, self.line(f"ps.read @w{index} : {kind}")

    def function(self, name, text):
        """A private function, which has this text wherever it is called."""
        self.functions[name] = text

    def weigh(self, value, shape):
        """Adds the sum of `value` times random weights to the loss, and
        returns the weights: the gradient of `value`."""
        weights = [number() for _ in places(shape)]
        kind = tensor(shape)
        weighted = self.line(f"stablehlo.multiply {value}, "
                             f"{self.constant(shape, weights)} : {kind}")
        zero = self.line("stablehlo.constant dense<0.0> : tensor<f32>")
        self.losses.append(self.line(
            f"stablehlo.reduce({weighted} init: {zero}) applies stablehlo.add "
            f"across dimensions = {list(range(len(shape)))} : "
            f"({kind}, tensor<f32>) -> tensor<f32>"))
        return weights

    def expect(self, index, shape, values, gradient, tolerance=0.0):
        self.expected.append((index, shape,
                              [v - g for v, g in zip(values, gradient)],
                              tolerance))

    def write(self, path):
        loss = self.losses[0]
        for other in self.losses[1:]:
            loss = self.line(f"stablehlo.add {loss}, {other} : tensor<f32>")
        self.body.append(
            f"ps.minimize {loss} using(#ps.sgd<learning_rate = 1.0>) : "
            "tensor<f32>")
        for index, shape, values, tolerance in self.expected:
            kind = tensor(shape)
            new = self.line(f"ps.read @w{index} : {kind}")
            what = f"dense<{nested(shape, values)}>"
            self.body.append(
                f"check.expect_almost_eq_const {new}, {what} : {kind}, "
                f"tolerance = {spell(tolerance)}" if tolerance else
                f"check.expect_eq_const {new}, {what} : {kind}")
        path.write_text("\n".join(
            self.variables + ["func.func @main() {"] + self.body +
            ["return", "}"] + list(self.functions.values())) + "\n")


#===-----------------------------------------------------------------------===#
# Functions of elements
#===-----------------------------------------------------------------------===#


def emit_relu(g, x, kind, size):
    g.function(f"relu{size}", f"""
func.func private @relu{size}(%x: {kind}) -> {kind} {{
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> {kind}
  %1 = stablehlo.maximum %x, %0 : {kind}
  return %1 : {kind}
}}""")
    return g.line(f"call @relu{size}({x}) : ({kind}) -> {kind}")


def emit_relu6(g, x, kind, size):
    relu = g.line(f"stablehlo.maximum {x}, {g.splat([size], 0.0)} : {kind}")
    return g.line(f"stablehlo.minimum {relu}, {g.splat([size], 6.0)} : {kind}")


def emit_clip(low, high):
    """jnp.clip: the bounds are the first operands."""
    def emit(g, x, kind, size):
        g.function(f"clip{size}", f"""
func.func private @clip{size}(%x: {kind}, %a: tensor<f32>, %b: tensor<f32>) -> {kind} {{
  %0 = stablehlo.convert %a : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> {kind}
  %2 = stablehlo.maximum %1, %x : {kind}
  %3 = stablehlo.convert %b : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> {kind}
  %5 = stablehlo.minimum %4, %2 : {kind}
  return %5 : {kind}
}}""")
        return g.line(f"call @clip{size}({x}, {g.constant([], [low])}, "
                      f"{g.constant([], [high])}) : "
                      f"({kind}, tensor<f32>, tensor<f32>) -> {kind}")
    return emit


def emit_clamp(g, x, kind, size):
    return g.line(f"stablehlo.clamp {g.splat([size], -1.0)}, {x}, "
                  f"{g.splat([size], 1.0)} : {kind}")


def emit_abs(g, x, kind, size):
    return g.line(f"stablehlo.abs {x} : {kind}")


def emit_leaky(g, x, kind, size):
    flags = tensor([size], "i1")
    at_least = g.line(f"stablehlo.compare GE, {x}, {g.splat([size], 0.0)}, "
                      f"FLOAT : ({kind}, {kind}) -> {flags}")
    scaled = g.line(f"stablehlo.multiply {g.splat([size], 0.25)}, {x} : {kind}")
    return g.line(f"stablehlo.select {at_least}, {x}, {scaled} : "
                  f"{flags}, {kind}")


def emit_softplus(g, x, kind, size):
    """jnp.logaddexp(x, 0)."""
    zero = g.splat([size], 0.0)
    larger = g.line(f"stablehlo.maximum {x}, {zero} : {kind}")
    apart = g.line(f"stablehlo.subtract {x}, {g.splat([size], 0.0)} : {kind}")
    flags = tensor([size], "i1")
    is_nan = g.line(f"stablehlo.compare NE, {apart}, {apart}, FLOAT : "
                    f"({kind}, {kind}) -> {flags}")
    both = g.line(f"stablehlo.add {x}, {zero} : {kind}")
    distance = g.line(f"stablehlo.abs {apart} : {kind}")
    negated = g.line(f"stablehlo.negate {distance} : {kind}")
    tail = g.line(f"stablehlo.exponential {negated} : {kind}")
    log = g.line(f"stablehlo.log_plus_one {tail} : {kind}")
    result = g.line(f"stablehlo.add {larger}, {log} : {kind}")
    return g.line(f"stablehlo.select {is_nan}, {both}, {result} : "
                  f"{flags}, {kind}")


def emit_cross_entropy(g, x, kind, size):
    """max(x, 0) - x z + log(1 + exp(-|x|)) with z = 1, as users write it."""
    larger = g.line(f"stablehlo.maximum {x}, {g.splat([size], 0.0)} : {kind}")
    rest = g.line(f"stablehlo.subtract {larger}, {x} : {kind}")
    distance = g.line(f"stablehlo.abs {x} : {kind}")
    negated = g.line(f"stablehlo.negate {distance} : {kind}")
    tail = g.line(f"stablehlo.exponential {negated} : {kind}")
    log = g.line(f"stablehlo.log_plus_one {tail} : {kind}")
    return g.line(f"stablehlo.add {rest}, {log} : {kind}")


def emit_celu(g, x, kind, size):
    above = g.line(f"stablehlo.maximum {x}, {g.splat([size], 0.0)} : {kind}")
    below = g.line(f"stablehlo.minimum {x}, {g.splat([size], 0.0)} : {kind}")
    curve = g.line(f"stablehlo.exponential_minus_one {below} : {kind}")
    return g.line(f"stablehlo.add {above}, {curve} : {kind}")


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def bounded(low, high):
    """The slope of jnp.clip: 1/2 on a bound."""
    return lambda x: (0.5 if x in (low, high) else float(low < x < high))


# The form, its slope, and where it has kinks.
ELEMENTWISE = [
    (emit_relu, lambda x: float(x > 0), [0.0, -0.0], 0.0),
    (emit_relu6, lambda x: float(0 < x < 6), [0.0, -0.0, 6.0], 0.0),
    (emit_clip(-1.0, 2.0), bounded(-1, 2), [-1.0, 2.0], 0.0),
    (emit_clip(0.0, 6.0), bounded(0, 6), [0.0, -0.0, 6.0], 0.0),
    (emit_clamp, lambda x: float(-1 < x < 1), [-1.0, 1.0], 0.0),
    (emit_abs, lambda x: 1.0 if x >= 0 else -1.0, [0.0, -0.0], 0.0),
    (emit_leaky, lambda x: 1.0 if x >= 0 else 0.25, [0.0, -0.0], 0.0),
    (emit_softplus, sigmoid, [0.0, -0.0], 1e-6),
    (emit_cross_entropy, lambda x: sigmoid(x) - 1, [0.0, -0.0], 1e-6),
    (emit_celu, lambda x: 1.0 if x >= 0 else math.exp(x), [0.0, -0.0], 1e-6),
]


def add_elementwise(g, case):
    emit, slope, kinks, tolerance = case
    size = draw.randrange(1, 9)
    shape = [size]
    values = [draw.choice(kinks) if draw.random() < 0.5 else number()
              for _ in range(size)]
    index, x = g.variable(shape, values)
    weights = g.weigh(emit(g, x, tensor(shape), size), shape)
    g.expect(index, shape, values,
             [w * slope(x) if slope(x) else 0.0  # and not -0
              for w, x in zip(weights, values)], tolerance)


def add_ties(g, op):
    """maximum or minimum of two variables, half of their elements equal."""
    shape = [draw.randrange(1, 9)]
    a = [number() for _ in range(*shape)]
    b = [v if draw.random() < 0.5 else number() for v in a]
    (i, x), (j, y) = g.variable(shape, a), g.variable(shape, b)
    sign = 1 if op == "maximum" else -1
    weights = g.weigh(g.line(f"stablehlo.{op} {x}, {y} : {tensor(shape)}"),
                      shape)
    wins = [0.5 if p == q else float(sign * p > sign * q)
            for p, q in zip(a, b)]
    g.expect(i, shape, a, [w * t for w, t in zip(weights, wins)])
    g.expect(j, shape, b, [w * (1 - t) for w, t in zip(weights, wins)])


def add_reduction(g, op):
    """The largest or smallest of each row, of which there are often several."""
    rows, width = draw.randrange(1, 5), draw.choice((1, 2, 4))
    values = [float(draw.randrange(-2, 3)) for _ in range(rows * width)]
    index, x = g.variable([rows, width], values)
    start = "0xFF800000" if op == "maximum" else "0x7F800000"
    init = g.line(f"stablehlo.constant dense<{start}> : tensor<f32>")
    result = g.line(f"stablehlo.reduce({x} init: {init}) applies stablehlo.{op}"
                    f" across dimensions = [1] : ({tensor([rows, width])}, "
                    f"tensor<f32>) -> {tensor([rows])}")
    weights = g.weigh(result, [rows])
    choose = max if op == "maximum" else min
    gradient = []
    for row in range(rows):
        part = values[row * width:(row + 1) * width]
        best = choose(part)
        gradient += [weights[row] / part.count(best) if v == best else 0.0
                     for v in part]
    g.expect(index, [rows, width], values, gradient, 1e-6)


#===-----------------------------------------------------------------------===#
# Gathers
#===-----------------------------------------------------------------------===#


def draw_ids(count, rows, element):
    low = 0 if element.startswith("u") else -2 * rows - 1
    return [draw.randrange(low, 2 * rows + 1) if draw.random() < 0.5
            else draw.randrange(rows) for _ in range(count)]


def emit_wrapped(g, ids, shape, rows, element):
    """Negative ids count from the end: the default of table[ids]."""
    kind, flags = tensor(shape, element), tensor(shape, "i1")
    zero = g.splat(shape, 0, element)
    sign = "UNSIGNED" if element.startswith("u") else "SIGNED"
    negative = g.line(f"stablehlo.compare LT, {ids}, {zero}, {sign} : "
                      f"({kind}, {kind}) -> {flags}")
    moved = g.line(f"stablehlo.add {ids}, {g.splat(shape, rows, element)} : "
                   f"{kind}")
    return g.line(f"stablehlo.select {negative}, {moved}, {ids} : "
                  f"{flags}, {kind}")


def emit_modulo(g, ids, shape, rows, element):
    """jnp.take(mode="wrap"), of ids that are not negative."""
    sizes = g.splat(shape, rows, element)
    return g.line(f"stablehlo.remainder {ids}, {sizes} : "
                  f"{tensor(shape, element)}")


def emit_clamped(g, ids, shape, rows, element):
    """jnp.clip of the ids, before the gather."""
    return g.line(f"stablehlo.clamp {g.splat(shape, 0, element)}, {ids}, "
                  f"{g.splat(shape, rows - 1, element)} : "
                  f"{tensor(shape, element)}")


def emit_fill(g, rows_read, vectors, shape, rows, width, element):
    """jnp.take: NaN where the id is outside."""
    vector_shape = shape + [1]
    kind, flags = tensor(vector_shape, element), tensor(vector_shape, "i1")
    sign = "UNSIGNED" if element.startswith("u") else "SIGNED"
    first = g.splat(vector_shape, 0, element)
    last = g.splat(vector_shape, rows - 1, element)
    above = g.line(f"stablehlo.compare GE, {vectors}, {first}, {sign} : "
                   f"({kind}, {kind}) -> {flags}")
    below = g.line(f"stablehlo.compare LE, {vectors}, {last}, {sign} : "
                   f"({kind}, {kind}) -> {flags}")
    both = g.line(f"stablehlo.and {above}, {below} : {flags}")
    true = g.line("stablehlo.constant dense<true> : tensor<i1>")
    inside = g.line(f"stablehlo.reduce({both} init: {true}) applies "
                    f"stablehlo.and across dimensions = [{len(shape)}] : "
                    f"({flags}, tensor<i1>) -> {tensor(shape, 'i1')}")
    result = shape + [width]
    chosen = g.line(f"stablehlo.broadcast_in_dim {inside}, dims = "
                    f"{list(range(len(shape)))} : ({tensor(shape, 'i1')}) -> "
                    f"{tensor(result, 'i1')}")
    nan = g.line("stablehlo.constant dense<0x7FC00000> : tensor<f32>")
    nans = g.line(f"stablehlo.broadcast_in_dim {nan}, dims = [] : "
                  f"(tensor<f32>) -> {tensor(result)}")
    return g.line(f"stablehlo.select {chosen}, {rows_read}, {nans} : "
                  f"{tensor(result, 'i1')}, {tensor(result)}")


# The form, and the row that an id trains, or None.
def inside(i, rows):
    return i if 0 <= i < rows else None


GATHERS = {
    "default": (emit_wrapped,
                lambda i, n: inside(i + n if i < 0 else i, n)),
    "fill": (emit_wrapped, lambda i, n: inside(i + n if i < 0 else i, n)),
    "raw": (lambda g, ids, *_: ids, inside),
    "modulo": (emit_modulo, lambda i, n: i % n),
    "clamped": (emit_clamped, lambda i, n: min(max(i, 0), n - 1)),
}


def add_gather(g, form):
    rows, width = draw.randrange(1, 7), draw.randrange(1, 4)
    shape = [draw.randrange(1, 6) for _ in range(draw.randrange(1, 3))]
    element = draw.choice(("i32", "i64", "i8", "ui32"))
    if form == "modulo":
        element = "ui32"
    ids = draw_ids(math.prod(shape), rows, element)
    table = [number() for _ in range(rows * width)]
    index, read = g.variable([rows, width], table)
    emit, find_row = GATHERS[form]
    given = emit(g, g.constant(shape, list(ids), element), shape, rows, element)
    vectors = g.line(
        f"stablehlo.broadcast_in_dim {given}, dims = {list(range(len(shape)))}"
        f" : ({tensor(shape, element)}) -> {tensor(shape + [1], element)}")
    result = shape + [width]
    found = g.line(
        f'"stablehlo.gather"({read}, {vectors}) <{{dimension_numbers = '
        f"#stablehlo.gather<offset_dims = [{len(shape)}], collapsed_slice_dims "
        f"= [0], start_index_map = [0], index_vector_dim = {len(shape)}>, "
        f"indices_are_sorted = false, slice_sizes = array<i64: 1, {width}>}}> "
        f": ({tensor([rows, width])}, {tensor(shape + [1], element)}) -> "
        f"{tensor(result)}")
    if form == "fill":
        found = emit_fill(g, found, vectors, shape, rows, width, element)
    weights = g.weigh(found, result)
    gradient = [0.0] * len(table)
    for position, i in enumerate(ids):
        row = find_row(i, rows)
        for column in range(width if row is not None else 0):
            gradient[row * width + column] += weights[position * width + column]
    g.expect(index, [rows, width], table, gradient)


def add_window_gather(g, _):
    """lax.gather of boxes; one that is not inside as a whole is dropped."""
    shape = [draw.randrange(2, 6), draw.randrange(2, 6)]
    box = [draw.randrange(1, size + 1) for size in shape]
    starts = [[draw.randrange(-2, size + 2) if draw.random() < 0.4
               else draw.randrange(size - part + 1)
               for size, part in zip(shape, box)]
              for _ in range(draw.randrange(1, 6))]
    values = [number() for _ in places(shape)]
    index, read = g.variable(shape, values)
    vectors = g.constant([len(starts), 2], sum(starts, []), "i32")
    result = [len(starts)] + box
    found = g.line(
        f'"stablehlo.gather"({read}, {vectors}) <{{dimension_numbers = '
        "#stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], "
        "index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = "
        f"array<i64: {box[0]}, {box[1]}>}}> : ({tensor(shape)}, "
        f"{tensor([len(starts), 2], 'i32')}) -> {tensor(result)}")
    weights = g.weigh(found, result)
    gradient = dict.fromkeys(places(shape), 0.0)
    for place, weight in zip(places(result), weights):
        start = starts[place[0]]
        if all(0 <= s <= size - part
               for s, size, part in zip(start, shape, box)):
            gradient[start[0] + place[1], start[1] + place[2]] += weight
    g.expect(index, shape, values, list(gradient.values()))


#===-----------------------------------------------------------------------===#
# Scatters
#===-----------------------------------------------------------------------===#

BODIES = {"add": "%r = stablehlo.add %a, %b : tensor<f32>\n"
                 "stablehlo.return %r : tensor<f32>",
          "set": "stablehlo.return %b : tensor<f32>"}


def emit_scatter(g, x, vectors, u, numbers, body, types):
    return g.line(
        f'"stablehlo.scatter"({x}, {vectors}, {u}) <{{indices_are_sorted = '
        f"false, scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, "
        "unique_indices = false}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        f"{BODIES[body]}\n}}) : ({', '.join(types)}) -> {types[0]}")


def expect_scatter(g, body, x, u, weights, targets):
    """`targets` has the place in x of each element of u, in their order."""
    (i, shape, values), (j, u_shape, updates) = x, u
    gradient = dict(zip(places(shape), weights))
    winners = {}
    for position, place in enumerate(targets):
        winners[place] = position
    if body == "set":
        owners = [p in gradient and winners[p] == position
                  for position, p in enumerate(targets)]
    else:
        owners = [p in gradient for p in targets]
    g.expect(j, u_shape, updates, [gradient[p] if own else 0.0
                                   for p, own in zip(targets, owners)])
    if body == "set":
        for place in winners:
            if place in gradient:
                gradient[place] = 0.0
    g.expect(i, shape, values, list(gradient.values()))


def add_row_scatter(g, body):
    """x.at[ids].add or set, of rows."""
    rows, width, count = (draw.randrange(1, n) for n in (7, 4, 8))
    values = [number() for _ in range(rows * width)]
    updates = [number() for _ in range(count * width)]
    ids = draw_ids(count, rows, "i32")
    (i, x), (j, u) = (g.variable([rows, width], values),
                      g.variable([count, width], updates))
    wrapped = emit_wrapped(g, g.constant([count], list(ids), "i32"), [count],
                           rows, "i32")
    vectors = g.line(f"stablehlo.broadcast_in_dim {wrapped}, dims = [0] : "
                     f"({tensor([count], 'i32')}) -> "
                     f"{tensor([count, 1], 'i32')}")
    result = emit_scatter(
        g, x, vectors, u, "update_window_dims = [1], inserted_window_dims = "
        "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", body,
        [tensor([rows, width]), tensor([count, 1], "i32"),
         tensor([count, width])])
    weights = g.weigh(result, [rows, width])
    targets = [((k + rows if k < 0 else k), column)
               for k in ids for column in range(width)]
    expect_scatter(g, body, (i, [rows, width], values),
                   (j, [count, width], updates), weights, targets)


def add_box_scatter(g, body):
    """Boxes that overlap, and lie outside partly or as a whole."""
    shape = [draw.randrange(2, 6), draw.randrange(2, 6)]
    box = [draw.randrange(1, size + 1) for size in shape]
    starts = [[draw.randrange(-2, size + 2) for size in shape]
              for _ in range(draw.randrange(1, 6))]
    u_shape = [len(starts)] + box
    values = [number() for _ in places(shape)]
    updates = [number() for _ in places(u_shape)]
    (i, x), (j, u) = g.variable(shape, values), g.variable(u_shape, updates)
    result = emit_scatter(
        g, x, g.constant([len(starts), 2], sum(starts, []), "i32"), u,
        "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], "
        "index_vector_dim = 1", body,
        [tensor(shape), tensor([len(starts), 2], "i32"), tensor(u_shape)])
    weights = g.weigh(result, shape)
    targets = [(starts[k][0] + a, starts[k][1] + b)
               for k, a, b in places(u_shape)]
    expect_scatter(g, body, (i, shape, values), (j, u_shape, updates), weights,
                   targets)


for name, add, forms in (
        ("elements", add_elementwise, ELEMENTWISE),
        ("ties", add_ties, ("maximum", "minimum")),
        ("reductions", add_reduction, ("maximum", "minimum")),
        ("gathers", add_gather, GATHERS),
        ("windows", add_window_gather, (None,)),
        ("row-scatters", add_row_scatter, BODIES),
        ("box-scatters", add_box_scatter, BODIES)):
    for index, form in enumerate(forms):
        for repeat in range(CASES // 5):
            graph = Graph()
            for _ in range(5):
                add(graph, form)
            path = FOLDER / f"{name}-{index}-{repeat}.mlir"
            graph.write(path)
            run("ps-run", path, "--entry=main")
