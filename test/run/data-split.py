"""--data-split=files: each trainer reads files of its own, all of them together
take each sample as often as they should, in the same number of steps."""
# RUN: %python %s %t

import collections
import pathlib
import re
import shutil
import sys

from job import Job, read_metrics, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
TRAINERS = 2

# An id's row becomes minus the number of times that it was in a batch: a
# pserver divides what the two trainers send by two.
GRAPH = FOLDER / "count.mlir"
GRAPH.write_text("""
module @count {
  ps.table @seen : tensor<1000x1xf32> init(#ps.constant<0.0>)
  func.func @train(%id: tensor<?x1xi64> {ps.feed = "id"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %rows = ps.lookup @seen[%id] : (tensor<?x1xi64>) -> tensor<?x1x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%rows init: %zero) applies stablehlo.add
        across dimensions = [0, 1, 2]
        : (tensor<?x1x1xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 2.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
""")


def write_files(name, *sizes):
    """Files of so many samples, whose ids count on; gives the ids of each and
    the --data string."""
    folder = FOLDER / name
    folder.mkdir()
    files, first = [], 0
    for index, size in enumerate(sizes):
        files.append(range(first, first + size))
        first += size
        (folder / f"part-{index}").write_text(
            "".join(f"1 {id}\n" for id in files[-1]))
    return files, f"--data=multislot:{folder}/part-*"


def seen(folder):
    """Id -> how often it was in a batch."""
    counts = collections.Counter()
    for path in folder.glob("seen-*.safetensors"):
        saved = read_model(path)
        for id, value in zip(saved["ids"][1], saved["values"][1]):
            counts[id] = -value
    return counts


DIST = FOLDER / "dist.mlir"
run("ps-opt", GRAPH, "--ps-transpile=pservers=127.0.0.1:6174,127.0.0.1:6175 "
    f"trainers={TRAINERS}", "-o", DIST)


def train(name, data, *flags):
    """In one process; what was seen, and the steps of each trainer."""
    saved, metrics = FOLDER / f"{name}-model", FOLDER / f"{name}-metrics"
    run("ps-run", DIST, "--role=all", "--data-split=files", data, *flags,
        f"--save={saved}", f"--metrics={metrics}")
    steps = [len([r for r in read_metrics(path) if r["phase"] == "train"])
             for path in (metrics, f"{metrics}.trainer-1")]
    return seen(saved), steps


MODES = (["--data-mode=memory"], ["--data-mode=memory", "--shuffle"],
         ["--data-mode=stream"],
         ["--data-mode=stream", "--shuffle", "--shuffle-window=8"])

# Even files: every sample once in each epoch.
files, data = write_files("even", 8, 6, 8, 10)
for number, mode in enumerate(MODES):
    counts, steps = train(f"even{number}", data, "--batch-size=4", "--epochs=3",
                          *mode)
    assert counts == {id: 3 for file in files for id in file}, counts
    assert steps == [12, 12], steps

# Trainer 1 has fewer samples: the others' rest is dropped, or it starts over.
files, data = write_files("uneven", 9, 5)
for number, mode in enumerate(MODES):
    counts, steps = train(f"drop{number}", data, "--batch-size=2", "--epochs=2",
                          *mode)
    assert steps == [4, 4], (mode, steps)
    for file in files:
        assert sum(counts[id] for id in file) == 8, (mode, counts)
        assert max(counts[id] for id in file) <= 2, (mode, counts)
    counts, steps = train(f"pad{number}", data, "--batch-size=2", "--epochs=2",
                          "--remainder=pad", *mode)
    assert steps == [10, 10], (mode, steps)
    assert all(counts[id] == 4 for id in files[1]), (mode, counts)
    assert sum(counts[id] for id in files[0]) == 20, (mode, counts)
    assert min(counts[id] for id in files[0]) == 2, (mode, counts)

# Over gRPC; a trainer opens no file of the other one.
files, data = write_files("apart", 6, 8)
for mode in MODES[0], MODES[2]:
    with Job(FOLDER / "job", 2, TRAINERS, GRAPH) as job:
        saved = FOLDER / "job" / "model"
        shutil.rmtree(saved, ignore_errors=True)
        flags = ["--data-split=files", "--batch-size=2", f"--save={saved}"]
        servers = [job.pserver(i, *flags) for i in range(2)]
        command = (f"--pipe-command=tee -a {FOLDER}/job/read-$PPID.txt; "
                   "echo $PPID >&2")
        trainers = [job.trainer(i, *flags, *mode, command, data=data)
                    for i in range(TRAINERS)]
        assert [p.end() for p in trainers + servers] == [0] * 4, [
            p.text() for p in trainers + servers]
        counts = seen(saved)
        assert all(counts[id] == 1 for id in files[0]), counts
        assert sum(counts[id] for id in files[1]) == 6, counts
        for trainer, file in zip(trainers, files):
            pid = re.search(r"^(\d+)$", trainer.text(), re.M).group(1)
            read = (FOLDER / "job" / f"read-{pid}.txt").read_text().split("\n")
            ids = {int(line.split()[1]) for line in read if line}
            assert ids == set(file), (ids, file)
        assert "step 3/3" in trainers[0].text(), trainers[0].text()

# One process has all files, whatever the flag says.
run("ps-run", GRAPH, data, "--data-split=files", "--batch-size=2",
    f"--save={FOLDER}/local")


def refused(error, *flags, code=1, program=DIST):
    _, errors = run("ps-run", program, "--role=all", "--data-split=files",
                    *flags, code=code)
    assert error in errors, errors


_, single = write_files("single", 4)
refused("1 file cannot be divided among 2 trainers: cut the data into more files, "
        "or leave out --data-split=files", single)
refused("the files of trainer 1 hold 5 samples, but a step takes 6: assign "
        "files of similar size, lower --batch-size, or fill steps with --remainder=pad", f"--data=multislot:{FOLDER}/uneven/*",
        "--batch-size=6")
_, empty = write_files("empty", 4, 0)
for mode in MODES[0], MODES[2]:
    refused(f"'{FOLDER}/empty/part-1': holds no samples", empty, *mode,
            "--remainder=pad")
refused("a range is of the samples of all files", f"{data}#0-4", code=2)
refused("--data-split=files is for table, multislot, slots, criteo and libsvm files "
        "only", "--data=csv:x", code=2)
(FOLDER / "uneven" / "part-1").write_text("1 1\n1 many\n")
for mode in MODES[0], MODES[2]:
    refused("uneven/part-1:2:3: slot 'id': expected an integer, got 'many'",
            f"--data=multislot:{FOLDER}/uneven/*", *mode)
