"""Saves the rows that are worth serving, then those that have changed since:
laid over each other they are such rows of a checkpoint of all rows, in one
process and in a job."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import run
from row_model import (compare_rows, graph, make_samples, read_columns,
                       read_rows, write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, PART, DAY = 8, 24, 2
BASE, DELTA, KEPT = 0.7, 0.45, 1
samples = make_samples(4 * PART, longest=2)
for i, sample in enumerate(samples):
    sample.label = int(i % 3 == 0)
parts = [write_samples(FOLDER / f"part{k}.txt",
                       samples[k * PART:(k + 1) * PART]) for k in range(4)]
accessor = (f"click = \"label\", base_threshold = {BASE}, delta_threshold = "
            f"{DELTA}, delta_keep_days = {KEPT}.0, delete_threshold = 0.1, "
            "embedx_from = 1, embedx_threshold = 1.0")
module = FOLDER / "graph.mlir"
module.write_text(graph("adagrad").replace(
    "init(#ps.constant<0.5>)",
    f"init(#ps.constant<0.5>) {{accessor = #ps.ctr<{accessor}>, "
    f"evict_every = {DAY} : i64}}"))
dist = FOLDER / "dist.mlir"
run("ps-opt", module, "--ps-transpile=pservers=127.0.0.1:6174,127.0.0.1:6175 "
    "trainers=2", "-o", dist)


def columns(folder):
    """By id: score, delta score and days unseen."""
    rows = read_columns(folder, "show", "click", "delta_score", "unseen_days")
    return {id: (0.1 * (show - click) + click, delta, days)
            for id, (show, click, delta, days) in rows.items()}


def train(name, part, load, *flags):
    """Saves all rows, too, which training goes on from."""
    run("ps-run", *command, f"--data={parts[part]}", f"--save={home / name}",
        *([f"--load={home / load}"] if load else []), *flags)
    return columns(home / name)


def worth_serving(rows):
    return {id for id, (score, _, days) in rows.items()
            if score >= BASE and days <= KEPT}


for name, command in (
        ("local", [module, f"--batch-size={BATCH}"]),
        ("job", [dist, "--role=all", f"--batch-size={BATCH // 2}"])):
    home = FOLDER / name
    # The first checkpoint counts from the beginning. The file of all rows that
    # is saved with it counts from it.
    rows = train("all0", 0, None, f"--save-base={home}/base")
    served = worth_serving(rows)
    assert 0 < len(served) < len(rows), rows
    assert set(columns(home / "base")) == served, (served, rows)
    for id, (_, delta, _) in rows.items():
        assert (delta == 0) == (id in served), rows
    expected = {id: row for id, row in read_rows(home / "all0").items()
                if id in served}
    compare_rows(read_rows(home / "base"), expected, 0)

    chain, laid = [home / "base"], dict(expected)
    for k in (1, 2, 3):
        # The same run without a delta shows what has changed.
        before = train("probe", k, f"all{k - 1}")
        rows = train(f"all{k}", k, f"all{k - 1}",
                     f"--save-delta={home}/delta{k}")
        changed = {id for id in worth_serving(before)
                   if before[id][1] >= DELTA}
        assert changed, before
        assert set(columns(home / f"delta{k}")) == changed, (changed, before)
        for id, (_, delta, _) in rows.items():
            assert delta == (0 if id in changed else before[id][1]), id
        whole = read_rows(home / f"all{k}")
        compare_rows(read_rows(home / f"delta{k}"),
                     {id: whole[id] for id in changed}, 0)
        laid.update((id, whole[id]) for id in changed)
        chain.append(home / f"delta{k}")

    # Loading lays them over each other.
    run("ps-run", module, f"--eval-data={parts[0]}", f"--save={home}/laid",
        f"--load={','.join(map(str, chain))}")
    compare_rows(read_rows(home / "laid"), laid, 0)

# Both kinds of run have saved the same.
for folder in ("base", "delta1", "delta2", "delta3", "all3", "laid"):
    run("ps-run", "compare", FOLDER / "local" / folder, FOLDER / "job" / folder,
        "--tolerance=1e-5")

# A change is of something, and comes after it.
home = FOLDER / "local"
for load, expected in (
        (["delta1"], "delta1' holds only rows of table '@emb' that changed: "
                     "expected before it the folder that they changed since"),
        (["base", "delta1", "delta3"],
         "delta3' holds rows of table '@emb' that changed from step 9 to 12, "
         f"but '{home}/delta1' before it was saved after step 6: "),
        (["base", "delta1", "delta2", "delta1"],
         "delta1' holds rows of table '@emb' that changed from step 3 to 6, "
         f"but '{home}/delta2' before it was saved after step 9: "),
        (["base", "all1"], "all1' holds rows of table '@emb' whether they "
                           "changed or not: expected only rows that changed"),
        (["base", "none"], "none/model.safetensors': cannot open")):
    _, errors = run("ps-run", module, "--batch-size=8",
                    f"--data={parts[0]}", "--load="
                    + ",".join(str(home / folder) for folder in load), code=1)
    assert expected in errors, errors

# Each folder is compared with its own training.json.
for folder, name in (("base", "training.json"),
                     ("delta2", "emb-00000-of-00001.safetensors")):
    mixed = home / f"mixed-{folder}"
    shutil.copytree(home / folder, mixed)
    shutil.copy(home / "delta1" / name, mixed)
    load = [mixed if part == folder else home / part
            for part in ("base", "delta1", "delta2")]
    _, errors = run("ps-run", module, "--batch-size=8", f"--data={parts[0]}",
                    "--load=" + ",".join(map(str, load)), code=1)
    assert f"files of two checkpoints: '{mixed}/training.json'" in errors, (
        errors)

# And verified with its own.
chain = [home / name for name in ("base", "delta1", "delta2")]
out, _ = run("ps-run", "verify", *chain)
assert out.count("ok ") == 9, out
for folder in chain:
    path = folder / "emb-00000-of-00001.safetensors"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    _, errors = run("ps-run", module, "--batch-size=8", f"--data={parts[0]}",
                    "--load=" + ",".join(map(str, chain)), code=1)
    assert f"'{path}' is damaged" in errors, errors
    path.write_bytes(whole)

# Something must tell which rows to save.
module.write_text(graph("sgd"))
for flag in ("--save-base", "--save-delta"):
    _, errors = run("ps-run", module, "--batch-size=8", f"--data={parts[0]}",
                    f"{flag}={FOLDER}/none", code=2)
    assert "expected a table with an accessor, the program has none" in errors, (
        errors)
