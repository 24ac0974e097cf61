#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the models of suites here and in their own framework, and compares.

usage: coverage.py SUITE.. [--models=REGEX] [--sample=N] [--seed=S] [--job]
       [--device=NAME] [--markdown=FILE]

A suite is a module of this folder with a function cases(), which returns
objects with
    name        of the model
    function()  the LossFunction of the importer under test
    batches()   what the training steps get: dictionaries of numpy arrays
    train(optimizer)  trains with the framework itself, by "sgd" or "adam":
                losses of the steps, and final values of parameters by name
and may have
    tables      names of parameters that must become tables
    optimizers  those of "sgd" and "adam" to train with
    known       true if docs/Coverage.md says why it does not train
Each model is trained by ps-run from the same initial values on the same
batches. Losses and parameters must agree within TOLERANCE, relative to the
largest magnitude of the loss or parameter. --sample draws N models of each
suite. With --job, the parameters of a job
of 2 x 2 processes with the same samples must, too, unless ps-opt warns that the
loss is no mean over samples. The exit code is the number of models that differ
or that cannot be imported, without those that are known.

ps-opt and ps-run must be on PATH.
"""

import argparse
import importlib
import pathlib
import random
import re
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(pathlib.Path(__file__).parent)]

from ps_mlir import Job  # noqa: E402
from ps_mlir.graph import build_graph  # noqa: E402

TOLERANCE = 1e-5
# An epsilon far above rounding: with the usual one, Adam makes a full step of
# a gradient that is zero except for rounding, which no two programs share.
OPTIMIZERS = {
    "sgd": "#ps.sgd<learning_rate = 0.05>",
    "adam": "#ps.adam<learning_rate = 0.002, epsilon = 1e-3>",
}


class Difference(Exception):
    """Which numbers differ."""


def whole(batches):
    """The samples of all batches, in order."""
    return {name: numpy.ascontiguousarray(
        numpy.concatenate([batch[name] for batch in batches]))
        for name in batches[0]}


def difference(ours, theirs):
    """The largest difference, relative to the largest magnitude."""
    ours, theirs = (numpy.asarray(v, "float64") for v in (ours, theirs))
    if ours.shape != theirs.shape:
        return numpy.inf
    if not numpy.isfinite(ours).all():
        return numpy.inf
    scale = max(numpy.abs(theirs).max(initial=0), 1e-3)
    return numpy.abs(ours - theirs).max(initial=0) / scale


def compare(case, graph, optimizer, device):
    """The largest difference between the losses, and the parameters."""
    batches = case.batches()
    size = len(next(iter(batches[0].values())))
    result = Job(graph).train(whole(batches), batch_size=size, device=device,
                              verbose=False)
    expected, parameters = case.train(optimizer)
    found = {"loss": difference(result.losses, expected)}
    for name in graph.initial:
        found[name] = difference(result.variables[name], parameters[name])
    worst = max(found, key=found.get)
    if not found[worst] <= TOLERANCE:
        raise Difference(f"{optimizer}: {found[worst]:.2g} in {worst}")
    return f"{found[worst]:.1e}", result


def compare_job(case, graph, local, device):
    """How far two trainers with half a batch each are from one process."""
    batches = case.batches()
    size = len(next(iter(batches[0].values())))
    shared = Job(graph).train(whole(batches), batch_size=size // 2, pservers=2,
                              trainers=2, device=device, verbose=False)
    gap = max(difference(shared.variables[name], local.variables[name])
              for name in graph.initial)
    if not gap <= TOLERANCE:
        raise Difference(f"a job: {gap:.2g} from one process")
    return f"{gap:.1e}"


def check(case, with_job, device):
    """(state, notes) of a model: what differs by how much, and remarks."""
    notes = {}
    try:
        function = case.function()
    except Exception as error:  # a suite may use any framework
        return "refused", {"remarks": first_line(error)}
    try:
        train(case, function, with_job, device, notes)
        return "trains", notes
    except Difference as error:
        return "differs", notes | {"remarks": str(error)}
    except Exception as error:
        return "fails", notes | {"remarks": first_line(error)}


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def train(case, function, with_job, device, notes):
    for optimizer in getattr(case, "optimizers", OPTIMIZERS):
        graph = build_graph(function, OPTIMIZERS[optimizer])
        notes[optimizer], local = compare(case, graph, optimizer, device)
        if optimizer != "sgd":
            continue
        others = set(getattr(case, "tables", ())) - set(graph.tables)
        if others:
            raise Difference(f"{', '.join(sorted(others))} became no table")
        remarks = []
        if graph.tables:
            remarks.append(f"{len(graph.tables)} tables" if
                           len(graph.tables) > 1 else "1 table")
        if graph.warnings:
            remarks.append("no mean over samples")
        elif with_job:
            notes["job"] = compare_job(case, graph, local, device)
        notes["remarks"] = ", ".join(remarks)


def markdown(suite, rows):
    """A section with a table of the models."""
    trained = sum(state == "trains" for _, state, _ in rows)
    lines = [f"## {suite.TITLE}", "", f"{trained} of {len(rows)} train.", "",
             "| model | SGD | Adam | job | |", "|---|---|---|---|---|"]
    for name, state, notes in rows:
        remarks = notes.get("remarks", "")
        if state != "trains":
            remarks = f"{state}: {remarks}"
        cells = [name, *(notes.get(key, "") for key in ("sgd", "adam", "job")),
                 remarks]
        lines.append("| " + " | ".join(
            cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def choose(cases, arguments):
    """The cases that the options name."""
    cases = [case for case in cases if re.search(arguments.models, case.name)]
    if arguments.sample is None:
        return cases
    return random.Random(arguments.seed).sample(
        cases, min(arguments.sample, len(cases)))


def run(name, arguments):
    """A suite, its rows (name, state and notes of each model), and how many of
    its models should train and do not."""
    rows, missed = [], 0
    suite = importlib.import_module(name)
    for case in choose(suite.cases(), arguments):
        state, notes = check(case, arguments.job, arguments.device)
        if state != "trains" and not getattr(case, "known", False):
            missed += 1
        text = "; ".join(f"{key} {value}" for key, value in notes.items()
                         if value)
        print(f"{name} {case.name}: {state} ({text})", flush=True)
        rows.append((case.name, state, notes))
    trained = sum(state == "trains" for _, state, _ in rows)
    print(f"{name}: {trained} of {len(rows)}")
    return suite, rows, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--models", default="")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--markdown")
    parser.add_argument("--job", action="store_true")
    parser.add_argument("--device", default="cpu",
                        help="where they train (default: cpu)")
    arguments = parser.parse_args()
    missed, pages = 0, []
    for name in arguments.suites:
        suite, rows, of_suite = run(name, arguments)
        missed += of_suite
        pages.append(markdown(suite, rows))
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text("\n".join(pages))
    return min(missed, 100)


if __name__ == "__main__":
    sys.exit(main())
