"""Times ps-opt --ps-transpile on generated graphs, and takes the most memory
that it held.

usage: transpile_bench.py PS_OPT
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PSERVERS = ",".join(f"127.0.0.1:{6174 + i}" for i in range(100))
GOALS = {10000: "<= 5 s"}


def row(what, value, unit, goal=""):
    """As in Table.h."""
    print(f"{what:<52} {value:12.3f} {unit:<9} {goal}", flush=True)


def transpile(ps_opt, graph):
    """Seconds, and MiB of memory."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [ps_opt, graph, f"--ps-transpile=pservers={PSERVERS} trainers=2",
         "-o", "/dev/null"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"ps-opt ended with {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def main(ps_opt):
    generate = pathlib.Path(__file__).with_name("generate_graph.py")
    with tempfile.TemporaryDirectory() as folder:
        for variables in (1250, 2500, 5000, 10000):
            graph = f"{folder}/{variables}.mlir"
            with open(graph, "w") as file:
                subprocess.run([sys.executable, generate, str(variables)],
                               stdout=file, check=True)
            runs = [transpile(ps_opt, graph) for _ in range(3)]
            seconds = statistics.median(time for time, _ in runs)
            memory = statistics.median(memory for _, memory in runs)
            row(f"transpile {variables} variables for 100 pservers", seconds,
                "s", GOALS.get(variables, ""))
            row("  per variable", seconds / variables * 1e6, "us")
            row("  memory", memory, "MiB")
            row("  per variable", memory / variables * 1024, "KiB")


if __name__ == "__main__":
    main(sys.argv[1])
