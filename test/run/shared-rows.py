# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of a run while it trains share the rows that have not changed: each
is what --save writes at its step, whatever number of processes loads it, needs
no other folder, and is smaller."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import sys

from canonical import assert_same, canonical
from job import run
from row_model import Sample, plain_graph, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
BATCH, EVERY = 4, 5
# Each sample of the first and the last steps has ids of its own; those in
# between have few.
PAIRS = ([(2 * i, 2 * i + 1) for i in range(100)]
         + [(i % 20, 19 - i % 20) for i in range(60)]
         + [(2 * i, 2 * i + 1) for i in range(100)])
STEPS = len(PAIRS) // BATCH
FEW = (30, 35, 40)
samples = write_samples(FOLDER / "samples.txt",
                        [Sample(1, pair, [], []) for pair in PAIRS])
graph = FOLDER / "graph.mlir"
graph.write_text(plain_graph(False, "adagrad", 100000))


def transpile(pservers, trainers):
    path = FOLDER / f"{pservers}x{trainers}.mlir"
    run("ps-opt", graph, "-o", path,
        f"--ps-transpile=pservers={pservers} trainers={trainers}")
    return [path, "--role=all"]


PROGRAMS = {"local": [graph], "1x1": transpile(1, 1), "2x2": transpile(2, 2),
            "3x1": transpile(3, 1), "3x2": transpile(3, 2)}
# The loss is a sum over samples, so each number of trainers has its own result.
OTHERS = {"local": ("local", "1x1", "3x1"), "2x2": ("2x2", "3x2")}


def train(program, *flags, code=0):
    out, error = run("ps-run", *PROGRAMS[program], f"--data={samples}",
                     f"--global-batch-size={BATCH}", "--deterministic", *flags,
                     code=code)
    return out + error


def name(step):
    return f"step-{step:012}"


def bases(folder):
    return sorted(folder.glob("*.base.safetensors"))


def sizes(folder):
    """Of the files that were written for this checkpoint."""
    return sum(path.stat().st_size for path in folder.glob("emb-*-of-?????.saf*"))


def flip(path):
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))


def series_with(home, series, steps, copy=shutil.copy2):
    target = FOLDER / home
    shutil.rmtree(target, ignore_errors=True)
    for step in steps:
        shutil.copytree(series / name(step), target / name(step),
                        copy_function=copy)
    return target


for program, holders in ("local", 1), ("2x2", 2):
    series, model = FOLDER / f"{program}-series", FOLDER / f"{program}-model"
    flags = [f"--steps={STEPS}", f"--save={model}"]
    train(program, *flags, f"--checkpoint={series}",
          f"--checkpoint-every={EVERY}", "--keep=99")

    # The first has all rows; so has one when many have changed.
    assert not bases(series / name(EVERY))
    assert any(len(bases(series / name(step))) < holders
               for step in range(FEW[-1] + EVERY, STEPS, EVERY)), (
        "no part has all rows again")
    for step in FEW:
        folder = series / name(step)
        assert len(bases(folder)) == holders, list(folder.iterdir())
        whole = sum(path.stat().st_size for path in bases(folder))
        assert sizes(folder) < whole * 2 // 3, (step, sizes(folder), whole)
        assert all(path.stat().st_nlink > 1 for path in bases(folder))
        out, _ = run("ps-run", "verify", folder)
        for path in bases(folder):
            assert f"ok     {path}\n" in out, out

    # Each is what --save writes.
    for step in (20, *FEW, 45, STEPS - EVERY):
        saved = FOLDER / "saved"
        train(program, f"--steps={step}", f"--save={saved}")
        assert_same(canonical(series / name(step)), canonical(saved),
                    f"{program} step {step}")
        run("ps-run", "compare", saved, series / name(step), "--tolerance=0")

    # Any number of pservers goes on from a copy.
    for other in OTHERS[program]:
        resumed = series_with("resumed", series, [40])
        again = FOLDER / "again"
        train(other, f"--steps={STEPS}", f"--save={again}", "--resume",
              f"--checkpoint={resumed}", f"--checkpoint-every={EVERY}",
              "--keep=9")
        assert_same(canonical(again)["tables"], canonical(model)["tables"],
                    f"{program} to {other}")
        assert not bases(resumed / name(45))
        assert_same(canonical(resumed / name(45))["tables"],
                    canonical(series / name(45))["tables"])

    # A damaged or missing base is named, and with last-good an earlier one is
    # taken: the one before, if it has another file.
    go_on = [program, "--resume", f"--steps={STEPS}",
             f"--checkpoint-every={EVERY}"]
    folder = series_with("damaged", series, [35, 40])
    path = bases(folder / name(40))[0]
    flip(path)
    out, error = run("ps-run", "verify", folder / name(40), code=1)
    assert f"FAILED {path}\n" in out and f"'{path}' is damaged" in error
    assert f"'{path}' is damaged" in train(
        *go_on, f"--checkpoint={folder}", code=1)
    text = train(*go_on[:1], "--resume=last-good", *go_on[2:],
                 f"--checkpoint={folder}")
    assert f"going back from step 40: '{path}' is damaged" in text, text
    assert "resuming from step 35: " in text, text
    folder = series_with("missing", series, [40])
    path = bases(folder / name(40))[0]
    path.unlink()
    assert f"'{path}' is missing" in train(
        *go_on, f"--checkpoint={folder}", code=1)

    # Damage of a file that several share is damage of all of them.
    shared = bases(series / name(40))[0]
    before = max(step for step in range(EVERY, 35, EVERY)
                 if not any(path.samefile(shared)
                            for path in (series / name(step)).iterdir()))
    folder = series_with("shared", series, [before, 35, 40], os.link)
    flip(bases(folder / name(40))[0])
    text = train(*go_on[:1], "--resume=last-good", *go_on[2:],
                 f"--checkpoint={folder}")
    assert re.search(r"(?s)going back from step 40: .*going back from step 35: "
                     rf".*resuming from step {before}", text), text
