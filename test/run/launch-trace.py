"""launch --trace, and --role=all --trace, leave one file with the spans of all
processes on one clock, with the bytes of transfers and what each run waited for;
merge-traces makes it of files of several machines."""
# RUN: %python %s %t

import json
import math
import os
import pathlib
import re
import shutil
import sys

from job import DATA, GRAPH, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
TRACE = FOLDER / "trace.json"
STEPS = 6
# Of all variables, in f32.
BYTES = sum(4 * math.prod(int(size) for size in shape.split("x")[:-1])
            for shape in re.findall(r"ps.variable @\w+ : tensor<(.*?)>",
                                    GRAPH.read_text()))


class Merged:
    """Spans by process: (category, name, begin, end, arguments)."""

    def __init__(self, path):
        self.names, self.order, self.spans = {}, {}, {}
        begun = {}
        for e in json.loads(pathlib.Path(path).read_text())["traceEvents"]:
            if e["ph"] == "M":
                if e["name"] == "process_name":
                    self.names[e["pid"]] = e["args"]["name"]
                elif e["name"] == "process_sort_index":
                    self.order[e["pid"]] = e["args"]["sort_index"]
                continue
            if e["ph"] == "b":
                assert e["id"] not in begun, e
                begun[e["id"]] = e
                continue
            begin, end = e["ts"], e["ts"] + e.get("dur", 0)
            if e["ph"] == "e":
                begin = begun.pop(e["id"])["ts"]
            self.spans.setdefault(self.names[e["pid"]], []).append(
                (e["cat"], e["name"], begin, end, e["args"]))
        assert not begun, begun

    def processes(self):
        return [self.names[pid] for pid in sorted(self.names, key=self.order.get)]

    def named(self, process, begin, step):
        return [s for s in self.spans[process]
                if s[1].startswith(begin) and s[4]["step"] == step]


def check_times(merged, trainers):
    """A pserver merges the gradients of a step after all trainers have begun to
    send theirs, and before any has the new values."""
    for step in range(STEPS):
        exchanges = [s for t in trainers
                     for s in merged.named(t, "push_pull ", step)]
        assert len(exchanges) == len(trainers), exchanges
        means = merged.named("pserver 0", "mean ", step)
        assert means, merged.spans["pserver 0"]
        first = min(s[2] for s in means)
        assert max(s[2] for s in exchanges) <= first, (exchanges, means)
        assert first <= min(s[3] for s in exchanges), (exchanges, means)


# What an earlier job has left is not of this one.
(FOLDER / "trace.json.trainer-7").write_text("{}")
os.utime(FOLDER / "trace.json.trainer-7", (1, 1))
out, err = run("ps-run", "launch", "--pservers=1", "--trainers=2",
               f"--log-dir={FOLDER}/log", GRAPH, DATA, "--batch-size=5",
               f"--steps={STEPS}", f"--trace={TRACE}")
assert f"trace of 3 processes: {TRACE}" in err, err
merged = Merged(TRACE)
TRAINERS = ["trainer 0", "trainer 1"]
assert merged.processes() == [*TRAINERS, "pserver 0"], merged.processes()
check_times(merged, TRAINERS)
for trainer in TRAINERS:
    for step in range(STEPS):
        (_, _, begin, end, sizes), = merged.named(trainer, "push_pull ", step)
        assert sizes["sent_bytes"] == sizes["received_bytes"] == BYTES, sizes
        (category, _, _, data, _), = merged.named(trainer, "data", step)
        (_, _, whole, over, _), = merged.named(trainer, "step", step)
        assert category == "run" and whole <= data <= over, (trainer, step)
        assert whole <= begin, (trainer, step)
    received = sum(s[4]["received_bytes"] for s in merged.spans[trainer]
                   if s[1].startswith("recv "))
    assert received == BYTES, received

# The same of all roles in one process.
TOGETHER = FOLDER / "together.json"
out, err = run("ps-run", FOLDER / "log/latest/dist.mlir", "--role=all", DATA,
               "--batch-size=5", f"--steps={STEPS}", f"--trace={TOGETHER}")
assert f"trace of 3 processes: {TOGETHER}" in err, err
together = Merged(TOGETHER)
assert together.processes() == [*TRAINERS, "pserver 0"], together.processes()
check_times(together, TRAINERS)

# Of another machine, whose clock began 5 s later.
own = (FOLDER / "trace.json.pserver-0").read_text()
first = json.loads(own)["otherData"]
other = re.sub(r'"ts":(\d+)', lambda m: f'"ts":{int(m[1]) - 5_000_000}', own)
other = other.replace(first["boot"], "another").replace(
    str(first["wall_offset_us"]), str(first["wall_offset_us"] + 5_000_000))
moved = FOLDER / "elsewhere.json"
moved.write_text(other)
parts = [FOLDER / "trace.json.trainer-1", moved]
run("ps-run", "merge-traces", *parts, "-o", FOLDER / "two.json")
two = Merged(FOLDER / "two.json")
assert two.processes() == ["trainer 1", "pserver 0"], two.processes()
for (_, name, begin, end, _), (_, other, *times, _) in zip(
        merged.spans["pserver 0"], two.spans["pserver 0"]):
    assert name == other, (name, other)
    assert abs(times[0] - begin) < 1e5 and abs(times[1] - end) < 1e5, times

# Rows of tables: as many as there are ids.
graph = FOLDER / "rows.mlir"
graph.write_text("""
  ps.table @emb : tensor<1000x3xf32> init(#ps.constant<0.5>)
  func.func @train(%ids: tensor<?xi64> {ps.feed = "ids"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %rows = ps.lookup @emb[%ids] : (tensor<?xi64>) -> tensor<?x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%rows init: %zero) applies stablehlo.add
        across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }""")
samples = FOLDER / "samples.txt"
samples.write_text("".join(f"1 {i % 4}\n" for i in range(16)))
run("ps-run", "launch", "--pservers=1", "--trainers=1", f"--log-dir={FOLDER}/log",
    graph, f"--data=multislot:{samples}", "--batch-size=8", f"--trace={TRACE}")
merged = Merged(TRACE)
for step in 0, 1:
    (_, _, _, _, sizes), = merged.named("trainer 0", "prefetch @emb", step)
    assert (sizes["sent_bytes"], sizes["received_bytes"]) == (4 * 8, 4 * 12), sizes
    (_, _, _, _, sizes), = merged.named("trainer 0", "push rows @emb", step)
    assert sizes["sent_bytes"] == 4 * (8 + 12), sizes

_, err = run("ps-run", "merge-traces", TRACE, "-o", FOLDER / "none.json", code=1)
assert err == (f"ps-run: error: '{TRACE}' holds the merged traces of a job: expected "
               "files that were not merged, which launch --trace does itself\n"), err

# What is none.
for text, line in ("", 1), ('{"displayTimeUnit":"ns","traceEvents":[\n{}', 2):
    bad = FOLDER / "bad.json"
    bad.write_text(text)
    _, err = run("ps-run", "merge-traces", bad, "-o", FOLDER / "none.json", code=1)
    assert err == (f"ps-run: error: {bad}:{line}: expected a line of a trace that "
                   "--trace wrote\n"), err
_, err = run("ps-run", "merge-traces", FOLDER / "missing", "-o",
             FOLDER / "none.json", code=1)
assert "cannot open" in err and not (FOLDER / "none.json").exists(), err
