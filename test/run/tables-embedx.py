"""Columns of a table that come into being with the score of their row, and
gradients that are scaled by shows: against plain Python, in jobs, saved and
loaded."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import (INITIAL, WIDTH, Model, compare_rows, graph,
                       make_samples, read_rows, train_and_compare,
                       write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, STEPS, FIRST, THRESHOLD, PADDING = 8, 6, 1, 1.5, 0
samples = make_samples(BATCH * STEPS)
for i, sample in enumerate(samples):
    sample.label = int(i % 3 == 0)
data = write_samples(FOLDER / "samples.txt", samples)


def text(optimizer, options, day=1000):
    return graph(optimizer, padding=PADDING).replace(
        f"init(#ps.constant<{INITIAL}>)",
        f"init(#ps.constant<{INITIAL}>) {{accessor = #ps.ctr<click = \"label\""
        f"{options}>, evict_every = {day} : i64}}")


class ClickModel(Model):
    """With the accessor; `first` is WIDTH where no column is absent."""

    def __init__(self, optimizer, first, scaled):
        super().__init__(optimizer, padding=PADDING)
        self.first, self.scaled = first, scaled
        self.counts, self.created = {}, set()

    def row(self, id, create):
        if create and id not in self.rows:
            self.rows[id] = ([INITIAL] * self.first
                             + [0.0] * (WIDTH - self.first))
        return self.rows.get(id, [0.0] * WIDTH)

    def update(self, id, gradient, show, click):
        if self.scaled:
            gradient = [g / show for g in gradient]
        if id not in self.created:
            gradient = gradient[:self.first]
        super().update(id, gradient)
        counts = self.counts.setdefault(id, [0, 0])
        counts[:] = counts[0] + show, counts[1] + click
        score = 0.1 * (counts[0] - counts[1]) + counts[1]
        if id not in self.created and score >= THRESHOLD:
            self.rows[id][self.first:] = [INITIAL] * (WIDTH - self.first)
            self.created.add(id)

    def train(self, batch):
        self.shown = {}
        for s in batch:
            for id in s.ids + [id for id in s.bag if id != PADDING]:
                show, click = self.shown.get(id, (0, 0))
                self.shown[id] = show + 1, click + s.label
        return super().train(batch)

    def apply(self, gradients):
        for id, gradient in gradients.items():
            self.update(id, gradient, *self.shown[id])


def local_and_job(name, module, day_text):
    """What both have saved differs by rounding only."""
    module.write_text(day_text)
    run("ps-run", module, f"--data={data}", f"--batch-size={BATCH}",
        f"--steps={STEPS}", f"--save={FOLDER}/local")
    dist = FOLDER / "dist.mlir"
    run("ps-opt", module, "--ps-transpile=pservers=127.0.0.1:6174,"
        "127.0.0.1:6175 trainers=2", "-o", dist)
    run("ps-run", dist, "--role=all", f"--data={data}",
        f"--batch-size={BATCH // 2}", f"--steps={STEPS}",
        f"--save={FOLDER}/{name}")
    run("ps-run", "compare", FOLDER / "local", FOLDER / name,
        "--tolerance=1e-5")


lazy = f", embedx_from = {FIRST}, embedx_threshold = {THRESHOLD}"
scale = ", show_scale = true"
module = FOLDER / "job.mlir"
for optimizer in ("sgd", "adagrad", "momentum"):
    for options, first in ((lazy, FIRST), (scale, WIDTH),
                           (lazy + scale, FIRST)):
        model = ClickModel(optimizer, first, scale in options)
        train_and_compare(FOLDER, text(optimizer, options), data, model,
                          samples, batch=BATCH, steps=STEPS)
        # Some rows are whole, some are not, and the rest never were.
        if first == FIRST:
            absent = [id for id, row in model.rows.items() if not any(row[1:])]
            assert 0 < len(absent) < len(model.rows), model.rows
            shown = read_metrics(FOLDER / "metrics")[-1]
            assert shown["emb.embedx_created"] == len(model.created), shown
        local_and_job("job", module, text(optimizer, options))
# Rows that go, and come back without what they had.
local_and_job("days", module, text(
    "adam", lazy + scale + ", delete_threshold = 0.3, decay = 0.7", day=2))
# Over the network.
run("ps-run", "launch", f"--log-dir={FOLDER}/log", "--trainers=2",
    "--pservers=2", module, f"--data={data}", f"--batch-size={BATCH // 2}",
    f"--steps={STEPS}", f"--save={FOLDER}/launch")
run("ps-run", "compare", FOLDER / "local", FOLDER / "launch",
    "--tolerance=1e-5")

# Half a run and another half make a whole one.
module.write_text(text("adam", lazy + scale))
half = BATCH * STEPS // 2
rest = write_samples(FOLDER / "rest.txt", samples[half:])
for name, part, steps, flags in (
        ("whole", data, STEPS, []), ("half", data, STEPS // 2, []),
        ("halves", rest, STEPS // 2, [f"--load={FOLDER}/half"])):
    run("ps-run", module, f"--data={part}", f"--batch-size={BATCH}",
        f"--steps={steps}", f"--save={FOLDER}/{name}", *flags)
compare_rows(read_rows(FOLDER / "halves"), read_rows(FOLDER / "whole"))
