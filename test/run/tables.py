"""Tables against plain Python: any id, duplicates, bags of every size, every
kind of pooling, padding; evaluation; saved tables."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, read_model, run
from row_model import (EXTREMES, Model, Sample, compare_rows, graph,
                       make_samples, plain_graph, read_rows, train_and_compare,
                       write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
samples = make_samples(40)
data = write_samples(FOLDER / "samples.txt", samples)

# Every kind of pooling; sgd and state in the row; f64.
for options in ({}, {"pool": "sum", "padding": None},
                {"pool": "sqrtn", "padding": -1},
                {"pool": "mean", "weighted": False},
                {"pool": "sqrtn", "weighted": False, "padding": 2**63 - 1}):
    train_and_compare(FOLDER, graph("sgd", **options), data,
                      Model("sgd", **options), samples, batch=8, steps=7)
for name in ("momentum", "adagrad", "row_wise", "adam"):
    train_and_compare(FOLDER, graph(name), data, Model(name), samples,
                      batch=8, steps=7)
train_and_compare(FOLDER, graph("adam", element="f64"), data, Model("adam"),
                  samples, batch=8, steps=7, tolerance=1e-12)

# One bag of 100,000 ids, between others, on any number of threads.
draw = make_samples(1, seed=7, ids=90000, longest=0)[0]
bag = [(i * 7919) % 90000 for i in range(99990)] + EXTREMES * 2
long = [*samples[:3], Sample(0.5, draw.ids, bag, [1.0, 0.5] * 50000)]
long_data = write_samples(FOLDER / "long.txt", long)
for flags in ("--threads=1",), ("--threads=3", "--deterministic"):
    train_and_compare(FOLDER, graph("adagrad"), long_data, Model("adagrad"),
                      long, batch=4, steps=2, flags=flags)

# Evaluation reads unknown ids as zeros and creates no row; half a run and
# another half make a whole one.
model = Model("adam")
train_and_compare(FOLDER, graph("adam"), data, model, samples, batch=8, steps=3)
others = make_samples(11, seed=3, ids=10**6)
others_data = write_samples(FOLDER / "others.txt", others)
run("ps-run", FOLDER / "graph.mlir", f"--eval-data={others_data}",
    "--batch-size=4", f"--load={FOLDER}/model", f"--save={FOLDER}/same",
    f"--metrics={FOLDER}/metrics")
record, tables = read_metrics(FOLDER / "metrics")
assert tables["phase"] == "serve", tables
assert tables["emb.rows"] == len(model.rows), tables
expected = model.loss(others)
assert abs(record["loss"] - expected) <= 1e-5 * max(1, expected), (
    record, expected)
for file in (FOLDER / "model").iterdir():
    assert file.read_bytes() == (FOLDER / "same" / file.name).read_bytes(), file

# Rows start and train as those of a variable do; others are not there.
small = [s for s in make_samples(60, seed=5, ids=40) if min(s.ids) >= 0
         and max(s.ids) < 40]
small_data = write_samples(FOLDER / "small.txt", small)
for name in ("sgd", "adagrad"):
    for dense in (True, False):
        module = FOLDER / f"dense-{dense}.mlir"
        module.write_text(plain_graph(dense, name, ids=40))
        run("ps-run", module, f"--data={small_data}", "--batch-size=8",
            "--steps=6", "--seed=3", f"--save={FOLDER}/dense-{dense}")
    values = read_model(FOLDER / "dense-True")["emb"][1]
    used = {id for s in small[:len(small) // 8 * 8] for id in s.ids}
    compare_rows(read_rows(FOLDER / "dense-False"),
                 {id: values[3 * id:3 * id + 3] for id in used})
