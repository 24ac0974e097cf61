# SPDX-License-Identifier: Apache-2.0
"""A job in which a process is killed at the moments that a kill from outside
hardly ever meets saves the bytes of one that was not disturbed, and has the
metrics of each step. With --recovery=log a pserver is started again alone.

usage: crash-points.py FOLDER [--all]

Each point is met at some passes, or at all of them, which takes minutes.
"""
# REQUIRES: crash-points
# RUN: %python %s %t

import argparse
import os
import pathlib
import shutil
import signal

from canonical import assert_same_files
from job import INPUTS, read_metrics, wait_until
from launched import Launched
from row_model import make_samples, write_samples

# Three checkpoints and the end of the run. A checkpoint renames two files of
# each pserver and one of trainer 0, and has two barriers.
STEPS, EVERY = 35, 10
CHUNKS = 2 * 200000  # of f32; a chunk has 512 KiB
POINTS = {  # the passes that are met by default, and how many there are
    "save.staged": ((1,), 4),     # trainer 0: all files are written
    "save.rows": ((1, 3), 3),     # a pserver: some of its rows are written
    "save.flushed": ((2,), 4),    # trainer 0: all are durable; steps go on
    "save.sealed": ((2,), 4),     # trainer 0: all files have their id
    "save.renamed": ((1, 4), 8),  # a pserver: its first file, or both
    "save.unlisted": ((2, 4), 4),  # trainer 0: all files but training.json
    "save.listed": ((4,), 4),     # trainer 0: all files
    "barrier.reply": ((2,), 12),  # a pserver: before or after a checkpoint
    "push.merged": ((1, 70), 40),  # a pserver: some chunks of a step are there
    "update.applied": ((38,), 40),  # a pserver: updated, and not answered
}
# Of a pserver with a log, which is started again alone.
LOG_POINTS = {
    "save.rows": ((2,), 3),
    "save.renamed": ((1, 4), 8),
    "barrier.reply": ((2, 5), 12),
    "push.merged": ((1, 70), 40),
    "update.applied": ((38,), 40),
    "log.appended": ((1, 200), 40),  # logged, and not taken
    "log.segment": ((1, 3), 3),    # a checkpoint: the old log is there, too
    "log.replay": ((1, 4), 4),     # while it goes on from the log
}


def with_chunks(text):
    """The graph with a variable of which each pserver has two chunks."""
    text = text.replace("  ps.table", f"""\
  ps.variable @chunks : tensor<{CHUNKS}xf32> init(#ps.constant<0.5>)
  ps.table""").replace("    %loss =", f"""\
    %chunks = ps.read @chunks : tensor<{CHUNKS}xf32>
    %squares = stablehlo.multiply %chunks, %chunks : tensor<{CHUNKS}xf32>
    %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{CHUNKS}xf32>, tensor<f32>) -> tensor<f32>
    %both = stablehlo.add %total, %sum : tensor<f32>
    %loss =""").replace("divide %total", "divide %both")
    assert text.count("%both") == 2 and text.count("@chunks") == 2, text
    return text


class Crashes:
    def __init__(self, folder, mode="sync", trainers=2):
        self.folder, self.trainers = folder, trainers
        folder.mkdir(parents=True)
        data = write_samples(folder / "samples.txt", make_samples(96))
        graph = folder / "graph.mlir"
        graph.write_text(with_chunks((INPUTS / "mixed.mlir").read_text()))
        self.command = [graph, f"--data={data}",
                        "--pservers=2", f"--trainers={trainers}",
                        "--batch-size=4", f"--steps={STEPS}", "--threads=1",
                        "--deterministic",
                        f"--transpile=mode={mode} min-block-size=3"]
        self.quiet = folder / "quiet-model"
        Launched("quiet", folder, *self.command,
                 f"--save={self.quiet}").ends_well()

    def start(self, name, point, number, *flags, before=()):
        """The job, which crashes `before` that too, and the file that is there
        once it has crashed."""
        crashed = self.folder / f"{name}-crashed"
        moments = [f"{point}:{number}:{crashed}"]
        moments += [f"{moment}:{crashed}-before" for moment in before]
        env = {**os.environ, "PS_CRASH_AT": ",".join(moments)}
        return crashed, Launched(
            name, self.folder, *self.command, f"--save={self.folder}/{name}",
            f"--metrics={self.metrics(name)}",
            f"--checkpoint={self.folder}/{name}-checkpoints",
            f"--checkpoint-every={EVERY}", "--max-restarts=2", *flags, env=env)

    def metrics(self, name):
        return self.folder / f"{name}.jsonl"

    def check(self, name):
        """The model, and that each step is measured once."""
        assert_same_files(self.folder / name, self.quiet)
        for path in (self.metrics(name),
                     f"{self.metrics(name)}.trainer-1")[:self.trainers]:
            steps = [record["step"] for record in read_metrics(path)
                     if record["phase"] == "train"]
            assert steps == list(range(STEPS)), (path, steps)

    def crash(self, point, number):
        name = f"{point}-{number}"
        crashed, job = self.start(name, point, number)
        self.ends_well(name, crashed, job)

    def crash_with_log(self, point, number):
        name = f"log-{point}-{number}"
        # What goes on from a log has crashed before, while its log had records
        # since a checkpoint.
        before = ("log.appended:100",) if point == "log.replay" else ()
        crashed, job = self.start(name, point, number, "--recovery=log",
                                  before=before)
        self.ends_well(name, crashed, job, 1 + len(before))
        for line in job.restarts():
            assert line.endswith(" alone"), line

    def ends_well(self, name, crashed, job, restarts=1):
        job.ends_well()
        assert crashed.exists(), f"{name}: nothing was killed"
        lines = job.restarts()
        assert len(lines) == restarts, lines
        for line in lines:
            assert "was killed by signal 9" in line, line
            print(f"{name}: {line.partition('; ')[2]}", flush=True)
        self.check(name)

    def crash_of_launch(self):
        """Between two attempts: nothing of the job is left, and the same command
        goes on."""
        crashed, job = self.start("launch", "launch.restart", 1)
        wait_until(lambda: job.kill("pserver1"), "pserver 1")
        assert job.ends_with_all() == -signal.SIGKILL, job.text()
        assert crashed.exists()
        _, job = self.start("launch", "launch.restart", 1, "--resume")
        job.ends_well()
        self.check("launch")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    crashes = Crashes(options.folder)
    for point, (some, most) in POINTS.items():
        for number in range(1, most + 1) if options.all else some:
            crashes.crash(point, number)
    for point, (some, most) in LOG_POINTS.items():
        for number in range(1, most + 1) if options.all else some:
            crashes.crash_with_log(point, number)
    crashes.crash_of_launch()
    # There a push of several messages is used where these are.
    alone = Crashes(options.folder / "async", mode="async", trainers=1)
    for number in range(1, 20) if options.all else (3, 30):
        alone.crash_with_log("push.merged", number)


main()
