"""Ctrl-C before there is a result, and while others are waited for: it ends
the process soon, and what an earlier run saved stays as it is."""
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import sys
import time

from job import (DATA, GRAPH, INPUTS, Job, Process, read_metrics, run,
                 wait_until)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
SAVED = FOLDER / "saved"
run("ps-run", GRAPH, DATA, f"--save={SAVED}")
MODEL = (SAVED / "model.safetensors").read_bytes()


def listens(process):
    """Whether the process has taken over Ctrl-C, so that it is not just
    killed by it."""
    status = pathlib.Path(f"/proc/{process.process.pid}/status").read_text()
    return int(re.search(r"SigBlk:\s*(\w+)", status)[1], 16) & 2


def is_quiet(process):
    """Whether it writes nothing for a while, though it logs every step."""
    size = process.log.stat().st_size
    time.sleep(0.5)
    return process.log.stat().st_size == size


def model_is_kept(saved=SAVED):
    assert (saved / "model.safetensors").read_bytes() == MODEL


def while_loading():
    process = Process("loading", FOLDER, GRAPH, f"--save={SAVED}", DATA,
                      "--steps=1000000000")
    wait_until(lambda: listens(process), "it can be interrupted")
    process.signal(signal.SIGINT)
    assert process.end(10) == 130, process.text()
    if "stopped after 0" in process.text():
        assert "nothing saved" in process.text(), process.text()
    if not re.search(r"stopped after [1-9]", process.text()):
        model_is_kept()


def while_evaluating():
    """Initial values are saved with --eval-data alone, unless it is stopped.
    On a busy machine the evaluation may end before the signal comes: then a
    longer one is interrupted."""
    for copies in 3000, 12000, 48000:
        (FOLDER / "many.csv").write_text(
            (INPUTS / "linear.csv").read_text() * copies)
        saved = FOLDER / f"evaluated-{copies}"
        shutil.copytree(SAVED, saved)
        process = Process(f"evaluating-{copies}", FOLDER, GRAPH,
                          "--batch-size=1", "--print-memory-plan",
                          f"--eval-data=csv:{FOLDER}/many.csv",
                          f"--save={saved}")
        process.wait_for("activations:")
        process.signal(signal.SIGINT)
        if process.end(10) != 0:
            break
    (FOLDER / "many.csv").unlink()
    assert process.end() == 130, process.text()
    assert "eval  loss" not in process.text(), process.text()
    model_is_kept(saved)


def while_waiting_for_another_trainer():
    with Job(FOLDER / "barrier", 2, 2) as job:
        traces = [FOLDER / f"barrier-{i}.json" for i in range(3)]
        for i in (0, 1):
            job.pserver(i, f"--trace={traces[i]}")
        trainer = job.trainer(0, "--batch-size=6", f"--save={SAVED}",
                              f"--trace={traces[2]}")
        trainer.wait_for("Communicator start")
        trainer.signal(signal.SIGINT)
        assert trainer.end(10) == 130, trainer.text()
        assert "nothing saved" in trainer.text(), trainer.text()
        for pserver in job.processes[:2]:
            assert pserver.end(10) == 1, pserver.text()
            assert "interrupted" in pserver.error(), pserver.text()
        for trace in traces:
            json.load(open(trace))
    model_is_kept()


def while_a_pserver_hangs():
    with Job(FOLDER / "hanging", 1, 1) as job:
        pserver = job.pserver(0)
        trainer = job.trainer(0, f"--save={SAVED}", "--steps=1000000000",
                              "--log-every=1")
        trainer.wait_for("steps/s")
        pserver.signal(signal.SIGSTOP)
        # Between two steps it would go on to save, and wait for an answer.
        wait_until(lambda: is_quiet(trainer), "the trainer is within a step")
        trainer.signal(signal.SIGINT)
        assert trainer.end(20) == 130, trainer.text()
        pserver.signal(signal.SIGCONT)


def while_another_trainer_hangs():
    metrics = FOLDER / "behind-metrics"
    with Job(FOLDER / "behind", 1, 2) as job:
        job.pserver(0)
        flags = "--batch-size=6", "--steps=1000000000", "--log-every=1"
        trainer = job.trainer(0, *flags, f"--metrics={metrics}")
        other = job.trainer(1, *flags)
        trainer.wait_for("steps/s")
        other.signal(signal.SIGSTOP)
        wait_until(lambda: is_quiet(trainer), "the trainer is within a step")
        trainer.signal(signal.SIGINT)
        assert trainer.end(20) == 130, trainer.text()
        assert "stopped within a step" in trainer.text(), trainer.text()
        other.signal(signal.SIGCONT)
    # What the step took does not count as the end of the run.
    last = read_metrics(metrics, with_end=True)[-1]
    causes = {name: seconds for name, seconds in last.items()
              if name.startswith("time.")}
    total = causes.pop("time.total")
    assert last["phase"] == "end" and sum(causes.values()) <= total + 1e-5, last
    assert causes["time.end"] < 0.5 * total, last


def a_pserver():
    with Job(FOLDER / "pserver", 1, 1) as job:
        trace = FOLDER / "pserver.json"
        pserver = job.pserver(0, f"--trace={trace}")
        pserver.wait_for("Server listening")
        pserver.signal(signal.SIGINT)
        assert pserver.end(10) == 130, pserver.text()
        json.load(open(trace))


def launch():
    """Before its processes are ready."""
    process = Process("launch", FOLDER, "launch", GRAPH, DATA,
                      "--trainers=2", "--batch-size=6",
                      f"--log-dir={FOLDER}/log", f"--save={SAVED}",
                      "--steps=1000000000")
    wait_until((FOLDER / "log" / "latest" / "workerlog.1").exists, "trainers start")
    process.signal(signal.SIGINT)
    assert process.end(20) == 130, process.text()
    assert "error" not in process.text(), process.text()


while_loading()
while_evaluating()
while_waiting_for_another_trainer()
while_a_pserver_hangs()
while_another_trainer_hangs()
a_pserver()
launch()
