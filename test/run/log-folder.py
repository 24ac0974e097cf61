# SPDX-License-Identifier: Apache-2.0
"""launch: every run has a folder of its own for its programs and logs, also
two that start at once."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import DATA, GRAPH, Process, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
LOG = FOLDER / "log"
NO_FEEDS = """
ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @train() -> (tensor<f32> {ps.fetch = "loss"}) {
  %w = ps.read @w : tensor<4xf32>
  %square = stablehlo.multiply %w, %w : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add
      across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
"""
FLAGS = ("launch", GRAPH, DATA, "--batch-size=6", "--steps=2",
         f"--log-dir={LOG}")


def folders():
    return {path.name for path in LOG.iterdir() if not path.is_symlink()}


def check(name, trainers):
    path = LOG / name
    files = {file.name for file in path.iterdir()}
    assert files == {"dist.mlir", "addresses", "token", "serverlog.0"} | {
        f"workerlog.{i}" for i in range(trainers)}, files
    assert f"trainers = {trainers}," in (path / "dist.mlir").read_text()


# Two at once differ in their trainers: neither reads the other's programs.
both = [Process(f"launch-{count}", FOLDER, *FLAGS, f"--trainers={count}")
        for count in (1, 2)]
shown = {}
for count, process in zip((1, 2), both):
    process.ends_well()
    line, = [line for line in process.text().splitlines()
             if line.startswith("programs and logs: ")]
    shown[count] = pathlib.Path(line.removeprefix("programs and logs: ")).name
    check(shown[count], count)
assert shown[1] != shown[2]
assert folders() == set(shown.values())

# "latest" is a link to the folder of the last run, and moves with it.
link = LOG / "latest"
assert link.is_symlink() and link.readlink().name in shown.values()
run("ps-run", *FLAGS)
new, = folders() - set(shown.values())
assert str(link.readlink()) == new, link.readlink()
check(new, 1)

# A launch that cannot start leaves nothing: what is wrong with the graph, or no
# data, shows before any process starts.
before, latest = folders(), link.readlink()
broken = FOLDER / "broken.mlir"
broken.write_text("module {")
stderr = run("ps-run", "launch", broken, *FLAGS[2:], code=1)[1]
assert f"cannot transpile '{broken}'" in stderr, stderr
stderr = run("ps-run", "launch", GRAPH, *FLAGS[3:], code=2)[1]
assert "@train takes 'x', 'y': name the samples with --data" in stderr, stderr
assert "programs and logs" not in stderr and len(stderr.splitlines()) == 1, stderr
assert folders() == before and link.readlink() == latest
# One without feeds needs none.
graph = FOLDER / "no-feeds.mlir"
graph.write_text(NO_FEEDS)
stderr = run("ps-run", "launch", graph, "--steps=2", f"--log-dir={LOG}",
             f"--save={FOLDER}/model")[1]
assert (FOLDER / "model" / "model.safetensors").exists(), stderr

# What is there and no link of ours stays.
before = folders()
link.unlink()
link.write_text("mine")
stderr = run("ps-run", *FLAGS, code=1)[1]
assert f"'{link}' is not a symbolic link" in stderr, stderr
assert link.read_text() == "mine"
assert folders() == before | {"latest"}
