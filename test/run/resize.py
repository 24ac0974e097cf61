# SPDX-License-Identifier: Apache-2.0
"""ps-run resize: a job gets further pservers and trainers, and fewer, while it
trains. No step is lost or taken twice, and what is killed meanwhile changes
nothing.

usage: resize.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import shutil
import signal
import socket
import sys

from any_size import COUNT, GRAPH
from canonical import assert_same, canonical
from job import DEADLINE, Process, read_model, run
from row_model import make_samples, write_samples
from series import newest_checkpoint, steps_of
from supervised import Supervised

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
SAMPLES = write_samples(FOLDER / "samples.txt", make_samples(96))
FLAGS = (f"--data={SAMPLES}", "--global-batch-size=8", "--threads=1",
         "--shuffle", "--peer-timeout=6")


class Resized:
    """A job of 2 pservers and 2 trainers that trains until it is stopped, with
    its graph."""

    def __init__(self, name, text, flags=("--deterministic",)):
        self.folder = FOLDER / name
        self.folder.mkdir()
        self.graph = self.folder / "graph.mlir"
        self.graph.write_text(text)
        self.series = self.folder / "checkpoints"
        self.job = Supervised(
            self.folder / "job", self.graph, 2, 2,
            (*FLAGS, "--steps=1000000000", f"--checkpoint={self.series}",
             "--checkpoint-every=100", *flags),
            ("--peer-timeout=6", "--max-restarts=1"))
        self.job.until(self.newest, "a checkpoint")

    def newest(self):
        return newest_checkpoint(self.series)

    def await_checkpoint(self):
        before = self.newest()
        self.job.until(lambda: self.newest() != before, "a checkpoint")

    def resize(self, pservers, trainers):
        """What the command has printed last."""
        out, _ = run("ps-run", "resize", self.job.address,
                     f"--pservers={pservers}", f"--trainers={trainers}")
        self.job.supervise()
        return out.splitlines()[-1]

    def ask(self, *size):
        out, _ = run("ps-run", "resize", self.job.address, *size, "--no-wait")
        return out

    def refused(self, *size):
        _, err = run("ps-run", "resize", self.job.address, *size, code=1)
        return err

    def stop(self):
        """The checkpoint to compare, and the exit codes."""
        for role, process in self.job.processes.items():
            if role.startswith("trainer") and role not in self.job.exited:
                process.signal(signal.SIGINT)
        codes = self.job.end()
        return self.series / self.newest(), codes

    def quiet(self, steps, name="quiet"):
        """The model of an undisturbed job of so many steps."""
        model = self.folder / name
        run("ps-run", "launch", self.graph, "--pservers=2", "--trainers=2",
            *FLAGS, "--deterministic", f"--steps={steps}", f"--save={model}",
            f"--log-dir={self.folder}/log")
        return model


def keeps_what_it_has_trained():
    """Both sides of the job grow and shrink. A mean of 8 samples is exact,
    however many trainers share them."""
    job = Resized("count", COUNT)
    # Further processes may come before the request, or after it.
    job.job.start("pserver-2")
    assert job.resize(3, 2).startswith(
        "the job trains with 3 pservers and 2 trainers: attempt 2, from step ")
    assert ("the job goes on with 3 pservers and 4 trainers after its next "
            "checkpoint, once trainer 2, trainer 3 have been started\n"
            == job.ask("--trainers=4"))
    job.await_checkpoint()
    status, _ = run("ps-run", "status", job.job.address)
    assert "\nresize: the job goes on with 3 pservers and 4 trainers" in status
    job.job.start("trainer-2")
    job.job.start("trainer-3")
    job.job.until(lambda: "attempt 3, 3 pservers and 4 trainers, from step "
                  in job.job.scheduler_log(), "attempt 3")
    job.await_checkpoint()
    assert job.resize(1, 1).startswith(
        "the job trains with 1 pserver and 1 trainer: attempt 4, from step ")
    job.job.until(lambda: len(job.job.exited) == 5, "five are not needed")
    assert set(job.job.exited.values()) == {0}, job.job.text()
    job.await_checkpoint()
    newest, codes = job.stop()
    assert set(codes.values()) <= {0, 130}, job.job.text()
    assert job.job.text().count(
        "the job goes on with 1 pserver and 1 trainer: this process is not "
        "needed any more\n") == 5, job.job.text()
    steps = steps_of(newest.name)
    assert read_model(newest)["w"] == ([5, 3], [float(steps)] * 15)
    assert_same(canonical(newest), canonical(job.quiet(steps)))


def keeps_bits():
    """Another number of pservers trains the same bits."""
    job = Resized("bits", GRAPH.replace(
        "OPTIMIZER", "#ps.adagrad<learning_rate = 0.05>"))
    job.job.start("pserver-2")
    job.resize(3, 2)
    job.await_checkpoint()
    job.resize(1, 2)
    job.await_checkpoint()
    newest, _ = job.stop()
    assert_same(canonical(newest), canonical(job.quiet(steps_of(newest.name))))


def withstands_kills():
    """The request, and those who wait, may be killed at any time."""
    job = Resized("kills", COUNT)
    job.ask("--pservers=3", "--trainers=4")
    for role in "pserver-2", "trainer-2":
        job.job.start(role)
    job.job.kill("trainer-2")
    job.job.kill("scheduler")
    job.await_checkpoint()
    job.job.kill("pserver-0")
    job.job.until(lambda: "attempt 2, restart 1" in job.job.scheduler_log(),
                  "attempt 2")
    job.job.start("trainer-3")
    job.job.until(lambda: "3 pservers and 4 trainers, from step "
                  in job.job.scheduler_log(), "the further processes are there")
    job.job.kill("trainer-3")
    job.job.until(lambda: "attempt 4, restart 1" in job.job.scheduler_log(),
                  "attempt 4")
    job.await_checkpoint()
    newest, codes = job.stop()
    assert set(codes.values()) <= {0, 130}, job.job.text()
    assert_same(canonical(newest), canonical(job.quiet(steps_of(newest.name))))


def goes_on_without_the_lost():
    """Nothing starts them again; those with the last ranks stay."""
    job = Resized("lost", COUNT)
    for role in "pserver-0", "trainer-0":
        job.job.lost.add(role)
        job.job.kill(role)
    job.job.until(lambda: "attempt 2 begins" in job.job.scheduler_log(),
                  "attempt 2")
    assert job.resize(1, 1).startswith(
        "the job trains with 1 pserver and 1 trainer: attempt 3, from step ")
    assert job.job.exited == {"pserver-0": -9, "trainer-0": -9}, job.job.text()
    job.await_checkpoint()
    newest, _ = job.stop()
    assert_same(canonical(newest), canonical(job.quiet(steps_of(newest.name))))


def counts_where_trainers_do_not_keep_step():
    """Each trainer pushes the mean of its part of the batch, which is 1."""
    job = Resized("async", COUNT, ("--transpile=mode=async",))
    cuts = [(0, 2)]
    job.job.start("trainer-2")
    job.job.start("trainer-3")
    for trainers in 4, 1:
        start = job.resize(2, trainers).rpartition(" ")[2]
        cuts.append((int(start), trainers))
        job.await_checkpoint()
    newest, _ = job.stop()
    ends = [step for step, _ in cuts[1:]] + [steps_of(newest.name)]
    count = sum((end - begin) * trainers
                for (begin, trainers), end in zip(cuts, ends))
    assert read_model(newest)["w"] == ([5, 3], [float(count)] * 15), (cuts, ends)


def refuses():
    job = Resized("refuses", COUNT)
    why = "the job cannot be resized: "
    err = job.refused("--trainers=3")
    assert why in err and ("share the samples of a step equally, so their number "
                           "has to divide 8, found 3") in err, err
    # A later request takes the place of an earlier one, and may withdraw it.
    first = Process("first", job.folder, "resize", job.job.address,
                    "--trainers=4")
    first.wait_for("once trainer 2, trainer 3 have been started")
    job.ask("--pservers=3")
    assert first.end() == 1
    assert first.error() == "another request has taken the place of this one"
    for _ in range(2):
        assert job.ask("--trainers=2") == (
            "the job goes on with 2 pservers and 2 trainers\n")
    extra = Process("extra", job.folder, job.graph, "--role=trainer",
                    f"--coordinator={job.job.address}", *FLAGS,
                    "--peer-timeout=6")
    assert extra.end() == 1
    assert "the job has all of its 2 trainers already" in extra.error()
    other = Process("other", job.folder, job.graph, "--role=trainer",
                    f"--coordinator={job.job.address}", *FLAGS,
                    "--transpile=wire=bf16")
    assert other.end() == 2
    assert "the job has other programs" in other.error()
    job.stop()

    for name, flags, reason in (
            ("no-batch", ("--batch-size=4", f"--checkpoint={FOLDER}/none"),
             "only with --global-batch-size"),
            ("alone", ("--global-batch-size=8", "--deterministic",
                       "--transpile=mode=async", f"--checkpoint={FOLDER}/one"),
             "--deterministic is for one trainer where trainers do not keep "
             "step"),
            ("no-checkpoint", ("--global-batch-size=8",),
             "it has no --checkpoint to go on from")):
        fixed = Supervised(FOLDER / name, job.graph, 1, 1,
                           (f"--data={SAMPLES}", "--threads=1",
                            "--steps=1000000000", *flags), ())
        trainer = fixed.processes["trainer-0"]
        trainer.wait_for("Communicator start")
        _, err = run("ps-run", "resize", fixed.address, "--trainers=2", code=1)
        assert why in err and reason in err, err
        trainer.signal(signal.SIGINT)
        fixed.end()

    program = FOLDER / "dist.mlir"
    run("ps-opt", job.graph, "-o", program,
        "--ps-transpile=pservers=1 trainers=1")
    fixed = Supervised(FOLDER / "programs", program, 1, 1,
                       (*FLAGS, "--steps=1000000000",
                        f"--checkpoint={FOLDER}/programs-checkpoints"),
                       ("--peer-timeout=6",))
    trainer = fixed.processes["trainer-0"]
    trainer.wait_for("Communicator start")
    _, err = run("ps-run", "resize", fixed.address, "--pservers=2", code=1)
    assert "its processes have programs for one size" in err, err
    trainer.signal(signal.SIGINT)
    fixed.end()


def is_interrupted():
    """While something takes the call and does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(DEADLINE)
        asks = Process("asks", FOLDER, "resize",
                       f"127.0.0.1:{silent.getsockname()[1]}", "--trainers=2")
        connection, _ = silent.accept()
        with connection:
            asks.signal(signal.SIGINT)
            assert asks.end(timeout=10) == 130, asks.text()
    assert asks.text() == ("interrupted: it is not known whether the request "
                           "was taken\n"), asks.text()


keeps_what_it_has_trained()
keeps_bits()
withstands_kills()
goes_on_without_the_lost()
counts_where_trainers_do_not_keep_step()
refuses()
is_interrupted()
