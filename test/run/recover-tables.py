"""A variable that a gather reads by id trains as a table exactly as it does as
a variable, on one machine and in a job. Ids are repeated, negative, and outside.
"""
# RUN: %python %s %t

import pathlib
import random
import re
import shutil
import sys

from job import INPUTS, read_metrics, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
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

# It is saved as the variable that it was.
def saved(name):
    return {path.name for path in (FOLDER / name).iterdir()}


assert saved("rows") == saved("dense"), (saved("rows"), saved("dense"))
run("ps-run", "compare", FOLDER / "dense", FOLDER / "rows", "--tolerance=1e-5")
left, right = (read_model(FOLDER / name) for name in ("dense", "rows"))
assert {k: v[0] for k, v in left.items()} == {k: v[0] for k, v in right.items()}

# The same in a job of two trainers and two pservers.
out, err = run("ps-opt", FOLDER / "rows.mlir", "--ps-transpile=trainers=2 "
               "pservers=127.0.0.1:6174,127.0.0.1:6175")
assert "'@emb' becomes a table" in err, err
assert "ps.prefetch @emb" in out and "ps.push_rows @emb" in out, out
train("job", out, "--role=all", "--batch-size=10", f"--save={FOLDER}/job")
run("ps-run", "compare", FOLDER / "rows", FOLDER / "job", "--tolerance=1e-5")
assert saved("job") == {"model.safetensors", "training.json",
                        "optimizer.00000-of-00002.safetensors",
                        "optimizer.00001-of-00002.safetensors"}, saved("job")

# An id that lies outside reads the nearest row and trains none: neither of a
# variable, nor of a table, nor in a job.
outside = FOLDER / "outside.csv"
outside.write_text("".join(
    f"{draw.choice([99, 50, -51, -60])},{draw.randrange(10, 40)},"
    f"{draw.uniform(-1, 1):.4f}\n" for _ in range(80)))


def train_outside(name, path, *flags):
    run("ps-run", path, f"--data=csv:{outside}", "--steps=8", "--seed=2",
        f"--save={FOLDER}/{name}", *flags)
    values = read_model(FOLDER / name)["emb"][1]
    rows = [values[4 * id:4 * id + 4] for id in range(50)]
    for id in (*range(10), *range(40, 50)):
        assert rows[id] == [0.25] * 4, (name, id, rows[id])
    assert any(row != [0.25] * 4 for row in rows[10:40]), name


for rule in ("#ps.sgd<learning_rate = 0.1>", "#ps.adagrad<learning_rate = 0.1>",
             "#ps.adagrad<learning_rate = 0.1, row_wise = true>"):
    for name, graph in (("dense", dense_text), ("rows", text)):
        graph = graph.replace("#ps.uniform<min = -0.5, max = 0.5>",
                              "#ps.constant<0.25>")
        graph = graph.replace("#ps.adagrad<learning_rate = 0.1>", rule)
        assert rule in graph and "constant<0.25>" in graph
        path = FOLDER / f"outside-{name}.mlir"
        path.write_text(graph)
        train_outside(f"outside-{name}", path, "--batch-size=20")
    run("ps-opt", path, "-o", FOLDER / "outside-job.mlir", "--ps-transpile="
        "trainers=2 pservers=127.0.0.1:6174,127.0.0.1:6175")
    train_outside("outside-job", FOLDER / "outside-job.mlir", "--role=all",
                  "--batch-size=10")
    for name in ("rows", "job"):
        run("ps-run", "compare", FOLDER / "outside-dense",
            FOLDER / f"outside-{name}", "--tolerance=1e-5")

# Row-wise state is one number per row, of the variable and of the table, which
# read each other's.
for name in ("dense", "rows"):
    slots = read_model(FOLDER / f"outside-{name}" / "optimizer.safetensors")
    assert slots["emb.moment"][0] == [50], (name, slots["emb.moment"])
for name, load in (("dense", "rows"), ("rows", "dense"), ("rows", "rows")):
    run("ps-run", FOLDER / f"outside-{name}.mlir", f"--data=csv:{outside}",
        "--steps=4", "--batch-size=20", "--seed=2",
        f"--load={FOLDER}/outside-{load}", f"--save={FOLDER}/on-{name}-{load}")
for other in ("rows-dense", "rows-rows"):
    run("ps-run", "compare", FOLDER / "on-dense-rows", FOLDER / f"on-{other}",
        "--tolerance=1e-5")

# Evaluation reads rows that no step has looked up as those of the variable.
few = FOLDER / "few.csv"
few.write_text("".join(table.read_text().splitlines(True)[:20]))
evaluated = {}
for name, graph, *flags in (("dense", dense_text, "--batch-size=20"),
                            ("rows", text, "--batch-size=20"),
                            ("job", out, "--role=all", "--batch-size=10")):
    path = FOLDER / f"eval-{name}.mlir"
    path.write_text(graph)
    run("ps-run", path, f"--data=csv:{few}", f"--eval-{data[2:]}", *flags,
        "--seed=2", f"--metrics={FOLDER}/eval.jsonl")
    evaluated[name], = [line["loss"] for line
                        in read_metrics(FOLDER / "eval.jsonl")
                        if line["phase"] == "eval"]
for name, loss in evaluated.items():
    assert abs(loss - evaluated["dense"]) <= 1e-5 * loss, evaluated

# What was saved with a variable goes on as a table, its moments too, and back.
for name, graph, load in (("dense-on", dense_text, "dense"),
                          ("rows-on", text, "dense"),
                          ("back", dense_text, "rows")):
    train(name, graph, "--batch-size=20", "--log-every=1",
          f"--metrics={FOLDER}/{name}.jsonl", f"--load={FOLDER}/{load}")
for name in ("rows-on", "back"):
    for step, (a, b) in enumerate(zip(losses("dense-on"), losses(name))):
        assert abs(a - b) <= 1e-5 * max(1, abs(a)), (
            f"{name}, step {step}: {a} and {b}")

# Momentum moves all rows in every step: everywhere the variable stays one.
moving = text.replace("#ps.adagrad<learning_rate = 0.1>",
                      "#ps.momentum<learning_rate = 0.1, momentum = 0.9>")
assert moving != text
err = train("moving", moving, "--batch-size=20", f"--save={FOLDER}/moving")
remarks = [line for line in err.splitlines() if "'@emb'" in line]
assert len(remarks) == 1 and "stays a variable: #ps.momentum" in remarks[0], err
# The command that it names makes it a table.
command, = re.findall(r"`ps-opt ([^`]*)`", remarks[0])
out, err = run("ps-opt", *command.split(), FOLDER / "moving.mlir")
assert "ps.table @emb" in out and "becomes a table" in err, err
train("lazy", out, "--batch-size=20")
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

# A large one is saved by row, and says so.
rows = 100_000_000
large = text.replace("50x4", f"{rows}x4").replace("dense<50>", f"dense<{rows}>")
err = train("large", large, "--batch-size=20", f"--save={FOLDER}/large")
assert "'@emb' was recovered as a table and is larger than 1024 MiB: its rows "\
    f"are in '{FOLDER}/large/emb-*.safetensors'" in err, err
assert "emb-00000-of-00001.safetensors" in saved("large"), saved("large")
err = train("large-on", large, "--batch-size=20", f"--load={FOLDER}/large")
