"""Ctrl-C: exit code 130 after the running step, with the variables saved;
launch ends its processes, and they end with it, whatever happens to it."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys
import time

from job import DATA, GRAPH, Process, read_metrics, run, wait_until
from launched import is_alive

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
ENDLESS = (DATA, "--batch-size=6", "--steps=1000000000", "--threads=1",
           "--deterministic", "--log-every=100")


def children(pid):
    return [int(p) for p in pathlib.Path(
        f"/proc/{pid}/task/{pid}/children").read_text().split()]


def launch(name):
    process = Process(name, FOLDER, "launch", GRAPH, "--pservers=2",
                      "--trainers=2", f"--log-dir={FOLDER}/{name}-log",
                      f"--save={FOLDER}/{name}",
                      f"--metrics={FOLDER}/{name}-metrics", *ENDLESS)
    process.wait_for("steps/s")
    started = children(process.process.pid)
    assert len(started) == 4, started
    return process, started


def count_steps(name):
    steps = len(read_metrics(FOLDER / f"{name}-metrics"))
    assert steps >= 100, steps
    text = (FOLDER / f"{name}.log").read_text()
    assert f"stopped after {steps} of 1000000000 steps" in text, text
    return steps


def local():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = Process("local", FOLDER, GRAPH, f"--save={FOLDER}/local",
                          f"--metrics={FOLDER}/local-metrics", *ENDLESS)
        process.wait_for("steps/s")
        process.signal(number)
        assert process.end(10) == 130, process.text()
        assert "error" not in process.text(), process.text()
        # What was saved is what as many steps leave.
        run("ps-run", GRAPH, DATA, "--batch-size=6", "--deterministic",
            "--threads=1", f"--steps={count_steps('local')}",
            f"--save={FOLDER}/again")
        run("ps-run", "compare", FOLDER / "local", FOLDER / "again")


def interrupted_launch():
    process, started = launch("launch")
    process.signal(signal.SIGINT)
    assert process.end(20) == 130, process.text()
    assert not any(map(is_alive, started))
    assert "error" not in process.text(), process.text()
    # The trainers stop before the same step.
    run("ps-run", "launch", GRAPH, "--pservers=2", "--trainers=2", DATA,
        "--batch-size=6", "--threads=1", "--deterministic",
        f"--steps={count_steps('launch')}", f"--save={FOLDER}/launched-again",
        f"--log-dir={FOLDER}/again-log")
    run("ps-run", "compare", FOLDER / "launch", FOLDER / "launched-again")


def waiting_trainer():
    """Nothing to save yet, and nobody to wait for."""
    program = FOLDER / "dist.mlir"
    run("ps-opt", GRAPH, "-o", program,
        "--ps-transpile=pservers=127.0.0.1:1 trainers=1")
    process = Process("waiting", FOLDER, program, "--role=trainer",
                      "--trainer-id=0", *ENDLESS)
    process.wait_for("server not ready")
    process.signal(signal.SIGINT)
    assert process.end(10) == 130, process.text()


def killed_launch():
    process, started = launch("killed")
    process.signal(signal.SIGKILL)
    process.end()
    wait_until(lambda: not any(map(is_alive, started)), "its processes end", 10)


def ended_input():
    """As Ctrl-C, for a program that started a run and died; also where both get
    a signal, in any order."""
    for name, first in (("input", ""), ("signal-input", "signal"),
                        ("input-signal", "input")):
        read_end, write_end = os.pipe()
        process = Process(name, FOLDER, "launch", GRAPH, "--pservers=1",
                          "--trainers=1", f"--log-dir={FOLDER}/{name}-log",
                          f"--save={FOLDER}/{name}",
                          f"--metrics={FOLDER}/{name}-metrics", *ENDLESS,
                          env={**os.environ, "PS_STOP_WITH_STDIN": "1"},
                          stdin=read_end)
        os.close(read_end)
        process.wait_for("steps/s")
        if first == "signal":
            process.signal(signal.SIGTERM)
        os.close(write_end)
        if first == "input":
            process.signal(signal.SIGTERM)
        assert process.end() == 130, process.text()
        count_steps(name)
        assert (FOLDER / name / "model.safetensors").exists()


def ignored_signal():
    """A parent may have launch ignore SIGCHLD."""
    run("env", "--ignore-signal=CHLD", "ps-run", "launch", GRAPH, DATA,
        "--batch-size=6", "--steps=5", f"--log-dir={FOLDER}/ignored-log")


def killed_child():
    process, started = launch("child")
    os.kill(started[1], signal.SIGKILL)
    began = time.monotonic()
    assert process.end(20) == 1, process.text()
    print(f"launch ended {time.monotonic() - began:.1f} s after a pserver")
    assert re.search(r"pserver 1 was killed by signal 9 \(Killed\) "
                     r"\(see .*serverlog\.1\)", process.error())
    assert not any(map(is_alive, started))


local()
interrupted_launch()
waiting_trainer()
killed_launch()
ended_input()
ignored_signal()
killed_child()
