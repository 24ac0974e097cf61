"""Compiles random graphs that look tables up, for one process and for jobs.

usage: random_tables.py SEED JOBS

Every stage must take what the one before made (its verifiers say so), each
table that is trained must be fetched and pushed once, and each lookup must have
its gradient in the trainer.
"""

import pathlib
import random
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Inputs"))
from table_graph import Graph  # noqa: E402

def ps_opt(text, *options):
    result = subprocess.run(["ps-opt", "--verify-roundtrip", *options],
                            input=text.encode(), capture_output=True)
    if result.returncode:
        sys.exit(f"{text}{options}\n{result.stderr.decode()}")
    return result.stdout.decode()


def count(text, op):
    return len(re.findall(rf"\b{op} ", text))


def check(expected, found, what, text):
    if expected != found:
        sys.exit(f"{text}\nexpected {expected} {what}, found {found}")


def run_job():
    graph = Graph()
    text = graph.text()
    trained = len(set(graph.parts))
    local = ps_opt(text, "--ps-compile=batch-size=4")
    check(trained, count(local, "exec.prefetch"), "prefetches", text)
    check(trained, count(local, "exec.update_rows"), "updates", text)
    forward = ps_opt(text, "--ps-compile=batch-size=4 forward-only=true")
    check(0, count(forward, "exec.lookup_gradient"), "gradients", text)

    servers = random.choice((1, 2, 3))
    endpoints = ",".join(f"h:{i + 1}" for i in range(servers))
    cached = len({table for table in graph.parts
                  if "cache_rows" in graph.attributes[table]})
    mode = random.choice(("sync", "async", "half-async")[:1 if cached else 3])
    job = ps_opt(text, f"--ps-transpile=pservers={endpoints} "
                       f"trainers={random.randint(1, 3)} mode={mode}")
    trainer = ps_opt(job, "--ps-compile=program=trainer function=train "
                          "batch-size=4")
    check(trained, count(trainer, "exec.push_rows"), "pushes", text)
    check(cached, count(trainer, "exec.update_rows"), "updates of copies", text)
    # Equal lookups are one, whose gradient is then added once for each.
    lookups = count(trainer, "exec.lookup")
    check(True, lookups <= count(trainer, "exec.lookup_gradient"),
          "gradients of lookups", text)
    for i in range(servers):
        server = ps_opt(job, f"--ps-compile=program=pserver_{i}")
        check(trained, count(server, "exec.update_rows"), "updates", text)


if __name__ == "__main__":
    random.seed(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        run_job()
