# SPDX-License-Identifier: Apache-2.0
"""The small step: examples/mnist_mlp by two pservers and two trainers, over
each transport, beside the same exchange written by hand."""

import resource

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


def run_steps(transport, steps, setting):
    """Steps per second, and the processor time of all processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    rates = run_ours(
        bin=setting.bin, data="synthetic:digits", batch_size=BATCH,
        graph=str(ROOT / "examples" / "mnist_mlp" / "mnist_mlp.mlir"),
        steps=steps, trainers=2, pservers=2, mode="sync",
        flags=TRANSPORTS[transport][0])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (rates.whole / (2 * BATCH), after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime)


def measure_ours(transport, is_quick, setting):
    few, many = (100, 400) if is_quick else (500, 4500)
    # What starting takes is in both.
    _, start = run_steps(transport, few, setting)
    rate, whole = run_steps(transport, many, setting)
    return {f"step/{transport}": rate,
            f"step/{transport}, processor time":
                1e6 * (whole - start) / (many - few)}


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
        for figure, unit in (("", "steps/s"),
                             (", processor time", "us/step")):
            value = values.get(f"step/{transport}{figure}")
            floor = values.get(f"step/step floor, 2 x 2 {by_hand}{figure}")
            if value:
                yield Line(
                    "step", f"mnist_mlp, 2 trainers x 2 servers, {transport}"
                    f"{figure}", OURS, value, unit, floor, "the same exchange "
                    f"and products, written by hand, {by_hand}",
                    is_time=bool(figure))
