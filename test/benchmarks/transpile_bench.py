# SPDX-License-Identifier: Apache-2.0
"""Times the compiler on generated graphs, and takes the most memory that it
held: ps-opt --ps-transpile on many variables, and ps-run on a long chain.

usage: transpile_bench.py BIN [--quick] [--limit=120]

BIN holds ps-opt and ps-run. --quick leaves the large graphs out. What takes
more than --limit seconds is ended, and a line names it in place of its figures.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from table import row

HERE = pathlib.Path(__file__).parent
CHAIN = HERE.parent / "compiler" / "Inputs" / "deep_graph.py"
# Shape of the graph, variables, pservers, runs of which the median counts, and
# the goal in seconds.
QUICK = [("deep", 1250, 100, 3, None), ("deep", 2500, 100, 3, None)]
GRAPHS = QUICK + [
    ("deep", 5000, 100, 3, None),
    ("deep", 10000, 100, 3, 3),
    ("wide", 10000, 100, 3, 3),
    ("deep", 100000, 1000, 1, 60),
    ("wide", 100000, 1000, 1, 60),
]


def measure(command, limit):
    """Seconds, and MiB of memory; None for what took longer than `limit`."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if seconds >= limit:
        return None
    if process.returncode:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def print_rows(what, command, runs, goal, limit):
    """The medians of some runs, of which slow ones are not repeated."""
    results = []
    while len(results) < runs and (not results or results[-1][0] < limit / 6):
        result = measure(command, limit)
        if result is None:
            print(f"{what}: ended after {limit} s", flush=True)
            return
        results.append(result)
    seconds, memory = map(statistics.median, zip(*results))
    row(what, seconds, "s", f"<= {goal} s" if goal else "")
    row(f"{what}, memory", memory, "MiB")


def generate(file, script, *arguments):
    with open(file, "w") as output:
        subprocess.run([sys.executable, script, *arguments], stdout=output,
                       check=True)


def transpile(options, folder, shape, variables, pservers, runs, goal):
    graph = f"{folder}/graph.mlir"
    generate(graph, HERE / "generate_graph.py", str(variables),
             f"--shape={shape}")
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    print_rows(f"{shape}, {variables:,} variables, {pservers:,} pservers",
               [f"{options.bin}/ps-opt", graph, "-o", "/dev/null",
                f"--ps-transpile=pservers={endpoints} trainers=2"],
               runs, goal, options.limit)


def run_chain(options, folder, ops, goal):
    graph = f"{folder}/chain.mlir"
    generate(graph, CHAIN, "sums", str(ops))
    print_rows(f"chain of {ops:,} ops, compiled and run",
               [f"{options.bin}/ps-run", graph, "--entry=main"],
               1, goal, options.limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", help="folder of ps-opt and ps-run")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for graph in QUICK if options.quick else GRAPHS:
            transpile(options, folder, *graph)
        run_chain(options, folder, 20000, None)
        if not options.quick:
            run_chain(options, folder, 200000, 30)


main()
