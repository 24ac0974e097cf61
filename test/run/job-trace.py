"""--trace: valid JSON with every kernel and transfer of every step; gradients
leave while the backward pass goes on."""
# RUN: %python %s %t %examples/mnist_mlp/mnist_mlp.mlir

import json
import pathlib
import re
import sys
from collections import defaultdict

from job import Job, run

FOLDER, GRAPH, STEPS = pathlib.Path(sys.argv[1]), sys.argv[2], 8
DATA = "--data=synthetic:digits?n=4096"


def spans(path):
    """Per step: (category, name, begin, end), in microseconds."""
    steps, open_spans = defaultdict(list), {}
    events = json.load(open(path))["traceEvents"]
    for e in events:
        if e["ph"] == "M":
            continue
        step = e["args"]["step"]
        if e["ph"] == "X":
            steps[step].append((e["cat"], e["name"], e["ts"],
                                e["ts"] + e["dur"]))
        elif e["ph"] == "b":
            open_spans[e["id"]] = e["ts"]
        else:
            assert e["ph"] == "e", e
            steps[step].append((e["cat"], e["name"],
                                open_spans.pop(e["id"]), e["ts"]))
    assert not open_spans, open_spans
    return steps


def named(step, prefix):
    return sorted(name for _, name, _, _ in step if name.startswith(prefix))


def check_trainer(steps, blocks):
    assert sorted(steps) == list(range(-1, STEPS)), sorted(steps)
    assert named(steps[-1], "recv ") == [f"recv @{b}" for b in blocks]
    kernels = {len([s for s in steps[i] if "gemm" in s[0] or "kernel" in s[0]])
               for i in range(STEPS)}
    assert len(kernels) == 1 and kernels.pop() >= 8, kernels
    early, could = 0, 0
    for i in range(STEPS):
        step = steps[i]
        assert named(step, "gemm ") and len(named(step, "gemm ")) >= 8, step
        exchanged = [block for name in named(step, "push_pull ")
                     for block in re.findall(r"@([\w.]+)", name)]
        assert sorted(exchanged) == blocks, step
        for other in ("send", "recv", "fetch_barrier"):
            assert not named(step, other), step
        # Gradients leave when the exchange of the step before is over, which
        # goes on while this one computes.
        exchange_ends = max((end for _, name, _, end in steps[i - 1]
                             if name.startswith("push_pull ")), default=0)
        last_begin, last_end = max(
            ((begin, end) for category, _, begin, end in step
             if category in ("gemm", "kernel")), key=lambda span: span[1])
        if exchange_ends < last_begin:
            could += 1
            early += any(begin < last_end for _, name, begin, _ in step
                         if name.startswith("push_pull "))
    print(f"{early} of {could} steps send before their last kernel ends")
    assert early * 2 >= could, (early, could)


def check_pserver(steps, blocks):
    assert sorted(steps) == list(range(STEPS)), sorted(steps)
    for i in range(STEPS):
        assert named(steps[i], "mean ") == [f"mean @{b}" for b in blocks]
        updates = [s for s in steps[i] if not s[1].startswith("mean ")]
        assert len(updates) >= len(blocks), steps[i]


with Job(FOLDER, 2, 1, graph=GRAPH) as job:
    for i in (0, 1):
        job.pserver(i, f"--trace={FOLDER}/pserver{i}.json")
    job.trainer(0, "--batch-size=256", f"--steps={STEPS}",
                f"--trace={FOLDER}/trainer.json", data=DATA)
    for process in job.processes:
        process.ends_well()
    held = [re.findall(r"ps\.optimize_block @([\w.]+)", part) for part in
            job.program.read_text().split("role(pserver)")[1:]]
    check_trainer(spans(FOLDER / "trainer.json"), sorted(held[0] + held[1]))
    for i in (0, 1):
        check_pserver(spans(FOLDER / f"pserver{i}.json"), sorted(held[i]))

run("ps-run", GRAPH, DATA, "--batch-size=64", "--steps=2",
    f"--trace={FOLDER}/local.json")
local = spans(FOLDER / "local.json")
assert sorted(local) == [0, 1] and len(local[0]) == len(local[1]) >= 8

# Lanes of a device show when it did what threads only gave it: its queue in
# order, and what it copied to the host beside that.
run("ps-run", GRAPH, DATA, "--batch-size=64", "--steps=2", "--device=emulated",
    f"--trace={FOLDER}/device.json")
events = json.load(open(FOLDER / "device.json"))["traceEvents"]
lanes = {e["tid"]: e["args"]["name"] for e in events
         if e["name"] == "thread_name"}
done = [e for e in events
        if e["ph"] == "X" and lanes[e["tid"]].startswith("device emulated")]
given = [e for e in events if e["ph"] == "X" and e["cat"] in ("kernel", "gemm")
         and lanes[e["tid"]].startswith("thread ")]
assert (sorted((e["name"], e["args"]["step"]) for e in done) ==
        sorted((e["name"], e["args"]["step"]) for e in given)), done
of_lane = defaultdict(list)
for e in done:
    of_lane[lanes[e["tid"]]].append(e)
assert sorted(of_lane) == ["device emulated", "device emulated, to host"], lanes
for lane, spans_of_lane in of_lane.items():
    ends = 0
    for e in sorted(spans_of_lane, key=lambda e: e["ts"]):
        assert e["ts"] >= ends - .001, (lane, e)
        ends = e["ts"] + e["dur"]
products = [e["dur"] for e in done if e["cat"] == "gemm"]
assert min(products) > 0, products
