"""Random runs that are saved after some steps, at their end or on the way, and
go on from there equal the same runs undisturbed: in all bytes of all files that
they save, and up to rounding when others go on with them (another number of
processes, or one).

usage: resume-random.py FOLDER [SEED CASES]
"""
# RUN: %python %s %t

import pathlib
import random
import re
import shutil
import sys

from job import DATA, INPUTS, run
from row_model import graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 10
SCHEDULES = (
    "0.05", "0.05",
    "#ps.exponential_decay<learning_rate = 0.05, decay_steps = 3, "
    "decay_rate = 0.5>",
    "#ps.linear_warmup<learning_rate = #ps.inverse_time_decay<learning_rate = "
    "0.05, decay_steps = 7, decay_rate = 0.5>, warmup_steps = 5, start_lr = "
    "0.01, end_lr = 0.05>",
    "#ps.piecewise_decay<boundaries = [4, 9], values = [0.05, 0.02, 0.01]>")
# Norms of whole variables are for those that are no tables.
BY_ROW = ("sgd<{}>", "momentum<{}, momentum = 0.9>", "adam<{}>", "adamax<{}>",
          "adagrad<{}>", "rmsprop<{}, momentum = 0.5, centered = true>",
          "adadelta<{}>", "ftrl<{}>", "adamw<{}>")
WHOLE = ("lamb<{}>", "lars_momentum<{}, momentum = 0.9>")
TABLES = ("", "{cache_rows = 5 : i64}", "{admit_count = 3 : i64}",
          "{admit_probability = 0.6 : f64}",
          "{evict_age = 3 : i64, evict_every = 2 : i64}",
          '{accessor = #ps.ctr<click = "label", embedx_from = 1, '
          "embedx_threshold = 0.5, delete_threshold = 0.05>, evict_every = 2 : "
          "i64}")


class Case:
    def __init__(self, draw):
        self.draw = draw
        self.kind = draw.choice(("dense", "dense", "table", "recovered"))
        self.mode = draw.choice(("local", "job", "job", "job"))
        self.trainers = draw.randint(1, 3)
        self.pservers = draw.randint(1, 3)
        self.every, self.exact, self.options = 1, True, ""
        getattr(self, self.kind)()
        if self.mode == "local":
            self.trainers = 1
        per_epoch = self.samples // (self.batch * self.trainers)
        self.steps = self.every * draw.randint(2, max(2, 5 * per_epoch // 2 //
                                                      self.every))
        self.split = self.every * draw.randint(1, self.steps // self.every - 1)
        self.flags = [*draw.choice(([], ["--shuffle", f"--seed={draw.randrange(9)}"])),
                      *draw.choice(([], ["--remainder=pad"])),
                      # CSV files are not streamed.
                      *draw.choice(([], ["--data-mode=stream",
                                         "--shuffle-window=10"])
                                   if self.kind == "table" else ([],))]

    def optimizer(self, names):
        name = self.draw.choice(names)
        return "#ps." + name.format(
            f"learning_rate = {self.draw.choice(SCHEDULES)}")

    def dense(self):
        draw = self.draw
        self.samples, self.batch, self.data = 120, draw.randint(5, 12), DATA
        text = (INPUTS / "linear.mlir.in").read_text().replace(
            "OPTIMIZER", self.optimizer(BY_ROW + WHOLE))
        extra = draw.choice(("", "", " clip(#ps.clip_by_global_norm<0.5>)",
                             " regularize(#ps.l2_decay<0.01>)"))
        text = text.replace(") : tensor<f32>\n    return",
                            f"){extra} : tensor<f32>\n    return")
        self.options = f"min-block-size={draw.choice((4, 12, 8192))}"
        how = draw.choice(("plain", "plain", "reduced", "collective",
                           "accumulate", "wire"))
        if self.mode == "local":
            how = "plain"
        if how == "reduced":
            text = re.sub(r"(ps.variable @(?:a_w|b_b) .*)",
                          r"\1 {sync = all_reduce}", text)
        elif how == "collective":
            self.options, self.pservers = "mode=collective", 0
        elif how == "accumulate":
            self.options += " accumulate=2"
            self.every, self.exact = 2, False
        elif how == "wire":
            self.options += " wire=bf16"
            self.exact = False
        self.text = text

    def table(self):
        draw = self.draw
        attributes = draw.choice(TABLES)
        self.samples, self.batch = 36, draw.randint(2, 4)
        samples = make_samples(self.samples, seed=draw.randrange(99), ids=30)
        for sample in samples:
            sample.label = draw.randrange(2)
        self.data = f"--data={write_samples(HOME / 'samples.txt', samples)}"
        text = graph("sgd")
        text = re.sub(r"using\(.*\) :", lambda _:
                      f"using({self.optimizer(BY_ROW)}) :", text)
        self.text = text.replace(
            "init(#ps.constant<0.5>)",
            f"init(#ps.uniform<min = -0.5, max = 0.5>) {attributes}")

    def recovered(self):
        draw = self.draw
        self.samples, self.batch = 60, draw.randint(3, 8)
        (HOME / "ids.csv").write_text("".join(
            f"{draw.randrange(50)},{draw.randrange(9)},{draw.random():.3f}\n"
            for _ in range(self.samples)))
        self.data = f"--data=csv:{HOME}/ids.csv"
        self.text = re.sub(
            r"using\(.*\) :",
            lambda _: f"using({self.optimizer(('adagrad<{}>', 'sgd<{}>'))}) :",
            (INPUTS / "gathered.mlir").read_text())

    def __str__(self):
        return (f"{self.kind}, {self.mode}, {self.trainers} trainers, "
                f"{self.pservers} pservers, batch {self.batch}, {self.options}, "
                f"{self.split} of {self.steps} steps, {' '.join(self.flags)}")


def compile_job(graph, name, trainers, pservers, options):
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    run("ps-opt", graph, "-o", HOME / f"{name}.mlir",
        f"--ps-transpile={f'pservers={endpoints}' if pservers else ''} "
        f"trainers={trainers} {options}")
    return [HOME / f"{name}.mlir", "--role=all"]


def same_bytes(left, right):
    names = {path.name for path in left.iterdir()}
    assert names == {path.name for path in right.iterdir()}, (
        names, list(right.iterdir()))
    assert {"model.safetensors", "training.json"} <= names, names
    assert not any(".tmp" in name for name in names), names
    for name in names:
        assert (left / name).read_bytes() == (right / name).read_bytes(), (
            f"{left / name} and {right / name} differ")


def check(case):
    path = HOME / "graph.mlir"
    path.write_text(case.text)
    program = [path] if case.mode == "local" else compile_job(
        path, "job", case.trainers, case.pservers, case.options)

    def train(name, steps, *flags, program=program, batch=case.batch):
        run("ps-run", *program, case.data, f"--batch-size={batch}",
            "--deterministic", f"--steps={steps}", f"--save={HOME / name}",
            *case.flags, *flags)

    rest = case.steps - case.split
    train("whole", case.steps)
    train("half", case.split)
    train("halves", rest, f"--load={HOME}/half")
    same_bytes(HOME / "whole", HOME / "halves")
    # What is saved on the way has the files of a run that ends there, changes
    # nothing, and is what the run goes on from.
    checkpoints = HOME / "checkpoints"
    series = [f"--checkpoint={checkpoints}", f"--checkpoint-every={case.split}"]
    train("watched", case.steps, *series, "--keep=99")
    same_bytes(HOME / "whole", HOME / "watched")
    first, *later = sorted(checkpoints.iterdir())
    for saved in (HOME / "half").iterdir():
        if saved.name != "training.json":
            assert saved.read_bytes() == (first / saved.name).read_bytes(), saved
    for folder in later:
        shutil.rmtree(folder)
    train("resumed", case.steps, *series, "--resume")
    same_bytes(HOME / "whole", HOME / "resumed")
    if not case.exact:
        return
    # One process, and a job of another shape, go on with it.
    together = case.batch * case.trainers
    train("local", rest, f"--load={HOME}/half", program=[path],
          batch=together)
    run("ps-run", "compare", HOME / "whole", HOME / "local",
        "--tolerance=1e-4")
    if case.options != "mode=collective":
        other = compile_job(path, "other", 1, case.draw.randint(1, 3),
                            case.options)
        train("other", rest, f"--load={HOME}/half", program=other,
              batch=together)
        run("ps-run", "compare", HOME / "whole", HOME / "other",
            "--tolerance=1e-4")
        # What that leaves is what the first shape goes on with, too.
        for name, program in (("back", program), ("local-back", [path])):
            train(name, 2, f"--load={HOME}/other", program=program,
                  batch=case.batch if name == "back" else together)
        run("ps-run", "compare", HOME / "back", HOME / "local-back",
            "--tolerance=1e-4")


shutil.rmtree(FOLDER, ignore_errors=True)
for seed in range(SEED, SEED + CASES):
    HOME = FOLDER / str(seed)
    HOME.mkdir(parents=True)
    case = Case(random.Random(seed))
    print(f"{case}: again with {sys.argv[0]} FOLDER {seed} 1", flush=True)
    check(case)
    shutil.rmtree(HOME)
