# SPDX-License-Identifier: Apache-2.0
"""What a loss of this suite is: a loss function, parameters and a batch."""

import dataclasses
from typing import Any, Callable

import numpy

# Of all steps of a training run together.
SAMPLES = 160
CASES = {}


@dataclasses.dataclass
class Case:
    """loss(params, batch); `table` names the parameters that are embeddings,
    which must become tables of the job."""
    loss: Callable
    params: Any
    batch: Any
    tables: tuple[str, ...] = ()


def case(make):
    """Registers make(draw) under its name."""
    CASES[make.__name__] = make
    return make


class Draw:
    """Random arrays, the same for each run of a case."""

    def __init__(self, seed):
        self.generator = numpy.random.default_rng(seed)

    def weights(self, *shape):
        """Normal, scaled by the root of the number of inputs."""
        fan_in = int(numpy.prod(shape[:-1])) or 1
        return (self.generator.standard_normal(shape) /
                numpy.sqrt(fan_in)).astype(numpy.float32)

    def embedding(self, *shape):
        return (0.5 * self.generator.standard_normal(shape)).astype(
            numpy.float32)

    def zeros(self, *shape):
        return numpy.zeros(shape, numpy.float32)

    def ones(self, *shape):
        return numpy.ones(shape, numpy.float32)

    def normal(self, *shape):
        return self.generator.standard_normal((SAMPLES, *shape)).astype(
            numpy.float32)

    def uniform(self, *shape):
        return self.generator.random((SAMPLES, *shape), numpy.float32)

    def ids(self, limit, *shape):
        return self.generator.integers(0, limit, (SAMPLES, *shape)).astype(
            numpy.int32)

    def clicks(self, *shape):
        return self.generator.integers(0, 2, (SAMPLES, *shape)).astype(
            numpy.float32)

    def layers(self, *sizes):
        """Weights and biases of dense layers."""
        return [{"w": self.weights(n, m), "b": self.zeros(m)}
                for n, m in zip(sizes, sizes[1:])]
