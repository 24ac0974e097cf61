# SPDX-License-Identifier: Apache-2.0
"""Linear models of ai.onnx.ml, whose weights are attributes of nodes.

They are parameters by the name of the node. Of two classes, whose weights are
of opposite sign, only those of the second one are: so they stay opposite.
"""

import numpy

from ps_mlir.importers.onnx.table import op
from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo import products as p
from ps_mlir.importers.stablehlo import reductions as r
from ps_mlir.importers.stablehlo.movement import concatenate
from ps_mlir.importers.stablehlo.shapes import Unsupported

KINDS = ("LinearClassifier", "LinearRegressor")
_WEIGHTS = ("coefficients", "intercepts")


def _parameter_name(node, attribute):
    return f"{node.name or node.op_type}.{attribute}"


def write_weights(node, variables):
    """Sets the attributes of a node to the values of its parameters."""
    for attribute in node.attribute:
        value = variables.get(_parameter_name(node, attribute.name))
        if attribute.name not in _WEIGHTS or value is None:
            continue
        if 2 * value.size == len(attribute.floats):
            value = numpy.concatenate([-value, value])
        attribute.floats[:] = value.reshape(-1).tolist()


def read_weights(node, shapes):
    """The values of a node's parameters, those that `shapes` has by name."""
    values = {}
    for attribute in node.attribute:
        name = _parameter_name(node, attribute.name)
        if attribute.name not in _WEIGHTS or name not in shapes:
            continue
        value = numpy.array(attribute.floats, "float32")
        size = int(numpy.prod(shapes[name]))
        if value.size == 2 * size:
            if (value[:size] != -value[size:]).any():
                raise TypeError(f"expected '{name}' of two classes, of which "
                                "each has the other's with opposite sign")
            value = value[size:]
        if value.size != size:
            raise TypeError(f"parameter '{name}' expects {size} numbers, found "
                            f"{value.size}")
        values[name] = value.reshape(shapes[name])
    return values


def _weights(c, outputs):
    """Coefficients [outputs, features], and intercepts or None."""
    coefficients = numpy.array(c.attribute("coefficients"), "float32")
    intercepts = c.attribute("intercepts")
    intercepts = numpy.array(intercepts, "float32") if intercepts else None
    return coefficients.reshape(outputs, -1), intercepts


def _linear(c, x, coefficients, intercepts):
    weight = c.parameter(f"{c.name}.coefficients", coefficients)
    x = c.e.convert(x, "f32")
    if intercepts is None:
        return p.linear(c.e, x, weight)
    return p.linear(c.e, x, weight,
                    c.parameter(f"{c.name}.intercepts", intercepts))


@op("LinearRegressor")
def _linear_regressor(c, x):
    if c.text("post_transform", "NONE") != "NONE":
        raise Unsupported("a LinearRegressor with a transformation")
    return _linear(c, x, *_weights(c, c.attribute("targets", 1)))


@op("LinearClassifier")
def _linear_classifier(c, x):
    """The label is left out; scores are what losses need."""
    labels = c.attribute("classlabels_ints") or c.attribute(
        "classlabels_strings")
    coefficients, intercepts = _weights(c, len(labels))
    transform = c.text("post_transform", "NONE")
    if transform not in ("NONE", "LOGISTIC", "SOFTMAX"):
        raise Unsupported(f"a LinearClassifier with {transform}")
    if transform != "SOFTMAX" and len(labels) == 2 and _is_opposite(
            coefficients) and _is_opposite(intercepts):
        score = _linear(c, x, coefficients[1:], None if intercepts is None
                        else intercepts[1:])
        scores = concatenate(c.e, [c.e.unary("negate", score), score], 1)
        c.logits["sigmoid"] = scores
        if transform == "LOGISTIC":
            c.logits["softmax"] = a.multiply(c.e, scores, 0.5)
    else:
        scores = _linear(c, x, coefficients, intercepts)
        if transform != "LOGISTIC":
            c.logits["softmax"] = scores
        if transform != "SOFTMAX":
            c.logits["logistic"] = scores
    if transform == "LOGISTIC":
        return [None, c.e.unary("logistic", scores)]
    return [None, r.softmax(c.e, scores, 1) if transform == "SOFTMAX"
            else scores]


def _is_opposite(values):
    return values is None or (values[0] == -values[1]).all()
