# SPDX-License-Identifier: Apache-2.0
"""The folder of a random case, in which ps-opt and ps-run are run. Both are
looked for on the path."""

import shlex
import shutil
import subprocess

DEADLINE = 120  # seconds that any command may take


class Failure(Exception):
    pass


class Case:
    def __init__(self, word, folder):
        self.word, self.folder = word, folder / word

    def write(self, files):
        """Makes the folder anew, with texts by the names of their files."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name, text in files.items():
            (self.folder / name).write_text(text)

    def run(self, *command, codes=(0,)):
        """Runs a command in the folder, which keeps it for a reader."""
        with open(self.folder / "commands.sh", "a") as log:
            log.write(shlex.join(command) + "\n")
        try:
            done = subprocess.run(command, cwd=self.folder, text=True,
                                  capture_output=True, timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            raise Failure(f"{shlex.join(command)}\nno end after {DEADLINE} s")
        if done.returncode not in codes:
            raise Failure(f"{shlex.join(command)}\nexit code {done.returncode}\n"
                          f"{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done

    def train(self, program, saved, batch, steps, *flags):
        self.run("ps-run", program, "--data=csv:table.csv", "--seed=3",
                 "--threads=1", f"--batch-size={batch}", f"--steps={steps}",
                 f"--save={saved}", *flags)

    def train_both(self, job, graph):
        """Trains dist.mlir as `job`, and `graph` in one process with the samples
        of all trainers: into the folders job and local."""
        self.train("dist.mlir", "job", job.batch, job.steps * job.accumulate,
                   "--role=all")
        self.train(graph, "local", job.batch * job.trainers * job.accumulate,
                   job.steps)
