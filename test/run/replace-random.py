# SPDX-License-Identifier: Apache-2.0
"""Any trainer but trainer 0 may be killed at any moment, any number of times: the
others go on. Where trainers do not keep step, others take their places, and no
sample is lost or counted twice; in mode sync the rest is trained without them.

usage: replace-random.py FOLDER [--jobs=N] [--seed=S] [--first=I]

Jobs I, I + 1, .. of a seed, N in all: each has a mode, and a plan of whom to
kill, and when.
"""
# RUN: %python %s %t --jobs=5

import collections
import statistics
import time

from counter import BATCH, Counter
from job import read_model
from launched import Launched
from random_jobs import begin, make_parser, run_jobs
from row_model import IDS_PER_SAMPLE, read_rows

TRAINERS, MOST_KILLS, STEPS = 3, 6, 1500
JOBS = {
    "async": ("mode=async",),
    "half-async": ("mode=half-async",),
    "workers": ("mode=half-async", "--workers=2"),
    "bounded": ("mode=async staleness=3",),
    "sync": ("mode=sync", "--on-trainer-loss=continue"),
}


def processes(job, index):
    """How many processes of a trainer have begun their steps."""
    try:
        return job.log_of(f"trainer{index}").count("Communicator start")
    except OSError:
        return 0


def start(name, counter, folder, plan):
    mode, *flags = JOBS[name]
    every = plan.choice(["50", "333", "0.5s", None])
    return Launched("launch", folder, counter.graph, counter.data,
                    f"--batch-size={BATCH}", f"--steps={STEPS}", "--threads=1",
                    "--pservers=2", f"--trainers={TRAINERS}",
                    f"--transpile={mode}", f"--save={folder}/model",
                    f"--checkpoint={folder}/checkpoints",
                    f"--checkpoint-every={every or 10**9}",
                    f"--max-restarts={MOST_KILLS}", *flags)


def lose(counter, folder, plan):
    """Kills one trainer or two; how many the others have gone on without, and
    how often all went back, as one had not begun to train."""
    job = start("sync", counter, folder, plan)
    lost = plan.randint(1, 2)
    for index in plan.sample((1, 2), lost):
        time.sleep(plan.uniform(0, 1))
        job.kill(f"trainer{index}")
    job.ends_well()
    _, values = read_model(folder / "model")["w"]
    # A mean over fewer trainers, whose samples all count 1, is the same.
    assert values == [BATCH * STEPS] * 15, values
    rows = read_rows(folder / "model").values()
    # A pserver that has the last gradient of a lost trainer counts it, the other
    # one may not: one of n trainers adds at most an n-th of a step to a mean.
    step = BATCH * IDS_PER_SAMPLE
    most = sum(step / n for n in range(TRAINERS, TRAINERS - lost, -1))
    for sums in zip(*rows):
        assert abs(sum(sums) - step * STEPS) < most + 0.1, sum(sums)
    return (job.text().count("; the others go on without it"),
            len(job.restarts()))


def disturb(name, counter, folder, plan, seconds):
    """Runs the job and kills trainers by plan; how many were replaced."""
    saved = folder / "model"
    _, *flags = JOBS[name]
    job = start(name, counter, folder, plan)
    kills = 0
    for _ in range(plan.randint(1, MOST_KILLS)):
        time.sleep(plan.uniform(0, 1))
        index = plan.randrange(1, TRAINERS)
        before, killed = processes(job, index), time.monotonic()
        if not job.kill(f"trainer{index}"):
            continue
        kills += 1
        if plan.random() < 0.3:
            continue  # The next one perhaps while it starts.
        while (processes(job, index) == before and
               job.process.poll() is None):
            time.sleep(0.01)
        if processes(job, index) > before > 0:
            seconds.append(time.monotonic() - killed)
    job.ends_well()
    restarts = job.restarts()
    assert len(restarts) <= kills, job.text()
    for line in restarts:
        assert "was killed by signal 9" in line, line
    # Before its first step a trainer takes all back.
    alone = [line for line in restarts if line.endswith(" alone")]
    batch_of = 2 if "--workers=2" in flags else 1
    counter.check(saved, [STEPS] * TRAINERS, workers=batch_of,
                  share=1 / batch_of)
    return len(alone), len(restarts) - len(alone)


def main():
    options = begin(make_parser(jobs=60))
    counter = Counter(options.folder)
    seconds, counts = [], collections.Counter()
    names = list(JOBS)

    def draw(index, plan):
        name = names[index % len(names)]

        def train(folder):
            folder.mkdir()
            if name == "sync":
                lost, others = lose(counter, folder, plan)
                counts.update(lost=lost, whole=others)
                return
            alone, others = disturb(name, counter, folder, plan, seconds)
            counts.update(alone=alone, whole=others)
        return name, train
    run_jobs(options, draw,
             lambda: f"{counts['alone']} trainers replaced, "
                     f"{counts['lost']} lost for good, "
                     f"{counts['whole']} restarts of the whole job")
    if seconds:
        print(f"from a kill to the first step: median "
              f"{statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s")
    # Kills come within the first second, most of them before the end.
    assert counts["alone"] or options.jobs < len(JOBS), counts


main()
