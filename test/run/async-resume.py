"""What pservers of a job of mode async have counted for a schedule is saved
once, and goes on when the job is continued.

usage: async-resume.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import DATA, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
GRAPH = pathlib.Path(__file__).parent / "Inputs" / "linear_sgd.mlir"
SCHEDULE = ("#ps.exponential_decay<learning_rate = 0.1, decay_steps = 4, "
            "decay_rate = 0.5>")

text = GRAPH.read_text()
assert text.count("learning_rate = 0.05") == 1
graph = FOLDER / "graph.mlir"
graph.write_text(text.replace("learning_rate = 0.05",
                              f"learning_rate = {SCHEDULE}"))
program = FOLDER / "dist.mlir"
run("ps-opt", graph, "--ps-transpile=pservers=1 trainers=1 mode=async", "-o",
    program)


def train(steps, saved, *flags):
    run("ps-run", program, "--role=all", DATA, "--batch-size=6",
        f"--steps={steps}", f"--save={saved}", *flags)


def counted(saved):
    return [value for path in saved.glob("*.safetensors")
            for name, (_, (value, *_)) in read_model(path).items()
            if name.startswith("global_step")]


half, resumed = FOLDER / "half", FOLDER / "resumed"
train(5, half)
assert counted(half) == [5], counted(half)
train(7, resumed, f"--load={half}")
assert counted(resumed) == [12], counted(resumed)
