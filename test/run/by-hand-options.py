# SPDX-License-Identifier: Apache-2.0
"""Processes of a job that are started by hand with different options refuse
each other where the result would silently be another one, with a line that
names the option, both values and who has them. The job goes on with a process
that agrees."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import DATA, INPUTS, Job, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FLAGS = ("--batch-size=6", "--steps=4")


def refuses(job, index, process, pattern):
    assert process.end() == 1, f"{process.name}: {process.text()}"
    expected = (rf"pserver {job.endpoints[0]} refuses trainer {index}: "
                rf"expected {pattern}: start all processes of a job with the "
                "same$")
    assert re.match(expected, process.error()), (expected, process.error())


def load(folder):
    return [f"--load={folder}"] if folder else []


def checkpoints():
    """Of a folder, or of none: what was saved last, not its path."""
    one, two, bare = (FOLDER / name for name in ("one", "two", "bare"))
    for folder, steps in ((one, 3), (two, 4)):
        run("ps-run", INPUTS / "linear_sgd.mlir", DATA, "--batch-size=12",
            f"--steps={steps}", f"--save={folder}")
    copy = shutil.copytree(one, FOLDER / "copy")
    bare.mkdir()
    shutil.copy(one / "model.safetensors", bare)
    none = "'none'"
    model = r"'a model without training.json, checkpoint [0-9a-f]{32}'"
    first, second = (rf"'epoch 0, step {steps}, checkpoint [0-9a-f]{{32}}'"
                     for steps in (3, 4))
    for number, (pserver_load, found, others) in enumerate((
            (None, none, ((one, first), (bare, model))),
            (one, first, ((None, none), (bare, model), (two, second))),
            (bare, model, ((None, none), (one, first))))):
        with Job(FOLDER / f"load{number}", 1, 2) as job:
            pserver = job.pserver(0, *load(pserver_load))
            pserver.wait_for("listening")
            trainers = []
            for index in (0, 1):
                for folder, given in others:
                    refuses(job, index,
                            job.trainer(index, *FLAGS, *load(folder)),
                            f"--load {found}, as on this pserver, from "
                            f"trainer {index}, found {given}")
                agreed = copy if pserver_load == one else pserver_load
                trainers.append(job.trainer(index, *FLAGS, *load(agreed)))
                trainers[index].wait_for("Communicator start")
            for process in (*trainers, pserver):
                process.ends_well()


def checkpoint_of_another_pserver():
    folder = FOLDER / "one"
    with Job(FOLDER / "half", 2, 1) as job:
        job.pserver(0, f"--load={folder}")
        job.pserver(1).wait_for("listening")
        trainer = job.trainer(0, *FLAGS, f"--load={folder}")
        assert trainer.end() == 1, trainer.text()
        assert re.match(
            rf"pserver {job.endpoints[1]} refuses trainer 0: expected --load "
            "'none', as on this pserver, from trainer 0, found 'epoch",
            trainer.error()), trainer.error()


def missing_checkpoint():
    """A trainer that cannot load disturbs nobody."""
    with Job(FOLDER / "missing", 1, 1) as job:
        pserver = job.pserver(0)
        trainer = job.trainer(0, *FLAGS, f"--load={FOLDER}/nothing")
        assert trainer.end() == 1, trainer.text()
        assert f"{FOLDER}/nothing/model.safetensors" in trainer.error()
        for process in (job.trainer(0, *FLAGS), pserver):
            process.ends_well()


def training_options():
    lines = (INPUTS / "linear.csv").read_text().splitlines(keepends=True)
    short, again = FOLDER / "short.csv", FOLDER / "again.csv"
    short.write_text("".join(lines[:-1]))
    again.write_text("".join(lines))
    samples = len(lines)
    with Job(FOLDER / "options", 1, 2) as job:
        pserver = job.pserver(0, "--seed=3")
        pserver.wait_for("listening")
        first = job.trainer(0, *FLAGS, "--shuffle", "--seed=3")
        first.wait_for("Communicator start")

        def differs(name, expected, found, *flags, data=DATA, owner="trainer 0"):
            refuses(job, 1, job.trainer(1, *FLAGS, "--shuffle", "--seed=3",
                                        *flags, data=data),
                    f"{name} '{expected}', as on {owner}, from trainer 1, "
                    f"found '{found}'")

        differs("--batch-size", 6, 5, "--batch-size=5")
        differs("--steps", 4, 5, "--steps=5")
        differs("--precision", "f32", "bf16", "--precision=bf16")
        differs("--epochs", "none", 2, "--epochs=2")
        differs("--remainder", "drop", "pad", "--remainder=pad")
        differs("--seed", 3, 4, "--seed=4", owner="this pserver")
        differs("samples in --data", samples, samples - 1,
                data=f"--data=csv:{short}")
        differs("--data", "csv", f"csv#0-{samples}", data=f"{DATA}#0-{samples}")
        differs("--save", "none", f"{FOLDER}/lost", f"--save={FOLDER}/lost")
        assert not (FOLDER / "lost").exists()
        refuses(job, 1, job.trainer(1, *FLAGS, "--seed=3"),
                "--shuffle 'yes', as on trainer 0, from trainer 1, found "
                "'no'")
        # The file may have another name.
        second = job.trainer(1, *FLAGS, "--shuffle", "--seed=3",
                             data=f"--data=csv:{again}")
        for process in (first, second, pserver):
            process.ends_well()


def outputs():
    """Trainer 0 saves; what others say of it must be the same."""
    with Job(FOLDER / "saves", 1, 2) as job:
        pserver = job.pserver(0)
        second = job.trainer(1, *FLAGS, f"--save={FOLDER}/./model/")
        second.wait_for("Communicator start")
        refuses(job, 0, job.trainer(0, *FLAGS),
                f"--save '{FOLDER}/model', as on trainer 1, from trainer "
                "0, found 'none'")
        first = job.trainer(0, *FLAGS, f"--save={FOLDER}/model")
        for process in (first, second, pserver):
            process.ends_well()
        assert (FOLDER / "model" / "model.safetensors").exists()


checkpoints()
checkpoint_of_another_pserver()
missing_checkpoint()
training_options()
outputs()
