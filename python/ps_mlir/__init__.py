# SPDX-License-Identifier: Apache-2.0
"""Trains JAX, PyTorch and ONNX models on parameter servers.

    graph = ps_mlir.from_jax(loss, params, batch, optimizer=optax.adam(1e-3))
    result = ps_mlir.Job(graph).train(data, pservers=2, trainers=2, epochs=3)
    params = result.params

An importer makes a Graph: a training graph for one machine, in MLIR. A Job
trains it with ps-run, as one process or as parameter servers and trainers.
"""

from ps_mlir import optimizers
from ps_mlir.graph import Graph, GraphError
from ps_mlir.job import Interrupted, Job, JobError, Result
from ps_mlir.metrics import StopTraining
from ps_mlir.optimizers import Optimizer
from ps_mlir.tables import Table
from ps_mlir.texts import category_id, vocabulary

__all__ = [
    "Graph", "GraphError", "Interrupted", "Job", "JobError", "Optimizer",
    "Result", "StopTraining", "Table", "category_id", "from_jax", "from_onnx",
    "from_torch", "optimizers", "vocabulary"
]


def from_jax(loss, params, batch, optimizer, **options):
    """Makes a Graph of a JAX loss; see ps_mlir.importers.jax.importer."""
    from ps_mlir.importers.jax import importer
    return importer.from_jax(loss, params, batch, optimizer, **options)


def from_torch(module, loss, batch, optimizer, **options):
    """Makes a Graph of a PyTorch module; see
    ps_mlir.importers.torch.graph.from_torch."""
    from ps_mlir.importers.torch import graph
    return graph.from_torch(module, loss, batch, optimizer, **options)


def from_onnx(model, loss, optimizer, **options):
    """Makes a Graph of an ONNX model; see
    ps_mlir.importers.onnx.graph.from_onnx."""
    from ps_mlir.importers.onnx import graph
    return graph.from_onnx(model, loss, optimizer, **options)
