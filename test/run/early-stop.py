"""--eval-every, --save-best and --early-stop: evaluations come when they are due and
change nothing, the best model is the one of its step, and training ends, in one
process and in jobs of each mode; a run that goes on knows the best one."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import GRAPH, INPUTS, Job, read_metrics, refused_usage, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

LINES = (INPUTS / "linear.csv").read_text().splitlines()
(FOLDER / "held-out.csv").write_text("\n".join(LINES[100:]) + "\n")
# So large a step that it soon gets no better.
FAST = FOLDER / "fast.mlir"
FAST.write_text(GRAPH.read_text().replace("learning_rate = 0.05",
                                          "learning_rate = 0.2"))
DATA = [f"--data=csv:{INPUTS}/linear.csv#0-100",
        f"--eval-data=csv:{FOLDER}/held-out.csv", "--shuffle"]
METRICS = FOLDER / "metrics"
LAUNCH = ["launch", "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/log"]


def model(name):
    return (FOLDER / name / "model.safetensors").read_bytes()


def train(name, *flags, graph=FAST, batch=10):
    """The evaluations, step -> loss, and what ps-run printed."""
    command = list(flags) if flags[:1] == ("launch",) else [*flags]
    place = 1 if command[:1] == ["launch"] else 0
    command.insert(place, graph)
    out, err = run("ps-run", *command, *DATA, f"--batch-size={batch}",
                   f"--save={FOLDER}/{name}", f"--metrics={METRICS}")
    return {r["step"] + 1: r["loss"] for r in read_metrics(METRICS)
            if r["phase"] == "eval"}, out + err


def steps_before_end(evaluations, patience):
    """When training ends, and the step of the best evaluation."""
    best = None
    for number, (step, loss) in enumerate(evaluations.items()):
        if best is None or loss < best[0]:
            best = (loss, step, number)
        elif number - best[2] >= patience:
            return step, best[1]
    return None, best[1]


def evaluations():
    plain, _ = train("plain", "--epochs=3")
    assert list(plain) == [10, 20, 30], plain
    often, out = train("often", "--epochs=3", "--eval-every=4")
    assert list(often) == [4, 8, 10, 12, 16, 20, 24, 28, 30], often
    assert "epoch 0  step 8  eval  loss " in out, out
    assert model("often") == model("plain")
    assert {s: often[s] for s in plain} == plain
    job, _ = train("job", *LAUNCH, "--epochs=3", "--eval-every=4", batch=5)
    assert list(job) == list(often), job
    # The loss of one process, up to rounding.
    assert all(abs(job[s] - often[s]) < 1e-4 * often[s] for s in job), job


def best_and_end():
    for place, (command, batch) in enumerate(
            [([], 10), (LAUNCH, 5),
             ([*LAUNCH, "--transpile=mode=collective"], 5)]):
        if place == 2:
            command = ["launch", "--trainers=2", f"--log-dir={FOLDER}/log",
                       "--transpile=mode=collective"]
        flags = ["--epochs=40", "--eval-every=3", "--early-stop=4",
                 f"--save-best={FOLDER}/best"]
        found, out = train("ended", *command, *flags, batch=batch)
        step, best = steps_before_end(found, 4)
        assert step == max(found) < 400, (step, found)
        assert f"training ends early, after step {step}: loss was " in out, out
        assert f"at best, after step {best}, and has not fallen in 4 " in out
        trained = [r["step"] + 1 for r in read_metrics(METRICS)
                   if r["phase"] == "train"]
        assert trained == list(range(1, step + 1)), trained
        # It is the model of that step, and can be loaded.
        train("until", *command, f"--steps={best}", batch=batch)
        assert model("best") == model("until"), (place, best)
        out, _ = run("ps-run", FAST, DATA[1], f"--load={FOLDER}/best")
        loss = float(re.search("eval  loss (.*)", out).group(1))
        assert abs(loss - found[best]) < 1e-3 * loss, (loss, found[best])


def a_run_goes_on():
    flags = ["--epochs=40", "--eval-every=3", "--early-stop=4",
             f"--checkpoint={FOLDER}/checkpoints", "--checkpoint-every=5"]
    whole, expected = train("whole", *flags)
    end, best = steps_before_end(whole, 4)
    shutil.rmtree(FOLDER / "checkpoints")
    # After the best evaluation, before the end.
    cut = best + (end - best) // 2
    train("cut", *flags, f"--steps={cut + 5}")
    found, out = train("whole", *flags, "--resume")
    assert list(found) == list(whole), (found, whole)
    line = re.compile("training ends early.*")
    assert line.search(out).group() == line.search(expected).group(), out


def trainers_differ():
    """One that does not meet the others would be waited for."""
    with Job(FOLDER / "job-by-hand", 1, 2) as job:
        job.pserver(0)
        for index, flags in enumerate([["--early-stop=2"], []]):
            job.trainer(index, DATA[1], "--batch-size=10", *flags)
        wait_until(lambda: any(
            "--early-stop" in process.text() and "error: " in process.text()
            for process in job.processes), "a trainer was refused")


def refused():
    common = [GRAPH, DATA[0]]
    for flag in "--eval-every=3", "--early-stop=2", "--save-best=x":
        refused_usage(f"{flag.split('=')[0]}: expected --eval-data, the "
                      "samples to evaluate", *common, flag)
    common += [DATA[1]]
    refused_usage("--monitor: expected --save-best or --early-stop, which it is "
                  "for", *common, "--monitor=loss")
    refused_usage("--monitor: expected NAME:min or NAME:max, found 'score'",
                  *common, "--monitor=score", "--early-stop=1")
    refused_usage("--monitor: expected one of loss, which @train reports, found "
                  "'auc'", *common, "--monitor=auc", "--early-stop=1")


evaluations()
best_and_end()
a_run_goes_on()
trainers_differ()
refused()
