#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of this folder again, with the PyTorch at hand.

usage: generate.py [NAME..]

NAME.mlir is what the importer makes of a module, NAME.json its initial values,
batches, and how PyTorch trains it. exported.test trains them without PyTorch.
"""

import json
import pathlib
import re
import sys

import torch

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parents[3] / "python"), str(FOLDER.parents[1])]

import torch_modules  # noqa: E402

MODELS = {"mlp": "MLP", "batch_norm": "Batch norm", "gpt": "GPT",
          "interest": "Deep interest network", "experts":
          "Mixture of experts", "gru": "GRU, 2 layers, bidirectional"}
STEPS = 3


def plain(value):
    """A list of numbers, each with the nine digits that f32 has."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(part) for part in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def write(name, case):
    case.name = name
    function = case.function()
    whole = case.batches
    case.batches = lambda: whole()[:STEPS]
    losses, final = case.train("sgd")
    text = f"// PyTorch {torch.__version__}; generate.py wrote this.\n"
    # Lines of this machine's files are of no use elsewhere.
    body = re.sub(r" loc\(#loc\d+\)|\n#loc\d+ = .*", "", function.text)
    (FOLDER / f"{name}.mlir").write_text(text + body)
    record = {
        "parameters": [{"name": p.name, "dtype": str(p.value.dtype),
                        "value": plain(p.value), "trainable": p.trainable}
                       for p in function.parameters],
        "feeds": [{"name": f.name, "shape": f.shape, "dtype": f.dtype}
                  for f in function.feeds],
        "assignments": function.assignments,
        "batches": [plain(batch) for batch in case.batches()],
        "losses": plain(losses),
        "final": {p.name: plain(final[p.name])
                  for p in function.parameters}}
    (FOLDER / f"{name}.json").write_text(json.dumps(record) + "\n")


def main():
    cases = {case.name: case for case in torch_modules.cases()}
    for name in sys.argv[1:] or MODELS:
        write(name, cases[MODELS[name]])


if __name__ == "__main__":
    main()
