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

from job import read_metrics, refused_usage, run
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


def position(folder, epoch=100):
    """The steps of a model whose epochs have `epoch` steps."""
    state = json.loads((folder / "training.json").read_text())
    return state["epoch"] * epoch + state["step"]


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
    # A kill may have come between a model and its training.json, which a load
    # then takes from what was staged.
    begun = position(FOLDER / f"{name}-end") - 60
    assert begun in (reached, reached + 25), (reached, begun)
    assert ssd.exists() and list(ssd.iterdir()), "the model still needs them"
    run("ps-run", program, *FLAGS, f"--load={model}", "--steps=60",
        f"--save={model}", "--pass-samples=100")
    assert list(ssd.iterdir()) == []
    whole = FOLDER / f"{name}-whole.mlir"
    whole.write_text(with_tiers(graph("adam"), FOLDER / f"{name}-other",
                                attributes))
    run("ps-run", whole, *FLAGS, f"--steps={begun + 60}", "--epochs=1000000",
        f"--save={FOLDER}/{name}-whole")
    expected = files_of(FOLDER / f"{name}-whole")
    assert files_of(FOLDER / f"{name}-end") == expected, name
    assert files_of(model) == expected, name

# A run with checkpoints, too, goes on from the newest of these, and saves its
# passes beside the rows of the model before until the first of them is whole.
ssd, model = FOLDER / "resumed-ssd", FOLDER / "resumed-model"
program, series = FOLDER / "resumed.mlir", FOLDER / "resumed-series"
program.write_text(with_tiers(graph("adam"), ssd))
kill_after(3, program, f"--save={model}", f"--checkpoint={series}",
           "--checkpoint-every=10")
before = position(model)
run("ps-run", program, *FLAGS, f"--load={model}", "--steps=7",
    f"--save={FOLDER}/resumed-before")
steps = before + 100
run("ps-run", program, *FLAGS, f"--checkpoint={series}", "--resume",
    "--epochs=1000000", f"--steps={steps}", f"--save={FOLDER}/resumed-part")
# That run saved elsewhere, and no pass: the model still has its rows.
run("ps-run", program, *FLAGS, f"--load={model}", "--steps=7",
    f"--save={FOLDER}/resumed-after")
assert files_of(FOLDER / "resumed-before") == files_of(FOLDER / "resumed-after")
whole = FOLDER / "resumed-whole.mlir"
whole.write_text(with_tiers(graph("adam"), FOLDER / "resumed-other"))
run("ps-run", whole, *FLAGS, f"--steps={steps}", "--epochs=1000000",
    f"--save={FOLDER}/resumed-whole")
assert files_of(FOLDER / "resumed-part") == files_of(FOLDER / "resumed-whole")
# With passes, it replaces the model's rows.
run("ps-run", program, *FLAGS, f"--checkpoint={series}", "--resume",
    "--epochs=1000000", f"--steps={steps + 60}", "--pass-samples=100",
    f"--save={model}")
assert list(ssd.iterdir()) == []

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

# A pass for each file: 7, 0, 3 and 9 steps of four samples; 2 samples are left
# over, or another step is filled with them. It goes on after a kill, within an
# epoch.
folder = FOLDER / "files"
folder.mkdir()
(folder / "data").mkdir()
begin = 0
for i, count in enumerate((28, 1, 13, 36)):
    write_samples(folder / "data" / f"{i}.txt", samples[begin:begin + count])
    begin += count
FILES = [f"--data=multislot:{folder}/data/*.txt"
         "#slots=label:f,ids:i,s1:i,s1.weights:f#empty", "--batch-size=4",
         "--shuffle", "--pass-per-file"]


def passes_of(name, *flags, program=None, code=0):
    output, error = run("ps-run", program or folder / f"{name}.mlir", *FILES,
                        f"--save={folder}/{name}",
                        f"--metrics={folder}/{name}.json", *flags, code=code)
    return [r["step"] for r in read_metrics(folder / f"{name}.json")
            if r["phase"] == "train"], output


for name in ("whole", "part"):
    (folder / f"{name}.mlir").write_text(with_tiers(text, folder / f"{name}-ssd"))
steps, output = passes_of("whole", "--epochs=2")
assert len(steps) == 38, steps
# The run ends with the last one.
assert re.findall(r"pass \d+  saved", output) == [
    f"pass {i}  saved" for i in range(1, 6)], output
assert read_metrics(folder / "whole.json")[-1]["emb.promoted_for_pass"] > 0
_, output = passes_of("pad", "--remainder=pad", program=folder / "whole.mlir")
assert len(re.findall(r"pass \d  saved", output)) == 3, output
# As if it was killed after the second pass of the second epoch.
process = subprocess.Popen(
    ["ps-run", str(folder / "part.mlir"), *FILES, "--epochs=1000000",
     f"--save={folder}/part"], stdout=subprocess.PIPE, text=True)
for line in process.stdout:
    if line.startswith("pass 1  saved"):
        break
process.send_signal(signal.SIGKILL)
last = [1] + [int(n) for n in re.findall(r"pass (\d+)  saved",
                                         process.stdout.read())]
assert process.wait() == -signal.SIGKILL
passes_of("part", f"--load={folder}/part", "--steps=40")
reached = position(folder / "part", epoch=19) - 40
assert reached % 19 in (0, 7, 10) and reached >= 7, reached
run("ps-run", folder / "whole.mlir", *FILES, f"--steps={reached + 40}",
    f"--save={folder}/expected")
assert files_of(folder / "part") == files_of(folder / "expected")
# Steps of another cut are not gone on with: the epoch begins anew.
_, error = run("ps-run", folder / "whole.mlir", *FILES, "--steps=3",
               f"--save={folder}/three")
_, error = run("ps-run", folder / "whole.mlir", *FILES[:-1], "--steps=1",
               f"--load={folder}/three")
assert "remainder was 'drop in each file' and is 'drop'" in error, error

# What a pass saved needs the tiers that it was saved with.
ssd, model = FOLDER / "lost-ssd", FOLDER / "lost-model"
program = FOLDER / "lost.mlir"
program.write_text(with_tiers(graph("adam"), ssd))
kill_after(1, program, f"--save={model}")
run("ps-run", "verify", model)
_, error = run("ps-run", "compare", model, model, code=1)
assert "its rows are on an SSD, where a pass has saved them" in error, error
# Without what the file says of them, the rows on the SSD would be removed.
path = model / "emb-00000-of-00001.safetensors"
rows, whole = sorted(ssd.rglob("*.rows")), path.read_bytes()
path.write_bytes(whole.replace(b"tier_files", b"tier_filet"))
_, error = run("ps-run", program, *FLAGS, f"--load={model}", code=1)
assert f"'{path}' is damaged: expected the checksum " in error, error
assert rows and sorted(ssd.rglob("*.rows")) == rows
path.write_bytes(whole)
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
         "--pass-samples is for --role=local only"),
        (["--pass-per-file"], "--pass-per-file: expected --save"),
        (["--pass-per-file", "--save=x", "--role=all"],
         "--pass-per-file is for --role=local only"),
        (["--pass-per-file", "--save=x", "--pass-samples=9"],
         "neither for --data-mode=stream nor for --pass-samples"),
        (["--pass-per-file", "--save=x", "--data-mode=stream"],
         "neither for --data-mode=stream nor for --pass-samples"),
        (["--pass-per-file", "--save=x", f"--data={data}#0-10"],
         "a range is of the samples of all files, of which --pass-per-file"),
        (["--pass-per-file", "--save=x", "--data=synthetic:ctr"],
         "--pass-per-file")):
    _, error = run("ps-run", program, *FLAGS, *flags, code=2)
    assert message in error, error
refused_usage("unknown flag '--pass-samples', see --help", "launch", program,
              "--pass-samples=9")
text, _ = run("ps-run", "launch", "--help")
assert "--pass-" not in text, text
