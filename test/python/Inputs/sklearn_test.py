# SPDX-License-Identifier: Apache-2.0
"""Losses of models of scikit-learn are its own, and what is trained is a
model again."""

import unittest
import warnings

import numpy
from onnx.reference import ReferenceEvaluator
from skl2onnx import to_onnx
from sklearn import linear_model, metrics, multiclass, neural_network
from sklearn import pipeline, preprocessing

import ps_mlir

SGD = ps_mlir.optimizers.sgd(0.1)
DRAW = numpy.random.RandomState(0)
X = DRAW.standard_normal((320, 4)).astype("f4")
TWO = (X[:, 0] + DRAW.standard_normal(320) > 0).astype("i8")
THREE = TWO + (X[:, 1] > 0)
NUMBERS = (X @ [1, 2, 3, 4]).astype("f4") + 1


def fitted(model, y):
    """A model that has seen too few samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X[:40], y[:40])


def exported(model, **options):
    return to_onnx(model, X[:1], options={id(model): {"zipmap": False,
                                                      **options}})


def logistic():
    return linear_model.LogisticRegression()


def scaled():
    return pipeline.make_pipeline(preprocessing.StandardScaler(), logistic())


def network():
    return neural_network.MLPClassifier((6,), max_iter=3, random_state=0)


def sgd():
    return linear_model.SGDClassifier(loss="log_loss", alpha=1.0,
                                      random_state=0)


def separate():
    return multiclass.OneVsRestClassifier(logistic())


class SklearnTest(unittest.TestCase):

    def assert_trains(self, model, loss, target, probabilities):
        """That training begins with the loss, and ends with a model of it."""
        job = ps_mlir.Job(ps_mlir.from_onnx(model, loss, SGD))
        data = {"X": X, "target": target}
        before = metrics.log_loss(target, probabilities, labels=[0, 1, 2][
            :probabilities.shape[1]])
        self.assertAlmostEqual(job.evaluate(data)["loss"], before, 5)
        result = job.train(data, batch_size=32, epochs=4, verbose=False)
        after = job.evaluate(data, result)["loss"]
        self.assertLess(after, before - 0.01)
        outputs = ReferenceEvaluator(result.params).run(None, {"X": X})
        self.assertAlmostEqual(metrics.log_loss(target, outputs[1]), after, 5)
        self.assertAlmostEqual(job.evaluate(data, result.params)["loss"], after,
                               5)
        return result

    def test_two_classes(self):
        for make in logistic, scaled, network, sgd:
            model = fitted(make(), TWO)
            trained = []
            for loss, target in (("binary_cross_entropy", TWO.astype("f4")),
                                 ("softmax_cross_entropy", TWO)):
                with self.subTest(make.__name__, loss=loss):
                    trained.append(self.assert_trains(
                        exported(model), loss, target, model.predict_proba(X)))
            first, second = (result.variables for result in trained)
            for name, value in first.items():
                numpy.testing.assert_allclose(second[name], value, atol=1e-5)

    def test_three_classes(self):
        for make in logistic, scaled, network:
            with self.subTest(make.__name__):
                model = fitted(make(), THREE)
                self.assert_trains(exported(model), "softmax_cross_entropy",
                                   THREE, model.predict_proba(X))

    def test_raw_scores(self):
        model = fitted(logistic(), TWO)
        raw = exported(model, raw_scores=True)
        loss = ps_mlir.Job(ps_mlir.from_onnx(
            raw, "binary_cross_entropy", SGD)).evaluate(
                {"X": X, "target": TWO.astype("f4")})["loss"]
        self.assertAlmostEqual(
            loss, metrics.log_loss(TWO, model.predict_proba(X)), 5)
        with self.assertRaisesRegex(ps_mlir.GraphError, "expected the loss "
                                    "'binary_cross_entropy'"):
            ps_mlir.from_onnx(raw, "softmax_cross_entropy", SGD)
        model = fitted(logistic(), THREE)
        loss = ps_mlir.Job(ps_mlir.from_onnx(
            exported(model, raw_scores=True), "softmax_cross_entropy",
            SGD)).evaluate({"X": X, "target": THREE})["loss"]
        self.assertAlmostEqual(
            loss, metrics.log_loss(THREE, model.predict_proba(X)), 5)

    def test_a_regression(self):
        model = fitted(linear_model.LinearRegression(), NUMBERS * 0)
        job = ps_mlir.Job(ps_mlir.from_onnx(to_onnx(model, X[:1]), "mse", SGD))
        data = {"X": X, "target": NUMBERS[:, None]}
        result = job.train(data, batch_size=32, epochs=9, verbose=False)
        predicted, = ReferenceEvaluator(result.params).run(None, {"X": X})
        numpy.testing.assert_allclose(predicted[:, 0], NUMBERS, atol=1e-2)

    def test_probabilities_of_separate_models_are_refused(self):
        for make in sgd, separate:
            model = exported(fitted(make(), THREE))
            for loss in "softmax_cross_entropy", "binary_cross_entropy":
                with self.assertRaisesRegex(
                        ps_mlir.GraphError, f"{loss} is of logits, 'probabili"
                        "ties' is made of probabilities that Div '?.*'? divide"
                        "s by their sum"):
                    ps_mlir.from_onnx(model, loss, SGD)


if __name__ == "__main__":
    unittest.main()
