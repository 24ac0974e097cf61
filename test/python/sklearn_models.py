# SPDX-License-Identifier: Apache-2.0
"""Models of scikit-learn as ONNX files of skl2onnx, trained by JAX, too."""

import warnings

import jax
import numpy
import optax
from jax import nn
from jax import numpy as jnp
from skl2onnx import to_onnx
from sklearn import linear_model, neural_network, pipeline, preprocessing

from jax_losses import OPTIMIZERS
from ps_mlir.importers.onnx.importer import import_onnx

TITLE = "Models of scikit-learn, as ONNX files, against JAX and optax"
BATCH, STEPS, COLUMNS = 6, 10, 5


class SklearnCase:
    """A file, a loss by name, and the same in JAX.

    `make` returns a ModelProto, arrays by parameter, and a function
    predict(values, x). A loss is of `classes`, clicks (2) or numbers (0).
    """

    def __init__(self, name, make, classes):
        self.name, self.make, self.classes = name, make, classes
        self.made = None

    def parts(self):
        if self.made is None:
            self.made = self.make()
        return self.made

    def batches(self):
        random = numpy.random.RandomState(3)
        return [self.draw(random) for _ in range(STEPS)]

    def draw(self, random):
        targets = {0: lambda: random.standard_normal((BATCH, 1)).astype("f4"),
                   2: lambda: random.randint(0, 2, BATCH).astype("f4")}
        return {"X": random.standard_normal((BATCH, COLUMNS)).astype("f4"),
                "target": targets.get(
                    self.classes, lambda: random.randint(0, 3, BATCH))()}

    def function(self):
        name, _ = LOSSES[self.classes]
        output = {"output": "probabilities"} if self.classes else {}
        return import_onnx(self.parts()[0], name, name=self.name, **output)

    def train(self, optimizer):
        _, values, predict = self.parts()
        _, loss_of = LOSSES[self.classes]
        update = OPTIMIZERS[optimizer]

        @jax.jit
        def step(values, state, batch):
            loss, gradients = jax.value_and_grad(lambda values: loss_of(
                predict(values, batch["X"]), batch["target"]))(values)
            changes, state = update.update(gradients, state, values)
            return loss, optax.apply_updates(values, changes), state

        losses, state = [], update.init(values)
        for batch in self.batches():
            loss, values, state = step(values, state, batch)
            losses.append(float(loss))
        return losses, {name: numpy.asarray(value)
                        for name, value in values.items()}


def cross_entropy(logits, target):
    return -jnp.take_along_axis(nn.log_softmax(logits), target[:, None],
                                axis=1).mean()


def binary_cross_entropy(logits, target):
    logits = logits[:, 0]
    return jnp.mean(nn.softplus(logits) - target * logits)


def mean_square(result, target):
    return jnp.mean((result - target) ** 2)


LOSSES = {0: ("mse", mean_square), 2: ("binary_cross_entropy",
                                       binary_cross_entropy),
          3: ("softmax_cross_entropy", cross_entropy)}


def fitted(model, classes):
    """A model of scikit-learn after a few steps of its own training."""
    random = numpy.random.RandomState(2)
    x = random.standard_normal((40, COLUMNS)).astype("float32")
    y = random.randint(0, classes, 40) if classes else x.sum(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x, y)
    options = {id(model): {"zipmap": False}} if classes and not isinstance(
        model, pipeline.Pipeline) else None
    return to_onnx(model, x[:1], options=options)


def array(value):
    return jnp.asarray(value, "float32")


def linear(kind, model):
    return {f"{kind}.coefficients": array(numpy.atleast_2d(model.coef_)),
            f"{kind}.intercepts": array(numpy.atleast_1d(model.intercept_))}


def predict_linear(values, x):
    weight, bias = (values[name] for name in sorted(values))
    return x @ weight.T + bias


def linear_regression():
    model = linear_model.LinearRegression()
    proto = fitted(model, 0)
    return proto, linear("LinearRegressor", model), predict_linear


def logistic_regression(classes):
    def build():
        model = linear_model.LogisticRegression()
        proto = fitted(model, classes)
        return proto, linear("LinearClassifier", model), predict_linear
    return build


def scaled_logistic_regression():
    model = linear_model.LogisticRegression()
    whole = pipeline.make_pipeline(preprocessing.StandardScaler(), model)
    proto = fitted(whole, 3)
    shift, scale = array(whole[0].mean_), array(whole[0].scale_)
    return proto, linear("LinearClassifier", model), \
        lambda values, x: predict_linear(values, (x - shift) / scale)


def network(kind, classes):
    def build():
        model = kind(hidden_layer_sizes=(6,), max_iter=3, random_state=0)
        proto = fitted(model, classes)
        values = {}
        for suffix, weight, bias in zip(("", "1"), model.coefs_,
                                        model.intercepts_):
            values[f"coefficient{suffix}"] = array(weight)
            values[f"intercepts{suffix}"] = array(bias[None])

        def predict(values, x):
            w0, b0, w1, b1 = (values[name] for name in (
                "coefficient", "intercepts", "coefficient1", "intercepts1"))
            return nn.relu(x @ w0 + b0) @ w1 + b1
        return proto, values, predict
    return build


def cases():
    return [
        SklearnCase("linear regression", linear_regression, 0),
        SklearnCase("logistic regression", logistic_regression(3), 3),
        SklearnCase("scaled logistic regression",
                    scaled_logistic_regression, 3),
        SklearnCase("binary logistic regression", logistic_regression(2), 2),
        SklearnCase("MLPClassifier",
                    network(neural_network.MLPClassifier, 3), 3),
        SklearnCase("MLPRegressor", network(neural_network.MLPRegressor, 0),
                    0)]
