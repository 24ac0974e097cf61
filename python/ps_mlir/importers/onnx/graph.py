# SPDX-License-Identifier: Apache-2.0
"""Makes graphs of ONNX models, and models of what was trained."""

import numpy
import onnx
import onnx.numpy_helper

from ps_mlir.graph import build_graph
from ps_mlir.importers.onnx import linear
from ps_mlir.importers.onnx.importer import import_onnx


def from_onnx(model, loss, optimizer, **options):
    """Makes a Graph that trains the initializers of a model.

    model: a ModelProto, or the path of a file.
    loss, options: as import_onnx() has them: "mse", "softmax_cross_entropy" or
        "binary_cross_entropy" of an `output` and the feed `target`.
    optimizer: one of ps_mlir.optimizers, or the text of an attribute.

    `params` of a Result is the model with the initializers that were trained.
    Raises GraphError if the model cannot be imported.
    """
    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(str(model))
    function = import_onnx(model, loss, **options)
    made = _Model(model, function)
    return build_graph(function, optimizer, unflatten=made,
                       flatten=made.flatten)


class _Model:
    """Makes a model of variables, and variables of a model."""

    def __init__(self, model, function):
        self.model = model
        self.variables = {parameter.name: parameter.value.shape
                          for parameter in function.parameters}

    def __call__(self, variables):
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        for initializer in model.graph.initializer:
            if initializer.name in variables:
                initializer.CopyFrom(onnx.numpy_helper.from_array(
                    variables[initializer.name], initializer.name))
        for node in _linear_models(model):
            linear.write_weights(node, variables)
        return model

    def flatten(self, model):
        """Variables by name of a model that differs in nothing else."""
        if not isinstance(model, onnx.ModelProto):
            raise TypeError("expected a Result, a folder or a ModelProto, "
                            f"found {type(model).__name__}")
        values = {initializer.name: onnx.numpy_helper.to_array(initializer)
                  for initializer in model.graph.initializer}
        for node in _linear_models(model):
            values.update(linear.read_weights(node, self.variables))
        for own in self.model.graph.initializer:
            if own.name in self.variables:
                continue
            constant = onnx.numpy_helper.to_array(own)
            if not numpy.array_equal(values.pop(own.name, None), constant):
                raise TypeError(f"'{own.name}' is a constant of the graph: "
                                "expected a model in which it is the same")
        return values


def _linear_models(model):
    return [node for node in model.graph.node if node.op_type in linear.KINDS]
