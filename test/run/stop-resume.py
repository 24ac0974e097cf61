# SPDX-License-Identifier: Apache-2.0
"""A run with --checkpoint that is asked to stop, at any moment and by any of its
processes, goes on with --resume from the step where it stopped: in the end it
has the bytes of one that was not disturbed.

usage: stop-resume.py FOLDER [--jobs=N] [--seed=S] [--first=I]
"""
# RUN: %python %s %t --jobs=5

import os
import re
import signal
import time

from canonical import assert_same_files
from job import Job, Process, run
from launched import Launched
from random_jobs import begin, make_parser, run_jobs
from random_modes import STEPS, Shape, make_modes
from series import newest_checkpoint, steps_of

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def check_last(text, series):
    """Whether a run that was asked to stop has stopped within its steps; then
    --resume goes on from there."""
    stopped = re.search(rf"^stopped after (\d+) of {STEPS} steps", text, re.M)
    if not stopped or int(stopped[1]) == 0:
        return False
    assert newest_checkpoint(series), text
    assert steps_of(newest_checkpoint(series)) == int(stopped[1]), text
    assert "--resume goes back" not in text, text
    return True


def wait_for_steps(process, plan):
    process.wait_for("Communicator start")
    time.sleep(plan.uniform(0, 0.3))


def launched(mode, folder, plan, stops):
    """Ctrl-C of launch, or a signal to one of its processes."""
    shape, series = Shape("2x2"), folder / "checkpoints"
    flags = [*mode.flags_of(shape), f"--checkpoint={series}",
             "--checkpoint-every=100000", f"--save={folder}/model"]
    for attempt in range(4):
        job = Launched(f"launch{attempt}", folder, mode.graph, *flags,
                       *(["--resume"] if attempt else []))
        if attempt == 3:
            job.ends_well()
            break
        wait_for_steps(job, plan)
        role = plan.choice(["launch", *shape.roles(mode)])
        pid = job.children().get(role, job.process.pid)
        os.kill(pid, plan.choice(SIGNALS))
        assert job.ends_with_all() in (0, 130), job.text()
        assert "ps-run: error" not in job.text(), job.text()
        stops.append(check_last(job.text(), series))
    mode.check_saved(folder / "model", shape, folder.parent)


def by_hand(mode, folder, plan, stops):
    """Without a coordinator: one process is asked, and all exit with 130."""
    series = folder / "checkpoints"
    flags = [*mode.flags, f"--checkpoint={series}",
             "--checkpoint-every=100000", f"--save={folder}/model"]
    with Job(folder, 2, 2, graph=mode.graph) as job:
        for attempt in range(3):
            resume = ["--resume"] if attempt else []
            job.processes.clear()
            pservers = [job.pserver(i, *flags[1:], *resume) for i in (0, 1)]
            trainers = [job.trainer(i, *flags[1:], *resume, data=flags[0])
                        for i in (0, 1)]
            if attempt == 2:
                job.ends_well()
                break
            wait_for_steps(trainers[0], plan)
            asked = plan.choice(job.processes)
            asked.signal(plan.choice(SIGNALS))
            codes = [process.end() for process in job.processes]
            texts = "\n".join(process.text() for process in job.processes)
            assert "ps-run: error" not in texts, texts
            if check_last(trainers[0].text(), series):
                assert codes == [130] * 4, (codes, texts)
                stops.append(True)
    mode.check_saved(folder / "model", Shape("2x2"), folder.parent)


def local(mode, folder, plan, stops):
    series = folder / "checkpoints"
    flags = [mode.graph, *mode.flags]
    run("ps-run", *flags, f"--save={folder}/quiet")
    flags += [f"--checkpoint={series}", "--checkpoint-every=100000",
              f"--save={folder}/model"]
    for attempt in range(3):
        process = Process(f"local{attempt}", folder, *flags,
                          *(["--resume"] if attempt else []))
        if attempt == 2:
            process.ends_well()
            break
        process.wait_for("steps/s")
        time.sleep(plan.uniform(0, 0.1))
        process.signal(plan.choice(SIGNALS))
        assert process.end() in (0, 130), process.text()
        stops.append(check_last(process.text(), series))
    assert_same_files(folder / "model", folder / "quiet")


def main():
    options = begin(make_parser(jobs=24))
    modes = {mode.name: mode for mode in make_modes(options.folder)}
    kinds = [(launched, "sync"), (by_hand, "sync"), (local, "sync"),
             (launched, "collective"), (launched, "sync-dense")]
    stops = []

    def draw(index, plan):
        kind, name = kinds[index % len(kinds)]

        def train(folder):
            folder.mkdir()
            kind(modes[name], folder, plan, stops)
        return f"{kind.__name__}-{name}", train
    run_jobs(options, draw, lambda: f"{sum(stops)} stops")
    assert sum(stops) > 0, "all stops came too late"


if __name__ == "__main__":
    main()
