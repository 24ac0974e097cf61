# SPDX-License-Identifier: Apache-2.0
"""Prints a loss that JAX printed with a step that trains it, and what becomes
of the variables by JAX's own gradients.

usage: minimize.py LOSS CHECK

LOSS is left as it is. CHECK compares JAX's value_and_grad of that loss with
what JAX computed; its first arguments are those that have gradients.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    loss, check = sys.argv[1:]
    text = pathlib.Path(check).read_text()
    constants = dict(re.findall(r"(%(?:in|want)\d+) = (stablehlo\.constant .*)",
                                text))
    types = {name: line.rsplit(" : ", 1)[1] for name, line in constants.items()}
    inputs = [name for name in constants if name.startswith("%in")]
    wanted = [name for name in constants if name.startswith("%want")][1:]
    lines = [f"ps.variable @w{i} : {types[f'%in{i}']} init(#ps.constant<0.0>)"
             for i in range(len(wanted))]
    lines.append("func.func @check() {")
    lines += [f"  {name} = {line}" for name, line in constants.items()]
    arguments = list(inputs)
    for i in range(len(wanted)):
        lines += [f"  ps.assign @w{i}, %in{i} : {types[f'%in{i}']}",
                  f"  %before{i} = ps.read @w{i} : {types[f'%in{i}']}"]
        arguments[i] = f"%before{i}"
    lines += [f"  %loss = call @main({', '.join(arguments)}) : "
              f"({', '.join(types[name] for name in inputs)}) -> tensor<f32>",
              "  check.expect_almost_eq %loss, %want0, tolerance = 3.0e-06 : "
              "tensor<f32>",
              "  ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : "
              "tensor<f32>"]
    for i, gradient in enumerate(wanted):
        t = types[gradient]
        lines += [f"  %after{i} = ps.read @w{i} : {t}",
                  f"  %expected{i} = stablehlo.subtract %in{i}, {gradient} : {t}",
                  f"  check.expect_almost_eq %after{i}, %expected{i}, "
                  f"tolerance = 3.0e-06 : {t}"]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as step:
        step.write("\n".join(lines + ["  return", "}", ""]))
        step.flush()
        append = pathlib.Path(__file__).with_name("append.py")
        subprocess.run([sys.executable, append, loss, step.name], check=True)


main()
