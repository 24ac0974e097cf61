"""--metrics has the learning rates of the step and the time, --tensorboard the same numbers as
records with checksums, --metrics-port the newest of them; a line at the end has
what the run took and leaves; --set is as if the graph said so."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import struct
import sys
import urllib.request

from job import DATA, GRAPH, INPUTS, Process, read_metrics, refused_usage, run
from protobuf import fields

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
METRICS = FOLDER / "metrics"
LAUNCH = ["launch", "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/log"]
EVAL = f"--eval-data=csv:{INPUTS}/linear.csv"


def metrics():
    run("ps-run", GRAPH, DATA, EVAL, "--batch-size=10", f"--metrics={METRICS}")
    records = read_metrics(METRICS)
    assert all(r["learning_rate"] == 0.05 for r in records), records
    seconds = [r["seconds"] for r in records]
    assert seconds == sorted(seconds) and 0 < seconds[-1] < 60, seconds
    run("ps-run", *LAUNCH, GRAPH, DATA, "--batch-size=5", f"--metrics={METRICS}")
    for name in "metrics", "metrics.trainer-1":
        assert {r["learning_rate"] for r in read_metrics(FOLDER / name)} == {0.05}


SCHEDULE = ("#ps.exponential_decay<learning_rate = 0.5, decay_steps = 1, "
            "decay_rate = 0.5>")
HALF = FOLDER / "half"
# Options of a job -> how many updates schedules have counted before each step.
COUNTS = {"mode=sync": range(6, 12), "mode=collective": range(6, 12),
          "mode=geo geo-steps=2": range(6, 12),
          "accumulate=2": [6, 6, 7, 7, 8, 8], "mode=async": None}


def rates(path):
    """As numbers of f32, which they are written as."""
    found = [r.get("learning_rate") for r in read_metrics(path)
             if r["phase"] == "train"]
    return [rate and struct.unpack("f", struct.pack("f", rate))[0]
            for rate in found]


def schedules():
    """Of the step, in each mode, also where a run goes on; progress lines show
    the rate, too. The trainers of mode async do not know what pservers count."""
    run("ps-run", GRAPH, DATA, "--batch-size=10", "--steps=6",
        f"--set=learning_rate={SCHEDULE}", f"--metrics={METRICS}",
        f"--save={HALF}")
    assert rates(METRICS) == [0.5 ** (n + 1) for n in range(6)], rates(METRICS)
    for options, counts in COUNTS.items():
        pservers = 0 if options == "mode=collective" else 2
        out, _ = run("ps-run", "launch", f"--pservers={pservers}",
                     "--trainers=2", f"--log-dir={FOLDER}/log", GRAPH, DATA,
                     "--batch-size=5", "--steps=6", f"--transpile={options}",
                     f"--set=learning_rate={SCHEDULE}", f"--load={HALF}",
                     f"--metrics={METRICS}", "--log-every=1")
        expected = [counts and 0.5 ** (n + 1) for n in counts or range(6)]
        for name in "metrics", "metrics.trainer-1":
            assert rates(FOLDER / name) == expected, (options, rates(FOLDER / name))
        shown = [float(rate) for rate in re.findall(
            r"loss \S+  learning_rate (\S+)  \S+ steps/s", out)]
        assert len(shown) == (6 if counts else 0), out
        assert all(abs(a - b) < 1e-4 * b for a, b in zip(shown, expected)), out


def several():
    """Two rates, one of them a schedule, by what they update. @a, which is its
    gradient, falls by the rate's share, wherever it is updated."""
    graph = FOLDER / "several.mlir"
    graph.write_text(f"""
      ps.variable @b : tensor<f32> init(#ps.constant<1.0>)
      ps.variable @a : tensor<f32> init(#ps.constant<1.0>)
      ps.variable @w : tensor<4x1xf32> init(#ps.constant<0.0>)
      func.func @train(%x: tensor<?x4xf32> {{ps.feed = "x"}},
                       %y: tensor<?x1xf32> {{ps.feed = "y"}})
          -> (tensor<f32> {{ps.fetch = "a"}}) {{
        %a = ps.read @a : tensor<f32>
        ps.apply @b, %a using(#ps.sgd<learning_rate = {SCHEDULE}>) : tensor<f32>
        ps.apply @a, %a using(#ps.sgd<learning_rate = {SCHEDULE}>) : tensor<f32>
        %w = ps.read @w : tensor<4x1xf32>
        ps.apply @w, %w using(#ps.sgd<learning_rate = 0.25>) : tensor<4x1xf32>
        return %a : tensor<f32>
      }}""")
    reduces = "--transpile=mode=collective"
    # In none of the three steps does a trainer get what the other has done.
    alone = "--transpile=mode=geo geo-steps=3"
    for command in ([], LAUNCH, [f"--load={HALF}"],
                    [*LAUNCH, f"--load={HALF}"],
                    ["launch", "--pservers=0", *LAUNCH[2:], reduces,
                     f"--load={HALF}"],
                    [*LAUNCH, alone, f"--load={HALF}"]):
        saves = [] if f"--load={HALF}" in command else [f"--save={HALF}"]
        run("ps-run", *command, graph, DATA, "--steps=3", "--batch-size=5",
            f"--metrics={METRICS}", *saves)
        records = read_metrics(METRICS)
        assert len(records) == 3, records
        for n, record in enumerate(records, 1 if saves else 4):
            found = {name: value for name, value in record.items()
                     if name.startswith("learning_rate")}
            assert found == {"learning_rate.a": 0.5 ** n,
                             "learning_rate.w": 0.25}, (command, record)
        for record, after in zip(records, records[1:]):
            moved = 1 - after["a"] / record["a"]
            assert abs(moved - record["learning_rate.a"]) < 1e-6, (command,
                                                                   records)


def own_rates():
    """A graph that computes the rate does not follow the schedule."""
    graph = FOLDER / "own.mlir"
    graph.write_text(f"""
      ps.variable @a : tensor<f32> init(#ps.constant<1.0>)
      func.func @train(%x: tensor<?x4xf32> {{ps.feed = "x"}},
                       %y: tensor<?x1xf32> {{ps.feed = "y"}})
          -> (tensor<f32> {{ps.fetch = "a"}}) {{
        %a = ps.read @a : tensor<f32>
        %r = stablehlo.constant dense<0.25> : tensor<f32>
        ps.apply @a, %a rate(%r : tensor<f32>)
            using(#ps.sgd<learning_rate = {SCHEDULE}>) : tensor<f32>
        return %a : tensor<f32>
      }}""")
    run("ps-run", graph, DATA, "--steps=2", "--batch-size=5",
        f"--metrics={METRICS}")
    first, second = read_metrics(METRICS)
    assert (first["a"], second["a"]) == (1, 0.75), (first, second)
    assert "learning_rate" not in first, first


def last_record(path, steps, batch, saved):
    """Causes add up to at most the whole time, up to their rounding."""
    record = read_metrics(path, with_end=True)[-1]
    assert record["phase"] == "end" and record["saved"] == saved, record
    assert record["steps"] == steps, record
    assert record["samples"] == steps * batch, record
    times = {name: record[name] for name in record if name.startswith("time.")}
    total = times.pop("time.total")
    assert {"time.compute", "time.data", "time.saves", "time.evaluation",
            "time.end"} <= set(times), times
    assert 0 < sum(times.values()) <= total + 1e-5, record
    assert min(times.values()) >= 0 and total <= record["seconds"], record
    return record


def ends():
    """What a run that goes on leaves has the end of its last process only."""
    model, series = f"{FOLDER}/model", f"{FOLDER}/series"
    common = [GRAPH, DATA, f"--metrics={METRICS}", f"--save={model}"]
    out, _ = run("ps-run", *common, EVAL, "--batch-size=10", "--steps=25",
                 f"--checkpoint={series}", "--checkpoint-every=10")
    saved = [model, f"{series}/step-000000000020"]
    record = last_record(METRICS, 25, 10, saved)
    assert record["evaluations"] == 3 and record["checkpoints"] == 2, record
    assert record["time.evaluation"] > 0 and record["time.saves"] > 0, record
    assert out.endswith(f"\nend  25 steps  250 examples  saved {saved[0]}, "
                        f"{saved[1]}\n"), out
    run("ps-run", *common, "--batch-size=10", "--steps=28", "--resume",
        f"--checkpoint={series}", "--checkpoint-every=10")
    last_record(METRICS, 8, 10, [model])
    phases = [r["phase"] for r in read_metrics(METRICS, with_end=True)]
    assert phases.count("end") == 1 and phases.count("train") == 28, phases
    # Also of one that had nothing left to do.
    out, _ = run("ps-run", *common, "--batch-size=10", "--steps=20", "--resume",
                 f"--checkpoint={series}", "--checkpoint-every=10")
    assert "\nend  0 steps  0 examples" in f"\n{out}", out
    record = last_record(METRICS, 0, 10, [model])
    assert record["step"] == 19 and record["examples_per_second"] == 0, record
    phases = [r["phase"] for r in read_metrics(METRICS, with_end=True)]
    assert phases.count("end") == 1 and phases.count("train") == 20, phases
    out, _ = run("ps-run", *LAUNCH, *common, "--batch-size=5", "--steps=10")
    record = last_record(METRICS, 10, 5, [model])
    assert record["time.pull"] >= 0, record
    assert f"\nend  10 steps  50 examples  saved {model}\n" in out, out
    last_record(FOLDER / "metrics.trainer-1", 10, 5, [])
    # What is evaluated alone has no such line.
    out, _ = run("ps-run", GRAPH, EVAL, f"--metrics={METRICS}", f"--load={model}")
    assert "end  " not in out, out
    record, = read_metrics(METRICS, with_end=True)
    assert record["phase"] == "eval", record


def masked(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def events(path):
    """(step, tag) -> number."""
    data, at, found = path.read_bytes(), 0, {}
    while at < len(data):
        length = data[at:at + 8]
        size, = struct.unpack("<Q", length)
        event = data[at + 12:at + 12 + size]
        assert struct.unpack_from("<I", data, at + 8)[0] == masked(length)
        assert struct.unpack_from("<I", data, at + 12 + size)[0] == masked(event)
        at += 16 + size
        parts = dict(fields(event))
        for _, value in fields(parts.get(5, b"")):
            value = dict(fields(value))
            tag = value[1].decode()
            found[parts.get(2, 0), tag], = struct.unpack("<f", value[2])
    return found


def tensorboard():
    for command, batch in ([], 10), (LAUNCH, 5):
        board = FOLDER / f"board-{batch}"
        run("ps-run", *command, GRAPH, DATA, EVAL, f"--batch-size={batch}",
            f"--metrics={METRICS}", f"--tensorboard={board}")
        path, = board.glob("events.out.tfevents.*")
        found = events(path)
        for record in read_metrics(METRICS):
            for name in "loss", "learning_rate":
                value = found[record["step"], f"{record['phase']}/{name}"]
                assert abs(value - record[name]) < 1e-6, (record, value)


def prometheus():
    """Of a run that goes on until it has been asked."""
    lines = (INPUTS / "linear.csv").read_text().splitlines()
    slow = FOLDER / "slow.txt"
    slow.write_text("".join(
        "4 {} {} {} {} 1 {}\n".format(*line.split(",")) for line in lines))
    process = Process(
        "prometheus", FOLDER, GRAPH, f"--data=multislot:{slow}",
        "--data-mode=stream", "--batch-size=10", "--metrics-port=0",
        "--log-every=1", "--epochs=2", f"--pipe-command=cat; while "
        f"[ ! -e {FOLDER}/asked ]; do sleep 0.1; done")
    process.wait_for("step 11 ")
    port = re.search(r"http://127.0.0.1:(\d+)/metrics", process.text()).group(1)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    (FOLDER / "asked").touch()
    assert '# TYPE ps_loss gauge' in text, text
    assert ('ps_learning_rate{role="local",phase="train",name="learning_rate"} '
            '0.05') in text, text
    assert re.search(r'ps_step\{.*phase="train".*\} 1[01]\n', text), text
    process.ends_well()


def settings():
    def model(*flags):
        run("ps-run", *flags, DATA, "--batch-size=10", f"--save={FOLDER}/model")
        return (FOLDER / "model" / "model.safetensors").read_bytes()

    edited = FOLDER / "edited.mlir"
    edited.write_text(GRAPH.read_text().replace("0.05>", "1.0e-3>"))
    momentum = FOLDER / "momentum.mlir"
    momentum.write_text(GRAPH.read_text().replace(
        "#ps.sgd<learning_rate = 0.05>",
        "#ps.momentum<learning_rate = 0.05, momentum = 0.9>"))
    nesterov = FOLDER / "nesterov.mlir"
    nesterov.write_text(GRAPH.read_text().replace(
        "#ps.sgd<learning_rate = 0.05>",
        "#ps.momentum<learning_rate = #ps.noam_decay<d_model = 4, "
        "warmup_steps = 3>, momentum = 0.5, use_nesterov = true>"))
    for command in [], LAUNCH:
        assert model(*command, GRAPH, "--set=learning_rate=1e-3") == model(
            *command, edited)
        assert model(
            *command, momentum, "--set=momentum=0.5", "--set",
            "learning_rate=#ps.noam_decay<d_model = 4, warmup_steps = 3>",
            "--set=use_nesterov=true") == model(*command, nesterov)
        for value, error in [
                ("beta1=0.5", "--set=beta1=0.5: "),
                ("learning_rate=fast", "--set=learning_rate=fast: "),
                ("learning_rate=-1", "--set=learning_rate=-1: "),
                ("=1", "--set: expected NAME=VALUE, such as learning_rate=0.1, "
                 "found '=1'")]:
            _, err = run("ps-run", *command, GRAPH, DATA, f"--set={value}",
                         code=1)
            assert re.fullmatch(f"ps-run: error: {re.escape(error)}.*\n", err), err
    run("ps-opt", GRAPH, "-o", FOLDER / "dist.mlir",
        "--ps-transpile=pservers=127.0.0.1:6174 trainers=1")
    _, err = run("ps-run", FOLDER / "dist.mlir", "--role=all", DATA,
                 "--set=learning_rate=1", code=1)
    assert err.endswith("--set is for a graph, the file holds the programs of a "
                        "job\n"), err


metrics()
schedules()
several()
own_rates()
ends()
tensorboard()
prometheus()
settings()
