# SPDX-License-Identifier: Apache-2.0
"""--on-trainer-loss=wait: where trainers do not keep step, the others go on
without a trainer that is killed, another process takes its place, and each
sample counts once.

usage: replaced-trainer.py FOLDER
"""
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import sys
import time

from counter import BATCH, Counter
from job import Job, read_model, run, wait_until
from launched import Launched

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)
WAIT = "--on-trainer-loss=wait"


class CounterJob(Job):
    """2 pservers and 3 trainers, started by hand, that train until stopped."""

    def __init__(self, name, mode, *flags):
        super().__init__(FOLDER / name, pservers=2, trainers=3,
                         graph=counter.graph, options=f"mode={mode}")
        self.saved = self.folder / "model"
        self.flags = [f"--batch-size={BATCH}", "--steps=1000000000",
                      "--log-every=50", WAIT, *flags]
        for index in (0, 1):
            self.pserver(index, WAIT, *(f for f in flags if "checkpoint=" in f))
        for process in self.processes:
            process.wait_for("Server listening")
        self.running = [self.begin(index) for index in range(3)]
        self.lost = 0

    def begin(self, index, name=None):
        return self.start(name or f"trainer{index}", "--role=trainer",
                          f"--trainer-id={index}", counter.data, *self.flags,
                          *([f"--save={self.saved}"] if index == 0 else []))

    def reached(self, index):
        """The step that a trainer has pushed last."""
        out, _ = run("ps-run", "status", self.endpoints[0], "--json")
        return json.loads(out)["trainers"][index]["step"]

    def kill(self, index):
        process = self.running[index]
        process.process.kill()
        process.process.wait()
        self.processes.remove(process)

    def replace(self, index):
        self.lost += 1
        name = f"trainer{index}-{self.lost}"
        self.running[index] = self.begin(index, name)
        return self.running[index]

    def ends_exactly(self):
        for process in self.running:
            process.signal(signal.SIGTERM)
        steps = []
        for process in self.running:
            assert process.end() in (130, 143), process.text()
            self.processes.remove(process)
            stopped = re.search(r"stopped after (\d+) of", process.text())
            steps.append(int(stopped.group(1)))
        self.ends_well()
        counter.check(self.saved, steps)


def goes_on(name, mode, *flags):
    """The others train while a trainer is dead, and no sample is lost."""
    with CounterJob(name, mode, *flags) as job:
        for index in (1, 2):
            before = job.reached(index) + 50
            wait_until(lambda: job.reached(index) > before, "steps")
            job.kill(index)
            lost = job.reached(index)
            others = job.reached(0)
            wait_until(lambda: job.reached(0) > others + 20, "others go on")
            assert job.reached(index) == lost, (job.reached(index), lost)
            job.replace(index).wait_for("goes on with step")
        job.ends_exactly()
        assert re.search(r"^goes on with step \d\d+ for another process of "
                         r"trainer 1$", job.running[1].text(), re.M)
        log = job.processes[0].text()
        assert log.count("; the others go on, and another process") == 2, log
        assert log.count("another process takes the place of trainer") == 2, log


def only_the_dead_are_replaced():
    with CounterJob("alive", "async") as job:
        wait_until(lambda: job.reached(1) > 50, "steps")
        second = job.begin(1, "second")
        assert second.end() == 1, second.text()
        assert "which is already training" in second.error(), second.text()
        job.kill(0)  # It saves, and its loss ends the job.
        for process in job.running[1:]:
            assert process.end() == 1, process.text()
            assert "trainer 0 has gone" in process.error(), process.text()


def another_pserver_is_noticed():
    """A pserver that is lost together with a trainer, and started again, too,
    has lost its part of the model: the trainer does not go on with it."""
    with CounterJob("pserver", "async") as job:
        wait_until(lambda: min(map(job.reached, range(3))) > 50, "steps")
        for index in (0, 2):  # They would notice the loss themselves.
            job.running[index].signal(signal.SIGSTOP)
        job.kill(1)
        job.processes[1].process.kill()
        job.processes[1].process.wait()
        del job.processes[1]
        job.start("pserver1-2", "--role=pserver",
                  f"--endpoint={job.endpoints[1]}", WAIT).wait_for(
                      "Server listening")
        again = job.replace(1)
        assert again.end() == 1, again.text()
        assert again.error().endswith(
            f"as pserver {job.endpoints[0]} knows them, found that one was "
            "restarted since, which has lost its part of the model: restart the "
            "whole job"), again.text()
        for index in (0, 2):
            job.running[index].signal(signal.SIGCONT)
        for process in job.processes:
            assert process.end() == 1, process.text()


def counts_steps_as_the_others():
    """Of a run without data, which was resumed: a newer checkpoint is not where
    the run of the others began."""
    folder = FOLDER / "resumed"
    folder.mkdir()
    graph = folder / "steps.mlir"
    graph.write_text("""
module @steps {
  ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
  func.func @train() -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<2xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
""")
    flags = (graph, "--trainers=2", "--transpile=mode=async", "--threads=1",
             f"--checkpoint={folder}/checkpoints", "--resume",
             f"--save={folder}/model")
    Launched("first", folder, *flags, "--steps=100",
             "--checkpoint-every=50").ends_well()
    job = Launched("second", folder, *flags, "--steps=1000000000",
                   "--checkpoint-every=1000", "--max-restarts=1")
    job.wait_for("checkpoint  step 2000")
    assert job.kill("trainer1")
    wait_until(lambda: "goes on with step" in job.log_of("trainer1") or
               job.process.poll() is not None, "another process goes on")
    job.signal(signal.SIGTERM)
    assert job.end() in (130, 143), job.text()
    line, = job.restarts()
    assert line.endswith(" alone"), line
    steps = [int(re.search(r"stopped after (\d+) of", job.log_of(role))[1])
             for role in ("trainer0", "trainer1")]
    _, values = read_model(folder / "model")["w"]
    assert values == [sum(steps)] * 2, (values, steps)


def is_refused_elsewhere():
    for mode, flags, found in (
            ("sync", (), "is for jobs of mode=async and half-async: in mode=sync "
                         "each step needs all trainers, so a loss takes the "
                         "whole job back to its checkpoint (launch "
                         "--max-restarts), unless it goes on without the trainer "
                         "(--on-trainer-loss=continue)"),
            ("geo", (), "is for jobs of mode=async and half-async, found "
                        "mode=geo"),
            ("async", ("--workers=2",), "is for trainers with one worker in "
                                        "mode=async, found --workers=2"),
            ("async", ("--send-queue=2",), "is for trainers without a queue of "
                                           "pushes, found --send-queue=2")):
        counter.is_refused(WAIT, mode, flags, found)


for case in (lambda: goes_on("async", "async"),
             only_the_dead_are_replaced, another_pserver_is_noticed,
             counts_steps_as_the_others, is_refused_elsewhere):
    began = time.monotonic()
    case()
    print(f"{time.monotonic() - began:.1f} s")
