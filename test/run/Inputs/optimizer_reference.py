#!/usr/bin/env python3
"""Ten steps of every optimizer, computed from the formulas of its paper.

Plain Python in f64, written without a look at the compiler's own formulas. The
output is a module whose @main applies the same gradients to the same variables
and expects the same values: `ps-run FILE --entry=main` decides.

    optimizer_reference.py [--seed N] [--steps N] [--json] [NAME...]

With --json, what it computed is printed instead: for comparisons with other
systems (see optimizer_pytorch.py).
"""

import argparse
import json
import math
import random
import struct

SHAPES = [(), (1,), (5,), (3, 4), (2, 3, 2)]


def norm(values):
    return math.sqrt(sum(v * v for v in values))


def sign(value):
    return (value > 0) - (value < 0)


class Optimizer:
    """One variable's state; step() takes and returns lists of numbers."""

    def __init__(self, size, learning_rate, **options):
        self.lr = learning_rate
        self.size = size
        self.t = 0
        for name, value in {**self.defaults, **options}.items():
            setattr(self, name, value)
        self.state = [
            [self.start(name)] * size for name in range(self.slots)
        ]

    defaults = {}
    slots = 0

    def start(self, slot):
        return 0.0

    def step(self, p, g):
        self.t += 1
        return self.whole(p, g)

    def whole(self, p, g):
        """An update that looks at each element alone."""
        new = []
        for i in range(self.size):
            slots = [s[i] for s in self.state]
            value, slots = self.element(p[i], g[i], *slots)
            for s, slot in zip(self.state, slots):
                s[i] = slot
            new.append(value)
        return new


class SGD(Optimizer):
    def element(self, p, g):
        return p - self.lr * g, []


class Momentum(Optimizer):
    slots = 1
    defaults = {"use_nesterov": False}

    def element(self, p, g, v):
        v = self.momentum * v + g
        ahead = g + self.momentum * v if self.use_nesterov else v
        return p - self.lr * ahead, [v]


class LarsMomentum(Optimizer):
    slots = 1
    defaults = {"lars_coeff": 0.001, "lars_weight_decay": 0.0005,
                "epsilon": 0.0}

    def whole(self, p, g):
        rate = self.lr
        if norm(p) > 0 and norm(g) > 0:
            rate *= self.lars_coeff * norm(p)
            rate /= norm(g) + self.lars_weight_decay * norm(p) + self.epsilon
        velocity = self.state[0]
        for i in range(self.size):
            decayed = g[i] + self.lars_weight_decay * p[i]
            velocity[i] = self.momentum * velocity[i] + rate * decayed
        return [x - v for x, v in zip(p, velocity)]


class Adam(Optimizer):
    slots = 2
    defaults = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}

    def direction(self, g, m, v):
        m = self.beta1 * m + (1 - self.beta1) * g
        v = self.beta2 * v + (1 - self.beta2) * g * g
        m_hat = m / (1 - self.beta1**self.t)
        v_hat = v / (1 - self.beta2**self.t)
        return m_hat / (math.sqrt(v_hat) + self.epsilon), [m, v]

    def element(self, p, g, m, v):
        direction, slots = self.direction(g, m, v)
        return p - self.lr * direction, slots


class AdamW(Adam):
    defaults = {**Adam.defaults, "weight_decay": 0.01}

    def element(self, p, g, m, v):
        p *= 1 - self.lr * self.weight_decay
        return super().element(p, g, m, v)


class Lamb(Adam):
    defaults = {**Adam.defaults, "epsilon": 1e-6, "lamb_weight_decay": 0.01}

    def element(self, p, g, m, v):
        direction, slots = self.direction(g, m, v)
        return direction + self.lamb_weight_decay * p, slots

    def whole(self, p, g):
        u = super().whole(p, g)
        trust = 1.0
        if norm(p) > 0 and norm(u) > 0:
            trust = norm(p) / norm(u)
        return [x - self.lr * trust * y for x, y in zip(p, u)]


class Adamax(Optimizer):
    slots = 2
    defaults = Adam.defaults

    def element(self, p, g, m, u):
        m = self.beta1 * m + (1 - self.beta1) * g
        u = max(self.beta2 * u + self.epsilon, abs(g))
        return p - self.lr / (1 - self.beta1**self.t) * m / u, [m, u]


class Adagrad(Optimizer):
    slots = 1
    defaults = {"epsilon": 1e-6, "initial_accumulator_value": 0.0,
                "row_wise": False}

    def start(self, slot):
        return self.initial_accumulator_value

    def whole(self, p, g):
        """Row-wise: one sum of the mean squares of each row, here kept in all
        of its elements."""
        if not self.row_wise:
            return super().whole(p, g)
        new = []
        for first in range(0, self.size, self.width):
            row = g[first:first + self.width]
            mean = sum(x * x for x in row) / self.width
            for i, x in enumerate(row, first):
                self.state[0][i] += mean
                size = math.sqrt(self.state[0][i]) + self.epsilon
                new.append(p[i] - self.lr * x / size)
        return new

    def element(self, p, g, h):
        h += g * g
        return p - self.lr * g / (math.sqrt(h) + self.epsilon), [h]


class DecayedAdagrad(Optimizer):
    slots = 1
    defaults = {"decay": 0.95, "epsilon": 1e-6}

    def element(self, p, g, h):
        h = self.decay * h + (1 - self.decay) * g * g
        return p - self.lr * g / (math.sqrt(h) + self.epsilon), [h]


class RMSProp(Optimizer):
    slots = 3
    defaults = {"rho": 0.95, "epsilon": 1e-6, "momentum": 0.0,
                "centered": False}

    def element(self, p, g, square, mean, u):
        square = self.rho * square + (1 - self.rho) * g * g
        mean = self.rho * mean + (1 - self.rho) * g
        variance = square - mean * mean if self.centered else square
        u = self.momentum * u + self.lr * g / math.sqrt(variance + self.epsilon)
        return p - u, [square, mean, u]


class Adadelta(Optimizer):
    slots = 2
    defaults = {"rho": 0.95, "epsilon": 1e-6}

    def element(self, p, g, eg, ex):
        eg = self.rho * eg + (1 - self.rho) * g * g
        dx = -math.sqrt(ex + self.epsilon) / math.sqrt(eg + self.epsilon) * g
        ex = self.rho * ex + (1 - self.rho) * dx * dx
        return p + self.lr * dx, [eg, ex]


class Ftrl(Optimizer):
    slots = 2
    defaults = {"l1": 0.0, "l2": 0.0, "lr_power": -0.5}

    def element(self, p, g, n, z):
        power = -self.lr_power
        sigma = ((n + g * g) ** power - n**power) / self.lr
        z += g - sigma * p
        n += g * g
        if abs(z) <= self.l1:
            return 0.0, [n, z]
        p = -(z - sign(z) * self.l1) / (n**power / self.lr + 2 * self.l2)
        return p, [n, z]


CASES = [
    ("sgd", SGD, {"learning_rate": 0.1}),
    ("momentum", Momentum, {"learning_rate": 0.1, "momentum": 0.9}),
    ("momentum", Momentum,
     {"learning_rate": 0.1, "momentum": 0.9, "use_nesterov": True}),
    ("lars_momentum", LarsMomentum, {"learning_rate": 0.1, "momentum": 0.9}),
    ("lars_momentum", LarsMomentum,
     {"learning_rate": 2.0, "momentum": 0.5, "lars_coeff": 0.02,
      "lars_weight_decay": 0.1, "epsilon": 1e-3}),
    ("adam", Adam, {"learning_rate": 0.01}),
    ("adam", Adam,
     {"learning_rate": 0.1, "beta1": 0.0, "beta2": 0.5, "epsilon": 1e-3}),
    ("adamw", AdamW, {"learning_rate": 0.01}),
    ("adamw", AdamW, {"learning_rate": 0.1, "beta1": 0.8, "weight_decay": 0.5}),
    ("adamax", Adamax, {"learning_rate": 0.02}),
    ("adamax", Adamax,
     {"learning_rate": 0.02, "beta1": 0.5, "beta2": 0.7, "epsilon": 1e-3}),
    ("adagrad", Adagrad, {"learning_rate": 0.1}),
    ("adagrad", Adagrad,
     {"learning_rate": 0.1, "epsilon": 0.1, "initial_accumulator_value": 0.5}),
    ("adagrad", Adagrad, {"learning_rate": 0.1, "row_wise": True}),
    ("adagrad", Adagrad,
     {"learning_rate": 0.1, "epsilon": 0.1, "initial_accumulator_value": 0.5,
      "row_wise": True}),
    ("decayed_adagrad", DecayedAdagrad, {"learning_rate": 0.1}),
    ("decayed_adagrad", DecayedAdagrad,
     {"learning_rate": 0.1, "decay": 0.5, "epsilon": 0.1}),
    ("rmsprop", RMSProp, {"learning_rate": 0.01}),
    ("rmsprop", RMSProp,
     {"learning_rate": 0.01, "rho": 0.9, "epsilon": 0.1, "momentum": 0.9}),
    ("rmsprop", RMSProp, {"learning_rate": 0.01, "centered": True}),
    ("rmsprop", RMSProp,
     {"learning_rate": 0.01, "momentum": 0.5, "centered": True}),
    ("adadelta", Adadelta, {"learning_rate": 1.0}),
    ("adadelta", Adadelta, {"learning_rate": 0.5, "rho": 0.5, "epsilon": 0.01}),
    ("ftrl", Ftrl, {"learning_rate": 0.1}),
    ("ftrl", Ftrl, {"learning_rate": 0.1, "l1": 0.2, "l2": 0.5}),
    ("ftrl", Ftrl, {"learning_rate": 0.1, "l1": 0.2, "lr_power": -0.75}),
    ("lamb", Lamb, {"learning_rate": 0.01}),
    ("lamb", Lamb,
     {"learning_rate": 0.1, "beta1": 0.5, "beta2": 0.9, "epsilon": 1e-3,
      "lamb_weight_decay": 0.5}),
]


def to_f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def draw(generator, size):
    """f32 numbers, some of them zero: both types start from the same ones."""
    return [
        0.0 if generator.random() < 0.1 else to_f32(generator.gauss(0, 1))
        for _ in range(size)
    ]


def train(case, shape, seed, steps):
    name, optimizer, options = case
    generator = random.Random(f"{seed} {name} {options} {shape}")
    size = math.prod(shape)
    start = draw(generator, size)
    gradients = [draw(generator, size) for _ in range(steps)]
    if size > 1:  # norms of zero have rules of their own
        gradients[3] = [0.0] * size
    rule = optimizer(size, **options)
    rule.width = math.prod(shape[1:])  # of a row
    p = start
    for g in gradients:
        p = rule.step(p, g)
    return {"shape": shape, "start": start, "gradients": gradients, "end": p}


def spell_number(value):
    """With the decimal point that MLIR wants."""
    text = repr(float(value))
    return text if "." in text else text.replace("e", ".0e")


def literal(shape, values, element):
    """`dense<..> : tensor<..>`"""
    def nested(shape, values):
        if not shape:
            return spell_number(values[0])
        part = len(values) // shape[0]
        rows = [nested(shape[1:], values[i * part:(i + 1) * part])
                for i in range(shape[0])]
        return f"[{', '.join(rows)}]"

    return f"dense<{nested(shape, values)}> : {tensor(shape, element)}"


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def spell(name, options):
    def value_of(value):
        return str(value).lower() if value is True else spell_number(value)
    text = ", ".join(f"{key} = {value_of(value)}"
                     for key, value in options.items())
    return f"#ps.{name}<{text}>"


def write_module(runs, seed):
    print(f"// Made by optimizer_reference.py, seed {seed}.")
    variables, body = [], []
    for index, (case, run) in enumerate(runs):
        name, _, options = case
        using = spell(name, options)
        shape = run["shape"]
        for element, tolerance in (("f32", 1e-5), ("f64", 1e-12)):
            type = tensor(shape, element)
            w = f"@w{index}_{element}"
            v = f"%w{index}_{element}"
            variables.append(f"ps.variable {w} : {type} init(#ps.constant<0.0>)")
            body.append(f"{v} = stablehlo.constant "
                        f"{literal(shape, run['start'], element)}")
            body.append(f"ps.assign {w}, {v} : {type}")
            for step, g in enumerate(run["gradients"]):
                body.append(f"{v}_g{step} = stablehlo.constant "
                            f"{literal(shape, g, element)}")
                body.append(f"ps.apply {w}, {v}_g{step} using({using}) : {type}")
            body.append(f"{v}_end = ps.read {w} : {type}")
            body.append(f"check.expect_almost_eq_const {v}_end, "
                        f"{literal(shape, run['end'], element)}, "
                        f"tolerance = {spell_number(tolerance)}")
    print("\n".join(variables))
    print("func.func @main() {")
    for line in body:
        print("  " + line)
    print("  return\n}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    runs = [
        (case, train(case, shape, arguments.seed, arguments.steps))
        for case in CASES
        if not arguments.names or case[0] in arguments.names
        for shape in SHAPES
    ]
    if arguments.json:
        print(json.dumps([
            {"optimizer": name, "options": options, **run}
            for (name, _, options), run in runs
        ]))
    else:
        write_module(runs, arguments.seed)
