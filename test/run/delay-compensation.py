"""A gradient of old values is compensated by how far the variable has moved
since it was pulled: one trainer takes all its steps while the other, with the
initial values, waits for samples. What each gradient adds is known, so the sum
is exact.

usage: delay-compensation.py FOLDER
"""
# RUN: %python %s %t

import os
import pathlib
import shutil
import sys

from job import Job, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, STEPS, FACTOR = 4, 3, 1 / 64
GRAPH = FOLDER / "count.mlir"
# Every element of the gradient is -BATCH.
GRAPH.write_text("""
module @count {
  ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
  func.func @train(%x: tensor<?x3xf32> {ps.feed = "x"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<3xf32>
    %each = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
    %product = stablehlo.multiply %each, %x : tensor<?x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
""")
SAMPLES = FOLDER / "ones.txt"
SAMPLES.write_text("3 1 1 1\n" * 100)


def train(name, mode, total):
    with Job(FOLDER / name, pservers=2, trainers=2, graph=GRAPH,
             options=f"mode={mode}") as job:
        saved, gate = job.folder / "model", job.folder / "gate"
        flags = [f"--batch-size={BATCH}", f"--steps={STEPS}", "--log-every=1",
                 "--data-mode=stream"]
        data = f"--data=multislot:{SAMPLES}"
        for index in (0, 1):
            job.pserver(index)
        # Each trainer runs the command twice: to look at the samples before it
        # connects, and for its steps, which begin when all have the initial
        # values.
        flags.append(f"--pipe-command=[ -z $LATE ] || mkdir {job.folder}/seen "
                     f"2>&- || while [ ! -e {gate} ]; do sleep 0.05; done; cat")
        job.trainer(1, *flags, data=data, env={**os.environ, "LATE": "1"})
        early = job.trainer(0, *flags, f"--save={saved}", data=data)
        # A step ends when its own gradients are applied.
        early.wait_for(f"step {STEPS}/{STEPS}")
        gate.touch()
        job.ends_well()
        shape, values = read_model(saved)["w"]
        assert shape == [3] and values == [total] * 3, (name, values, total)


# The first gradient of the late trainer meets a variable that the other has
# moved by one trainer's share of the sum. Later ones are of what it has pulled
# behind its own push, so they are not late.
share = STEPS * BATCH
train("without", f"async staleness={STEPS}", 2 * share)
for name, mode in (("bounded", f"async staleness={STEPS}"),
                   ("unbounded", "async"), ("half-async", "half-async")):
    train(name, f"{mode} dc={FACTOR}",
          2 * share - FACTOR * BATCH**2 * share)

# The square of a large gradient is no f16: where nothing is late, it does not
# matter.
half = FOLDER / "half.mlir"
half.write_text(GRAPH.read_text().replace("3xf32> init", "3xf16> init").replace(
    "%w = ps.read @w : tensor<3xf32>",
    "%w16 = ps.read @w : tensor<3xf16>\n"
    "    %w = stablehlo.convert %w16 : (tensor<3xf16>) -> tensor<3xf32>"))
large = FOLDER / "large.txt"
large.write_text("3 100 100 100\n" * 100)
run("ps-opt", half, "--ps-transpile=pservers=1 mode=async dc=0.5",
    "-o", FOLDER / "half-dist.mlir")
run("ps-run", FOLDER / "half-dist.mlir", "--role=all",
    f"--data=multislot:{large}", f"--batch-size={BATCH}", f"--steps={STEPS}",
    f"--save={FOLDER}/half")
assert read_model(FOLDER / "half")["w"] == ([3], [STEPS * BATCH * 100] * 3)
