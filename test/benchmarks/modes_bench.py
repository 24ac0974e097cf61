# SPDX-License-Identifier: Apache-2.0
"""How fast several trainers are in different modes: the same graph and data,
in alternating runs.

usage: modes_bench.py BIN GRAPH --data=DATA [--modes="async;geo geo-steps=400"]
                      [--trainers=2] [--pservers=1] [--batch-size=1024]
                      [--steps=2000] [--repeat=5] [--rate=1gbit] [--pin]

BIN holds ps-opt and ps-run. One thread per process, on loopback, or with --rate
with the pservers behind a link of that rate in each direction; that needs root
and iproute2. Prints rows as Table.h does, for each mode: the median of its runs
in samples per second of all trainers, from the moment at which the last of them
has its initial values to that at which the last one ends, and how many times
that of the first mode it is.
"""
import argparse
import statistics

from job import Job, run
from table import row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("graph")
    parser.add_argument("--data", required=True)
    parser.add_argument("--modes", default="async;geo geo-steps=400")
    parser.add_argument("--rate", default="")
    parser.add_argument("--pin", action="store_true")
    for name, default in (("trainers", 2), ("pservers", 1),
                          ("batch-size", 1024), ("steps", 2000),
                          ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = vars(parser.parse_args())
    modes, repeat = options.pop("modes").split(";"), options.pop("repeat")
    runs = {mode: [] for mode in modes}
    for _ in range(repeat):
        for mode in modes:
            runs[mode].append(run(Job(mode=mode, **options)).whole)
    first = statistics.median(runs[modes[0]])
    for mode in modes:
        rate = statistics.median(runs[mode])
        row(mode, rate, "samples/s")
        if mode != modes[0]:
            row(f"{mode} against {modes[0]}", rate / first, "x")


if __name__ == "__main__":
    main()
