"""Sends every .mlir file of some folders through text and bytecode and back.

usage: roundtrip.py FOLDER...

A chunk that expects an error may be one that ps-opt cannot read; every other
chunk must be readable.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

SEPARATOR = "// -----"


def ps_opt(text, *options):
    """Runs ps-opt on `text`."""
    command = ["ps-opt", "-", "-o", os.devnull, "--split-input-file",
               "--allow-unregistered-dialect", *options]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def check(path):
    """Returns how many chunks of a file were read, and what is wrong."""
    text = path.read_text()
    file_expects_error = "RUN: not " in text
    chunks = []
    for chunk in text.split(SEPARATOR):
        if file_expects_error or "expected-error" in chunk:
            read = ps_opt(chunk)
            if read.returncode == 1:
                continue
            if read.returncode != 0:
                return len(chunks), f"{path}: ps-opt died:\n{read.stderr}"
        chunks.append(chunk)
    if not chunks:
        return 0, None
    text = SEPARATOR.join(chunks)
    trip = ps_opt(text, "--verify-roundtrip")
    if trip.returncode == 0:
        return len(chunks), None
    return 0, f"{path} does not round-trip:\n{trip.stderr}"


def main():
    paths = [path for folder in sys.argv[1:]
             for path in sorted(pathlib.Path(folder).rglob("*.mlir"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, paths))
    problems = [problem for _, problem in results if problem]
    for problem in problems:
        print(problem)
    read = sum(number for number, _ in results)
    print(f"{len(paths)} files, {read} chunks went round, "
          f"{len(problems)} problems")
    sys.exit(bool(problems) or read == 0)


main()
