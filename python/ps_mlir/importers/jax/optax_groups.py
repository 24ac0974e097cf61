# SPDX-License-Identifier: Apache-2.0
"""Optimizers of optax whose update differs by parameter.

optax.masked and optax.multi_transform, alone or in a chain, are resolved for
each parameter: what is left of the chain is the optimizer of that parameter.
"""

import dataclasses

import jax

from ps_mlir.graph import GraphError
from ps_mlir.importers.jax.optax import (closure, flatten,
                                         import_optimizer, maker_of)
from ps_mlir.importers.jax.optax_custom import NAME
from ps_mlir.optimizers import Optimizer


def import_by_parameter(optimizer, params):
    """The Optimizer of each leaf of `params`, None for one that stays as it
    is."""
    if isinstance(optimizer, (str, Optimizer)) or not hasattr(optimizer,
                                                              "update"):
        return [import_optimizer(optimizer)] * len(jax.tree.leaves(params))
    imported, optimizers = {}, []
    for at in range(len(jax.tree.leaves(params))):
        chosen = []
        resolved = _resolve(optimizer, params, at, chosen)
        group = tuple(chosen)
        if group not in imported:
            imported[group] = _import(resolved, len(imported))
        optimizers.append(imported[group])
    _check_norm(optimizer, imported.values())
    return optimizers


def _check_norm(optimizer, groups):
    """Here the norm is that of all gradients which are clipped by it."""
    clipped = [each for each in groups
               if each and "global_norm" in (each.clip or "")]
    most = len(groups) if flatten(optimizer.update)[0][
        0] == "clip_by_global_norm" else 1
    if clipped and len(clipped) != most:
        raise GraphError(
            "optax.clip_by_global_norm of several groups of parameters, or "
            "before one that is set to zero, is not supported: expected it "
            "before groups that are all trained, or in one of them")


def _import(optimizer, number):
    """The Optimizer of the `number`-th group of parameters: those with the same
    masks and labels."""
    if flatten(optimizer.update)[-1][0] == "set_to_zero":
        return None
    result = import_optimizer(optimizer)
    if result.function and number:
        # Each group has an update function of its own.
        own = f"{NAME}_{number}"
        result = dataclasses.replace(
            result, attribute=result.attribute.replace(f"@{NAME}", f"@{own}"),
            function=result.function.replace(f"@{NAME}", f"@{own}"))
    return result


def _resolve(optimizer, params, at, chosen):
    """What `optimizer` does to the leaf `at` of `params`; appends what decides
    about that to `chosen`. Itself if it does the same to all."""
    import optax
    optimizer = _unwrap(optimizer)
    values = closure(optimizer.update)
    kind = maker_of(optimizer.update)
    if kind == "masked":
        chosen.append(bool(_find(values["mask"], params, at)))
        return _resolve(values["inner"], params, at, chosen) \
            if chosen[-1] else optax.identity()
    if kind == "partition":
        label = _find(values["param_labels"], params, at)
        if label not in values["transforms"]:
            raise GraphError(
                f"optax.multi_transform has no optimizer for the label {label!r}: "
                f"expected one of {', '.join(map(repr, values['transforms']))}")
        chosen.append(label)
        return _resolve(values["transforms"][label], params, at, chosen)
    if kind != "chain":
        return optimizer
    parts = [optax.GradientTransformation(*pair) for pair in zip(
        closure(optimizer.init)["init_fns"], values["update_fns"])]
    before = len(chosen)
    resolved = [_resolve(part, params, at, chosen) for part in parts]
    return optimizer if len(chosen) == before else optax.chain(*resolved)


def _unwrap(optimizer):
    """Without the function that only passes further arguments on."""
    while maker_of(optimizer.update) == "with_extra_args_support":
        optimizer = closure(optimizer.update)["tx"]
    return optimizer


def _find(tree, params, at):
    """What a mask, or labels, say about a leaf; a part of `params` may have one
    for all of its leaves."""
    tree = tree(params) if callable(tree) else tree
    return jax.tree.leaves(jax.tree.map(
        lambda value, part: jax.tree.map(lambda _: value, part), tree,
        params))[at]
