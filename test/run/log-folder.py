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
FLAGS = ("launch", GRAPH, DATA, "--batch-size=6", "--steps=2",
         f"--log-dir={LOG}")


def folders():
    return {path.name for path in LOG.iterdir() if not path.is_symlink()}


def check(name, trainers):
    path = LOG / name
    files = {file.name for file in path.iterdir()}
    assert files == {"dist.mlir", "serverlog.0"} | {
        f"workerlog.{i}" for i in range(trainers)}, files
    assert f"trainers = {trainers}," in (path / "dist.mlir").read_text()


# Two at once differ in their trainers: neither reads the other's programs.
both = [Process(f"launch-{count}", FOLDER, *FLAGS, f"--trainers={count}")
        for count in (1, 2)]
shown = {}
for count, process in zip((1, 2), both):
    assert process.end() == 0, process.text()
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

# What is there and no link of ours stays.
link.unlink()
link.write_text("mine")
stderr = run("ps-run", *FLAGS, code=1)[1]
assert f"'{link}' is not a symbolic link" in stderr, stderr
assert link.read_text() == "mine"
