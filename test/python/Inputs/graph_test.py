# SPDX-License-Identifier: Apache-2.0
"""Graphs of losses: their text, what becomes of it, and what is refused."""

import tempfile
import unittest

import numpy

import ps_mlir
import regression
from ps_mlir import optimizers, safetensors
from ps_mlir.check import locate
from ps_mlir.graph import build_graph, result_types, symbol
from ps_mlir.importers.function import Feed, LossFunction, Parameter
from texts import GATHER

# Gathers rows; a convolution of StableHLO's is spelled `unknown`.
LOOKUP = """
module @lookup {
  func.func public @main(%emb: tensor<100x4xf32>, %ids: tensor<?x1xi32>)
      -> tensor<f32> {
""" + GATHER + """    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%rows init: %zero) applies stablehlo.add
        across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
    return %sum : tensor<f32>
  }
}
"""
UNKNOWN = """
#loc1 = loc("model.py":12:3 to :9)
module @unknown {
  func.func public @main(%w: tensor<f32>, %x: tensor<?xf32>) -> tensor<f32> {
    %0 = stablehlo.unknown %w : tensor<f32> loc(#loc2)
    return %0 : tensor<f32>
  }
}
#loc2 = loc("loss"(#loc1))
"""


def make_lookup(optimizer):
    rows = numpy.zeros((100, 4), numpy.float32)
    return build_graph(LossFunction("lookup", LOOKUP, [Parameter("emb", rows)],
                                    [Feed("ids", (None, 1), "i32")]), optimizer)


class GraphTest(unittest.TestCase):

    def test_an_embedding_becomes_a_table(self):
        graph = make_lookup(optimizers.adagrad(0.1))
        self.assertEqual(graph.tables, ["emb"])
        self.assertIn("table emb: tensor<100x4xf32>", str(graph))

    def test_why_it_stays_a_variable_is_told(self):
        graph = make_lookup(optimizers.adam(0.1))
        self.assertEqual(graph.tables, [])
        self.assertIn("#ps.adam", graph.variables["emb"])

    def test_what_is_refused_is_named_with_the_line_of_the_model(self):
        function = LossFunction(
            "unknown", UNKNOWN, [Parameter("w", numpy.float32(1))],
            [Feed("x", (None,), "f32")])
        with self.assertRaisesRegex(
                ps_mlir.GraphError,
                "^model.py:12: stablehlo.unknown is not supported$"):
            build_graph(function, "#ps.sgd<learning_rate = 0.1>")

    def test_results_are_counted(self):
        function = LossFunction("lookup", LOOKUP,
                                [Parameter("emb", numpy.zeros((100, 4)))],
                                [Feed("ids", (None, 1), "i32")],
                                outputs=["rows"])
        with self.assertRaisesRegex(ps_mlir.GraphError,
                                    "@main has 1 results, expected 2"):
            build_graph(function, "#ps.sgd<learning_rate = 0.1>")

    def test_an_optimizer_is_required(self):
        for optimizer in 0.1, "adam":
            with self.assertRaisesRegex(
                    TypeError, r"such as ps_mlir.optimizers.adam\(0.001\), or .*"
                    f"found {optimizer!r}$"):
                regression.make_graph(optimizer=optimizer)

    def test_a_rate_is_a_number_or_a_schedule(self):
        with self.assertRaisesRegex(TypeError, "expected a learning rate"):
            optimizers.sgd("fast")

    def test_every_optimizer_is_one_of_ps_opt(self):
        schedules = [
            0.1, 1, optimizers.exponential_decay(0.1, 10, 0.5),
            optimizers.polynomial_decay(0.1, 0.01, 2, 10),
            optimizers.piecewise_constant([5, 10], [1, 0.5, 0.1]),
            optimizers.linear_warmup(0.1, 10)]
        clips = [None, optimizers.clip_by_value(-1, 1),
                 optimizers.clip_by_norm(1), optimizers.clip_by_global_norm(5)]
        makers = [optimizers.sgd, optimizers.adam, optimizers.adamw,
                  optimizers.adamax, optimizers.adagrad, optimizers.rmsprop,
                  optimizers.adadelta, optimizers.ftrl, optimizers.lamb,
                  lambda rate, **more: optimizers.sgd(rate, 0.9, True, **more)]
        for i, make in enumerate(makers):
            regression.make_graph(make(
                schedules[i % len(schedules)], clip=clips[i % len(clips)],
                regularize=optimizers.l2(1e-4) if i % 2 else optimizers.l1(1)))

    def test_names_that_mlir_does_not_spell_are_quoted(self):
        self.assertEqual(symbol("a.b_1"), "@a.b_1")
        self.assertEqual(symbol("0.weight"), '@"0.weight"')

    def test_result_types_are_found_behind_strings_and_locations(self):
        text = '''func.func public @main(%a: tensor<2xf32> loc("x) -> (")) ->
            (tensor<f32> {jax.result_info = "r(0)"}, tensor<?x2xi32>) {'''
        self.assertEqual(result_types(text), ["tensor<f32>", "tensor<?x2xi32>"])

    def test_lines_of_the_model_are_found_behind_calls(self):
        text = ('op loc(#loc3)\n#loc1 = loc("m.py":4:8 to :9)\n'
                '#loc2 = loc("f"(#loc1))\n#loc3 = loc(callsite(#loc2 at #loc4))\n'
                '#loc4 = loc("main.py":1:2)\n')
        self.assertEqual(locate(text, 1), "m.py:4")

    def test_arrays_of_every_type_survive_a_file(self):
        arrays = {
            str(dtype): numpy.arange(6).astype(dtype).reshape(2, 3)
            for dtype in ("f4", "f8", "f2", "i8", "i4", "i2", "i1", "u8", "u4",
                          "u2", "u1", "?")}
        arrays["number"] = numpy.float32(3)
        arrays["empty"] = numpy.zeros((0, 3), numpy.float32)
        with tempfile.NamedTemporaryFile() as file:
            safetensors.save(file.name, arrays)
            loaded = safetensors.load(file.name)
        self.assertEqual(set(loaded), set(arrays))
        for name, value in arrays.items():
            self.assertEqual(loaded[name].dtype, value.dtype)
            numpy.testing.assert_array_equal(loaded[name], value)


if __name__ == "__main__":
    unittest.main()
