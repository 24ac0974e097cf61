"""The learning rate of every schedule, step by step, against tables derived by
hand. A variable whose gradient is -1 moves by the rate, which --metrics reports
by its name."""
# RUN: %python %s %t

import math
import pathlib
import sys

from job import DATA, read_metrics, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
ROOT = math.sqrt(0.5)
LN2 = "0.6931471805599453"
STEPS = 12

# Name -> (schedule, the rates of steps 0, 1, ...; the last one stays)
TABLES = {
    "exponential": (
        "exponential_decay<learning_rate = 1, decay_steps = 2, decay_rate = 0.25>",
        [0.5 ** n for n in range(STEPS)]),
    "exponential_stairs": (
        "exponential_decay<learning_rate = 1, decay_steps = 3, "
        "decay_rate = 0.5, staircase = true>",
        [1, 1, 1, .5, .5, .5, .25, .25, .25, .125, .125, .125]),
    "exponential_constant": (
        "exponential_decay<learning_rate = 0.5, decay_steps = 1, decay_rate = 1>",
        [.5]),
    "exponential_once": (
        "exponential_decay<learning_rate = 0.5, decay_steps = 2, decay_rate = 0, "
        "staircase = true>", [.5, .5, 0]),
    "natural_exp": (
        f"natural_exp_decay<learning_rate = 2, decay_steps = 1, decay_rate = {LN2}>",
        [2 * 0.5 ** n for n in range(STEPS)]),
    "natural_exp_stairs": (
        f"natural_exp_decay<learning_rate = 2, decay_steps = 4, "
        f"decay_rate = {LN2}, staircase = true>",
        [2, 2, 2, 2, 1, 1, 1, 1, .5]),
    "inverse_time": (
        "inverse_time_decay<learning_rate = 1, decay_steps = 2, decay_rate = 1>",
        [1, 2/3, 1/2, 2/5, 1/3, 2/7, 1/4, 2/9, 1/5, 2/11, 1/6, 2/13]),
    "inverse_time_stairs": (
        "inverse_time_decay<learning_rate = 1, decay_steps = 2, decay_rate = 1, "
        "staircase = true>",
        [1, 1, 1/2, 1/2, 1/3, 1/3, 1/4, 1/4, 1/5, 1/5, 1/6, 1/6]),
    # Stays at the end after decay_steps.
    "polynomial": (
        "polynomial_decay<learning_rate = 1.1, decay_steps = 4, "
        "end_learning_rate = 0.1, power = 2>",
        [1.1, .6625, .35, .1625, .1]),
    "polynomial_defaults": (
        "polynomial_decay<learning_rate = 0.0005, decay_steps = 4>",
        [.0005, .0004, .0003, .0002, .0001]),
    # Down at step 4, and from 5 on toward 8.
    "polynomial_cycle": (
        "polynomial_decay<learning_rate = 1, decay_steps = 4, "
        "end_learning_rate = 0, cycle = true>",
        [1, .75, .5, .25, 0, .375, .25, .125, 0, .25, 1/6, 1/12]),
    # A boundary belongs to what follows it.
    "piecewise": (
        "piecewise_decay<boundaries = [2, 5], values = [1, 0.5, 0.125]>",
        [1, 1, .5, .5, .5, .125]),
    "piecewise_one": ("piecewise_decay<boundaries = [], values = [0.25]>", [.25]),
    # From epoch to epoch; up again after the last one.
    "cosine": (
        "cosine_decay<learning_rate = 2, step_each_epoch = 2, epochs = 4>",
        [2, 2, 1 + ROOT, 1 + ROOT, 1, 1, 1 - ROOT, 1 - ROOT, 0, 0,
         1 - ROOT, 1 - ROOT]),
    # 2 / sqrt(4) = 1; n ^ -0.5 and n * 4 ^ -1.5 meet at n = 4, step 3.
    "noam": (
        "noam_decay<d_model = 4, warmup_steps = 4, learning_rate = 2>",
        [.125, .25, .375, .5] + [n ** -0.5 for n in range(5, STEPS + 1)]),
    "warmup": (
        "linear_warmup<learning_rate = 0.5, warmup_steps = 4, start_lr = 0, "
        "end_lr = 1>",
        [0, .25, .5, .75, .5]),
    # The schedule inside has counted the steps of the warmup.
    "warmup_exponential": (
        "linear_warmup<learning_rate = #ps.exponential_decay<learning_rate = 1, "
        "decay_steps = 2, decay_rate = 0.25>, warmup_steps = 2, start_lr = 0.1, "
        "end_lr = 0.3>",
        [.1, .2] + [0.5 ** n for n in range(2, STEPS)]),
    "warmup_warmup": (
        "linear_warmup<learning_rate = #ps.linear_warmup<learning_rate = 4, "
        "warmup_steps = 4, start_lr = 0, end_lr = 2>, warmup_steps = 1, "
        "start_lr = 8, end_lr = 9>",
        [8, .5, 1, 1.5, 4]),
}


def graph(element):
    """Every schedule has a variable, and what it moves by is fetched."""
    scalar = f"tensor<{element}>"
    fetches = ", ".join(f'{scalar} {{ps.fetch = "{name}"}}' for name in TABLES)
    lines = [f"ps.variable @{name} : {scalar} init(#ps.constant<0.0>)"
             for name in TABLES]
    lines += [
        '''func.func @train(%x: tensor<?x4xf32> {ps.feed = "x"},
             %y: tensor<?xf32> {ps.feed = "y"}) -> (''' + fetches + ") {",
        f"%g = stablehlo.constant dense<-1.0> : {scalar}",
        f"%zero = stablehlo.constant dense<0.0> : {scalar}"]
    for name, (schedule, _) in TABLES.items():
        lines += [
            f"ps.assign @{name}, %zero : {scalar}",
            f"ps.apply @{name}, %g using(#ps.sgd<learning_rate = #ps.{schedule}>)"
            f" : {scalar}",
            f"%{name} = ps.read @{name} : {scalar}"]
    lines += [f"return {', '.join('%' + name for name in TABLES)} : "
              f"{', '.join([scalar] * len(TABLES))}", "}"]
    path = FOLDER / f"{element}.mlir"
    path.write_text("\n".join(lines))
    return path


def check(records, first, tolerance):
    for offset, record in enumerate(records):
        step = first + offset
        for name, (_, table) in TABLES.items():
            expected = table[min(step, len(table) - 1)]
            for found, limit in ((record[name], tolerance),
                                 (record[f"learning_rate.{name}"], 1e-8)):
                assert abs(found - expected) <= limit, (
                    f"{name}, step {step}: expected {expected}, found {found}")


FOLDER.mkdir(parents=True, exist_ok=True)
flags = (DATA, "--batch-size=6")
metrics = FOLDER / "metrics"
for element, tolerance in (("f64", 1e-8), ("f32", 2e-7)):
    run("ps-run", graph(element), *flags, f"--steps={STEPS}",
        f"--metrics={metrics}")
    records = read_metrics(metrics)
    assert len(records) == STEPS
    check(records, 0, tolerance)

# The graph's own count of that name stays apart.
DECLARED = '''ps.variable @global_step : tensor<i64>
    init(#ps.constant<0.0>) {trainable = false}
func.func @train('''
COUNT = '''%step = ps.read @global_step : tensor<i64>
%two = stablehlo.constant dense<2> : tensor<i64>
%next = stablehlo.add %step, %two : tensor<i64>
ps.assign @global_step, %next : tensor<i64>
%g = stablehlo.constant'''
counting = FOLDER / "counting.mlir"
counting.write_text(graph("f64").read_text().replace(
    "func.func @train(", DECLARED).replace("%g = stablehlo.constant", COUNT))
saved = FOLDER / "counted"
run("ps-run", counting, *flags, f"--steps={STEPS}", f"--metrics={metrics}",
    f"--save={saved}")
check(read_metrics(metrics), 0, 1e-8)
state = read_model(saved / "optimizer.safetensors")
assert state == {"global_step_": ([], [STEPS])}, state
model = read_model(saved / "model.safetensors")
assert model["global_step"] == ([], [2 * STEPS]), model

# A run that goes on counts on.
half = FOLDER / "half"
run("ps-run", graph("f64"), *flags, "--steps=5", f"--save={half}")
state = read_model(half / "optimizer.safetensors")
assert state == {"global_step": ([], [5])}, state
run("ps-run", graph("f64"), *flags, "--steps=7", f"--load={half}",
    f"--metrics={metrics}")
check(read_metrics(metrics), 5, 1e-8)
