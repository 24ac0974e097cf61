# SPDX-License-Identifier: Apache-2.0
"""A job may be asked for other sizes at any moment, by several at once, and any
of its processes may be killed meanwhile, those that come, wait or leave
included, and not come back: one that keeps step saves the bits of a job that was not disturbed, and
where trainers do not keep step each sample counts once.

usage: resize-random.py FOLDER [--jobs=N] [--seed=S] [--first=I] [--etcd]

--etcd takes etcd as the coordinator of all jobs; by default it is that of each
fourth one, where there is an etcd.
"""
# RUN: %python %s %t --jobs=5

import collections
import json
import shutil
import signal
import subprocess
import time

from any_size import COUNT, GRAPH
from canonical import assert_same, canonical
from counter import BATCH, Counter
from etcd_members import Etcd
from job import DEADLINE, read_metrics, run
from protobuf import fields
from random_jobs import begin, make_parser, run_jobs
from supervised import Supervised

STEPS, MOST_KILLS, MOST_RESIZES = 3000, 3, 3
ROLES = ("pserver", "trainer")
# Each trainer adds the mean of its samples, which is 1.
DENSE = """
module @dense {
  ps.variable @w : tensor<5x3xf32> init(#ps.constant<0.0>)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<5x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


class Mode:
    """One way of training, with the numbers of pservers and trainers that leave
    its result as it is. Without `check` that is what an undisturbed job of as
    many trainers as the first of `trainers` saves."""

    def __init__(self, name, graph, data, batch, pservers, trainers, *flags,
                 check=None, steps=STEPS):
        self.name, self.graph, self.check = name, graph, check
        self.steps = steps
        self.sizes = {"pserver": pservers, "trainer": trainers}
        self.flags = (data, f"--global-batch-size={batch}", "--threads=1",
                      f"--steps={steps}", *flags)
        self.quiet = None

    def check_saved(self, saved, folder):
        if self.check:
            return self.check(saved)
        if not self.quiet:
            model = folder / f"{self.name}-quiet"
            run("ps-run", "launch", self.graph,
                f"--pservers={self.sizes['pserver'][0]}",
                f"--trainers={self.sizes['trainer'][0]}", *self.flags,
                f"--save={model}", f"--log-dir={folder}/log")
            self.quiet = canonical(model)
        return assert_same(canonical(saved), self.quiet)


def make_modes(folder):
    counter = Counter(folder)
    some = [1, 2, 3, 4]

    def write(name, text):
        path = folder / f"{name}.mlir"
        path.write_text(text)
        return path
    count = write("mean", COUNT)
    adagrad = write("adagrad", GRAPH.replace(
        "OPTIMIZER", "#ps.adagrad<learning_rate = 0.05>"))
    adam = write("adam", GRAPH.replace(
        "OPTIMIZER", "#ps.adam<learning_rate = 0.001>"))

    def counted(saved):
        return counter.check(saved, [STEPS], workers=6)
    return [
        Mode("sync", count, counter.data, 8, some, [2, 1, 4], "--shuffle",
             "--deterministic"),
        Mode("async", counter.graph, counter.data, 6 * BATCH, some, some,
             "--transpile=mode=async", check=counted),
        # Of another number of trainers sums are rounded in another way.
        Mode("sync-three", adagrad, counter.data, 6, some, [3], "--shuffle",
             "--deterministic"),
        Mode("collective", write("dense", DENSE), counter.data, 8, [0],
             [2, 1, 4], "--deterministic", steps=8 * STEPS),
        Mode("half-async", counter.graph, counter.data, 6 * BATCH, some, some,
             "--transpile=mode=half-async", check=counted),
        Mode("sync-two", adam, counter.data, 6, some, [2], "--deterministic"),
        Mode("async-queue", counter.graph, counter.data, 6 * BATCH, some, some,
             "--transpile=mode=async", "--send-queue=3", "--max-merge=2",
             check=counted),
    ]


class Elastic(Supervised):
    """A job that something starts further processes of, as it needs them, and
    whose coordinator others ask for other sizes."""

    def __init__(self, mode, folder, plan, etcd):
        self.mode, self.etcd = mode, etcd
        self.staffs = True
        self.requests, self.born, self.over = [], {}, None
        self.size = {role: plan.choice(mode.sizes[role]) for role in ROLES}
        folder.mkdir()
        flags = (*mode.flags, "--peer-timeout=6", "--connect-timeout=15",
                 f"--save={folder}/model", f"--checkpoint={folder}/checkpoints",
                 f"--checkpoint-every={plan.choice(['50', '130', '0.3s'])}",
                 f"--metrics={folder}/metrics")
        restarts = f"--max-restarts={MOST_KILLS + 1}"
        begin = (*(f"--{role}s={self.size[role]}" for role in ROLES), restarts)
        super().__init__(folder / "job", mode.graph, *self.size.values(),
                         (*flags, *(begin if etcd else ())),
                         ("--peer-timeout=6", restarts),
                         etcd=etcd and etcd.address(folder.name))

    def start(self, role):
        super().start(role)
        self.born[role] = time.monotonic()

    def needed(self):
        """As the coordinator has it: the processes of each role now, and of the
        size that was asked for."""
        now, wanted = collections.Counter(), {}
        if self.etcd:
            for number, value in fields(self.etcd.read(self.folder.parent.name)):
                if number == 4:
                    now[ROLES[dict(fields(value)).get(1, 0)]] += 1
                elif number == 17:
                    wanted = {ROLES[field - 1]: count for field, count in
                              fields(value) if field <= 2}
            return now, wanted
        try:
            record = json.loads((self.folder / "state.json").read_text())
        except OSError:
            return now, wanted
        for seat in record["seats"]:
            now[seat.get("role", "PSERVER").lower()] += 1
        if "resize" in record:
            wanted = {role: record["resize"].get(f"{role}s", 0)
                      for role in ROLES}
        return now, wanted

    def names(self, role):
        return [name for name in self.processes
                if name.startswith(role) and name not in self.exited]

    def tend(self):
        """Starts what was killed again, and what there is too little of.
        Whether any runs."""
        if not self.supervise():
            return False
        if self.over is None and self.has_trained():
            self.over = time.monotonic()
        if self.over is not None:
            return True
        now, wanted = self.needed()
        for role in ROLES:
            count = max(now[role], wanted.get(role, 0) if self.staffs else 0)
            for _ in range(count - len(self.names(role))):
                self.start(f"{role}-{len(self.starts)}")
        return True

    def has_trained(self):
        return any(code == 0 for role, code in self.exited.items()
                   if "not needed" not in self.processes[role].text())

    def tend_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.tend():
            time.sleep(0.05)

    def ask(self, size):
        """Another process, which asks for a size, and its answer."""
        waits = len(self.requests) % 3 != 2
        log = self.folder / f"resize-{len(self.requests)}.log"
        with open(log, "w") as out:
            process = subprocess.Popen(
                ["ps-run", "resize", self.address,
                 *(f"--{role}s={count}" for role, count in size.items()),
                 *([] if waits else ["--no-wait"])], stdout=out, stderr=out)
        self.requests.append((size, waits, process, log))

    def shrink(self, plan):
        """One process is gone for good; whether it was asked to go on without
        it."""
        now, _ = self.needed()
        names = [name for role in ROLES for name in self.names(role)
                 if min(self.mode.sizes[role]) < now[role]]
        if not names:
            return False
        gone = plan.choice(names)
        role = gone.partition("-")[0]
        self.lost.add(gone)
        self.kill(gone)
        self.ask({role: max(size for size in self.mode.sizes[role]
                            if size < now[role])})
        return True

    def settle(self):
        """Until all processes have ended."""
        end = time.monotonic() + DEADLINE
        while self.tend():
            assert time.monotonic() < end, f"still runs:\n{self.text()}"
            time.sleep(0.05)
        codes = [(role, code) for role, code in self.exited.items() if code and
                 role not in self.lost and not self.may_fail(role)]
        assert not codes, f"{codes}\n{self.text()}"
        return [self.outcome(*request) for request in self.requests]

    def may_fail(self, role):
        """One that nothing needs, or that the scheduler has not heard of before
        all was over: one of the two had just been started."""
        text = self.processes[role].text()
        if "already (after" in text and "the job has all of its" in text:
            return True
        if role == "scheduler":
            return "is the state of a job that has ended" in text
        return ("no scheduler answers" in text and
                max(self.born[role], self.born["scheduler"]) > self.over - 2)

    def outcome(self, size, waits, process, log):
        """What has become of a request."""
        code, text = process.wait(20), log.read_text()
        if code == 0 and waits and "the job trains with" in text:
            for role, count in size.items():
                assert f" {count} {role}" in text.splitlines()[-1], (size, text)
            return "done"
        if code == 0:
            assert text.count("\n") == 1 and "the job goes on with" in text, text
            return "asked"
        for reason in ("another request has taken the place", "has ended",
                       "no trainer has joined it yet", "etcd has no job",
                       "no scheduler answers"):
            if reason in text:
                return reason
        raise AssertionError(f"{size}: {text}\n{self.text()}")


def draw_size(mode, plan):
    size = {role: plan.choice(mode.sizes[role]) for role in ROLES
            if len(mode.sizes[role]) > 1}
    if len(size) > 1 and plan.random() < 0.4:
        size.pop(plan.choice(ROLES))
    return size


def disturb(mode, folder, plan, etcd, counts):
    job = Elastic(mode, folder, plan, etcd)
    events = (["resize"] * plan.randint(1, MOST_RESIZES) +
              ["kill"] * plan.choice([0, 1, 2, 2, MOST_KILLS]) +
              ["shrink"] * plan.choice([0, 0, 1]))
    plan.shuffle(events)
    for event in events:
        # Also just after another one.
        job.tend_for(plan.choice([plan.uniform(0, 1.5), plan.uniform(0, 0.1)]))
        if job.over is not None:
            break
        if event == "shrink":
            counts["lost for good"] += job.shrink(plan)
            continue
        if event == "resize":
            job.staffs = plan.random() < 0.85
            for _ in range(plan.choice([1, 1, 1, 2])):
                job.ask(draw_size(mode, plan))
            if plan.random() < 0.2:  # Withdrawn, or the size of then.
                job.tend_for(plan.uniform(0, 0.5))
                now, _ = job.needed()
                if now:  # Without a role that the job has none of.
                    job.ask({role: now[role] for role in ROLES if now[role]})
            continue
        alive = sorted({*job.processes} - {*job.exited})
        if "scheduler" in alive and plan.random() < 0.2:
            alive = ["scheduler"]
        if alive and job.kill(role := plan.choice(alive)):
            counts[f"killed {role.partition('-')[0]}"] += 1
    job.staffs = True
    counts.update(job.settle())
    mode.check_saved(folder / "model", folder.parent)
    steps = [line["step"] for line in
             read_metrics(folder / "metrics")
             if line["phase"] == "train"]
    assert steps == list(range(steps[0], steps[0] + mode.steps)), steps


def main():
    parser = make_parser(jobs=60)
    parser.add_argument("--etcd", action="store_true")
    options = begin(parser)
    modes = make_modes(options.folder)
    etcd = Etcd(options.folder, members=1) if shutil.which("etcd") else None
    counts = collections.Counter()

    def draw(index, plan):
        mode = modes[(options.seed + index) % len(modes)]
        uses = etcd and (options.etcd or (options.seed + index) % 4 == 0)
        return f"{mode.name}{'-etcd' * bool(uses)}", lambda folder: disturb(
            mode, folder, plan, etcd if uses else None, counts)
    try:
        run_jobs(options, draw, lambda: f"{dict(sorted(counts.items()))}")
    finally:
        if etcd:
            etcd.end()
    assert counts["done"] or options.jobs < len(modes), counts


main()
