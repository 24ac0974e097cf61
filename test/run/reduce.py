"""Jobs whose trainers reduce gradients among themselves, all of them (mode
collective) or those of some variables (hybrid), and jobs that accumulate
gradients over several batches, equal one process with the whole batch."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import DATA, INPUTS, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
BATCH, TOLERANCE = 2, "1e-5"
SGD = "#ps.sgd<learning_rate = 0.05>"
OPTIMIZERS = {
    "sgd": "#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.1, "
           "decay_steps = 2, decay_rate = 0.5>>",
    "momentum": "#ps.momentum<learning_rate = 0.05, momentum = 0.9>",
    "norm": f"{SGD}) clip(#ps.clip_by_global_norm<0.1>",
}
COLLECTIVE = "mode=collective"
SYNC = "pservers=h:1,h:2 min-block-size=12"
TEXT = (INPUTS / "linear.mlir.in").read_text()
# A large and a small variable stay with the trainers.
HYBRID = re.sub(r"(ps.variable @(?:a_w|b_b) .*)", r"\1 {sync = all_reduce}",
                TEXT)
# The step also shows a number of a variable that the trainers reduce, updated.
NUMBER = "scale_s"
WITH_NUMBER = HYBRID.replace(
    "  func.func", f"  ps.variable @{NUMBER} : tensor<f32> "
    "init(#ps.constant<1.0>) {sync = all_reduce}\n\n  func.func").replace(
    '"loss"})', f'"loss"}},\n          tensor<f32> {{ps.fetch = "{NUMBER}"}})'
).replace("    %sum = ", f"    %scale = ps.read @{NUMBER} : tensor<f32>\n"
          "    %raw = ").replace(
    "    %batch = ", "    %sum = stablehlo.multiply %raw, %scale : tensor<f32>\n"
    "    %batch = ").replace(
    "    return %loss : tensor<f32>",
    f"    %new = ps.read @{NUMBER} : tensor<f32>\n"
    "    return %loss, %new : tensor<f32>, tensor<f32>")


def train(*arguments, steps):
    run("ps-run", *arguments, DATA, f"--steps={steps}", "--seed=7",
        "--threads=1", "--shuffle")


def train_locally(name, batches, steps):
    """The model after `steps` steps of `batches` batches."""
    saved = FOLDER / f"local-{name}-{batches}-{steps}"
    if not saved.exists():
        graph = FOLDER / f"{saved.name}.mlir"
        graph.write_text(TEXT.replace("OPTIMIZER", OPTIMIZERS[name]))
        train(graph, f"--batch-size={BATCH * batches}", f"--save={saved}",
              steps=steps)
    return saved


def train_job(text, name, trainers, options, steps, launch=False):
    saved = FOLDER / "job"
    graph, program = FOLDER / "job.mlir", FOLDER / "dist.mlir"
    graph.write_text(text.replace("OPTIMIZER", OPTIMIZERS[name]))
    flags = (f"--batch-size={BATCH}", f"--save={saved}")
    if launch:
        train("launch", graph, f"--trainers={trainers}", "--pservers=2",
              f"--transpile={options}", f"--log-dir={FOLDER}/log", *flags,
              steps=steps)
    else:
        run("ps-opt", graph, "-o", program,
            f"--ps-transpile=trainers={trainers} {options}")
        train(program, "--role=all", *flags, steps=steps)
    return saved


def compare(job, local):
    run("ps-run", "compare", job, local, f"--tolerance={TOLERANCE}")
    cells.append(job)


def check_number(name, trainers):
    graph, program = FOLDER / "number.mlir", FOLDER / "number-dist.mlir"
    graph.write_text(WITH_NUMBER.replace("OPTIMIZER", OPTIMIZERS[name]))
    run("ps-opt", graph, "-o", program,
        f"--ps-transpile=trainers={trainers} {SYNC}")
    numbers = []
    for arguments in ((graph, f"--batch-size={BATCH * trainers}"),
                      (program, "--role=all", f"--batch-size={BATCH}")):
        train(*arguments, f"--metrics={FOLDER}/metrics", steps=6)
        numbers.append([r[NUMBER] for r in read_metrics(FOLDER / "metrics")])
    local, job = numbers
    assert len(set(local)) == 6 and len(job) == 6, numbers
    assert all(abs(a - b) < float(TOLERANCE)
               for a, b in zip(local, job)), (name, trainers, numbers)


shutil.rmtree(FOLDER, ignore_errors=True)  # an earlier run's models
FOLDER.mkdir(parents=True, exist_ok=True)
cells = []
for name in OPTIMIZERS:
    for trainers in (1, 2, 3):
        expected = train_locally(name, trainers, 6)
        for text, options in ((TEXT, COLLECTIVE),
                              (TEXT, f"{COLLECTIVE} bucket-bytes=1"),
                              (HYBRID, SYNC)):
            compare(train_job(text, name, trainers, options, 6), expected)

# A clip by the norm delays the update that such a number needs.
for name in OPTIMIZERS:
    for trainers in (1, 2):
        check_number(name, trainers)

# Steps of 3 batches; the last one has 2.
for name in OPTIMIZERS:
    for trainers in (1, 2):
        for text, options in ((TEXT, COLLECTIVE), (HYBRID, SYNC), (TEXT, SYNC)):
            options += " accumulate=3"
            compare(train_job(text, name, trainers, options, 6),
                    train_locally(name, 3 * trainers, 2))
            compare(train_job(text, name, trainers, options, 2),
                    train_locally(name, 2 * trainers, 1))
compare(train_job(TEXT, "momentum", 2, "min-block-size=12 accumulate=3", 6,
                  launch=True), train_locally("momentum", 6, 2))
print(len(cells), "jobs equal one process")
