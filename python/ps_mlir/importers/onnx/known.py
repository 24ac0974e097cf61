# SPDX-License-Identifier: Apache-2.0
"""Computes what needs no input: shapes, indices and constants."""

import numpy
import onnx
from onnx.reference import ReferenceEvaluator

from ps_mlir.importers.onnx.table import Known
from ps_mlir.importers.stablehlo.shapes import Multiple, Unsupported, size_of


def shape_of(value, attributes):
    """The op Shape."""
    sizes = [size_of(dim) for dim in value.dims]
    sizes = sizes[attributes.get("start", 0):attributes.get("end")]
    return known_sizes(sizes)


def known_sizes(sizes):
    symbolic = any(isinstance(size, Multiple) for size in sizes)
    array = numpy.empty(len(sizes), object if symbolic else "int64")
    array[:] = sizes
    return Known(array)


def evaluate(node, values, opset):
    """The results of a node of Known inputs."""
    if any(value is not None and value.is_symbolic for value in values):
        return [_symbolic(node, values)]
    inputs = {name: value.array for name, value in zip(node.input, values)
              if name}
    graph = onnx.helper.make_graph(
        [node], "constant",
        [onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), None)
         for name, array in inputs.items()],
        [onnx.helper.make_value_info(name, onnx.TypeProto())
         for name in node.output])
    model = onnx.helper.make_model(graph, opset_imports=opset)
    results = ReferenceEvaluator(model).run(None, inputs)
    return [Known(numpy.asarray(result)) for result in results]


def _symbolic(node, values):
    """Of shapes with the batch size; only what exporters do with shapes."""
    attributes = {a.name: onnx.helper.get_attribute_value(a)
                  for a in node.attribute}
    arrays = [None if v is None else v.array for v in values]
    if node.op_type not in _SYMBOLIC:
        raise Unsupported("arithmetic with the batch size")
    result = _SYMBOLIC[node.op_type](attributes, *arrays)
    result = numpy.asarray(result, object)
    if not any(isinstance(item, Multiple) for item in result.reshape(-1)):
        result = result.astype("int64")
    return Known(result)


def _slice(attributes, x, starts, ends, axes=None, steps=None):
    if x.ndim != 1:
        raise Unsupported("a slice of a matrix of sizes")
    step = 1 if steps is None else int(steps.reshape(-1)[0])
    return x[int(starts.reshape(-1)[0]):int(ends.reshape(-1)[0]):step]


def _squeeze(attributes, x, axes=None):
    return x.reshape([n for n in x.shape if n != 1])


def _unsqueeze(attributes, x, axes=None):
    axes = attributes.get("axes") if axes is None else axes.tolist()
    return numpy.expand_dims(x, tuple(axes))


def _gather(attributes, x, index):
    return numpy.take(x, index.astype("int64"), attributes.get("axis", 0))


def _concatenate(attributes, *values):
    return numpy.concatenate([v.astype(object) for v in values])


def _equal(attributes, x, y):
    return numpy.vectorize(lambda a, b: a == b, otypes=[bool])(x, y)


def _elementwise(function):
    def apply(attributes, x, y):
        return numpy.frompyfunc(function, 2, 1)(x.astype(object),
                                                y.astype(object))
    return apply


def _add(x, y):
    if isinstance(x, Multiple) and isinstance(y, Multiple):
        return Multiple(x.factor + y.factor)
    if isinstance(x, Multiple) or isinstance(y, Multiple):
        if 0 in (x, y):
            return x if y == 0 else y
        raise Unsupported("a sum of the batch size and a number")
    return x + y


_SYMBOLIC = {
    "Slice": _slice, "Squeeze": _squeeze, "Unsqueeze": _unsqueeze,
    "Gather": _gather, "Concat": _concatenate, "Equal": _equal,
    "Identity": lambda attributes, x: x, "Cast": lambda attributes, x: x,
    "Reshape": lambda attributes, x, shape: x.reshape(
        shape.astype("int64")),
    "Shape": lambda attributes, x: numpy.array(x.shape, "int64"),
    "Where": lambda attributes, condition, x, y: numpy.where(condition, x, y),
    "Mul": _elementwise(lambda x, y: x * y),
    "Div": _elementwise(lambda x, y: x // y), "Add": _elementwise(_add),
    "Max": lambda attributes, *v: _largest(*v)}


def _largest(x, y=None):
    """Of a size and at most 1: the batch size is at least 1."""
    if y is not None and x.size == y.size == 1:
        values = [x.reshape(-1)[0], y.reshape(-1)[0]]
        sizes = [v for v in values if isinstance(v, Multiple)]
        if len(sizes) == 1 and all(v <= 1 for v in values if v not in sizes):
            return numpy.array(sizes, object).reshape(x.shape)
    raise Unsupported("the larger one of two sizes")
