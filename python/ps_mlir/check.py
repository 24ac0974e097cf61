# SPDX-License-Identifier: Apache-2.0
"""Asks ps-opt what becomes of a graph, and where it cannot be trained."""

import pathlib
import re
import subprocess
import tempfile
from dataclasses import dataclass

from ps_mlir.programs import find_program

_DIAGNOSTIC = re.compile(
    r'^(?P<file>[^\n"]+?):(?P<line>\d+)(?::\d+)?: '
    r"(?P<kind>error|warning|remark|note): (?P<message>.*)$", re.MULTILINE)
# In locations of a graph that ps-opt has printed: a line of the graph before,
# which is no place in the model.
_GRAPH = "<graph>"
# What ps-opt does to a graph until variables become tables; calls would hide
# who reads a variable.
INLINE = ("--ps-drop-shardings", "--ps-hide-helpers", "--ps-check-calls",
           "--inline", "--symbol-dce", "--ps-unroll-loops",
           "--ps-select-branches", "--ps-resolve-shapes", "--ps-join-updates")
_PACKAGE = str(pathlib.Path(__file__).resolve().parent)


@dataclass
class Report:
    """What ps-opt reports: the names of variables that become tables, why
    others that are gathered from stay variables, and warnings."""
    tables: list[str]
    refusals: dict[str, str]
    warnings: list[str]


def check_graph(text):
    """Transpiles a graph for two trainers and returns the Report.

    Raises ValueError with the first error, and the line of the model that it
    is about.
    """
    return run_ps_opt(text, "--ps-transpile=pservers=1 trainers=2")[1]


def run_ps_opt(text, *options):
    """The module that ps-opt makes of a graph, and the Report.

    Raises ValueError as check_graph does.
    """
    with tempfile.TemporaryDirectory(prefix="ps-mlir-") as folder:
        path = pathlib.Path(folder) / "graph.mlir"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [find_program("ps-opt"), str(path), "-o", str(path.parent / "out"),
             *options], capture_output=True, text=True, errors="replace")
        found = [(match["kind"], _place(text, path, match), match["message"])
                 for match in _DIAGNOSTIC.finditer(done.stderr)]
        if done.returncode:
            errors = [place + message for kind, place, message in found
                      if kind == "error"]
            raise ValueError(
                errors[0] if errors else done.stderr.strip() or
                f"ps-opt ended with code {done.returncode}")
        made = (path.parent / "out").read_text(encoding="utf-8").replace(
            f'"{path}"', f'"{_GRAPH}"')
    return made, Report(_find_tables(found), _find_refusals(found),
                        [place + message for kind, place, message in found
                         if kind == "warning"])


def _find_tables(found):
    names = [re.match(r"'@(.*)' becomes a table", message)
             for _, _, message in found]
    return [name[1] for name in names if name]


def _find_refusals(found):
    """Why variables stay variables, with the line of the model if known."""
    refusals = {}
    for at, (_, _, message) in enumerate(found):
        refusal = re.match(r"'@(.*)' stays a variable: (.*)", message)
        if refusal:
            place = found[at + 1][1] if found[at + 1:at + 2] and \
                found[at + 1][2] == "here" else ""
            refusals[refusal[1]] = place + refusal[2]
    return refusals


def _place(text, path, match):
    """"model.py:12: ", or nothing where the model's line is not known."""
    if match["file"] in ("<unknown>", _GRAPH):
        return ""
    if match["file"] != str(path):
        return f"{match['file']}:{match['line']}: "
    place = locate(text, int(match["line"]))
    return f"{place}: " if place else ""


def locate(text, line):
    """The line of the model that a line of the graph was made from, as
    "model.py:12", or None."""
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))
    pending = re.findall(r"#loc\d*", text.splitlines()[line - 1])[-1:]
    seen = set()
    while pending:
        alias = pending.pop(0)
        if alias in seen:
            continue
        seen.add(alias)
        body = aliases.get(alias, "")
        for file, number in re.findall(r'"([^"]+)":(\d+):\d+', body):
            if file != _GRAPH and not file.startswith(_PACKAGE):
                return f"{file}:{number}"
        # Callees first: they are what the model's author wrote.
        pending = re.findall(r"#loc\d*", body) + pending
    return None
