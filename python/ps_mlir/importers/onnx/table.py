# SPDX-License-Identifier: Apache-2.0
"""The table from ops of ONNX to functions that emit them.

A function gets a Call and the op's inputs: Tensors, Known values, or None for
those left out. Attributes are in the Call.
"""

import importlib
from dataclasses import dataclass, field

import numpy

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo.emitter import Emitter, Tensor
from ps_mlir.importers.stablehlo.shapes import Multiple, Unsupported

KINDS = ("elementwise", "layers", "linear", "movement", "recurrent")
TABLE = {}  # "Add" -> function


@dataclass(frozen=True)
class Known:
    """A value that the importer knows: an array, which may hold Multiples."""
    array: numpy.ndarray

    @property
    def is_symbolic(self):
        return self.array.dtype == object


@dataclass
class Call:
    """One node."""
    e: Emitter
    attributes: dict
    opset: int
    outputs: int = 1  # how many results are named
    logits: dict = field(default_factory=dict)  # value -> what Softmax got
    name: str = ""
    parameter: object = None  # (name, array) -> the Tensor of a parameter

    def attribute(self, name, default=None):
        return self.attributes.get(name, default)

    def text(self, name, default):
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def tensor(self, value, dtype=None):
        """A value as a Tensor."""
        if value is None or isinstance(value, Tensor):
            return value
        if not value.is_symbolic:
            return self.e.constant(value.array)
        if value.array.size != 1 or dtype is None:
            raise Unsupported("sizes as elements of a tensor")
        (size,) = value.array.reshape(-1)
        scalar = a.number(self.e, size, (), dtype)
        return self.e.reshape(scalar, ((1,),) * value.array.ndim)

    def tensors(self, *values):
        """Values as Tensors of one element type."""
        types = [v.dtype for v in values if isinstance(v, Tensor)]
        return [self.tensor(value, types[0] if types else None)
                for value in values]

    def sizes(self, value):
        """A Known vector as a list of integers and Multiples."""
        if not isinstance(value, Known):
            raise Unsupported("sizes or indices that depend on the input")
        return [item if isinstance(item, Multiple) else int(item)
                for item in value.array.reshape(-1)]

    def axes(self, value, default=None):
        """Axes from an input, or from the attribute of older versions."""
        if value is None:
            axes = self.attribute("axes", default)
            return None if axes is None else list(axes)
        return self.sizes(value)

    def number(self, value):
        """A Known scalar."""
        if not isinstance(value, Known) or value.array.size != 1:
            raise Unsupported("a number that depends on the input")
        return value.array.reshape(-1)[0].item()


def op(*names):
    """Enters a function for the given ops."""
    def enter(function):
        for name in names:
            TABLE[name] = function
        return function
    return enter


def table():
    """The table, with the entries of all modules."""
    for kind in KINDS:
        importlib.import_module(f"ps_mlir.importers.onnx.{kind}")
    return TABLE
