# SPDX-License-Identifier: Apache-2.0
"""Random graphs, some of which mix the samples of a batch: where a job does not
train what one process does, ps-opt must have warned. The other way around, of
graphs of ordinary layers it must warn of none.

usage: separability.py [--graphs=N] [--seed=TEXT] [--only=WORD] [--folder=DIR]

A case follows from a word, SEED-NUMBER; --only=WORD repeats it."""

import argparse
import collections
import pathlib
import random
import re
import shutil
import sys

from case import Case, Failure
from random_graph import (SAMPLES, Graph, Value, random_job,
                          random_table)

WARNING = "may train differently"
# What a loss is made of, and whether it is a mean over samples.
SEPARABLE = ("plain", "decay", "negated", "halves", "flat", "shares")
MIXED = ("center", "top", "pairs", "turn", "sum", "number", "root", "weights",
         "both", "square")


class MixingGraph(Graph):
    """A random graph whose loss is of a given kind."""

    def __init__(self, rng, job, kind):
        super().__init__(rng, job)
        self.kind = kind

    def over_batch(self, x, op, start):
        return self.emit(
            f"reduce({x.name} init: {self.constant(start).name}) applies "
            f"stablehlo.{op} across dimensions = [0] : ({self.type(x)}, "
            "tensor<f32>) -> {t}", x.dims, batched=False)

    def size(self, x):
        size, count = self.fresh(), Value(self.fresh(), ())
        self.lines.append(f"{size} = stablehlo.get_dimension_size {x.name}, dim "
                          f"= 0 : ({self.type(x)}) -> tensor<i32>")
        self.lines.append(f"{count.name} = stablehlo.convert {size} : "
                          "(tensor<i32>) -> tensor<f32>")
        return count

    def scalar_op(self, op, *operands):
        return self.emit(f"{op} {', '.join(o.name for o in operands)} : {{t}}",
                         (), batched=False)

    def mix(self, x):
        """Makes each row of x depend on the others."""
        if self.kind == "turn":
            turned = self.emit(f"reverse {x.name}, dims = [0] : {{t}}", x.dims)
            return self.binary("multiply", x, self.unary("sine", turned))
        if self.kind == "pairs":
            pairs = self.fresh()
            self.lines.append(
                f"{pairs} = stablehlo.dot_general {x.name}, {x.name}, "
                f"contracting_dims = [1] x [1] : ({self.type(x)}, "
                f"{self.type(x)}) -> tensor<?x?xf32>")
            mixed = self.emit(
                f"dot_general {pairs}, {x.name}, contracting_dims = [1] x [0] : "
                f"(tensor<?x?xf32>, {self.type(x)}) -> {{t}}", x.dims)
            return self.unary("tanh", mixed)
        if self.kind == "top":
            folded = self.over_batch(x, "maximum", "-100.0")
        else:
            total = self.over_batch(x, "add", "0.0")
            count = self.broadcast(self.size(x), x.dims, ())
            wide = self.broadcast(total, x.dims, (1,))
            return self.binary("subtract", x, self.binary("divide", wide, count))
        return self.binary("subtract", x, self.broadcast(folded, x.dims, (1,)))

    def losses(self, x):
        """A number of each sample."""
        label = self.broadcast(Value("%y", ()), x.dims, (0,), batched=True)
        error = self.binary("subtract", x, label)
        each = self.binary("multiply", error, error)
        if self.kind == "flat":
            return each
        total = self.reduce(each, "add", "0.0")
        return self.binary("multiply", total, self.scalar(1 / x.dims[0], ()))

    def flat_mean(self, each):
        total = self.emit(
            f"reduce({each.name} init: {self.constant('0.0').name}) applies "
            f"stablehlo.add across dimensions = [0, 1] : ({self.type(each)}, "
            "tensor<f32>) -> {t}", (), batched=False)
        width = self.constant(float(each.dims[0]))
        return self.scalar_op("divide", total,
                              self.scalar_op("multiply", self.size(each), width))

    def loss(self, x):
        if self.kind in ("center", "top", "pairs", "turn"):
            x = self.mix(x)
        each = self.losses(x)
        if self.kind == "flat":
            return self.flat_mean(each)
        if self.kind == "shares":
            share = self.scalar_op("divide", self.constant("1.0"),
                                   self.size(each))
            return self.over_batch(self.binary(
                "multiply", each, self.broadcast(share, (), ())), "add", "0.0")
        total = self.over_batch(each, "add", "0.0")
        if self.kind == "sum":
            return total
        if self.kind == "number":
            return self.scalar_op("divide", total, self.constant("7.0"))
        if self.kind == "weights":
            weight = self.unary("logistic", Value("%y", ()))
            weighted = self.over_batch(self.binary("multiply", each, weight),
                                       "add", "0.0")
            return self.scalar_op("divide", weighted,
                                  self.over_batch(weight, "add", "0.0"))
        mean = self.scalar_op("divide", total, self.size(each))
        return self.from_mean(mean, total, x)

    def from_mean(self, mean, total, x):
        if self.kind == "root":
            return self.scalar_op("sqrt", mean)
        if self.kind == "square":
            return self.scalar_op("multiply", mean, mean)
        if self.kind == "both":
            part = self.scalar_op("multiply", total, self.constant("0.25"))
            return self.scalar_op("add", mean, part)
        if self.kind == "negated":
            return self.scalar_op("negate", self.scalar_op("negate", mean))
        if self.kind == "halves":
            half = self.constant("0.5")
            return self.scalar_op("add", self.scalar_op("multiply", mean, half),
                                  self.scalar_op("multiply", half, mean))
        if self.kind == "decay":
            w = self.variable((3,), 0.1, 0.5)
            square = self.emit(f"multiply {w.name}, {w.name} : {{t}}", (3,),
                               batched=False)
            decay = self.emit(
                f"reduce({square.name} init: {self.constant('0.0').name}) "
                "applies stablehlo.add across dimensions = [0] : (tensor<3xf32>,"
                " tensor<f32>) -> {t}", (), batched=False)
            return self.scalar_op("add", mean, decay)
        return mean


def with_batch(text, size, constant):
    """The graph with a batch of a fixed size, which it measures or knows."""
    text = re.sub(r"\?(?=x)", str(size), text)
    if constant:
        text = re.sub(r"stablehlo.get_dimension_size .*",
                      f"stablehlo.constant dense<{size}> : tensor<i32>", text)
    return text


class SeparabilityCase(Case):
    def __init__(self, word, folder):
        super().__init__(word, folder)
        rng = random.Random(word)
        # Jobs in which one process must train what the trainers do.
        while True:
            self.job = random_job(rng)
            parts = self.job.trainers * self.job.accumulate
            if self.job.keeps_step and parts > 1:
                break
        self.kind = rng.choice(SEPARABLE + MIXED)
        graph = MixingGraph(rng, self.job, self.kind)
        text = "".join(graph.text("using(#ps.sgd<learning_rate = 0.05>)"))
        self.table = random_table(rng, graph.features)
        self.texts = text, text
        self.differentiated = rng.random() < 0.4
        if rng.random() < 0.4 and parts <= 6:
            # No other number of these graphs may be taken for a batch of 9.
            batch = 9
            self.job = self.job._replace(
                batch=batch, steps=min(self.job.steps, SAMPLES // (batch * parts)))
            constant = rng.random() < 0.5
            sizes = self.job.batch, self.job.batch * parts
            self.texts = tuple(with_batch(text, n, constant) for n in sizes)
            self.kind += " fixed"

    def check(self):
        """Whether ps-opt warned, and whether both train the same."""
        job_text, one_text = self.texts
        self.write({"job.mlir": job_text, "one.mlir": one_text,
                    "table.csv": self.table})
        source = "job.mlir"
        if self.differentiated:
            source = "gradients.mlir"
            self.run("ps-opt", "job.mlir", "--inline", "--ps-differentiate",
                     "--canonicalize", "--cse", "-o", source)
        made = self.run("ps-opt", source, f"--ps-transpile={self.job.options}",
                        "-o", "dist.mlir")
        warnings = made.stderr.count(WARNING)
        if warnings > 1:
            raise Failure(f"ps-opt warns more than once:\n{made.stderr}")
        self.train_both(self.job, "one.mlir")
        compared = self.run("ps-run", "compare", "job", "local",
                            "--tolerance=1e-5", codes=(0, 1))
        return warnings == 1, compared.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--seed", default=str(random.randrange(10**9)))
    parser.add_argument("--only")
    parser.add_argument("--folder", type=pathlib.Path, default="fuzz-failures")
    options = parser.parse_args()
    print(f"separability: seed {options.only or options.seed}", flush=True)
    words = [options.only] if options.only else [
        f"{options.seed}-{i}" for i in range(options.graphs)]
    counts, failures = collections.Counter(), 0
    for word in words:
        case = SeparabilityCase(word, options.folder)
        try:
            warned, equal = case.check()
        except Failure as error:
            print(f"{word} ({case.kind}): {error}")
            failures += 1
            continue
        counts[warned, equal] += 1
        # A share of 1/9 of each sample may be a weight or 1/batch: ps-opt warns.
        separable = (case.kind.split()[0] in SEPARABLE
                     and case.kind != "shares fixed")
        if (equal or warned) and not (separable and warned):
            shutil.rmtree(case.folder)
            continue
        failures += 1
        print(f"{word} ({case.kind}): "
              f"{'a warning' if warned else 'no warning'}, but training "
              f"{'is the same' if equal else 'differs'}; its files are in "
              f"{case.folder}; again with --only={word}", flush=True)
    print(f"separability: {len(words)} graphs, {failures} failures; no warning "
          f"and equal {counts[False, True]}, warning and different "
          f"{counts[True, False]}, warning though equal {counts[True, True]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
