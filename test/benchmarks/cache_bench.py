# SPDX-License-Identifier: Apache-2.0
"""What copies of rows (cache_rows) save on a network: the same job with and
without them.

usage: cache_bench.py BIN GRAPH --data=DATA [--cache-rows=N] [--rate=200mbit]
                      [--trainers=1] [--batch-size=1024] [--steps=60]
                      [--repeat=5]

BIN holds ps-opt and ps-run. All tables of the graph that are declared in one
line without attributes keep copies. One pserver, one thread per process, in
alternating runs. With --rate the pserver runs in a network namespace of its
own behind a link of that rate in each direction; that needs root and iproute2.

Prints rows as Table.h does, for each of the two: the median of its runs in
samples per second, and of trainer 0 the bytes that the link brought it per
step (with --rate) and what came of the rows that it asked for.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

from link import link, listen_flags, moved
from table import row

PORT, WARM_UP = 26174, 10


def with_copies(text, rows):
    text, count = re.subn(r"^( *ps\.table @\S+ : \S+ init\([^{}\n]*\))$",
                          rf"\1 {{cache_rows = {rows} : i64}}", text,
                          flags=re.M)
    assert count, "no table is declared in one line without attributes"
    return text


def run(options, text, address, inside):
    """Examples per second, bytes per step and the counters of trainer 0."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "graph.mlir").write_text(text)
        subprocess.run(
            [f"{options.bin}/ps-opt", folder / "graph.mlir", "-o",
             folder / "dist.mlir", f"--ps-transpile=pservers={address}:{PORT} "
             f"trainers={options.trainers}"], check=True)
        before = moved()
        with open(folder / "log", "w") as log:
            server = subprocess.Popen(
                [*inside, f"{options.bin}/ps-run", folder / "dist.mlir",
                 "--role=pserver", f"--endpoint={address}:{PORT}",
                 "--threads=1", *listen_flags(inside)], stdout=log,
                stderr=log)
            trainers = [subprocess.Popen(
                [f"{options.bin}/ps-run", folder / "dist.mlir",
                 "--role=trainer", f"--trainer-id={i}", "--threads=1",
                 f"--data={options.data}", f"--steps={options.steps}",
                 f"--batch-size={options.batch_size}",
                 f"--metrics={folder}/metrics-{i}"], stdout=log, stderr=log)
                for i in range(options.trainers)]
            codes = [process.wait() for process in [*trainers, server]]
        assert not any(codes), (folder / "log").read_text()
        records = [json.loads(line) for line in open(folder / "metrics-0")]
    rates = [record["examples_per_second"] for record in records
             if record["phase"] == "train"]
    after = moved()
    counters = collections.Counter()
    for name, value in records[-1].items():
        if ".cache_" in name:
            counters[name.split(".cache_")[1]] += value
    return (statistics.median(rates[WARM_UP:]),
            (after[0] - before[0]) / options.steps if after else None,
            counters)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("graph")
    parser.add_argument("--data", required=True)
    parser.add_argument("--rate")
    for name, default in (("cache-rows", 1000000), ("trainers", 1),
                          ("batch-size", 1024), ("steps", 60), ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    text = pathlib.Path(options.graph).read_text()
    texts = {"without": text, "with": with_copies(text, options.cache_rows)}
    runs = {name: [] for name in texts}
    with link(options.rate) as (address, inside):
        for _ in range(options.repeat):
            for name, each in texts.items():
                runs[name].append(run(options, each, address, inside))
    job = f"{options.rate or 'loopback'}, {options.trainers} trainer(s), "
    medians = {}
    for name, results in runs.items():
        rates, bytes_per_step, counters = zip(*results)
        medians[name] = statistics.median(rates)
        what = f"{job}{name} copies"
        row(what, medians[name], "samples/s")
        if options.rate:
            row(f"{what}, to a trainer", statistics.median(bytes_per_step) / 1e3,
                "kB/step")
        for counter, count in counters[-1].items():
            row(f"{what}, {counter}", count, "rows")
    row(f"{job}with copies against without",
        medians["with"] / medians["without"], "x")


main()
