"""A table whose rows a device has copies of, a few at a time, trains to the same
bits as one whose rows are on the host."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import OPTIMIZERS, graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, EPOCHS = 4, 2
data = write_samples(FOLDER / "samples.txt", make_samples(96))
# A step uses nearly as many.
SLOTS, IN_MEMORY = 36, 60
INITIAL = "init(#ps.constant<0.5>)"


def replace(text, old, new):
    assert old in text, (old, text)
    return text.replace(old, new)


def train(name, text, *flags, device="emulated"):
    folder = FOLDER / name
    folder.mkdir()
    (folder / "graph.mlir").write_text(text)
    run("ps-run", folder / "graph.mlir", f"--data={data}",
        f"--batch-size={BATCH}", f"--epochs={EPOCHS}", f"--device={device}",
        f"--metrics={folder}/metrics", f"--save={folder}/model", *flags)
    return {path.name: path.read_bytes()
            for path in (folder / "model").iterdir()
            if path.suffix == ".safetensors"}


def is_same(name, text, *flags, others="", below="", tolerance=None):
    if others:
        text = replace(text, INITIAL, f"{INITIAL} {{{others}}}")
    tiers = f"{INITIAL} tiers([#ps.hbm<rows = {SLOTS}>{below}])"
    expected = train(f"{name}-host", text, *flags)
    found = train(f"{name}-hbm", replace(text, INITIAL, tiers), *flags)
    assert expected.keys() == found.keys()
    if tolerance:
        run("ps-run", "compare", f"--tolerance={tolerance}",
            FOLDER / f"{name}-host/model", FOLDER / f"{name}-hbm/model")
    else:
        assert expected == found, name
    last = read_metrics(FOLDER / f"{name}-hbm" / "metrics")[-1]
    assert last["emb.hbm_promoted"] > 0 and last["emb.hbm_demoted"] > 0, last
    if below:
        assert last["emb.demoted"] > 0, last
    return found


for optimizer in OPTIMIZERS:
    # A sum along a row has another order on a device.
    is_same(optimizer, graph(optimizer),
            tolerance=1e-6 if optimizer == "row_wise" else None)
is_same("f64", graph("adam", element="f64"))
is_same("count", graph("adagrad"), others="admit_count = 3 : i64")
is_same("age", graph("adagrad"),
        others="evict_age = 9 : i64, evict_every = 4 : i64")
is_same("full", replace(graph("adagrad"), "tensor<1000000x", "tensor<50x"),
        others="evict_lru")

# Evaluation reads what the device has.
is_same("eval", graph("adam"), f"--eval-data={data}")
scores = [[line["loss"] for line in read_metrics(FOLDER / name / "metrics")
           if line["phase"] == "eval"] for name in ("eval-host", "eval-hbm")]
assert len(scores[0]) == EPOCHS and scores[0] == scores[1], scores

# Between memory and an SSD, too; a pass ends with what the device has.
ssd = f', #ps.mem<rows = {IN_MEMORY}>, #ps.ssd<"{FOLDER}/rows">'
saved = is_same("ssd", graph("adam"), below=ssd)
is_same("passes", graph("adam"), "--pass-samples=32", below=ssd)

# A process without a device does without copies.
hbm = replace(graph("adam"), INITIAL,
              f"{INITIAL} tiers([#ps.hbm<rows = 1>])")
assert train("cpu", hbm, device="cpu") == train("cpu-plain", graph("adam"),
                                                device="cpu")

# In a job, pservers hold the rows.
for name, text in (("job-plain", graph("adam")), ("job-hbm", hbm)):
    (FOLDER / f"{name}.mlir").write_text(text)
    run("ps-opt", FOLDER / f"{name}.mlir", "-o", FOLDER / f"{name}-dist.mlir",
        "--ps-transpile=pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2")
    run("ps-run", FOLDER / f"{name}-dist.mlir", "--role=all", f"--data={data}",
        f"--batch-size={BATCH}", "--device=emulated", f"--save={FOLDER}/{name}")
run("ps-run", "compare", FOLDER / "job-plain", FOLDER / "job-hbm")

# A run that loads.
first = f"--load={FOLDER}/adam-host/model"
is_same("load", graph("adam"), first)

# A step's rows have to be there at once.
(FOLDER / "small.mlir").write_text(hbm)
_, error = run("ps-run", FOLDER / "small.mlir", f"--data={data}",
               f"--batch-size={BATCH}", "--device=emulated", code=1)
assert "of which the tier #ps.hbm holds 1: raise its rows" in error, error
