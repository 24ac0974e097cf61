# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks, attention, convolutions over time."""

import jax
import jax.numpy as jnp

from jax_models.case import Case, case
from jax_models.parts import (attention, block_params, convolve, cross_entropy,
                              dense, layer_norm, merge_heads, norm_params,
                              split_heads, squared_error, transformer_block)


def _lstm_cell(p, state, x):
    h, c = state
    i, f, g, o = jnp.split(x @ p["x"] + h @ p["h"] + p["b"], 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h


def _lstm_params(draw, inputs, width):
    return {"x": draw.weights(inputs, 4 * width),
            "h": draw.weights(width, 4 * width), "b": draw.zeros(4 * width)}


def _run(cell, p, x, state):
    """Scans over dimension 1 of x."""
    state, outputs = jax.lax.scan(lambda s, x: cell(p, s, x), state,
                                  x.transpose(1, 0, 2))
    return state, outputs.transpose(1, 0, 2)


@case
def lstm_scan(draw):

    def loss(p, b):
        start = jnp.zeros((b["x"].shape[0], 8))
        (h, _), _ = _run(_lstm_cell, p["cell"], b["x"], (start, start))
        return cross_entropy(dense(p["out"], h), b["y"])

    return Case(loss, {"cell": _lstm_params(draw, 5, 8),
                       "out": draw.layers(8, 3)[0]},
                {"x": draw.normal(6, 5), "y": draw.ids(3)})


@case
def lstm_language_model(draw):

    def loss(p, b):
        x = p["emb"][b["words"][:, :-1]]
        start = jnp.zeros((x.shape[0], 8))
        _, outputs = _run(_lstm_cell, p["cell"], x, (start, start))
        return cross_entropy(dense(p["out"], outputs), b["words"][:, 1:])

    return Case(loss, {"emb": draw.embedding(30, 6),
                       "cell": _lstm_params(draw, 6, 8),
                       "out": draw.layers(8, 30)[0]},
                {"words": draw.ids(30, 7)}, tables=("emb",))


def _gru_cell(p, h, x):
    xr, xz, xn = jnp.split(x @ p["x"] + p["b"], 3, axis=-1)
    hr, hz, hn = jnp.split(h @ p["h"], 3, axis=-1)
    r, z = jax.nn.sigmoid(xr + hr), jax.nn.sigmoid(xz + hz)
    h = (1 - z) * jnp.tanh(xn + r * hn) + z * h
    return h, h


@case
def gru_scan(draw):

    def loss(p, b):
        h, _ = _run(_gru_cell, p["cell"], b["x"],
                    jnp.zeros((b["x"].shape[0], 8)))
        return squared_error(dense(p["out"], h), b["y"])

    return Case(loss, {"cell": {"x": draw.weights(5, 24),
                                "h": draw.weights(8, 24), "b": draw.zeros(24)},
                       "out": draw.layers(8, 1)[0]},
                {"x": draw.normal(6, 5), "y": draw.normal(1)})


@case
def rnn_unrolled(draw):

    def loss(p, b):
        h = jnp.zeros((b["x"].shape[0], 8))
        for t in range(b["x"].shape[1]):
            h = jnp.tanh(b["x"][:, t] @ p["x"] + h @ p["h"] + p["b"])
        return squared_error(dense(p["out"], h), b["y"])

    return Case(loss, {"x": draw.weights(5, 8), "h": draw.weights(8, 8),
                       "b": draw.zeros(8), "out": draw.layers(8, 1)[0]},
                {"x": draw.normal(6, 5), "y": draw.normal(1)})


@case
def power_iteration(draw):
    """fori_loop with a fixed number of iterations."""

    def loss(p, b):
        x = jax.lax.fori_loop(
            0, 4, lambda _, x: jnp.tanh(x @ p["w"] + b["x"]), b["x"])
        return squared_error(x, b["y"])

    return Case(loss, {"w": draw.weights(6, 6)},
                {"x": draw.normal(6), "y": draw.normal(6)})


@case
def temporal_convolution(draw):

    def loss(p, b):
        x = b["x"]
        for i, w in enumerate(p["w"]):
            x = jax.nn.relu(jax.lax.conv_general_dilated(
                x, w, (1,), [(2 * 2**i, 0)], rhs_dilation=(2**i,),
                dimension_numbers=("NWC", "WIO", "NWC")))
        return squared_error(x[:, -1] @ p["out"], b["y"])

    return Case(loss, {"w": [draw.weights(3, 4, 6), draw.weights(3, 6, 6)],
                       "out": draw.weights(6, 1)},
                {"x": draw.normal(10, 4), "y": draw.normal(1)})


@case
def text_convolution(draw):

    def loss(p, b):
        x = p["emb"][b["words"]]
        pooled = [
            jax.nn.relu(jax.lax.conv_general_dilated(
                x, w, (1,), "VALID",
                dimension_numbers=("NWC", "WIO", "NWC"))).max(1)
            for w in p["w"]]
        return cross_entropy(
            dense(p["out"], jnp.concatenate(pooled, axis=-1)), b["y"])

    return Case(loss, {"emb": draw.embedding(40, 6),
                       "w": [draw.weights(n, 6, 4) for n in (2, 3)],
                       "out": draw.layers(8, 3)[0]},
                {"words": draw.ids(40, 9), "y": draw.ids(3)}, tables=("emb",))


@case
def self_attention(draw):

    def loss(p, b):
        q, k, v = (b["x"] @ p[name] for name in ("q", "k", "v"))
        mixed = attention(q[:, None], k[:, None], v[:, None])[:, 0]
        return squared_error(mixed.mean(1) @ p["out"], b["y"])

    return Case(loss, {"out": draw.weights(6, 1),
                       **{name: draw.weights(6, 6) for name in "qkv"}},
                {"x": draw.normal(5, 6), "y": draw.normal(1)})


def _positions(draw, time, width):
    return draw.embedding(time, width)


@case
def gpt_block(draw):

    def loss(p, b):
        words = b["words"]
        time = words.shape[1] - 1
        x = p["emb"][words[:, :-1]] + p["positions"]
        x = transformer_block(p["block"], x, 2, jnp.tril(jnp.ones((time, time))) > 0)
        return cross_entropy(layer_norm(p["norm"], x) @ p["head"], words[:, 1:])

    return Case(loss, {"emb": draw.embedding(40, 8),
                       "positions": _positions(draw, 6, 8),
                       "block": block_params(draw, 8),
                       "norm": norm_params(draw, 8),
                       "head": draw.weights(8, 40)},
                {"words": draw.ids(40, 7)}, tables=("emb",))


@case
def gpt_tied(draw):
    """The embedding is the output layer, too: it must stay a variable."""

    def loss(p, b):
        words = b["words"]
        x = transformer_block(p["block"], p["emb"][words[:, :-1]], 2)
        return cross_entropy(x @ p["emb"].T, words[:, 1:])

    return Case(loss, {"emb": draw.embedding(40, 8),
                       "block": block_params(draw, 8)},
                {"words": draw.ids(40, 7)})


@case
def rotary_attention(draw):
    """Rotary positions, RMS norm and a gated MLP, as in LLaMA."""

    def rms_norm(scale, x):
        return x * jax.lax.rsqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-6) * scale

    def rotate(x):
        half = x.shape[-1] // 2
        angles = (jnp.arange(x.shape[2])[:, None] /
                  10000**(jnp.arange(half) / half))
        left, right = x[..., :half], x[..., half:]
        sine, cosine = jnp.sin(angles), jnp.cos(angles)
        return jnp.concatenate([left * cosine - right * sine,
                                right * cosine + left * sine], axis=-1)

    def loss(p, b):
        x = p["emb"][b["words"][:, :-1]]
        h = rms_norm(p["norm1"], x)
        q, k, v = (split_heads(h @ p[name], 2) for name in "qkv")
        mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]))) > 0
        x = x + merge_heads(attention(rotate(q), rotate(k), v, mask)) @ p["o"]
        h = rms_norm(p["norm2"], x)
        x = x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]
        return cross_entropy(x @ p["head"], b["words"][:, 1:])

    return Case(
        loss, {"emb": draw.embedding(30, 8), "norm1": draw.ones(8),
               "norm2": draw.ones(8), "gate": draw.weights(8, 16),
               "up": draw.weights(8, 16), "down": draw.weights(16, 8),
               "head": draw.weights(8, 30),
               **{name: draw.weights(8, 8) for name in "qkvo"}},
        {"words": draw.ids(30, 7)}, tables=("emb",))


@case
def linear_attention(draw):
    """Cumulative sums in place of a softmax."""

    def loss(p, b):
        q, k = (jax.nn.elu(b["x"] @ p[name]) + 1 for name in "qk")
        v = b["x"] @ p["v"]
        sums = jnp.cumsum(k[..., None] * v[:, :, None], axis=1)
        norms = jnp.cumsum(k, axis=1)
        mixed = jnp.einsum("btd,btde->bte", q, sums) / (
            jnp.einsum("btd,btd->bt", q, norms)[..., None] + 1e-6)
        return squared_error(mixed[:, -1] @ p["out"], b["y"])

    return Case(loss, {"out": draw.weights(4, 1),
                       **{name: draw.weights(5, 4) for name in "qkv"}},
                {"x": draw.normal(6, 5), "y": draw.normal(1)})


@case
def dropout_in_graph(draw):
    """Random numbers of a key that is fed with each sample."""

    def loss(p, b):
        key = jax.random.PRNGKey(0)
        h = jax.nn.relu(b["x"] @ p["w"])
        keep = jax.random.bernoulli(key, 0.5, (h.shape[1],))
        return squared_error(jnp.where(keep, h / 0.5, 0) @ p["out"], b["y"])

    return Case(loss, {"w": draw.weights(6, 12), "out": draw.weights(12, 1)},
                {"x": draw.normal(6), "y": draw.normal(1)})


@case
def sorted_scores(draw):
    """The loss is of the sorted elements of each sample."""

    def loss(p, b):
        return squared_error(jnp.sort(b["x"] @ p["w"], axis=-1),
                             jnp.sort(b["y"], axis=-1))

    return Case(loss, {"w": draw.weights(6, 5)},
                {"x": draw.normal(6), "y": draw.normal(5)})


@case
def conditional(draw):
    """lax.cond on a number that all samples share."""

    def loss(p, b):
        h = b["x"] @ p["w"]
        h = jax.lax.cond(jnp.sum(p["w"]) > 0, jnp.tanh, jax.nn.relu, h)
        return squared_error(h @ p["out"], b["y"])

    return Case(loss, {"w": draw.weights(6, 8), "out": draw.weights(8, 1)},
                {"x": draw.normal(6), "y": draw.normal(1)})
