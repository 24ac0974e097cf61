"""--load-partial takes what a model and a graph both have: variables and tables
that the model lacks begin as they would without it, and what the graph lacks is
named, in a run of one process and in jobs."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import Job, read_model, run
from row_model import make_samples, read_rows, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
LOG = f"--log-dir={FOLDER}/log"


def graph(name, variables, tables):
    """Each variable is added to the prediction, and each table's row."""
    lines = [f"ps.variable @{v} : tensor<{shape}xf32> "
             f"init(#ps.uniform<min = -1.0, max = 1.0>)"
             for v, shape in variables.items()]
    lines += [f"ps.table @{t} : tensor<1000x2xf32> "
              f"init(#ps.uniform<min = -1.0, max = 1.0>)" for t in tables]
    lines += ["""func.func @train(%ids: tensor<?xi64> {ps.feed = "ids"})
          -> (tensor<f32> {ps.fetch = "loss"}) {
        %s0 = stablehlo.constant dense<0.0> : tensor<f32>"""]
    total = "%s0"
    for i, (v, shape) in enumerate(variables.items(), 1):
        dims = ", ".join(str(d) for d in range(shape.count("x") + 1))
        lines += [
            f"%v{i} = ps.read @{v} : tensor<{shape}xf32>",
            f"%q{i} = stablehlo.multiply %v{i}, %v{i} : tensor<{shape}xf32>",
            f"%r{i} = stablehlo.reduce(%q{i} init: %s0) applies stablehlo.add "
            f"across dimensions = [{dims}] : (tensor<{shape}xf32>, tensor<f32>) "
            f"-> tensor<f32>",
            f"%s{i} = stablehlo.add {total}, %r{i} : tensor<f32>"]
        total = f"%s{i}"
    for i, t in enumerate(tables, 100):
        lines += [
            f"%v{i} = ps.lookup @{t}[%ids] : (tensor<?xi64>) -> tensor<?x2xf32>",
            f"%q{i} = stablehlo.multiply %v{i}, %v{i} : tensor<?x2xf32>",
            f"%r{i} = stablehlo.reduce(%q{i} init: %s0) applies stablehlo.add "
            f"across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) "
            f"-> tensor<f32>",
            f"%s{i} = stablehlo.add {total}, %r{i} : tensor<f32>"]
        total = f"%s{i}"
    lines += [f"ps.minimize {total} using(#ps.adam<learning_rate = 0.01>) : "
              f"tensor<f32>", f"return {total} : tensor<f32>", "}"]
    path = FOLDER / f"{name}.mlir"
    path.write_text("\n".join(lines))
    return path


samples = FOLDER / "samples.txt"
samples.write_text("".join(f"1 {i % 7}\n" for i in range(24)))
DATA = f"--data=multislot:{samples}"
OLD = graph("old", {"a": "4x3", "gone": "5"}, ["emb", "lost"])
NEW = graph("new", {"a": "4x3", "b": "6"}, ["emb", "fresh"])
run("ps-run", OLD, DATA, "--batch-size=6", f"--save={FOLDER}/old")
run("ps-run", NEW, DATA, "--batch-size=6", "--steps=1", f"--save={FOLDER}/begin",
    "--set=learning_rate=0")
PARTIAL = [f"--load={FOLDER}/old", "--load-partial", "--set=learning_rate=0"]
LINES = sorted([
    f"--load-partial: '@b' is not in '{FOLDER}/old': it has its initial values",
    f"--load-partial: '@fresh' is not in '{FOLDER}/old': it has its initial values",
    f"--load-partial: 'gone' of '{FOLDER}/old' is not in the program: it is ignored",
    f"--load-partial: 'lost' of '{FOLDER}/old' is not in the program: it is ignored"])


def reported(text):
    return sorted(re.findall("^--load-partial: .*$", text, re.M))


def expect_both(folder):
    """With a rate of 0 nothing moves."""
    old = read_model(FOLDER / "old" / "model.safetensors")
    begin = read_model(FOLDER / "begin" / "model.safetensors")
    model = read_model(folder / "model.safetensors")
    assert model == {"a": old["a"], "b": begin["b"]}, model
    for table, source in ("emb", "old"), ("fresh", "begin"):
        rows, expected = (read_rows(each, table) for each in (
            folder, FOLDER / source))
        assert {i: rows[i] for i in expected} == expected, (rows, expected)


_, err = run("ps-run", NEW, DATA, "--batch-size=6", *PARTIAL,
             f"--save={FOLDER}/local")
assert reported(err) == LINES, err
expect_both(FOLDER / "local")
for options in "mode=sync", "min-block-size=3", "mode=async", "mode=collective":
    pservers = 0 if options == "mode=collective" else 2
    if pservers == 0:  # which has no tables
        continue
    saved = FOLDER / options.replace("=", "-")
    out, _ = run("ps-run", "launch", LOG, f"--pservers={pservers}",
                 "--trainers=2", f"--transpile={options}", NEW, DATA,
                 "--batch-size=3", *PARTIAL, f"--save={saved}")
    assert reported(out) == LINES, out
    expect_both(saved)
    others = (FOLDER / "log" / "latest" / "workerlog.1").read_text()
    assert not reported(others), others

# A run of what was loaded so goes on as any other; a checkpoint is whole.
run("ps-run", NEW, DATA, "--batch-size=6", *PARTIAL, "--steps=4",
    f"--checkpoint={FOLDER}/run", "--checkpoint-every=2")
_, err = run("ps-run", NEW, DATA, "--batch-size=6", *PARTIAL, "--steps=6",
             f"--checkpoint={FOLDER}/run", "--checkpoint-every=2", "--resume")
assert "resuming from step" in err and not reported(err), err

# What is still an error.
for name, variables, tables, error in (
        ("shape", {"a": "3x4"}, ["emb"],
         "tensor 'a': expected 3x4xf32, found 4x3xf32"),
        # A table's rows are no values of a variable, nor these its rows.
        ("table-now-variable", {"a": "4x3", "emb": "1000x2"}, ["lost"],
         f"--load-partial: expected a variable 'emb' in '{FOLDER}/old', as the "
         "program has, found a table"),
        ("variable-now-table", {}, ["a", "emb"],
         "table '@a' needs rows of 2xf32, found a tensor of 4x3xf32"),
        ("none", {"other": "2"}, ["more"],
         "has none of the variables and tables of the program")):
    other = graph(name, variables, tables)
    _, err = run("ps-run", other, DATA, "--batch-size=6", *PARTIAL, code=1)
    assert error in err, err
_, err = run("ps-run", NEW, DATA, "--batch-size=6", f"--load={FOLDER}/old", code=1)
assert "no tensor 'b'" in err, err
_, err = run("ps-run", NEW, DATA, "--load-partial", code=2)
assert "--load-partial: expected --load=DIR" in err, err
