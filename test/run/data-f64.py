# SPDX-License-Identifier: Apache-2.0
"""Feeds of f64 get all digits that a text has, in every text format, read at
once or as a stream."""
# RUN: %python %s %t

import csv
import json
import math
import pathlib
import sys

from job import run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)

# They differ in the 12th digit; as f32 they are all the same.
NUMBERS = ["0.123456789012", "0.123456789013", "0.123456789014",
           "0.123456789015"]
CRITEO = ["123456789012", "123456789013", "123456789014", "123456789015"]


def graph(feeds):
    """Fetches what is fed; each is ?x1 of f64 or a type of its own."""
    arguments, fetches, names, types = [], [], [], []
    for i, (name, type) in enumerate(feeds):
        arguments.append(f'%a{i}: {type} {{ps.feed = "{name}"}}')
        fetches.append(f'{type} {{ps.fetch = "{name}"}}')
        names.append(f"%a{i}")
        types.append(type)
    path = FOLDER / "graph.mlir"
    path.write_text(
        f"func.func @f({', '.join(arguments)}) -> ({', '.join(fetches)}) {{\n"
        f"  return {', '.join(names)} : {', '.join(types)}\n}}\n")
    return path


def check(format, lines, feeds, column, expected, suffix=""):
    data, scores = FOLDER / f"{format}.txt", FOLDER / f"{format}.csv"
    data.write_text("".join(line + "\n" for line in lines))
    run("ps-run", graph(feeds), f"--eval-data={format}:{data}{suffix}",
        "--batch-size=4", f"--predictions={scores}")
    with open(scores, newline="") as file:
        header, *rows = csv.reader(file)
    found = [float(row[header.index(column)]) for row in rows]
    assert found == expected, (format, found, expected)


exact = [float(number) for number in NUMBERS]
column = [("y", "tensor<?x1xf64>")]
check("csv", NUMBERS, column, "y", exact, "#label=none")
check("multislot", [f"1 {n}" for n in NUMBERS], column, "y", exact)
check("slots", [f"y:{n}" for n in NUMBERS], column, "y", exact)
check("libsvm", [f"{n} 3:1" for n in NUMBERS], [("label", "tensor<?x1xf64>")],
      "label", exact)
check("criteo",
      ["\t".join(["1", n] + ["1"] * 12 + ["a"] * 26) for n in CRITEO],
      [("dense", "tensor<?x13xf64>"), ("label", "tensor<?x1xf64>")],
      "dense[0]", [math.log1p(float(n)) for n in CRITEO])

# Others beside it stay what they were.
check("multislot", [f"1 {n} 1 0.1 1 7" for n in NUMBERS],
      [("y", "tensor<?x1xf64>"), ("x", "tensor<?x1xf32>"),
       ("s", "tensor<?x1xi64>")], "x", [0.100000001] * 4)

# A number beyond f32, and one that is too small for f64.
check("slots", ["y:1e300", "y:-1e-400", "y:1", "y:2"], column, "y",
      [1e300, 0, 1, 2])
(FOLDER / "far.txt").write_text("y:1e400\n" * 4)
errors = run("ps-run", graph(column), f"--eval-data=slots:{FOLDER}/far.txt",
             "--batch-size=4", f"--predictions={FOLDER}/far.csv", code=1)[1]
assert "far.txt:1:3: slot 'y': '1e400' is beyond the range of f64" in errors, (
    errors)

# A stream, sample by sample.
(FOLDER / "stream.mlir").write_text("""
func.func @f(%y: tensor<?x1xf64> {ps.feed = "y"}) -> (tensor<f64> {ps.fetch = "sum"}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<?x1xf64>, tensor<f64>) -> tensor<f64>
  return %sum : tensor<f64>
}
""")
(FOLDER / "stream.txt").write_text("".join(f"1 {n}\n" for n in NUMBERS))
run("ps-run", FOLDER / "stream.mlir", f"--data=multislot:{FOLDER}/stream.txt",
    "--data-mode=stream", "--batch-size=1", f"--metrics={FOLDER}/metrics.jsonl")
with open(FOLDER / "metrics.jsonl") as file:
    lines = [json.loads(line) for line in file]
sums = [line["sum"] for line in lines if line["phase"] == "train"]
assert sums == exact, sums
