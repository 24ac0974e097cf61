# SPDX-License-Identifier: Apache-2.0
"""Any process of a job may be killed at any moment, launch included: a job that
keeps step saves the bytes of one that was not disturbed, and where trainers do
not keep step no sample is lost or counted twice.

usage: restarts-random.py FOLDER [--jobs=N] [--seed=S] [--first=I]

Jobs I, I + 1, .. of a seed, N in all: each has a mode, and a plan of whom to
kill, and when.
"""
# RUN: %python %s %t --jobs=6

import argparse
import collections
import pathlib
import random
import shutil
import signal
import time

from counter import BATCH, Counter
from job import DATA, GRAPH, run
from launched import Launched
from row_model import make_samples, write_samples

ROLES = ["pserver0", "pserver1", "trainer0", "trainer1", "launch"]
MOST_KILLS = 5
STEPS = 1500

# A variable and a table, with optimizers that have slots.
MIXED = """
module @mixed {
  ps.variable @w : tensor<2x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.table @emb : tensor<1000000x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<2x3xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %d = stablehlo.dot_general %e, %w, contracting_dims = [1, 2] x [0, 1] : (tensor<?x2x3xf32>, tensor<2x3xf32>) -> tensor<?xf32>
    %p = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<?xf32>) -> tensor<?x1xf32>
    %error = stablehlo.subtract %p, %label : tensor<?x1xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %label, dim = 0 : (tensor<?x1xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    ps.minimize %loss using(#ps.adam<learning_rate = 0.001>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


class Job:
    """One way of training, with what it has to save."""

    def __init__(self, name, graph, data, *flags, check=None):
        self.name, self.graph, self.check = name, graph, check
        self.flags = (data, f"--batch-size={BATCH}", f"--steps={STEPS}",
                      "--threads=1", "--pservers=2", "--trainers=2", *flags)

    def prepare(self, folder):
        """Its undisturbed run."""
        saved = folder / f"{self.name}-quiet"
        run("ps-run", "launch", self.graph, *self.flags, f"--save={saved}",
            f"--log-dir={folder}/log")
        if self.check:
            self.check(saved)
        else:
            expected = files_of(saved)
            self.check = lambda saved: compare(files_of(saved), expected)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def compare(found, expected):
    assert found.keys() == expected.keys(), (found.keys(), expected.keys())
    for name in found:
        assert found[name] == expected[name], f"{name} differs"


def kill(process, role):
    if role != "launch":
        return process.kill(role)
    process.signal(signal.SIGKILL)
    return process.ends_with_all() == -signal.SIGKILL


def disturb(job, folder, plan, kinds):
    """Runs the job, kills by plan; how many kills met a process."""
    saved = folder / "model"
    flags = [*job.flags, f"--save={saved}", f"--checkpoint={folder}/checkpoints",
             f"--checkpoint-every={plan.choice([20, 50, 130])}",
             f"--max-restarts={MOST_KILLS}"]
    kills = starts = killed = 0
    process = Launched("launch0", folder, job.graph, *flags)
    for _ in range(plan.randint(1, MOST_KILLS)):
        # A start takes as long as some hundreds of steps.
        time.sleep(plan.uniform(0, 1.2))
        role = plan.choice(ROLES)
        if not kill(process, role):
            continue
        kinds[role] += 1
        kills += role != "launch"
        if role == "launch":
            killed += len(process.restarts())
            starts += 1
            process = Launched(f"launch{starts}", folder, job.graph, *flags,
                               "--resume")
    process.ends_well()
    killed += len(process.restarts())
    for line in process.restarts():
        assert "was killed by signal 9" in line, process.text()
    assert killed <= kills, process.text()
    job.check(saved)
    return killed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    shutil.rmtree(options.folder, ignore_errors=True)
    counter = Counter(options.folder)
    mixed = options.folder / "mixed.mlir"
    mixed.write_text(MIXED)
    samples = write_samples(options.folder / "mixed.txt", make_samples(96))

    def counted(tolerance=0.0):
        return lambda saved: counter.check(saved, [STEPS] * 2, tolerance)
    jobs = [
        Job("sync", mixed, f"--data={samples}", "--deterministic"),
        Job("async", counter.graph, counter.data, "--transpile=mode=async",
            check=counted()),
        Job("collective", GRAPH, DATA, "--pservers=0", "--deterministic"),
        Job("async-queue", counter.graph, counter.data, "--send-queue=3",
            "--max-merge=2", "--transpile=mode=async", check=counted()),
        Job("half-async", counter.graph, counter.data,
            "--transpile=mode=half-async", check=counted()),
        # Its sums are rounded; what is lost is a whole number or a half.
        Job("geo", counter.graph, counter.data,
            "--transpile=mode=geo geo-steps=7", check=counted(0.4)),
    ]
    for job in jobs:
        job.prepare(options.folder)
    failed, kinds, restarts = [], collections.Counter(), 0
    for index in range(options.first, options.first + options.jobs):
        job = jobs[index % len(jobs)]
        folder = options.folder / f"{index}-{job.name}"
        folder.mkdir()
        try:
            restarts += disturb(job, folder,
                                random.Random(f"{options.seed} {index}"), kinds)
            shutil.rmtree(folder)
        except AssertionError as error:
            failed.append(index)
            print(f"job {index} ({job.name}): {error}")
    print(f"{options.jobs - len(failed)} of {options.jobs} jobs ended well; "
          f"{restarts} restarts; killed: {dict(sorted(kinds.items()))}")
    assert not failed, failed
    # The kills of a few jobs may all come too late, not those of every job.
    assert restarts or options.jobs < len(jobs), kinds


main()
