# SPDX-License-Identifier: Apache-2.0
"""Convolutional networks and a vision transformer."""

import jax
import jax.numpy as jnp

from jax_models.case import Case, case
from jax_models.parts import (average_pool, block_params, convolve,
                              cross_entropy, dense, layer_norm, max_pool, mlp,
                              norm_params, squared_error, transformer_block)


def _lenet(draw, pool):

    def loss(p, b):
        x = pool(jnp.tanh(convolve(b["x"], p["c1"])))
        x = pool(jnp.tanh(convolve(x, p["c2"])))
        return cross_entropy(mlp(p["mlp"], x.reshape(x.shape[0], -1)), b["y"])

    return Case(loss, {"c1": draw.weights(5, 5, 1, 4),
                       "c2": draw.weights(5, 5, 4, 6),
                       "mlp": draw.layers(54, 16, 10)},
                {"x": draw.uniform(12, 12, 1), "y": draw.ids(10)})


@case
def lenet_average(draw):
    return _lenet(draw, average_pool)


@case
def lenet_max(draw):
    return _lenet(draw, max_pool)


@case
def strided_convolutions(draw):

    def loss(p, b):
        x = b["x"]
        for w in p["w"]:
            x = jax.nn.relu(convolve(x, w, stride=2))
        return cross_entropy(x.mean((1, 2)) @ p["out"], b["y"])

    return Case(loss, {"w": [draw.weights(3, 3, 3, 6), draw.weights(3, 3, 6, 8)],
                       "out": draw.weights(8, 5)},
                {"x": draw.uniform(8, 8, 3), "y": draw.ids(5)})


@case
def residual_block(draw):
    """A slice of ResNet, with layer norms in place of batch norms."""

    def loss(p, b):
        x = convolve(b["x"], p["stem"])
        h = jax.nn.relu(layer_norm(p["norm1"], convolve(x, p["w1"])))
        x = jax.nn.relu(x + layer_norm(p["norm2"], convolve(h, p["w2"])))
        return cross_entropy(x.mean((1, 2)) @ p["out"], b["y"])

    return Case(
        loss, {"stem": draw.weights(3, 3, 3, 6), "w1": draw.weights(3, 3, 6, 6),
               "w2": draw.weights(3, 3, 6, 6), "norm1": norm_params(draw, 6),
               "norm2": norm_params(draw, 6), "out": draw.weights(6, 5)},
        {"x": draw.uniform(6, 6, 3), "y": draw.ids(5)})


@case
def depthwise_separable(draw):

    def loss(p, b):
        x = jax.nn.relu(convolve(b["x"], p["depth"], groups=4))
        x = jax.nn.relu(convolve(x, p["point"]))
        return cross_entropy(x.mean((1, 2)) @ p["out"], b["y"])

    return Case(loss, {"depth": draw.weights(3, 3, 1, 4),
                       "point": draw.weights(1, 1, 4, 8),
                       "out": draw.weights(8, 5)},
                {"x": draw.uniform(6, 6, 4), "y": draw.ids(5)})


@case
def transposed_convolution(draw):
    """The decoder of a convolutional autoencoder."""

    def loss(p, b):
        x = jax.nn.relu(convolve(b["x"], p["down"], stride=2))
        x = jax.lax.conv_transpose(x, p["up"], (2, 2), "SAME")
        return squared_error(x, b["x"])

    return Case(loss, {"down": draw.weights(3, 3, 2, 5),
                       "up": draw.weights(3, 3, 5, 2)},
                {"x": draw.uniform(8, 8, 2)})


@case
def channel_attention(draw):
    """Squeeze and excitation."""

    def loss(p, b):
        x = jax.nn.relu(convolve(b["x"], p["w"]))
        gates = jax.nn.sigmoid(mlp(p["gate"], x.mean((1, 2))))
        x = x * gates[:, None, None]
        return cross_entropy(x.mean((1, 2)) @ p["out"], b["y"])

    return Case(loss, {"w": draw.weights(3, 3, 3, 8),
                       "gate": draw.layers(8, 4, 8), "out": draw.weights(8, 5)},
                {"x": draw.uniform(6, 6, 3), "y": draw.ids(5)})


@case
def vit_block(draw):

    def loss(p, b):
        n = b["x"].shape[0]
        patches = b["x"].reshape(n, 2, 4, 2, 4, 3).transpose(
            0, 1, 3, 2, 4, 5).reshape(n, 4, 48)
        x = dense(p["patch"], patches)
        first = jnp.broadcast_to(p["class"], (n, 1, 8))
        x = jnp.concatenate([first, x], axis=1) + p["positions"]
        x = transformer_block(p["block"], x, 2)
        return cross_entropy(layer_norm(p["norm"], x[:, 0]) @ p["head"], b["y"])

    return Case(loss, {"patch": draw.layers(48, 8)[0], "class": draw.zeros(8),
                       "positions": draw.embedding(5, 8),
                       "block": block_params(draw, 8),
                       "norm": norm_params(draw, 8), "head": draw.weights(8, 5)},
                {"x": draw.uniform(8, 8, 3), "y": draw.ids(5)})


@case
def mlp_mixer(draw):

    def loss(p, b):
        x = b["x"]
        x = x + mlp(p["tokens"], layer_norm(p["norm1"], x).transpose(0, 2, 1),
                    jax.nn.gelu).transpose(0, 2, 1)
        x = x + mlp(p["channels"], layer_norm(p["norm2"], x), jax.nn.gelu)
        return cross_entropy(x.mean(1) @ p["out"], b["y"])

    return Case(loss, {"tokens": draw.layers(6, 10, 6),
                       "channels": draw.layers(8, 12, 8),
                       "norm1": norm_params(draw, 8),
                       "norm2": norm_params(draw, 8), "out": draw.weights(8, 5)},
                {"x": draw.normal(6, 8), "y": draw.ids(5)})
