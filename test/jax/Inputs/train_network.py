# SPDX-License-Identifier: Apache-2.0
"""Trains the network whose loss JAX printed, and compares with JAX and optax.

usage: train_network.py NETWORK_LOSS FOLDER

The printed loss stays as it is: beside it stands a function that reads the
variables, calls @main and minimizes what it returns.
"""

import json
import pathlib
import struct
import subprocess
import sys

NAMES = ["b0", "b1", "bias", "scale", "w0", "w1"]  # of @main's arguments
STEPS = 30


def shape_of(value):
    return [len(value)] + shape_of(value[0]) if isinstance(value, list) else []


def flatten(value):
    if not isinstance(value, list):
        return [value]
    return [number for part in value for number in flatten(part)]


def tensor_type(value, element):
    return f"tensor<{''.join(f'{n}x' for n in shape_of(value))}{element}>"


def training_function(initial, x, y):
    types = [tensor_type(initial[name], "f32") for name in NAMES]
    lines = [f"ps.variable @{name} : {t} init(#ps.constant<0.0>)"
             for name, t in zip(NAMES, types)]
    types += [tensor_type(x, "f32"), tensor_type(y, "i32")]
    lines.append(f'func.func @train(%x: {types[-2]} {{ps.feed = "x"}}, '
                 f'%y: {types[-1]} {{ps.feed = "y"}}) -> '
                 '(tensor<f32> {ps.fetch = "loss"}) {')
    lines += [f"  %{name} = ps.read @{name} : {t}"
              for name, t in zip(NAMES, types)]
    arguments = ", ".join(f"%{name}" for name in NAMES + ["x", "y"])
    lines.append(f"  %loss = call @main({arguments}) : "
                 f"({', '.join(types)}) -> tensor<f32>")
    lines.append("  ps.minimize %loss using(#ps.adam<learning_rate = 0.05>) : "
                 "tensor<f32>")
    return "\n".join(lines + ["  return %loss : tensor<f32>", "}", ""])


def save(path, variables):
    header, data = {}, b""
    for name, value in variables.items():
        numbers = flatten(value)
        part = struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = {"dtype": "F32", "shape": shape_of(value),
                        "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    path.mkdir()
    (path / "model.safetensors").write_bytes(
        struct.pack("<Q", len(text)) + text + data)


def main():
    loss_text, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    inputs = pathlib.Path(__file__).parent
    jax = json.loads((inputs / "network.json").read_text())
    folder.mkdir()
    (folder / "train").write_text(
        training_function(jax["initial"], jax["x"], jax["y"]))
    graph = subprocess.run(
        [sys.executable, inputs / "append.py", loss_text, folder / "train"],
        check=True, capture_output=True, text=True).stdout
    (folder / "network.mlir").write_text(graph)
    save(folder / "initial", jax["initial"])
    save(folder / "final", jax["final"])
    (folder / "samples.csv").write_text("".join(
        ",".join(map(str, x + [y])) + "\n" for x, y in zip(jax["x"], jax["y"])))
    flags = [folder / "network.mlir", f"--data=csv:{folder}/samples.csv",
             f"--batch-size={len(jax['y'])}", f"--steps={STEPS}",
             f"--load={folder}/initial"]
    subprocess.run(["ps-run", *flags, f"--save={folder}/local",
                    f"--metrics={folder}/metrics"], check=True)
    subprocess.run(["ps-run", "launch", "--pservers=2", "--trainers=1",
                    "--transpile=min-block-size=4", f"--log-dir={folder}/log",
                    *flags, f"--save={folder}/job"], check=True)
    records = map(json.loads, open(folder / "metrics"))
    # The last one is about the run.
    losses = [record["loss"] for record in records if "loss" in record]
    assert len(losses) == len(jax["losses"]) == STEPS, losses
    assert losses[-1] < 0.1 * losses[0], losses
    for ours, theirs in zip(losses, jax["losses"]):
        assert abs(ours - theirs) <= 1e-5 * max(1, theirs), (ours, theirs)
    for model in ("local", "job"):
        subprocess.run(["ps-run", "compare", folder / model, folder / "final",
                        "--tolerance=1e-4"], check=True)


main()
