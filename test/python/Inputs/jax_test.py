# SPDX-License-Identifier: Apache-2.0
"""from_jax(): what goes back to JAX, and what is refused."""

import re
import unittest
import warnings

import jax
import jax.numpy as jnp
import numpy

import ps_mlir
from ps_mlir.data import open_data

SAMPLES = 64


def make_model():
    draw = numpy.random.default_rng(3).standard_normal
    params = {"emb": draw((50, 4)).astype("f4"),
              "layers": [{"w": draw((8, 6)).astype("f4") / 3},
                         {"w": draw((6, 3)).astype("f4") / 3}],
              "scale": numpy.float32(1), "version": numpy.int32(7)}
    ids = numpy.random.default_rng(4).integers(0, 50, (SAMPLES, 2))
    data = (ids.astype("i4"), draw((SAMPLES, 3)).astype("f4"))
    return params, data


def loss(params, batch):
    ids, target = batch
    x = params["emb"][ids].reshape(ids.shape[0], -1)
    for layer in params["layers"]:
        x = jnp.tanh(x @ layer["w"])
    x = params["scale"] * x
    error = jnp.mean((x - target)**2)
    return error, {"output": x, "best": x.argmax(-1), "largest": x.max()}


def make_graph(**options):
    params, data = make_model()
    return ps_mlir.from_jax(loss, params, data,
                            ps_mlir.optimizers.adagrad(0.05), has_aux=True,
                            **options)


class JaxTest(unittest.TestCase):

    def test_what_is_trained_scores_the_same_in_jax(self):
        params, data = make_model()
        graph = make_graph()
        self.assertEqual(graph.tables, ["emb"])
        job = ps_mlir.Job(graph)
        result = job.train(data, batch_size=8, epochs=3, pservers=2, trainers=2,
                           verbose=False)
        self.assertEqual(jax.tree.structure(result.params),
                         jax.tree.structure(params))
        self.assertEqual(result.params["version"], 7)
        evaluated = job.evaluate(data, result, batch_size=16)
        self.assertEqual(set(evaluated), {"loss", "largest"})
        ours = evaluated["loss"]
        theirs, outputs = loss(result.params, data)
        self.assertLess(abs(ours - theirs), 1e-6 * theirs)
        predicted = job.predict(data, result, batch_size=16)
        self.assertEqual(set(predicted), {"output", "best"})
        numpy.testing.assert_allclose(predicted["output"], outputs["output"],
                                      rtol=1e-5, atol=1e-6)
        numpy.testing.assert_array_equal(predicted["best"], outputs["best"])

    def test_rows_of_a_declared_table_train_the_same(self):
        params, data = make_model()
        params["emb"][:] = 0
        results = []
        for tables in None, {"emb": ps_mlir.Table("#ps.constant<0.0>")}:
            graph = ps_mlir.from_jax(loss, params, data,
                                     ps_mlir.optimizers.adagrad(0.05),
                                     has_aux=True, tables=tables)
            self.assertEqual(graph.tables, ["emb"])
            results.append(ps_mlir.Job(graph).train(
                data, batch_size=8, pservers=2, trainers=2, verbose=False))
        self.assertEqual(set(results[1].rows("emb")["ids"]),
                         set(data[0].reshape(-1)))
        for ours, theirs in zip(*(jax.tree.leaves(r.params) for r in results)):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)

    def test_a_batch_may_be_a_list(self):
        params, data = make_model()
        graph = ps_mlir.from_jax(loss, params, list(data),
                                 ps_mlir.optimizers.adagrad(0.05), has_aux=True)
        expected = ps_mlir.Job(make_graph()).train(
            data, batch_size=8, verbose=False).params
        batches = [tuple(array[k:k + 8] for array in data)
                   for k in range(0, SAMPLES, 8)]
        for given in list(data), data, batches, [list(b) for b in batches]:
            found = ps_mlir.Job(graph).train(given, batch_size=8,
                                             verbose=False).params
            jax.tree.map(numpy.testing.assert_array_equal, found, expected)

    def test_predictions_need_no_labels(self):
        params, data = make_model()

        def named(params, batch):
            return loss(params, (batch["ids"], batch["target"]))

        batch = dict(zip(("ids", "target"), data))
        for job, whole, part in (
                (ps_mlir.Job(make_graph()), data, data[:1]),
                (ps_mlir.Job(ps_mlir.from_jax(
                    named, params, batch, ps_mlir.optimizers.sgd(0.1),
                    has_aux=True)), batch, {"ids": batch["ids"]})):
            expected, found = job.predict(whole), job.predict(part)
            self.assertEqual(expected.keys(), found.keys())
            for name, rows in expected.items():
                numpy.testing.assert_array_equal(found[name], rows)

    def test_training_begins_with_given_parameters(self):
        params, data = make_model()
        job, shifted = ps_mlir.Job(make_graph()), jax.tree.map(
            lambda leaf: leaf + 1, params)
        expected = job.evaluate(data, shifted, batch_size=SAMPLES)["loss"]
        self.assertAlmostEqual(expected, loss(shifted, data)[0], places=5)
        result = job.train(data, batch_size=8, steps=1, start=shifted,
                           verbose=False)
        self.assertEqual(result.params["version"], 8)
        self.assertEqual(job.evaluate(data, result.params),
                         job.evaluate(data, result))
        del shifted["layers"][1]
        with self.assertRaisesRegex(TypeError, "found no 'layers.1.w'$"):
            job.evaluate(data, shifted)

    def test_a_fixed_batch_is_the_only_one(self):
        params, data = make_model()
        batch = tuple(array[:8] for array in data)
        graph = ps_mlir.from_jax(loss, params, batch,
                                 ps_mlir.optimizers.sgd(0.05), has_aux=True,
                                 fixed_batch=True)
        self.assertEqual(graph.fixed_batch, 8)
        losses = ps_mlir.Job(graph).train(data, verbose=False).losses
        self.assertEqual(len(losses), SAMPLES // 8)

    def test_doubles_are_what_they_are_in_jax(self):
        graph = ps_mlir.from_jax(
            lambda p, b: jnp.mean((b @ p["w"] + p["b"])**2),
            {"w": numpy.zeros(3), "b": 0.0}, make_model()[1][1],
            "#ps.sgd<learning_rate = 0.1>")
        self.assertEqual(graph.initial["w"].dtype, numpy.float32)

    def test_parameters_and_functions_have_names_of_their_own(self):
        with self.assertRaisesRegex(ps_mlir.GraphError,
                                    "parameter 'main' has the name of a func"):
            ps_mlir.from_jax(lambda p, b: jnp.mean(b @ p["main"]),
                             {"main": numpy.zeros(3)}, make_model()[1][1],
                             "#ps.sgd<learning_rate = 0.1>")

    def test_ids_that_a_table_lacks_are_warned_of_once(self):
        ids, target = make_model()[1]
        job, wrong = ps_mlir.Job(make_graph()), ids.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            wrong[3, 1] = -50  # the first row, in JAX
            job.evaluate((wrong, target))
        wrong[7, 0] = 57
        with self.assertWarnsRegex(
                UserWarning, "^feed 'batch.0' has the id 57, table 'emb' has 50 "
                "rows: such ids are clamped or dropped, as in the model$"):
            job.evaluate((wrong, target))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            job.evaluate((wrong, target))

        def sliced(params, batch):
            ids, target = batch
            return loss(params, (jnp.stack([ids[:, 0], ids[:, 1] - 50], 1),
                                 target))

        graph = ps_mlir.from_jax(sliced, make_model()[0], (ids, target),
                                 ps_mlir.optimizers.sgd(0.1), has_aux=True)
        self.assertEqual((graph.tables, graph.ids), (["emb"], {}))

    def test_hashes_of_texts_are_no_ids_of_a_table(self):
        graph, columns = make_graph(), "#columns=batch.0=a+b,batch.1=x"
        for spec, ids in (("table:a.csv#hash=batch.0", "64-bit ids"),
                          ("table:a.csv#hash=batch.0#ids=51", "ids up to 50"),
                          (f"table:a.csv{columns}#hash=a+b", "64-bit ids"),
                          ("criteo:a.tsv", "64-bit ids"),
                          ("criteo:a.tsv#ids=1000", "ids up to 999")):
            with self.assertWarnsRegex(
                    UserWarning, f"^data '{re.escape(spec)}' makes {ids} of "
                    "'batch.0', table 'emb' has 50 rows: expected #ids=50; "):
                open_data(graph, spec)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for spec in ("table:a.csv#hash=batch.0#ids=50",
                         "table:a.csv#hash=z", f"table:a.csv{columns}#hash=x",
                         "table:a.csv#columns=batch.0,batch.1=z#hash=z",
                         "criteo:a.tsv#ids=50", "slots:a.txt"):
                open_data(graph, spec)

    def test_ids_of_a_variable_are_known_as_well(self):
        params, data = make_model()
        graph = ps_mlir.from_jax(loss, params, data,
                                 ps_mlir.optimizers.adam(0.05), has_aux=True)
        self.assertEqual(graph.tables, [])
        with self.assertWarnsRegex(UserWarning, "expected #ids=50"):
            open_data(graph, "criteo:a.tsv")

    def test_leaves_have_names_of_their_own(self):
        x = make_model()[1][1]
        for params, batch, first, second in (
                ({"a b": x[0], "a_b": x[0]}, x,
                 r"params\['a b'\]", r"params\['a_b'\]"),
                (x[0], {"Ä-": x, "Ä_": x},
                 r"batch\['Ä-'\]", r"batch\['Ä_'\]")):
            with self.assertRaisesRegex(
                    ps_mlir.GraphError,
                    f"^{first} and {second} have one name, '(a_b|Ä_)': rename"):
                ps_mlir.from_jax(lambda p, b: jnp.mean(b), params, batch,
                                 ps_mlir.optimizers.sgd(0.1))

    def test_feeds_have_letters_of_any_alphabet(self):
        params, (ids, target) = make_model()
        batch = {"Ä": ids, "größe": target}
        graph = ps_mlir.from_jax(
            lambda params, batch: loss(params, (batch["Ä"], batch["größe"])),
            params, batch, ps_mlir.optimizers.adagrad(0.05), has_aux=True)
        self.assertEqual([feed.name for feed in graph.feeds], ["größe", "Ä"])
        named = ps_mlir.Job(graph)
        found = named.train(batch, batch_size=8, verbose=False)
        expected = ps_mlir.Job(make_graph()).train(
            (ids, target), batch_size=8, verbose=False)
        self.assertEqual(found.losses, expected.losses)
        numpy.testing.assert_array_equal(
            named.predict([{"Ä": ids}], found)["output"],
            named.predict(batch, found)["output"])

    def test_another_structure_is_refused(self):
        ids, target = make_model()[1]
        for data, found in (({"ids": ids}, "ids"), ((ids,), "batch.0"),
                            ({"ids": ids[:, 0].tolist()}, r"ids.0, .*, \d+ more"
                             )):
            with self.assertRaisesRegex(
                    TypeError, "expected a batch with the structure "
                    f"batch.0, batch.1, found {found}$"):
                ps_mlir.Job(make_graph()).train(data)

    def test_numbers_are_no_batch(self):
        params, data = make_model()
        with self.assertRaisesRegex(ps_mlir.GraphError,
                                    "batch.2 of the batch is a number"):
            ps_mlir.from_jax(lambda p, b: loss(p, b[:2]), params, (*data, 1.0),
                             "#ps.sgd<learning_rate = 0.1>", has_aux=True)

    def test_sizes_of_the_batch_agree(self):
        params, (ids, target) = make_model()
        with self.assertRaisesRegex(ps_mlir.GraphError,
                                    r"differ in dimension 0.*\[8, 64\]"):
            ps_mlir.from_jax(loss, params, (ids[:8], target),
                             "#ps.sgd<learning_rate = 0.1>", has_aux=True)

    def test_an_output_is_not_called_loss(self):
        params, data = make_model()

        def named(params, batch):
            error, _ = loss(params, batch)
            return error, {"loss": error}

        with self.assertRaisesRegex(ps_mlir.GraphError, "called 'loss'"):
            ps_mlir.from_jax(named, params, data,
                             "#ps.sgd<learning_rate = 0.1>", has_aux=True)

    def test_what_depends_on_the_size_of_the_batch_is_told(self):
        params, data = make_model()

        def in_groups(params, batch):
            return loss(params, batch)[0] + jnp.sum(
                batch[1].reshape(4, -1) * 0)

        with self.assertRaisesRegex(ps_mlir.GraphError, "fixed_batch=True"):
            ps_mlir.from_jax(in_groups, params, data,
                             "#ps.sgd<learning_rate = 0.1>")


if __name__ == "__main__":
    unittest.main()
