# SPDX-License-Identifier: Apache-2.0
"""Follows a tutorial: runs its blocks of code one after the other, in FOLDER.

usage: run_tutorial.py DOCUMENT FOLDER

Blocks of Python are one program; blocks of sh, and of console with a "$ " before
each command, run in bash; a block whose first line is the comment "// NAME.mlir" is
that file. A block of text or mlir after one of these is what it prints: a line
"..." stands for any lines, "..." in a line for any text, and numbers with a
decimal point may differ by 5 %."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Inputs"))
from check_document import blocks, lines_of  # noqa: E402

NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


class Line:
    """A line as the document shows it."""

    def __init__(self, text):
        self.numbers = [float(number) for number in NUMBER.findall(text)]
        parts = [re.escape(part).replace(re.escape("..."), ".*")
                 for part in NUMBER.split(text)]
        self.pattern = re.compile(f"({NUMBER.pattern})".join(parts))

    def matches(self, printed):
        match = self.pattern.fullmatch(printed)
        return bool(match) and all(
            abs(float(found) - shown) <= 0.05 * abs(shown) + 1e-6
            for found, shown in zip(match.groups(), self.numbers))


def find_difference(shown, printed):
    """The first of the lines `shown` that is not printed, or None."""
    position, skipping = 0, False
    for text in shown:
        if text == "...":
            skipping = True
            continue
        line = Line(text)
        while skipping and position < len(printed) and not line.matches(
                printed[position]):
            position += 1
        if position == len(printed) or not line.matches(printed[position]):
            return text
        position, skipping = position + 1, False
    return None if skipping or position == len(printed) else printed[position]


def run_shell(text):
    command = re.sub(r"^\$ ", "", text, flags=re.M)
    done = subprocess.run(["bash", "-ec", command], text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(f"{command}\n{done.stderr}")
    return done.stdout


def run_python(text, document, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, document, "exec"), names)
    return printed.getvalue()


def main(document, folder):
    text = pathlib.Path(document).read_text()
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    names, printed, ran, shown = {}, None, 0, 0
    for language, block in blocks(text):
        name = re.match(r"// (\w+\.mlir)\n", block)
        if name:
            pathlib.Path(name[1]).write_text(block)
        elif language in ("sh", "console"):
            printed, ran = run_shell(block), ran + 1
        elif language == "python":
            printed, ran = run_python(block, document, names), ran + 1
        elif printed is not None:
            different = find_difference(lines_of(block), lines_of(printed))
            if different is not None:
                sys.exit(f"{document}: not printed, or not shown:\n  "
                         f"{different}\nof\n{printed}")
            printed, shown = None, shown + 1
    print(f"{os.path.basename(document)}: {ran} blocks, {shown} outputs")


main(*sys.argv[1:])
