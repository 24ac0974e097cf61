"""Evaluation of a job reads a table that nobody trains as one process does:
also the rows of ids that only another trainer has met, or none at all."""
# RUN: %python %s %t

import pathlib
import random
import shutil
import sys

from job import read_metrics, run
from row_model import graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
samples = make_samples(32)
# Half of them are trainer 1's, which meets other ids.
for i, sample in enumerate(samples):
    sample.ids = [2 * i, 2 * i + 1]
data = write_samples(FOLDER / "samples.txt", samples)
more = [random.Random(1).choice(samples) for _ in range(16)]
for i, sample in enumerate(more[:8]):
    sample.ids = [1000 + i, 2 * i]
evaluated = write_samples(FOLDER / "more.txt", more)


def evaluate(attributes, *command):
    run("ps-run", *command, f"--data={data}", f"--eval-data={evaluated}",
        f"--metrics={FOLDER}/metrics", "--deterministic")
    loss, = [line["loss"] for line in read_metrics(FOLDER / "metrics")
             if line["phase"] == "eval"]
    return loss


losses = {}
for attributes in ("trainable = false",
                   "trainable = false, admit_probability = 0.5 : f64",
                   "trainable = false, admit_count = 2 : i64"):
    module = FOLDER / "graph.mlir"
    module.write_text(graph("sgd").replace(
        "ps.table @emb", f"""ps.table @fixed : tensor<1000000x3xf32>
      init(#ps.uniform<min = 0.5, max = 2.5>) {{{attributes}}}
  ps.table @emb""").replace("ps.lookup @emb[%ids]", "ps.lookup @fixed[%ids]"))
    dist = FOLDER / "dist.mlir"
    run("ps-opt", module, "-o", dist, "--ps-transpile=trainers=2 "
        "pservers=127.0.0.1:6174,127.0.0.1:6175")
    local = evaluate(attributes, module, "--batch-size=8")
    if "count" not in attributes: # counts are those of each trainer
        job = evaluate(attributes, dist, "--role=all", "--batch-size=4")
        assert abs(job - local) <= 1e-5 * local, (attributes, job, local)
    losses[attributes] = local
# What is not admitted reads as zeros.
assert len(set(losses.values())) == 3, losses
