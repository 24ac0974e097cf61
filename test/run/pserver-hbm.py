"""Tables of pservers whose rows a device has copies of, a few at a time: what a
job saves has the bits of one whose pservers have all rows on their hosts.

usage: pserver-hbm.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import shutil
import sys

import device_rows
from device_rows import (accessor, add_tiers, has_clicked, read_losses,
                         replace)
from job import DEVICE, run
from row_model import OPTIMIZERS, graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
data = write_samples(FOLDER / "samples.txt", make_samples(96))
# Of all pservers; a step uses nearly as many.
SLOTS, IN_MEMORY = 50, 56
# The sum along a row, which a device adds up in another order.
SUMS = {"row_wise": 1e-6}


def train(folder, text, options, *flags, source=data):
    (folder / "graph.mlir").write_text(text)
    run("ps-opt", folder / "graph.mlir", "-o", folder / "dist.mlir",
        f"--ps-transpile=pservers=2 {options}")
    run("ps-run", folder / "dist.mlir", "--role=all", f"--data={source}",
        "--batch-size=4", "--epochs=2", "--threads=1",
        f"--metrics={folder}/metrics", f"--save={folder}/model", *flags)


def is_same(name, text, *flags, job="trainers=2", source=data, **options):
    """`{}` in a flag is the run's folder."""
    return device_rows.is_same(
        FOLDER, lambda folder, text, has_tier: train(
            folder, text, job, *[flag.format(folder) for flag in flags],
            *[f"--pserver-device={DEVICE}"] * has_tier, source=source),
        name, text, SLOTS,
        metrics=[f"metrics.pserver-{index}" for index in (0, 1)], **options)


for optimizer in OPTIMIZERS:
    is_same(optimizer, graph(optimizer), tolerance=SUMS.get(optimizer))
# CUDA has powers of f64 of its own.
is_same("f64", graph("adam", element="f64"),
        tolerance=1e-14 if DEVICE == "cuda" else None)
is_same("count", graph("adagrad"), others="admit_count = 3 : i64")
is_same("age", graph("adagrad"),
        others="evict_age = 9 : i64, evict_every = 4 : i64")
is_same("full", replace(graph("adagrad"), "tensor<1000000x", "tensor<80x"),
        others="evict_lru")
is_same("copies", graph("adagrad"), others="cache_rows = 16 : i64")
is_same("wire", graph("adam"), job="trainers=2 row-wire=f16")
is_same("async", graph("adam"), "--deterministic",
        job="trainers=1 mode=async")
is_same("load", graph("adam"), f"--load={FOLDER}/adam-host/model")
ssd = f', #ps.mem<rows = {IN_MEMORY}>, #ps.ssd<"{FOLDER}/rows">'
is_same("ssd", graph("adam"), below=ssd)

# Evaluation reads what the device has.
is_same("eval", graph("adam"), f"--eval-data={data}")
scores = read_losses(FOLDER, "eval")
assert len(scores[0]) == 2 and scores[0] == scores[1], scores

# Shows and clicks of several days; rows go by their score, and others get the
# columns that were absent.
clicked = make_samples(96, seed=7)
for i, sample in enumerate(clicked):
    sample.label = int(i % 3 == 0)
clicks = write_samples(FOLDER / "clicks.txt", clicked)
SCALED = ", show_scale = true"
for name, text, others, below, job in (
        ("clicks", graph("adam"), accessor(), "", "trainers=2"),
        ("clicks-scaled", graph("adagrad", element="f64"), accessor(SCALED), "",
         "trainers=2"),
        ("clicks-ssd", graph("adam"), accessor(SCALED, day=12), ssd,
         "trainers=2"),
        ("clicks-async", graph("adam"), accessor(SCALED), "",
         "trainers=1 mode=async")):
    for line in is_same(
            name, text, "--deterministic", "--save-base={}/base",
            f"--eval-data={clicks}", others=others, below=below, job=job,
            source=clicks, models=("model", "base")):
        has_clicked(line)
    # The first evaluation may come after the other trainer has created rows for
    # its next step.
    scores = read_losses(FOLDER, name)
    assert len(scores[0]) == 2 and scores[0][-1] == scores[1][-1], scores
is_same("clicks-delta", graph("adam"), f"--load={FOLDER}/clicks-hbm/model",
        "--save-delta={}/delta", others=accessor(", delta_threshold = 0.01"),
        source=clicks, models=("model", "delta"))

# Trainers may have devices, too.
is_same("both", graph("adam"), f"--device={DEVICE}")

# A step's rows have to be there at once: the job ends with the pserver's words.
small = FOLDER / "small"
small.mkdir()
(small / "graph.mlir").write_text(add_tiers(graph("adam"), 2))
_, error = run("ps-run", "launch", small / "graph.mlir", "--pservers=2",
               "--trainers=2", f"--data={data}", "--batch-size=4",
               f"--log-dir={small}/log", f"--pserver-device={DEVICE}", code=1)
assert "of which the tier #ps.hbm holds 1: raise its rows" in error, error
