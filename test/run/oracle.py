"""fit_a_line against gradient descent written out in Python, in double
precision: the same initial values (saved by a run that only evaluates), the
same batches, the same steps."""
# RUN: %python %s %t %examples/fit_a_line/fit_a_line.mlir

import pathlib
import random
import sys

from job import read_metrics, read_model, run

FOLDER, GRAPH = pathlib.Path(sys.argv[1]), sys.argv[2]
FEATURES, SAMPLES, BATCH, STEPS, RATE = 13, 103, 10, 37, 0.01


def make_table():
    draw = random.Random(5)
    slopes = [draw.uniform(-2, 2) for _ in range(FEATURES)]
    rows = []
    for _ in range(SAMPLES):
        x = [round(draw.uniform(-1, 1), 4) for _ in range(FEATURES)]
        y = sum(a * b for a, b in zip(slopes, x)) + 3 + draw.gauss(0, 0.1)
        rows.append(x + [round(y, 4)])
    table = FOLDER / "table.csv"
    table.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return table, rows


def predict(w, b, row):
    return sum(a * x for a, x in zip(w, row)) + b


def loss_of(w, b, rows):
    return sum((predict(w, b, r) - r[-1]) ** 2 for r in rows) / len(rows)


def descend(w, b, rows):
    """One step; gives the loss before it."""
    loss = loss_of(w, b, rows)
    errors = [2 * (predict(w, b, r) - r[-1]) / len(rows) for r in rows]
    for i in range(FEATURES):
        w[i] -= RATE * sum(e * r[i] for e, r in zip(errors, rows))
    return loss, b - RATE * sum(errors)


def variables(folder):
    model = read_model(folder)
    assert model["fc_w"][0] == [FEATURES, 1], model["fc_w"][0]
    return model["fc_w"][1], model["fc_b"][1][0]


def close(found, expected, what):
    assert abs(found - expected) <= 1e-5 * max(1, abs(expected)), (
        f"{what}: expected {expected}, found {found}")


FOLDER.mkdir(parents=True, exist_ok=True)
table, rows = make_table()
flags = (f"--batch-size={BATCH}", "--seed=11")
data, evaluation = f"--data=csv:{table}", f"--eval-data=csv:{table}"

# Any batch size, the last batch being partial or the only one, gives the mean
# over the whole set.
for batch in (10, 103, 500):
    run("ps-run", GRAPH, evaluation, f"--batch-size={batch}", "--seed=11",
        f"--save={FOLDER}/initial", f"--metrics={FOLDER}/metrics")
    w, b = variables(FOLDER / "initial")
    record, = read_metrics(FOLDER / "metrics")
    assert record["phase"] == "eval", record
    close(record["loss"], loss_of(w, b, rows), f"eval in batches of {batch}")
assert len(set(w)) == FEATURES and b == 0, "expected drawn weights and no bias"

run("ps-run", GRAPH, data, evaluation, *flags, f"--steps={STEPS}",
    f"--save={FOLDER}/trained", f"--metrics={FOLDER}/metrics")
records = read_metrics(FOLDER / "metrics")
train = [r for r in records if r["phase"] == "train"]
assert len(train) == STEPS, len(train)
per_epoch = SAMPLES // BATCH
for step, record in enumerate(train):
    first = step % per_epoch * BATCH
    expected, b = descend(w, b, rows[first:first + BATCH])
    close(record["loss"], expected, f"loss of step {step}")
close([r for r in records if r["phase"] == "eval"][-1]["loss"],
      loss_of(w, b, rows), "eval after the last step")
found_w, found_b = variables(FOLDER / "trained")
for i in range(FEATURES):
    close(found_w[i], w[i], f"fc_w[{i}]")
close(found_b, b, "fc_b")
print("the largest difference of a weight is",
      max(abs(p - q) for p, q in zip(found_w + [found_b], w + [b])))
