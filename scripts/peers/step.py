# SPDX-License-Identifier: Apache-2.0
"""The small step: examples/mnist_mlp by two pservers and two trainers, over each
transport, beside the same exchange written by hand."""

from common import OURS, ROOT, Contestant, Line, run_ours, run_program

BATCH = 32
# How ours exchanges, its flag, and the floor's name for it.
TRANSPORTS = {"shared memory": ((), "through shared memory"),
              "TCP": (("--transport=tcp",), "over TCP"),
              "gRPC": (("--transport=grpc",), "over TCP")}


def measure_floor(is_quick, setting):
    found = run_program(setting, "bench-step-floor", "--pin",
                        f"--steps={300 if is_quick else 4000}")
    return {f"step/{what}": value for (what, _), value in found.items()}


def measure_ours(transport, is_quick, setting):
    rates = run_ours(
        bin=setting.bin, data="synthetic:digits", batch_size=BATCH,
        graph=str(ROOT / "examples" / "mnist_mlp" / "mnist_mlp.mlir"),
        steps=300 if is_quick else 4000, trainers=2, pservers=2, mode="sync",
        flags=TRANSPORTS[transport][0])
    return {f"step/{transport}": rates.whole / (2 * BATCH)}


def contestants(is_quick):
    yield Contestant("step/floor",
                     lambda setting: measure_floor(is_quick, setting),
                     is_ours=True)
    for transport in TRANSPORTS:
        yield Contestant(
            f"step/{OURS} {transport}",
            lambda setting, transport=transport: measure_ours(
                transport, is_quick, setting), is_ours=True)


def lines(values):
    for transport, (_, by_hand) in TRANSPORTS.items():
        floor = values.get(f"step/step floor, 2 x 2 {by_hand}")
        what = f"mnist_mlp, 2 trainers x 2 servers, {transport}"
        if f"step/{transport}" in values:
            yield Line("step", what, OURS, values[f"step/{transport}"],
                       "steps/s", floor, "the same exchange and products, "
                       f"written by hand, {by_hand}")
