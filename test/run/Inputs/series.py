# SPDX-License-Identifier: Apache-2.0
"""The folder of --checkpoint, and what is in it."""

import json


def newest_checkpoint(folder):
    """The name of the newest whole one, or None."""
    return max((path.parent.name for path in folder.glob("step-*/training.json")),
               default=None)


def steps_of(name):
    """How many steps the run had taken."""
    return int(name.removeprefix("step-"))


def assert_saved_alike(checkpoint, model):
    """A run had the state of `checkpoint` when it ended and saved `model`."""
    states = [json.loads((folder / "training.json").read_text())
              for folder in (checkpoint, model)]
    run = states[0].pop("run")
    assert run["steps"] == steps_of(checkpoint.name), run
    for state in states:
        state.pop("xxh3")
    assert states[0] == states[1], states
    names = {path.name for path in model.iterdir()}
    assert names == {path.name for path in checkpoint.iterdir()}, names
    for name in names - {"training.json"}:
        assert (checkpoint / name).read_bytes() == (model / name).read_bytes(), name
