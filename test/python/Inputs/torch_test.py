# SPDX-License-Identifier: Apache-2.0
"""from_torch(): optimizers of torch.optim, state_dicts, tied parameters."""

import copy
import unittest
import warnings

import numpy
import torch

import ps_mlir
from ps_mlir.graph import build_graph
from ps_mlir.ids import IdRange
from ps_mlir.importers.torch.optimizers import import_optimizer

STEPS, BATCH = 10, 8
TRANSLATED = {
    "SGD": lambda p: torch.optim.SGD(p, 0.1),
    "momentum": lambda p: torch.optim.SGD(p, 0.1, 0.9, weight_decay=0.01),
    "Nesterov": lambda p: torch.optim.SGD(p, 0.1, 0.9, nesterov=True),
    "Adam": lambda p: torch.optim.Adam(p, 0.01, weight_decay=0.01),
    "AdamW": lambda p: torch.optim.AdamW(p, 0.01, weight_decay=0.1),
    "Adagrad": lambda p: torch.optim.Adagrad(p, 0.1),
    "Adadelta": lambda p: torch.optim.Adadelta(p, 0.5),
    "RMSprop": lambda p: torch.optim.RMSprop(p, 0.01),
    "SGD in groups": lambda p: torch.optim.SGD(
        [{"params": p[:1], "lr": 0.1, "weight_decay": 0.01},
         {"params": p[1:], "momentum": 0.5}], 0.2),
    "AdamW in groups": lambda p: torch.optim.AdamW(
        [{"params": p[:1], "weight_decay": 0.1}, {"params": p[1:]}], 0.01,
        weight_decay=0.0)
}
REFUSED = {
    "dampening=0.5": lambda p: torch.optim.SGD(p, 0.1, 0.9, dampening=0.5),
    "amsgrad=True": lambda p: torch.optim.Adam(p, amsgrad=True),
    "maximize=True": lambda p: torch.optim.SGD(p, 0.1, maximize=True),
    "centered=True": lambda p: torch.optim.RMSprop(p, centered=True),
    "torch.optim.NAdam has no": lambda p: torch.optim.NAdam(p),
    "torch.optim.SGD, group 1, with dampening=0.1": lambda p: torch.optim.SGD(
        [{"params": p[:1]}, {"params": p[1:], "dampening": 0.1}], 0.2, 0.9),
    "SGD with a scheduler is not followed: exp": lambda p:
        torch.optim.lr_scheduler.StepLR(torch.optim.SGD(p), 3).optimizer,
    "^a scheduler of torch is not followed: exp": lambda p:
        torch.optim.lr_scheduler.StepLR(torch.optim.SGD(p), 3)
}


class Tied(torch.nn.Module):
    """The decoder's weights are the encoder's."""

    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(6, 6, bias=False)
        self.decoder = torch.nn.Linear(6, 6)
        self.decoder.weight = self.encoder.weight
        self.register_buffer("unused", torch.ones(2))

    def forward(self, x):
        return self.decoder(torch.tanh(self.encoder(x)))


def loss(module, batch):
    return torch.nn.functional.mse_loss(module(batch["x"]), batch["y"])


def make_data():
    draw = numpy.random.default_rng(3).standard_normal
    return {name: torch.from_numpy(draw((STEPS * BATCH, 6)).astype("f4"))
            for name in "xy"}


def train(module, make, data, loss=loss):
    """The same by torch."""
    module = copy.deepcopy(module)
    optimizer = make(list(module.parameters()))
    for k in range(STEPS):
        optimizer.zero_grad()
        loss(module, {name: value[k * BATCH:(k + 1) * BATCH]
                      for name, value in data.items()}).backward()
        optimizer.step()
    return module.state_dict()


class Rows(torch.nn.Module):
    """Of an embedding, which is zeros at first."""

    def __init__(self, make):
        super().__init__()
        self.rows, self.out = make(50, 4), torch.nn.Linear(4, 1)
        torch.nn.init.zeros_(self.rows.weight)

    def forward(self, ids):
        rows = self.rows(ids)
        return self.out(rows if rows.dim() == 2 else rows.sum(1))[:, 0]


def click_loss(module, batch):
    logits = module(batch["ids"])
    return torch.nn.functional.binary_cross_entropy_with_logits(
        logits, batch["click"]), {"p": torch.sigmoid(logits)}


class TorchTest(unittest.TestCase):

    def test_rows_of_a_declared_table_train_the_same(self):
        draw = numpy.random.default_rng(4).integers
        ids = draw(0, 50, (STEPS * BATCH, 3))
        data = {"ids": torch.from_numpy(ids),
                "click": torch.from_numpy(draw(0, 2, len(ids)).astype("f4"))}
        sgd = TRANSLATED["SGD"]
        for make in (torch.nn.Embedding, torch.nn.EmbeddingBag,
                     lambda *size: torch.nn.Embedding(*size, padding_idx=0)):
            torch.manual_seed(2)
            module = Rows(make)
            graph = ps_mlir.from_torch(
                module, click_loss, data, sgd(list(module.parameters())),
                tables={"rows.weight": ps_mlir.Table("#ps.constant<0.0>")},
                auc=("p", "click"))
            job = ps_mlir.Job(graph)
            result = job.train(data, batch_size=BATCH, verbose=False)
            theirs = train(module, sgd, data, lambda m, b: click_loss(m, b)[0])
            for key, value in theirs.items():
                torch.testing.assert_close(result.params[key], value,
                                           rtol=1e-5, atol=1e-6)
            self.assertGreater(job.evaluate(data, result)["auc"], 0.5)

    def test_groups_of_names_that_are_quoted(self):
        torch.manual_seed(3)
        module, data = torch.nn.ModuleDict({
            "a b, c": torch.nn.Linear(4, 1), "d": torch.nn.Linear(4, 1)
        }), (torch.randn(STEPS * BATCH, 4),)

        def square(module, batch):
            return sum(layer(batch[0]).square().mean()
                       for layer in module.values())

        def make(p):
            return torch.optim.SGD([{"params": p[2:]},
                                    {"params": p[:2], "lr": 0.5}], 0.1)

        graph = ps_mlir.from_torch(module, square, data,
                                   make(list(module.parameters())))
        ours = ps_mlir.Job(graph).train(data, batch_size=BATCH,
                                        verbose=False).params
        theirs = copy.deepcopy(module)
        optimizer = make(list(theirs.parameters()))
        for batch in data[0].split(BATCH):
            optimizer.zero_grad()
            square(theirs, (batch,)).backward()
            optimizer.step()
        for key, value in theirs.state_dict().items():
            torch.testing.assert_close(ours[key], value, rtol=1e-5, atol=1e-6)

    def test_any_values_may_be_started_from(self):
        module = torch.nn.Linear(4, 1)
        graph = ps_mlir.from_torch(module, lambda m, x: m(x[0]).square().mean(),
                                   (torch.randn(BATCH, 4),), torch.optim.SGD(
                                       module.parameters(), 0.1))
        state = {"weight": torch.full((1, 4), torch.nan),
                 "bias": torch.ones(1, dtype=torch.bfloat16)}
        found = graph.flatten(state)
        self.assertTrue(numpy.isnan(found["weight"]).all())
        self.assertEqual(found["bias"].item(), 1)

    def test_groups_may_have_tables(self):
        draw = numpy.random.default_rng(4).integers
        ids = draw(0, 50, (STEPS * BATCH, 3))
        data = {"ids": torch.from_numpy(ids),
                "click": torch.from_numpy(draw(0, 2, len(ids)).astype("f4"))}

        def make(p):
            return torch.optim.SGD([{"params": p[1:]},
                                    {"params": p[:1], "lr": 0.7}], 0.1)

        torch.manual_seed(2)
        module = Rows(torch.nn.Embedding)
        theirs = train(module, make, data, lambda m, b: click_loss(m, b)[0])
        for tables in None, {"rows.weight": ps_mlir.Table("#ps.constant<0.0>")}:
            graph = ps_mlir.from_torch(module, click_loss, data,
                                       make(list(module.parameters())),
                                       tables=tables)
            self.assertEqual(graph.tables, ["rows.weight"])
            self.assertEqual(graph.ids, {"ids": IdRange("rows.weight", 50, 0)})
            ours = ps_mlir.Job(graph).train(
                data, batch_size=BATCH // 2, pservers=2, trainers=2,
                verbose=False).params
            for key, value in theirs.items():
                torch.testing.assert_close(ours[key], value, rtol=1e-5,
                                           atol=1e-6)

    def test_what_is_translated_trains_the_same(self):
        torch.manual_seed(1)
        module, data = Tied(), make_data()
        for name, make in TRANSLATED.items():
            with self.subTest(name):
                graph = ps_mlir.from_torch(module, loss, data,
                                           make(list(module.parameters())))
                ours = ps_mlir.Job(graph).train(data, batch_size=BATCH,
                                                verbose=False).params
                theirs = train(module, make, data)
                self.assertEqual(set(ours), set(theirs))
                for key in ours:
                    torch.testing.assert_close(ours[key], theirs[key],
                                               rtol=1e-5, atol=1e-6)

    def test_what_is_trained_goes_back_into_the_module(self):
        module, data = Tied(), make_data()
        graph = ps_mlir.from_torch(module, loss, data, torch.optim.SGD(
            module.parameters(), 0.1))
        job = ps_mlir.Job(graph)
        result = job.train(data, batch_size=BATCH, verbose=False)
        module.load_state_dict(result.params)
        self.assertAlmostEqual(job.evaluate(data, result)["loss"],
                               loss(module, data).item(), delta=1e-6)

    def test_predictions_need_no_labels(self):
        module, data = Tied(), make_data()
        sgd = torch.optim.SGD(module.parameters(), 0.1)

        def mean(module, batch):
            output = module(batch["x"])
            return torch.nn.functional.mse_loss(output, batch["y"]), {
                "output": output}

        def of_pair(module, batch):
            return mean(module, dict(zip("xy", batch)))

        pair = tuple(data[name] for name in "xy")
        expected = module(data["x"]).detach().numpy()
        for loss_, batch, part in ((mean, data, {"x": data["x"]}),
                                   (of_pair, pair, pair[:1])):
            job = ps_mlir.Job(ps_mlir.from_torch(module, loss_, batch, sgd))
            found = job.predict(part)["output"]
            numpy.testing.assert_allclose(found, expected, rtol=1e-5,
                                          atol=1e-6)

    def test_training_begins_with_a_state_dict(self):
        module, data = Tied(), make_data()
        job = ps_mlir.Job(ps_mlir.from_torch(
            module, loss, data, torch.optim.SGD(module.parameters(), 0.1)))
        torch.manual_seed(5)
        other = Tied()
        expected = loss(other, data).item()
        for given in other, other.state_dict():
            self.assertAlmostEqual(job.evaluate(data, given)["loss"], expected,
                                   delta=1e-6 * expected)
        result = job.train(data, batch_size=BATCH, start=other, verbose=False)
        self.assertEqual(job.evaluate(data, result.params),
                         job.evaluate(data, result))
        state = {name: value + i for i, (name, value) in
                 enumerate(other.state_dict().items())}
        with self.assertRaisesRegex(TypeError, "are one parameter: expected "):
            job.evaluate(data, state)
        with self.assertRaisesRegex(TypeError, "a state_dict or a module, fo"):
            job.evaluate(data, 3)

    def test_batches_may_have_no_names(self):
        module, data = Tied(), make_data()
        samples = torch.utils.data.TensorDataset(*data.values())
        loader = torch.utils.data.DataLoader(samples, batch_size=BATCH)
        rate = torch.optim.SGD(module.parameters(), 0.1)
        named = ps_mlir.from_torch(module, loss, data, rate)
        graph = ps_mlir.from_torch(
            module, lambda module, batch: torch.nn.functional.mse_loss(
                module(batch[0]), batch[1]), next(iter(loader)), rate)
        expected = ps_mlir.Job(named).train(data, batch_size=BATCH,
                                            verbose=False).params
        pair = tuple(data.values())
        for given in loader, pair, list(pair):
            found = ps_mlir.Job(graph).train(given, batch_size=BATCH,
                                             verbose=False).params
            torch.testing.assert_close(found, expected, rtol=0, atol=0)
        with self.assertRaisesRegex(ps_mlir.JobError, "expected batches that "
                                    "are tuples of 2 tensors, found a Tensor"):
            ps_mlir.Job(graph).train([*pair, pair[0]], verbose=False)

    def test_a_module_in_evaluation_takes_what_it_has_trained(self):
        torch.manual_seed(3)
        module, data = torch.nn.Sequential(
            torch.nn.Linear(6, 6), torch.nn.BatchNorm1d(6)), make_data()
        sgd = TRANSLATED["SGD"](list(module.parameters()))
        result = ps_mlir.Job(ps_mlir.from_torch(module, loss, data, sgd)).train(
            data, batch_size=BATCH, verbose=False)
        module.eval()
        evaluation = ps_mlir.Job(ps_mlir.from_torch(module, loss, data, sgd))
        module.load_state_dict(result.params)
        self.assertAlmostEqual(evaluation.evaluate(data, result)["loss"],
                               loss(module, data).item(), delta=1e-6)

    def test_what_the_optimizer_was_not_given_is_kept(self):
        data = make_data()
        module = torch.nn.Sequential(torch.nn.Linear(6, 6), Tied())
        before = copy.deepcopy(module.state_dict())
        for rate in (torch.optim.SGD(module[1].parameters(), 0.1),
                     torch.optim.Adam([{"params": [module[1].decoder.weight]},
                                       {"params": [module[1].decoder.bias]}])):
            trained = ps_mlir.Job(ps_mlir.from_torch(
                module, loss, data, rate)).train(
                    data, batch_size=BATCH, verbose=False).params
            changed = {name for name, value in before.items()
                       if not torch.equal(value, trained[name])}
            self.assertEqual(changed, {
                "1.encoder.weight", "1.decoder.weight", "1.decoder.bias"})
        with self.assertRaisesRegex(ps_mlir.GraphError, "not the module's"):
            ps_mlir.from_torch(module, loss, data,
                               torch.optim.SGD(Tied().parameters(), 0.1))

    def test_a_batch_is_of_arrays(self):
        module, data = Tied(), make_data()
        arrays = {name: value.numpy() for name, value in data.items()}
        ps_mlir.from_torch(module, loss, arrays, "#ps.sgd<learning_rate = 0.1>")
        for batch, found in (({"x": 1}, "'x', a int"), ({}, "an empty one"),
                             (iter([data]), "a .*: give next")):
            with self.assertRaisesRegex(ps_mlir.GraphError, "expected a batch "
                                        f"that is .* found {found}"):
                ps_mlir.from_torch(module, loss, batch,
                                   "#ps.sgd<learning_rate = 0.1>")

    def test_feeds_may_have_one_sample_tensor(self):
        module, data = torch.nn.Bilinear(6, 6, 6), make_data()
        same = data["x"]
        graph = ps_mlir.from_torch(
            module, lambda module, batch: (
                (module(batch["x"], batch["y"])**2).mean(),
                {"output": module(batch["x"], batch["y"])}),
            {"x": same, "y": same}, ps_mlir.optimizers.sgd(0.1))
        numpy.testing.assert_allclose(
            ps_mlir.Job(graph).predict(data)["output"],
            module(data["x"], data["y"]).detach(), rtol=1e-4, atol=1e-5)

    def test_an_optimizer_of_torch_is_for_modules(self):
        with self.assertRaisesRegex(TypeError, "found Adam$"):
            build_graph(None, torch.optim.Adam(Tied().parameters()))

    def test_an_optimizer_that_has_taken_steps_is_warned_of(self):
        module, data = Tied(), make_data()
        rates = [torch.optim.SGD(module.parameters(), 0.1),
                 torch.optim.SGD(module.parameters(), 0.1, momentum=0.9),
                 torch.optim.Adagrad(module.parameters(), 0.1),
                 torch.optim.Adam(module.parameters(), 0.1)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for rate in rates:
                import_optimizer(rate)
        loss(module, data).backward()
        for rate in rates:
            rate.step()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            import_optimizer(rates[0])
        for rate in rates[1:]:
            with self.assertWarnsRegex(UserWarning, "has taken steps: its stat"):
                ps_mlir.from_torch(module, loss, data, rate)

    def test_what_has_no_counterpart_is_refused(self):
        for what, make in REFUSED.items():
            with self.subTest(what):
                with self.assertRaisesRegex(ps_mlir.GraphError, what):
                    import_optimizer(make(list(Tied().parameters())))


if __name__ == "__main__":
    unittest.main()
