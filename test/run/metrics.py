"""--metrics: one JSON object per step and evaluation, in one process and, for
each process of a job, in a file of its own."""
# RUN: %python %s %t

import pathlib
import sys

from job import DATA, GRAPH, INPUTS, Job, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
FLAGS = (DATA, f"--eval-data=csv:{INPUTS}/linear.csv", "--batch-size=7",
         f"--metrics={FOLDER}/m")


def check(path, role, number, steps, per_epoch, evals):
    records = read_metrics(path)
    for record in records:
        assert record["role"] == role and record["id"] == number, record
        assert record["examples_per_second"] > 0, record
        assert record["epoch"] == record["step"] // per_epoch, record
        assert isinstance(record["loss"], float), record
    train = [r["step"] for r in records if r["phase"] == "train"]
    assert train == list(range(steps)), train
    assert [r["step"] for r in records if r["phase"] == "eval"] == evals
    assert len(records) == steps + len(evals)
    return records


# 120 samples make 17 steps of 7, or 8 of two trainers.
run("ps-run", GRAPH, *FLAGS, "--epochs=2")
records = check(FOLDER / "m", "local", 0, 34, 17, [16, 33])
assert records[-1]["loss"] < records[0]["loss"]

run("ps-run", GRAPH, *FLAGS, "--steps=20")
check(FOLDER / "m", "local", 0, 20, 17, [16, 19])

run("ps-run", "launch", "--pservers=2", "--trainers=2",
    f"--log-dir={FOLDER}/log", GRAPH, *FLAGS, "--epochs=2")
check(FOLDER / "m", "trainer", 0, 16, 8, [7, 15])
check(FOLDER / "m.trainer-1", "trainer", 1, 16, 8, [])
for i in (0, 1):
    record, = read_metrics(FOLDER / f"m.pserver-{i}")
    assert (record["role"], record["id"], record["phase"], record["step"]) == (
        "pserver", i, "serve", 15), record

# Only trainer 0 reads what it evaluates.
with Job(FOLDER / "job", 1, 2) as job:
    job.pserver(0)
    for i, samples in enumerate([f"{INPUTS}/linear.csv", "nothing"]):
        job.trainer(i, f"--eval-data=csv:{samples}", "--batch-size=7")
    for process in job.processes:
        process.ends_well()

# A number that JSON cannot express.
graph = FOLDER / "nan.mlir"
graph.write_text(GRAPH.read_text().replace("0.05", "1.0e30"))
run("ps-run", graph, *FLAGS, "--steps=3", "--nan=warn")
assert [r["loss"] for r in read_metrics(FOLDER / "m")][1:3] == [None, None]
