# SPDX-License-Identifier: Apache-2.0
"""How fast several trainers are in different modes: the same graph and data,
in alternating runs.

usage: modes_bench.py BIN GRAPH --data=DATA [--modes="async;geo geo-steps=400"]
                      [--trainers=2] [--pservers=1] [--batch-size=1024]
                      [--steps=2000] [--repeat=5]

BIN holds ps-opt and ps-run. One thread per process, on loopback. Prints rows as
Table.h does, for each mode: the median of its runs in samples per second of all
trainers, from the moment at which the last of them has its initial values to
that at which the last one ends, and how many times that of the first mode it
is.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

from table import row


class Trainer:
    """A process, and when it began and ended to train."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.began = None
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            if line.startswith("Communicator start"):
                self.began = time.monotonic()
        self.code = self.process.wait()
        self.ended = time.monotonic()


def run(options, mode):
    """Samples per second."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "dist.mlir"
        subprocess.run(
            [f"{options.bin}/ps-opt", options.graph, "-o", program,
             f"--ps-transpile=pservers={options.pservers} "
             f"trainers={options.trainers} mode={mode}"], check=True)
        run_it = [f"{options.bin}/ps-run", program, "--threads=1",
                  f"--address-file={folder}/addresses"]
        servers = [subprocess.Popen([*run_it, "--role=pserver",
                                     f"--server={i}",
                                     "--listen=127.0.0.1:0"],
                                    stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
                   for i in range(options.pservers)]
        trainers = [Trainer(*run_it, "--role=trainer", f"--trainer-id={i}",
                            f"--data={options.data}",
                            f"--steps={options.steps}",
                            f"--batch-size={options.batch_size}")
                    for i in range(options.trainers)]
        for trainer in trainers:
            trainer.thread.join()
        codes = [each.code for each in trainers]
        codes += [server.wait() for server in servers]
        assert not any(codes), [each.lines for each in trainers]
    seconds = (max(each.ended for each in trainers) -
               max(each.began for each in trainers))
    return options.trainers * options.steps * options.batch_size / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("graph")
    parser.add_argument("--data", required=True)
    parser.add_argument("--modes", default="async;geo geo-steps=400")
    for name, default in (("trainers", 2), ("pservers", 1),
                          ("batch-size", 1024), ("steps", 2000),
                          ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    modes = options.modes.split(";")
    runs = {mode: [] for mode in modes}
    for _ in range(options.repeat):
        for mode in modes:
            runs[mode].append(run(options, mode))
    first = statistics.median(runs[modes[0]])
    for mode in modes:
        rate = statistics.median(runs[mode])
        row(mode, rate, "samples/s")
        if mode != modes[0]:
            row(f"{mode} against {modes[0]}", rate / first, "x")


if __name__ == "__main__":
    main()
