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


def make_op(kind, shape, inputs=(), arrays=None, opset=20, **attributes):
    """y = kind(x, inputs ..) of samples x; `arrays` are initializers. A weight
    makes it a model."""
    arrays = {"one": numpy.ones(1, "f4"), **(arrays or {})}
    nodes = [helper.make_node("Mul", ["x", "one"], ["z"]),
             helper.make_node(kind, ["z", *inputs], ["y"], **attributes)]
    return helper.make_model(helper.make_graph(
        nodes, "op",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", *shape])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(value, name)
         for name, value in arrays.items()]),
        opset_imports=[helper.make_opsetid("", opset)])


def make_lookup():
    """Of ids that count from the end, too."""
    table = numpy.arange(40, dtype="f4").reshape(10, 4)
    return helper.make_model(helper.make_graph(
        [helper.make_node("Gather", ["w", "x"], ["y"])], "lookup",
        [helper.make_tensor_value_info("x", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 4])],
        [onnx.numpy_helper.from_array(table, "w")]),
        opset_imports=[helper.make_opsetid("", 20)])


def make_recurrent(kind, gates, **attributes):
    """Of sequences of two steps of two numbers, with a hidden state of three."""
    draw = numpy.random.default_rng(7).standard_normal
    count = 2 if attributes.get("direction") == "bidirectional" else 1
    arrays = {"w": draw((count, 3 * gates, 2)), "r": draw((count, 3 * gates, 3))}
    nodes = [helper.make_node("Transpose", ["x"], ["steps"], perm=[1, 0, 2]),
             helper.make_node(kind, ["steps", "w", "r"], ["", "h"],
                              hidden_size=3, **attributes),
             helper.make_node("Transpose", ["h"], ["y"], perm=[1, 0, 2])]
    return helper.make_model(helper.make_graph(
        nodes, "recurrent",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2, 2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT,
                                       ["n", count, 3])],
        [onnx.numpy_helper.from_array(value.astype("f4"), name)
         for name, value in arrays.items()]))


class OpsTest(unittest.TestCase):

    def load(self, model):
        return ps_mlir.from_onnx(model, "mse", ps_mlir.optimizers.sgd(0.1))

    def check(self, model, x):
        expected, = ReferenceEvaluator(model).run(None, {"x": x})
        numpy.testing.assert_allclose(
            ps_mlir.Job(self.load(model)).predict({"x": x})["y"], expected,
            rtol=1e-5, atol=1e-5)

    def test_negative_ids_count_from_the_end(self):
        self.check(make_lookup(), numpy.arange(-10, 10))

    def test_images_are_resized_by_any_factor(self):
        x = numpy.random.default_rng(3).standard_normal((2, 1, 5, 5)).astype(
            "f4")
        self.check(make_op("Resize", (1, 5, 5), ["", "scales"],
                           {"scales": numpy.array([1, 1, 3, 2], "f4")},
                           mode="linear",
                           coordinate_transformation_mode="align_corners"), x)
        for factors in (0.75, 1.5), (1, 1.125), (3, 4):
            scales = numpy.array([1, 1, *factors], "f4")
            for flags in (
                    {"mode": "linear"},
                    *({"mode": "nearest", "nearest_mode": rounding,
                       "coordinate_transformation_mode": how}
                      for how in ("asymmetric", "half_pixel")
                      for rounding in ("round_prefer_floor", "floor", "ceil",
                                       "round_prefer_ceil"))):
                with self.subTest(factors=factors, **flags):
                    self.check(make_op("Resize", (1, 5, 5), ["", "scales"],
                                       {"scales": scales}, **flags), x)

    def test_recurrent_layers_have_their_activations(self):
        x = numpy.random.default_rng(3).standard_normal((4, 2, 2)).astype("f4")
        self.check(make_recurrent("RNN", 1), x)
        self.check(make_recurrent("GRU", 3), x)

    def test_what_would_be_another_model_is_refused(self):
        image = (1, 4, 4)
        true = {"ratio": numpy.array(0.5, "f4"), "training": numpy.array(True)}
        half = {"w": numpy.ones((4, 4), "f2")}
        for model, error in (
                (make_op("Dropout", (4,), ["ratio", "training"], true),
                 "dropout in training mode"),
                (make_op("Resize", image, ["", "", "sizes"],
                         {"sizes": numpy.array([1, 1, 8, 8])}, mode="linear",
                         antialias=1), "Resize with antialias"),
                (make_op("AveragePool", image, kernel_shape=[2, 2],
                         dilations=[2, 2]), "AveragePool with dilations"),
                (make_op("ArgMax", (4,), axis=1, select_last_index=1),
                 "select_last_index"),
                (make_op("CastLike", (4,), ["w"], half),
                 "initializer 'w' is of float16, which is not trained"),
                (make_recurrent("GRU", 3, activations=["Sigmoid", "Relu"]),
                 r"activations \['Sigmoid', 'Relu'\], expected "
                 r"\['Sigmoid', 'Tanh'\]"),
                (make_recurrent("RNN", 1, direction="bidirectional",
                                activations=["Tanh", "Relu"]),
                 "directions with different activations"),
                (make_recurrent("LSTM", 4, input_forget=1), "input_forget")):
            with self.assertRaisesRegex(ps_mlir.GraphError, error):
                self.load(model)


if __name__ == "__main__":
    unittest.main()
