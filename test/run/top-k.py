"""The largest elements of gradients: what a job saves is, to the bit, what plain
Python computes with the same choice of elements and the same memory."""
# RUN: %python %s %t

import json
import pathlib
import random
import shutil
import struct
import sys

from job import read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
ROWS, COLUMNS, SMALL, STEPS, RATE = 9, 4, 2, 8, 0.5
LARGE = ROWS * COLUMNS

# Feeds are gradients: nothing but the exchange and the update rounds.
GRAPH = f"""
module @feeds {{
  ps.variable @w : tensor<{ROWS}x{COLUMNS}xf32> init(#ps.constant<0.0>)
  ps.variable @b : tensor<{SMALL}xf32> init(#ps.constant<0.0>)
  func.func @train(%gw: tensor<1x{LARGE}xf32> {{ps.feed = "gw"}},
                   %gb: tensor<1x{SMALL}xf32> {{ps.feed = "gb"}}) {{
    %w = stablehlo.reshape %gw : (tensor<1x{LARGE}xf32>) -> tensor<{ROWS}x{COLUMNS}xf32>
    %b = stablehlo.reshape %gb : (tensor<1x{SMALL}xf32>) -> tensor<{SMALL}xf32>
    ps.apply @w, %w using(#ps.sgd<learning_rate = {RATE}>) : tensor<{ROWS}x{COLUMNS}xf32>
    ps.apply @b, %b using(#ps.sgd<learning_rate = {RATE}>) : tensor<{SMALL}xf32>
    return
  }}
}}
"""


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def take(gradient, unsent, count):
    """What is sent; `unsent` keeps the rest."""
    for i, g in enumerate(gradient):
        unsent[i] = f32(unsent[i] + g)
    order = sorted(range(len(unsent)), key=lambda i: (-abs(unsent[i]), i))
    sent = [0.0] * len(unsent)
    for i in order[:count]:
        sent[i], unsent[i] = unsent[i], 0.0
    return sent


def train(samples, trainers, blocks):
    """The values of @w after all steps; `blocks` are (first, end, count)."""
    values = [0.0] * LARGE
    unsent = [[0.0] * LARGE for _ in range(trainers)]
    for step in range(STEPS):
        sums = [0.0] * LARGE
        for trainer in range(trainers):
            gradient = samples[step * trainers + trainer][:LARGE]
            for first, end, count in blocks:
                rest = unsent[trainer][first:end]
                sent = take(gradient[first:end], rest, count)
                unsent[trainer][first:end] = rest
                sums[first:end] = [f32(a + b) for a, b in
                                   zip(sums[first:end], sent)]
        values = [f32(v - RATE * f32(s / trainers))
                  for v, s in zip(values, sums)]
    return values


def make_samples(count, seed):
    """Some magnitudes are equal, and some elements large only in sum."""
    draw = random.Random(seed)
    return [[draw.choice([-1, 1]) * draw.choice([0.0, 0.25, 0.25, 0.3, 1 / 3,
                                                 1e-4, 7.1])
             if draw.random() < 0.5 else draw.uniform(-1, 1)
             for _ in range(LARGE + SMALL)] for _ in range(count)]


def job(name, samples, trainers, options, graph=GRAPH):
    """What the job saves: @w and @b."""
    folder = FOLDER / name
    folder.mkdir()
    (folder / "graph.mlir").write_text(graph)
    data = folder / "samples.txt"
    data.write_text("".join(
        f"{LARGE} {' '.join(map(repr, s[:LARGE]))} "
        f"{SMALL} {' '.join(map(repr, s[LARGE:]))}\n" for s in samples))
    run("ps-opt", folder / "graph.mlir", f"--ps-transpile=trainers={trainers} "
        f"min-block-size=16 {options}", "-o", folder / "dist.mlir")
    run("ps-run", folder / "dist.mlir", "--role=all",
        f"--data=multislot:{data}#slots=gw:f,gb:f", "--batch-size=1",
        f"--steps={STEPS}", f"--save={folder}/model")
    model = read_model(folder / "model")
    # What was not sent is no part of the model.
    assert sorted(model) == ["b", "w"], model.keys()
    return model["w"][1], model["b"][1]


# Rows 0 to 4 are a block, 5 to 8 another one; a tenth of 20 and of 16 elements.
TWO = [(0, 20, 2), (20, 36, 2)]
ONE = [(0, 36, 4)]
for trainers, pservers, mode, blocks in ((1, 2, "sync", TWO),
                                         (2, 2, "sync", TWO),
                                         (3, 1, "sync", ONE),
                                         (1, 2, "async", TWO),
                                         (1, 1, "half-async", ONE)):
    name = f"{mode}-{trainers}-{pservers}"
    samples = [[f32(x) for x in s]
               for s in make_samples(STEPS * trainers, trainers)]
    for options in ("", " bucket-bytes=4096"):
        found, small = job(name + options.replace(" ", "-"), samples, trainers,
                           f"pservers={pservers} mode={mode} top-k=0.1"
                           + options)
        expected = train(samples, trainers, blocks)
        assert found == expected, (name, found, expected)
    # The bias is sent whole.
    _, whole = job(name + "-whole", samples, trainers,
                   f"pservers={pservers} mode={mode}")
    assert small == whole, (name, small, whole)

# Where no gradient has more elements that are not 0 than are sent, nothing is
# late: the job is the one that sends all.
samples = [[0.0] * (LARGE + SMALL) for _ in range(STEPS * 2)]
draw = random.Random(1)
for sample in samples:
    for first, end, count in TWO:
        for i in draw.sample(range(first, end), count):
            sample[i] = f32(draw.uniform(-1, 1))
few = [job(f"few-{i}", samples, 2, f"pservers=2 {option}")
       for i, option in enumerate(("top-k=0.1", ""))]
assert few[0] == few[1] and any(few[0][0]), few

# A gradient that is NaN is sent, not kept: before anything else, so its element
# is the only one that becomes NaN. g + 0 (g + g) is NaN where g + g overflows.
samples = [[0.1] * (LARGE + SMALL) for _ in range(STEPS)]
samples[0][3] = samples[0][30] = 3e38
shape = f"tensor<{ROWS}x{COLUMNS}xf32>"
values, _ = job("nan", samples, 1, "pservers=2 top-k=0.1", GRAPH.replace(
    "ps.apply @w, %w ", f"""%zero = stablehlo.constant dense<0.0> : {shape}
    %twice = stablehlo.add %w, %w : {shape}
    %bad = stablehlo.multiply %twice, %zero : {shape}
    %g = stablehlo.add %w, %bad : {shape}
    ps.apply @w, %g """))
assert [i for i, v in enumerate(values) if v != v] == [3, 30], values

# An evaluation sends nothing, and takes nothing of what is unsent.
folder = FOLDER / "evaluated"
folder.mkdir()
(folder / "graph.mlir").write_text(
    GRAPH.replace(f'{{ps.feed = "gb"}}) {{', f"""{{ps.feed = "gb"}})
      -> (tensor<1x{SMALL}xf32> {{ps.fetch = "p"}}) {{""")
    .replace("    return\n", f"    return %gb : tensor<1x{SMALL}xf32>\n"))
run("ps-opt", folder / "graph.mlir",
    "--ps-transpile=pservers=1 min-block-size=16 top-k=0.1", "-o", folder / "dist.mlir")
DATA = f"--data=multislot:{FOLDER}/few-0/samples.txt#slots=gw:f,gb:f"


def train_again(name, *flags):
    """The files that the job saves."""
    noted = run("ps-run", folder / "dist.mlir", "--role=all", DATA,
                "--batch-size=1", f"--steps={STEPS}", "--deterministic",
                f"--save={folder}/{name}", *flags)[1]
    return (folder / name / "model.safetensors").read_bytes(), noted


plain, _ = train_again("plain")
evaluated, _ = train_again("eval", "--eval-every=1",
                           DATA.replace("--data", "--eval-data"))
assert plain == evaluated

# What is unsent is in no checkpoint: a run that goes on from one says so.
UNSENT = "top-k: what trainers had not sent of their gradients is not in the checkpoint"
checkpoints = (f"--checkpoint={folder}/checkpoints", "--checkpoint-every=2",
               "--resume")
_, noted = train_again("first", *checkpoints, "--steps=4")
assert UNSENT not in noted, noted
_, noted = train_again("resumed", *checkpoints)
assert noted.count(UNSENT) == 1, noted

# The bytes that a trainer sends in a step: 36 and 2 elements of 4 bytes, or 4
# with their numbers instead of 36.
for name, option, expected in (("all", "", 152), ("part", "top-k=0.1", 40)):
    run("ps-opt", FOLDER / "nan" / "graph.mlir",
        f"--ps-transpile=pservers=1 {option}", "-o", FOLDER / f"{name}.mlir",
        f"--ps-report={FOLDER}/{name}.json")
    report = json.loads((FOLDER / f"{name}.json").read_text())
    server, = report["pservers"]
    assert server["per_step_and_trainer"]["sent_bytes"] == expected, server
