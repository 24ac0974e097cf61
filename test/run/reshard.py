# SPDX-License-Identifier: Apache-2.0
"""A job that goes on from a checkpoint with another number of pservers trains
the bits that it would have trained undisturbed, variables, slots and rows; with
another number of trainers, it goes on with the same samples.

usage: reshard.py FOLDER [--most=N]

All pairs of 1 to N pservers, and of the numbers of trainers that divide 12;
without a number, a few pairs of both. --most=6 takes some minutes.
"""
# RUN: %python %s %t

import argparse
import itertools
import pathlib
import shutil

from any_size import COUNT, GRAPH
from canonical import assert_same, canonical
from job import read_model, run
from row_model import compare_rows, make_samples, read_rows, write_samples

STEPS, CUT = 23, 9
RATE = ("learning_rate = #ps.exponential_decay<learning_rate = 0.05, "
        "decay_steps = 3, decay_rate = 0.9>")


class Run:
    """Jobs of one graph; a step takes `samples` of them, whatever trainers
    there are."""

    def __init__(self, folder, text, samples):
        self.folder, self.samples = folder, samples
        folder.mkdir(parents=True)
        self.graph = folder / "graph.mlir"
        self.graph.write_text(text)
        data = write_samples(folder / "samples.txt", make_samples(96))
        self.data = f"--data={data}"

    def train(self, name, pservers, trainers, *flags, code=0):
        """The model, and what launch has printed."""
        model = self.folder / name
        printed = run(
            "ps-run", "launch", self.graph, self.data, f"--steps={STEPS}",
            f"--pservers={pservers}", f"--trainers={trainers}",
            f"--global-batch-size={self.samples}", "--deterministic",
            "--threads=1", f"--log-dir={self.folder}/log", "--shuffle",
            "--transpile=min-block-size=3", f"--save={model}", *flags,
            code=code)
        return model, "".join(printed)

    def save_midway(self, name, pservers, trainers):
        """An undisturbed run: its model, and its checkpoint after CUT steps."""
        series = self.folder / f"{name}-checkpoints"
        model, _ = self.train(name, pservers, trainers, "--keep=99",
                              f"--checkpoint={series}",
                              f"--checkpoint-every={CUT}")
        return model, series / f"step-{CUT:012}"

    def go_on(self, name, pservers, trainers, checkpoint, code=0):
        series = self.folder / f"{name}-checkpoints"
        shutil.copytree(checkpoint, series / checkpoint.name)
        model, printed = self.train(
            name, pservers, trainers, "--resume", f"--checkpoint={series}",
            "--checkpoint-every=1000", code=code)
        shutil.rmtree(series)
        if code:
            return printed
        log = (self.folder / "log" / "latest" / "workerlog.0").read_text()
        assert f"resuming from step {CUT}: " in log, log
        return model


def pservers(folder, optimizer, pairs):
    """From a checkpoint of so many pservers to so many."""
    job = Run(folder / optimizer,
              GRAPH.replace("OPTIMIZER", f"#ps.{optimizer}<{RATE}>"), 10)
    quiet = {count: job.save_midway(f"quiet-{count}", count, 2)
             for count in sorted(set(itertools.chain(*pairs)))}
    expected, cut = map(canonical, quiet[1])
    assert expected["slots"] and expected["tables"].keys() == {"emb", "new"}
    assert cut != expected
    for model, checkpoint in quiet.values():
        assert_same(canonical(model), expected, str(model))
        assert_same(canonical(checkpoint), cut, str(checkpoint))
    for before, after in pairs:
        model = job.go_on(f"{before}-{after}", after, 2, quiet[before][1])
        assert_same(canonical(model), expected, f"{before} to {after}")
        shutil.rmtree(model)
        print(f"{optimizer}: {before} to {after} pservers: the same bits",
              flush=True)


def trainers_exactly(folder, pairs):
    """No sample is left out or counted twice."""
    job = Run(folder / "count", COUNT, 8)
    quiet = {count: job.save_midway(f"quiet-{count}", 2, count)
             for count in sorted(set(itertools.chain(*pairs)))}
    expected = canonical(quiet[1][0])
    assert read_model(quiet[1][0])["w"] == ([5, 3], [float(STEPS)] * 15)
    for before, after in pairs:
        model = job.go_on(f"{before}-{after}", 2, after, quiet[before][1])
        assert_same(canonical(model), expected, f"{before} to {after}")
        print(f"{before} to {after} trainers: the same counts", flush=True)
    job.samples = 12
    printed = job.go_on("other", 2, 2, quiet[2][1], code=1)
    assert "expected the data that the run began with, but its batch was '8' " \
        "and is '12'" in printed, printed
    job.samples = 8
    printed = job.go_on("uneven", 2, 3, quiet[2][1], code=1)
    assert "--global-batch-size=8: expected a multiple of 3, for 3 trainers " \
        "that share the samples of a step equally" in printed, printed


def trainers_nearly(folder, pairs):
    """The same samples in the same order; means of others are rounded."""
    job = Run(folder / "mean", GRAPH.replace("OPTIMIZER", f"#ps.adam<{RATE}>"),
              12)
    expected, _ = job.save_midway("quiet", 2, 1)
    rows = read_rows(expected)
    saved = {count: job.save_midway(f"quiet-{count}", 2, count)[1]
             for count in sorted({before for before, _ in pairs})}
    for before, after in pairs:
        model = job.go_on(f"{before}-{after}", 2, after, saved[before])
        run("ps-run", "compare", expected, model, "--tolerance=1e-4")
        compare_rows(read_rows(model), rows, 1e-4)
        print(f"{before} to {after} trainers: the same up to rounding",
              flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)

    def pairs(few, numbers):
        if not options.most:
            return few
        return list(itertools.product(numbers, repeat=2))
    shapes = range(1, (options.most or 0) + 1)
    for optimizer in ("adagrad", "adam") if options.most else ("adagrad",):
        pservers(options.folder, optimizer,
                 pairs([(1, 3), (3, 2), (2, 1)], shapes))
    trainers_exactly(options.folder, pairs([(1, 2), (2, 1)], (1, 2, 4)))
    trainers_nearly(options.folder, pairs([(1, 3)], (1, 2, 3, 4, 6)))


main()
