# SPDX-License-Identifier: Apache-2.0
"""Dense models: regressions, classifiers, autoencoders."""

import jax
import jax.numpy as jnp

from jax_models.case import Case, case
from jax_models.parts import (binary_cross_entropy, cross_entropy, dense,
                              layer_norm, mlp, norm_params, squared_error)


@case
def linear_regression(draw):
    return Case(lambda p, b: squared_error(b["x"] @ p["w"] + p["b"], b["y"]),
                {"w": draw.weights(13, 1), "b": draw.zeros(1)},
                {"x": draw.normal(13), "y": draw.normal(1)})


@case
def logistic_regression(draw):
    return Case(
        lambda p, b: binary_cross_entropy(b["x"] @ p["w"] + p["b"], b["y"]),
        {"w": draw.weights(13), "b": draw.zeros()},
        {"x": draw.normal(13), "y": draw.clicks()})


@case
def ridge_regression(draw):
    return Case(
        lambda p, b: squared_error(b["x"] @ p["w"], b["y"]) +
        0.1 * jnp.sum(p["w"]**2),
        {"w": draw.weights(13)}, {"x": draw.normal(13), "y": draw.normal()})


@case
def lasso(draw):
    return Case(
        lambda p, b: squared_error(b["x"] @ p["w"], b["y"]) +
        0.01 * jnp.abs(p["w"]).sum(),
        {"w": draw.weights(13)}, {"x": draw.normal(13), "y": draw.normal()})


@case
def huber_regression(draw):

    def loss(p, b):
        error = jnp.abs(b["x"] @ p["w"] - b["y"])
        return jnp.mean(jnp.where(error < 1, 0.5 * error**2, error - 0.5))

    return Case(loss, {"w": draw.weights(13)},
                {"x": draw.normal(13), "y": draw.normal()})


@case
def quantile_regression(draw):

    def loss(p, b):
        error = b["y"] - mlp(p, b["x"])[:, 0]
        return jnp.mean(jnp.maximum(0.9 * error, -0.1 * error))

    return Case(loss, draw.layers(8, 16, 1),
                {"x": draw.normal(8), "y": draw.normal()})


@case
def poisson_regression(draw):

    def loss(p, b):
        rate = 0.1 * (b["x"] @ p["w"])
        return jnp.mean(jnp.exp(rate) - b["y"] * rate)

    return Case(loss, {"w": draw.weights(8)},
                {"x": draw.normal(8), "y": draw.clicks()})


@case
def hinge(draw):
    return Case(
        lambda p, b: jnp.mean(jax.nn.relu(
            1 - (2 * b["y"] - 1) * (b["x"] @ p["w"]))),
        {"w": draw.weights(13)}, {"x": draw.normal(13), "y": draw.clicks()})


@case
def softmax_regression(draw):
    return Case(lambda p, b: cross_entropy(dense(p, b["x"]), b["y"]),
                draw.layers(20, 5)[0], {"x": draw.normal(20), "y": draw.ids(5)})


@case
def mlp_relu(draw):
    return Case(lambda p, b: cross_entropy(mlp(p, b["x"]), b["y"]),
                draw.layers(32, 24, 16, 10),
                {"x": draw.normal(32), "y": draw.ids(10)})


@case
def mlp_tuple_batch(draw):
    return Case(lambda p, b: cross_entropy(mlp(p, b[0]), b[1]),
                draw.layers(32, 24, 10), (draw.normal(32), draw.ids(10)))


@case
def mlp_one_hot(draw):
    return Case(
        lambda p, b: -jnp.mean(jnp.sum(
            jax.nn.one_hot(b["y"], 10) * jax.nn.log_softmax(mlp(p, b["x"])),
            axis=-1)), draw.layers(32, 24, 10),
        {"x": draw.normal(32), "y": draw.ids(10)})


def _with_activation(draw, activation):
    return Case(
        lambda p, b: squared_error(mlp(p, b["x"], activation), b["y"]),
        draw.layers(12, 24, 12, 1), {"x": draw.normal(12), "y": draw.normal(1)})


@case
def mlp_tanh(draw):
    return _with_activation(draw, jnp.tanh)


@case
def mlp_gelu(draw):
    return _with_activation(draw, jax.nn.gelu)


@case
def mlp_gelu_exact(draw):
    return _with_activation(draw, lambda x: jax.nn.gelu(x, approximate=False))


@case
def mlp_silu(draw):
    return _with_activation(draw, jax.nn.silu)


@case
def mlp_elu(draw):
    return _with_activation(draw, jax.nn.elu)


@case
def mlp_softplus(draw):
    return _with_activation(draw, jax.nn.softplus)


@case
def mlp_leaky_relu(draw):
    return _with_activation(draw, jax.nn.leaky_relu)


@case
def maxout(draw):

    def loss(p, b):
        h = dense(p["in"], b["x"]).reshape(b["x"].shape[0], 8, 3).max(-1)
        return squared_error(dense(p["out"], h), b["y"])

    return Case(loss, {"in": draw.layers(12, 24)[0], "out": draw.layers(8, 1)[0]},
                {"x": draw.normal(12), "y": draw.normal(1)})


@case
def highway(draw):

    def loss(p, b):
        x = b["x"]
        for layer in p["layers"]:
            gate = jax.nn.sigmoid(x @ layer["gate"] - 1.0)
            x = gate * jnp.tanh(dense(layer, x)) + (1 - gate) * x
        return squared_error(x, b["y"])

    layers = [{**draw.layers(12, 12)[0], "gate": draw.weights(12, 12)}
              for _ in range(3)]
    return Case(loss, {"layers": layers},
                {"x": draw.normal(12), "y": draw.normal(12)})


@case
def normalized_mlp(draw):

    def loss(p, b):
        h = jax.nn.relu(layer_norm(p["norm"], dense(p["in"], b["x"])))
        return cross_entropy(dense(p["out"], h), b["y"])

    return Case(
        loss, {"in": draw.layers(20, 16)[0], "norm": norm_params(draw, 16),
               "out": draw.layers(16, 5)[0]},
        {"x": draw.normal(20), "y": draw.ids(5)})


@case
def autoencoder(draw):
    return Case(
        lambda p, b: squared_error(
            mlp(p["decoder"], jnp.tanh(mlp(p["encoder"], b["x"]))), b["x"]),
        {"encoder": draw.layers(24, 16, 4), "decoder": draw.layers(4, 16, 24)},
        {"x": draw.uniform(24)})


@case
def variational_autoencoder(draw):
    """The noise is drawn by the user, and fed."""

    def loss(p, b):
        mean, log_variance = jnp.split(mlp(p["encoder"], b["x"]), 2, axis=-1)
        z = mean + jnp.exp(0.5 * log_variance) * b["noise"]
        logits = mlp(p["decoder"], z)
        reconstruction = jnp.sum(
            jax.nn.softplus(logits) - logits * b["x"], axis=-1)
        divergence = -0.5 * jnp.sum(
            1 + log_variance - mean**2 - jnp.exp(log_variance), axis=-1)
        return jnp.mean(reconstruction + divergence)

    return Case(
        loss, {"encoder": draw.layers(24, 16, 8), "decoder": draw.layers(4, 16, 24)},
        {"x": draw.uniform(24), "noise": draw.normal(4)})


@case
def straight_through(draw):
    """A custom gradient: signs are trained as if they were the identity."""

    def loss(p, b):
        h = mlp(p["in"], b["x"])
        h = h + jax.lax.stop_gradient(jnp.sign(h) - h)
        return squared_error(dense(p["out"], h), b["y"])

    return Case(loss, {"in": draw.layers(12, 16, 8), "out": draw.layers(8, 1)[0]},
                {"x": draw.normal(12), "y": draw.normal(1)})


@case
def distillation(draw):
    """The teacher's parameters get no gradient."""

    def loss(p, b):
        teacher = jax.nn.softmax(jax.lax.stop_gradient(
            mlp(p["teacher"], b["x"])) / 2)
        student = jax.nn.log_softmax(mlp(p["student"], b["x"]) / 2)
        return -jnp.mean(jnp.sum(teacher * student, axis=-1))

    return Case(loss, {"teacher": draw.layers(16, 24, 5),
                       "student": draw.layers(16, 8, 5)},
                {"x": draw.normal(16)})


@case
def contrastive_pairs(draw):

    def loss(p, b):
        left, right = mlp(p, b["left"]), mlp(p, b["right"])
        distance = jnp.sqrt(jnp.sum((left - right)**2, axis=-1) + 1e-6)
        return jnp.mean(b["same"] * distance**2 +
                        (1 - b["same"]) * jax.nn.relu(1 - distance)**2)

    return Case(loss, draw.layers(12, 16, 6),
                {"left": draw.normal(12), "right": draw.normal(12),
                 "same": draw.clicks()})


@case
def focal(draw):

    def loss(p, b):
        logits = mlp(p, b["x"])[:, 0]
        probability = jax.nn.sigmoid(logits)
        right = jnp.where(b["y"] == 1, probability, 1 - probability)
        return jnp.mean(-(1 - right)**2 * jnp.log(right + 1e-7))

    return Case(loss, draw.layers(12, 16, 1),
                {"x": draw.normal(12), "y": draw.clicks()})


@case
def mixture_density(draw):

    def loss(p, b):
        out = mlp(p, b["x"])
        weight, mean, scale = jnp.split(out, 3, axis=-1)
        z = (b["y"] - mean) * jnp.exp(-scale)
        return -jnp.mean(jax.nn.logsumexp(
            jax.nn.log_softmax(weight) - 0.5 * z**2 - scale, axis=-1))

    return Case(loss, draw.layers(6, 16, 9),
                {"x": draw.normal(6), "y": draw.normal(1)})


@case
def policy_gradient(draw):
    return Case(
        lambda p, b: -jnp.mean(b["advantage"] * jnp.take_along_axis(
            jax.nn.log_softmax(mlp(p, b["x"], jnp.tanh)),
            b["action"][:, None], axis=1)[:, 0]), draw.layers(8, 16, 4),
        {"x": draw.normal(8), "action": draw.ids(4), "advantage": draw.normal()})


@case
def deep_q(draw):

    def loss(p, b):
        value = jnp.take_along_axis(mlp(p["online"], b["x"]),
                                    b["action"][:, None], axis=1)[:, 0]
        future = jnp.max(mlp(p["target"], b["next"]), axis=-1)
        target = b["reward"] + 0.9 * jax.lax.stop_gradient(future)
        return squared_error(value, target)

    return Case(loss, {"online": draw.layers(8, 16, 4),
                       "target": draw.layers(8, 16, 4)},
                {"x": draw.normal(8), "next": draw.normal(8),
                 "action": draw.ids(4), "reward": draw.normal()})
