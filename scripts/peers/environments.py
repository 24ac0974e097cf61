# SPDX-License-Identifier: Apache-2.0
"""The virtual environments of the peers: made where they are missing, with
pinned packages, and used again."""

import shutil
import subprocess
import sys

# For each environment, what one call of pip installs after another. The index
# has PyTorch for CUDA only; it runs on the CPU as well.
PACKAGES = {
    "torch": [
        ["torch==2.7.1", "numpy==1.26.4"],
        ["--no-deps", "fbgemm-gpu-cpu==1.2.0", "torchrec==1.2.0"],
        ["tensordict==0.8.3", "torchmetrics==1.0.3", "pyre-extensions==0.0.32",
         "iopath==0.1.10", "psutil==7.2.2", "tqdm==4.70.1"]],
    "tensorflow": [["tensorflow-cpu==2.15.1"]],
    "paddle": [["paddlepaddle==2.6.2", "numpy==1.26.4", "protobuf==4.25.8"]],
    "gensim": [["gensim==4.4.0"]],
    "fasttext": [["fasttext-wheel==0.9.2"]],
    "plot": [["matplotlib==3.10.7"]],
}
DEADLINE = 1800


class NotRun(Exception):
    """Why a peer has no figure, in one line."""


class Environments:
    def __init__(self, folder, may_install):
        self.folder, self.may_install = folder, may_install
        self.failed = {}

    def python(self, name):
        """The Python of an environment; raises NotRun."""
        if name in self.failed:
            raise NotRun(self.failed[name])
        venv = self.folder / f"venv-{name}"
        try:
            self.make(venv, PACKAGES[name])
        except NotRun as reason:
            self.failed[name] = str(reason)
            raise
        return str(venv / "bin" / "python")

    def make(self, venv, packages):
        wanted = "\n".join(" ".join(each) for each in packages)
        done = venv / "installed.txt"
        if done.exists() and done.read_text() == wanted:
            return
        if not self.may_install:
            raise NotRun(f"not in {venv} (--no-install)")
        print(f"installing {wanted.split()[0]} and what it needs in {venv}",
              flush=True)
        shutil.rmtree(venv, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(venv)], f"cannot make {venv}")
        for each in packages:
            run([str(venv / "bin" / "python"), "-m", "pip", "install", "-q",
                 "--disable-pip-version-check", *each],
                f"cannot install {each[-1]}")
        done.write_text(wanted)


def run(command, what):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=DEADLINE, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotRun(f"{what}: {error}") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines()
                 if "error" in line.lower()] or done.stderr.splitlines()
        raise NotRun(f"{what}: {lines[-1] if lines else 'no reason given'}")
