"""Jobs with tables against one process: every id, duplicates across trainers,
pservers without rows, saved tables read by another number of pservers."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import (OPTIMIZERS, Sample, compare_rows, graph, make_samples,
                       read_rows, write_samples)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
samples = make_samples(48)
data = write_samples(FOLDER / "samples.txt", samples)


def transpile(module, pservers, trainers, name, options=""):
    dist = FOLDER / f"{name}.mlir"
    endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
    run("ps-opt", module, f"--ps-transpile=pservers={endpoints} "
        f"trainers={trainers} {options}", "-o", dist)
    return dist


def save(name, *command):
    run("ps-run", *command, f"--save={FOLDER}/{name}")
    return read_rows(FOLDER / name)


# Two trainers' batches of 4 make one process's of 8.
for name in OPTIMIZERS:
    module = FOLDER / f"{name}.mlir"
    module.write_text(graph(name))
    local = save(f"{name}-local", module, f"--data={data}", "--batch-size=8",
                 "--steps=6")
    dist = transpile(module, 2, 2, f"{name}-dist")
    job = save(f"{name}-job", dist, "--role=all", f"--data={data}",
               "--batch-size=4", "--steps=6")
    compare_rows(job, local)
    folders = FOLDER / f"{name}-local", FOLDER / f"{name}-job"
    shown, _ = run("ps-run", "compare", *folders, "--tolerance=1e-5")
    assert "over 0 variables and 1 table" in shown, shown
_, errors = run("ps-run", "compare", FOLDER / "sgd-local",
                FOLDER / "adam-job", "--tolerance=1e-5", code=1)
assert "'emb' differs by " in errors, errors

# Over gRPC, ids dealt otherwise, more pservers than there are ids. Another
# number of pservers goes on, and one process, from what these have saved.
module = FOLDER / "modulo.mlir"
module.write_text(graph("adam", pool="sum").replace(
    "init(#ps.constant<0.5>)", "init(#ps.constant<0.5>) partition(modulo)"))
local = save("whole", module, f"--data={data}", "--batch-size=8", "--steps=6")
rest = write_samples(FOLDER / "rest.txt", samples[24:])
job = ["launch", f"--log-dir={FOLDER}/log", "--trainers=2", module,
       "--batch-size=4", "--steps=3"]
save("half", *job, "--pservers=3", f"--data={data}")
assert len(list((FOLDER / "half").glob("emb-*-of-00003.safetensors"))) == 3
compare_rows(save("halves", *job, "--pservers=2", f"--data={rest}",
                  f"--load={FOLDER}/half"), local)
compare_rows(save("one", module, f"--data={rest}", "--batch-size=8",
                  "--steps=3", f"--load={FOLDER}/half"), local)

few = [Sample(s.label, [7, 7], [], []) for s in samples]
few_data = write_samples(FOLDER / "few.txt", few)
rows = save("few", transpile(module, 4, 2, "few-dist"), "--role=all",
            f"--data={few_data}", "--batch-size=4", "--steps=3")
_, errors = run("ps-run", "compare", FOLDER / "few", FOLDER / "whole", code=1)
assert f"'{FOLDER / 'few'}' has no row " in errors, errors
compare_rows(rows, save("few-local", module, f"--data={few_data}",
                        "--batch-size=8", "--steps=3"))
assert list(rows) == [7], rows

# As many holders and steps, but another run: a file of it among those of this
# one, or of this one among those of it, as a pserver leaves one that is killed
# before it has replaced its file.
save("other", FOLDER / "few-dist.mlir", "--role=all", f"--data={data}",
     "--batch-size=4", "--steps=3")
mixed = sorted((FOLDER / "few").glob("emb-*-of-*.safetensors"))[1]
shutil.copy(FOLDER / "other" / mixed.name, mixed)
_, errors = run("ps-run", module, f"--eval-data={few_data}",
                f"--load={FOLDER}/few", code=1)
for text in (f"files of two checkpoints: '{FOLDER}/few/training.json' of ",
             f" and '{mixed}' of checkpoint "):
    assert text in errors, errors
for name in ("model.safetensors", "training.json"):
    shutil.copy(FOLDER / "other" / name, FOLDER / "few")
_, errors = run("ps-run", module, f"--eval-data={few_data}",
                f"--load={FOLDER}/few", code=1)
assert "files of two checkpoints" in errors, errors

# Ids that come often get rows, rows that are not used go; the same ones
# everywhere.
for entry in ("admit_count = 2 : i64", "admit_probability = 0.5 : f64",
              "evict_age = 1 : i64, evict_every = 2 : i64"):
    module.write_text(graph("adagrad").replace(
        "init(#ps.constant<0.5>)", f"init(#ps.constant<0.5>) {{{entry}}}"))
    some = save("some", module, f"--data={data}", "--batch-size=8",
                "--steps=6", f"--metrics={FOLDER}/metrics")
    last = read_metrics(FOLDER / "metrics")[-1]
    assert 0 < len(some) < 50 and last["emb.rows"] == len(some), last
    assert last["emb.refused_by_count"] + last["emb.evicted_by_age"] + last[
        "emb.refused_by_probability"] > 0, last
    compare_rows(save("some-job", transpile(module, 2, 2, "some-dist"),
                      "--role=all", f"--data={data}", "--batch-size=4",
                      "--steps=6"), some)

# Another function looks a table up, too: the shards are as many all the same.
module.write_text(graph("sgd").rstrip()[:-1] + """
  func.func @predict(%ids: tensor<?xi64> {ps.feed = "ids"})
      -> (tensor<?x3xf32> {ps.fetch = "rows"}) {
    %e = ps.lookup @emb[%ids] : (tensor<?xi64>) -> tensor<?x3xf32>
    return %e : tensor<?x3xf32>
  }
}
""")
compare_rows(save("two-functions", transpile(module, 2, 2, "two-dist"),
                  "--role=all", f"--data={data}", "--batch-size=4",
                  "--steps=6"), read_rows(FOLDER / "sgd-local"))

# A pserver's share of the largest limit that a type can name.
module.write_text(graph("sgd").replace("1000000x3", f"{2**63 - 1}x3").replace(
    "init(#ps.constant<0.5>)", "init(#ps.constant<0.5>) {evict_lru}"))
compare_rows(save("largest", transpile(module, 2, 2, "largest-dist"),
                  "--role=all", f"--data={data}", "--batch-size=4",
                  "--steps=6"), read_rows(FOLDER / "sgd-local"))

# Trainer 0 saves the rows of a table that nobody trains.
module.write_text(graph("sgd").replace(
    "ps.table @emb", """ps.table @fixed : tensor<1000000x3xf32>
      init(#ps.constant<0.5>) {trainable = false}
  ps.table @emb""").replace("ps.lookup @emb[%ids]", "ps.lookup @fixed[%ids]"))
save("fixed", transpile(module, 2, 2, "fixed-dist"), "--role=all",
     f"--data={data}", "--batch-size=4", "--steps=6")
fixed = read_rows(FOLDER / "fixed", "fixed")
assert fixed and all(set(row) == {0.5} for row in fixed.values()), fixed

# Tables that cannot be compared.
more = FOLDER / "more"
shutil.copytree(FOLDER / "whole", more)
for file in (FOLDER / "fixed").glob("fixed-*"):
    shutil.copy(file, more)
for sides in ((more, FOLDER / "whole"), (FOLDER / "whole", more)):
    _, errors = run("ps-run", "compare", *sides, code=1)
    assert f"'{FOLDER}/whole' has no table 'fixed'" in errors, errors
shutil.copytree(FOLDER / "whole", FOLDER / "spoiled")
spoiled = FOLDER / "spoiled" / "emb-00000-of-00001.safetensors"
shutil.copy(spoiled.with_name("model.safetensors"), spoiled)
spoiled.with_name("training.json").unlink()
_, errors = run("ps-run", "compare", FOLDER / "spoiled", FOLDER / "whole",
                code=1)
assert f"'{spoiled}' holds no rows of a table" in errors, errors

# A full table ends the job with its name.
module.write_text(graph("sgd").replace("1000000x3", "5x3"))
for command in ([module], [transpile(module, 2, 2, "full"), "--role=all"]):
    _, errors = run("ps-run", *command, f"--data={data}", "--batch-size=4",
                    code=1)
    assert "table '@emb'" in errors or "table 'emb'" in errors, errors
