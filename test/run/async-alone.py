"""With one trainer there is nobody to keep step with: async, half-async and geo
train as one process does, whatever the optimizer and schedule, and with
--deterministic or without staleness tables, too; with two trainers geo
converges.

usage: async-alone.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import DATA, INPUTS, Job, run
from row_model import graph as graph_of_table, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
SGD = (INPUTS / "linear_sgd.mlir").read_text()
ADAM = re.sub(r"#ps\.sgd<[^>]*>", "#ps.adam<learning_rate = 0.01>", SGD)
SCHEDULED = re.sub(
    r"#ps\.sgd<[^>]*>", "#ps.sgd<learning_rate = #ps.exponential_decay<"
    "learning_rate = 0.01, decay_steps = 3, decay_rate = 0.5>>", SGD)
FLAGS = [DATA, "--batch-size=8", "--steps=20"]


def train(name, *command):
    run("ps-run", *command, *FLAGS, f"--save={FOLDER / name}")
    return FOLDER / name


for name, text in (("sgd", SGD), ("adam", ADAM), ("scheduled", SCHEDULED)):
    graph = FOLDER / f"{name}.mlir"
    graph.write_text(text)
    local = train(f"{name}-local", graph)
    for mode in ("async", "half-async", "geo geo-steps=4", "geo geo-steps=7"):
        if mode.startswith("geo") and text is not SGD:
            continue
        with Job(FOLDER / f"{name}-{mode.split()[0]}", pservers=2, trainers=1,
                 graph=graph, options=f"mode={mode}") as job:
            run("ps-run", "compare", local, train(
                f"{name}-all", job.program, "--role=all"), "--tolerance=1e-5")

# Rows are not asked for before the update of the step before, with
# --deterministic or no staleness.
samples = make_samples(40)
data = write_samples(FOLDER / "samples.txt", samples)
FLAGS[:] = [f"--data={data}", "--batch-size=8", "--steps=60"]
for rule in ("adagrad", "scheduled"):
    graph = FOLDER / f"table-{rule}.mlir"
    graph.write_text(graph_of_table(rule))
    local = train(f"{rule}-local", graph)
    for mode, flag in (("half-async", "--deterministic"),
                       ("async staleness=0", "--threads=2")):
        with Job(FOLDER / f"table-{rule}-{mode.split()[0]}", pservers=2,
                 trainers=1, graph=graph, options=f"mode={mode}") as job:
            for i in range(4):
                run("ps-run", "compare", local, train(
                    f"{rule}-all{i}", job.program, "--role=all", flag),
                    "--tolerance=1e-5")

# Trainers that see different samples meet in the middle. The noise of the steps
# after their last exchange vanishes with the rate.
graph = FOLDER / "decaying.mlir"
graph.write_text(re.sub(
    r"#ps\.sgd<[^>]*>", "#ps.sgd<learning_rate = #ps.exponential_decay<"
    "learning_rate = 0.05, decay_steps = 100, decay_rate = 0.5>>", SGD))
FLAGS = [DATA, "--batch-size=4", "--steps=800"]
local = train("long", graph)
with Job(FOLDER / "two", pservers=2, trainers=2, graph=graph,
         options="mode=geo geo-steps=5") as job:
    for index in (0, 1):
        job.pserver(index)
        job.trainer(index, *FLAGS[1:],
                    *([f"--save={FOLDER / 'two-saved'}"] if index == 0 else []))
    job.ends_well()
losses = []
for model in (local, FOLDER / "two-saved"):
    out, _ = run("ps-run", graph, DATA.replace("--data", "--eval-data"),
                 "--batch-size=8", f"--load={model}")
    losses.append(float(re.search(r"loss (\S+)", out).group(1)))
assert losses[1] <= 1.1 * losses[0] + 1e-3, losses
