# SPDX-License-Identifier: Apache-2.0
"""Draws the lines of bench-peers.sh as bars, a panel for each part, as PNG and
SVG: each line's share of its floor, and its figure. plot.py LINES_JSON
FOLDER."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: after the choice of a backend

OURS, PEER, FLOOR = "#2f6fb0", "#b9c0c8", "#c2412d"
BAR_INCHES = 0.22


def draw(axes, part, lines):
    """A bar for each line, the floor being 100 %."""
    places = range(len(lines))
    shares = [line["share"] or 0 for line in lines]
    bars = axes.barh(places, shares,
                     color=[OURS if line["who"].startswith("ps-mlir") else PEER
                            for line in lines])
    axes.bar_label(bars, [f"{line['value']:,.4g} {line['unit']}"
                          if line["value"] < 100 else
                          f"{line['value']:,.0f} {line['unit']}"
                          for line in lines], padding=3, fontsize=7)
    axes.axvline(100, color=FLOOR)
    axes.set_xlim(0, 1.25 * max([100, *shares]))
    axes.set_yticks(list(places), [f"{line['what']}: {line['who']}"
                                   for line in lines], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("share of the floor, %")
    axes.set_title(part, loc="left")


def main():
    lines = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2])
    parts = list(dict.fromkeys(line["part"] for line in lines))
    counts = [sum(line["part"] == part for line in lines) for part in parts]
    figure, panels = pyplot.subplots(
        len(parts), 1, squeeze=False, layout="constrained",
        figsize=(10, BAR_INCHES * sum(counts) + 1.2 * len(parts)),
        height_ratios=[count + 3 for count in counts])
    for axes, part in zip(panels[:, 0], parts):
        draw(axes, part, [line for line in lines if line["part"] == part])
    for kind in ("png", "svg"):
        figure.savefig(folder / f"peers.{kind}", dpi=110)


main()
