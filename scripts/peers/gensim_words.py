# SPDX-License-Identifier: Apache-2.0
"""The part words in gensim: words per second, as word2vec_bench.py measures."""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "test" / "benchmarks"))
from word2vec_bench import run_gensim  # noqa: E402: in the folder just added


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("text")
    for name in ("width", "threads", "epochs"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    rate, _ = run_gensim(options.text, options.width, options.epochs,
                         options.threads)
    print(f"rate {rate}", file=sys.stderr)


main()
