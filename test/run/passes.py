"""A run that is killed between two passes goes on from the last one that it
reported, to the bits of one that nobody killed."""
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys

from job import read_metrics, run
from row_model import graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
samples = make_samples(400)
data = write_samples(FOLDER / "samples.txt", samples)
FLAGS = [f"--data={data}", "--batch-size=4", "--shuffle"]


def with_tiers(text, directory, attributes=""):
    initial = "init(#ps.constant<0.5>)"
    return text.replace(
        initial, f'{initial} tiers([#ps.mem<rows = 40>, #ps.ssd<"{directory}">'
                 f"]) {attributes}")


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.suffix == ".safetensors"}


def kill_after(passes, program, *flags):
    """Kills a run as soon as it reports so many passes; gives the last."""
    process = subprocess.Popen(
        ["ps-run", str(program), *FLAGS, "--epochs=1000000",
         "--pass-samples=100", *flags], stdout=subprocess.PIPE, text=True)
    reported = 0
    for line in process.stdout:
        if match := re.fullmatch(r"pass (\d+)  saved(  \d+ rows .*)?\n", line):
            reported = int(match[1])
        if reported >= passes:
            break
    process.send_signal(signal.SIGKILL)
    # What it had printed by then counts as well.
    for line in process.stdout:
        if match := re.match(r"pass (\d+)  saved", line):
            reported = int(match[1])
    assert process.wait() == -signal.SIGKILL
    return reported


def position(folder):
    state = json.loads((folder / "training.json").read_text())
    return state["epoch"] * 100 + state["step"]


for name, attributes in (("plain", ""), ("count", "{admit_count = 3 : i64}")):
    ssd, model = FOLDER / f"{name}-ssd", FOLDER / f"{name}-model"
    program = FOLDER / f"{name}.mlir"
    program.write_text(with_tiers(graph("adam"), ssd, attributes))
    reported = kill_after(3, program, f"--save={model}")
    # 25 steps a pass. Another may have been saved, but not been reported.
    assert position(model) in (25 * reported, 25 * reported + 25), \
        (position(model), reported)
    # Goes on, is killed again, and goes on to an end.
    before = position(model)
    kill_after(2, program, f"--load={model}", f"--save={model}")
    reached = position(model)
    assert reached >= before + 50, (before, reached)

    # Another run does not begin with these rows, nor does one lose them.
    _, error = run("ps-run", program, *FLAGS, "--steps=1", code=1)
    assert "holds rows that an earlier run has saved there" in error, error

    run("ps-run", program, *FLAGS, f"--load={model}", "--steps=60",
        f"--save={FOLDER}/{name}-end")
    assert ssd.exists() and list(ssd.iterdir()), "the model still needs them"
    run("ps-run", program, *FLAGS, f"--load={model}", "--steps=60",
        f"--save={model}", "--pass-samples=100")
    assert list(ssd.iterdir()) == []
    whole = FOLDER / f"{name}-whole.mlir"
    whole.write_text(with_tiers(graph("adam"), FOLDER / f"{name}-other",
                                attributes))
    run("ps-run", whole, *FLAGS, f"--steps={reached + 60}", "--epochs=1000000",
        f"--save={FOLDER}/{name}-whole")
    expected = files_of(FOLDER / f"{name}-whole")
    assert files_of(FOLDER / f"{name}-end") == expected, name
    assert files_of(model) == expected, name

# The rows of a pass are brought before it begins, also where it is longer than
# memory holds or goes from one epoch to the next; not those of a stream, whose
# samples are not known.
text = graph("adam")
results = set()
for name, flags in (("none", []), ("short", ["--pass-samples=36"]),
                    ("long", ["--pass-samples=450"]),
                    ("workers", ["--batch-size=2", "--workers=2",
                                 "--pass-samples=36"])):
    folder = FOLDER / f"bring-{name}"
    folder.mkdir()
    program = folder / "graph.mlir"
    program.write_text(with_tiers(text, folder / "ssd"))
    run("ps-run", program, *FLAGS, "--epochs=3", f"--save={folder}/model",
        f"--metrics={folder}/metrics", *flags)
    last = read_metrics(folder / "metrics")[-1]
    assert (last["emb.promoted_for_pass"] > 0) == (name != "none"), last
    assert last["emb.promoted"] > last["emb.promoted_for_pass"], last
    if name != "workers":
        results.add(tuple(sorted(files_of(folder / "model").items())))
assert len(results) == 1
# A device's copies of rows follow them.
models = []
for flags in ([], ["--pass-samples=36"]):
    folder = FOLDER / f"bring-hbm{len(models)}"
    folder.mkdir()
    program = folder / "graph.mlir"
    program.write_text(with_tiers(text, folder / "ssd").replace(
        "tiers([", "tiers([#ps.hbm<rows = 40>, "))
    run("ps-run", program, *FLAGS, "--device=emulated", f"--save={folder}/model",
        f"--metrics={folder}/metrics", *flags)
    last = read_metrics(folder / "metrics")[-1]
    assert last["emb.hbm_promoted"] > 0, last
    assert (last["emb.promoted_for_pass"] > 0) == bool(flags), last
    models.append(files_of(folder / "model"))
assert models[0] == models[1]
folder = FOLDER / "bring-stream"
folder.mkdir()
program = folder / "graph.mlir"
program.write_text(with_tiers(text, folder / "ssd"))
run("ps-run", program, *FLAGS, "--data-mode=stream", "--pass-samples=36",
    f"--save={folder}/model", f"--metrics={folder}/metrics")
assert read_metrics(folder / "metrics")[-1]["emb.promoted_for_pass"] == 0

# What a pass saved needs the tiers that it was saved with.
ssd, model = FOLDER / "lost-ssd", FOLDER / "lost-model"
program = FOLDER / "lost.mlir"
program.write_text(with_tiers(graph("adam"), ssd))
kill_after(1, program, f"--save={model}")
memory = FOLDER / "memory.mlir"
memory.write_text(graph("adam"))
_, error = run("ps-run", memory, *FLAGS, f"--load={model}", code=1)
assert "its rows are on an SSD: expected the tiers that table '@emb' had when " \
    "it was saved, found none" in error, error
job = FOLDER / "lost-job.mlir"
run("ps-opt", program, "-o", job, "--ps-transpile=pservers=127.0.0.1:6174,"
    "127.0.0.1:6175 trainers=1")
_, error = run("ps-run", job, "--role=all", *FLAGS, f"--load={model}", code=1)
assert "its rows are on the SSDs of 1 processes: expected as many, found 2" in \
    error, error
next(ssd.rglob("*.rows")).unlink()
_, error = run("ps-run", program, *FLAGS, f"--load={model}", code=1)
assert "00000000.rows': No such file" in error, error

for flags, message in (
        (["--pass-samples=9"], "--pass-samples: expected --save"),
        (["--pass-samples=9", "--save=x", "--role=all"],
         "--pass-samples is for --role=local only")):
    _, error = run("ps-run", program, *FLAGS, *flags, code=2)
    assert message in error, error
