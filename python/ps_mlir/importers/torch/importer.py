# SPDX-License-Identifier: Apache-2.0
"""Imports modules of PyTorch.

    def loss(module, batch):
        return torch.nn.functional.mse_loss(module(batch["x"]), batch["y"])

    function = import_torch(model, loss, {"x": x, "y": y})

`batch` is a sample of what a step gets: a dictionary of tensors, whose names
become feeds and whose dimension 0 is the batch size. `loss(module, batch)`
returns a scalar tensor, or a pair of one and a dictionary of further outputs.
Training mode is that of the module. torch.export records the computation,
PyTorch decomposes the ops that the table in aten.py does not have, and every
op left is emitted. Gradients are derived by ps-opt.
"""

import math
import pathlib
import re

import torch
from torch.export import Dim
from torch.export.graph_signature import InputKind, OutputKind

from ps_mlir.graph import GraphError
from ps_mlir.importers.torch.aten import Call, table
from ps_mlir.importers.stablehlo.emitter import ELEMENT_TYPES, Emitter, Tensor
from ps_mlir.importers.function import Feed, LossFunction, Parameter
from ps_mlir.importers.module import Argument, main_text
from ps_mlir.importers.stablehlo.shapes import (Multiple, Unsupported, dim_of, show,
                                      size_of)

DTYPES = {getattr(torch, name): element
          for element, name in ((e, n) for n, e in ELEMENT_TYPES.items())
          if hasattr(torch, name)}
DTYPES[torch.bfloat16] = "bf16"
# What torch.export inserts to check assumptions; ours are checked on import.
CHECKS = ("_assert_tensor_metadata", "_assert_scalar", "_assert_async",
          "sym_constrain_range", "sym_constrain_range_for_size")
DROPOUTS = ("dropout", "feature_dropout", "alpha_dropout", "native_dropout",
            "feature_alpha_dropout")
WRAPPERS = {"wrap_with_autocast": "torch.autocast in a module",
            "wrap_with_set_grad_enabled": "nested torch.no_grad()"}
PER_ELEMENT = ("cross_entropy_loss.default", "nll_loss_nd.default",
               "nll_loss.default", "nll_loss2d.default")


class _Loss(torch.nn.Module):
    """The loss of a module as a module, which torch.export takes."""

    def __init__(self, module, loss):
        super().__init__()
        self.module = module
        self.loss = loss

    def forward(self, batch):
        result = self.loss(self.module, batch)
        if isinstance(result, tuple):
            loss, outputs = result
            return (loss, *outputs.values())
        return (result,)


def import_torch(module, loss, batch, name=None, dynamic=True):
    """The LossFunction of a module; see above.

    With `dynamic=False` the batch size is that of `batch`, for models that
    need to know it.
    """
    name = name or type(module).__name__
    _check_batch(batch)
    batch = _without_repetition(batch)
    outputs = _output_names(module, loss, batch)
    try:
        program = _export(module, loss, batch, dynamic)
        _refuse_dropout(program)
        program = _decompose(program)
        return _Import(module, program, batch, name, outputs, dynamic).run()
    except Unsupported as error:
        raise GraphError(f"cannot import '{name}': {error}") from None


def _check_batch(batch):
    if not isinstance(batch, dict) or not batch or not all(
            isinstance(value, torch.Tensor) for value in batch.values()):
        raise GraphError("expected a batch that is a dict or a tuple of "
                         f"tensors, found {_describe_batch(batch)}")
    for name, value in batch.items():
        if not value.dim():
            raise GraphError(f"'{name}' of the batch is a number, expected "
                             "tensors whose dimension 0 is the batch size")
    sizes = {name: value.size(0) for name, value in batch.items()}
    if len(set(sizes.values())) > 1:
        raise GraphError("expected tensors of one batch size in dimension 0, "
                         f"found {sizes}")


def _without_repetition(batch):
    """The batch with each tensor once: torch.export makes one input of what is
    one object."""
    seen = set()
    return {name: value.clone() if id(value) in seen else
            seen.add(id(value)) or value for name, value in batch.items()}


def _describe_batch(batch):
    if not isinstance(batch, dict):
        return f"a {type(batch).__name__}" + (
            ": give next(iter(..)) of it"
            if hasattr(batch, "__iter__") and not hasattr(batch, "shape")
            else "")
    others = [f"'{name}', a {type(value).__name__}"
              for name, value in batch.items()
              if not isinstance(value, torch.Tensor)]
    return others[0] if others else "an empty one"


def _output_names(module, loss, batch):
    """Names of further outputs, from a call that leaves no traces."""
    state = {key: value.clone() for key, value in module.state_dict().items()}
    result = loss(module, batch)
    module.load_state_dict(state)
    value = result[0] if isinstance(result, tuple) else result
    if not isinstance(value, torch.Tensor) or value.dim():
        found = f"one of shape {list(value.shape)}" if isinstance(
            value, torch.Tensor) else type(value).__name__
        raise GraphError("expected a loss that returns a scalar tensor, "
                         f"found {found}")
    _refuse_custom_gradients(value)
    return list(result[1]) if isinstance(result, tuple) else []


def _refuse_custom_gradients(value):
    """Refuses what torch.export would forget: gradients that Python defines,
    and hooks."""
    seen, pending = set(), [value.grad_fn]
    while pending:
        node = pending.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            name = type(node).__name__.removesuffix("Backward")
            raise GraphError(f"the gradient that '{name}' defines (a "
                             "torch.autograd.Function or a hook) is not "
                             "supported")
        pending += [function for function, _ in node.next_functions]


def _export(module, loss, batch, dynamic):
    shapes = None
    if dynamic:
        size = Dim("batch", min=2)
        shapes = ({key: {0: size} for key in batch},)
    try:
        return torch.export.export(_Loss(module, loss), (batch,),
                                   dynamic_shapes=shapes, strict=False)
    except Exception as error:  # torch.export has errors of many types
        hint = " (fixed_batch=True imports it for the batch size of the sample)" \
            if dynamic else ""
        raise Unsupported(
            f"torch.export: {_first_line(error)}{hint}") from error


def _first_line(error):
    """The first line of an error of PyTorch, and its first detail."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = lines or [type(error).__name__]
    details = [line[2:] for line in lines[1:] if line.startswith("- ")]
    first = lines[0].split(" For more information")[0]
    return " ".join([first, *details[:1]])


def _detach_without_gradient(program):
    """What is computed under torch.no_grad() is detached.

    torch.export makes a call of such a part; decomposing it would forget that
    it has no gradient.
    """
    graph = program.graph
    for node in list(graph.nodes):
        name = getattr(node.target, "__name__", "")
        if not name.startswith("wrap_with_"):
            continue
        part = program.graph_module.get_submodule(node.args[1].target) \
            if name == "wrap_with_set_grad_enabled" else None
        if part is None or any("wrap_with" in str(inner.target)
                               for inner in part.graph.nodes):
            raise Unsupported(
                f"{WRAPPERS.get(name, name)}{_place(node)}")
        for result in list(node.users) if not node.args[0] else []:
            with graph.inserting_after(result):
                detached = graph.call_function(
                    torch.ops.aten.detach.default, (result,))
            detached.meta = dict(result.meta)
            result.replace_all_uses_with(
                detached, lambda user: user not in (detached,)
                and user.op != "output")
    program.graph_module.recompile()


def _decompose(program):
    _detach_without_gradient(program)
    try:
        return program.run_decompositions(_decompositions(program))
    except RuntimeError as error:
        raise Unsupported(
            f"torch.export: {_first_line(error)}") from error


def _decompositions(program):
    """PyTorch's, except of the ops that are in the table.

    PyTorch 2.15 has wrong shapes for losses of each element that are kept.
    """
    kept = set(table())
    for node in program.graph.nodes:
        if node.op == "call_function" and _is_aten(node.target) and \
                _key(node.target) in PER_ELEMENT and node.args[3:4] == (0,):
            kept -= set(PER_ELEMENT)
    result = torch.export.default_decompositions()
    for op in list(result):
        if _key(op) in kept:
            result.pop(op)
    return result


def _key(op):
    """The name of an op in the table."""
    text = str(op)
    return text.removeprefix("aten.") if text.startswith("aten.") else text


def _place(node):
    """The module and the user's line that a node comes from."""
    path = [path for path, _ in node.meta.get("nn_module_stack", {}).values()]
    path = path[-1].removeprefix("module").lstrip(".") if path else ""
    file, line = _line(node)
    where = f" at {file}:{line}" if file else ""
    return (f" of module '{path}'" if path else "") + where


def _line(node):
    """The innermost line outside of PyTorch and of this file."""
    frames = re.findall(r'File "([^"]+)", line (\d+)',
                        node.meta.get("stack_trace") or "")
    inside = str(pathlib.Path(torch.__file__).parent)
    own = [frame for frame in frames
           if not frame[0].startswith((inside, __file__, "<"))]
    return own[-1] if own else (None, None)


def _refuse_dropout(program):
    """Random numbers are no part of a graph."""
    found = []
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        op, args = _key(node.target).split(".")[0], node.args
        share, training = 0, True
        if op in DROPOUTS:
            share, training = args[1], args[2]
        elif op in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
            share, training = args[-4], args[-3]
            training = training and args[-5] > 1
        if training and isinstance(share, float) and share > 0:
            found.append(f"dropout of {share}{_place(node)}")
    if found:
        raise Unsupported("; ".join(found) + ": random numbers are not "
                          "supported: set p = 0, or call module.eval()")


class _Import:
    """The translation of one exported program."""

    def __init__(self, module, program, batch, name, outputs, dynamic):
        self.module, self.program, self.batch = module, program, batch
        self.name, self.outputs, self.dynamic = name, outputs, dynamic
        self.emitter = Emitter()
        self.symbol = None
        self.values = {}
        self.labels = _negative_labels(batch) | _negative_numbers(program)

    def run(self):
        self.refuse_unknown()
        arguments, parameters, feeds = self.bind_inputs()
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                self.emit(node)
        results, assignments = self.results(parameters)
        for name, _ in assignments:
            next(p for p in parameters if p.name == name).assigned = True
        text = main_text(self.name, arguments, self.emitter, results)
        return LossFunction(self.name, text, parameters, feeds, self.outputs,
                            False, assignments)

    def refuse_unknown(self):
        """All ops that cannot be translated, in one message."""
        known, unknown = table(), {}
        for node in self.program.graph.nodes:
            if node.op != "call_function" or not _is_aten(node.target):
                continue
            key = _key(node.target)
            if key not in known and key.split(".")[0] not in CHECKS + (
                    "sym_size",) and not _is_constant(node):
                unknown.setdefault(key, _place(node))
        if unknown:
            raise Unsupported("no translation of " + "; ".join(
                f"aten.{key}{place}" for key, place in unknown.items()))

    # Inputs.

    def bind_inputs(self):
        """Arguments of @main: parameters first, then feeds."""
        nodes = {node.name: node for node in self.program.graph.nodes
                 if node.op == "placeholder"}
        specs = self.program.graph_signature.input_specs
        mutated = set(
            self.program.graph_signature.buffers_to_mutate.values())
        self.find_symbol(nodes, specs)
        bound, parameters, feeds = {}, [], []
        for spec in specs:
            node = nodes[spec.arg.name]
            if spec.kind == InputKind.USER_INPUT:
                feeds.append((node, self.feed(node, len(feeds))))
            elif spec.kind == InputKind.CONSTANT_TENSOR or (
                    spec.kind == InputKind.BUFFER
                    and spec.target not in mutated
                    and not self.keeps_buffer(spec)):
                if node.users:
                    self.values[node] = self.emitter.constant(_numpy(
                        self.tensor(spec.target)))
            elif node.users:
                self.bind_parameter(node, spec, bound, parameters)
        arguments = [argument for argument, _ in bound.values()]
        for node, feed in feeds:
            arguments.append(self.argument(node, feed.name))
        if self.dynamic:
            self.emitter.batch_source = next(
                (a.tensor for a in arguments[len(bound):]
                 if a.tensor.dims and None in a.tensor.dims[0]), None)
        return arguments, parameters, [feed for _, feed in feeds]

    def keeps_buffer(self, spec):
        """Whether a buffer is part of a saved model, and a variable can hold
        it."""
        return spec.persistent and self.tensor(spec.target).dtype != torch.bool

    def find_symbol(self, nodes, specs):
        for spec in specs:
            value = nodes[spec.arg.name].meta["val"]
            if spec.kind == InputKind.USER_INPUT and value.dim() and \
                    isinstance(value.shape[0], torch.SymInt):
                self.symbol = value.shape[0].node.expr
                return

    def tensor(self, target):
        for store in (self.program.state_dict, self.program.constants):
            if target in store:
                return store[target].detach()
        raise Unsupported(f"a tensor '{target}' without a value")

    def bind_parameter(self, node, spec, bound, parameters):
        """One argument for all names of a tensor."""
        value = self.program.state_dict[spec.target]
        key = (value.data_ptr(), tuple(value.shape), value.stride()) \
            if value.numel() else spec.target
        if key not in bound:
            name = self.parameter_name(spec.target, value)
            trainable = spec.kind == InputKind.PARAMETER and \
                value.requires_grad
            bound[key] = (self.argument(node, name), None)
            parameters.append(Parameter(name, _numpy(value.detach()),
                                        trainable))
        self.values[node] = bound[key][0].tensor

    def parameter_name(self, target, value):
        """The module's own name of a tensor, the first of several."""
        for name, parameter in self.module.named_parameters():
            if parameter is value:
                return name
        return target.removeprefix("module.")

    def feed(self, node, index):
        name = list(self.batch)[index]
        shape = tuple(None if isinstance(size, Multiple) else size
                      for size in self.sizes(node.meta["val"]))
        return Feed(name, shape, DTYPES[node.meta["val"].dtype])

    def argument(self, node, name):
        value = node.meta["val"]
        dims = tuple(dim_of(size) for size in self.sizes(value))
        tensor = Tensor(f"%arg_{len(self.values)}", dims, DTYPES[value.dtype])
        self.values[node] = tensor
        return Argument(name, tensor)

    # Nodes.

    def emit(self, node):
        if not _is_aten(node.target):
            return self.emit_python(node)
        key = _key(node.target)
        if key.split(".")[0] in CHECKS + ("sym_size",):
            return None
        self.emitter.locate(*_line(node))
        if key not in table():
            self.values[node] = self.fold(node)
            return None
        try:
            call = self.call(node)
            args = self.resolve(node.args)
            named = {k: self.resolve(v) for k, v in node.kwargs.items()}
            result = table()[key](call, *args, **named)
            self.values[node] = self.check(node, result)
        except Unsupported as error:
            raise Unsupported(
                f"aten.{key}{_place(node)}: {error}") from None
        except (TypeError, IndexError, AttributeError) as error:
            raise Unsupported(f"aten.{key}{_place(node)}: these arguments "
                              f"({error})") from error
        return None

    def fold(self, node):
        """The result of an op without tensors as operands, which PyTorch
        computes."""
        result = node.target(*node.args, **node.kwargs)
        if isinstance(result, torch.Tensor):
            return self.emitter.constant(_numpy(result))
        return [self.emitter.constant(_numpy(part)) for part in result]

    def emit_python(self, node):
        """Arithmetic on sizes needs no op, parts of results have theirs."""
        if node.target.__name__ == "getitem" and node.args[0] in self.values:
            self.values[node] = self.values[node.args[0]][node.args[1]]

    def call(self, node):
        value = node.meta.get("val")
        first = value[0] if isinstance(value, (list, tuple)) else value
        call = Call(self.emitter, labels=self.labels)
        if isinstance(first, torch.Tensor):
            call.dtype = DTYPES.get(first.dtype)
            if call.dtype is None:
                raise Unsupported(f"a result of {first.dtype}")
            call.sizes = self.sizes(first)
        if isinstance(value, (list, tuple)) and len(value) > 1 and all(
                isinstance(v, torch.Tensor) for v in value):
            call.sizes = tuple(self.sizes(v) for v in value) \
                if _key(node.target).startswith(("split", "chunk")) \
                else call.sizes
        call.common = self.common_type(node)
        return call

    def common_type(self, node):
        """What two operands promote to."""
        values = [arg.meta["val"] if isinstance(arg, torch.fx.Node) else arg
                  for arg in node.args[:2]]
        if len(values) < 2 or not all(isinstance(
                v, (torch.Tensor, int, float)) for v in values):
            return None
        return DTYPES.get(torch.result_type(*values))

    def resolve(self, arg):
        """An argument as the table's functions get it."""
        if isinstance(arg, (list, tuple)):
            return [self.resolve(item) for item in arg]
        if isinstance(arg, slice):
            return slice(*map(self.resolve, (arg.start, arg.stop, arg.step)))
        if not isinstance(arg, torch.fx.Node):
            return arg
        if arg in self.values:
            return self.values[arg]
        value = arg.meta["val"]
        if isinstance(value, (torch.SymInt, int)):
            return self.size(value)
        if isinstance(value, torch.SymFloat):
            return self.size(value)
        raise Unsupported(f"a value of '{arg.name}'")

    def sizes(self, value):
        return tuple(self.size(size) for size in value.shape)

    def size(self, value):
        """An integer, or a Multiple of the batch size."""
        if isinstance(value, int):
            return value
        expression = value.node.expr
        if expression.is_number:
            return int(expression)
        if any(str(symbol).startswith("u")
               for symbol in expression.free_symbols):
            raise Unsupported("a size that depends on values: use a mask with "
                              "torch.where, or multiply by it")
        factor = expression.coeff(self.symbol) if self.symbol else 0
        if factor and factor.is_Integer and \
                expression - factor * self.symbol == 0:
            return Multiple(int(factor))
        raise Unsupported(f"a size of {expression}, where the batch size is "
                          f"{self.symbol}")

    def check(self, node, result):
        """The result, if its shapes and types are those of PyTorch."""
        value = node.meta.get("val")
        expected = value if isinstance(value, (list, tuple)) else [value]
        found = result if isinstance(result, (list, tuple)) else [result]
        for ours, theirs in zip(found, expected):
            if ours is None or not isinstance(theirs, torch.Tensor):
                continue
            sizes = self.sizes(theirs)
            if tuple(map(size_of, ours.dims)) != sizes or \
                    ours.dtype != DTYPES[theirs.dtype]:
                raise Unsupported(
                    f"internal: emitted {ours}, expected "
                    f"{DTYPES[theirs.dtype]}{show(map(dim_of, sizes))}")
        return result

    # Results.

    def results(self, parameters):
        """Results of @main, and which of them are new values."""
        signature = self.program.graph_signature
        (output,) = [node for node in self.program.graph.nodes
                     if node.op == "output"]
        mine, assigned = [], []
        for spec, node in zip(signature.output_specs, output.args[0]):
            if spec.kind == OutputKind.USER_OUTPUT:
                mine.append(self.output(node))
            elif spec.kind == OutputKind.BUFFER_MUTATION:
                assigned.append((spec.target, self.output(node)))
            else:
                raise Unsupported(f"a result of kind {spec.kind.name}")
        names = {p.name for p in parameters}
        kept = [(t.removeprefix("module."), v) for t, v in assigned
                if t.removeprefix("module.") in names]
        assignments = [(target, len(mine) + i)
                       for i, (target, _) in enumerate(kept)]
        return mine + [value for _, value in kept], assignments

    def output(self, node):
        if not isinstance(node, torch.fx.Node) or node not in self.values:
            raise Unsupported("a result that is no tensor")
        return self.values[node]


def _is_aten(target):
    return isinstance(target, torch._ops.OpOverload)


def _is_constant(node):
    """Whether an op has no operands that depend on anything."""
    return not node.all_input_nodes and \
        torch.Tag.nondeterministic_seeded not in node.target.tags


def _numpy(tensor):
    if tensor.dtype == torch.bfloat16:
        raise Unsupported("a parameter of bfloat16: keep parameters in "
                          "float32")
    return tensor.cpu().contiguous().numpy().copy()


def _negative_numbers(program):
    """Negative integers that ops other than losses have as arguments: labels
    may be set to them."""
    return {arg for node in program.graph.nodes
            if node.op == "call_function" and "loss" not in str(node.target)
            for arg in node.args if isinstance(arg, (int, float))
            and math.isfinite(arg) and arg < -1 and arg == int(arg)}


def _negative_labels(batch):
    """Negative integers of the sample batch."""
    labels = set()
    for value in batch.values():
        if not value.is_floating_point() and value.dtype != torch.bool:
            labels |= set(value[value < 0].tolist())
    return labels
