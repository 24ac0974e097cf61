# SPDX-License-Identifier: Apache-2.0
"""A trainer of W workers with batches of b trains what W trainers train, and one
process with batches of W * b: variables, tables, losses, metrics, in every mode
that has one result. In modes without a common step each worker's gradient is an
update of its own, and none is lost.

usage: workers.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from counter import BATCH as COUNTED, Counter
from job import DATA, INPUTS, read_metrics, refused_usage, run
from row_model import (compare_rows, graph as table_graph, make_samples,
                       read_rows, write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
TEXT = (INPUTS / "linear.mlir.in").read_text()
OPTIMIZERS = {
    "momentum": "#ps.momentum<learning_rate = 0.05, momentum = 0.9>",
    "adam": "#ps.adam<learning_rate = 0.01>) regularize(#ps.l2_decay<0.1>",
    "clipped": "#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<0.3>",
}
LAUNCH = ["launch", "--trainers=1", f"--log-dir={FOLDER}/log"]


def write(name, text):
    path = FOLDER / name
    path.write_text(text)
    return path


def train(name, *arguments, data=DATA, steps=12):
    """Gives the folder of the model."""
    saved = FOLDER / name
    run("ps-run", *arguments, data, f"--steps={steps}", "--seed=7", "--shuffle",
        "--threads=2", f"--save={saved}", f"--metrics={saved}.jsonl")
    return saved


def same(one, other, tolerance="1e-5"):
    run("ps-run", "compare", one, other, f"--tolerance={tolerance}")


def compare_reports(one, other, *names):
    """Every line, but for the speed: losses differ by rounding only."""
    one, other = (read_metrics(f"{saved}.jsonl") for saved in (one, other))
    assert len(one) == len(other) > 0, (one, other)
    for a, b in zip(one, other):
        assert a.keys() == b.keys(), (a, b)
        for name in ("phase", "epoch", "step", *names):
            if name in a:
                assert abs(a[name] - b[name]) <= 1e-5 * abs(b[name]) if (
                    name in names) else a[name] == b[name], (name, a, b)


# One process: any number of workers, with what an optimizer keeps or clips.
graphs = {name: write(f"{name}.mlir", TEXT.replace("OPTIMIZER", optimizer))
          for name, optimizer in OPTIMIZERS.items()}
whole = {}
for name, module in graphs.items():
    whole[name] = train(f"{name}-whole", module, "--batch-size=12")
    for workers in (2, 3):
        parts = train(f"{name}-{workers}", module, f"--workers={workers}",
                      f"--batch-size={12 // workers}")
        same(parts, whole[name])
        compare_reports(parts, whole[name], "loss")

# Jobs: two trainers, and one of two workers.
JOBS = {
    "sync": (["--pservers=2"], "min-block-size=12"),
    "buckets": (["--pservers=1"], "bucket-bytes=1000"),
    "collective": (["--pservers=0"], "mode=collective"),
    "accumulate": (["--pservers=1"], "accumulate=2"),
}
for name, (how, options) in JOBS.items():
    for optimizer in ("momentum",) if name == "accumulate" else OPTIMIZERS:
        job = train(f"{name}-{optimizer}", *LAUNCH, graphs[optimizer], *how,
                    f"--transpile={options}", "--workers=2", "--batch-size=6")
        if name == "accumulate":
            two = train("accumulate-two", "launch", graphs[optimizer], *how,
                        "--trainers=2", f"--transpile={options}",
                        f"--log-dir={FOLDER}/log", "--batch-size=6")
            same(job, two)
        else:
            same(job, whole[optimizer])
many = train("many", "launch", graphs["adam"], "--trainers=2", "--pservers=1",
             "--workers=3", "--batch-size=2", f"--log-dir={FOLDER}/log")
same(many, whole["adam"])
# A lone trainer of mode geo trains as one process does.
sgd = write("sgd.mlir",
            TEXT.replace("OPTIMIZER", "#ps.sgd<learning_rate = 0.05>"))
geo = train("geo", *LAUNCH, sgd, "--pservers=1", "--workers=2",
            "--transpile=mode=geo geo-steps=4", "--batch-size=6")
same(geo, train("geo-whole", sgd, "--batch-size=12"))
# All in one process.
dist = FOLDER / "dist.mlir"
run("ps-opt", graphs["adam"], "--ps-transpile=pservers=2 trainers=2", "-o", dist)
same(train("all", dist, "--role=all", "--workers=2", "--batch-size=3"),
     whole["adam"])

# Tables: ids of all workers, bags of any size, weights, padding.
samples = make_samples(96)
data = f"--data={write_samples(FOLDER / 'samples.txt', samples)}"
for name, options in (("adagrad", {}), ("sgd", {"pool": "sum", "padding": None})):
    module = write("table.mlir", table_graph(name, **options))
    expected = train("rows", module, "--batch-size=12", data=data)
    for workers in (2, 3):
        found = train("rows-parts", module, f"--workers={workers}",
                      f"--batch-size={12 // workers}", data=data)
        compare_rows(read_rows(found), read_rows(expected))
        compare_reports(found, expected, "loss")
    for extra in ("", "--transpile=cache-rows=50"):
        found = train("rows-job", *LAUNCH, module, "--pservers=2", "--workers=2",
                      "--batch-size=6", *filter(None, [extra]), data=data)
        compare_rows(read_rows(found), read_rows(expected))

# Metrics count every sample once. The loss of that graph is a sum.
METRIC = (INPUTS.parent / "metric.mlir").read_text()
houses = f"--data=csv:{INPUTS.parents[2]}/examples/fit_a_line/samples.csv"
one, two = (train(f"metric{workers}",
                  write("metric.mlir", METRIC.replace(
                      "dense<0.001>", f"dense<0.00{workers}>")),
                  f"--workers={workers}", f"--batch-size={48 // workers}",
                  data=houses)
            for workers in (1, 2))
same(two, one)
compare_reports(two, one, "loss", "auc", "accuracy", "mean_score")
for how, warns in ((["--workers=2"], True), (["--workers=1"], False),
                   ([*LAUNCH[1:], "--workers=2"], True)):
    launch = ["launch"] if len(how) > 1 else []
    _, err = run("ps-run", *launch, FOLDER / "metric.mlir", houses, "--steps=1",
                 *how)
    assert ("warning: " in err) == warns, err
    assert ("a step of 2 batches may train differently from one of all their "
            "samples" in err) == warns, err

# What does not fill a step of all workers is left out, or padded, as with as
# many trainers; a run may continue with other workers of the same samples.
for remainder in ("drop", "pad"):
    flags = ["--epochs=2", f"--remainder={remainder}"]
    one = train(f"{remainder}-one", graphs["adam"], *flags, "--batch-size=50",
                steps=100)
    two = train(f"{remainder}-two", graphs["adam"], *flags, "--batch-size=25",
                "--workers=2", steps=100)
    same(two, one)
    compare_reports(two, one, "loss")
    steps = len(read_metrics(f"{two}.jsonl"))
    assert steps == {"drop": 4, "pad": 6}[remainder], steps
half = train("half", graphs["adam"], "--workers=2", "--batch-size=6", steps=5)
rest = train("rest", graphs["adam"], "--workers=3", "--batch-size=4",
             f"--load={half}", steps=7)
same(rest, whole["adam"])

# Evaluation is of single batches, whatever the workers.
for workers in (1, 2):
    train(f"eval{workers}", graphs["adam"], f"--workers={workers}",
          f"--batch-size={12 // workers}", f"--eval-{DATA[2:]}", "--epochs=1",
          steps=10)
compare_reports(FOLDER / "eval2", FOLDER / "eval1", "loss")

# The same bits in every run.
first, second = (train(f"bits{i}", graphs["adam"], "--deterministic",
                       "--workers=2", "--batch-size=6") for i in range(2))
assert (first / "model.safetensors").read_bytes() == (
    second / "model.safetensors").read_bytes()

# Each worker's gradient counts; as part of a mean in mode half-async, and in mode
# geo, where a trainer updates rows and variables of its own.
counter = Counter(FOLDER / "counter")
for mode, flags in (("async", []), ("async", ["--send-queue=2"]),
                    ("half-async", []), ("async bucket-bytes=100", []),
                    ("async staleness=0", []), ("half-async staleness=1", []),
                    ("geo geo-steps=1", []), ("geo geo-steps=3", [])):
    for trainers in (1, 2):
        for workers in (2, 3):
            saved = FOLDER / "counted"
            run("ps-run", "launch", counter.graph, f"--trainers={trainers}",
                "--pservers=2", f"--transpile=mode={mode}", counter.data,
                f"--log-dir={FOLDER}/log", f"--batch-size={COUNTED}",
                "--steps=20", f"--workers={workers}", f"--save={saved}", *flags)
            merged = not mode.startswith("async")
            # Thirds are no floats, and exchanges of several trainers in mode geo
            # halve what is left again and again.
            rounds = merged and workers == 3 or (
                mode.startswith("geo") and trainers > 1)
            counter.check(saved, [20] * trainers, workers=workers,
                          share=1 / workers if merged else 1,
                          tolerance=1e-3 if rounds else 0)

# Refused, with the reason.
nothing = write("nothing.mlir", """
ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @train() {
  %w = ps.read @w : tensor<4xf32>
  ps.apply @w, %w using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return
}
""")
refused_usage("--workers=2: @train takes no data that workers could share",
              nothing, "--workers=2")
_, err = run("ps-run", sgd, DATA, "--workers=2", "--batch-size=61", code=1)
assert re.fullmatch(r"ps-run: error: .*batch size 122 .*120 samples.*\n", err), err
_, err = run("ps-run", write("named.mlir", TEXT.replace(
    "OPTIMIZER", "#ps.sgd<learning_rate = 0.05>").replace(
        'ps.feed = "y"', 'ps.feed = "x (worker 1)"')), DATA, "--workers=2",
    "--batch-size=4", code=1)
assert "two feeds are named 'x (worker 1)'" in err, err
