"""An optimizer that is written as a function of the graph trains the bits of
the one that is built in: variables, blocks of them and rows, in one process, on
pservers, in trainers that all-reduce, and on a device."""
# RUN: %python %s %t

import pathlib
import random
import shutil
import sys

from job import DEVICE, INPUTS, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
draw = random.Random(5)
(FOLDER / "ids.csv").write_text("".join(
    f"{draw.randrange(50)},{draw.randrange(50)},{draw.uniform(-1, 1):.4f}\n"
    for _ in range(200)))
TEXT = (INPUTS / "gathered.mlir").read_text()
BUILT_IN = "#ps.adagrad<learning_rate = 0.1>"
ADAGRAD = """
  func.func private @my_adagrad(%p: tensor<f32>, %g: tensor<f32>, %h: tensor<f32>, %rate: tensor<f32>)
      -> (tensor<f32>, tensor<f32>) {
    %square = stablehlo.multiply %g, %g : tensor<f32>
    %sum = stablehlo.add %h, %square : tensor<f32>
    %root = stablehlo.sqrt %sum : tensor<f32>
    %epsilon = stablehlo.constant dense<1.0e-6> : tensor<f32>
    %size = stablehlo.add %root, %epsilon : tensor<f32>
    %scaled = stablehlo.multiply %rate, %g : tensor<f32>
    %step = stablehlo.divide %scaled, %size : tensor<f32>
    %new = stablehlo.subtract %p, %step : tensor<f32>
    return %new, %sum : tensor<f32>, tensor<f32>
  }
"""


def custom(rate="0.1", slot="moment", clip=""):
    optimizer = (f'#ps.custom<@my_adagrad, learning_rate = {rate}, '
                 f'slots = ["{slot}"], identity_for_zero_gradient = true>')
    assert f"({BUILT_IN})" in TEXT
    return TEXT.replace(f"({BUILT_IN})", f"({optimizer}){clip}").replace(
        "module @gathered {", "module @gathered {" + ADAGRAD)


def train(name, graph, *flags):
    path = FOLDER / f"{name}.mlir"
    path.write_text(graph)
    command = ["ps-run"]
    if "launch" in flags:
        command = ["ps-run", "launch", f"--log-dir={FOLDER}/log"]
        flags = [flag for flag in flags if flag != "launch"]
    return run(*command, path, f"--data=csv:{FOLDER}/ids.csv", "--steps=20",
               "--deterministic", "--batch-size=10", f"--save={FOLDER}/{name}",
               *flags)[1]


def check_equal(left, right):
    run("ps-run", "compare", FOLDER / left, FOLDER / right, "--tolerance=0")


schedule = ("#ps.exponential_decay<learning_rate = 0.1, decay_steps = 5, "
            "decay_rate = 0.5>")
for name, flags in {
        "local": [],
        "device": [f"--device={DEVICE}"],
        "job": ["launch", "--pservers=2", "--trainers=2",
                "--transpile=min-block-size=4"],
        "pserver-device": ["launch", "--pservers=1", "--trainers=1",
                           f"--pserver-device={DEVICE}"],
        "reduced": ["launch", "--pservers=0", "--trainers=2"]}.items():
    train(name, TEXT, *flags)
    metrics = FOLDER / "metrics"
    err = train(f"{name}-custom", custom(), f"--metrics={metrics}", *flags)
    # The function computes what it learns with, from its rate or without.
    records = read_metrics(metrics)
    assert len(records) >= 20 and not any(
        key.startswith("learning_rate") for r in records for key in r), records
    if name in ("local", "job"):
        assert "'@emb' becomes a table" in err, err
    check_equal(name, f"{name}-custom")

# With a schedule, whose rate a pserver gets from elsewhere.
job = ["launch", "--pservers=2", "--trainers=1"]
train("scheduled", TEXT.replace(
    BUILT_IN, f"#ps.adagrad<learning_rate = {schedule}>"), *job)
train("scheduled-custom", custom(schedule), *job)
check_equal("scheduled", "scheduled-custom")

# Each program has the function if it updates by it, and is complete.
dist = FOLDER / "dist.mlir"
run("ps-opt", FOLDER / "job-custom.mlir", "-o", dist,
    "--ps-transpile=pservers=2 trainers=2")
for program, count in (("trainer", 0), ("pserver_0", 1), ("pserver_1", 1)):
    text, _ = run("ps-opt", dist, f"--ps-extract-program=name={program}")
    assert text.count("func.func private @my_adagrad") == count, text

# A function's state goes on from what was saved, whatever its name: that of
# what an exchange keeps, too.
for slot in "moment", "squares":
    train("whole", custom(slot=slot), "--steps=40")
    train("half", custom(slot=slot))
    train("rest", custom(slot=slot), f"--load={FOLDER}/half")
    check_equal("whole", "rest")

# An exchange and a slot that would give it the same name do not share it.
for slot, clip, flags in (
        ("accumulated", "", ["--pservers=0", "--transpile=accumulate=2"]),
        ("gradient", " clip(#ps.clip_by_global_norm<0.5>)", [
            "--pservers=2",
            "--transpile=min-block-size=4 recover-tables=false"])):
    for name in "moment", slot:
        train(name, custom(slot=name, clip=clip), "launch", "--trainers=2",
              *flags)
    check_equal("moment", slot)

# One that keeps the gradient, as optimistic gradient descent does: the update
# runs in the product that computes it, and reads the one of the step before.
OPTIMISTIC = """
  func.func private @optimistic(%p: tensor<f32>, %g: tensor<f32>, %before: tensor<f32>, %rate: tensor<f32>)
      -> (tensor<f32>, tensor<f32>) {
    %twice = stablehlo.add %g, %g : tensor<f32>
    %ahead = stablehlo.subtract %twice, %before : tensor<f32>
    %step = stablehlo.multiply %rate, %ahead : tensor<f32>
    %new = stablehlo.subtract %p, %step : tensor<f32>
    return %new, %g : tensor<f32>, tensor<f32>
  }
"""
mnist = (INPUTS.parents[2] / "examples/mnist_mlp/mnist_mlp.mlir").read_text()
momentum = "#ps.momentum<learning_rate = 0.05, momentum = 0.9>"
assert f"using({momentum})" in mnist
path = FOLDER / "optimistic.mlir"
path.write_text(mnist.replace(
    f"using({momentum})", 'using(#ps.custom<@optimistic, learning_rate = 0.02, '
    'slots = ["before"]>)').replace("module @mnist_mlp {", "module @mnist_mlp {" + OPTIMISTIC))
for name, command in (("optimistic", ["ps-run", path]),
                      ("optimistic-job", ["ps-run", "launch", path,
                                          "--pservers=1", "--trainers=1",
                                          f"--log-dir={FOLDER}/log"])):
    run(*command, "--data=synthetic:digits", "--steps=20", "--batch-size=16",
        "--deterministic", f"--save={FOLDER}/{name}")
run("ps-run", "compare", FOLDER / "optimistic", FOLDER / "optimistic-job",
    "--tolerance=1e-5")
