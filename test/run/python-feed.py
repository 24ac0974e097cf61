"""--data=batches: from FeedServer: models have the bits of those that the same
arrays in files give, and every failure is one line."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
from job import GRAPH, INPUTS, Process, refused_usage, run, wait_until
from launched import Launched
from ps_mlir.feeding import FeedServer
from ps_mlir.feeding.samples import Samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

random = np.random.default_rng(1)
COUNT = 90  # 11 steps of 8 and two samples
X = random.uniform(-1, 1, (COUNT, 4)).astype("f4")
Y = random.uniform(-1, 1, COUNT).astype("f4")
np.save(FOLDER / "x.npy", X)
np.save(FOLDER / "y.npy", Y)
FILES = f"npy:x={FOLDER}/x.npy,y={FOLDER}/y.npy"
ARRAYS = {"x": X, "y": Y}
LAUNCH = ["launch", "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/log"]


def model(name):
    return (FOLDER / name / "model.safetensors").read_bytes()


def train(name, data, *flags, **options):
    """The bytes of the model, and what ps-run printed."""
    command = list(flags) if flags and flags[0] == "launch" else [GRAPH, *flags]
    if command[0] == "launch":
        command.insert(1, GRAPH)
    out, err = run("ps-run", *command, f"--data={data}",
                   f"--save={FOLDER}/{name}", **options)
    return model(name), out + err


def batches(sizes):
    """A function that returns batches of these sizes, over and over."""
    def make():
        begin = 0
        while begin < COUNT:
            for size in sizes:
                part = slice(begin, min(begin + size, COUNT))
                yield {"x": X[part], "y": Y[part]}
                begin += size
                if begin >= COUNT:
                    return
    return make


def sources():
    """The same samples in every form."""
    yield "arrays", ARRAYS, {}
    yield "tuple", (X, Y), {"columns": ["x", "y"]}
    yield "wide", {"x": X.astype("f8"), "y": Y.astype(">f4")}, {}
    yield "renamed", {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "d": X[:, 3],
                      "t": Y}, {"columns": {"x": ["a", "b", "c", "d"],
                                            "y": "t"}}
    yield "function", batches([7, 1, 20]), {}
    yield "whole", lambda epoch: [ARRAYS], {}
    yield "list", list(batches([5])()), {}


def same_bits_in_one_process():
    flags = ["--batch-size=8", "--epochs=2"]
    expected, _ = train("files", FILES, *flags)
    padded, _ = train("padded", FILES, *flags, "--remainder=pad")
    for name, source, options in sources():
        with FeedServer(source, **options) as server:
            assert train(name, server.data, *flags)[0] == expected, name
            assert train(name, server.data, *flags,
                         "--remainder=pad")[0] == padded, name
            assert server.error is None, server.error


def same_bits_in_jobs():
    flags = ["--batch-size=4", "--epochs=2"]
    expected, _ = train("job-files", FILES, *LAUNCH, *flags)
    run("ps-opt", GRAPH, "-o", FOLDER / "dist.mlir",
        "--ps-transpile=pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2")
    for name, source, options in sources():
        with FeedServer(source, trainers=2, **options) as server:
            assert train(f"job-{name}", server.data, *LAUNCH,
                         *flags)[0] == expected, name
            run("ps-run", FOLDER / "dist.mlir", "--role=all", *flags,
                f"--data={server.data}", f"--save={FOLDER}/all-{name}")
            run("ps-run", "compare", FOLDER / f"all-{name}",
                FOLDER / f"job-{name}", "--tolerance=1e-6")


def a_job_goes_on():
    """--resume continues within an epoch."""
    expected, _ = train("whole-run", FILES, "--batch-size=8", "--epochs=3")
    for name, source, options in sources():
        with FeedServer(source, **options) as server:
            checkpoints = FOLDER / f"{name}-checkpoints"
            flags = ["--batch-size=8", f"--checkpoint={checkpoints}",
                     "--checkpoint-every=7"]
            run("ps-run", GRAPH, *flags, "--steps=16", f"--data={server.data}")
        # At another address.
        with FeedServer(source, **options) as server:
            found, out = train(f"{name}-resumed", server.data, *flags,
                               "--epochs=3", "--resume")
            assert "step 14" in out, out
            assert found == expected, name


def bags():
    ids = np.array([7, 12, 2**63 - 1, 12, 5, 7, 8, 5] * 3, "i8")
    offsets = np.cumsum([0, 2, 1, 3, 2] + [2, 1, 3, 2] * 2)[:-1]
    source = {"label": np.array([1, 0, 1, 0] * 3, "f4"), "s1": ids,
              "s1.offsets": offsets}
    text = FOLDER / "bags.txt"
    lines = []
    for i, label in enumerate(source["label"]):
        end = [*offsets, len(ids)][i + 1]
        bag = ids[offsets[i]:end]
        lines.append(f"1 {label:g} {len(bag)} {' '.join(map(str, bag))}\n")
    text.write_text("".join(lines))
    # The last bag may be empty, with its end among the offsets or not.
    for offsets_of_three in [0, 2, 3], [0, 2, 3, 3]:
        few = Samples({"label": np.zeros(3, "f4"), "s1": ids[:3],
                       "s1.offsets": np.array(offsets_of_three)}, None)
        assert few.columns[1].offsets.tolist() == [0, 2, 3, 3], few.columns[1]
    graph = INPUTS / "bags.mlir"
    halves = [{"label": source["label"][:5], "s1": ids[:offsets[5]],
               "s1.offsets": offsets[:5]},
              {"label": source["label"][5:], "s1": ids[offsets[5]:],
               "s1.offsets": offsets[5:] - offsets[5]}]
    for trainers in 1, 2:
        job = LAUNCH if trainers == 2 else []
        expected = None
        for data in f"multislot:{text}", source, halves:
            with FeedServer(data if isinstance(data, (dict, list)) else source,
                            trainers=trainers) as server:
                name = data if isinstance(data, str) else server.data
                saved = FOLDER / "bags-model"
                shutil.rmtree(saved, ignore_errors=True)
                run("ps-run", *job, graph, f"--data={name}", "--batch-size=2",
                    "--epochs=3", f"--save={saved}")
                files = {path.name: path.read_bytes()
                         for path in saved.glob("*.safetensors")}
                assert files and files == (expected or files), (trainers, data)
                expected = files


def evaluation():
    _, expected = train("eval-files", FILES, "--batch-size=8",
                        f"--eval-data={FILES}#10-50")
    part = {"x": X[10:50], "y": Y[10:50]}
    for source in part, lambda: [{"x": X[10:21], "y": Y[10:21]},
                                 {"x": X[21:50], "y": Y[21:50]}]:
        with FeedServer(ARRAYS) as server, FeedServer(source) as held_out:
            _, found = train("eval", server.data, "--batch-size=8",
                             f"--eval-data={held_out.data}")
            losses = [re.findall("eval  loss (.*)", text)
                      for text in (expected, found)]
            assert losses[0] == losses[1] != [], losses


def epochs():
    """Without --epochs the server decides."""
    with FeedServer(ARRAYS, epochs=3) as server:
        _, out = train("epochs", server.data, "--batch-size=8")
        assert re.search("epoch 2  step 33 ", out), out
        _, out = train("epochs", server.data, "--batch-size=8", "--steps=40")
        assert re.search("epoch 3  step 40/40", out), out
    with FeedServer(iter(list(batches([9])()))) as server:
        _, out = train("once", server.data, "--batch-size=8", "--steps=40")
        assert "step 11/40" in out, out
        assert f"data '{server.data}': ended after 11 steps, with epoch 0" in out


def fails(source, error, *flags, code=1, **options):
    with FeedServer(source, **options) as server:
        _, err = run("ps-run", *(flags or [GRAPH]), f"--data={server.data}",
                     code=code)
        lines = [line for line in err.splitlines() if "error: " in line]
        expected = f"ps-run: error: {error.replace('DATA', server.data)}"
        assert lines == [expected], (lines, expected)


def failures():
    def broken():
        yield from batches([16])()
        raise ValueError("no\nsuch file")

    line = broken.__code__.co_firstlineno + 2
    text = f"ValueError: no such file, at python-feed.py:{line}"
    fails(broken, f"data 'DATA': its server: {text}", GRAPH, "--batch-size=8",
          "--epochs=1")
    fails({"x": X, "z": Y, "t": Y}, "the graph takes 'x', 'y', data 'DATA' has "
          "'x'", columns=["x"])
    fails({"x": X[:, :3], "y": Y}, "feed 'x' is ?x4xf32, expected 4 x per "
          "sample, found 3 in data 'DATA'")
    fails(lambda: [{"x": X, "y": Y.astype("c8")}], "data 'DATA': its server: "
          "column 'y' holds complex64, expected float16, 32 or 64, bool, int8 "
          "to 64 or uint8 to 32")
    fails(lambda: [ARRAYS, {"x": X, "y": Y.astype("f8")}], "data 'DATA': its "
          "server: a batch has column 'y' of float64, 1, the first one has "
          "column 'y' of float32, 1", GRAPH, "--batch-size=64")
    fails(lambda: [], "data 'DATA': its server: the source has no batches")
    fails({"x": X[:4], "y": Y[:4]}, "data 'DATA': its server: a step takes 64 "
          "samples, the source has 4: lower --batch-size, or fill the step "
          "with --remainder=pad")
    fails(iter([ARRAYS]), "data 'DATA': its server: cannot send 2 epochs: the "
          "source is an iterator, which is read once: pass a function that "
          "returns one for each epoch", GRAPH, "--epochs=2")
    fails(ARRAYS, "data 'DATA': its server: the server is for 2 trainers, the "
          "job has 1", trainers=2)
    refused_usage("data 'batches:unix:s': its server decides about the order of "
                  "the samples: expected no --shuffle", GRAPH,
                  "--data=batches:unix:s", "--shuffle")
    refused_usage("data 'batches:unix:s#0-4': its server decides about the "
                  "samples of an epoch: expected no range", GRAPH,
                  "--data=batches:unix:s#0-4")
    for data, error in [
            ("unix:/no/such", "no process serves '/no/such': No such file or "
             "directory"),
            ("tcp:h:1", "expected batches:unix:PATH"),
            ("unix:" + "x" * 200, "expected a path of at most 107 bytes, found "
             "200")]:
        _, err = run("ps-run", GRAPH, f"--data=batches:{data}", code=1)
        assert err.endswith(f"data 'batches:{data}': {error}\n"), err


SERVER = """
import sys, time, itertools
import numpy as np
from ps_mlir.feeding import FeedServer
def samples():
    for i in itertools.count():
        yield {"x": np.zeros((8, 4), "f4"), "y": np.zeros(8, "f4")}
        time.sleep(0 if i < 40 else 3600)
with FeedServer(samples) as server:
    print(server.data, flush=True)
    time.sleep(3600)
"""


def slow_server():
    """It is killed, or ps-run is interrupted, within a step."""
    for killed in True, False:
        with subprocess.Popen([sys.executable, "-c", SERVER],
                              stdout=subprocess.PIPE, text=True) as server:
            data = server.stdout.readline().strip()
            process = Process(f"slow-{killed}", FOLDER, GRAPH, f"--data={data}",
                              "--batch-size=8", "--log-every=1",
                              f"--save={FOLDER}/slow")
            process.wait_for("step 39 ")
            if killed:
                process.wait_for("waiting for the data of step ")
                server.kill()
                assert process.end() == 1
                path = data.removeprefix("batches:unix:")
                assert re.fullmatch(
                    f"data '{data}': byte 0 of frame [0-9]+: the server at "
                    f"'{path}' has closed the connection", process.error()), \
                    process.error()
                shutil.rmtree(pathlib.Path(path).parent)
            else:
                process.signal(signal.SIGINT)
                assert process.end(20) == 130, process.text()
                assert "stopped after" in process.text(), process.text()
            server.kill()


def restarts():
    """Processes are killed: the job begins again at its checkpoint, from an
    iterable that its trainers have begun to read."""
    def slow():
        for batch in batches([10])():
            time.sleep(0.05)
            yield batch

    flags = [GRAPH, "--pservers=1", "--trainers=2", "--batch-size=4",
             "--epochs=20"]
    run("ps-run", "launch", f"--log-dir={FOLDER}/undisturbed", *flags,
        f"--data={FILES}", f"--save={FOLDER}/undisturbed-model")
    with FeedServer(slow, trainers=2) as server:
        job = Launched("restarts", FOLDER, *flags, f"--data={server.data}",
                       f"--save={FOLDER}/restarts-model",
                       f"--checkpoint={FOLDER}/restarts", "--max-restarts=5",
                       "--checkpoint-every=30")
        for victim in "trainer1", "trainer0":
            before = job.text().count("checkpoint  step ")
            wait_until(lambda: job.text().count("checkpoint  step ") > before or
                       job.process.poll() is not None, "a checkpoint is taken")
            job.kill(victim)
        assert job.end() == 0, job.text()
        assert "resuming from step " in job.text(), job.text()
        assert server.error is None, server.error
    assert model("restarts-model") == model("undisturbed-model")


same_bits_in_one_process()
same_bits_in_jobs()
a_job_goes_on()
bags()
evaluation()
epochs()
failures()
slow_server()
restarts()
