"""Rows of tables in fewer bits: what a job saves is, to the bit, what plain
Python computes with the same rounding; evaluation and saving read all bits."""
# RUN: %python %s %t

import math
import pathlib
import random
import shutil
import struct
import sys

from job import read_metrics, run
from row_model import read_columns, read_rows

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, STEPS, WIDTH, RATE, IDS = 8, 6, 5, 0.5, 24

# The loss is the mean of |row + x|^2, so the gradient of a row is 2 (row + x) /
# BATCH: one rounding, for BATCH is a power of two, as the rate is.
GRAPH = f"""
module @rows {{
  ps.table @emb : tensor<1000x{WIDTH}xf32> init(#ps.constant<0.0>)WIRE
  func.func @train(%ids: tensor<?x1xi64> {{ps.feed = "ids"}},
                   %x: tensor<?x{WIDTH}xf32> {{ps.feed = "x"}})
      -> (tensor<f32> {{ps.fetch = "loss"}}) {{
    %e = ps.lookup @emb[%ids] : (tensor<?x1xi64>) -> tensor<?x1x{WIDTH}xf32>
    %r = stablehlo.reshape %e : (tensor<?x1x{WIDTH}xf32>) -> tensor<?x{WIDTH}xf32>
    %d = stablehlo.add %r, %x : tensor<?x{WIDTH}xf32>
    %square = stablehlo.multiply %d, %d : tensor<?x{WIDTH}xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x{WIDTH}xf32>, tensor<f32>) -> tensor<f32>
    %size = stablehlo.get_dimension_size %ids, dim = 0 : (tensor<?x1xi64>) -> tensor<i32>
    %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %n : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = {RATE}>) : tensor<f32>
    return %loss : tensor<f32>
  }}
}}
"""


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bf16(value):
    bits, = struct.unpack("<I", struct.pack("<f", value))
    bits += 0x7fff + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xffff0000))[0]


def f16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def int8(row):
    scale = f32(max(map(abs, row)) / 127)
    if scale == 0:
        return [0.0] * len(row)
    # Python rounds to even, too.
    return [f32(max(-127, min(127, round(f32(x / scale)))) * scale)
            for x in row]


ROUND = {"f32": lambda row: row,
         "bf16": lambda row: [bf16(x) for x in row],
         "f16": lambda row: [f16(x) for x in row],
         "int8": int8}


def train(batches, trainers, narrow):
    """The pservers' rows after all steps. Sums of two are exact enough in
    double precision for one rounding to f32."""
    rows = {}
    for step in range(STEPS):
        pushed = []
        for trainer in range(trainers):
            gradients = {}
            for id, x in batches[step][trainer]:
                row = narrow(rows.setdefault(id, [0.0] * WIDTH))
                g = [f32(a + b) * 2 / BATCH for a, b in zip(row, x)]
                assert id not in gradients, "sums of rows would be rounded"
                gradients[id] = narrow(g)
            pushed.append(gradients)
        for id in sorted(set().union(*pushed)):
            sums = [0.0] * WIDTH
            for gradients in pushed:
                if id in gradients:
                    sums = [f32(a + b) for a, b in zip(sums, gradients[id])]
            rows[id] = [f32(w - RATE * f32(s / trainers))
                        for w, s in zip(rows[id], sums)]
    return rows


def make_batches(trainers):
    """No id is twice in a batch; several are in those of both trainers. One
    trainer, which without common steps may get rows as they were two steps
    ago, has an id in every third step. The first gradients of some rows are
    zeros."""
    draw = random.Random(trainers)
    batches = []
    for step in range(STEPS):
        batches.append([])
        for _ in range(trainers):
            known = range(IDS)
            if trainers == 1:
                known = range(step % 3, IDS, 3)
            ids = draw.sample(known, BATCH)
            scale = 2.0**draw.randrange(-12, 8)
            batches[-1].append([
                (id, [0.0] * WIDTH if id % 5 == step else
                 [draw.randrange(-4096, 4097) / 1024 * scale
                  for _ in range(WIDTH)]) for id in ids])
    return batches


def write(path, batches):
    """Trainer t of T reads the samples with index % T == t."""
    lines = []
    for step in batches:
        for samples in zip(*step):
            lines += [f"1 {id} {WIDTH} {' '.join(map(repr, x))}\n"
                      for id, x in samples]
    path.write_text("".join(lines))
    return f"multislot:{path}#slots=ids:i,x:f"


def bits(rows):
    return {id: struct.pack(f"<{WIDTH}f", *row) for id, row in rows.items()}


def check(wire, trainers, pservers, options="", table_wire=""):
    """Trains a job and compares; gives its folder and data."""
    folder = FOLDER / f"{wire}-{trainers}-{pservers}-{len(options)}"
    folder.mkdir()
    batches = make_batches(trainers)
    data = write(folder / "samples.txt", batches)
    graph = folder / "graph.mlir"
    graph.write_text(GRAPH.replace("WIRE", table_wire))
    dist = folder / "dist.mlir"
    given = "" if table_wire else f"row-wire={wire}"
    run("ps-opt", graph, f"--ps-transpile=pservers={pservers} "
        f"trainers={trainers} {given} {options}", "-o", dist)
    run("ps-run", dist, "--role=all", f"--data={data}", f"--eval-data={data}",
        f"--batch-size={BATCH}", f"--steps={STEPS}", "--deterministic",
        f"--metrics={folder}/job.jsonl", f"--save={folder}/model")
    found = bits(read_rows(folder / "model"))
    expected = bits(train(batches, trainers, ROUND[wire]))
    assert found == expected, (wire, trainers, pservers, options)
    # What was evaluated is what is saved.
    run("ps-run", graph, f"--load={folder}/model", f"--eval-data={data}",
        f"--batch-size={BATCH}", f"--metrics={folder}/local.jsonl")
    losses = [[r["loss"] for r in read_metrics(folder / name)
               if r["phase"] == "eval"][-1]
              for name in ("job.jsonl", "local.jsonl")]
    assert losses[0] == losses[1], losses
    return found


results = [check(wire, 2, 2) for wire in ROUND]
assert all(a != b for i, a in enumerate(results) for b in results[:i]), (
    "the type on the network changed nothing")
for options in ("mode=async", "mode=half-async"):
    check("int8", 1, 2, options)
check("int8", 2, 1, table_wire=" wire(int8)")

# A row that is not finite stays so: the gradient of 3e38 is 6e38.
for wire in ("bf16", "int8"):
    bad = FOLDER / f"bad-{wire}"
    bad.mkdir()
    data = write(bad / "samples.txt", [[[(7, [1.0, 3e38, 0.0, 2.0, 3.0]),
                                         (8, [1.0, 2.0, 0.0, 2.0, 3.0])]]])
    (bad / "graph.mlir").write_text(GRAPH.replace("WIRE", f" wire({wire})"))
    run("ps-opt", bad / "graph.mlir", "--ps-transpile=pservers=1", "-o",
        bad / "dist.mlir")
    run("ps-run", bad / "dist.mlir", "--role=all", f"--data={data}",
        "--batch-size=1", "--steps=2", "--nan=warn", f"--save={bad}/model")
    rows = read_rows(bad / "model")
    finite = [math.isfinite(x) for x in rows[7]]
    assert finite == ([False] * WIDTH if wire == "int8" else
                      [True, False, True, True, True]), rows
    assert all(map(math.isfinite, rows[8])), rows

# Counts of shows and clicks are exact: 301 of one id has no place in bf16, nor
# in i8 beside other numbers.
many = 301
clicks = FOLDER / "clicks.txt"
(FOLDER / "clicks.mlir").write_text(GRAPH.replace(
    "WIRE", ' {accessor = #ps.ctr<click = "click">, evict_every = 100 : i64}')
    .replace('{ps.feed = "x"})', '{ps.feed = "x"}, %c: tensor<?x1xf32> '
             '{ps.feed = "click"})'))
clicks.write_text("".join(
    f"1 {i % 2} {WIDTH} {' '.join(['0.5'] * WIDTH)} 1 {int(i % 7 == 0)}\n"
    for i in range(many * 2)))
data = f"--data=multislot:{clicks}#slots=ids:i,x:f,click:f"
run("ps-opt", FOLDER / "clicks.mlir", "--ps-transpile=pservers=1 "
    "row-wire=int8", "-o", FOLDER / "clicks-dist.mlir")
for name, module, role in (("local", "clicks.mlir", []),
                           ("job", "clicks-dist.mlir", ["--role=all"])):
    run("ps-run", FOLDER / module, *role, data, f"--batch-size={many * 2}",
        "--steps=1", f"--save={FOLDER}/clicks-{name}")
counts = [read_columns(FOLDER / f"clicks-{name}", "show", "click")
          for name in ("local", "job")]
assert counts[0] == counts[1] and counts[0][0][0] == many, counts
