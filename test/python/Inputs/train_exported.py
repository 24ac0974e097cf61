# SPDX-License-Identifier: Apache-2.0
"""Trains what an importer wrote, and compares with the framework.

usage: train_exported.py NAME.mlir..

NAME.json beside each file has initial values, batches and what the framework
trained, as exported/generate.py wrote them.
"""

import json
import pathlib
import sys

import numpy

from ps_mlir import Job
from ps_mlir.elements import dtype_of
from ps_mlir.graph import build_graph
from ps_mlir.importers.function import Feed, LossFunction, Parameter

TOLERANCE = 1e-5


def read(path):
    record = json.loads(path.with_suffix(".json").read_text())
    feeds = [Feed(feed["name"], tuple(feed["shape"]), feed["dtype"])
             for feed in record["feeds"]]
    parameters = [Parameter(p["name"], numpy.array(p["value"], p["dtype"]),
                            p["trainable"]) for p in record["parameters"]]
    return record, LossFunction(
        path.stem, path.read_text(), parameters, feeds,
        assignments=[tuple(pair) for pair in record["assignments"]])


def difference(ours, theirs):
    ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
    scale = max(numpy.abs(theirs).max(), 1e-3)
    return numpy.abs(ours - theirs).max() / scale


def check(path):
    """The largest relative difference of losses and final values."""
    record, function = read(path)
    graph = build_graph(function, "#ps.sgd<learning_rate = 0.05>")
    data = {feed.name: numpy.concatenate(
        [numpy.array(batch[feed.name], dtype_of(feed.dtype))
         for batch in record["batches"]]) for feed in function.feeds}
    size = len(record["batches"][0][function.feeds[0].name])
    result = Job(graph).train(data, batch_size=size, verbose=False)
    return max(difference(result.losses, record["losses"]),
               *(difference(result.variables[name], value)
                 for name, value in record["final"].items()))


def main():
    gaps = {name: check(pathlib.Path(name)) for name in sys.argv[1:]}
    for name, gap in gaps.items():
        print(f"{pathlib.Path(name).stem}: {gap:.1e}")
    return sum(not gap <= TOLERANCE for gap in gaps.values())


sys.exit(main())
