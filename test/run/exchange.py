"""Schedules, the clip by the global norm, and buckets: a job of T trainers and
S pservers ends where one process with T times the batch does. In one process,
and as processes over gRPC."""
# RUN: %python %s %t

import itertools
import json
import pathlib
import re
import sys

from job import DATA, INPUTS, run

FOLDER = pathlib.Path(sys.argv[1])
SCHEDULE = ("#ps.momentum<learning_rate = #ps.exponential_decay<learning_rate "
            "= 0.05, decay_steps = 5, decay_rate = 0.5>, momentum = 0.9>")
# What stands in ps.minimize for the optimizer. The norm is large at first.
RULES = {
    "schedule": f"using({SCHEDULE})",
    "norm": "using(#ps.sgd<learning_rate = 0.1>) "
            "clip(#ps.clip_by_global_norm<0.5>)",
    "both": f"using({SCHEDULE}) clip(#ps.clip_by_global_norm<0.5>) "
            "regularize(#ps.l2_decay<0.001>)",
}
OPTIONS = ["min-block-size=12",
           "min-block-size=12 bucket-bytes=100",
           "slice-var-up=false bucket-bytes=1000000"]
CELLS = [(1, 2), (2, 2), (3, 2), (2, 7)]


def graph_of(rule):
    return FOLDER / f"{rule}.mlir"


def train(*arguments):
    run("ps-run", *arguments, DATA, "--steps=20", "--seed=7", "--threads=1",
        "--shuffle")


def compare(saved, rule, trainers):
    out, _ = run("ps-run", "compare", saved, FOLDER / f"{rule}-{trainers}",
                 "--tolerance=1e-5")
    assert "over 4 variables" in out, out
    return float(re.search(r"max relative difference (\S+)", out)[1])


def run_all(number, rule, options, trainers, pservers):
    saved = FOLDER / f"job-{number}"
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    program = FOLDER / f"job-{number}.mlir"
    run("ps-opt", graph_of(rule), "-o", program, "--ps-transpile="
        f"pservers={endpoints} trainers={trainers} {options}")
    train(program, "--role=all", "--batch-size=6", f"--save={saved}")
    return compare(saved, rule, trainers)


def check_messages(rule, options, **expected):
    """What a trainer exchanges in a step, by the trace of its nodes: for each
    kind of node names of blocks, one list per message."""
    program, trace = FOLDER / "messages.mlir", FOLDER / "messages.json"
    run("ps-opt", graph_of(rule), "-o", program, "--ps-transpile="
        f"pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2 {options}")
    train(program, "--role=all", "--batch-size=6", f"--trace={trace}")
    events = json.loads(trace.read_text())["traceEvents"]
    trainer, = (event["pid"] for event in events
                if event["name"] == "process_name" and
                event["args"]["name"] == "trainer 0")
    events = [event for event in events if event["pid"] == trainer]
    for kind in ("send", "recv", "push_pull"):
        found = sorted(event["name"].removeprefix(kind + " ")
                       for event in events if event.get("cat") == kind and
                       event["ph"] == "b" and event["args"]["step"] == 7)
        assert found == sorted(expected.get(kind, [])), (options, kind, found)


def launch(rule, options):
    saved = FOLDER / f"launched-{rule}"
    train("launch", graph_of(rule), "--trainers=2", "--pservers=2",
          f"--transpile={options}", f"--log-dir={saved}-log", "--batch-size=6",
          f"--save={saved}")
    return compare(saved, rule, 2)


FOLDER.mkdir(parents=True, exist_ok=True)
for rule, text in RULES.items():
    graph_of(rule).write_text((INPUTS / "linear.mlir.in").read_text().replace(
        "using(OPTIMIZER)", text))
    for trainers in (1, 2, 3):
        train(graph_of(rule), f"--batch-size={6 * trainers}",
              f"--save={FOLDER}/{rule}-{trainers}")
# The rules do what they say: they change what is learned.
for one, other in itertools.combinations(RULES, 2):
    run("ps-run", "compare", FOLDER / f"{one}-2", FOLDER / f"{other}-2",
        "--tolerance=1e-3", code=1)

# Small blocks of a pserver share a message each way, with buckets or without.
for bucket in ("", "bucket-bytes=1000"):
    check_messages("schedule", f"slice-var-up=false {bucket}",
                   push_pull=["@a_b, @b_b", "@a_w, @b_w"])
# Where steps have two rounds, pushes in the order of the backward pass, and
# pulls in that of the blocks. The squares of a pserver are one more message, and
# so is the norm.
check_messages("norm", "slice-var-up=false bucket-bytes=1000",
               send=["@b_b, @a_b", "@b_w, @a_w", "@global_norm",
                     "@global_norm"],
               recv=["@a_b, @b_b", "@a_w, @b_w", "@a_b.squares, @b_b.squares",
                     "@a_w.squares, @b_w.squares"])

jobs = itertools.product(RULES, OPTIONS, CELLS)
largest = max(run_all(number, rule, options, *cell)
              for number, (rule, options, cell) in enumerate(jobs))
largest = max(largest, launch("both", OPTIONS[1]))
print("the largest difference is", largest)
