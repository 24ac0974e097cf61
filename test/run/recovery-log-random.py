# SPDX-License-Identifier: Apache-2.0
"""With --recovery=log a pserver that is killed goes on from its log, while all
other processes live on and train no step again: a deterministic job that keeps
step saves the bytes of one that was not disturbed, and where trainers do not
keep step each sample counts once.

usage: recovery-log-random.py FOLDER [--jobs=N] [--seed=S] [--first=I]
"""
# RUN: %python %s %t --jobs=6

import collections
import time

from counter import Counter
from job import DATA, GRAPH, read_metrics
from launched import Launched
from random_jobs import begin, make_parser, run_jobs
from random_modes import MIXED, STEPS, Mode, count_all, draw_mode
from row_model import make_samples, write_samples

MOST_KILLS = 4
SHAPES = ["2x2", "3x2", "1x3"]


def disturb(mode, shape, folder, plan):
    """Runs the job and kills its pservers by plan; how many it recovered."""
    saved = folder / "model"
    process = Launched(
        "launch", folder, mode.graph, *mode.flags_of(shape), f"--save={saved}",
        "--recovery=log", f"--checkpoint={folder}/checkpoints",
        f"--checkpoint-every={plan.choice([40, 150, 5000])}",
        f"--metrics={folder}/metrics.jsonl", "--max-restarts=20")
    pservers = [f"pserver{index}" for index in range(shape.pservers)]
    before = {}
    for _ in range(plan.randint(1, MOST_KILLS)):
        time.sleep(plan.uniform(0.2, 1.0))
        before = before or process.children()
        for role in plan.sample(pservers, plan.randint(1, len(pservers))):
            process.kill(role)
    after = process.children()
    process.ends_well()
    mode.check_saved(saved, shape, folder.parent)
    alone = [line.endswith(" alone") for line in process.restarts()]
    if not all(alone):
        # Another pserver that had not listened yet was given its port; or where
        # bytes are not repeated, one was killed while the model was saved.
        logs = "".join(map(process.log_of, [*pservers, "trainer0"]))
        assert "the port is in use" in logs or (
            "expected checkpoint" in logs and
            "--deterministic" not in mode.flags), process.text()
        return sum(alone)
    for role in before.keys() & after.keys():
        assert role in pservers or before[role] == after[role], role
    steps = [line["step"] for line in read_metrics(folder / "metrics.jsonl")
             if line["phase"] == "train"]
    assert steps == list(range(steps[0], steps[0] + STEPS)), "trained again"
    return len(alone)


def make_modes(folder):
    counter = Counter(folder)
    samples = write_samples(folder / "mixed.txt", make_samples(96))
    counted = {"check": count_all(counter), "shapes": SHAPES}
    return [
        Mode("sync", MIXED, f"--data={samples}", "--deterministic",
             shapes=SHAPES),
        Mode("async", counter.graph, counter.data, "--transpile=mode=async",
             **counted),
        Mode("sync-dense", GRAPH, DATA, "--deterministic",
             "--transpile=min-block-size=4", shapes=SHAPES),
        Mode("half-async", counter.graph, counter.data,
             "--transpile=mode=half-async", **counted),
        Mode("async-queue", counter.graph, counter.data, "--send-queue=3",
             "--max-merge=2", "--transpile=mode=async", **counted),
        # Of one trainer each push has its place.
        Mode("async-alone", MIXED, f"--data={samples}", "--deterministic",
             "--transpile=mode=async", shapes=["2x1"]),
    ]


def main():
    options = begin(make_parser(jobs=100))
    modes = make_modes(options.folder)
    recovered = collections.Counter()

    def draw(index, plan):
        mode, shape = draw_mode(modes, options, index, plan)

        def train(folder):
            folder.mkdir()
            recovered[mode.name] += disturb(mode, shape, folder, plan)
        return f"{mode.name}-{shape.text}", train
    run_jobs(options, draw, lambda: f"recovered: {dict(recovered)}")
    assert recovered.total() or options.jobs < len(modes), recovered


main()
