# SPDX-License-Identifier: Apache-2.0
"""A graph whose feeds fix the batch is evaluated on any number of samples: each
counts once, or the run is refused before it begins. Random graphs, batches and
numbers of samples, against a computation of each sample alone.

usage: fixed-batch.py FOLDER [SEED [GRAPHS]]
"""
# RUN: %python %s %t

import json
import math
import pathlib
import random
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
GRAPHS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
BINS = 4096


def tensor(*dims, element="f32"):
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


class Graph:
    """A chain of layers, each as IR and as a function of one sample's row."""

    def __init__(self, draw, batch):
        self.draw, self.batch = draw, batch
        self.lines, self.steps, self.count = [], [], 0
        self.width = self.features = draw.randint(1, 5)
        self.mixes = False

    def emit(self, text):
        self.count += 1
        self.lines.append(f"%{self.count} = stablehlo.{text}")
        return f"%{self.count}"

    def splat(self, number, *dims):
        return self.emit(f"constant dense<{number!r}> : {tensor(*dims)}")

    def unary(self, op, x, *dims):
        return self.emit(f"{op} {x} : {tensor(*dims)}")

    def binary(self, op, x, y, *dims):
        return self.emit(f"{op} {x}, {y} : {tensor(*dims)}")

    def fold(self, op, x, start, dims, along):
        rest = [d for i, d in enumerate(dims) if i not in along]
        zero = self.splat(start, )
        return self.emit(f"reduce({x} init: {zero}) applies stablehlo.{op} across "
                         f"dimensions = {along} : ({tensor(*dims)}, tensor<f32>) "
                         f"-> {tensor(*rest)}")

    def spread(self, x, dims, along, to):
        return self.emit(f"broadcast_in_dim {x}, dims = {along} : "
                         f"({tensor(*dims)}) -> {tensor(*to)}")

    def move(self, op, x, dims, to, end=""):
        return self.emit(f"{op} {x}{end} : ({tensor(*dims)}) -> {tensor(*to)}")

    # -- layers of samples: IR, and what they make of a row

    def dense(self, x):
        b, old, new = self.batch, self.width, self.draw.randint(1, 5)
        w = [[round(self.draw.uniform(-1, 1), 3) for _ in range(new)]
             for _ in range(old)]
        name = self.emit(f"constant dense<{w}> : {tensor(old, new)}")
        self.width = new
        return (self.emit(f"dot_general {x}, {name}, contracting_dims = [1] x [0]"
                          f" : ({tensor(b, old)}, {tensor(old, new)}) -> "
                          f"{tensor(b, new)}"),
                lambda row, y: [sum(r * v[j] for r, v in zip(row, w))
                                for j in range(new)])

    def tanh(self, x):
        return (self.unary("tanh", x, self.batch, self.width),
                lambda row, y: [math.tanh(r) for r in row])

    def flat(self, x):
        """All samples as one dimension, and back."""
        b, w = self.batch, self.width
        h = self.move("reshape", x, (b, w), (b * w,))
        h = self.binary("add", h, self.splat(0.25, b * w), b * w)
        h = self.unary("tanh", h, b * w)
        return (self.move("reshape", h, (b * w,), (b, w)),
                lambda row, y: [math.tanh(r + 0.25) for r in row])

    def turn(self, x):
        b, w = self.batch, self.width
        h = self.move("transpose", x, (b, w), (w, b), ", dims = [1, 0]")
        h = self.unary("cosine", h, w, b)
        return (self.move("transpose", h, (w, b), (b, w), ", dims = [1, 0]"),
                lambda row, y: [math.cos(r) for r in row])

    def softmax(self, x):
        b, w = self.batch, self.width
        e = self.unary("exponential", self.unary("tanh", x, b, w), b, w)
        total = self.spread(self.fold("add", e, 0.0, (b, w), [1]), (b,), [0],
                            (b, w))

        def twin(row, y):
            e = [math.exp(math.tanh(r)) for r in row]
            return [v / sum(e) for v in e]
        return self.binary("divide", e, total, b, w), twin

    def top(self, x):
        b, w = self.batch, self.width
        most = self.spread(self.fold("maximum", x, -1000000.0, (b, w), [1]), (b,),
                           [0], (b, w))
        return (self.binary("subtract", x, most, b, w),
                lambda row, y: [r - max(row) for r in row])

    def pick(self, x):
        """x[i, label of i], as frameworks spell it: with an iota."""
        b, w = self.batch, self.width
        place = self.emit(f"iota dim = 0 : {tensor(b, 1, element='i32')}")
        label = self.emit(f"convert %y : ({tensor(b, 1)}) -> "
                          f"{tensor(b, 1, element='i32')}")
        pair = self.emit(
            f"concatenate {place}, {label}, dim = 1 : "
            f"({tensor(b, 1, element='i32')}, {tensor(b, 1, element='i32')}) -> "
            f"{tensor(b, 2, element='i32')}")
        self.count += 1
        self.lines.append(
            f'%{self.count} = "stablehlo.gather"({x}, {pair}) <{{dimension_numbers'
            f' = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map '
            f'= [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> '
            f': ({tensor(b, w)}, {tensor(b, 2, element="i32")}) -> {tensor(b)}')
        self.width = 1
        return (self.move("reshape", f"%{self.count}", (b,), (b, 1)),
                lambda row, y: [row[min(int(y), w - 1)]])

    # -- what mixes samples

    def mix(self, x):
        b, w = self.batch, self.width
        self.mixes = True
        kind = self.draw.choice(("mean", "max", "reverse", "place", "pairs"))
        if kind == "reverse":
            return self.emit(f"reverse {x}, dims = [0] : {tensor(b, w)}")
        if kind == "place":
            place = self.emit(f"iota dim = 0 : {tensor(b, w)}")
            return self.binary("multiply", x, place, b, w)
        if kind == "pairs":
            all = self.emit(f"dot_general {x}, {x}, contracting_dims = [1] x [1]"
                            f" : ({tensor(b, w)}, {tensor(b, w)}) -> "
                            f"{tensor(b, b)}")
            return self.emit(f"dot_general {all}, {x}, contracting_dims = [1] x "
                             f"[0] : ({tensor(b, b)}, {tensor(b, w)}) -> "
                             f"{tensor(b, w)}")
        op, start = ("add", 0.0) if kind == "mean" else ("maximum", -1000000.0)
        folded = self.fold(op, x, start, (b, w), [0])
        return self.binary("subtract", x, self.spread(folded, (w,), [1], (b, w)),
                           b, w)

    # -- the whole

    def build(self, mixes):
        b, x = self.batch, "%x"
        layers = [self.dense, self.tanh, self.flat, self.turn, self.softmax,
                  self.top, self.pick]
        for _ in range(self.draw.randint(1, 5)):
            x, twin = self.draw.choice(layers)(x)
            self.steps.append(twin)
            if mixes and not self.mixes and self.draw.random() < 0.5:
                x = self.mix(x)
        if mixes and not self.mixes:
            x = self.mix(x)
        w = self.width
        row = self.fold("add", self.unary("tanh", x, b, w), 0.0, (b, w), [1])
        total = self.fold("add", row, 0.0, (b,), [0])
        mean = self.binary("divide", total, self.splat(float(b)))
        p = self.move("reshape", self.unary("logistic", row, b), (b,), (b, 1))
        w = self.emit("constant dense<0.0> : tensor<f32>")
        lines = "\n    ".join(self.lines)
        return f"""module @fixed {{
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%x: {tensor(b, self.features)} {{ps.feed = "x"}},
                   %y: {tensor(b, 1)} {{ps.feed = "y"}})
      -> (tensor<f32> {{ps.fetch = "mean"}}, tensor<f32> {{ps.fetch = "total"}}) {{
    {lines}
    ps.metric mean("rows", {row}) : {tensor(b)}
    ps.metric mean("batches", {mean}) : tensor<f32>
    ps.metric accuracy("accuracy", {p}, %y) : {tensor(b, 1)}, {tensor(b, 1)}
    ps.metric auc("auc", {p}, %y) {{bins = {BINS} : i64}} : {tensor(b, 1)}, {tensor(b, 1)}
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply {mean}, %w : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.0>) : tensor<f32>
    return {mean}, {total} : tensor<f32>, tensor<f32>
  }}
}}
"""

    def value(self, row, y):
        for twin in self.steps:
            row = twin(row, y)
        return sum(math.tanh(r) for r in row)


def expect(graph, samples):
    """What an evaluation reports; None for what rounding may change."""
    values = [graph.value(row, y) for row, y in samples]
    labels = [y for _, y in samples]
    mean = sum(values) / len(values)
    odds = [1 / (1 + math.exp(-v)) for v in values]
    places = [(7 * p + v / 32 + 0.5) / 8 * BINS for p, v in zip(odds, values)]
    pairs = [(int(p), int(n)) for p, y in zip(places, labels) if y
             for n, z in zip(places, labels) if not z]
    near = any(abs(p - 0.5) < 1e-4 for p in odds) or any(
        abs(place - round(place)) < 0.01 for place in places)
    result = {"mean": mean, "total": mean * graph.batch, "rows": mean,
              "batches": mean,
              "accuracy": None if near else sum(
                  (p >= 0.5) == bool(y) for p, y in zip(odds, labels)) /
              len(labels)}
    if pairs:
        result["auc"] = None if near else sum(
            1 if p > n else 0.5 if p == n else 0 for p, n in pairs) / len(pairs)
    return result


def run(*command):
    done = subprocess.run([str(c) for c in command], text=True, timeout=120,
                          capture_output=True)
    return done.returncode, done.stdout + done.stderr


def check_numbers(found, expected):
    for name, value in expected.items():
        assert name in found, (name, found)
        if value is not None:
            assert abs(found[name] - value) <= 1e-4 * max(1, abs(value)), (
                name, found[name], value)
    assert "auc" in expected or "auc" not in found, found


def try_graph(draw, folder):
    batch = draw.choice((2, 3, 4, 6, 7, 8, 12))
    graph = Graph(draw, batch)
    mixes = draw.random() < 0.3
    text = graph.build(mixes)
    count = draw.randint(1, 3 * batch)
    samples = [([round(draw.uniform(-2, 2), 3) for _ in range(graph.features)],
                draw.randrange(2)) for _ in range(count)]
    folder.mkdir(parents=True)
    (folder / "graph.mlir").write_text(text)
    (folder / "data.csv").write_text("".join(
        ",".join(map(str, [*row, y])) + "\n" for row, y in samples))
    command = ["ps-run", folder / "graph.mlir"]
    data = [f"--eval-data=csv:{folder}/data.csv",
            f"--metrics={folder}/metrics.jsonl"]
    if draw.random() < 0.25:  # trainer 0 of a job evaluates
        code, out = run("ps-opt", folder / "graph.mlir", "-o",
                        folder / "job.mlir", "--ps-transpile=trainers=2 "
                        "pservers=127.0.0.1:6174")
        assert code == 0, out
        command = ["ps-run", folder / "job.mlir", "--role=all"]
        data += [f"--data=csv:{folder}/data.csv", "--remainder=pad"]
    code, out = run(*command, *data)
    if mixes and count % batch:
        assert code == 1 and (
            f"the last {count % batch} do not fill the batch that the feeds fix "
            f"at {batch}") in out, out
        assert not (folder / "metrics.jsonl").exists() or not (
            folder / "metrics.jsonl").read_text(), "refused only after training"
        return "refused"
    assert code == 0, out
    lines = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    found, = [line for line in lines if line["phase"] == "eval"]
    if not mixes:
        check_numbers(found, expect(graph, samples))
    return "whole batches" if mixes else "equal"


shutil.rmtree(FOLDER, ignore_errors=True)
print(f"seed {SEED}", flush=True)
results = []
for number in range(GRAPHS):
    word = f"{SEED}-{number}"
    try:
        results.append(try_graph(random.Random(word), FOLDER / word))
    except AssertionError:
        print(f"graph {word} fails: its files are in {FOLDER / word}")
        raise
print({kind: results.count(kind) for kind in sorted(set(results))})
assert results.count("equal") > GRAPHS / 4, "hardly anything was compared"
