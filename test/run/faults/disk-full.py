# SPDX-License-Identifier: Apache-2.0
"""A disk that is full while a job saves: a periodic checkpoint is left out with
a warning, the one before stays, and the next one is taken when there is room; a
save at the end fails with one line, and what was saved before stays; and so
does a pserver whose log (--recovery=log) it cannot write.

Needs to mount a file system of its own, and does nothing where it may not.
"""
# RUN: %python %s %t

import errno
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

from canonical import assert_same, assert_same_files, canonical
from job import INPUTS, Job, run, wait_until
from launched import Launched
from row_model import make_samples, write_samples
from series import newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
DISK = FOLDER / "disk"
FILLER = DISK / "filler"
INSIDE = "PS_TEST_HAS_DISK"


def enter_namespace():
    """Runs this test once more where it may mount."""
    command = ["unshare", "--map-root-user", "--mount"]
    shutil.rmtree(FOLDER, ignore_errors=True)
    DISK.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(DISK)]
    if subprocess.run([*command, *mount], capture_output=True,
                      check=False).returncode != 0:
        print("not permitted to mount: skipped")
        return
    os.environ[INSIDE] = "1"
    test = shlex.join([sys.executable, __file__, str(FOLDER)])
    os.execvp(command[0], [*command, "sh", "-ec",
                           f"{shlex.join(mount)}; exec {test}"])


def fill():
    """Takes all of the room that there is now."""
    with open(FILLER, "ab", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError as error:
            assert error.errno == errno.ENOSPC, error


class Disk:
    def __init__(self):
        data = write_samples(FOLDER / "samples.txt", make_samples(96))
        self.command = [INPUTS / "mixed.mlir", f"--data={data}",
                        "--pservers=2", "--trainers=2", "--batch-size=4",
                        "--threads=1", "--deterministic",
                        "--transpile=min-block-size=3", "--log-every=100"]

    def launch(self, name, *flags):
        return Launched(name, FOLDER, *self.command, *flags)

    def checkpoints(self):
        series = DISK / "series"
        job = self.launch("job", "--steps=1000000000",
                          f"--checkpoint={series}", "--checkpoint-every=20")
        job.wait_for("checkpoint  step ")
        warning = "ps-run: warning: no checkpoint after step "

        def has_warned():
            fill()  # An old checkpoint that is removed makes room.
            return warning in job.text()
        wait_until(has_warned, warning)
        # So that no checkpoint is removed while it is verified.
        trainer = job.children()["trainer0"]
        os.kill(trainer, signal.SIGSTOP)
        whole = sorted(path.parent for path in series.glob("*/training.json"))
        assert whole
        run("ps-run", "verify", whole[-1])
        FILLER.unlink()
        size = len(job.text())
        os.kill(trainer, signal.SIGCONT)
        wait_until(lambda: "checkpoint  step " in job.text()[size:],
                   "another checkpoint")
        job.signal(signal.SIGINT)
        assert job.end() == 130, job.text()
        print(re.search(f"{warning}.*", job.text())[0])
        assert "No space left on device" in job.text(), job.text()
        newest = newest_checkpoint(series)
        quiet = self.launch("quiet", f"--steps={steps_of(newest)}",
                            f"--save={FOLDER}/quiet")
        quiet.ends_well()
        # A checkpoint may complete that of a base.
        assert_same(canonical(series / newest), canonical(FOLDER / "quiet"))

    def save(self):
        saved = DISK / "model"
        self.launch("first", "--steps=3", f"--save={saved}").ends_well()
        before = FOLDER / "before"
        shutil.copytree(saved, before)
        fill()
        job = self.launch("second", "--steps=5", f"--save={saved}")
        assert job.ends_with_all() == 1, job.text()
        print(job.error())
        assert "No space left on device" in job.error(), job.error()
        FILLER.unlink()
        run("ps-run", "verify", saved)
        assert_same_files(saved, before)

    def log(self):
        flags = ("--recovery=log", f"--checkpoint={FOLDER}/log-series",
                 "--checkpoint-every=1000000", "--steps=1000000")
        with Job(FOLDER / "log", 1, 1) as job:
            pserver = job.pserver(0, *flags, f"--recovery-log={DISK}/calls")
            trainer = job.trainer(0, *flags, "--batch-size=4")
            assert pserver.end() == 1 and trainer.end() == 1
            print(pserver.error())
            for process in pserver, trainer:
                assert re.search(r"cannot write the log '\S+': No space left on "
                                 "device", process.error()), process.error()


if INSIDE in os.environ:
    disk = Disk()
    disk.checkpoints()
    disk.save()
    disk.log()
else:
    enter_namespace()
