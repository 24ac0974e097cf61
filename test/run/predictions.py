# SPDX-License-Identifier: Apache-2.0
"""--predictions: what an evaluation fetches, one row per sample in the order of
the samples, in CSV and JSON lines, in one process and in jobs. Without it such
a fetch is reported once."""
# RUN: %python %s %t

import csv
import json
import pathlib
import shutil
import struct
import sys

from job import run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

# The weight is 1 / 3 in f32; what is fetched is computed from it exactly.
GRAPH = """
ps.variable @w : tensor<1xf32> init(#ps.constant<0.3333333333333333>)
func.func @train(%x: tensor<BATCHx2xf32> {ps.feed = "x"},
                 %y: tensor<BATCHxf64> {ps.feed = "y"})
    -> (tensor<BATCHx2xf32> {ps.fetch = "scaled"},
        tensor<f32> {ps.fetch = "loss"},
        tensor<BATCHxf64> {ps.fetch = "third"},
        tensor<BATCHx1x2xi1> {ps.fetch = "positive"}OTHERS) {
  %w = ps.read @w : tensor<1xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
  %wb = stablehlo.broadcast_in_dim %ws, dims = [1] : (tensor<2xf32>) -> tensor<BATCHx2xf32>
  %s = stablehlo.multiply %x, %wb : tensor<BATCHx2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.maximum across dimensions = [0, 1]
      : (tensor<BATCHx2xf32>, tensor<f32>) -> tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f64>
  %threes = stablehlo.broadcast_in_dim %three, dims = [] : (tensor<f64>) -> tensor<BATCHxf64>
  %t = stablehlo.divide %y, %threes : tensor<BATCHxf64>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<BATCHx2xf32>
  %p2 = stablehlo.compare GT, %x, %zeros : (tensor<BATCHx2xf32>, tensor<BATCHx2xf32>) -> tensor<BATCHx2xi1>
  %p = stablehlo.reshape %p2 : (tensor<BATCHx2xi1>) -> tensor<BATCHx1x2xi1>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.0>) : tensor<f32>
  return %s, %loss, %t, %pRETURNED : tensor<BATCHx2xf32>, tensor<f32>, tensor<BATCHxf64>, tensor<BATCHx1x2xi1>TYPES
}
"""
SAMPLES = [(i - 4, 7 * i - 30, 10 * i + 1) for i in range(10)]
DATA = FOLDER / "data.csv"
DATA.write_text("".join(f"{a},{b},{y}\n" for a, b, y in SAMPLES))
FLAGS = (f"--data=csv:{DATA}", f"--eval-data=csv:{DATA}")


def f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def write(name, batch="?", others=""):
    """A graph; `others` adds a fetch without a row per sample."""
    text = GRAPH.replace("BATCHx", f"{batch}x")
    for word, value in (("OTHERS", ', tensor<2xf32> {ps.fetch = "both"}'),
                        ("RETURNED", ", %ws"), ("TYPES", ", tensor<2xf32>")):
        text = text.replace(word, value if others else "")
    (FOLDER / name).write_text(text)
    return FOLDER / name


def check_csv(path, samples=SAMPLES):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["scaled[0]", "scaled[1]", "third", "positive[0][0]",
                      "positive[0][1]"], header
    assert len(rows) == len(samples), rows
    for row, (a, b, y) in zip(rows, samples):
        third = f32(1 / 3)
        assert [f32(float(row[0])), f32(float(row[1]))] == [
            f32(a * third), f32(b * third)], (row, a, b)
        assert float(row[2]) == y / 3, (row, y)
        assert row[3:] == [str(int(a > 0)), str(int(b > 0))], (row, a, b)


def check_json(path):
    with open(path) as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == len(SAMPLES), rows
    for row, (a, b, y) in zip(rows, SAMPLES):
        assert list(row) == ["scaled", "third", "positive"], row
        assert [f32(x) for x in row["scaled"]] == [
            f32(a * f32(1 / 3)), f32(b * f32(1 / 3))], row
        assert row["third"] == y / 3, row
        assert row["positive"] == [[int(a > 0), int(b > 0)]], row


graph = write("graph.mlir")
# 4 + 4 + 2 samples, 9 + 1, and all at once; each evaluation replaces the file.
for batch in (4, 9, 10):
    for suffix, check in (("csv", check_csv), ("jsonl", check_json)):
        path = FOLDER / f"local-{batch}.{suffix}"
        shown, warned = run("ps-run", graph, *FLAGS, f"--batch-size={batch}",
                            "--epochs=2", f"--predictions={path}")
        check(path)
        assert "warning" not in warned, warned
        # A row per sample is no number, not even in a batch of one.
        assert "loss" in shown and "third" not in shown, shown

# Samples of evaluation only, no training.
path = FOLDER / "range.csv"
run("ps-run", graph, f"--eval-data=csv:{DATA}#3-8", "--batch-size=2",
    f"--predictions={path}")
check_csv(path, SAMPLES[3:8])

# A graph that fixes the batch.
path = FOLDER / "fixed.csv"
run("ps-run", write("fixed.mlir", 5), *FLAGS, f"--predictions={path}")
check_csv(path)

# Jobs: trainer 0 writes.
job = FOLDER / "dist.mlir"
run("ps-opt", graph, "-o", job,
    "--ps-transpile=pservers=127.0.0.1:6174 trainers=2")
path = FOLDER / "all.csv"
run("ps-run", job, "--role=all", *FLAGS, "--batch-size=4",
    f"--predictions={path}")
check_csv(path)
path = FOLDER / "launch.jsonl"
run("ps-run", "launch", graph, *FLAGS, "--batch-size=4", "--trainers=2",
    f"--log-dir={FOLDER}/log", f"--predictions={path}")
check_json(path)
assert not list(FOLDER.glob("*.tmp*"))

# Without the flag each fetch that is no number is reported, once.
errors = run("ps-run", graph, *FLAGS, "--batch-size=9", "--epochs=3")[1]
for name, shape in (("scaled", "?x2xf32"), ("third", "?xf64"),
                    ("positive", "?x1x2xi1")):
    assert errors.count(
        f"ps-run: warning: fetch '{name}' of @train is a tensor<{shape}>, not "
        "one number: it is not reported, unless --predictions=FILE is given "
        "for --eval-data\n") == 1, errors

# So is one without a row per sample beside others that are written.
path = FOLDER / "others.csv"
errors = run("ps-run", write("others.mlir", others="yes"), *FLAGS,
             "--batch-size=5", f"--predictions={path}")[1]
check_csv(path)
assert errors.count("ps-run: warning:") == 1, errors
assert ("fetch 'both' of @train is a tensor<2xf32>, not one number: it is not "
        "reported\n") in errors, errors

# Data that lacks what no prediction is computed from. The size of the batch is
# known without it.
LABELLED = """
ps.variable @w : tensor<f32> init(#ps.constant<0.5>)
func.func @train(%y: tensor<?xf32> {ps.feed = "y"}, %x: tensor<?xf32> {ps.feed = "x"})
    -> (tensor<f32> {ps.fetch = "loss"}, tensor<?xf32> {ps.fetch = "p"}) {
  %w = ps.read @w : tensor<f32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %p = stablehlo.multiply %x, %ws : tensor<?xf32>
  %size = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %q = stablehlo.add %p, %ns : tensor<?xf32>
  %e = stablehlo.subtract %q, %y : tensor<?xf32>
  %s = stablehlo.multiply %e, %e : tensor<?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.metric mean("mse", %s) : tensor<?xf32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.0>) : tensor<f32>
  return %loss, %q : tensor<f32>, tensor<?xf32>
}
"""
labelled, residual = FOLDER / "labelled.mlir", FOLDER / "errors.mlir"
labelled.write_text(LABELLED)
residual.write_text(LABELLED.replace("return %loss, %q", "return %loss, %e"))
(FOLDER / "x.csv").write_text("x\n0\n1\n2\n3\n4\n")
(FOLDER / "y.csv").write_text("y\n0\n1\n2\n3\n4\n")
path = FOLDER / "unlabelled.csv"
for columns in ("", "#columns=x"):
    shown, noted = run("ps-run", labelled, "--batch-size=3",
                       f"--eval-data=table:{FOLDER}/x.csv{columns}",
                       f"--predictions={path}")
    # Three samples and two.
    rows = path.read_text().split()
    assert rows == ["p", "3", "3.5", "4", "3.5", "4"], rows
    assert shown == "", shown
    assert "lacks 'y': makes predictions, evaluates nothing" in noted, noted
for graph_, data, flags, expected in (
        (labelled, "y.csv#columns=y", ["--predictions=p.csv"],
         "feed 'x' is not among them, and prediction 'p' depends on it: add"),
        (residual, "x.csv#columns=x", ["--predictions=p.csv"],
         "feed 'y' is not among them, and prediction 'p' depends on it: add"),
        (labelled, "x.csv#columns=x", [],
         "#columns: feed 'y' is not among them: add 'y=NAME'")):
    noted = run("ps-run", graph_, f"--eval-data=table:{data}", *flags, code=1,
                cwd=FOLDER)[1]
    assert expected in noted, noted

# Refusals.
scalar = FOLDER / "scalar.mlir"
scalar.write_text("""
func.func @f(%x: tensor<?x2xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "one"}) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  return %one : tensor<f32>
}
""")
for code, arguments, expected in (
        (1, (scalar, *FLAGS, "--batch-size=5", "--predictions=p.csv"),
         "--predictions: @f fetches nothing with a row per sample"),
        (2, (graph, *FLAGS, "--predictions=p.txt"),
         "expected a file name ending in .csv or .jsonl, got 'p.txt'"),
        (2, (graph, FLAGS[0], "--predictions=p.csv"),
         "--predictions: expected --eval-data"),
        (1, (graph, *FLAGS, "--batch-size=5", "--predictions=none/p.csv"),
         "cannot write predictions to 'none/p.csv': No such file")):
    errors = run("ps-run", *arguments, code=code, cwd=FOLDER)[1]
    assert expected in errors, errors
    assert not (FOLDER / "p.csv").exists(), arguments
