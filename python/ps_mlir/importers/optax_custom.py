# SPDX-License-Identifier: Apache-2.0
"""Makes update functions (#ps.custom) of optax optimizers.

Any optimizer whose update works element by element is the update of a number,
which JAX exports: the state's leaves are its slots. Whether it does is tried on
random numbers, because an optimizer that looks at a norm, or at the shape of a
parameter, would train something else.
"""

import re
import subprocess

import jax
import jax.numpy as jnp
import numpy

from ps_mlir.graph import GraphError
from ps_mlir.optimizers import Optimizer
from ps_mlir.programs import find_program, program_environment

STEPS = 4
NAME = "optimizer_update"


def import_custom(optimizer, what):
    """The Optimizer of an optax optimizer; `what` names it in errors."""
    try:
        is_elementwise, is_identity = _try(optimizer)
    except Exception as error:  # The optimizer's own, of any type.
        raise GraphError(f"{what} of optax cannot be tried on arrays: "
                         f"{error}") from error
    if not is_elementwise:
        raise GraphError(
            f"{what} of optax has no counterpart here, and does not work "
            "element by element, as an update function must: an element's "
            "step depends on others")
    update, slots, values = _make_update(optimizer)
    text = _export(update, len(slots), what)
    names = "[" + ", ".join(f'"{slot}"' for slot in slots) + "]"
    clauses = [f"#ps.custom<@{NAME}", "learning_rate = 1.0"]
    if slots:
        clauses += [f"slots = {names}", f"initial_values = {values}"]
    if is_identity:
        clauses.append("identity_for_zero_gradient = true")
    return Optimizer(", ".join(clauses) + ">", function=text)


def _try(optimizer):
    """Whether arrays are updated as their elements are one by one, and whether
    elements without a gradient stay as they are, state included."""
    draw = numpy.random.default_rng(1).standard_normal
    shapes = {"matrix": (3, 4), "vector": (5,)}
    params = {name: draw(shape).astype("f4") for name, shape in shapes.items()}
    gradients = [{name: draw(shape).astype("f4")
                  for name, shape in shapes.items()} for _ in range(STEPS)]
    whole, _ = _run(optimizer, params, gradients)
    elements = {name: numpy.empty_like(value) for name, value in params.items()}
    is_identity = True
    for name, value in params.items():
        for at in numpy.ndindex(value.shape):
            steps = [step[name][at] for step in gradients]
            elements[name][at], state = _run(optimizer, value[at], steps)
            is_identity &= _stays(optimizer, elements[name][at], state)
    is_elementwise = all(numpy.allclose(whole[name], elements[name], rtol=1e-5,
                                        atol=1e-7) for name in params)
    return is_elementwise, is_identity


def _run(optimizer, params, gradients):
    state = optimizer.init(params)
    for gradient in gradients:
        changes, state = optimizer.update(gradient, state, params)
        params = jax.tree.map(jnp.add, params, changes)
    return params, state


def _stays(optimizer, param, state):
    change, after = optimizer.update(jnp.zeros_like(param), state, param)
    return change == 0 and jax.tree.all(
        jax.tree.map(lambda a, b: jnp.all(a == b), state, after))


def _make_update(optimizer):
    """A function (p, g, slots, rate) -> (p, slots) of numbers, the names of the
    slots and their initial values. Counters are kept as numbers, too."""
    state = optimizer.init(jnp.float32(0))
    leaves, structure = jax.tree.flatten(state)
    kinds = [jnp.asarray(leaf).dtype for leaf in leaves]

    def update(p, g, *rest):
        slots = [slot.astype(kind) for slot, kind in zip(rest[:-1], kinds)]
        change, after = optimizer.update(
            g, jax.tree.unflatten(structure, slots), p)
        return (p + change, *(leaf.astype(jnp.float32)
                              for leaf in jax.tree.leaves(after)))

    paths = jax.tree_util.tree_leaves_with_path(state)
    names = []
    for path, _ in paths:
        key = next((entry.name for entry in reversed(path)
                    if hasattr(entry, "name")), "slot")
        names.append(key if key not in names else f"{key}{len(names)}")
    return update, names, [float(leaf) for leaf in leaves]


def _export(update, slots, what):
    """The text of the update function, its calls inlined and folded."""
    numbers = [jax.ShapeDtypeStruct((), jnp.float32)] * (3 + slots)
    text = jax.jit(update, keep_unused=True).lower(*numbers).as_text()
    text = text.replace("func.func public @main", f"func.func @{NAME}")
    done = subprocess.run(
        [find_program("ps-opt"), "-", "--inline", "--canonicalize", "--cse",
         "--symbol-dce"], input=text, capture_output=True, text=True,
        env=program_environment())
    if done.returncode:
        raise GraphError(f"{what} of optax cannot be exported: "
                         f"{done.stderr.strip().splitlines()[0]}")
    body = re.search(rf"func\.func @{NAME}(.*?\n  \}})", done.stdout, re.DOTALL)
    return f"func.func private @{NAME}" + re.sub(
        r" \{jax\.result_info = [^}]*\}", "", body[1])
