"""A command that prints samples and then nothing, for ever: a run that has its
steps, that fails, that is interrupted or that loses its pserver ends without
it, and so does the command."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import sys
import time

from job import GRAPH, Job, Process, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FORMS = ["4 1 2 3 4 1 5\n", "4 0 1 0 1 1 3\n"]
# Enough for 12 steps of one trainer.
(FOLDER / "samples.txt").write_text("".join(FORMS) * 400)
# Nobody else sleeps for this long.
SLEEP = f"{3600 + hash(str(FOLDER)) % 86400}.25"
DATA = f"--data=multislot:{FOLDER}/samples.txt"
FLAGS = ["--data-mode=stream", "--batch-size=64",
         f"--pipe-command=cat; sleep {SLEEP}"]


def sleepers():
    return [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
            if is_sleeper(path)]


def is_sleeper(path):
    try:
        return path.read_bytes() == f"sleep\0{SLEEP}\0".encode()
    except OSError:
        return False


def no_command_is_left():
    wait_until(lambda: not sleepers(), "the command has ended")


def finished():
    out, _ = run("ps-run", GRAPH, DATA, *FLAGS, "--steps=7")
    assert "step 7/7" in out, out
    no_command_is_left()


def failed():
    _, error = run("ps-run", GRAPH, DATA, *FLAGS, "--steps=7",
                   "--metrics=/dev/full", code=1)
    assert "/dev/full" in error, error
    no_command_is_left()


def interrupted():
    saved = FOLDER / "saved"
    process = Process("interrupted", FOLDER, GRAPH, DATA, *FLAGS,
                      "--log-every=1", f"--save={saved}")
    process.wait_for("step 8 ")
    process.signal(signal.SIGINT)
    assert process.end(20) == 130, process.text()
    assert "stopped after" in process.text(), process.text()
    assert (saved / "model.safetensors").exists()
    no_command_is_left()


def interrupted_job():
    with Job(FOLDER / "job", 1, 2) as job:
        job.pserver(0)
        trainers = [job.trainer(i, *FLAGS, "--log-every=1", data=DATA)
                    for i in range(2)]
        trainers[0].wait_for("step 4 ")
        for trainer in trainers:
            trainer.signal(signal.SIGINT)
        for process in trainers:
            assert process.end(20) == 130, process.text()
        assert job.processes[0].end(20) == 130, job.processes[0].text()
    no_command_is_left()


def orphaned():
    timeout = 8
    with Job(FOLDER / "orphaned", 1, 1) as job:
        server = job.pserver(0, f"--peer-timeout={timeout}")
        trainer = job.trainer(0, *FLAGS, "--log-every=1",
                              f"--peer-timeout={timeout}", data=DATA)
        # Whether the next step is the last one is not known.
        trainer.wait_for("step 11 ")
        server.signal(signal.SIGKILL)
        began = time.monotonic()
        assert trainer.end(2 * timeout) == 1, trainer.text()
        assert time.monotonic() - began < timeout
        assert re.match("waiting for the data of step 11: pserver "
                        f"{job.endpoints[0]} ", trainer.error())
    no_command_is_left()


finished()
failed()
interrupted()
interrupted_job()
orphaned()
