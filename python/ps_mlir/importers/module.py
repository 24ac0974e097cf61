# SPDX-License-Identifier: Apache-2.0
"""The text of a module around what an Emitter holds."""

import re
from dataclasses import dataclass

from ps_mlir.importers.stablehlo.emitter import Tensor


@dataclass(frozen=True)
class Argument:
    """An argument of @main: the name of a parameter or feed, and its value.
    """
    name: str
    tensor: Tensor


def symbol(name):
    """A name as a symbol of MLIR."""
    return f"@{name}" if re.fullmatch(r"[A-Za-z_][\w$.]*", name) \
        else f'@"{name}"'


def main_text(name, arguments, emitter, results):
    """A module whose @main has these arguments and results."""
    parameters = ",\n    ".join(
        f"{a.tensor.name}: {a.tensor.type}" for a in arguments)
    types = ", ".join(value.type for value in results)
    names = ", ".join(value.name for value in results)
    lines = [f"module {symbol(name)} {{",
             f"  func.func public @main({parameters})",
             f"      -> ({types}) {{"]
    for op in emitter.lines:
        lines += [f"    {line}" for line in op.splitlines()]
    lines += [f"    return {names} : {types}", "  }", "}"]
    lines += [f"#loc{number} = loc({quote(file)}:{line}:1)"
              for (file, line), number in emitter.locations.items()]
    return "\n".join([*lines, ""])


def quote(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
