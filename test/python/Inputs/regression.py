# SPDX-License-Identifier: Apache-2.0
"""A linear regression as an importer would return it, and its data."""

import numpy

from ps_mlir.graph import build_graph
from ps_mlir.importers.function import Feed, LossFunction, Parameter

# The mean of (x w + b - y)^2, and the predictions x w + b.
TEXT = """
module @regression {
  func.func public @main(%w: tensor<4x1xf32>, %b: tensor<1xf32>,
                         %x: tensor<?x4xf32>, %y: tensor<?x1xf32>)
      -> (tensor<f32>, tensor<?x1xf32>) {
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<?x4xf32>, tensor<4x1xf32>) -> tensor<?x1xf32>
    %bias = stablehlo.broadcast_in_dim %b, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %q = stablehlo.add %p, %bias : tensor<?x1xf32>
    %e = stablehlo.subtract %q, %y : tensor<?x1xf32>
    %square = stablehlo.multiply %e, %e : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add
        across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %size = stablehlo.get_dimension_size %x, dim = 0
        : (tensor<?x4xf32>) -> tensor<i32>
    %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %n : tensor<f32>
    return %loss, %q : tensor<f32>, tensor<?x1xf32>
  }
}
"""
WEIGHTS = numpy.array([[0.5], [-1.0], [0.25], [2.0]], numpy.float32)
RATE = 0.1


def make_graph(optimizer=f"#ps.sgd<learning_rate = {RATE}>", text=TEXT):
    function = LossFunction(
        "regression", text,
        [Parameter("w", WEIGHTS), Parameter("b", numpy.zeros(1, numpy.float32))],
        [Feed("x", (None, 4), "f32"), Feed("y", (None, 1), "f32")],
        outputs=["prediction"])
    return build_graph(function, optimizer)


def make_data(samples=64):
    generator = numpy.random.default_rng(7)
    x = generator.standard_normal((samples, 4)).astype(numpy.float32)
    y = x @ numpy.array([[1.0], [2.0], [3.0], [4.0]], numpy.float32) - 1
    return {"x": x, "y": y.astype(numpy.float32)}


def train(data, steps, batch):
    """The same by numpy in f64: the variables and the loss of each step."""
    w, b = WEIGHTS.astype(float), numpy.zeros(1)
    losses = []
    for k in range(steps):
        at = k * batch % len(data["x"])
        x, y = (data[name][at:at + batch].astype(float) for name in "xy")
        error = x @ w + b - y
        losses.append((error**2).mean())
        w = w - RATE * 2 * x.T @ error / batch
        b = b - RATE * 2 * error.mean(0)
    return {"w": w, "b": b}, losses
