# SPDX-License-Identifier: Apache-2.0
"""The table and the plots of bench-peers.sh."""

import dataclasses
import json
import pathlib
import statistics
import subprocess

from benchmark_document import format_value
from common import OURS, NotRun, peer_environment

HERE = pathlib.Path(__file__).resolve().parent
HEADER = ["what", "who", "measured", "unit", "floor", "share of floor",
          "ps-mlir against it"]


def medians(results):
    """The median of each figure, and how many runs have it."""
    found = {}
    for run in results["runs"]:
        for key, value in run["values"].items():
            found.setdefault(key, []).append(value)
    return {key: statistics.median(values) for key, values in found.items()}


def describe_counts(results, part):
    """How many runs the medians of a part are of."""
    names = [run["contestant"] for run in results["runs"]
             if run["contestant"].startswith(f"{part}/")]
    counts = sorted({names.count(name) for name in names}) or [0]
    return (str(counts[0]) if len(counts) == 1
            else f"{counts[0]} to {counts[-1]}")


def make_lines(results, parts):
    values = medians(results)
    return [line for part in parts for line in part.lines(values)]


def format_line(line):
    shown = format_value(line.floor) if line.floor else "none"
    share = f"{line.share:.0f} %" if line.floor else ""
    against = ""
    if line.ours and line.who != OURS:
        against = f"{line.ours / line.value:.2f} x"
    return [line.what, line.who, format_value(line.value), line.unit, shown,
            share, against]


def format_part(name, lines, counts):
    """A table, below which are the floors that it has."""
    rows = [HEADER, ["---"] * len(HEADER), *map(format_line, lines)]
    floors = dict.fromkeys(line.floor_is for line in lines)
    return ["", f"### {name}", "", f"Medians of {counts} runs.", "",
            *("| " + " | ".join(row) + " |" for row in rows), "",
            *(f"Floor: {floor}." for floor in floors)]


def describe_run(results):
    machine = results["machine"]
    loads = [run["load"] for run in results["runs"]] or [0]
    return [f"Commit `{results['commit']}`, {results['date']}, on "
            f"{machine['cpu']}, {machine['cores']} cores, "
            f"{machine['memory_gib']} GiB; build {results['build']}; load "
            f"average {min(loads):.1f} to {max(loads):.1f}, median "
            f"{statistics.median(loads):.1f}."
            + (" A quick run: few steps." if results["quick"] else "")]


def render(results, lines):
    text = describe_run(results)
    for part in dict.fromkeys(line.part for line in lines):
        text += format_part(part, [line for line in lines if line.part == part],
                            describe_counts(results, part))
    text.append("")
    text += [f"{name}: not run: {reason}"
             for name, reason in results["not_run"].items()]
    return "\n".join(text) + "\n"


def plot(lines, folder, environments):
    data = folder / "lines.json"
    data.write_text(json.dumps(
        [dataclasses.asdict(line) | {"share": line.share} for line in lines],
        indent=1))
    try:
        python = environments.python("plot")
    except NotRun as reason:
        return f"no plot: {reason}"
    done = subprocess.run([python, HERE / "plot.py", data, folder],
                          capture_output=True, text=True,
                          env=peer_environment())
    if done.returncode:
        return f"no plot: {done.stderr.strip().splitlines()[-1]}"
    return f"plots: {folder}/peers.png, {folder}/peers.svg"


def write(results, parts, folder, environments):
    lines = make_lines(results, parts)
    text = render(results, lines)
    (folder / "table.md").write_text(text)
    print(text)
    if lines:
        print(plot(lines, folder, environments))
