"""A variable that a gather reads by id trains as a table exactly as it does as
a variable, on one machine and in a job. Ids are repeated, negative, and outside.
"""
# RUN: %python %s %t

import pathlib
import random
import sys

from job import INPUTS, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
draw = random.Random(3)
table = FOLDER / "ids.csv"
table.write_text("".join(
    f"{draw.choice([0, 1, 7, 49, -1, -50, -60, 50, 99, draw.randrange(50)])},"
    f"{draw.randrange(50)},{draw.uniform(-1, 1):.4f}\n" for _ in range(200)))
text = (INPUTS / "gathered.mlir").read_text()
# What stays with the trainers becomes no table.
dense_text = text.replace("max = 0.5>)", "max = 0.5>) {sync = all_reduce}")
assert dense_text != text
data = f"--data=csv:{table}"


def train(name, graph, *flags):
    path = FOLDER / f"{name}.mlir"
    path.write_text(graph)
    return run("ps-run", path, data, "--steps=30", "--seed=2", *flags)[1]


def losses(name):
    return [line["loss"] for line in read_metrics(FOLDER / f"{name}.jsonl")
            if "loss" in line]


for name, graph in (("dense", dense_text), ("rows", text)):
    err = train(name, graph, "--batch-size=20", "--log-every=1",
                f"--metrics={FOLDER}/{name}.jsonl", f"--save={FOLDER}/{name}")
    became = "becomes a table" if name == "rows" else "stays a variable"
    assert f"'@emb' {became}" in err, err
dense, rows = losses("dense"), losses("rows")
assert len(dense) == 30 and len(rows) == 30, (len(dense), len(rows))
for step, (a, b) in enumerate(zip(dense, rows)):
    assert abs(a - b) <= 1e-5 * max(1, abs(a)), f"step {step}: {a} and {b}"

# The same in a job of two trainers and two pservers.
out, err = run("ps-opt", FOLDER / "rows.mlir", "--ps-transpile=trainers=2 "
               "pservers=127.0.0.1:6174,127.0.0.1:6175")
assert "'@emb' becomes a table" in err, err
assert "ps.prefetch @emb" in out and "ps.push_rows @emb" in out, out
train("job", out, "--role=all", "--batch-size=10", f"--save={FOLDER}/job")
run("ps-run", "compare", FOLDER / "rows", FOLDER / "job", "--tolerance=1e-5")

# What was saved with a variable goes on as a table, its moments too.
for name, graph in (("dense-on", dense_text),
                    ("rows-on", text)):
    train(name, graph, "--batch-size=20", "--log-every=1",
          f"--metrics={FOLDER}/{name}.jsonl", f"--load={FOLDER}/dense")
for step, (a, b) in enumerate(zip(losses("dense-on"), losses("rows-on"))):
    assert abs(a - b) <= 1e-5 * max(1, abs(a)), f"on, step {step}: {a} and {b}"

# Momentum moves all rows in every step: everywhere the variable stays one.
moving = text.replace("#ps.adagrad<learning_rate = 0.1>",
                      "#ps.momentum<learning_rate = 0.1, momentum = 0.9>")
assert moving != text
err = train("moving", moving, "--batch-size=20", f"--save={FOLDER}/moving")
remarks = [line for line in err.splitlines() if "'@emb'" in line]
assert len(remarks) == 1 and "stays a variable: #ps.momentum" in remarks[0], err
assert "recover-tables=lazy" in remarks[0], err
for mode, options in (("collective", "mode=collective"),
                      ("sync", "pservers=127.0.0.1:6174,127.0.0.1:6175")):
    out, err = run("ps-opt", FOLDER / "moving.mlir",
                   f"--ps-transpile=trainers=2 {options}")
    assert "ps.table" not in out, out
    train(mode, out, "--role=all", "--batch-size=10", f"--save={FOLDER}/{mode}")
    run("ps-run", "compare", FOLDER / "moving", FOLDER / mode,
        "--tolerance=1e-5")
out, err = run("ps-opt", FOLDER / "moving.mlir", "--ps-transpile=trainers=2 "
               "pservers=127.0.0.1:6174 recover-tables=lazy")
assert "ps.table @emb" in out and "becomes a table" in err, err

# Who wants a variable says so.
out, err = run("ps-opt", FOLDER / "rows.mlir", "--ps-transpile=trainers=2 "
               "pservers=127.0.0.1:6174 recover-tables=false")
assert "ps.table" not in out and "becomes" not in err, err
