# SPDX-License-Identifier: Apache-2.0
"""The table from ops of ATen to functions that emit them.

A function gets a Call and the op's arguments: Tensors, numbers, Multiples of
the batch size, lists of them and None. Ops that are not here are decomposed by
PyTorch; what is left then is refused.
"""

import importlib
from dataclasses import dataclass, field

from ps_mlir.importers.stablehlo.emitter import Emitter

KINDS = ("elementwise", "indexing", "layers", "losses", "movement",
         "reductions")
TABLE = {}  # "add.Tensor" -> function


@dataclass
class Call:
    """One node: where to emit it, and what PyTorch says its result is."""
    e: Emitter
    dtype: str | None = None  # of the result, or of the first of several
    sizes: tuple = ()
    common: str | None = None  # what the operands promote to
    labels: set = field(default_factory=set)  # negative ids in the batch

    def cast(self, x):
        """x in the element type of the result."""
        return self.e.convert(x, self.dtype)


def aten(*names):
    """Enters a function for the given overloads; "x" stands for x.default."""
    def enter(function):
        for name in names:
            key = name if "." in name else name + ".default"
            TABLE[key] = function
        return function
    return enter


def table():
    """The table, with the entries of all modules."""
    for kind in KINDS:
        importlib.import_module(f"ps_mlir.importers.torch.{kind}")
    return TABLE
