"""Shows and clicks that are kept with the rows of a table: by a formula, in one
process, in a job, and over gRPC, with rows that go by their score."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import read_metrics, run
from row_model import graph, make_samples, read_columns, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, STEPS, DAY, DECAY, THRESHOLD, PADDING = 8, 6, 2, 0.5, 0.35, 0

samples = make_samples(BATCH * STEPS)
for i, sample in enumerate(samples):
    sample.label = int(i % 3 == 0)
data = write_samples(FOLDER / "samples.txt", samples)
module = FOLDER / "clicks.mlir"


def write_module(options="", element="f32"):
    module.write_text(graph("adagrad", padding=PADDING, element=element).replace(
        "init(#ps.constant<0.5>)",
        "init(#ps.constant<0.5>) {accessor = #ps.ctr<click = \"label\", "
        f"decay = {DECAY}, delete_threshold = {THRESHOLD}{options}>, "
        f"evict_every = {DAY} : i64}}"))


def expected(most_days):
    """By id: shows, clicks and days unseen."""
    known, gone, old = {}, 0, 0
    for step in range(STEPS):
        for s in samples[step * BATCH:(step + 1) * BATCH]:
            for id in s.ids + [id for id in s.bag if id != PADDING]:
                row = known.setdefault(id, [0, 0, 0])
                row[:] = row[0] + 1, row[1] + s.label, 0
        if (step + 1) % DAY:
            continue
        for id, (show, click, unseen) in list(known.items()):
            show, click = show * DECAY, click * DECAY
            known[id] = [show, click, unseen + 1]
            if 0.1 * (show - click) + click < THRESHOLD:
                del known[id]
                gone += 1
            elif unseen > most_days:
                del known[id]
                old += 1
    return known, gone, old


def read(folder):
    """The same, from all files that a run has saved."""
    return read_columns(folder, "show", "click", "unseen_days")


def check(name, wanted, *command):
    folder = FOLDER / name
    run("ps-run", *command, f"--data={data}", f"--steps={STEPS}",
        f"--save={folder}")
    found = read(folder)
    assert found == wanted, (name, found, wanted)


for options, most_days in (("", 30), (", delete_after_unseen_days = 0.0", 0),
                           (", delete_after_unseen_days = 1.0", 1)):
    write_module(options)
    wanted, gone, old = expected(most_days)
    assert wanted or most_days == 0
    check("local", wanted, module, f"--batch-size={BATCH}",
          f"--metrics={FOLDER}/metrics")
    last = read_metrics(FOLDER / "metrics")[-1]
    assert last["emb.evicted_by_score"] == gone > 0, (last, gone)
    assert last["emb.evicted_unseen"] == old, (last, old)
    dist = FOLDER / "dist.mlir"
    run("ps-opt", module, "--ps-transpile=pservers=127.0.0.1:6174,"
        "127.0.0.1:6175 trainers=2", "-o", dist)
    check("job", wanted, dist, "--role=all", f"--batch-size={BATCH // 2}")
    check("workers", wanted, module, f"--batch-size={BATCH // 2}",
          "--workers=2")

# Over the network, and in double precision.
write_module(element="f64")
check("launch", expected(30)[0], "launch", f"--log-dir={FOLDER}/log",
      "--trainers=2", "--pservers=2", module, f"--batch-size={BATCH // 2}")

# Clicks may be integers, as JAX has them.
for element in "i32", "i64":
    write_module()
    text = module.read_text()
    argument = '%label: tensor<?x1xf32> {ps.feed = "label"}'
    assert text.count(argument) == 1
    head, tail = text.split(argument)
    body = tail.index("{\n") + 2
    module.write_text(
        head + f'%clicks: tensor<?x1x{element}> {{ps.feed = "label"}}'
        + tail[:body] + "%label = stablehlo.convert %clicks : "
        f"(tensor<?x1x{element}>) -> tensor<?x1xf32>\n" + tail[body:])
    run("ps-run", module, f"--data={data.replace('label:f', 'label:i')}",
        f"--steps={STEPS}", f"--batch-size={BATCH}", f"--save={FOLDER}/{element}")
    found = read(FOLDER / element)
    assert found == expected(30)[0], (element, found)
write_module()

# The feed of clicks must be there.
module.write_text(module.read_text().replace('"label",', '"labels",'))
_, errors = run("ps-run", module, f"--data={data}", code=1)
assert 'clicks are in the feed "labels", which is not an argument' in errors, errors
