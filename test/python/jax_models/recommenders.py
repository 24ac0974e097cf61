# SPDX-License-Identifier: Apache-2.0
"""Models with embeddings, which must become tables."""

import jax
import jax.numpy as jnp

from jax_models.case import Case, case
from jax_models.parts import (binary_cross_entropy, cross_entropy, dense, mlp,
                              squared_error)


@case
def matrix_factorization(draw):

    def loss(p, b):
        scores = jnp.sum(p["user"][b["user"]] * p["item"][b["item"]], axis=-1)
        return squared_error(scores, b["rating"])

    return Case(loss, {"user": draw.embedding(50, 8),
                       "item": draw.embedding(40, 8)},
                {"user": draw.ids(50), "item": draw.ids(40),
                 "rating": draw.normal()}, tables=("user", "item"))


@case
def biased_factorization(draw):

    def loss(p, b):
        user, item = b["user"], b["item"]
        scores = (p["mean"] + p["user_bias"][user][:, 0] +
                  p["item_bias"][item][:, 0] +
                  jnp.sum(p["user"][user] * p["item"][item], axis=-1))
        return squared_error(scores, b["rating"])

    return Case(
        loss, {"mean": draw.zeros(), "user": draw.embedding(50, 8),
               "item": draw.embedding(40, 8), "user_bias": draw.zeros(50, 1),
               "item_bias": draw.zeros(40, 1)},
        {"user": draw.ids(50), "item": draw.ids(40), "rating": draw.normal()},
        tables=("user", "item", "user_bias", "item_bias"))


@case
def two_towers(draw):

    def tower(layers, rows):
        x = mlp(layers, rows)
        return x * jax.lax.rsqrt(jnp.sum(x**2, axis=-1, keepdims=True) + 1e-6)

    def loss(p, b):
        scores = jnp.sum(
            tower(p["user_mlp"], p["user"][b["user"]]) *
            tower(p["item_mlp"], p["item"][b["item"]]), axis=-1)
        return binary_cross_entropy(5 * scores, b["click"])

    return Case(
        loss, {"user": draw.embedding(50, 8), "item": draw.embedding(40, 8),
               "user_mlp": draw.layers(8, 12, 6),
               "item_mlp": draw.layers(8, 12, 6)},
        {"user": draw.ids(50), "item": draw.ids(40), "click": draw.clicks()},
        tables=("user", "item"))


@case
def neural_collaborative_filtering(draw):

    def loss(p, b):
        user, item = b["user"], b["item"]
        product = p["user_gmf"][user] * p["item_gmf"][item]
        joined = jnp.concatenate([p["user"][user], p["item"][item]], axis=-1)
        features = jnp.concatenate([product, mlp(p["mlp"], joined)], axis=-1)
        return binary_cross_entropy(dense(p["out"], features)[:, 0], b["click"])

    return Case(
        loss, {"user": draw.embedding(50, 8), "item": draw.embedding(40, 8),
               "user_gmf": draw.embedding(50, 4),
               "item_gmf": draw.embedding(40, 4),
               "mlp": draw.layers(16, 12, 6), "out": draw.layers(10, 1)[0]},
        {"user": draw.ids(50), "item": draw.ids(40), "click": draw.clicks()},
        tables=("user", "item", "user_gmf", "item_gmf"))


def _clicks(draw, fields=6, limit=60):
    return {"ids": draw.ids(limit, fields), "dense": draw.normal(4),
            "click": draw.clicks()}


@case
def factorization_machine(draw):

    def loss(p, b):
        rows = p["factors"][b["ids"]]
        pairs = 0.5 * jnp.sum(rows.sum(1)**2 - (rows**2).sum(1), axis=-1)
        linear = p["linear"][b["ids"]].sum((1, 2)) + b["dense"] @ p["w"]
        return binary_cross_entropy(p["bias"] + linear + pairs, b["click"])

    return Case(
        loss, {"factors": draw.embedding(60, 5), "linear": draw.zeros(60, 1),
               "w": draw.weights(4), "bias": draw.zeros()}, _clicks(draw),
        tables=("factors", "linear"))


@case
def wide_and_deep(draw):

    def loss(p, b):
        wide = p["wide"][b["ids"]].sum((1, 2))
        deep = jnp.concatenate(
            [p["emb"][b["ids"]].reshape(b["ids"].shape[0], -1), b["dense"]], -1)
        return binary_cross_entropy(wide + mlp(p["deep"], deep)[:, 0],
                                    b["click"])

    return Case(
        loss, {"wide": draw.zeros(60, 1), "emb": draw.embedding(60, 5),
               "deep": draw.layers(34, 16, 8, 1)}, _clicks(draw),
        tables=("wide", "emb"))


@case
def deep_fm(draw):

    def loss(p, b):
        rows = p["emb"][b["ids"]]
        pairs = 0.5 * jnp.sum(rows.sum(1)**2 - (rows**2).sum(1), axis=-1)
        deep = mlp(p["deep"], rows.reshape(rows.shape[0], -1))[:, 0]
        linear = p["linear"][b["ids"]].sum((1, 2))
        return binary_cross_entropy(linear + pairs + deep, b["click"])

    return Case(
        loss, {"emb": draw.embedding(60, 5), "linear": draw.zeros(60, 1),
               "deep": draw.layers(30, 16, 1)}, _clicks(draw),
        tables=("emb", "linear"))


@case
def dlrm(draw):

    def loss(p, b):
        bottom = mlp(p["bottom"], b["dense"])
        rows = jnp.concatenate([bottom[:, None], p["emb"][b["ids"]]], axis=1)
        products = jnp.einsum("bid,bjd->bij", rows, rows)
        i, j = jnp.tril_indices(rows.shape[1], -1)
        features = jnp.concatenate([bottom, products[:, i, j]], axis=-1)
        return binary_cross_entropy(mlp(p["top"], features)[:, 0], b["click"])

    return Case(
        loss, {"emb": draw.embedding(60, 8), "bottom": draw.layers(4, 12, 8),
               "top": draw.layers(8 + 21, 16, 1)}, _clicks(draw),
        tables=("emb",))


@case
def deep_cross_v2(draw):

    def loss(p, b):
        x0 = jnp.concatenate(
            [p["emb"][b["ids"]].reshape(b["ids"].shape[0], -1), b["dense"]], -1)
        x = x0
        for layer in p["cross"]:
            x = x0 * dense(layer, x) + x
        return binary_cross_entropy(mlp(p["deep"], x)[:, 0], b["click"])

    return Case(
        loss, {"emb": draw.embedding(60, 5),
               "cross": [draw.layers(34, 34)[0] for _ in range(2)],
               "deep": draw.layers(34, 16, 1)}, _clicks(draw), tables=("emb",))


@case
def field_attention(draw):
    """AutoInt: attention among the fields."""

    def loss(p, b):
        rows = p["emb"][b["ids"]]
        scores = jnp.einsum("bid,bjd->bij", rows @ p["q"], rows @ p["k"])
        mixed = jax.nn.softmax(scores, axis=-1) @ (rows @ p["v"])
        mixed = jax.nn.relu(mixed + rows @ p["skip"])
        return binary_cross_entropy(
            mixed.reshape(mixed.shape[0], -1) @ p["out"], b["click"])

    return Case(
        loss, {"emb": draw.embedding(60, 5), "out": draw.weights(48),
               **{name: draw.weights(5, 8) for name in ("q", "k", "v", "skip")}},
        _clicks(draw), tables=("emb",))


@case
def interest_network(draw):
    """Deep interest: the history is weighed by the candidate."""

    def loss(p, b):
        history, item = p["item"][b["history"]], p["item"][b["item"]]
        pairs = jnp.concatenate(
            [history, jnp.broadcast_to(item[:, None], history.shape),
             history * item[:, None]], axis=-1)
        weights = mlp(p["attention"], pairs, jax.nn.sigmoid)[..., 0]
        weights = jnp.where(b["history"] > 0, weights, 0.0)
        interest = jnp.einsum("bt,btd->bd", weights, history)
        features = jnp.concatenate([interest, item], axis=-1)
        return binary_cross_entropy(mlp(p["out"], features)[:, 0], b["click"])

    return Case(
        loss, {"item": draw.embedding(40, 6), "attention": draw.layers(18, 8, 1),
               "out": draw.layers(12, 8, 1)},
        {"history": draw.ids(40, 5), "item": draw.ids(40),
         "click": draw.clicks()}, tables=("item",))


@case
def word2vec(draw):
    """Skip-grams with negative samples."""

    def loss(p, b):
        center = p["in"][b["center"]]
        scores = jnp.einsum("bd,bkd->bk", center, p["out"][b["context"]])
        labels = jnp.zeros(scores.shape).at[:, 0].set(1.0)
        return binary_cross_entropy(scores, labels)

    return Case(loss, {"in": draw.embedding(80, 8), "out": draw.embedding(80, 8)},
                {"center": draw.ids(80), "context": draw.ids(80, 6)},
                tables=("in", "out"))


@case
def bag_of_words(draw):

    def loss(p, b):
        mask = (b["words"] > 0).astype(jnp.float32)[..., None]
        mean = (p["emb"][b["words"]] * mask).sum(1) / (mask.sum(1) + 1e-6)
        return cross_entropy(dense(p["out"], mean), b["y"])

    return Case(loss, {"emb": draw.embedding(80, 8), "out": draw.layers(8, 4)[0]},
                {"words": draw.ids(80, 7), "y": draw.ids(4)}, tables=("emb",))


@case
def translation_embedding(draw):
    """TransE over triples of a knowledge graph."""

    def distance(p, b, tail):
        return jnp.abs(p["entity"][b["head"]] + p["relation"][b["relation"]] -
                       p["entity"][tail]).sum(-1)

    def loss(p, b):
        return jnp.mean(jax.nn.relu(
            1 + distance(p, b, b["tail"]) - distance(p, b, b["wrong"])))

    return Case(
        loss, {"entity": draw.embedding(50, 6), "relation": draw.embedding(8, 6)},
        {"head": draw.ids(50), "relation": draw.ids(8), "tail": draw.ids(50),
         "wrong": draw.ids(50)}, tables=("entity", "relation"))


def _experts(draw, route):
    """All experts are computed, and weighed by gates = route(scores)."""

    def loss(p, b):
        gates = route(b["x"] @ p["gate"])
        hidden = jax.nn.relu(jnp.einsum("bi,eih->beh", b["x"], p["w1"]))
        out = jnp.einsum("beh,eho->beo", hidden, p["w2"])
        return squared_error(jnp.einsum("be,beo->bo", gates, out), b["y"])

    return Case(loss, {"gate": draw.weights(10, 4), "w1": draw.weights(4, 10, 8),
                       "w2": draw.weights(4, 8, 3)},
                {"x": draw.normal(10), "y": draw.normal(3)})


@case
def mixture_of_experts(draw):
    return _experts(draw, jax.nn.softmax)


@case
def top_k_experts(draw):

    def route(scores):
        values, chosen = jax.lax.top_k(scores, 2)
        return jnp.einsum("bk,bke->be", jax.nn.softmax(values),
                          jax.nn.one_hot(chosen, scores.shape[1]))

    return _experts(draw, route)


@case
def multi_gate_experts(draw):
    """Two tasks, each with a gate over shared experts (MMoE)."""

    def loss(p, b):
        rows = p["emb"][b["ids"]].reshape(b["ids"].shape[0], -1)
        experts = jax.nn.relu(jnp.einsum("bi,eih->beh", rows, p["experts"]))
        total = 0.0
        for task in ("click", "buy"):
            gates = jax.nn.softmax(rows @ p[task]["gate"])
            mixed = jnp.einsum("be,beh->bh", gates, experts)
            total += binary_cross_entropy(mixed @ p[task]["out"], b[task])
        return total

    return Case(
        loss, {"emb": draw.embedding(60, 4), "experts": draw.weights(3, 24, 8),
               **{task: {"gate": draw.weights(24, 3), "out": draw.weights(8)}
                  for task in ("click", "buy")}},
        {"ids": draw.ids(60, 6), "click": draw.clicks(), "buy": draw.clicks()},
        tables=("emb",))
