# SPDX-License-Identifier: Apache-2.0
"""What a saved model lacks begins with the graph's initial values."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import numpy

import ps_mlir
import regression
import tables_test
from ps_mlir.graph import build_graph
from ps_mlir.importers.function import Feed, LossFunction, Parameter

DATA = regression.make_data()
JOBS = {"batch_size": 16}, {"batch_size": 8, "pservers": 2, "trainers": 2}
SHIFT = numpy.array([3.0], numpy.float32)
ADAM = ps_mlir.optimizers.adam(0.01)


def make_shifted(optimizer):
    """The regression with another term, `shift`."""
    text = regression.TEXT.replace(
        "%b: tensor<1xf32>,", "%b: tensor<1xf32>, %shift: tensor<1xf32>,"
    ).replace("%q = stablehlo.add %p, %bias", """%more = stablehlo.broadcast_in_dim %shift, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %r = stablehlo.add %p, %more : tensor<?x1xf32>
    %q = stablehlo.add %r, %bias""")
    return build_graph(LossFunction(
        "shifted", text,
        [Parameter("w", numpy.zeros((4, 1), "f4")),
         Parameter("b", numpy.zeros(1, "f4")), Parameter("shift", SHIFT)],
        [Feed("x", (None, 4), "f32"), Feed("y", (None, 1), "f32")],
        outputs=["prediction"]), optimizer)


def make_rows(rows, optimizer, first=0):
    """The clicks with a table of so many rows, from `first` on."""
    values = first + numpy.arange(4.0 * rows, dtype="f4").reshape(rows, 4) / 1e4
    return build_graph(LossFunction(
        "clicks", tables_test.TEXT.replace("100x4", f"{rows}x4"),
        [Parameter("emb", values)],
        [Feed("ids", (None, 1), "i32"), Feed("y", (None,), "i64")],
        outputs=["p"]), optimizer)


def still(**more):
    """Of a run that trains nothing."""
    return {"steps": 1, "set": ["learning_rate=0"], "verbose": False, **more}


class StartTest(unittest.TestCase):

    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.made.name) / "saved"
        self.addCleanup(self.made.cleanup)

    def test_new_parameters_begin_as_the_graph_has_them(self):
        for optimizer in ps_mlir.optimizers.sgd(0.1), ADAM:
            first = ps_mlir.Job(regression.make_graph(optimizer)).train(
                DATA, **JOBS[1], save=self.folder, verbose=False)
            job = ps_mlir.Job(make_shifted(optimizer))
            for processes in JOBS:
                for start in first, self.folder:
                    found = job.train(DATA, start=start, load_partial=True,
                                      **processes, **still()).params
                    for name, value in {**first.params, "shift": SHIFT}.items():
                        numpy.testing.assert_array_equal(found[name], value)
            numpy.testing.assert_allclose(
                job.predict(DATA, first, load_partial=True)["prediction"],
                DATA["x"] @ first.params["w"] + first.params["b"] + SHIFT,
                rtol=1e-5, atol=1e-6)

    def test_what_the_model_has_goes_on(self):
        """With the optimizer's state of what there is; the new term is frozen
        at 0, so the rest trains what it trains without."""
        first = ps_mlir.Job(regression.make_graph(ADAM)).train(
            DATA, batch_size=16, verbose=False)
        whole = ps_mlir.Job(regression.make_graph(ADAM)).train(
            DATA, batch_size=16, start=first, verbose=False)
        graph = make_shifted(ADAM)
        graph.initial["shift"] = numpy.zeros(1, "f4")
        graph.text = graph.text.replace(
            "@shift : tensor<1xf32> init(#ps.constant<0.0>)",
            "@shift : tensor<1xf32> init(#ps.constant<0.0>) {trainable = false}")
        with contextlib.redirect_stderr(io.StringIO()) as messages:
            found = ps_mlir.Job(graph).train(DATA, batch_size=16, start=first,
                                             load_partial=True)
        self.assertIn(f"'shift' is not in '{first.folder}': it begins with the "
                      "graph's initial values\n", messages.getvalue())
        for name, value in whole.params.items():
            numpy.testing.assert_array_equal(found.params[name], value)

    def test_what_is_missing_is_refused_without_load_partial(self):
        first = ps_mlir.Job(regression.make_graph()).train(DATA, verbose=False)
        with self.assertRaisesRegex(ps_mlir.JobError, "no tensor 'shift'"):
            ps_mlir.Job(make_shifted(ADAM)).train(DATA, start=first,
                                                  verbose=False)

    def test_errors_name_the_folder_that_was_given(self):
        ps_mlir.Job(regression.make_graph()).train(DATA, save=self.folder,
                                                   verbose=False)
        graph = make_shifted(ADAM)
        graph.text = graph.text.replace("4x1", "2x1").replace("?x4", "?x2")
        graph.initial["w"] = numpy.zeros((2, 1), "f4")
        graph.feeds[0] = Feed("x", (None, 2), "f32")
        with self.assertRaisesRegex(
                ps_mlir.JobError, f"^'{self.folder}/model.safetensors': tensor "
                "'w': expected 2x1xf32, found 4x1xf32$"):
            ps_mlir.Job(graph).train(
                {"x": DATA["x"][:, :2], "y": DATA["y"]}, start=self.folder,
                load_partial=True, verbose=False)

    def test_a_damaged_model_is_refused(self):
        ps_mlir.Job(regression.make_graph()).train(DATA, save=self.folder,
                                                   verbose=False)
        model = self.folder / "model.safetensors"
        contents = bytearray(model.read_bytes())
        contents[-1] ^= 1
        model.write_bytes(contents)
        with self.assertRaisesRegex(ps_mlir.JobError, "'.*saved/model.safe.* is "
                                    "damaged"):
            ps_mlir.Job(make_shifted(ADAM)).train(
                DATA, start=self.folder, load_partial=True, verbose=False)

    def test_new_rows_begin_as_the_graph_has_them(self):
        data = tables_test.make_data()
        sgd = ps_mlir.optimizers.sgd(0.1)
        small, large = make_rows(100, sgd), make_rows(150, sgd, 7)
        self.assertEqual(large.tables, ["emb"])
        for saved in JOBS:
            first = ps_mlir.Job(small).train(data, **saved, verbose=False)
            for processes in JOBS:
                found = ps_mlir.Job(large).train(data, start=first, **processes,
                                                 **still()).params["emb"]
                numpy.testing.assert_array_equal(found[:100],
                                                 first.params["emb"])
                numpy.testing.assert_array_equal(found[100:],
                                                 large.initial["emb"][100:])

    def test_new_rows_keep_the_state_of_the_others(self):
        data = tables_test.make_data()
        adagrad = ps_mlir.optimizers.adagrad(0.1)
        small = ps_mlir.Job(make_rows(100, adagrad))
        large = ps_mlir.Job(make_rows(150, adagrad))
        others = {"ids": numpy.maximum(data["ids"] + 50, 100), "y": data["y"]}
        begun = large.train(others, **JOBS[0], verbose=False).params["emb"]
        for saved in JOBS:
            first = small.train(data, **saved, verbose=False)
            for processes in JOBS:
                expected = small.train(data, start=first, **processes,
                                       verbose=False).params["emb"]
                found = large.train(data, start=first, **processes,
                                    verbose=False).params["emb"]
                numpy.testing.assert_allclose(found[:100], expected, rtol=1e-6)
            # Of the new rows it begins anew.
            found = large.train(others, start=first, **JOBS[0],
                                verbose=False).params["emb"]
            numpy.testing.assert_allclose(found[100:], begun[100:], rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
