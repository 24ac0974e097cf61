"""Trainers that keep copies of rows train the same rows, to the last bit, as
trainers without; fewer rows travel."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import (OPTIMIZERS, Sample, compare_rows, graph, make_samples,
                       read_columns, read_rows, write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH = 4
samples = make_samples(96)
data = write_samples(FOLDER / "samples.txt", samples)


def with_table(text, attributes):
    return text.replace("init(#ps.constant<0.5>)",
                        f"init(#ps.constant<0.5>) {{{attributes}}}")


def columns(optimizer):
    """Of a saved row: its values, and the optimizer's state if it has some."""
    slots = {"adagrad": ["moment"], "adam": ["moment1", "moment2"]}
    return ["values", *(f"emb.{slot}" for slot in slots.get(optimizer, []))]


def train(name, text, *flags, trainers=2, pservers=2, data=data):
    """What a job saves, and the last lines of its trainers' metrics."""
    folder = FOLDER / name
    folder.mkdir()
    (folder / "graph.mlir").write_text(text)
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    run("ps-opt", folder / "graph.mlir", "-o", folder / "dist.mlir",
        f"--ps-transpile=pservers={endpoints} trainers={trainers}")
    run("ps-run", folder / "dist.mlir", "--role=all", f"--data={data}",
        f"--batch-size={BATCH}", f"--metrics={folder}/metrics",
        f"--save={folder}/model", *flags)
    files = [folder / "metrics", *(folder / f"metrics.trainer-{i}"
                                   for i in range(1, trainers))]
    return folder / "model", [read_metrics(file)[-1] for file in files]


def is_same(name, text, attributes, *flags, others="", optimizer="sgd",
            **cluster):
    """Trains with and without copies; gives the trainers' counters."""
    plain, _ = train(f"{name}-plain",
                     with_table(text, others) if others else text, *flags,
                     **cluster)
    cached, counters = train(
        f"{name}-cached", with_table(text, ", ".join(
            filter(None, [attributes, others]))), *flags, **cluster)
    names = columns(optimizer)
    assert read_columns(cached, *names) == read_columns(plain, *names), name
    return counters


# Any optimizer. Epochs end, so some steps' rows are not asked for ahead.
for name in OPTIMIZERS:
    for counted in is_same(name, graph(name), "cache_rows = 40 : i64",
                           "--epochs=3", optimizer=name):
        assert counted["emb.cache_kept"] > 0, counted
        assert 0 < counted["emb.cache_copies"] <= 40, counted

# What changes a gradient, a row or its rate; rows of another type.
for name, text, others in (
        ("f64", graph("adam", element="f64"), ""),
        ("clip", graph("adagrad"),
         "clip = #ps.clip_by_value<min = -0.1, max = 0.1>, "
         "regularize = #ps.l2_decay<0.1>, learning_rate_scale = 0.5 : f64"),
        # Rows come and go on the pservers.
        ("count", graph("adagrad"), "admit_count = 3 : i64"),
        ("share", graph("adagrad"), "admit_probability = 0.5 : f64"),
        ("age", graph("adagrad"), "evict_age = 1 : i64, evict_every = 2 : i64")):
    for counted in is_same(name, text, "cache_rows = 40 : i64", "--epochs=3",
                           others=others):
        assert counted["emb.cache_kept"] > 0, counted

# Steps without rows, of which the first may be ready before the rows of the
# step before it are.
bare = [s if i // BATCH % 4 == 0 else
        Sample(s.label, ids=[0, 0], bag=[], weights=[])
        for i, s in enumerate(samples)]
padded = graph("adam").replace("@emb[%ids] :",
                               "@emb[%ids] {padding_idx = 0 : i64} :")
bare_counters, = is_same(
    "bare", padded, "cache_rows = 40 : i64", "--epochs=3", optimizer="adam",
    trainers=1, data=write_samples(FOLDER / "bare.txt", bare))
assert bare_counters["emb.cache_kept"] > 0, bare_counters

# Which rows a full table drops depends on which trainer asks first.
full, = is_same("lru", graph("adagrad").replace("1000000x3", "45x3"),
                "cache_rows = 40 : i64", "--epochs=3", others="evict_lru",
                trainers=1, pservers=1)
assert full["emb.cache_kept"] > 0, full
dropped = read_metrics(FOLDER / "lru-cached" / "metrics.pserver-0")[-1]
assert dropped["emb.evicted_by_capacity"] > 0, dropped

# One trainer: the parameters of a row come the first time, with its slots the
# second time, and then no more. With fewer copies than a step has rows, some do.
steps = [{id for s in samples[i:i + BATCH]
          for id in [*s.ids, *(id for id in s.bag if id != 0)]}
         for i in range(0, len(samples), BATCH)]
uses = {id: sum(id in step for step in steps) for step in steps for id in step}
one, = is_same("one", graph("adam"), "cache_rows = 1000 : i64", trainers=1,
               optimizer="adam")
assert one["emb.cache_values"] == len(uses), one
assert one["emb.cache_states"] == sum(n > 1 for n in uses.values()), one
assert one["emb.cache_kept"] == sum(n - 2 for n in uses.values() if n > 1), one
few, = is_same("few", graph("adam"), "cache_rows = 5 : i64", trainers=1,
               pservers=3, optimizer="adam")
assert few["emb.cache_copies"] == 5, few
assert 0 < few["emb.cache_kept"] < one["emb.cache_kept"], few
assert few["emb.cache_values"] == one["emb.cache_values"], few

# Processes over gRPC, evaluations on the way, a job that goes on from what
# another one saved; one process keeps no copies.
cached = FOLDER / "cached.mlir"
cached.write_text(with_table(graph("scheduled"), "cache_rows = 30 : i64"))
plain = FOLDER / "plain.mlir"
plain.write_text(graph("scheduled"))


def launch(name, module, *flags):
    run("ps-run", "launch", f"--log-dir={FOLDER}/log", "--pservers=2",
        "--trainers=2", module, f"--data={data}", f"--batch-size={BATCH}",
        f"--metrics={FOLDER}/{name}.jsonl", f"--save={FOLDER}/{name}", *flags)
    losses = [r["loss"] for r in read_metrics(FOLDER / f"{name}.jsonl")
              if r["phase"] == "eval"]
    return read_rows(FOLDER / name), losses


evaluate = ["--epochs=2", f"--eval-data={data}"]
expected = launch("processes", plain, *evaluate)
assert launch("processes-cached", cached, *evaluate) == expected
assert launch("more-cached", cached, f"--load={FOLDER}/processes") == launch(
    "more", plain, f"--load={FOLDER}/processes")
run("ps-run", cached, f"--data={data}", f"--batch-size={2 * BATCH}",
    "--epochs=2", f"--save={FOLDER}/local")
compare_rows(expected[0], read_rows(FOLDER / "local"))
