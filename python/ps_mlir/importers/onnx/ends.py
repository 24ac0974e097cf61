# SPDX-License-Identifier: Apache-2.0
"""What a loss of logits is of, where a model ends with probabilities."""

from dataclasses import dataclass

import onnx
import onnx.numpy_helper

from ps_mlir.importers.stablehlo.shapes import Unsupported

# Results are of the same elements as the first inputs, or of both.
_MOVES = ("Identity", "Cast", "ZipMap")
_PASS = (*_MOVES, "Normalizer", "Concat", "Sub", "Reshape", "Squeeze",
         "Unsqueeze", "Flatten", "Transpose", "Slice", "Gather", "Split",
         "Clip", "ArrayFeatureExtractor", "FeatureVectorizer")
_SUMS = (*_PASS, "Add", "Max", "Where")


@dataclass(frozen=True)
class End:
    """`value` is what a Softmax, along `axis`, or a Sigmoid gets, as `kind`
    says; of "pair", the one logit of two classes; of "linear", the scores of a
    LinearClassifier; otherwise the output. `is_normalized` is whether rows are
    divided by their sums after that."""
    value: str
    kind: str = ""
    is_normalized: bool = False
    axis: int = -1


class Ends:
    """Finds the ends of a graph, whose `producers` are nodes by value."""

    def __init__(self, producers, initializers):
        self.producers, self.initializers = producers, initializers

    def find(self, loss, output):
        """The End before `output`.

        Raises Unsupported if that is normalized in another way.
        """
        value, is_normalized = output, False
        while (node := self.producers.get(value)) is not None:
            if node.op_type in ("Softmax", "Sigmoid"):
                return End(node.input[0], node.op_type.lower(), is_normalized,
                           _attribute(node, "axis", -1))
            if node.op_type == "LinearClassifier":
                return End(value, "linear", is_normalized)
            logit = self.logit_of_pair(node)
            if logit:
                return End(logit, "pair", is_normalized)
            if node.op_type == "Normalizer" and _attribute(
                    node, "norm", b"MAX") == b"L1":
                is_normalized = True
            elif node.op_type not in _MOVES:
                break
            value = node.input[0]
        self.refuse_probabilities(loss, output)
        return End(value)

    def logit_of_pair(self, node):
        """The logit where p = sigmoid(logit) and 1 - p are joined."""
        if node.op_type != "Concat" or len(node.input) != 2 or _attribute(
                node, "axis", None) not in (1, -1):
            return None
        other, sigmoid = (self.producers.get(name) for name in node.input)
        if other is None or sigmoid is None or (
                other.op_type, sigmoid.op_type) != ("Sub", "Sigmoid"):
            return None
        if other.input[1] != node.input[1] or not self.is_one(other.input[0]):
            return None
        return sigmoid.input[0]

    def is_one(self, name):
        constant = self.initializers.get(name)
        node = self.producers.get(name)
        if constant is None and node is not None and node.op_type == "Constant":
            constant = onnx.helper.get_attribute_value(node.attribute[0])
        return isinstance(constant, onnx.TensorProto) and bool(
            (onnx.numpy_helper.to_array(constant) == 1).all())

    def refuse_probabilities(self, loss, output):
        for name in self.behind(output, _PASS):
            node = self.producers[name]
            place = place_of(node)
            if node.op_type in ("Softmax", "Sigmoid", "LinearClassifier"):
                advice = "" if node.op_type == "LinearClassifier" else (
                    f": give output='{node.input[0]}', which are the logits")
                raise Unsupported(
                    f"{loss} is of logits, '{output}' is made of the "
                    f"probabilities of {place}{advice}")
            if node.op_type == "Normalizer" or node.op_type == "Div" and (
                    self.is_sum(*node.input)):
                raise Unsupported(
                    f"{loss} is of logits, '{output}' is made of probabilities "
                    f"that {place} divides by their sum: give the value that "
                    "is the logits as output='..'")

    def is_sum(self, dividend, divisor):
        """Whether the divisor is a sum of what is divided."""
        parts = set(self.behind(dividend, _SUMS))
        return any(self.producers[name].op_type == "ReduceSum" and not
                   parts.isdisjoint(self.behind(self.producers[name].input[0],
                                                _SUMS))
                   for name in self.behind(divisor, _SUMS))

    def behind(self, output, kinds):
        """Values of nodes, to the first of each branch not of these kinds."""
        found, pending = {}, [output]
        while pending:
            name = pending.pop()
            node = self.producers.get(name)
            if node is not None and name not in found:
                found[name] = True
                pending += node.input if node.op_type in kinds else []
        return list(found)


def _attribute(node, name, default):
    return next((onnx.helper.get_attribute_value(attribute)
                 for attribute in node.attribute if attribute.name == name),
                default)


def place_of(node):
    return node.op_type + (f" '{node.name}'" if node.name else "")
