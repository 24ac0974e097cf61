"""Checkpoints of a run while it trains: a job in any mode goes on from one with
nothing lost and nothing counted twice; what is refused, and what is removed.

usage: checkpoints.py FOLDER
"""
# RUN: %python %s %t

import json
import pathlib
import resource
import shutil
import signal
import sys

from counter import BATCH, Counter
from job import (DATA, INPUTS, Job, Process, read_metrics, refused_usage,
                 run, wait_until)
from series import newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
counter = Counter(FOLDER)
LINEAR = INPUTS / "linear_sgd.mlir"


def keep_only(series, steps):
    for folder in series.iterdir():
        if folder.name != f"step-{steps:012}":
            shutil.rmtree(folder)


def counts_exactly(mode, trainers, *flags, tolerance=0.0):
    """At each checkpoint, and at the end of a run that goes on from one."""
    name = f"{mode}-{trainers}{''.join(flags)}".replace(" ", "-")
    home = FOLDER / name
    home.mkdir()
    run("ps-opt", counter.graph, "-o", home / "dist.mlir",
        f"--ps-transpile=pservers=2 trainers={trainers} mode={mode}")
    command = ["ps-run", home / "dist.mlir", "--role=all", counter.data,
               f"--batch-size={BATCH}", "--steps=40",
               f"--checkpoint={home}/series", "--checkpoint-every=13", *flags]
    run(*command, f"--save={home}/model", "--keep=99")
    counter.check(home / "model", [40] * trainers, tolerance=tolerance)
    for steps in (13, 26, 39):
        counter.check(home / "series" / f"step-{steps:012}", [steps] * trainers,
                      tolerance=tolerance)
    keep_only(home / "series", 13)
    run(*command, f"--save={home}/resumed", "--resume")
    counter.check(home / "resumed", [40] * trainers, tolerance=tolerance)


for trainers in (1, 3):
    counts_exactly("async", trainers)
    counts_exactly("async", trainers, "--send-queue=3", "--max-merge=2")
    counts_exactly("half-async", trainers)
    counts_exactly("geo geo-steps=5", trainers, tolerance=1e-3)
counts_exactly("async staleness=1", 2)

# Trainer 0 is interrupted and waits for the other one, which does not wait for
# it at its next checkpoint.
home = FOLDER / "interrupted"
with Job(home, pservers=2, trainers=2, graph=counter.graph,
         options="mode=async") as job:
    flags = [f"--batch-size={BATCH}", "--steps=1000000000", "--log-every=1",
             f"--checkpoint={home}/series", "--checkpoint-every=20"]
    for index in (0, 1):
        job.pserver(index, *flags)
    first = job.trainer(0, *flags, f"--save={home}/model", data=counter.data)
    second = job.trainer(1, *flags, data=counter.data)
    first.wait_for("checkpoint  step 20 ")
    first.signal(signal.SIGINT)
    first.wait_for("stopped after ")
    steps = first.steps_taken()

    def reached():
        out, _ = run("ps-run", "status", job.endpoints[0], "--json")
        return json.loads(out)["trainers"][1]["step"]
    wait_until(lambda: reached() > steps + 40, "the other one goes on")
    second.signal(signal.SIGINT)
    assert [p.end() for p in (second, first)] == [130, 130], first.text()
    for pserver in job.processes[:2]:
        assert pserver.end() in (0, 130), pserver.text()
    counter.check(home / "model", [steps, second.steps_taken()])

# A trainer without the flag would not come to the checkpoints.
with Job(FOLDER / "differs", pservers=1, trainers=2) as job:
    flags = ["--batch-size=4", "--steps=20"]
    series = [f"--checkpoint={job.folder}/series", "--checkpoint-every=5"]
    job.pserver(0, *flags)
    job.trainer(0, *flags, *series).wait_for("init rpc client")
    job.trainer(1, *flags)
    wait_until(lambda: any(
        "--checkpoint-every" in process.text() and "error: " in process.text()
        for process in job.processes), "a trainer was refused")

# Time instead of steps: as often as it fits.
run("ps-opt", LINEAR, "-o", FOLDER / "dist.mlir",
    "--ps-transpile=pservers=2 trainers=2")
out, _ = run("ps-run", FOLDER / "dist.mlir", "--role=all", DATA,
             "--batch-size=4", "--steps=2000", "--checkpoint-every=20ms",
             f"--checkpoint={FOLDER}/timed-job")
assert out.count("checkpoint  step ") >= 2, out

series = FOLDER / "timed"
out, _ = run("ps-run", LINEAR, DATA, "--batch-size=4", "--steps=50000",
             f"--checkpoint={series}", "--checkpoint-every=20ms", "--keep=3")
taken = out.count("checkpoint  step ")
assert taken >= 3, out
assert len(list(series.iterdir())) == 3, list(series.iterdir())


def lines(path):
    """The numbers of each line; what a trainer has measured itself since it
    began is not that of one that was never killed."""
    records = read_metrics(path)
    for record in records:
        record.pop("examples_per_second", None)
        record.pop("seconds", None)
        if record["phase"] == "train":
            for name in ("auc", "accuracy", "mean_score", "mean_loss"):
                record.pop(name, None)
    return records


# A job, in which a process is killed after each checkpoint, each time another
# one: all begin again, and the model and the metrics of all epochs are those of
# a job that was left alone. It trains for as long as processes are killed, and
# then for some epochs more.
home = FOLDER / "killed"
samples = INPUTS.parents[2] / "examples/fit_a_line/samples.csv"
with Job(home, pservers=2, trainers=2, graph=INPUTS.parent / "metric.mlir",
         options="min-block-size=4") as job:
    data = f"--data=csv:{samples}"
    flags = ["--batch-size=8", "--seed=5", "--deterministic"]
    whole, killed = home / "whole", home / "killed"
    checkpoints = [f"--checkpoint={home}/series", "--checkpoint-every=70",
                   "--resume"]

    def start(epochs):
        job.processes.clear()
        for index in (0, 1):
            job.pserver(index, *flags, *checkpoints, epochs)
        for index in (0, 1):
            job.trainer(index, *flags, *checkpoints, epochs, "--shuffle",
                        data=data,
                        *([f"--save={killed}", f"--metrics={killed}.jsonl"]
                          if index == 0 else []))

    for victim in range(4):
        start("--epochs=100000000")
        job.processes[2].wait_for("checkpoint  step ")
        job.processes[victim].signal(signal.SIGKILL)
        for process in job.processes:
            process.end()
    # An epoch has 12 steps.
    steps = steps_of(newest_checkpoint(home / "series"))
    epochs = f"--epochs={steps // 12 + 10}"
    start(epochs)
    for process in job.processes:
        process.wait_for("resuming from step ")
    job.ends_well()
    run("ps-run", job.program, "--role=all", data, *flags, epochs, "--shuffle",
        f"--save={whole}", f"--metrics={whole}.jsonl")
    assert {p.name for p in whole.iterdir()} == {
        p.name for p in killed.iterdir()}
    for path in whole.iterdir():
        assert path.read_bytes() == (killed / path.name).read_bytes(), path
    assert lines(f"{killed}.jsonl") == lines(f"{whole}.jsonl")

# What a killed process has left is not gone on from, and is removed.
series = FOLDER / "series"
CHECKPOINTS = [f"--checkpoint={series}", "--checkpoint-every=3"]
train = ["ps-run", LINEAR, DATA, "--batch-size=4", *CHECKPOINTS]
run(*train, "--steps=8")
(series / "step-000000000009").mkdir()
(series / "step-000000000009" / "model.safetensors").write_text("half")
_, err = run(*train, "--steps=8", "--resume")
assert err.startswith(f"resuming from step 6: {series}/step-000000000006\n"), err
assert (f"removed '{series}/step-000000000009', a checkpoint that was not "
        "completed\n") in err, err
assert not (series / "step-000000000009").exists()

# A folder without a checkpoint may be another than was meant.
_, err = run(*train[:4], f"--checkpoint={FOLDER}/none", "--steps=2", "--resume")
assert err.startswith(f"no checkpoint in '{FOLDER}/none' to resume from: "
                      "training from the beginning\n"), err
for flags in [], ["--resume"]:
    refused_usage(f"--checkpoint: '{series}/step-000000000006/' holds a model "
                  "itself: expected a folder of checkpoints, such as "
                  f"'{series}'", LINEAR, DATA, *flags,
                  f"--checkpoint={series}/step-000000000006/")

# A checkpoint that cannot be written does not end the run.
blocked = FOLDER / "blocked"
limited = [*train[:-2], f"--checkpoint={blocked}", "--checkpoint-every=3"]
out, err = run(
    *limited, "--steps=8",
    preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))))
assert err.count("ps-run: warning: no checkpoint after step ") == 2, err
assert "training goes on: '" in err and "File too large" in err, err
_, err = run(*limited, "--steps=8", "--resume")
assert "resuming" not in err, err

# Nor does the last one, after which training does not go on: there is room for
# its model, but not for its training.json, which has the name of the data.
unlisted = FOLDER / "unlisted"
long = ["ps-run", LINEAR, DATA.replace(":", ":" + "/." * 1000, 1),
        "--batch-size=4",
        f"--checkpoint={unlisted}", "--checkpoint-every=3", "--steps=4"]
_, err = run(
    *long,
    preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                        resource.setrlimit(resource.RLIMIT_FSIZE,
                                           (2000, 2000))))
assert "ps-run: warning: no checkpoint after step 3: '" in err, err
assert "File too large" in err and "training goes on" not in err, err
assert not list(unlisted.glob("step-*")), list(unlisted.iterdir())

# What is refused, in one line.
for flag in "--resume", "--checkpoint-every=3":
    refused_usage(f"{flag.split('=')[0]}: expected --checkpoint=DIR, where the "
                  "checkpoints are", LINEAR, DATA, flag)
for every in "0", "-1s", "x":
    assert "--checkpoint-every: expected " in run(
        "ps-run", LINEAR, DATA, f"--checkpoint={series}",
        f"--checkpoint-every={every}", code=2)[1]


def refused(message, *command, code=1):
    _, err = run(*command, code=code)
    assert err.endswith(f"ps-run: error: {message}\n"), err
    assert err.count("ps-run: error: ") == 1, err


refused(f"--checkpoint: '{series}' holds checkpoints, the newest after step 6: "
        "go on from it with --resume, or choose another folder",
        *train, "--steps=8", code=2)
refused("--resume: expected the data that the run began with, but its batch was "
        "'4' and is '5'; --load=DIR trains on with other data",
        *train, "--steps=8", "--resume", "--batch-size=5")
state = series / "step-000000000006" / "training.json"
text = state.read_text()
state.write_text(text[:-20])
refused(f"'{state}': expected a JSON object", *train, "--steps=8", "--resume")
state.write_text(text)

# Two runs do not write to one folder.
holder = Process("holder", FOLDER, LINEAR, DATA, "--batch-size=4",
                 "--steps=100000000", f"--checkpoint={FOLDER}/held",
                 "--checkpoint-every=1000", "--log-every=1000")
try:
    holder.wait_for("checkpoint  step 1000 ")
    refused(f"'{FOLDER}/held': another run writes its checkpoints there: end "
            "it, or choose another folder", *train[:4], "--steps=8",
            f"--checkpoint={FOLDER}/held", "--resume")
finally:
    holder.signal(signal.SIGKILL)
    holder.end()

# A damaged one is refused, and with --resume=last-good the one before is taken.
damaged = FOLDER / "damaged"
train_again = [*train[:4], f"--checkpoint={damaged}", "--checkpoint-every=3"]
run(*train_again, "--steps=8", f"--save={FOLDER}/once")
model = damaged / "step-000000000006" / "model.safetensors"
contents = bytearray(model.read_bytes())
contents[-1] ^= 1
model.write_bytes(contents)
_, err = run(*train_again, "--steps=8", "--resume", code=1)
assert f"'{model}' is damaged: " in err, err
_, err = run(*train_again, "--steps=8", "--resume=last-good",
             f"--save={FOLDER}/twice")
assert f"warning: going back from step 6: '{model}' is damaged: " in err, err
assert f"resuming from step 3: {damaged}/step-000000000003\n" in err, err
assert sorted(path.name for path in damaged.iterdir()) == [
    "step-000000000003", "step-000000000006", "step-000000000006.damaged"]
for path in (FOLDER / "once").iterdir():
    assert path.read_bytes() == (FOLDER / "twice" / path.name).read_bytes(), path
for folder in damaged.glob("step-00000000000?"):
    (folder / "model.safetensors").unlink()
refused(f"--resume=last-good: no checkpoint in '{damaged}' is whole and "
        "undamaged", *train_again, "--steps=8", "--resume=last-good")
assert "--resume: " in run("ps-run", LINEAR, DATA, f"--checkpoint={damaged}",
                           "--resume=best", code=2)[1]
state.write_text('{"xxh3": "0", "a": ' + "[" * 200000 + "]" * 200000 + "}")
refused(f"'{state}': expected values that are nested less", *train, "--steps=8",
        "--resume")
# What --save writes has no run to go on with.
saved = json.loads(text)
for key in "run", "files", "xxh3":
    del saved[key]
state.write_text(json.dumps(saved))
refused(f"'{state}': expected the steps of a run", *train, "--steps=8",
        "--resume")
