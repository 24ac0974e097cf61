# SPDX-License-Identifier: Apache-2.0
"""The suite of Flax modules for coverage.py: of linen, and of nnx."""

import functools
import zlib

import jax
import jax.numpy as jnp
import optax
from flax import linen, nnx

from jax_losses import JaxCase
from jax_models import Case, Draw

TITLE = "Flax modules, against optax"
# The gradient of a bias of attention's keys is zero except for rounding, of
# which Adam makes steps.
KNOWN = {"linen encoder"}


class Perceptron(linen.Module):

    @linen.compact
    def __call__(self, x):
        x = linen.relu(linen.Dense(16)(x))
        return linen.Dense(5)(linen.LayerNorm()(x))


class Convolutions(linen.Module):

    @linen.compact
    def __call__(self, x):
        x = linen.relu(linen.Conv(8, (3, 3))(x))
        x = linen.max_pool(x, (2, 2), strides=(2, 2))
        x = linen.gelu(linen.Conv(8, (3, 3), strides=2)(x))
        return linen.Dense(5)(x.reshape(x.shape[0], -1))


class ResidualBlock(linen.Module):

    @linen.compact
    def __call__(self, x):
        x = linen.Conv(8, (1, 1))(x)
        y = linen.relu(linen.GroupNorm(num_groups=2)(linen.Conv(8, (3, 3))(x)))
        y = linen.GroupNorm(num_groups=2)(linen.Conv(8, (3, 3))(y))
        return linen.Dense(5)(linen.relu(x + y).mean((1, 2)))


class FrozenStatistics(linen.Module):
    """Batch normalization with the statistics that it has."""

    @linen.compact
    def __call__(self, x):
        x = linen.Dense(16)(x)
        x = linen.BatchNorm(use_running_average=True)(x)
        return linen.Dense(5)(linen.silu(x))


class Recurrent(linen.Module):
    cell: type

    @linen.compact
    def __call__(self, x):
        states = linen.RNN(self.cell(12))(x)
        return linen.Dense(5)(states[:, -1])


class Encoder(linen.Module):

    @linen.compact
    def __call__(self, x):
        x = linen.Dense(8)(x)
        x = x + linen.MultiHeadDotProductAttention(2)(linen.LayerNorm()(x))
        y = linen.gelu(linen.Dense(16)(linen.LayerNorm()(x)))
        return linen.Dense(5)((x + linen.Dense(8)(y)).mean(1))


class Regularized(linen.Module):
    """Dropout as evaluation has it."""

    @linen.compact
    def __call__(self, x):
        x = linen.Dropout(0.5, deterministic=True)(linen.elu(linen.Dense(16)(x)))
        return linen.DenseGeneral((5,))(x)


class TwoTowers(linen.Module):

    @linen.compact
    def __call__(self, user, item):
        users = linen.Embed(200, 8, name="user")(user)
        items = linen.Embed(100, 8, name="item")(item)
        return (users * items).sum(-1)


class WideAndDeep(linen.Module):

    @linen.compact
    def __call__(self, ids, dense):
        rows = linen.Embed(300, 4, name="emb")(ids).reshape(ids.shape[0], -1)
        x = linen.relu(linen.Dense(16)(jnp.concatenate([rows, dense], 1)))
        return (linen.Dense(1)(x) + linen.Dense(1)(dense))[:, 0]


class NnxPerceptron(nnx.Module):

    def __init__(self, rngs):
        self.first = nnx.Linear(6, 16, rngs=rngs)
        self.norm = nnx.RMSNorm(16, rngs=rngs)
        self.last = nnx.Linear(16, 5, rngs=rngs)

    def __call__(self, x):
        return self.last(self.norm(nnx.tanh(self.first(x))))


class NnxSequence(nnx.Module):

    def __init__(self, rngs):
        self.emb = nnx.Embed(50, 8, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(2, 8, decode=False, rngs=rngs)
        self.last = nnx.Linear(8, 5, rngs=rngs)

    def __call__(self, x):
        x = self.emb(x)
        return self.last((x + self.attention(x)).mean(1))


def classification(apply, params, x, draw, **options):
    def loss(params, batch):
        logits = apply(params, batch["x"])
        return optax.softmax_cross_entropy_with_integer_labels(
            logits, batch["y"]).mean()
    return Case(loss, params, {"x": x, "y": draw.ids(5)},
                **options)


def linen_case(module, shape, draw):
    """Classes of arrays."""
    x = draw.normal(*shape)
    return classification(module.apply, module.init(jax.random.key(1), x[:1]),
                          x, draw)


def nnx_case(make, draw, x, **options):
    definition, params = nnx.split(make(nnx.Rngs(1)))
    return classification(
        lambda params, x: nnx.merge(definition, params)(x), params, x, draw,
        **options)


def two_towers(draw):
    module = TwoTowers()
    batch = {"user": draw.ids(200),
             "item": draw.ids(100), "y": draw.normal()}

    def loss(params, batch):
        scores = module.apply(params, batch["user"], batch["item"])
        return optax.l2_loss(scores, batch["y"]).mean()
    params = module.init(jax.random.key(1), batch["user"], batch["item"])
    return Case(loss, params, batch, tables=(
        "params.user.embedding", "params.item.embedding"))


def wide_and_deep(draw):
    module = WideAndDeep()
    batch = {"ids": draw.ids(300, 4),
             "dense": draw.normal(3),
             "y": draw.clicks()}

    def loss(params, batch):
        logits = module.apply(params, batch["ids"], batch["dense"])
        return optax.sigmoid_binary_cross_entropy(logits, batch["y"]).mean()
    params = module.init(jax.random.key(1), batch["ids"], batch["dense"])
    return Case(loss, params, batch, tables=("params.emb.embedding",))


def linen_cases():
    return {name: functools.partial(linen_case, module, shape)
            for name, module, shape in (
                ("linen perceptron", Perceptron(), (6,)),
                ("linen convolutions", Convolutions(), (8, 8, 1)),
                ("linen residual block", ResidualBlock(), (6, 6, 2)),
                ("linen frozen statistics", FrozenStatistics(), (6,)),
                ("linen LSTM", Recurrent(linen.LSTMCell), (5, 3)),
                ("linen GRU", Recurrent(linen.GRUCell), (5, 3)),
                ("linen encoder", Encoder(), (4, 6)),
                ("linen regularized", Regularized(), (6,)))}


CASES = {
    **linen_cases(),
    "linen two towers": two_towers,
    "linen wide and deep": wide_and_deep,
    "nnx perceptron": lambda draw: nnx_case(
        NnxPerceptron, draw, draw.normal(6)),
    "nnx sequence": lambda draw: nnx_case(
        NnxSequence, draw, draw.ids(50, 4)),
}


def cases():
    return [JaxCase(name, make(Draw(zlib.crc32(name.encode()))), name in KNOWN)
            for name, make in CASES.items()]
