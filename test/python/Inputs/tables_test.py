# SPDX-License-Identifier: Apache-2.0
"""Tables that are declared for parameters of a model."""

import contextlib
import io
import unittest

import numpy

import ps_mlir
from ps_mlir.graph import build_graph
from ps_mlir.importers.function import Feed, LossFunction, Parameter
from texts import GATHER

# A click is the sigmoid of the sum of a row.
TEXT = """
module @clicks {
  func.func public @main(%emb: tensor<100x4xf32>, %ids: tensor<?x1xi32>, %y: tensor<?xi64>)
      -> (tensor<f32>, tensor<?xf32>) {
""" + GATHER + """    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %logit = stablehlo.reduce(%rows init: %zero) applies stablehlo.add
        across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %p = stablehlo.logistic %logit : tensor<?xf32>
    %label = stablehlo.convert %y : (tensor<?xi64>) -> tensor<?xf32>
    %e = stablehlo.subtract %p, %label : tensor<?xf32>
    %square = stablehlo.multiply %e, %e : tensor<?xf32>
    %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add
        across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %size = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi64>) -> tensor<i32>
    %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %n : tensor<f32>
    return %loss, %p : tensor<f32>, tensor<?xf32>
  }
}
"""
BATCH, RATE = 16, 3.0
SGD = ps_mlir.optimizers.sgd(RATE)


def make_graph(optimizer=SGD, name="emb", **options):
    # Values that do not matter.
    emb = Parameter(name, numpy.full((100, 4), 9, numpy.float32))
    return build_graph(
        LossFunction("clicks", TEXT, [emb],
                     [Feed("ids", (None, 1), "i32"), Feed("y", (None,), "i64")],
                     outputs=["p"]), optimizer, **options)


def make_data(samples=320):
    draw = numpy.random.default_rng(5)
    # Most ids are rare.
    ids = (100 * draw.random((samples, 1))**3).astype("i4")
    return {"ids": ids, "y": (draw.random(samples) < 1 / (1 + ids[:, 0] % 5)
                              ).astype("i8")}


def train(data, admit_count):
    """The rows by numpy in f64, and the ids that have one."""
    emb, seen = numpy.zeros((100, 4)), numpy.zeros(100, int)
    for k in range(len(data["y"]) // BATCH):
        ids, y = (data[name][k * BATCH:(k + 1) * BATCH] for name in data)
        ids = ids[:, 0]
        p = 1 / (1 + numpy.exp(-emb[ids].sum(1)))
        seen[numpy.unique(ids)] += 1
        for i, slope in zip(ids, 2 * (p - y) * p * (1 - p) / BATCH):
            if seen[i] >= admit_count:
                emb[i] -= RATE * slope
    return emb, set(numpy.flatnonzero(seen >= admit_count))


def auc(scores, labels):
    better = scores[labels == 1][:, None] - scores[labels == 0]
    return (numpy.sign(better).mean() + 1) / 2


class TablesTest(unittest.TestCase):

    def test_rows_are_admitted_and_trained_as_by_numpy(self):
        data = make_data()
        graph = make_graph(tables={"emb": ps_mlir.Table(
            "#ps.constant<0.0>", admit_count=3)}, auc=("p", "y"))
        self.assertEqual((graph.tables, graph.variables), (["emb"], {}))
        expected, ids = train(data, 3)
        self.assertTrue(0 < len(ids) < 100)
        for job in {"batch_size": BATCH}, {"batch_size": BATCH // 2,
                                           "pservers": 2, "trainers": 2}:
            result = ps_mlir.Job(graph).train(data, verbose=False, **job)
            self.assertEqual(set(result.rows("emb")["ids"]), ids)
            numpy.testing.assert_allclose(result.params["emb"], expected,
                                          rtol=1e-5, atol=1e-6)
        evaluated = ps_mlir.Job(graph).evaluate(data, result)
        predicted = ps_mlir.Job(graph).predict(data, result)["p"]
        self.assertAlmostEqual(evaluated["auc"], auc(predicted, data["y"]), 3)

    def test_training_goes_on(self):
        data = make_data()
        # A name that MLIR quotes, as torch.nn.Sequential has them.
        job = ps_mlir.Job(make_graph(
            ps_mlir.optimizers.adam(0.01), "0.weight",
            tables={"0.weight": ps_mlir.Table(evict_every=7, accessor=
                                         '#ps.ctr<click = "y">')}))
        options = {"batch_size": BATCH, "verbose": False, "deterministic": True}
        whole = job.train(data, epochs=2, **options)
        half = job.train(data, epochs=1, **options)
        second = job.train(data, epochs=1, start=half, **options)
        expected, found = (r.rows("0.weight") for r in (whole, second))
        self.assertTrue({"ids", "values", "show", "click"} <= set(expected))
        for key, value in expected.items():
            numpy.testing.assert_array_equal(found[key], value)

    def test_remarks_are_left_to_the_summary(self):
        graph = make_graph()
        self.assertIn("table emb: tensor<100x4xf32>", str(graph))
        with contextlib.redirect_stderr(io.StringIO()) as messages:
            ps_mlir.Job(graph).train(make_data(), batch_size=BATCH, pservers=1,
                                     transpile="remarks=true")
        self.assertRegex(messages.getvalue(), "^programs and logs: [^\n]*\n$")

    def test_others_stay_variables(self):
        # By Adam neither would become a table unless it is declared.
        text = TEXT.replace("%ids: ", "%other: tensor<100x4xf32>, %ids: ").replace(
            GATHER, GATHER.replace("%rows", "%first") +
            GATHER.replace("%rows", "%second").replace("%emb", "%other") +
            "    %rows = stablehlo.multiply %first, %second : tensor<?x4xf32>\n")
        values = numpy.ones((100, 4), numpy.float32)
        graph = build_graph(
            LossFunction("clicks", text, [Parameter("emb", values),
                                         Parameter("other", values)],
                         [Feed("ids", (None, 1), "i32"),
                          Feed("y", (None,), "i64")], outputs=["p"]),
            ps_mlir.optimizers.adam(0.1), tables={"emb": ps_mlir.Table()})
        self.assertEqual(graph.tables, ["emb"])
        self.assertIn("ps.variable @other", graph.text)

    def test_every_field_is_one_of_ps_table(self):
        for table in (
                ps_mlir.Table(admit_count=2, evict_every=10, evict_age=5,
                              wire="int8", partition="modulo"),
                ps_mlir.Table("#ps.constant<1.0>", admit_probability=1e-05,
                              evict_lru=True, learning_rate_scale=2),
                ps_mlir.Table(admit_count=numpy.int32(2),
                              learning_rate_scale=numpy.float32(0.5)),
                ps_mlir.Table(cache_rows=10, regularize="#ps.l2_decay<0.1>",
                              clip="#ps.clip_by_value<min = -1.0, max = 1.0>"),
                ps_mlir.Table(tiers='[#ps.mem<rows = 10>, #ps.ssd<"/tmp">]')):
            self.assertIn(f"tensor<100x4xf32> {table.declaration()}",
                          make_graph(tables={"emb": table}).text)

    def test_what_cannot_be_is_refused(self):
        table = ps_mlir.Table()
        for options, error in (
                ({"tables": {"w": table}},
                 "^tables: there is no parameter 'w', expected one of emb$"),
                ({"tables": {"emb": ps_mlir.Table(admit_count=0)}},
                 "expects admit_count from 1"),
                ({"tables": {"emb": table}, "optimizer":
                  ps_mlir.optimizers.lamb(0.1)}, "^'emb' cannot be a table: "),
                ({"tables": {"emb": ps_mlir.Table(
                    accessor='#ps.ctr<click = "z">', evict_every=7)}},
                 """^'ps.lookup_gradient' op .* clicks are in the feed "z","""),
                ({"auc": ("q", "y")},
                 "^auc: there is no output of the loss 'q', expected one of p$"),
                ({"auc": ("p", "z")},
                 "^auc: there is no feed 'z', expected one of ids, y$")):
            with self.assertRaisesRegex(ps_mlir.GraphError, error):
                make_graph(**options)

    def test_fields_of_another_kind_are_refused(self):
        for fields, error in (
                ({"init": "uniform"}, "init= the text of an attribute such as '"
                 "#ps.uniform<min = -0.01, max = 0.01>', found 'uniform'$"),
                ({"accessor": "ctr"}, "accessor= the text of an attribute"),
                ({"clip": "1.0"}, "clip= the text of an attribute such as '"
                 "#ps.clip_by_value<min = -1.0, max = 1.0>', found '1.0'$"),
                ({"admit_count": "2"},
                 "admit_count= an integer such as 2, found '2'$"),
                ({"evict_every": 2.5}, "an integer such as 2, found 2.5$"),
                ({"admit_probability": "x"}, "a number such as 0.5, found 'x'")):
            with self.assertRaisesRegex(TypeError,
                                        f"^table 'emb': expected .*{error}"):
                make_graph(tables={"emb": ps_mlir.Table(**fields)})
        for tables, found in ((["emb"], r"\['emb'\]$"),
                              ({"emb": "ps.ctr"}, "'ps.ctr' for 'emb'$")):
            with self.assertRaisesRegex(
                    TypeError, "expected tables= a dict such as {'emb': .*, "
                    f"found {found}"):
                make_graph(tables=tables)


if __name__ == "__main__":
    unittest.main()
