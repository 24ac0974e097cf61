# SPDX-License-Identifier: Apache-2.0
"""What the log of a pserver costs while nothing fails: a job with
--recovery=log and one without, in alternating runs. Both take checkpoints.

usage: recovery_bench.py BIN GRAPH [--modes="sync;async"] [--trainers=2]
                         [--pservers=1] [--batch-size=512] [--steps=1000]
                         [--checkpoint-every=500] [--repeat=5]

GRAPH is one for the data synthetic:ctr. One thread per process, on loopback.
Prints rows as Table.h does, for each mode: the medians of samples per second of
all trainers.
"""
import argparse
import statistics

from job import Job, run
from table import row

DATA = "synthetic:ctr?n=200000&ids=100000&zipf=1.05"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("graph")
    parser.add_argument("--modes", default="sync;async")
    parser.add_argument("--data", default=DATA)
    for name, default in (("trainers", 2), ("pservers", 1),
                          ("batch-size", 512), ("steps", 1000),
                          ("checkpoint-every", 500), ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = vars(parser.parse_args())
    modes, repeat = options.pop("modes").split(";"), options.pop("repeat")
    for mode in modes:
        runs = {"rollback": [], "log": []}
        for _ in range(repeat):
            for recovery, rates in runs.items():
                rates.append(run(Job(mode=mode, recovery=recovery,
                                     **options)).whole)
        without, logged = map(statistics.median, runs.values())
        row(f"{mode}, no log", without, "samples/s")
        row(f"{mode}, with a log", logged, "samples/s")
        row(f"{mode}, with a log, of none", 100 * logged / without, "%",
            ">= 85 %")


if __name__ == "__main__":
    main()
