# SPDX-License-Identifier: Apache-2.0
"""A saved model that lacks parameters of a graph, or rows of its tables.

Variables of a graph begin at 0 unless a model has them, so what is loaded is a
folder with the files of the saved one, and a model in which the graph's initial
values stand for what the saved one lacks.
"""

import json
import os
import pathlib
import struct
import subprocess

import numpy

from ps_mlir import safetensors
from ps_mlir.programs import JobError, find_program

_MODEL = "model.safetensors"
_PART = "optimizer.00000-of-00001.safetensors"


def complete_model(graph, folders, is_partial, target):
    """Returns the value of --load, and lines about what has been completed.

    folders: a folder of --save, or several with commas, of which the last one
        has the variables; the folder `target` is made where that lacks some.
    is_partial: whether it may lack variables; rows of tables it always may.
    """
    *before, last = folders.split(",")
    try:
        saved = safetensors.load(pathlib.Path(last) / _MODEL)
    except (OSError, ValueError, KeyError, struct.error):
        return folders, []  # ps-run says what is wrong.
    added, lines = {}, []
    for name, value in graph.initial.items():
        if name in graph.declared:
            continue  # Rows are created when training needs them.
        if name in saved and name in graph.tables:
            rows = _new_rows(saved[name], value)
            if len(rows):
                added[name] = numpy.concatenate([saved[name], rows])
                lines.append(f"'{last}' has {len(saved[name])} rows of "
                             f"'{name}': the others begin with the graph's "
                             "initial values")
        elif name not in saved and is_partial and not any(
                _has_rows(folder, name) for folder in (*before, last)):
            added[name] = value
            lines.append(f"'{name}' is not in '{last}': it begins with the "
                         "graph's initial values")
    if not added:
        return folders, []
    _write(pathlib.Path(last), {**saved, **added}, target)
    _spread_state(pathlib.Path(last), target,
                  {name: len(saved[name]) for name in added if name in saved})
    return ",".join([*before, str(target)]), lines


def _new_rows(saved, value):
    """The rows of a table that a model of fewer lacks."""
    if saved.shape[1:] != value.shape[1:] or saved.dtype != value.dtype:
        return value[:0]  # ps-run refuses it.
    return value[len(saved):]


def _has_rows(folder, name):
    encoded = "".join(f"%{ord(c):02X}" if c in "/\\%" or c < " " else c
                      for c in name)
    return any(path.name.startswith(f"{encoded}-") for path in pathlib.Path(
        folder).glob("*-of-*.safetensors"))


def _write(folder, model, target):
    """Links to the files of `folder` beside a model; that one has no id of a
    checkpoint, so it is verified here."""
    if (folder / "training.json").exists():
        done = subprocess.run(
            [find_program("ps-run"), "verify", str(folder)],
            capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise JobError(done.stderr.strip().removeprefix("ps-run: error: "))
    target.mkdir()
    for path in folder.resolve().iterdir():
        if path.name != _MODEL:
            os.symlink(path, target / path.name)
    safetensors.save(target / _MODEL, model)


def _spread_state(folder, target, rows):
    """Writes the optimizer's state of rows that `folder` has, so many by name,
    with their ids, as pservers do: the file of a local run has a row for each
    that the model has."""
    path, parts = folder / "optimizer.safetensors", {}
    state = safetensors.load(path) if rows and path.exists() else {}
    for name, size in rows.items():
        slots = {f"{slot}:rows": value for slot, value in state.items()
                 if slot.startswith(f"{name}.") and value.shape[:1] == (size,)}
        if slots:
            parts |= {f"{name}:ids": numpy.arange(size), **slots}
    if not parts:
        return
    if (target / _PART).exists():  # A link, which must not be written to.
        raise ValueError(f"'{folder}' has the optimizer's state of rows in two "
                         "files: give parameters with all rows as start=")
    training = json.loads((folder / "training.json").read_text())
    # Without checksums, of which one is the file's own.
    training = {key: value for key, value in training.items()
                if key not in ("files", "xxh3")}
    training["optimizer_files"].append(_PART)
    (target / "training.json").unlink()
    (target / "training.json").write_text(json.dumps(training))
    safetensors.save(target / _PART, parts,
                     {"checkpoint_id": training["checkpoint_id"]})
