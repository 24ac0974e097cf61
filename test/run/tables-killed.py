"""When a process of a job with tables is killed, or a table is full, every
other one ends with 1 and says who or what it was, the table and the step."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import sys

from job import Job
from row_model import graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
TIMEOUT = 8
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
data = f"--data={write_samples(FOLDER / 'samples.txt', make_samples(48))}"
module = FOLDER / "graph.mlir"
module.write_text(graph("adagrad"))
cached = FOLDER / "cached.mlir"
cached.write_text(graph("adagrad").replace(
    "init(#ps.constant<0.5>)",
    "init(#ps.constant<0.5>) {cache_rows = 30 : i64}"))
small = FOLDER / "small.mlir"
small.write_text(graph("sgd").replace("1000000x3", "20x3"))


def start(name, graph):
    job = Job(FOLDER / name, pservers=2, trainers=2, graph=graph)
    for index in (0, 1):
        job.pserver(index, f"--peer-timeout={TIMEOUT}")
        job.trainer(index, f"--peer-timeout={TIMEOUT}", "--steps=1000000",
                    "--batch-size=4", "--log-every=20", data=data)
    return job


def errors_of_others(job, gone=None):
    for process in job.processes:
        if process is gone:
            continue
        code = process.end(2 * TIMEOUT)
        assert code == 1, f"{process.name} ended with {code}:\n{process.text()}"
        print(f"{process.name}: {process.error()}")
        yield process.error()


for name, says, text in (("pserver1", None, module),
                         ("trainer1", "trainer 1", module),
                         ("pserver1", None, cached)):
    with start(f"{name}-{text.stem}", text) as job:
        job.processes[1].wait_for("steps/s")  # trainer 0 is in its steps
        victim = next(p for p in job.processes if p.name == name)
        victim.signal(signal.SIGKILL)
        for error in errors_of_others(job, victim):
            assert (says or job.endpoints[1]) in error, error
            assert "table 'emb'" in error, error
            assert re.search(r"step \d+", error), error

# One trainer asks for too many rows; all say so.
with start("full", small) as job:
    for error in errors_of_others(job):
        assert re.search(r"table '@?emb' is full", error), error
        assert "of at most 20" in error, error
        assert re.search(r"step [01]\b", error), error
