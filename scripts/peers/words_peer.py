# SPDX-License-Identifier: Apache-2.0
"""What the peers of the part words share; runs in their virtual
environments."""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "test" / "benchmarks"))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("text")
    for name in ("width", "threads", "epochs"):
        parser.add_argument(f"--{name}", type=int, required=True)
    return parser.parse_args()


def print_rate(words_per_second):
    """What the script that started this process reads."""
    print(f"rate {words_per_second}", file=sys.stderr, flush=True)
