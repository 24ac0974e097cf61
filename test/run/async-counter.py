"""Nothing that a trainer sends is lost where trainers do not keep step: a model
that adds 1 for each sample to a variable, and to every row that the sample
names, ends at the exact sums; also when trainers are interrupted, or saved from
before the others have finished.

usage: async-counter.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import shutil
import signal
import sys

from counter import BATCH, Counter
from job import Job, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)


def train_to_end(mode, queue, trainers, **how):
    """All in one process, and as processes."""
    with Job(FOLDER / f"{mode}-{queue}-{trainers}".replace(" ", "-"), pservers=2,
             trainers=trainers, graph=counter.graph,
             options=f"mode={mode}") as job:
        flags = [f"--batch-size={BATCH}", "--steps=40", f"--send-queue={queue}"]
        saved = job.folder / "all"
        run("ps-run", job.program, "--role=all", counter.data, *flags,
            f"--save={saved}")
        counter.check(saved, [40] * trainers, **how)
        saved = job.folder / "processes"
        for index in (0, 1):
            job.pserver(index)
        for index in range(trainers):
            job.trainer(index, *flags, data=counter.data,
                        *([f"--save={saved}"] if index == 0 else []))
        job.ends_well()
        counter.check(saved, [40] * trainers, **how)


def stop(trainer):
    """The steps that it has taken."""
    trainer.signal(signal.SIGTERM)
    assert trainer.end() in (130, 143), trainer.text()
    return trainer.steps_taken()


def interrupt(name, mode, *more, **how):
    """A trainer that is interrupted leaves, and what it has learned counts."""
    with Job(FOLDER / f"interrupted-{name}", pservers=2, trainers=2,
             graph=counter.graph, options=f"mode={mode}") as job:
        flags = [f"--batch-size={BATCH}", "--steps=1000000000",
                 "--log-every=50", *more]
        saved = job.folder / "model"
        for index in (0, 1):
            job.pserver(index)
        first = job.trainer(0, *flags, f"--save={saved}", data=counter.data)
        other = job.trainer(1, *flags, data=counter.data)
        other.wait_for("Communicator start")
        other_steps = stop(other)
        first.goes_on()
        first_steps = stop(first)
        for pserver in job.processes[:2]:
            assert pserver.end() in (0, 130), pserver.text()
        counter.check(saved, [first_steps, other_steps], **how)


for mode, queue in (("async", 0), ("async", 1), ("async", 3), ("half-async", 0),
                    ("async staleness=0", 0), ("async staleness=1", 2)):
    for trainers in (1, 2, 3):
        train_to_end(mode, queue, trainers)
for queue, merge in ((0, 1), (3, 1), (5, 4)):
    interrupt(f"{queue}-{merge}", "async", f"--send-queue={queue}",
              f"--max-merge={merge}")

# Exchanges in the background, of which the last leaves no rest.
for steps in (1, 3, 7, 100):
    for trainers in (1, 2, 3):
        train_to_end(f"geo geo-steps={steps}", 0, trainers, tolerance=1e-3)
for steps in (1, 20):
    interrupt(f"geo-{steps}", f"geo geo-steps={steps}", tolerance=0.4)
