# SPDX-License-Identifier: Apache-2.0
"""Optimizers of optax: those that are translated train the same, others are
refused."""

import functools
import unittest

import jax
import jax.numpy as jnp
import numpy
import optax

import ps_mlir
from ps_mlir.importers.jax.optax import import_optimizer

TRANSLATED = {
    "sgd": optax.sgd(0.1),
    "momentum": optax.sgd(0.1, momentum=0.9),
    "nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
    "adam": optax.adam(0.01),
    "adamw": optax.adamw(0.01, weight_decay=0.1),
    "adagrad": optax.adagrad(0.1),
    "rmsprop": optax.rmsprop(0.01),
    "adadelta": optax.adadelta(0.5),
    "lamb": optax.lamb(0.01, weight_decay=0.1),
    "clipped": optax.chain(optax.clip_by_global_norm(0.1), optax.sgd(0.1)),
    "clipped elements": optax.chain(optax.clip(0.05), optax.sgd(0.1)),
    "exponential decay": optax.sgd(optax.exponential_decay(0.1, 3, 0.5)),
    "staircase": optax.sgd(
        optax.exponential_decay(0.1, 3, 0.5, staircase=True)),
    "polynomial decay": optax.sgd(
        optax.polynomial_schedule(0.1, 0.01, 2, 5)),
    "constant": optax.sgd(optax.constant_schedule(0.1)),
    # These become update functions.
    "adagrad from nothing": optax.adagrad(0.1, initial_accumulator_value=0.0,
                                          eps=1e-4),
    "adamax": optax.adamax(0.01),
    "nadam": optax.nadam(0.01),
    "lion": optax.lion(0.001),
    "amsgrad": optax.amsgrad(0.01),
    "cosine decay": optax.sgd(optax.cosine_decay_schedule(0.1, 8)),
    "schedule of one's own": optax.sgd(lambda step: 0.1 / (step + 1)),
    "partial schedule": optax.sgd(functools.partial(
        lambda rate, step: rate / (step + 1), 0.1)),
    "compiled schedule": optax.sgd(jax.jit(lambda step: 0.1 / (step + 1))),
    "warm-up": optax.adam(optax.warmup_cosine_decay_schedule(
        0.0, 0.01, 3, 10)),
    "end value": optax.sgd(optax.exponential_decay(0.1, 3, 0.5,
                                                   end_value=0.03)),
    "moments in bf16": optax.adam(0.01, mu_dtype=jnp.bfloat16)
}
REFUSED = {
    # What arrays of one step would not show.
    "depends on other elements or on shapes": optax.adamw(
        1e-3, weight_decay=1e-4,
        mask=lambda params: jax.tree.map(lambda leaf: leaf.ndim > 0, params)),
    "begins with the parameters": optax.contrib.schedule_free_sgd(0.01),
    "the chain masked": optax.lars(0.1),
    "clip_by_block_rms": optax.chain(optax.clip_by_block_rms(0.1),
                                     optax.sgd(0.1)),
    "scale_by_factored_rms": optax.adafactor(0.01, min_dim_size_to_factor=2)
}
DECAYED, LABELS = {"w": True, "b": False}, {"w": "fast", "b": "slow"}
CLIP = optax.clip_by_global_norm(0.05)


def by_label(fast, slow):
    return optax.multi_transform({"fast": fast, "slow": slow}, LABELS)


GROUPS = {
    "frozen": by_label(optax.sgd(0.1), optax.set_to_zero()),
    "two": by_label(optax.sgd(0.1), optax.adam(0.01)),
    "update functions": by_label(optax.adamax(0.01), optax.lion(0.001)),
    "labels of a function": optax.multi_transform(
        {2: optax.sgd(0.1, 0.9), 1: optax.adagrad(0.1)},
        lambda params: jax.tree.map(lambda leaf: leaf.ndim, params)),
    "masked decay": optax.adamw(0.01, weight_decay=0.1, mask=DECAYED),
    "mask of a function": optax.adamw(
        0.01, weight_decay=0.1,
        mask=lambda params: jax.tree.map(lambda leaf: leaf.ndim > 1, params)),
    "masked in a chain": optax.chain(
        optax.masked(optax.add_decayed_weights(0.1), DECAYED), optax.sgd(0.1)),
    "not for some": optax.masked(optax.sgd(0.1), DECAYED),
    "one mask for all": optax.adamw(0.01, weight_decay=0.1, mask=True),
    "norm of all": optax.chain(CLIP, by_label(optax.sgd(0.1), optax.sgd(0.3))),
    "norm of some": by_label(optax.chain(CLIP, optax.sgd(0.1)), optax.sgd(0.3))
}
GROUPS_REFUSED = {
    "norm of several groups": by_label(optax.chain(CLIP, optax.sgd(0.1)),
                                       optax.chain(CLIP, optax.sgd(0.2))),
    "one that is set to zero": optax.chain(
        CLIP, by_label(optax.sgd(0.1), optax.set_to_zero())),
    "no optimizer for the label 'z': expected one of 'x'": optax.multi_transform(
        {"x": optax.sgd(0.1)}, {"w": "x", "b": "z"}),
    "trains no parameter": optax.set_to_zero(),
    "scale_by_trust_ratio": optax.masked(optax.lars(0.1), DECAYED)
}
STEPS, BATCH = 10, 8


def loss(params, batch):
    error = jnp.tanh(batch["x"] @ params["w"] + params["b"]) - batch["y"]
    return jnp.mean(error**2)


def make_model():
    draw = numpy.random.default_rng(3).standard_normal
    params = {"w": draw((6, 3)).astype("f4"), "b": numpy.zeros(3, "f4")}
    batch = {"x": draw((STEPS * BATCH, 6)).astype("f4"),
             "y": draw((STEPS * BATCH, 3)).astype("f4")}
    return params, batch


def train(optimizer, params, data):
    """The same by optax."""
    state = optimizer.init(params)
    for k in range(STEPS):
        batch = {name: array[k * BATCH:(k + 1) * BATCH]
                 for name, array in data.items()}
        gradients = jax.grad(loss)(params, batch)
        updates, state = optimizer.update(gradients, state, params)
        params = optax.apply_updates(params, updates)
    return params


class OptaxTest(unittest.TestCase):

    def test_what_is_translated_trains_the_same(self):
        self.check(TRANSLATED)

    def test_groups_of_parameters_train_the_same(self):
        self.check(GROUPS)

    def check(self, optimizers):
        params, data = make_model()
        batch = {name: array[:BATCH] for name, array in data.items()}
        for name, optimizer in optimizers.items():
            with self.subTest(name):
                graph = ps_mlir.from_jax(loss, params, batch, optimizer,
                                         fixed_batch=True)
                ours = ps_mlir.Job(graph).train(data, verbose=False).params
                theirs = train(optimizer, params, data)
                for key in ours:
                    numpy.testing.assert_allclose(ours[key], theirs[key],
                                                  rtol=1e-5, atol=1e-6)

    def test_what_is_not_is_refused(self):
        for what, optimizer in REFUSED.items():
            with self.subTest(what):
                with self.assertRaisesRegex(ps_mlir.GraphError,
                                            what):
                    import_optimizer(optimizer)
        params, data = make_model()
        for what, optimizer in GROUPS_REFUSED.items():
            with self.subTest(what):
                with self.assertRaisesRegex(ps_mlir.GraphError, what):
                    ps_mlir.from_jax(loss, params, data, optimizer)


if __name__ == "__main__":
    unittest.main()
