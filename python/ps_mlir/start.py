# SPDX-License-Identifier: Apache-2.0
"""A saved model that lacks parameters of a graph, or rows of its tables.

Variables of a graph begin at 0 unless a model has them, so what is loaded is a
folder with the files of the saved one, and a model in which the graph's initial
values stand for what the saved one lacks.
"""

import os
import pathlib
import struct
import subprocess

import numpy

from ps_mlir import safetensors
from ps_mlir.programs import JobError, find_program, program_environment

_MODEL = "model.safetensors"


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
            rows = _new_rows(last, name, saved[name], value)
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
    return ",".join([*before, str(target)]), lines


def _new_rows(folder, name, saved, value):
    """The rows of a table that a model of fewer lacks."""
    if saved.shape[1:] != value.shape[1:] or saved.dtype != value.dtype:
        return value[:0]  # ps-run refuses it.
    state = pathlib.Path(folder) / "optimizer.safetensors"
    if len(saved) < len(value) and state.exists() and any(
            slot.startswith(f"{name}.") and array.shape[:1] == saved.shape[:1]
            for slot, array in safetensors.load(state).items()):
        raise ValueError(
            f"start='{folder}' has {len(saved)} rows of '{name}' and the "
            f"optimizer's state of these, the graph has {len(value)} rows: "
            "give parameters with all rows as start=, where the optimizer "
            "begins anew")
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
            capture_output=True, text=True, errors="replace",
            env=program_environment())
        if done.returncode:
            raise JobError(done.stderr.strip().removeprefix("ps-run: error: "))
    target.mkdir()
    for path in folder.resolve().iterdir():
        if path.name != _MODEL:
            os.symlink(path, target / path.name)
    safetensors.save(target / _MODEL, model)
