# SPDX-License-Identifier: Apache-2.0
"""The suite of JAX losses for coverage.py."""

import zlib

import jax
import numpy
import optax

from jax_models import CASES, SAMPLES, Draw
from ps_mlir.importers.jax.importer import import_jax

TITLE = "JAX losses, against optax"
STEPS = 10
OPTIMIZERS = {"sgd": optax.sgd(0.05), "adam": optax.adam(0.002, eps=1e-3)}
# optax computes Adam's 1 - beta^t in f32.
KNOWN = {"mlp_elu"}


class JaxCase:
    """A loss; arrays of parameters and batches are named as the importer
    names them."""

    def __init__(self, name, case, known=False):
        self.name, self.case, self.known = name, case, known
        self.tables = case.tables
        self.imported = None

    def function(self):
        self.imported = import_jax(self.case.loss, self.case.params,
                                   self.batch(0), name=self.name)
        return self.imported.function

    def batch(self, step):
        size = SAMPLES // STEPS
        return jax.tree.map(lambda leaf: leaf[step * size:(step + 1) * size],
                            self.case.batch)

    def batches(self):
        return [self.imported.flatten_batch(self.batch(k))
                for k in range(STEPS)]

    def train(self, optimizer):
        update = OPTIMIZERS[optimizer]

        @jax.jit
        def step(params, state, batch):
            loss, gradients = jax.value_and_grad(self.case.loss)(params, batch)
            changes, state = update.update(gradients, state, params)
            return loss, optax.apply_updates(params, changes), state

        params, losses = self.case.params, []
        state = update.init(params)
        for k in range(STEPS):
            loss, params, state = step(params, state, self.batch(k))
            losses.append(float(loss))
        leaves = [numpy.asarray(leaf) for leaf in jax.tree.leaves(params)]
        names = [p.name for p in self.imported.function.parameters]
        return losses, dict(zip(names, leaves))


def cases():
    return [JaxCase(name.replace("_", " "),
                    make(Draw(zlib.crc32(name.encode()))), name in KNOWN)
            for name, make in CASES.items()]
