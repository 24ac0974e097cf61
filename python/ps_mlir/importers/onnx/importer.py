# SPDX-License-Identifier: Apache-2.0
"""Imports models of ONNX.

    function = import_onnx("model.onnx", "softmax_cross_entropy")

A file has the forward computation only, so a loss is added. Initializers of
floats become parameters that train; statistics of batch normalization, scalars
and what `trainable` excludes do not. Every initializer is one parameter: an
exporter's optimizer that merges equal initializers ties them, so export with
it turned off (torch.onnx.export(..., optimize=False)).
"""

import pathlib
import re

import numpy
import onnx
import onnx.inliner
import onnx.numpy_helper

from ps_mlir.graph import GraphError
from ps_mlir.importers.onnx import known
from ps_mlir.importers.stablehlo import losses
from ps_mlir.importers.stablehlo.emitter import ELEMENT_TYPES, Emitter, Tensor, singles
from ps_mlir.importers.function import Feed, LossFunction, Parameter
from ps_mlir.importers.module import Argument, main_text
from ps_mlir.importers.stablehlo.arithmetic import multiply, subtract
from ps_mlir.importers.stablehlo.movement import concatenate, select
from ps_mlir.importers.onnx.elementwise import ELEMENTS
from ps_mlir.importers.onnx.ends import End, Ends, place_of
from ps_mlir.importers.onnx.table import Call, Known, table
from ps_mlir.importers.stablehlo.shapes import BATCH, Unsupported, show

# Names that exporters invent for constants.
GENERATED = re.compile(r"^(val|const|scalar|_|/|onnx::|c_lifted|unity$|"
                       r"negate$|num_classes$)")
FLOATS = tuple(kind for kind, element in ELEMENTS.items()
               if element in ("f16", "bf16", "f32", "f64"))
LOSSES = ("mse", "softmax_cross_entropy", "binary_cross_entropy")


def import_onnx(model, loss, *, output=None, target="target", targets=None,
                sizes=None, trainable=None, name=None):
    """The LossFunction of a model.

    model: a ModelProto, or the path of a file.
    loss: "mse" of the output; "softmax_cross_entropy" of logits and classes;
        "binary_cross_entropy" of logits and zeros or ones; or a function
        loss(emitter, outputs, targets) of dictionaries of Tensors that returns
        a scalar Tensor. A Softmax or Sigmoid at the end is left out where the
        loss is one of logits, and probabilities that are made in another way
        are refused. Of two classes both cross entropies are the same.
    output: the value that the loss is of, any of the graph; by default the
        only output of floats. It becomes an output of the function.
    target: the name of the feed with what the output should be.
    targets: the Feeds that a function as loss needs.
    sizes: numbers for dimensions of inputs that have names, except dimension
        0, which is the batch size.
    trainable: a function that says of a name whether it trains.
    """
    path = None if isinstance(model, onnx.ModelProto) else str(model)
    model = onnx.load(path) if path else model
    name = name or (pathlib.Path(path).stem if path else
                    model.graph.name or "model")
    try:
        model = onnx.inliner.inline_local_functions(model)
        return _Import(model, name, sizes or {}, trainable).run(
            loss, output, target, targets)
    except Unsupported as error:
        raise GraphError(f"cannot import '{name}': {error}") from None


class _Import:
    """The translation of one model."""

    def __init__(self, model, name, sizes, trainable):
        self.graph, self.name, self.given = model.graph, name, sizes
        self.opsets = list(model.opset_import)
        self.opset = next((o.version for o in self.opsets
                           if o.domain in ("", "ai.onnx")), 1)
        self.is_trainable = trainable
        self.emitter = Emitter()
        self.values, self.logits = {}, {}
        self.arguments, self.parameters = [], []
        self.frozen = set()
        self.producers = {name: node for node in self.graph.node
                          for name in node.output if name}
        self.initializers = {i.name: i for i in self.graph.initializer}

    def run(self, loss, output, target, targets):
        output = output or self.only_output()
        if output not in self.producers:
            raise Unsupported(f"no value '{output}': outputs are " + ", ".join(
                f"'{o.name}'" for o in self.graph.output))
        end = self.end(loss, output)
        nodes = self.needed([end.value])
        self.refuse_unknown(nodes)
        feeds = self.bind_inputs(nodes)
        self.bind_initializers(nodes)
        for node in nodes:
            self.emit(node)
        names, value = self.loss(loss, end, target, targets, feeds)
        arguments = [*self.arguments, *feeds]
        text = main_text(self.name, arguments, self.emitter,
                         [value, *(self.values[n] for n in names)])
        return LossFunction(
            self.name, text, self.parameters,
            [Feed(a.name, a.tensor.shape, a.tensor.dtype) for a in feeds],
            names)

    def only_output(self):
        """The output that is no label."""
        outputs = [output.name for output in self.graph.output
                   if output.type.tensor_type.elem_type in (
                       onnx.TensorProto.UNDEFINED, *FLOATS)]
        if len(outputs) != 1:
            raise Unsupported(
                "expected output='..', the name of what the loss is of, found "
                "the outputs " + ", ".join(f"'{o.name}'"
                                           for o in self.graph.output))
        return outputs[0]

    def needed(self, outputs):
        """Nodes that the outputs depend on, in the graph's order."""
        wanted, nodes = set(outputs), []
        for node in reversed(self.graph.node):
            if wanted & set(node.output):
                nodes.append(node)
                wanted |= set(node.input)
                if any(a.HasField("g") for a in node.attribute):
                    raise Unsupported(f"{place_of(node)}: control flow")
        return nodes[::-1]

    def refuse_unknown(self, nodes):
        supported = table()
        unknown = {node.op_type: place_of(node) for node in nodes
                   if node.op_type not in supported and
                   node.op_type not in ("Constant", "Shape", "Size")}
        if unknown:
            raise Unsupported("no translation of " + "; ".join(
                unknown.values()))

    # Inputs.

    def bind_inputs(self, nodes):
        used = {name for node in nodes for name in node.input}
        feeds = []
        for value in self.graph.input:
            if value.name in self.initializers or value.name not in used:
                continue
            kind = value.type.tensor_type
            if kind.elem_type not in ELEMENTS:
                raise Unsupported(f"input '{value.name}' is of type "
                                  f"{kind.elem_type}")
            dims = tuple(self.input_dim(value.name, axis, dim)
                         for axis, dim in enumerate(kind.shape.dim))
            feeds.append(self.feed(value.name, dims,
                                   ELEMENTS[kind.elem_type]))
        self.emitter.batch_source = next(
            (f.tensor for f in feeds
             if f.tensor.dims and f.tensor.dims[0] == (BATCH,)), None)
        return feeds

    def feed(self, name, dims, dtype):
        tensor = Tensor(f"%feed_{len(self.values)}", dims, dtype)
        self.values[name] = tensor
        return Argument(name, tensor)

    def input_dim(self, name, axis, dim):
        if dim.dim_value > 0:
            return (dim.dim_value,)
        if axis == 0 and dim.dim_param not in self.given:
            return (BATCH,)
        if dim.dim_param in self.given:
            return (self.given[dim.dim_param],)
        raise Unsupported(
            f"dimension {axis} of input '{name}' has no size: give it as "
            f"sizes={{'{dim.dim_param}': ..}}" if dim.dim_param else
            f"dimension {axis} of input '{name}' has no size")

    def bind_initializers(self, nodes):
        """Parameters for floats, Known values for the rest."""
        used, constant = [], set()
        for node in nodes:
            if node.op_type == "Resize":
                constant |= set(node.input[1:3])  # its scales
            if node.op_type == "BatchNormalization":
                self.frozen |= set(node.input[3:5])
            used += [n for n in node.input if n in self.initializers]
        for name in dict.fromkeys(used):
            array = onnx.numpy_helper.to_array(self.initializers[name])
            if name not in constant and self.is_parameter(name, array):
                self.values[name] = self.parameter(name, array)
            else:
                self.values[name] = Known(array)

    def is_parameter(self, name, array):
        if str(array.dtype) in ("float16", "bfloat16") and array.size > 1 \
                and self.is_trained(name):
            raise Unsupported(
                f"initializer '{name}' is of {array.dtype}, which is not "
                "trained: convert the model to float32, or leave it as it is "
                f"with trainable=lambda name: name != '{name}'")
        if array.dtype not in (numpy.float32, numpy.float64) or not array.ndim:
            return False
        if name in self.frozen:
            return True
        if not numpy.isfinite(array).all():
            return False
        return array.size > 1 or not GENERATED.match(name)

    def is_trained(self, name):
        return name not in self.frozen and (self.is_trainable is None or
                                            self.is_trainable(name))

    def parameter(self, name, array):
        array = numpy.array(array)  # of its own memory
        tensor = Tensor(f"%parameter_{len(self.parameters)}",
                        singles(array.shape), ELEMENT_TYPES[str(array.dtype)])
        self.arguments.append(Argument(name, tensor))
        self.parameters.append(Parameter(name, array, self.is_trained(name)))
        return tensor

    # Nodes.

    def emit(self, node):
        try:
            self.emit_at(node)
        except Unsupported as error:
            raise Unsupported(f"{place_of(node)}: {error}") from None

    def emit_at(self, node):
        attributes = {a.name: _attribute(a) for a in node.attribute}
        inputs = [self.values[name] if name else None for name in node.input]
        if node.op_type == "Constant":
            self.bind(node, [Known(_constant(attributes))])
        elif node.op_type in ("Shape", "Size") and isinstance(
                inputs[0], Tensor):
            self.bind(node, [known.shape_of(inputs[0], attributes)])
        elif inputs and self.is_known(node, inputs):
            self.bind(node, known.evaluate(node, inputs, self.opsets))
        else:
            self.translate(node, attributes, inputs)

    def is_known(self, node, inputs):
        """Whether no tensor is needed; large constants are made in the graph.
        """
        if node.op_type in ("ConstantOfShape", "Expand", "Range") and any(
                v is not None and not isinstance(v, Tensor) and v.is_symbolic
                for v in inputs):
            return False
        return all(v is None or isinstance(v, Known) for v in inputs)

    def translate(self, node, attributes, inputs):
        call = Call(self.emitter, attributes, self.opset, len(node.output),
                    {}, node.name or node.op_type, self.parameter)
        try:
            result = table()[node.op_type](call, *inputs)
        except (TypeError, IndexError, AttributeError, KeyError,
                ValueError) as error:
            raise Unsupported(f"these inputs ({error})") from error
        self.bind(node, result if isinstance(result, (list, tuple))
                  else [result])
        for kind, value in call.logits.items():
            for name in node.output:
                self.logits[name, kind] = value

    def bind(self, node, results):
        for name, value in zip(node.output, results):
            if name and value is not None:
                self.values[name] = value

    # The loss.

    def end(self, loss, output):
        """What is imported: the value before a final Softmax or Sigmoid, if
        the loss is of logits."""
        if callable(loss) or loss == "mse":
            return End(output)
        if loss not in LOSSES:
            raise Unsupported(f"expected a loss of {', '.join(LOSSES)} or a "
                              f"function, found '{loss}'")
        return Ends(self.producers, self.initializers).find(loss, output)

    def loss(self, loss, end, target, targets, feeds):
        """Names of outputs, and the loss."""
        if callable(loss):
            wanted = {feed.name: self.add_target(feed, feeds)
                      for feed in targets or []}
            outputs = {name: value for name, value in self.values.items()
                       if isinstance(value, Tensor)}
            return [end.value], loss(self.emitter, outputs, wanted)
        value, e = self.values.get(end.value), self.emitter
        if not isinstance(value, Tensor):
            raise Unsupported(f"'{end.value}' depends on no input")
        if loss == "mse":
            feed = Feed(target, value.shape, value.dtype)
            result = losses.mse(e, value, self.add_target(feed, feeds))
        elif loss == "softmax_cross_entropy":
            value = self.class_logits(end, value)
            feed = Feed(target, _without_classes(value), "i64")
            result = losses.cross_entropy(e, value,
                                          self.add_target(feed, feeds))
        else:
            value = self.binary_logits(end, value)
            feed = Feed(target, value.shape, value.dtype)
            result = losses.logistic_loss(e, value,
                                          self.add_target(feed, feeds))
        return [end.value], result

    def class_logits(self, end, value):
        """A logit for each class."""
        if end.kind == "pair":
            self.check_pair(end, value)
            half = multiply(self.emitter, value, 0.5)
            return concatenate(self.emitter, [
                self.emitter.unary("negate", half), half], 1)
        if end.kind == "linear" and (end.value, "softmax") in self.logits:
            return self.logits[end.value, "softmax"]
        if end.kind in ("sigmoid", "linear"):
            raise Unsupported(
                f"softmax_cross_entropy of '{end.value}', which are no logits "
                "of classes, but of a sigmoid each: expected the loss "
                "'binary_cross_entropy'")
        self.check_classes(end, value)
        return value

    def check_pair(self, end, value):
        if value.rank != 2 or value.shape[1] != 1:
            raise Unsupported(
                f"two classes of '{end.value}', whose shape is {value.shape}: "
                "expected one logit for each sample")

    def check_classes(self, end, value):
        if end.kind == "softmax" and (
                end.axis not in (1, 1 - value.rank) or
                value.rank > 2 and self.opset < 13):
            raise Unsupported(
                f"a Softmax of '{end.value}' in dimension {end.axis}: expected "
                "classes in dimension 1")

    def binary_logits(self, end, value):
        """One logit per sample where there are two classes."""
        is_linear = end.kind == "linear"
        if is_linear and (end.value, "sigmoid") in self.logits:
            return select(self.emitter, self.logits[end.value, "sigmoid"], 1, 1)
        if end.kind == "pair":
            self.check_pair(end, value)
            return select(self.emitter, value, 1, 0)
        if is_linear:
            value = self.logits.get((end.value, "logistic"), value)
        is_softmax = end.kind == "softmax" or is_linear and (
            end.value, "logistic") not in self.logits
        self.check_classes(end, value)
        if is_softmax and value.rank == 2 and value.shape[1] == 2:
            value = self.logits.get((end.value, "softmax"), value)
            return subtract(self.emitter, select(self.emitter, value, 1, 1),
                            select(self.emitter, value, 1, 0))
        if is_softmax or end.is_normalized:
            raise Unsupported(
                f"binary_cross_entropy of '{end.value}', of whose probabilities "
                "the sum is 1: expected the loss 'softmax_cross_entropy', or "
                "two classes")
        return value

    def add_target(self, feed, feeds):
        if feed.name in self.values:
            raise Unsupported(f"the target '{feed.name}' has the name of a "
                              "value: choose another by target=")
        feeds.append(self.feed(feed.name, singles(feed.shape), feed.dtype))
        if self.emitter.batch_source is None and feed.shape[:1] == (BATCH,):
            self.emitter.batch_source = feeds[-1].tensor
        return feeds[-1].tensor


def _without_classes(value):
    if value.rank < 2 or BATCH in value.dims[1]:
        raise Unsupported(f"cross entropy of {value}: expected classes in "
                          "dimension 1")
    if any(len(dim) > 1 for dim in value.dims):
        raise Unsupported(f"cross entropy of {show(value.dims)}")
    return tuple(dim[0] for axis, dim in enumerate(value.dims) if axis != 1)


def _attribute(attribute):
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return value


def _constant(attributes):
    (value,) = attributes.values()
    return numpy.asarray(value)

