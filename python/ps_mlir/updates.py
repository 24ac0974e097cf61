# SPDX-License-Identifier: Apache-2.0
"""Updates of variables by optimizers of their own."""

import re

from ps_mlir.check import INLINE, run_ps_opt

_UPDATE = re.compile(
    r'^( +ps\.apply(?:_rows)? @"?([^\s",]+)"?, %\S+) .*?'
    r"(?= : (?:tensor|!ps\.rows)<[^<>]*>(?: loc\(|$))", re.MULTILINE)


def update_separately(text, optimizers):
    """The graph, whose one ps.minimize has become updates, with `optimizers`
    in those of the variables that they are named for.

    Raises ValueError if ps-opt refuses the graph.
    """
    updates, _ = run_ps_opt(text, *INLINE, "--ps-differentiate",
                            "--mlir-print-debuginfo")

    def replace(match):
        optimizer = optimizers.get(match[2])
        return f"{match[1]} {optimizer.clauses()}" if optimizer else match[0]

    return _UPDATE.sub(replace, updates)
