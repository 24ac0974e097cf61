# SPDX-License-Identifier: Apache-2.0
"""from_onnx(): a model is trained, and is a model again."""

import unittest

import numpy
import onnx
import onnx.numpy_helper
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import ps_mlir


def make_model():
    """y = relu(x w1 + b1) w2."""
    draw = numpy.random.default_rng(2).standard_normal
    weights = {"w1": draw((4, 8)), "b1": draw(8), "w2": draw((8, 1))}
    nodes = [helper.make_node("MatMul", ["x", "w1"], ["h"]),
             helper.make_node("Add", ["h", "b1"], ["i"]),
             helper.make_node("Relu", ["i"], ["r"]),
             helper.make_node("MatMul", ["r", "w2"], ["y"])]
    return helper.make_model(helper.make_graph(
        nodes, "regression",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])],
        [onnx.numpy_helper.from_array(value.astype("f4"), name)
         for name, value in weights.items()]))


def make_classifier(transform, rows):
    node = helper.make_node(
        "LinearClassifier", ["x"], ["label", "p"], domain="ai.onnx.ml",
        classlabels_ints=[0, 1], coefficients=rows.reshape(-1).tolist(),
        intercepts=[0.5, -0.5], post_transform=transform)
    return helper.make_model(helper.make_graph(
        [node], "classifier",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("label", TensorProto.INT64, ["n"]),
         helper.make_tensor_value_info("p", TensorProto.FLOAT, ["n", 2])]),
        opset_imports=[helper.make_opsetid("", 18),
                       helper.make_opsetid("ai.onnx.ml", 1)])


def make_end(kinds, **attributes):
    """z = x w, and what the nodes `kinds` make of it, y; the last one has the
    attributes."""
    names = ["z", *(f"v{i}" for i in range(1, len(kinds))), "y"]
    nodes = [helper.make_node("MatMul", ["x", "w"], ["z"]),
             *(helper.make_node(kind, [names[i]], [names[i + 1]])
               for i, kind in enumerate(kinds))]
    nodes[-1].attribute.extend(helper.make_attribute(*each)
                               for each in attributes.items())
    return helper.make_model(helper.make_graph(
        nodes, "ends",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])],
        [onnx.numpy_helper.from_array(numpy.ones((4, 3), "f4"), "w")]))


def make_pairs():
    """Of three sigmoids: what one of two classes has."""
    model = make_end(["Sigmoid", "Identity"])
    del model.graph.node[-1]
    one = onnx.numpy_helper.from_array(numpy.ones(1, "f4"), "one")
    model.graph.initializer.append(one)
    model.graph.node.extend([
        helper.make_node("Sub", ["one", "v1"], ["other"]),
        helper.make_node("Concat", ["other", "v1"], ["y"], axis=1)])
    return model


class OnnxTest(unittest.TestCase):

    def test_what_is_trained_is_a_model(self):
        draw = numpy.random.default_rng(4).standard_normal
        x = draw((320, 4)).astype("f4")
        data = {"x": x, "target": numpy.abs(x[:, :1])}
        graph = ps_mlir.from_onnx(make_model(), "mse",
                                  ps_mlir.optimizers.adam(0.01))
        job = ps_mlir.Job(graph)
        result = job.train(data, batch_size=32, epochs=20, verbose=False)
        self.assertLess(result.losses[-1], 0.2 * result.losses[0])
        onnx.checker.check_model(result.params)
        y, = ReferenceEvaluator(result.params).run(None, {"x": x})
        predicted = job.predict(data, result)["y"]
        numpy.testing.assert_allclose(predicted, y, rtol=1e-5, atol=1e-6)
        again = job.predict({"x": x}, result.params)["y"]
        numpy.testing.assert_array_equal(again, predicted)

    def test_weights_that_are_attributes_are_trained(self):
        draw = numpy.random.default_rng(4).standard_normal
        x = draw((320, 4)).astype("f4")
        data = {"x": x, "target": (x[:, 0] > 0.5).astype("i8")}
        weights = draw((2, 4))
        for transform, rows in ("LOGISTIC", [-weights[0], weights[0]]), (
                "SOFTMAX", weights):
            model = make_classifier(transform, numpy.array(rows))
            job = ps_mlir.Job(ps_mlir.from_onnx(
                model, "softmax_cross_entropy", ps_mlir.optimizers.sgd(0.5)))
            result = job.train(data, batch_size=32, epochs=5, verbose=False)
            for found in model, result.params:
                _, p = ReferenceEvaluator(found).run(None, {"x": x})
                expected = -numpy.log(p[numpy.arange(320), data["target"]]
                                      ).mean()
                self.assertAlmostEqual(job.evaluate(data, found)["loss"],
                                       expected, 5)
            numpy.testing.assert_allclose(job.predict(data, result)["p"], p,
                                          rtol=1e-5, atol=1e-6)
            self.assertLess(result.losses[-1], 0.6 * result.losses[0])
        found.graph.node[0].attribute[1].floats[0] += 1
        with self.assertRaisesRegex(TypeError, "expected '.*' of two classes"):
            ps_mlir.Job(ps_mlir.from_onnx(
                make_classifier("LOGISTIC", numpy.array([rows[0], -rows[0]])),
                "softmax_cross_entropy", ps_mlir.optimizers.sgd(0.5))).evaluate(
                    data, found)

    def test_a_loss_of_logits_is_of_no_probabilities(self):
        for nodes, loss, error in (
                (["Sigmoid", "Flatten"], "binary_cross_entropy",
                 "'y' is made of the probabilities of Sigmoid: give output='z'"),
                (["Sigmoid"], "softmax_cross_entropy", "which are no logits"),
                (["Softmax", "Clip"], "softmax_cross_entropy",
                 "'y' is made of the probabilities of Softmax: give output='z'"),
                (["Softmax"], "binary_cross_entropy", "of whose probabilities")):
            with self.assertRaisesRegex(ps_mlir.GraphError, error):
                ps_mlir.from_onnx(make_end(nodes), loss,
                                  ps_mlir.optimizers.sgd(0.5))
            if error.endswith("'z'"):
                ps_mlir.from_onnx(make_end(nodes), loss,
                                  ps_mlir.optimizers.sgd(0.5), output="z")
        for loss in "binary_cross_entropy", "softmax_cross_entropy":
            with self.assertRaisesRegex(ps_mlir.GraphError, "in dimension 0"):
                ps_mlir.from_onnx(make_end(["Softmax"], axis=0), loss,
                                  ps_mlir.optimizers.sgd(0.5))
            with self.assertRaisesRegex(ps_mlir.GraphError,
                                        "'y' is made of probabilities"):
                ps_mlir.from_onnx(make_end(["Softmax", "Normalizer"],
                                           norm="MAX"), loss,
                                  ps_mlir.optimizers.sgd(0.5))
            with self.assertRaisesRegex(ps_mlir.GraphError,
                                        "expected one logit for each sample"):
                ps_mlir.from_onnx(make_pairs(), loss,
                                  ps_mlir.optimizers.sgd(0.5))

    def test_a_softmax_of_scores_is_of_their_difference(self):
        rows = numpy.random.default_rng(5).standard_normal(4).astype("f4")
        model = make_classifier("NONE", numpy.stack([-rows, rows]))
        model.graph.node[0].output[1] = "scores"
        model.graph.node.append(helper.make_node("Softmax", ["scores"], ["p"]))
        x = numpy.random.default_rng(6).standard_normal((8, 4)).astype("f4")
        p = ReferenceEvaluator(model).run(["p"], {"x": x})[0]
        label = numpy.arange(8) % 2
        expected = -numpy.log(p[range(8), label]).mean()
        for loss, target in (("softmax_cross_entropy", label.astype("i8")),
                             ("binary_cross_entropy", label.astype("f4"))):
            graph = ps_mlir.from_onnx(model, loss, ps_mlir.optimizers.sgd(0.5),
                                      output="p")
            found = ps_mlir.Job(graph).evaluate(
                {"x": x, graph.feeds[-1].name: target})
            self.assertAlmostEqual(found["loss"], expected, 5)

    def test_one_of_several_outputs_is_named(self):
        model = make_model()
        model.graph.output.append(helper.make_tensor_value_info(
            "r", TensorProto.FLOAT, ["n", 8]))
        sgd = ps_mlir.optimizers.sgd(0.5)
        with self.assertRaisesRegex(ps_mlir.GraphError, "expected output='..', "
                                    "the name .* found the outputs 'y', 'r'$"):
            ps_mlir.from_onnx(model, "mse", sgd)
        graph = ps_mlir.from_onnx(model, "mse", sgd, output="r")
        self.assertEqual(list(graph.initial), ["w1", "b1"])


if __name__ == "__main__":
    unittest.main()
