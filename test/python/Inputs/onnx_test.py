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


if __name__ == "__main__":
    unittest.main()
