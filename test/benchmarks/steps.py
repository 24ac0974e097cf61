# SPDX-License-Identifier: Apache-2.0
"""Whole steps on one core, of ps-run and of PyTorch: how both are timed.

Rates are pairs of samples per second, by the clock and by processor time. The
latter includes the thread that feeds ours, and leaves out what starting takes;
it is the one to compare where the machine has other work.
"""
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time


# What models of images train on.
DIGITS = ("--data=synthetic:digits?n=2048", "--epochs=1000")


def run_graph(ps_run, graph, data, batch, steps, metrics):
    """The processor time of a run on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [ps_run, graph, f"--batch-size={batch}", "--threads=1",
         f"--steps={steps}", *data, f"--metrics={metrics}"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def time_graph(ps_run, graph, data, batch, warm_up, steps):
    """The rates of ps-run with the flags `data`, after the first `warm_up`
    steps."""
    with tempfile.TemporaryDirectory() as folder:
        metrics = pathlib.Path(folder) / "metrics.jsonl"
        short = run_graph(ps_run, graph, data, batch, warm_up, metrics)
        long = run_graph(ps_run, graph, data, batch, warm_up + steps, metrics)
        rates = [line["examples_per_second"]
                 for line in map(json.loads, metrics.read_text().splitlines())
                 if line["phase"] == "train"][warm_up:]
    return statistics.harmonic_mean(rates), steps * batch / (long - short)


def time_training(train, batch, warm_up, steps):
    """The rates of `train`, which makes the number of steps that it is given."""
    train(warm_up)
    clock, cpu = time.perf_counter(), time.process_time()
    train(steps)
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    return steps * batch / clock, steps * batch / cpu


def alternate(runs, repeat):
    """For each of `runs`, functions that return rates, the median of the rates
    by the clock and that by processor time; they run in turn."""
    rates = {who: [] for who in runs}
    for _ in range(repeat):
        for who, run in runs.items():
            rates[who].append(run())
    return {who: [statistics.median(column) for column in zip(*values)]
            for who, values in rates.items()}
