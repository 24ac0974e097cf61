"""Random graphs that look tables up: jobs train the same rows, to the last bit,
with and without copies of rows in the trainers, and one process trains them,
too.

usage: tables-random.py FOLDER SEED JOBS
"""
# RUN: %python %s %t 1 12

import pathlib
import random
import re
import shutil
import sys

from job import run

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Inputs"))
from table_graph import Graph  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1])
EXTREMES = [0, -1, 2**40, -2**63, 2**63 - 1]


def draw_id():
    # Some graphs double ids; a table has 100 rows.
    return random.choice(EXTREMES) if random.random() < 0.2 else (
        random.randrange(30))


def write_samples(path, graph, count):
    """As MultiSlot text, a slot for each feed of `graph` but offsets; gives the
    --data string."""
    feeds = [(name, type) for name, type in graph.arguments.items()
             if not name.endswith(".offsets")]
    # Weights are as many as the ids that they belong to.
    lengths = {}
    lines = []
    for _ in range(count):
        slots = []
        for name, type in feeds:
            length = lengths[name.removesuffix(".weights")] = (
                1 if type in ("?xi64", "?x1xf32") and name[0] != "s" else
                2 if type == "?x2xi64" else
                lengths[name.removesuffix(".weights")]
                if name.endswith(".weights") else random.randrange(5))
            draw = (lambda: random.randrange(2)) if name == "label" else (
                lambda: random.choice((0.5, 1, 2))) if "." in name else draw_id
            slots.append(" ".join(str(value) for value in
                                  [length, *(draw() for _ in range(length))]))
        lines.append(" ".join(slots) + "\n")
    path.write_text("".join(lines))
    names = ",".join(f"{name}:{'i' if type.endswith('i64') else 'f'}"
                     for name, type in feeds)
    return f"--data=multislot:{path}#slots={names}#empty"


def run_job(folder):
    folder.mkdir(parents=True)
    graph = Graph(initial="#ps.uniform<min = -0.5, max = 0.5>", mean=True)
    cached = graph.text()
    trainers, pservers = random.randint(1, 3), random.randint(1, 3)
    batch, epochs = random.randint(1, 4), random.randint(1, 2)
    data = write_samples(folder / "samples.txt", graph,
                         trainers * batch * random.randint(2, 6))
    cached = cached.replace("cache_rows = 7", f"cache_rows = "
                            f"{random.choice((1, 7, 50))}")
    plain = re.sub(r" {cache_rows = \d+ : i64}", "", cached)
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    for name, text in (("cached", cached), ("plain", plain)):
        (folder / f"{name}.mlir").write_text(text)
        run("ps-opt", folder / f"{name}.mlir", "-o", folder / f"{name}-job.mlir",
            f"--ps-transpile=pservers={endpoints} trainers={trainers}")
        run("ps-run", folder / f"{name}-job.mlir", "--role=all", data,
            f"--batch-size={batch}", f"--epochs={epochs}", "--deterministic",
            f"--save={folder}/{name}")
    run("ps-run", folder / "plain.mlir", data, f"--epochs={epochs}",
        f"--batch-size={trainers * batch}", f"--save={folder}/local")
    run("ps-run", "compare", folder / "cached", folder / "plain")
    run("ps-run", "compare", folder / "plain", folder / "local",
        "--tolerance=1e-5")


seed, jobs = map(int, sys.argv[2:])
shutil.rmtree(FOLDER, ignore_errors=True)
for job in range(seed, seed + jobs):
    print(f"job {job}: again with {sys.argv[0]} FOLDER {job} 1", flush=True)
    random.seed(job)
    run_job(FOLDER / str(job))
