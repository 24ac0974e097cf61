# SPDX-License-Identifier: Apache-2.0
"""Runs the checks of a folder with --device=NAME.

usage: on_device.py FOLDER [NAME]"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys


def run(path, device):
    done = subprocess.run(
        ["ps-run", str(path), "--entry=main", f"--device={device}"],
        capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{path}: {done.stderr.strip()}"


def main():
    folder = pathlib.Path(sys.argv[1])
    device = sys.argv[2] if len(sys.argv) > 2 else "emulated"
    files = [path for path in sorted(folder.glob("*.mlir"))
             if "RUN: ps-run %s --entry=main" in path.read_text()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(run, files,
                                              [device] * len(files))))
    print(*problems, sep="\n")
    print(f"{len(files)} files, {len(problems)} fail")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
