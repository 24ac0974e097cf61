# SPDX-License-Identifier: Apache-2.0
"""launch --max-restarts: a job whose process is killed, stopped or fails goes
on from its last checkpoint; what would only fail again ends it, with the first
cause; Ctrl-C and the end of launch end all.

usage: restarts.py FOLDER
"""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys
import time

from job import DATA, GRAPH, refused_usage, run, wait_until
from launched import Launched, is_alive
from series import assert_saved_alike, newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FLAGS = ("--pservers=2", "--trainers=2", DATA, "--batch-size=6", "--threads=1",
         "--deterministic", "--log-every=1")


def start(name, *flags, graph=GRAPH, env=None):
    """A job that has begun its steps."""
    job = Launched(name, FOLDER, graph, *FLAGS, "--steps=1000000000",
                   f"--checkpoint={FOLDER}/{name}-checkpoints", *flags,
                   env=env)
    job.wait_for("steps/s")
    return job


def seconds_to_first_step(job, role):
    """From the moment a process is killed to the next job's first step."""
    restarts = len(job.restarts())
    began = time.monotonic()
    assert job.kill(role)
    job.wait_for_restart(restarts + 1)
    noticed = time.monotonic()
    attempt = f"--- attempt {restarts + 2}, "
    wait_until(lambda: "steps/s" in job.log_of("trainer0").partition(attempt)[2],
               "the job goes on")
    print(f"{role}: noticed after {noticed - began:.2f} s, first step after "
          f"{time.monotonic() - began:.2f} s")


def goes_on():
    """Each role in turn; the last checkpoint is what an undisturbed job of as
    many steps saves."""
    checkpoints = FOLDER / "goes-on-checkpoints"
    job = start("goes-on", "--max-restarts=1", "--checkpoint-every=100",
                f"--save={FOLDER}/model")

    def await_checkpoint():
        before = newest_checkpoint(checkpoints)
        wait_until(lambda: newest_checkpoint(checkpoints) != before,
                   "a checkpoint")

    for role in "pserver1", "trainer0", "pserver0", "trainer1":
        await_checkpoint()
        seconds_to_first_step(job, role)
        name = f"{role[:-1]} {role[-1]}"
        assert re.fullmatch(
            rf"{name} was killed by signal 9 \(Killed\) \(see .*\); "
            r"restart 1 of 1, from step \d+00", job.restarts()[-1])
    await_checkpoint()
    job.signal(signal.SIGINT)
    assert job.ends_with_all(timeout=60) == 130, job.text()
    assert (FOLDER / "model" / "training.json").exists()
    newest = newest_checkpoint(checkpoints)
    quiet = Launched("quiet", FOLDER, GRAPH, *FLAGS,
                     f"--steps={steps_of(newest)}",
                     f"--save={FOLDER}/quiet-model")
    quiet.ends_well()
    assert_saved_alike(checkpoints / newest, FOLDER / "quiet-model")
    log = job.log_of("pserver0")
    assert re.findall(r"^--- attempt (\d), from step \d+00 ---$", log,
                      re.M) == list("2345"), log
    assert log.count("Server listening on") == 5, log
    addresses = (job.logs / "latest" / "addresses").read_text()
    assert len(addresses.splitlines()) == 2, addresses


def gives_up():
    """After as many restarts as allowed; the first cause is the error."""
    job = start("gives-up", "--max-restarts=2",
                "--checkpoint-every=1000000000")
    for number, role in enumerate(("trainer1", "pserver0"), 1):
        seconds_to_first_step(job, role)
        assert job.restarts()[-1].endswith(
            f"restart {number} of 2, from the beginning"), job.text()
    assert job.kill("pserver1")
    assert job.ends_with_all() == 1, job.text()
    assert re.fullmatch(
        r"trainer 1 was killed by signal 9 .*; after 2 restarts without a new "
        r"checkpoint: pserver 1 was killed by signal 9 .*", job.error())


def repeats_no_error():
    """A loss that is infinite is so again, after one restart."""
    graph = FOLDER / "diverges.mlir"
    text = GRAPH.read_text()
    assert text.count("learning_rate = 0.05") == 1
    graph.write_text(text.replace("learning_rate = 0.05",
                                  "learning_rate = 1.0e15"))
    job = Launched("diverges", FOLDER, graph, *FLAGS, "--steps=1000",
                   "--checkpoint-every=1000", "--max-restarts=9",
                   f"--checkpoint={FOLDER}/diverges-checkpoints")
    assert job.ends_with_all() == 1, job.text()
    assert len(job.restarts()) == 1, job.text()
    assert re.search(r"loss is \S+ at step \d+.*; after 1 restart without a "
                     "new checkpoint: ", job.error()), job.error()
    for role in "pserver0", "trainer0":
        first, _, second = job.log_of(role).partition("--- attempt 2, from the "
                                                      "beginning ---\n")
        assert "ps-run: error: " in first and "ps-run: error: " in second


def repeats_no_usage_error():
    """One that launch leaves to its processes."""
    job = Launched("usage", FOLDER, GRAPH, *FLAGS, "--steps=5",
                   "--data-mode=stream", "--max-restarts=9",
                   f"--checkpoint={FOLDER}/none")
    assert job.ends_with_all() == 1, job.text()
    assert not job.restarts(), job.text()
    assert "--data-mode=stream is for " in job.error()


def refuses():
    refused_usage(
        "--max-restarts: expected --checkpoint=DIR, whose newest checkpoint a "
        "restarted job goes on from",
        "launch", GRAPH, DATA, "--max-restarts=1")
    os.symlink("model", FOLDER / "link")
    refused_usage(
        f"--max-restarts: '{FOLDER}/link' is loaded, which a restarted job may "
        "need again: expected another folder to save to",
        "launch", GRAPH, DATA, "--max-restarts=1", f"--checkpoint={FOLDER}/c",
        f"--load={FOLDER}/model/", f"--save={FOLDER}/link")
    # The checkpoints of another run are not gone on from by accident.
    _, err = run("ps-run", "launch", GRAPH, *FLAGS, "--steps=5",
                 "--max-restarts=1", f"--log-dir={FOLDER}/refused-logs",
                 f"--checkpoint={FOLDER}/goes-on-checkpoints", code=2)
    assert "holds checkpoints" in err and "--resume" in err, err
    assert not (FOLDER / "refused-logs" / "latest").exists()


def stopped_process():
    """Its peers give it up; it is killed with them."""
    job = start("stopped", "--max-restarts=1", "--checkpoint-every=100",
                "--peer-timeout=4")
    stopped = job.children()["trainer1"]
    os.kill(stopped, signal.SIGSTOP)
    job.wait_for_restart(1)
    assert not is_alive(stopped)
    job.process.send_signal(signal.SIGINT)
    assert job.ends_with_all() == 130, job.text()


def stopped_role():
    """A process that is asked to stop has the others stop, and the job saved."""
    job = start("role", "--max-restarts=3", "--checkpoint-every=100",
                f"--save={FOLDER}/role-model")
    os.kill(job.children()["pserver1"], signal.SIGTERM)
    assert job.ends_with_all() == 130, job.text()
    assert not job.restarts(), job.text()
    assert (FOLDER / "role-model" / "training.json").exists()


def stops_while_it_restarts():
    for number, delay in ((signal.SIGINT, 0), (signal.SIGINT, 0.3),
                          (signal.SIGTERM, 0.1), (signal.SIGHUP, 1)):
        name = f"stops-{number.name}-{delay}"
        job = start(name, "--max-restarts=3", "--checkpoint-every=100")
        assert job.kill("pserver0")
        job.wait_for_restart(1)
        time.sleep(delay)
        job.process.send_signal(number)
        assert job.ends_with_all() == 130, job.text()
        assert len(job.restarts()) == 1, job.text()
        assert "ps-run: error" not in job.text(), job.text()


def launch_is_killed_while_it_restarts():
    for delay in (0, 0.2):
        job = start(f"killed-{delay}", "--max-restarts=3",
                    "--checkpoint-every=100")
        assert job.kill("trainer0")
        job.wait_for_restart(1)
        time.sleep(delay)
        job.process.send_signal(signal.SIGKILL)
        assert job.ends_with_all() == -signal.SIGKILL, job.text()


def goes_on_with_another_program():
    """An upgrade replaces the file; where there is none, no restart helps."""
    programs = FOLDER / "programs"
    programs.mkdir()

    def install(name):
        shutil.copy2(shutil.which(name), programs / "new")
        os.rename(programs / "new", programs / name)

    for name in "ps-run", "ps-opt":
        install(name)
    job = start("upgraded", "--max-restarts=3", "--checkpoint-every=100",
                env={**os.environ,
                     "PATH": f"{programs}:{os.environ['PATH']}"})
    install("ps-run")
    seconds_to_first_step(job, "trainer1")
    (programs / "ps-run").unlink()
    assert job.kill("trainer1")
    assert job.ends_with_all() == 1, job.text()
    assert re.fullmatch(
        rf"(.*: )?pserver 0 failed: cannot run '{programs.absolute()}/ps-run' "
        r"\(see .*\)", job.error()), job.text()


for case in (goes_on, gives_up, repeats_no_error, repeats_no_usage_error,
             goes_on_with_another_program,
             refuses, stopped_process, stopped_role, stops_while_it_restarts,
             launch_is_killed_while_it_restarts):
    began = time.monotonic()
    case()
    print(f"{case.__name__}: {time.monotonic() - began:.1f} s")
