"""Nothing that a trainer sends is lost where trainers do not keep step: a model
that adds 1 for each sample to a variable, and to every row that the sample
names, ends at the exact sums; also when trainers are interrupted, or saved from
before the others have finished.

usage: async-counter.py FOLDER
"""
# RUN: %python %s %t

import collections
import pathlib
import re
import shutil
import signal
import sys

from job import Job, read_model, run
from row_model import make_samples, read_rows, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH = 4
GRAPH = FOLDER / "count.mlir"
GRAPH.write_text("""
module @count {
  ps.variable @w : tensor<5x3xf32> init(#ps.constant<0.0>)
  ps.table @emb : tensor<1000000x3xf32> init(#ps.constant<0.0>)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<5x3xf32>
    %each = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<5x3xf32>) -> tensor<?x5x3xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x5x3xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x2x3xf32>, tensor<f32>) -> tensor<f32>
    %sum = stablehlo.add %a, %b : tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
""")
samples = make_samples(96)
data = f"--data={write_samples(FOLDER / 'samples.txt', samples)}"


def check(model, taken, tolerance=0.0):
    """`taken`: how often each sample was trained on. A third is no float, so
    exchanges of mode geo round; what is lost is a whole number or a half."""
    count = sum(taken.values())
    shape, values = read_model(model)["w"]
    assert shape == [5, 3], shape
    assert all(abs(value - count) <= tolerance for value in values), (
        values, count)
    expected = collections.Counter()
    for index, times in taken.items():
        for id in samples[index].ids:
            expected[id] += times
    # Rows that were fetched for a step that an interruption has spared are new.
    found = {id: row for id, row in read_rows(model).items() if any(row)}
    assert found.keys() == expected.keys(), (found, expected)
    for id, n in expected.items():
        assert all(abs(value - n) <= tolerance for value in found[id]), (
            id, found[id], n)


def taken_by(trainers, steps):
    """The samples of so many steps of each trainer, in file order."""
    taken = collections.Counter()
    for trainer in range(trainers):
        own = [i for i in range(len(samples)) if i % trainers == trainer]
        for step in range(steps[trainer]):
            at = step * BATCH % (len(own) // BATCH * BATCH)
            taken.update(own[at:at + BATCH])
    return taken


def train_to_end(mode, queue, trainers, graph, **how):
    """All in one process, and as processes."""
    with Job(FOLDER / f"{mode}-{queue}-{trainers}".replace(" ", "-"), pservers=2,
             trainers=trainers, graph=graph, options=f"mode={mode}") as job:
        flags = [f"--batch-size={BATCH}", "--steps=40", f"--send-queue={queue}"]
        saved = job.folder / "all"
        run("ps-run", job.program, "--role=all", data, *flags,
            f"--save={saved}")
        check(saved, taken_by(trainers, [40] * trainers), **how)
        saved = job.folder / "processes"
        for index in (0, 1):
            job.pserver(index)
        for index in range(trainers):
            job.trainer(index, *flags, data=data,
                        *([f"--save={saved}"] if index == 0 else []))
        job.ends_well()
        check(saved, taken_by(trainers, [40] * trainers), **how)


def interrupt(name, mode, graph, *more, **how):
    """A trainer that is interrupted leaves, and what it has learned counts."""
    with Job(FOLDER / f"interrupted-{name}", pservers=2, trainers=2,
             graph=graph, options=f"mode={mode}") as job:
        flags = [f"--batch-size={BATCH}", "--steps=3000", "--log-every=50",
                 *more]
        saved = job.folder / "model"
        for index in (0, 1):
            job.pserver(index)
        job.trainer(0, *flags, f"--save={saved}", data=data)
        other = job.trainer(1, *flags, data=data)
        other.wait_for("Communicator start")
        other.signal(signal.SIGTERM)
        assert other.end() in (130, 143), other.text()
        job.processes.remove(other)
        job.ends_well()
        steps = re.search(r"stopped after (\d+) of", other.text())
        check(saved, taken_by(2, [3000, int(steps.group(1))]), **how)


for mode, queue in (("async", 0), ("async", 1), ("async", 3), ("half-async", 0),
                    ("async staleness=0", 0), ("async staleness=1", 2)):
    for trainers in (1, 2, 3):
        train_to_end(mode, queue, trainers, GRAPH)
for queue in (0, 3):
    interrupt(queue, "async", GRAPH, f"--send-queue={queue}")

# Exchanges in the background, of which the last leaves no rest.
for steps in (1, 3, 7, 100):
    for trainers in (1, 2, 3):
        train_to_end(f"geo geo-steps={steps}", 0, trainers, GRAPH,
                     tolerance=1e-3)
for steps in (1, 20):
    interrupt(f"geo-{steps}", f"geo geo-steps={steps}", GRAPH, tolerance=0.4)
