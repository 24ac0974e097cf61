# SPDX-License-Identifier: Apache-2.0
"""Messages of one size after another, over our transports and over a raw
socket and raw shared memory."""

from common import OURS, Contestant, Line, run_program

SIZES = ("1 KiB", "64 KiB", "1 MiB", "16 MiB", "64 MiB")
FLOORS = {"gRPC": "raw TCP", "TCP": "raw TCP",
          "shared memory": "raw shared memory"}


def measure(setting):
    found = run_program(setting, "bench-transport")
    return {f"transport/{what}": value for (what, unit), value in found.items()
            if unit == "GB/s"}


def contestants(is_quick):
    yield Contestant(f"transport/{OURS}", measure, is_ours=True)


def lines(values):
    for size in SIZES:
        for transport, raw in FLOORS.items():
            for call in ("push", "pull"):
                value = values.get(
                    f"transport/transport, {call} of {size} over {transport}")
                floor = values.get(f"transport/transport, {size} over {raw}")
                if value:
                    yield Line("transport", f"{call}, {size}",
                               f"{OURS}, {transport}", value, "GB/s", floor,
                               f"{raw}, as many bytes")
