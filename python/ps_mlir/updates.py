# SPDX-License-Identifier: Apache-2.0
"""Updates of variables by optimizers of their own."""

import re

from ps_mlir.check import INLINE, run_ps_opt

_UPDATE = re.compile(
    r'^( +ps\.apply(?:_rows)? @("(?:[^"\\]|\\.)*"|[^\s",]+), %\S+) .*?'
    r"(?= : (?:tensor|!ps\.rows)<[^<>]*>(?: loc\(|$))", re.MULTILINE)


def update_separately(text, optimizers):
    """The graph, whose one ps.minimize has become updates, with `optimizers`
    in those of the variables that they are named for.

    Raises ValueError if ps-opt refuses the graph.
    """
    updates, _ = run_ps_opt(text, *INLINE, "--ps-differentiate",
                            "--mlir-print-debuginfo")

    def replace(match):
        optimizer = optimizers.get(_unquote(match[2]))
        return f"{match[1]} {optimizer.clauses()}" if optimizer else match[0]

    result, found = _UPDATE.subn(replace, updates)
    expected = len(re.findall(r"^ +ps\.apply", updates, re.MULTILINE))
    if found != expected:
        raise ValueError(f"{expected - found} of {expected} updates were not "
                         "recognized: expected one optimizer for all parameters")
    return result


def _unquote(symbol):
    """The name, of which MLIR writes some characters as two digits."""
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)", lambda match: match[1]
                  if len(match[1]) == 1 else chr(int(match[1], 16)),
                  symbol[1:-1]) if symbol[:1] == '"' else symbol
