# SPDX-License-Identifier: Apache-2.0
"""Jobs that a seed draws: each can be run again, by the seed and its number."""

import argparse
import pathlib
import random
import shutil


def make_parser(jobs):
    """Of a script that runs so many unless it is asked otherwise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=jobs)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--first", type=int, default=0)
    return parser


def begin(parser):
    """The options of the command line; their folder is new."""
    options = parser.parse_args()
    print(f"seed {options.seed}")
    shutil.rmtree(options.folder, ignore_errors=True)
    return options


def run_jobs(options, draw, report):
    """draw(index, plan) returns the name of a job, and a function that runs it
    in a folder and asserts what it should. report() follows the count of
    those that ended well. The folders of others remain."""
    failed = []
    for index in range(options.first, options.first + options.jobs):
        name, run = draw(index, random.Random(f"{options.seed} {index}"))
        folder = options.folder / f"{index}-{name}"
        try:
            run(folder)
            shutil.rmtree(folder)
        except AssertionError as error:
            failed.append(index)
            print(f"job {index} ({name}): {error}", flush=True)
    print(f"{options.jobs - len(failed)} of {options.jobs} jobs ended well; "
          f"{report()}")
    assert not failed, failed
