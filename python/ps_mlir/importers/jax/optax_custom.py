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
from ps_mlir.programs import find_program

# Steps of a trial from each of these counts: schedules may begin with zeros.
STEPS, COUNTS = 3, (0, 1000, 100_000)
# Of parameters: the larger ones show a small decay of weights.
SCALES = (1.0, 1e4)
NAME = "optimizer_update"
# What JAX exports where an update is not one of elements.
SHAPED = ("case", "if", "while", "reduce", "reshape", "broadcast_in_dim",
          "gather", "scatter", "dot_general", "sort", "iota")


def import_custom(optimizer, what):
    """The Optimizer of an optax optimizer; `what` names it in errors."""
    try:
        reason, is_identity = _try(optimizer)
    except Exception as error:  # The optimizer's own, of any type.
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise GraphError(
            f"{what} of optax cannot be tried on arrays: {first}; an update that "
            "differs by parameter is not supported: jax.lax.stop_gradient keeps "
            "one from training") from error
    if reason:
        raise GraphError(
            f"{what} of optax has no counterpart here, and cannot be the "
            f"update of an element: {reason}")
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
    """Why arrays are not updated as their elements are one by one, or nothing;
    and whether elements without a gradient stay as they are, state included."""
    states = [jax.tree.leaves(optimizer.init(jnp.float32(value)))
              for value in (0, 1.7)]
    if not all(jnp.all(a == b) for a, b in zip(*states)):
        return "its state begins with the parameters", False
    is_identity = True
    for scale in SCALES:
        for count in COUNTS:
            same, stays = _compare(optimizer, scale, count)
            if not same:
                return "its step depends on other elements or on shapes", False
            is_identity &= stays
    return None, is_identity


def _compare(optimizer, scale, count):
    """Whether the steps of arrays, from a state with `count`, are those of
    their elements, and whether elements without a gradient stay."""
    draw = numpy.random.default_rng(1).standard_normal
    params = {"matrix": scale * draw((2, 3)), "vector": scale * draw(2)}
    params = jax.tree.map(lambda value: value.astype("f4"), params)
    gradients = [jax.tree.map(lambda value: draw(value.shape).astype("f4"),
                              params) for _ in range(STEPS)]
    whole = _run(optimizer, params, gradients, count)[0]
    same = stays = True
    for name, value in params.items():
        for at in numpy.ndindex(value.shape):
            changes, param, state = _run(
                optimizer, jnp.asarray(value[at]),
                [jnp.asarray(step[name][at]) for step in gradients], count)
            same &= all(numpy.allclose(a[name][at], b, rtol=1e-5, atol=1e-30)
                        for a, b in zip(whole, changes))
            stays &= _stays(optimizer, param, state)
    return bool(same), bool(stays)


def _run(optimizer, params, gradients, count):
    """The changes of each step, and the parameters and the state after them."""
    state = jax.tree.map(
        lambda leaf: leaf + count if jnp.issubdtype(leaf.dtype, jnp.integer)
        else leaf, optimizer.init(params))
    steps = []
    for gradient in gradients:
        changes, state = optimizer.update(gradient, state, params)
        params = jax.tree.map(jnp.add, params, changes)
        steps.append(changes)
    return steps, params, state


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
         "--symbol-dce"], input=text, capture_output=True, text=True)
    if done.returncode:
        raise GraphError(f"{what} of optax cannot be exported: "
                         f"{done.stderr.strip().splitlines()[0]}")
    shaped = set(re.findall(r"(?:stablehlo|chlo)\.(\w+)", done.stdout))
    if shaped & set(SHAPED):
        raise GraphError(
            f"{what} of optax has no counterpart here, and its update of an "
            f"element has {', '.join(sorted(shaped & set(SHAPED)))}")
    body = re.search(rf"func\.func @{NAME}(.*?\n  \}})", done.stdout, re.DOTALL)
    return f"func.func private @{NAME}" + re.sub(
        r" \{jax\.result_info = [^}]*\}", "", body[1])
