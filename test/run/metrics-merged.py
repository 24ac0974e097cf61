"""Metrics of a job are, at the end of an epoch, those of all its trainers: two
trainers measure together what one process with twice the batch does."""
# RUN: %python %s %t

import pathlib
import re
import sys

from job import INPUTS, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
GRAPH = INPUTS.parent / "metric.mlir"
SAMPLES = INPUTS.parents[2] / "examples/fit_a_line/samples.csv"
FLAGS = (f"--data=csv:{SAMPLES}", f"--eval-data=csv:{SAMPLES}", "--epochs=2")
NAMES = ("auc", "accuracy", "mean_score")
BATCH, STEPS = 20, 5  # of a trainer, and of an epoch of 200 samples


def of_phase(path, phase):
    return [r for r in read_metrics(path) if r["phase"] == phase]


def check(path, expected):
    """The lines of two epochs, in their place, with the numbers expected."""
    records = read_metrics(path)
    merged = of_phase(path, "epoch")
    assert [(r["epoch"], r["step"]) for r in merged] == [
        (0, STEPS - 1), (1, 2 * STEPS - 1)], merged
    phases = ["train"] * STEPS + ["epoch", "eval"]
    assert [r["phase"] for r in records] == 2 * phases, records
    for found, line in zip(merged, expected):
        assert (found["role"], found["id"]) == ("trainer", 0), found
        assert found["examples_per_second"] > 0, found
        for name in NAMES:
            assert abs(found[name] - line[name]) <= 1e-6, (name, found, line)
    # What a trainer has measured by itself is something else.
    own = of_phase(path, "train")[STEPS - 1]
    assert own["mean_score"] != merged[0]["mean_score"], own


# The loss is a sum: of twice the samples it is to count half.
half = FOLDER / "half.mlir"
half.write_text(GRAPH.read_text().replace("<0.001>", "<0.0005>"))
run("ps-run", half, *FLAGS, f"--batch-size={2 * BATCH}",
    f"--metrics={FOLDER}/one")
one = of_phase(FOLDER / "one", "train")
expected = [one[STEPS - 1], one[2 * STEPS - 1]]
assert not of_phase(FOLDER / "one", "epoch")

dist = FOLDER / "dist.mlir"
run("ps-opt", "--ps-transpile=trainers=2 pservers=a:1,b:1", GRAPH, "-o", dist)
out, _ = run("ps-run", dist, "--role=all", *FLAGS, f"--batch-size={BATCH}",
             f"--metrics={FOLDER}/all")
check(FOLDER / "all", expected)
assert len(re.findall(r"^epoch \d  train  auc 0\.\d+  accuracy", out,
                      re.MULTILINE)) == 2, out
assert not of_phase(FOLDER / "all.trainer-1", "epoch")

run("ps-run", "launch", "--trainers=2", "--pservers=2",
    f"--log-dir={FOLDER}/log", GRAPH, *FLAGS, f"--batch-size={BATCH}",
    f"--metrics={FOLDER}/launch")
check(FOLDER / "launch", expected)

# More bins than a message holds are refused before training.
large = FOLDER / "large.mlir"
large.write_text(GRAPH.read_text().replace(
    '"auc", %p, %y)', '"auc", %p, %y) {bins = 65537 : i64}'))
run("ps-opt", "--ps-transpile=trainers=2 pservers=a:1,b:1", large, "-o", dist)
_, err = run("ps-run", dist, "--role=all", *FLAGS, "--batch-size=20", code=1)
assert ("metric 'auc' of @train: trainers merge at most 65536 bins, "
        "found 65537") in err, err
