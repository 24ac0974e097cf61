# SPDX-License-Identifier: Apache-2.0
"""What a process waits for, for longer than 5 s, it logs once, and that this is
over. A run in which nothing is late says nothing of the kind."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys

from job import (DATA, GRAPH, Job, Process, free_endpoints, run, run_at_once,
                 wait_until)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FOREVER = ("--steps=1000000000", "--batch-size=6")
# Multislot samples of GRAPH. Under one that sets GATE, the 13th, and all that
# come after it, come when there is such a file.
(FOLDER / "samples.txt").write_text("4 0 0 0 0 1 5\n" * 120)
STREAM = (f"--data=multislot:{FOLDER}/samples.txt", "--data-mode=stream",
          "--pipe-command=awk 'NR == 13 { fflush(); "
          "system(\"while [ ! -e ${GATE:-/} ]; do sleep .1; done\") } "
          "{ print }'", "--batch-size=1")


class Gate:
    """Closed at first."""

    def __init__(self, name):
        self.path = FOLDER / f"{name}.gate"
        self.environment = {**os.environ, "GATE": str(self.path.absolute())}

    def open(self):
        self.path.touch()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open()  # Nothing waits for ever.


def begin_of(process, what):
    """Waits for the line of a wait, and returns what it waits for."""
    pattern = re.compile(
        rf"^waiting for ({what}), for (\d+(?:\.\d)?)s so far$", re.M)
    wait_until(lambda: pattern.search(process.text()) or
               process.process.poll() is not None, what)
    found = pattern.findall(process.text())
    assert len(found) == 1, (what, process.text())
    (what, seconds), = found
    print(what)
    assert float(seconds) >= 5, found
    return what


def ends(process, what):
    line = f"no longer waiting for {what}, after "
    process.wait_for(line)
    text = process.text()
    assert text.count(f"waiting for {what}, for ") == 1, text
    assert text.count(line) == 1, text


def is_stopped_in(trainer, what):
    try:
        begin_of(trainer, what)
    finally:
        trainer.signal(signal.SIGTERM)
    assert trainer.end() == 130, trainer.text()
    ends(trainer, what)


def for_a_pserver():
    with Job(FOLDER / "pserver", 2, 1) as job:
        pservers = [job.pserver(i) for i in range(2)]
        trainer = job.trainer(0, *FOREVER)
        trainer.wait_for("steps/s")
        pservers[1].signal(signal.SIGSTOP)
        what = begin_of(trainer,
                        f"pserver {job.endpoints[1]}, [^\n]* step \\d+")
        pservers[1].signal(signal.SIGCONT)
        ends(trainer, what)


def for_another_trainer():
    program = FOLDER / "collective.mlir"
    run("ps-opt", GRAPH, "-o", program,
        "--ps-transpile=trainers=2 mode=collective")
    trainers = [Process(f"trainer{i}", FOLDER, program, "--role=trainer",
                        f"--trainer-id={i}", DATA, *FOREVER,
                        f"--address-file={FOLDER}/trainers")
                for i in range(2)]
    try:
        trainers[0].wait_for("steps/s")
        trainers[1].signal(signal.SIGSTOP)
        what = begin_of(trainers[0], r"trainer 1, all_reduce \d+ of step \d+")
        trainers[1].signal(signal.SIGCONT)
        ends(trainers[0], what)
    finally:
        for trainer in trainers:
            trainer.process.kill()
            trainer.end()


def for_data():
    with Gate("data") as gate:
        run_of_one = Process("data", FOLDER, GRAPH, *STREAM,
                             env=gate.environment)
        what = begin_of(run_of_one, r"the data of step \d+")
    run_of_one.ends_well()
    ends(run_of_one, what)


def for_a_meeting():
    """One trainer has no data, so that the other one waits for it at the
    checkpoint, and when it has taken its last step."""
    with Gate("meeting") as gate, \
            Job(FOLDER / "meeting", 1, 2, options="mode=async") as job:
        job.pserver(0)
        flags = (f"--checkpoint={job.folder}/checkpoints",
                 "--checkpoint-every=20", f"--save={job.folder}/model")
        trainers = [job.trainer(i, *STREAM, *flags, data="--epochs=1", env=env)
                    for i, env in enumerate((None, gate.environment))]
        what = begin_of(trainers[1], r"the data of step \d+")
        meeting = begin_of(
            trainers[0], r"all trainers to take the checkpoint after step 20: "
            rf"pserver {job.endpoints[0]}, [^\n]*")
        gate.open()
        ends(trainers[1], what)
        ends(trainers[0], meeting)
        job.ends_well()


def for_the_last_step():
    with Gate("last") as gate, \
            Job(FOLDER / "last", 1, 2, options="mode=async") as job:
        job.pserver(0)
        trainers = [job.trainer(i, *STREAM, f"--save={job.folder}/model",
                                data="--epochs=1", env=env)
                    for i, env in enumerate((None, gate.environment))]
        what = begin_of(trainers[0], r"the other trainers to take their last "
                        rf"step: pserver {job.endpoints[0]}, [^\n]*")
        gate.open()
        job.ends_well()
        ends(trainers[0], what)


def for_an_address():
    program = FOLDER / "dist.mlir"
    run("ps-opt", GRAPH, "-o", program, "--ps-transpile=pservers=2 trainers=1")
    addresses = FOLDER / "addresses"
    addresses.write_text("pserver_0 127.0.0.1:1\n")
    trainer = Process("address", FOLDER, program, "--role=trainer",
                      "--trainer-id=0", DATA, f"--address-file={addresses}")
    is_stopped_in(trainer, f"the address of pserver_1 in '{addresses}'")


def for_a_trainer_that_is_not_there():
    program = FOLDER / "peers.mlir"
    run("ps-opt", GRAPH, "-o", program,
        "--ps-transpile=trainers=2 mode=collective")
    own, other = free_endpoints(2)
    trainer = Process("peer", FOLDER, program, "--role=trainer",
                      "--trainer-id=0", DATA, "--batch-size=6",
                      f"--trainer-endpoints={own},{other}")
    is_stopped_in(trainer, f"trainer 1 to answer at {other}")


def undisturbed():
    _, error = run("ps-run", "launch", "--pservers=1", "--trainers=2",
                   f"--log-dir={FOLDER}/log", GRAPH, DATA, "--batch-size=6",
                   "--steps=500", f"--checkpoint={FOLDER}/checkpoints",
                   "--checkpoint-every=100")
    assert "waiting for" not in error, error
    for log in (FOLDER / "log/latest").glob("*log.*"):
        assert "waiting for" not in log.read_text(), log.read_text()


undisturbed()
run_at_once(for_a_pserver, for_another_trainer, for_data, for_a_meeting,
            for_the_last_step, for_an_address,
            for_a_trainer_that_is_not_there)
