# SPDX-License-Identifier: Apache-2.0
"""How the benchmarks in Python print, as Table.h does for those in C++."""


def row(what, value, unit, goal=""):
    """One line: what was measured, the figure, its unit of at most nine
    characters, and its goal ("<= 3 s"), or nothing. scripts/benchmark.py reads
    such lines."""
    assert len(unit) <= 9, unit
    print(f"{what:<52} {value:12.3f} {unit:<9} {goal}", flush=True)
