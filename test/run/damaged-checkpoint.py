# SPDX-License-Identifier: Apache-2.0
"""Every damaged file of a checkpoint is refused before a value of it is used:
a flipped bit, a file that is cut short, missing, or of another checkpoint."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import run
from row_model import graph, make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
# Variables with slots beside the rows of a table.
text = re.sub(r"%ke = .*", "%ke = ps.read @k : tensor<2x3xf32>", graph("adam"))
module = FOLDER / "graph.mlir"
module.write_text(text.replace(
    "  ps.table @emb", "  ps.variable @k : tensor<2x3xf32> "
    "init(#ps.constant<0.5>)\n  ps.table @emb"))
data = f"--data={write_samples(FOLDER / 'samples.txt', make_samples(32))}"
FLAGS = [data, "--batch-size=4", "--steps=2", "--deterministic"]


def transpile(pservers, trainers):
    path = FOLDER / f"{pservers}x{trainers}.mlir"
    run("ps-opt", module, f"--ps-transpile=pservers={pservers} "
        f"trainers={trainers} min-block-size=3", "-o", path)
    return [path, "--role=all"]


LOCAL, JOB, OTHER_JOB = [module], transpile(2, 2), transpile(1, 1)


def save(name, program, *flags):
    run("ps-run", *program, *FLAGS, *flags, f"--save={FOLDER / name}")
    return FOLDER / name


def refused(program, folder, *expected):
    """--load has one line of error, with the texts of one of `expected`."""
    _, error = run("ps-run", *program, *FLAGS, f"--load={folder}", code=1)
    line, = [l for l in error.splitlines() if l.startswith("ps-run: error: ")]
    assert any(all(text in line for text in texts) for texts in expected), line
    return line


def flip(path, place):
    contents = bytearray(path.read_bytes())
    contents[int(place * (len(contents) - 1))] ^= 0x10
    path.write_bytes(contents)


def damage(whole, name):
    """A copy of a folder, whose file `name` is to be damaged."""
    folder = FOLDER / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    return folder, folder / name


local, job = save("local", LOCAL), save("job", JOB)
others = {local: save("local-other", LOCAL, "--steps=3"),
          job: save("job-other", JOB, "--steps=3")}
NAMES = {local: {"emb-00000-of-00001.safetensors", "model.safetensors",
                 "optimizer.safetensors", "training.json"},
         job: {f"{name}0000{k}-of-00002.safetensors"
               for name in ("emb-", "optimizer.") for k in (0, 1)}
         | {"model.safetensors", "training.json"}}

for whole, programs in ((local, [LOCAL, JOB]), (job, [JOB, OTHER_JOB, LOCAL])):
    names = {path.name for path in whole.iterdir()}
    assert names == NAMES[whole], names
    out, _ = run("ps-run", "verify", whole)
    assert set(out.splitlines()) == {f"ok     {whole}/{n}" for n in names}, out
    for program in programs:
        run("ps-run", *program, *FLAGS, f"--load={whole}")

    for name in sorted(names):
        # The header's tensors, and the last element.
        for place in (0.35, 1):
            folder, path = damage(whole, name)
            flip(path, place)
            found = [(f"'{path}' is damaged: expected ", "found ", "; copy"),
                     # The bit is one of the id's.
                     ("files of two checkpoints: ", f"'{path}'")]
            if name == "training.json":
                # What is no JSON any more.
                found.append((f"'{path}': expected a JSON object",))
            for program in programs:
                refused(program, folder, *found)
            out, error = run("ps-run", "verify", folder, code=1)
            assert f"FAILED {path}\n" in out and out.count("FAILED") == 1, out
            assert f"ps-run: error: '{path}'" in error, error

        if name == "training.json":
            continue
        folder, path = damage(whole, name)
        size = path.stat().st_size
        with open(path, "r+b") as file:
            file.truncate(size - 1)
        refused(programs[0], folder,
                (f"'{path}' is damaged: expected {size} bytes",
                 f"found {size - 1}; copy it again"))

        path.unlink()
        refused(programs[0], folder, (f"'{path}' is missing",),
                ("no files of table '@emb'",))
        _, error = run("ps-run", "verify", folder, code=1)
        assert f"'{path}' is missing: '{folder}' was saved with it" in error

        shutil.copy(others[whole] / name, path)
        refused(programs[0], folder,
                ("files of two checkpoints: ", str(path), "; save again"))
        run("ps-run", "verify", folder, code=1)

# Folders are compared as they were saved; a file that is named itself is not
# checked.
folder, path = damage(local, "model.safetensors")
flip(path, 1)
_, error = run("ps-run", "compare", local, folder, code=1)
assert f"'{path}' is damaged" in error, error
_, error = run("ps-run", "compare", local / path.name, path, code=1)
assert "more than the tolerance" in error, error
folder, path = damage(local, "emb-00000-of-00001.safetensors")
flip(path, 1)
_, error = run("ps-run", "compare", local, folder, code=1)
assert f"'{path}' is damaged" in error, error

# Equal runs save equal bytes.
for whole, program in ((local, LOCAL), (job, JOB)):
    again = save("again", program)
    for name in NAMES[whole]:
        assert (again / name).read_bytes() == (whole / name).read_bytes(), name
    shutil.rmtree(again)
