"""A table of which a tenth is in memory trains to the same bits as one that is
there as a whole: in one process, in jobs, and from one run to the next."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import OPTIMIZERS, graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, EPOCHS = 4, 3
samples = make_samples(96)
data = write_samples(FOLDER / "samples.txt", samples)
# Any more, and a step would not be able to hold its rows.
IN_MEMORY = 40


def with_tiers(text, directory):
    initial = "init(#ps.constant<0.5>)"
    assert initial in text
    return text.replace(
        initial, f"{initial} tiers([#ps.mem<rows = {IN_MEMORY}>, "
                 f'#ps.ssd<"{directory}">])')


def files_of(folder):
    """What a run saved, without the position in the data."""
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.suffix == ".safetensors"}


def train(name, text, *flags, job=""):
    folder = FOLDER / name
    folder.mkdir()
    (folder / "graph.mlir").write_text(text)
    program, role = folder / "graph.mlir", []
    if job:
        program, role = folder / "dist.mlir", ["--role=all"]
        run("ps-opt", folder / "graph.mlir", "-o", program,
            f"--ps-transpile={job}")
    run("ps-run", program, *role, f"--data={data}", f"--batch-size={BATCH}",
        f"--epochs={EPOCHS}", f"--metrics={folder}/metrics",
        f"--save={folder}/model", *flags)
    return files_of(folder / "model")


def is_same(name, text, *flags, others="", **job):
    if others:
        initial = "init(#ps.constant<0.5>)"
        text = text.replace(initial, f"{initial} {{{others}}}")
    whole = train(f"{name}-whole", text, *flags, **job)
    tiered = train(f"{name}-tiers", with_tiers(text, FOLDER / name), *flags,
                   **job)
    assert whole.keys() == tiered.keys(), (whole.keys(), tiered.keys())
    for file in whole:
        assert whole[file] == tiered[file], (name, file)
    # Rows came and went, and nothing is left of them.
    folder = FOLDER / f"{name}-tiers"
    for file in folder.glob("metrics*"):
        if "trainer" in file.name or (job and file.name == "metrics"):
            continue
        last = read_metrics(file)[-1]
        assert last["emb.promoted"] > 0 and last["emb.demoted"] > 0, last
    assert list((FOLDER / name).iterdir()) == []


# The gradient of a step is the same wherever rows are.
for optimizer in OPTIMIZERS:
    is_same(optimizer, graph(optimizer))
is_same("f64", graph("adam", element="f64"))
is_same("count", graph("adagrad"), others="admit_count = 3 : i64")
is_same("age", graph("adagrad"),
        others="evict_age = 9 : i64, evict_every = 4 : i64")

TWO = "pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2"
is_same("sync", graph("adam"), job=TWO)
is_same("cached", graph("adam"), job=TWO, others="cache_rows = 20 : i64")
is_same("async", graph("adagrad"), "--deterministic",
        job="pservers=127.0.0.1:6174 trainers=1 mode=async")

# A run that loads what another saved, into memory or not.
for first, second in ((False, True), (True, False), (True, True)):
    name = f"load-{first}-{second}"
    text = graph("adam")
    tiered = with_tiers(text, FOLDER / name)
    train(f"{name}-1", tiered if first else text)
    loaded = f"--load={FOLDER}/{name}-1/model"
    expected = train(f"{name}-2", text, loaded)
    assert train(f"{name}-3", tiered if second else text, loaded) == expected

# A step's rows have to be in memory at once.
small = with_tiers(graph("sgd"), FOLDER / "small").replace(
    f"rows = {IN_MEMORY}", "rows = 3")
(FOLDER / "small.mlir").write_text(small)
_, error = run("ps-run", FOLDER / "small.mlir", f"--data={data}",
               f"--batch-size={BATCH}", code=1)
assert "of which memory holds 3: raise the rows of the tier #ps.mem" in error, \
    error

# A directory with a name that is mistyped is not made up.
missing = FOLDER / "missing" / "rows"
(FOLDER / "missing.mlir").write_text(with_tiers(graph("adam"), missing))
_, error = run("ps-run", FOLDER / "missing.mlir", f"--data={data}", code=1)
assert f"expected the directory '{missing.parent}' to exist" in error, error
assert not missing.parent.exists()
