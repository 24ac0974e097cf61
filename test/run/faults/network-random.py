# SPDX-License-Identifier: Apache-2.0
"""Whatever networks do to the connections of a job, and processes that stand
still for a while, change no result: a job that keeps step saves the bytes of
one that was not disturbed, and where trainers do not keep step no gradient is
lost or counted twice.

usage: network-random.py FOLDER [--jobs=N] [--seed=S] [--first=I] [--only=FAULT]

Jobs I, I + 1, .. of a seed, N in all: each has a mode, and a plan of faults and
their moments, which begins with another kind of fault in each.
"""
# RUN: %python %s %t --jobs=3

import collections
import signal
import time

from canonical import assert_same_files
from counter import BATCH, Counter
from job import INPUTS, Job
from proxy import Proxy
from random_jobs import begin, make_parser, run_jobs
from row_model import make_samples, write_samples

STEPS = 1500
FAULTS_OF_A_JOB = 6


class Network:
    """The proxies and processes of a job, and what may happen to them."""

    def __init__(self, job, proxies, plan):
        self.job, self.proxies, self.plan = job, proxies, plan
        self.repeated = 0  # bytes

    def cut(self):
        self.proxy().cut(self.one_or_all())

    def reset(self):
        self.proxy().reset(self.one_or_all())

    def refuse(self):
        proxy = self.proxy()
        proxy.refuse()
        self.wait(1.5)
        proxy.accept()

    def half_open(self):
        """Nothing passes, then the connections end: what was under way is
        lost."""
        proxy = self.proxy()
        proxy.hold()
        self.wait(1.5)
        proxy.reset()
        proxy.release()

    def slow(self):
        proxy = self.proxy()
        proxy.bytes_per_second = self.plan.choice([20000, 200000])
        self.wait(1.5)
        proxy.bytes_per_second = None

    def reorder(self):
        """Each connection has a delay of its own, so calls arrive in another
        order than they were made."""
        proxy = self.proxy()
        proxy.latency = lambda: self.plan.uniform(0, 0.02)
        proxy.cut()
        self.wait(1.5)
        proxy.latency = lambda: 0
        proxy.cut()

    def duplicate(self):
        """Calls of one connection arrive twice."""
        proxy = self.proxy()
        proxy.record_next()
        proxy.cut()
        self.wait(1)
        self.repeated += proxy.repeat()

    def stop(self):
        process = self.plan.choice(self.job.processes)
        process.signal(signal.SIGSTOP)
        self.wait(1.5)
        process.signal(signal.SIGCONT)

    def proxy(self):
        return self.plan.choice(self.proxies)

    def one_or_all(self):
        """Heartbeats have a connection of their own."""
        return self.plan if self.plan.random() < 0.5 else None

    def wait(self, longest):
        time.sleep(self.plan.uniform(0, longest))


FAULTS = ["cut", "reset", "refuse", "half_open", "slow", "reorder", "duplicate",
          "stop"]


class Mode:
    """One way of training, and what its result has to be."""

    def __init__(self, name, graph, data, options, *flags, check=None):
        self.name, self.graph, self.data = name, graph, data
        self.options, self.flags, self.check = options, flags, check

    def train(self, folder, disturb):
        """Trains; `disturb` gets the job and its proxies. The model."""
        with Job(folder, 2, 2, self.graph, self.options) as job, \
                Proxy(job.endpoints[0]) as first, \
                Proxy(job.endpoints[1]) as second:
            ends = f"--pserver-endpoints={first.endpoint},{second.endpoint}"
            for index in (0, 1):
                job.pserver(index)
            for index in (0, 1):
                job.trainer(index, ends, f"--batch-size={BATCH}",
                            f"--steps={STEPS}", "--log-every=1",
                            "--transport=grpc", f"--save={folder}/model",
                            *self.flags, data=self.data)
            job.processes[2].wait_for("steps/s")
            disturb(job, [first, second])
            job.ends_well()
        return folder / "model"

    def prepare(self, folder):
        if self.check is None:
            quiet = self.train(folder / f"{self.name}-quiet", lambda *_: None)
            self.check = lambda model: assert_same_files(model, quiet)


def make_modes(folder):
    counter = Counter(folder)
    samples = write_samples(folder / "mixed.txt", make_samples(96))

    def counted(name, options, *flags, tolerance=0.0):
        return Mode(name, counter.graph, counter.data, options, *flags,
                    check=lambda model: counter.check(model, [STEPS] * 2,
                                                      tolerance))
    return [
        Mode("sync", INPUTS / "mixed.mlir", f"--data={samples}",
             "min-block-size=3", "--deterministic"),
        counted("async", "mode=async"),
        counted("async-queue", "mode=async", "--send-queue=3", "--max-merge=2"),
        counted("half-async", "mode=half-async"),
        # Its sums are rounded; what is lost is a whole number or a half.
        counted("geo", "mode=geo geo-steps=7", tolerance=0.4),
    ]


def main():
    parser = make_parser(jobs=100)
    parser.add_argument("--only", choices=FAULTS)
    options = begin(parser)
    modes = make_modes(options.folder)
    counts = collections.Counter()

    def draw(index, plan):
        mode = plan.choice(modes)
        mode.prepare(options.folder)
        kinds = [options.only or FAULTS[(options.seed + index) % len(FAULTS)]]
        while len(kinds) < FAULTS_OF_A_JOB:
            kinds.append(options.only or plan.choice(FAULTS))

        def disturb(job, proxies):
            network = Network(job, proxies, plan)
            for kind in kinds:
                if all(each.process.poll() is not None
                       for each in job.processes[2:]):
                    break
                getattr(network, kind)()
                counts[kind] += 1
                network.wait(0.2)
            counts["bytes repeated"] += network.repeated
        return (f"{mode.name}-{'-'.join(kinds)}",
                lambda folder: mode.check(mode.train(folder, disturb)))
    run_jobs(options, draw, lambda: f"faults: {dict(sorted(counts.items()))}")


main()
