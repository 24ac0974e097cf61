"""A table whose rows a device has copies of, a few at a time, trains to the same
bits as one whose rows are on the host."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

import device_rows
from device_rows import (accessor, add_tiers, compare_models, has_clicked,
                         read_losses, replace)
from job import DEVICE, run
from row_model import (OPTIMIZERS, Sample, graph, make_samples,
                       write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, EPOCHS = 4, 2
data = write_samples(FOLDER / "samples.txt", make_samples(96))
# A step uses nearly as many.
SLOTS, IN_MEMORY = 36, 60


def train(folder, text, *flags, device=DEVICE, source=data):
    (folder / "graph.mlir").write_text(text)
    run("ps-run", folder / "graph.mlir", f"--data={source}",
        f"--batch-size={BATCH}", f"--epochs={EPOCHS}", f"--device={device}",
        f"--metrics={folder}/metrics", f"--save={folder}/model", *flags)


def is_same(name, text, *flags, source=data, **options):
    """`{}` in a flag is the run's folder."""
    line, = device_rows.is_same(
        FOLDER, lambda folder, text, _: train(
            folder, text, *[flag.format(folder) for flag in flags],
            source=source),
        name, text, SLOTS, **options)
    return line


for optimizer in OPTIMIZERS:
    # A sum along a row has another order on a device.
    is_same(optimizer, graph(optimizer),
            tolerance=1e-6 if optimizer == "row_wise" else None)
# CUDA has powers of f64 of its own.
is_same("f64", graph("adam", element="f64"),
        tolerance=1e-14 if DEVICE == "cuda" else None)
is_same("count", graph("adagrad"), others="admit_count = 3 : i64")
is_same("age", graph("adagrad"),
        others="evict_age = 9 : i64, evict_every = 4 : i64")
is_same("full", replace(graph("adagrad"), "tensor<1000000x", "tensor<50x"),
        others="evict_lru")

is_same("probability", graph("adagrad"), others="admit_probability = 0.5")
# Bags of all kinds; padding has no row.
is_same("sum", graph("adagrad", pool="sum", weighted=False, padding=None))
is_same("sqrtn", graph("adagrad", pool="sqrtn", padding=-1), tolerance=1e-6)
is_same("unweighted", graph("adam", weighted=False, padding=2**63 - 1))

# The host sums bags of more than 1,024 ids in pieces.
long = make_samples(12, seed=5, ids=16, longest=2500)
is_same("long", graph("adam"), moves=False,
        source=write_samples(FOLDER / "long.txt", long))

# Evaluation reads what the device has, and creates nothing.
for name, others in (("eval", ""), ("eval-count", "admit_count = 3 : i64")):
    is_same(name, graph("adam"), f"--eval-data={data}", others=others)
    scores = read_losses(FOLDER, name)
    assert len(scores[0]) == EPOCHS and scores[0] == scores[1], scores

# Batches without an id: all padding, or none at all.
empty = [Sample(1.0, [0, 0], [0] * (i % 2), [1.0] * (i % 2)) for i in range(12)]
samples = make_samples(12, seed=3)
few = write_samples(FOLDER / "few.txt", [*empty[:8], *samples, *empty])
is_same("empty", graph("adam"), source=few, moves=False)

# Between memory and an SSD, too; a pass ends with what the device has.
ssd = f', #ps.mem<rows = {IN_MEMORY}>, #ps.ssd<"{FOLDER}/rows">'
is_same("ssd", graph("adam"), below=ssd)
is_same("passes", graph("adam"), "--pass-samples=32", below=ssd)

# Shows and clicks of several days: rows go by their score, and others get the
# columns that were absent.
clicked = make_samples(96, seed=7)
for i, sample in enumerate(clicked):
    sample.label = int(i % 3 == 0)
clicks = write_samples(FOLDER / "clicks.txt", clicked)
SCALED = ", show_scale = true"
for name, text, others, below in (
        ("clicks", graph("adam"), accessor(), ""),
        ("clicks-scaled", graph("adagrad"), accessor(SCALED), ""),
        ("clicks-f64", graph("momentum", element="f64"), accessor(SCALED), ""),
        ("clicks-whole", graph("row_wise"), accessor(), ""),
        ("clicks-count", graph("adam"), accessor() + ", admit_count = 2 : i64",
         ""),
        ("clicks-age", graph("adam"), accessor() + ", evict_age = 9 : i64", ""),
        ("clicks-ssd", graph("adam"), accessor(day=12), ssd)):
    # The sum along a row again.
    rounds = name == "clicks-whole"
    has_clicked(is_same(
        name, text, "--save-base={}/base", f"--eval-data={clicks}",
        others=others, below=below, source=clicks, models=("model", "base"),
        tolerance=1e-6 if rounds else None))
    scores = read_losses(FOLDER, name)
    assert len(scores[0]) == EPOCHS, scores
    assert rounds or scores[0] == scores[1], scores
# Days go on where a run has ended, and what changed since its base is saved.
is_same("clicks-delta", graph("adam"), f"--load={FOLDER}/clicks-hbm/model",
        "--save-delta={}/delta", others=accessor(", delta_threshold = 0.01"),
        source=clicks, models=("model", "delta"))

# A process without a device does without copies.
hbm = add_tiers(graph("adam"), 1)
for name, text in (("cpu-plain", graph("adam")), ("cpu-hbm", hbm)):
    (FOLDER / name).mkdir()
    train(FOLDER / name, text, device="cpu")
compare_models("cpu", FOLDER / "cpu-plain/model", FOLDER / "cpu-hbm/model")

# In a job, pservers hold the rows.
for name, text in (("job-plain", graph("adam")), ("job-hbm", hbm)):
    (FOLDER / f"{name}.mlir").write_text(text)
    run("ps-opt", FOLDER / f"{name}.mlir", "-o", FOLDER / f"{name}-dist.mlir",
        "--ps-transpile=pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2")
    run("ps-run", FOLDER / f"{name}-dist.mlir", "--role=all", f"--data={data}",
        f"--batch-size={BATCH}", f"--device={DEVICE}", f"--save={FOLDER}/{name}")
run("ps-run", "compare", FOLDER / "job-plain", FOLDER / "job-hbm")

# A run that loads, also what the other kind of run has saved.
first = f"--load={FOLDER}/adam-hbm/model"
is_same("load", graph("adam"), first)
is_same("load-count", graph("adagrad"), f"--load={FOLDER}/count-hbm/model",
        others="admit_count = 3 : i64")

# More rows than any device has memory for: 70 TB.
(FOLDER / "large.mlir").write_text("""
ps.table @emb : tensor<10000000000x8192xf32> init(#ps.constant<0.5>)
    tiers([#ps.hbm<rows = 10000000000>])
func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"})
    -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x8192xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x2x8192xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.125>) : tensor<f32>
  return %loss : tensor<f32>
}
""")
_, error = run("ps-run", FOLDER / "large.mlir", f"--data={data}",
               f"--batch-size={BATCH}", f"--device={DEVICE}", code=1)
assert re.fullmatch(
    r"ps-run: error: table '@emb': #ps.hbm<rows = 10000000000>: 2147483647 rows "
    r"of 32768 bytes: device '[\w:]+':? cannot allocate 70368744177664 bytes: "
    r"(the host has \d+|\d+ of \d+ are free: out of memory .*)\n", error), error

# A step's rows have to be there at once.
(FOLDER / "small.mlir").write_text(hbm)
_, error = run("ps-run", FOLDER / "small.mlir", f"--data={data}",
               f"--batch-size={BATCH}", f"--device={DEVICE}", code=1)
assert "of which the tier #ps.hbm holds 1: raise its rows" in error, error
