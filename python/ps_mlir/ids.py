# SPDX-License-Identifier: Apache-2.0
"""Which feeds are ids of a table, read off the graph as ps-opt prints it."""

import re
import warnings
from dataclasses import dataclass

from ps_mlir.check import INLINE, run_ps_opt

_TABLE = re.compile(r'^ +ps\.table @"?([^\s"]+)"? : tensor<(\d+)x',
                    re.MULTILINE)
_TRAIN = re.compile(r"^  func\.func @train\(.*?^  \}", re.MULTILINE | re.DOTALL)
_FEED = re.compile(r'(%\w+): tensor<[^>]*> \{ps\.feed = "([^"]*)"')
_OP = re.compile(r"^ +(%\w+) = stablehlo\.(\w+) (.*)$", re.MULTILINE)
_LOOKUP = re.compile(r'ps\.lookup @"?([^\s"\[]+)"?\[(%\w+)\]')
# Results have the elements of the first operand.
_MOVES = ("convert", "reshape", "broadcast_in_dim")


@dataclass(frozen=True)
class IdRange:
    """The ids of a table, from `first`: JAX counts negative ones from the
    end."""
    table: str
    rows: int
    first: int

    def warn(self, feed, ids):
        """Warns of an id that the table does not have; returns whether."""
        if not ids.size:
            return False
        low, high = ids.min(), ids.max()
        if self.first <= low and high < self.rows:
            return False
        warnings.warn(
            f"feed '{feed}' has the id {high if high >= self.rows else low}, "
            f"table '{self.table}' has {self.rows} rows: such ids are clamped "
            "or dropped, as in the model", stacklevel=2)
        return True


def find_ids(text):
    """The IdRange of each feed whose elements are looked up as they are."""
    # `lazy` for variables whose optimizer changes all rows in every step.
    recovered, _ = run_ps_opt(text, *INLINE,
                              "--ps-recover-tables=recover=lazy")
    train = _TRAIN.search(recovered)
    if not train:
        return {}
    rows = {name: int(size) for name, size in _TABLE.findall(recovered)}
    feeds = dict(_FEED.findall(train[0]))
    ops = {value: (op, re.findall(r"%\w+", rest.partition(" : ")[0]))
           for value, op, rest in _OP.findall(train[0])}
    found = {}
    for table, value in _LOOKUP.findall(train[0]):
        if ops.get(value, "")[0:1] == ("clamp",):
            value = ops[value][1][1]
        value, wraps = _trace(ops, value)
        if value in feeds and table in rows:
            name, size = feeds[value], rows[table]
            if name not in found or size < found[name].rows:
                found[name] = IdRange(table, size, -size if wraps else 0)
    return found


def _trace(ops, value):
    """Where the ids of a lookup come from, and whether negative ones have been
    counted from the end: select(ids < 0, ids + rows, ids)."""
    wraps = False
    while value in ops:
        op, operands = ops[value]
        if op == "select" and ops.get(operands[1]) and \
                ops[operands[1]][0] == "add" and \
                ops[operands[1]][1][0] == operands[2]:
            value, wraps = operands[2], True
        elif op in _MOVES:
            value = operands[0]
        else:
            break
    return value, wraps
