"""Times ps-opt --ps-transpile on generated graphs.

usage: transpile_bench.py PS_OPT
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PSERVERS = ",".join(f"127.0.0.1:{6174 + i}" for i in range(50))
GOALS = {2000: "<= 3 s"}


def row(what, value, unit, goal=""):
    """As in Table.h."""
    print(f"{what:<52} {value:12.3f} {unit:<9} {goal}", flush=True)


def transpile(ps_opt, graph):
    begin = time.monotonic()
    subprocess.run(
        [ps_opt, graph, f"--ps-transpile=pservers={PSERVERS} trainers=2",
         "-o", "/dev/null"], check=True)
    return time.monotonic() - begin


def main(ps_opt):
    generate = pathlib.Path(__file__).with_name("generate_graph.py")
    with tempfile.TemporaryDirectory() as folder:
        for variables in (500, 1000, 2000, 10000):
            graph = f"{folder}/{variables}.mlir"
            with open(graph, "w") as file:
                subprocess.run([sys.executable, generate, str(variables)],
                               stdout=file, check=True)
            seconds = statistics.median(
                transpile(ps_opt, graph) for _ in range(3))
            row(f"transpile {variables} variables for 50 pservers", seconds,
                "s", GOALS.get(variables, ""))
            row("  per variable", seconds / variables * 1e6, "us")


if __name__ == "__main__":
    main(sys.argv[1])
