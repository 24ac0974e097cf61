# SPDX-License-Identifier: Apache-2.0
"""Makes graphs of JAX losses.

JAX differentiates: the graph holds the gradients that jax.value_and_grad
computes, so that stop_gradient, custom rules and conventions about NaN are
JAX's own. An embedding `params["emb"][ids]` becomes a sharded table in ps-opt,
which sees through the scatter-add of its gradient.
"""

import jax
import jax.numpy
import numpy

from ps_mlir.elements import element_of
from ps_mlir.graph import (GraphError, build_graph, feed_name,
                           variable_name)
from ps_mlir.importers.function import Feed, LossFunction, Parameter
from ps_mlir.importers.jax.optax_groups import import_by_parameter


def from_jax(loss, params, batch, optimizer, *, has_aux=False, name=None,
             fixed_batch=False, tables=None, auc=None):
    """Makes a Graph that trains `params`.

    loss(params, batch) returns a number, which should be a mean over the
    samples of the batch; with `has_aux` it returns a number and a pytree of
    arrays, which are fetched: a number appears in the metrics, an array with a
    value per sample in predictions.

    params: pytree of arrays, whose values training begins with. Arrays of
        integers are not trained.
    batch: pytree of arrays whose dimension 0 is the batch; only their shapes
        and types matter. Training data has the same structure.
    optimizer: an optax optimizer, an optimizer of ps_mlir.optimizers, or the
        text of an attribute.
    fixed_batch: keep the size of `batch` as the only one, for losses that JAX
        cannot trace with a batch of unknown size.
    tables: ps_mlir.Table by the name of a parameter that is only looked up by
        ids, as the summary of the graph has it: its rows are then created
        when training needs them, and its values here do not matter.
    auc: names of an output of `has_aux`, probabilities, and of an array of the
        batch, labels: their AUC is measured as "auc".

    Raises GraphError if the loss cannot be exported.
    """
    imported = import_jax(loss, params, batch, has_aux=has_aux, name=name,
                          fixed_batch=fixed_batch)
    optimizers = import_by_parameter(optimizer, params)
    first = next(filter(None, optimizers), None)
    if not first:
        raise GraphError("the optimizer trains no parameter")
    others = {name: other for name, other in zip(imported.params, optimizers)
              if other != first}
    return build_graph(imported.function, first, others=others,
                       tables=tables, auc=auc,
                       flatten_batch=imported.flatten_batch,
                       unflatten=imported.unflatten,
                       flatten=imported.flatten)


def import_jax(loss, params, batch, *, has_aux=False, name=None,
               fixed_batch=False):
    """What from_jax makes a graph of: `function`, a LossFunction, and how its
    operands relate to the user's pytrees (`flatten_batch`, `unflatten`)."""
    params = jax.tree.map(_as_jax_sees, params)
    return _Exported(loss, params, batch, has_aux, fixed_batch,
                     name or _name_of(loss))


class _Exported:
    """The text of a loss with its gradients, and what its operands are."""

    def __init__(self, loss, params, batch, has_aux, fixed_batch, name):
        self.params = _name_leaves(params, "params")
        self.params_tree = jax.tree.structure(params)
        self.batch_type = type(batch)
        self.batch_tree = jax.tree.structure(batch)
        leaves = _name_leaves(batch, "batch")
        for feed, leaf in leaves.items():
            if numpy.ndim(leaf) == 0:
                raise GraphError(
                    f"{feed} of the batch is a number, expected an array whose "
                    "dimension 0 is the batch; close over constants instead")
        text, aux = self.export(loss, params, leaves, has_aux, fixed_batch)
        outputs = list(_name_leaves(aux, "aux"))
        if "loss" in outputs:
            raise GraphError("an output of has_aux is called 'loss', which is "
                             "what the loss is called: rename it")
        self.function = LossFunction(
            name, text, [Parameter(variable, leaf, trainable=_is_trained(leaf))
                         for variable, leaf in self.params.items()],
            self.feeds, outputs, has_gradients=True)

    def export(self, loss, params, leaves, has_aux, fixed_batch):
        """The text, and what the loss returns besides as shapes."""
        params = jax.tree.map(
            lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), params)
        step = jax.jit(_differentiated(loss, has_aux), keep_unused=True)
        # First for the given size: an error is then the loss's own.
        batch = self.specify(leaves, fixed=True)
        aux = jax.eval_shape(step, params, batch)[1]
        if fixed_batch:
            return step.lower(params, batch).as_text(debug_info=True), aux
        try:
            exported = jax.export.export(step, platforms=["cpu"])(
                params, self.specify(leaves, fixed=False))
        except Exception as error:  # JAX raises several, of no common type.
            raise GraphError(
                "JAX cannot export this loss for a batch of any size; "
                "fixed_batch=True exports it for the size of the given batch: "
                f"{error}") from error
        return exported.mlir_module(), aux

    def specify(self, leaves, fixed):
        """The batch as shapes; sets `feeds`."""
        specs = _specify(leaves.values(), fixed)
        self.feeds = [
            Feed(name, tuple(size if isinstance(size, int) else None
                             for size in spec.shape), element_of(spec.dtype))
            for name, spec in zip(leaves, specs)]
        return jax.tree.unflatten(self.batch_tree, specs)

    def flatten_batch(self, batch, partial=False):
        # A DataLoader makes lists of tuples.
        if {type(batch), self.batch_type} == {list, tuple}:
            batch = self.batch_type(batch)
        structure = jax.tree.structure(batch)
        if structure != self.batch_tree:
            expected = [feed.name for feed in self.feeds]
            leaves = _name_leaves(batch, "batch") if partial else {}
            if leaves and leaves.keys() <= set(expected):
                return leaves
            found = _list_leaves(batch)
            if found == expected:
                expected, found = [str(self.batch_tree)], [str(structure)]
            raise TypeError("expected a batch with the structure "
                            f"{', '.join(expected)}, found {', '.join(found)}")
        return dict(zip((feed.name for feed in self.feeds),
                        jax.tree.leaves(batch)))

    def flatten(self, params):
        return _name_leaves(params, "params")

    def unflatten(self, variables):
        return jax.tree.unflatten(self.params_tree,
                                  [variables[name] for name in self.params])


def _differentiated(loss, has_aux):
    """loss(params, batch) as a function that returns loss, aux, gradients."""

    def step(params, batch):
        leaves, structure = jax.tree.flatten(params)
        trained = [leaf for leaf in leaves if _is_trained(leaf)]

        def of_trained(values):
            values = iter(values)
            merged = [next(values) if _is_trained(leaf) else leaf
                      for leaf in leaves]
            result = loss(jax.tree.unflatten(structure, merged), batch)
            return result if has_aux else (result, ())

        (value, aux), gradients = jax.value_and_grad(
            of_trained, has_aux=True)(trained)
        return value, aux, gradients

    return step


def _as_jax_sees(leaf):
    """NumPy's doubles are floats in JAX, unless it is told otherwise."""
    leaf = numpy.asarray(leaf)
    return leaf.astype(jax.dtypes.canonicalize_dtype(leaf.dtype), copy=False)


def _is_trained(leaf):
    return jax.numpy.issubdtype(leaf.dtype, jax.numpy.floating)


def _specify(leaves, fixed_batch):
    """The shapes of feeds, with a symbol for the batch unless it is fixed."""
    leaves = [jax.numpy.asarray(leaf) for leaf in leaves]
    sizes = {leaf.shape[0] for leaf in leaves}
    if len(sizes) != 1:
        raise GraphError("the arrays of the batch differ in dimension 0, the "
                         f"size of the batch: {sorted(sizes)}")
    size = sizes.pop() if fixed_batch else jax.export.symbolic_shape("b")[0]
    return [jax.ShapeDtypeStruct((size, *leaf.shape[1:]), leaf.dtype)
            for leaf in leaves]


def _name_leaves(tree, prefix):
    """The leaves of a pytree by names, in the order of its leaves."""
    named, paths = {}, {}
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        name = _leaf_name(path, prefix)
        if name in named:
            first, second = (prefix + jax.tree_util.keystr(each)
                             for each in (paths[name], path))
            raise GraphError(f"{first} and {second} have one name, '{name}': "
                             "rename one")
        named[name], paths[name] = leaf, path
    return named


def _leaf_name(path, prefix):
    keys = [_key(entry) for entry in path]
    if not keys or isinstance(keys[0], int):
        keys = [prefix, *keys]
    return feed_name(keys) if prefix == "batch" else variable_name(keys)


def _list_leaves(batch, most=10):
    """Names of arrays in a batch; a list of numbers has one for each."""
    names = [_leaf_name(path, "batch")
             for path, _ in jax.tree_util.tree_leaves_with_path(batch)]
    return names[:most] + [f"{len(names) - most} more"] * (len(names) > most)


def _key(entry):
    for attribute in ("key", "idx", "name"):
        if hasattr(entry, attribute):
            return getattr(entry, attribute)
    return str(entry)


def _name_of(loss):
    name = getattr(loss, "__name__", "loss")
    return name if name.isidentifier() else "loss"
