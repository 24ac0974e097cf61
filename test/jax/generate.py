#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tests of this folder again, with the version of JAX at hand.

usage: generate.py

Needs jax and optax; no test does. For each function of functions.py NAME.mlir
and NAME-debug.mlir hold what JAX prints, without and with locations, below a
header of RUN lines; symbolic_NAME.mlir holds what jax.export prints where the
batch size is a symbol. Inputs/NAME.check is a function that calls the printed
one with the inputs chosen here, and compares with what JAX computes.
Inputs/network.json holds how JAX and optax train the network.
"""

import json
import pathlib
import re

import jax
import numpy
import optax

import functions

FOLDER = pathlib.Path(__file__).resolve().parent

jax.config.update("jax_platforms", "cpu")
# Locations name files as they are here, whoever runs this.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

random = numpy.random.RandomState(7)


def normal(*shape):
    return random.standard_normal(shape).astype(numpy.float32)


def uniform(low, high, *shape):
    return random.uniform(low, high, shape).astype(numpy.float32)


def ids(limit, *shape):
    return random.randint(0, limit, shape).astype(numpy.int32)


def whole(low, high, *shape):
    numbers = random.randint(low, high, shape).astype(numpy.int32)
    return numpy.where(numbers == 0, 3, numbers)


PARAMETERS = {"w0": normal(4, 6), "b0": normal(6), "scale": 1 + normal(6) / 4,
              "bias": normal(6) / 4, "w1": normal(6, 3), "b1": normal(3)}
X, Y = normal(8, 4), ids(3, 8)
# A generator of their own, so that the numbers above stay as they are.
others = numpy.random.RandomState(8)


def small(*shape):
    return (0.3 * others.standard_normal(shape)).astype(numpy.float32)


LENET = {"w0": small(3, 3, 1, 4), "b0": small(4), "w1": small(3, 3, 4, 5),
         "b1": small(5), "w2": small(20, 3), "b2": small(3)}

CASES = {
    "layer_norm": (normal(4, 6), normal(6), normal(6)),
    "layer_norm_gradients": (normal(4, 6), normal(6), normal(6)),
    "batch_norm": (normal(5, 3), normal(3), normal(3), normal(3),
                   uniform(0.5, 2, 3)),
    "standard_deviation": (normal(5, 3),),
    "gelu_erf": (normal(4, 3),),
    "gelu_tanh": (normal(4, 3),),
    "error_functions": (uniform(-4, 4, 12), uniform(-1, 1, 12)),
    "gamma_functions": (uniform(0.1, 9, 12),),
    "inverse_functions": (uniform(-0.5, 1, 8),),
    "hyperbolic_functions": (uniform(-3, 3, 8),),
    "softmax": (normal(3, 4),),
    "cross_entropy": (normal(4, 3), ids(3, 4)),
    "activations": (normal(3, 4),),
    "accuracy": (normal(6, 3), ids(3, 6)),
    "embedding": (normal(7, 2), ids(7, 5)),
    "one_hot": (ids(5, 4),),
    "masks": (normal(4, 4),),
    "attention": (normal(1, 4, 2, 3), normal(1, 4, 2, 3), normal(1, 4, 2, 3)),
    "barrier": (normal(4),),
    "integers": (whole(-99, 99, 8), whole(-9, 9, 8)),
    "rounding": (numpy.float32([-2.5, -1.5, -0.3, 0.5, 1.5, 2.5, 3.7]),),
    "random_bits": (random.randint(0, 2**32, 4, numpy.uint32), numpy.int32(7)),
    "adam": (normal(3, 2), normal(3, 2), normal(3, 2), uniform(0, 1, 3, 2),
             numpy.int32(4)),
    "clipped_momentum": (normal(4), 3 * normal(4), normal(4)),
    "one_device": (normal(2, 3), normal(3, 4)),
    "network_loss": (PARAMETERS, X, Y),
    "network_step": (PARAMETERS, X, Y),
    "lenet_gradients": (LENET, small(3, 12, 12, 1), numpy.int32([2, 0, 1])),
    # Whole numbers, so that elements of a window are equal.
    "pools": (numpy.round(6 * small(2, 7, 6, 2)),),
    "convolutions": (small(2, 6, 7, 2), small(3, 3, 2, 4), small(3, 2, 1, 4),
                     small(3, 3, 4, 2)),
    "channels_first": (small(2, 3, 5, 6), small(4, 3, 3, 3)),
}

# Drawn after what was there before, which stays as it is.
LSTM = {"wx": normal(3, 8), "wh": normal(2, 8), "b": normal(8)}
GRU = {"wx": normal(3, 6), "wh": normal(2, 6), "b": normal(6)}
XS, TARGETS = normal(5, 4, 3), normal(4, 2)
CASES |= {
    "scan_lstm": (LSTM, XS, TARGETS),
    "scan_lstm_gradients": (LSTM, XS, TARGETS),
    "gru": (GRU, XS, TARGETS),
    "gru_gradients": (GRU, XS, TARGETS),
    "loops": (uniform(-1, 1, 3),),
    "dropout": (numpy.uint32([5, 6]), normal(4, 3)),
    "branches": (numpy.int32(1), numpy.bool_(False), normal(3)),
    "sorting": (normal(4, 3), normal(4, 3)),
    "routing": (normal(5, 3), normal(3, 4), normal(4, 3, 2)),
    "updates": (normal(4, 4), numpy.int32(2)),
    "counted_bits": (whole(-2**31, 2**31 - 1, 8), 1e4 * normal(8)),
}

# The inputs, and their shapes with None for the batch size, which is a symbol.
SYMBOLIC = {
    "symbolic_network": ((PARAMETERS, X, Y), (PARAMETERS, (None, 4), (None,))),
    "symbolic_embedding": ((normal(7, 2), ids(7, 5, 3)),
                           (normal(7, 2), (None, 3))),
    "symbolic_attention": (({name: normal(4, 2, 3) for name in "qkv"},
                            normal(5, 3, 4)),
                           ({name: normal(4, 2, 3) for name in "qkv"},
                            (None, 3, 4))),
    "symbolic_lstm": ((LSTM, XS, TARGETS), (LSTM, (5, None, 3), (None, 2))),
    "symbolic_dropout": ((numpy.uint32([7, 8]), normal(6, 3)),
                         (numpy.uint32([7, 8]), (None, 3))),
    "symbolic_windows": ((normal(3, 5, 4), numpy.int32(2)),
                         ((None, 5, 4), numpy.int32(2))),
}

CASES |= {
    "generated_bits": (random.randint(0, 2**32, 4, numpy.uint32), normal(4, 3)),
    "zeta_functions": (uniform(1.1, 6, 8), uniform(0.2, 9, 8)),
}
SYMBOLIC["symbolic_sorting"] = ((normal(3, 5), normal(3, 5)),
                                ((None, 5), (None, 5)))
CASES["triangular_matrices"] = (
    normal(4, 3), normal(4),
    2 * numpy.eye(3, dtype=numpy.float32) + normal(2, 3, 3) / 3,
    normal(2, 3, 2))

# Relative to the larger magnitude, or to one.
TOLERANCE = 3e-6


def type_of(value):
    names = {"float32": "f32", "bfloat16": "bf16", "int32": "i32",
             "uint32": "ui32", "uint16": "ui16", "bool": "i1"}
    shape = "".join(f"{size}x" for size in value.shape)
    return f"tensor<{shape}{names[str(value.dtype)]}>"


def literal(value):
    def text(v):
        if isinstance(v, list):
            return "[" + ", ".join(map(text, v)) + "]"
        if isinstance(v, float):
            return f"{v:.8e}"  # nine digits: every f32, exactly
        return str(v).lower()
    return f"dense<{text(value.tolist())}> : {type_of(value)}"


def resized(name, source, value, shape, symbolic):
    """A line that makes the sizes of a value symbols or numbers."""
    dynamic = type_of(value).replace(
        "".join(f"{size}x" for size in value.shape),
        "".join(f"{'?' if size is None else size}x" for size in shape), 1)
    types = (type_of(value), dynamic) if symbolic else (dynamic, type_of(value))
    return f"  {name} = stablehlo.reshape {source} : ({types[0]}) -> {types[1]}"


def check(inputs, outputs, shapes=None, results=None):
    """The function that calls @main and compares. Sizes are None where the
    function has a symbol."""
    shapes = shapes or [value.shape for value in inputs]
    results = results or [value.shape for value in outputs]
    lines = [f"// JAX {jax.__version__} computed these values.",
             "func.func @check() {"]
    arguments, types = [], []
    for i, (value, shape) in enumerate(zip(inputs, shapes)):
        lines.append(f"  %in{i} = stablehlo.constant {literal(value)}")
        arguments.append(f"%in{i}")
        types.append(type_of(value))
        if None in shape:
            lines.append(resized(f"%of_batch{i}", f"%in{i}", value, shape, True))
            arguments[i] = f"%of_batch{i}"
            types[i] = lines[-1].split(" -> ")[1]
    result_types = []
    for value, shape in zip(outputs, results):
        line = resized("", "", value, shape, True)
        result_types.append(line.split(" -> ")[1])
    count = f":{len(outputs)}" if len(outputs) > 1 else ""
    lines.append(f"  %out{count} = call @main({', '.join(arguments)}) : "
                 f"({', '.join(types)}) -> ({', '.join(result_types)})")
    for i, (value, shape) in enumerate(zip(outputs, results)):
        actual = f"%out#{i}" if count else "%out"
        if None in shape:
            lines.append(resized(f"%sized{i}", actual, value, shape, False))
            actual = f"%sized{i}"
        if value.dtype.kind in "iub":
            lines.append(f"  check.expect_eq_const {actual}, {literal(value)}")
        else:
            lines.append(f"  %want{i} = stablehlo.constant {literal(value)}")
            lines.append(f"  check.expect_almost_eq {actual}, %want{i}, "
                         f"tolerance = {TOLERANCE:.1e} : "
                         f"{type_of(value)}")
    return "\n".join(lines + ["  return", "}", ""])


HEADER = """\
// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/{name}.check | ps-run - --entry=check{flags}
// JAX {version} printed what follows; generate.py wrote it here.

"""


def write(name, arguments):
    function = getattr(functions, name)
    lowered = jax.jit(function).lower(*arguments)
    header = HEADER.format(name=name, version=jax.__version__, flags="")
    for suffix, debug_info in (("", False), ("-debug", True)):
        text = lowered.as_text(debug_info=debug_info)
        (FOLDER / f"{name}{suffix}.mlir").write_text(header + text)
    inputs = list(map(numpy.asarray, jax.tree.leaves(arguments)))
    outputs = list(map(numpy.asarray, jax.tree.leaves(
        jax.jit(function)(*arguments))))
    (FOLDER / "Inputs" / f"{name}.check").write_text(check(inputs, outputs))


def write_symbolic(name, arguments, shapes):
    """The same with the batch size as a symbol, as jax.export prints it."""
    function = jax.jit(getattr(functions, name))
    batch, = jax.export.symbolic_shape("b")
    is_shape = lambda value: isinstance(value, tuple) and all(
        n is None or isinstance(n, int) for n in value)
    shapes = [shape if is_shape(shape) else shape.shape
              for shape in jax.tree.leaves(shapes, is_leaf=is_shape)]
    inputs = list(map(numpy.asarray, jax.tree.leaves(arguments)))
    types = [jax.ShapeDtypeStruct([batch if n is None else n for n in shape],
                                  value.dtype)
             for value, shape in zip(inputs, shapes)]
    exported = jax.export.export(function)(
        *jax.tree.unflatten(jax.tree.structure(arguments), types))
    sizes = {value.shape[shape.index(None)]
             for value, shape in zip(inputs, shapes) if None in shape}
    size, = sizes
    header = HEADER.format(name=name, version=jax.__version__,
                           flags=f" --batch-size={size}")
    (FOLDER / f"{name}.mlir").write_text(header + exported.mlir_module())
    outputs = list(map(numpy.asarray, jax.tree.leaves(function(*arguments))))
    results = [[n if isinstance(n, int) else None for n in aval.shape]
               for aval in exported.out_avals]
    (FOLDER / "Inputs" / f"{name}.check").write_text(
        check(inputs, outputs, shapes, results))


def train():
    """Trains the network on one batch, and returns how."""
    optimizer = optax.adam(0.05)
    parameters = PARAMETERS
    state = optimizer.init(parameters)
    losses = []
    step = jax.jit(jax.value_and_grad(functions.network_loss))
    for _ in range(30):
        loss, gradients = step(parameters, X, Y)
        updates, state = optimizer.update(gradients, state, parameters)
        parameters = optax.apply_updates(parameters, updates)
        losses.append(float(loss))
    tolist = lambda values: jax.tree.map(lambda v: numpy.asarray(v).tolist(),
                                         values)
    return {"x": X.tolist(), "y": Y.tolist(), "initial": tolist(PARAMETERS),
            "final": tolist(parameters), "losses": losses}


def main():
    (FOLDER / "Inputs").mkdir(exist_ok=True)
    for name, arguments in CASES.items():
        write(name, arguments)
    for name, (arguments, shapes) in SYMBOLIC.items():
        write_symbolic(name, arguments, shapes)
    text = json.dumps(train(), indent=1)
    # One line per row.
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]",
                  lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
    (FOLDER / "Inputs" / "network.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
