"""Checks that a document shows what ps-opt prints.

  check_document.py DOCUMENT FOLDER

A fenced block whose first line is the comment "// NAME.mlir" is that file. A
block of "$ ps-opt ..." commands, run in FOLDER, is followed by a block with
what they print: "..." in a line stands for any text, a line "..." for
any number of lines; indentation does not count."""

import os
import pathlib
import re
import subprocess
import sys


def blocks(text):
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        yield match.group(1), match.group(2)


def matches(shown, printed):
    """Where in `printed` the lines of `shown` fail, or None."""
    position, skipping = 0, True
    for line in shown:
        if line == "...":
            skipping = True
            continue
        pattern = re.compile(re.escape(line).replace(r"\.\.\.", ".*"))
        while position < len(printed) and not pattern.fullmatch(printed[position]):
            if not skipping:
                return line
            position += 1
        if position == len(printed):
            return line
        position, skipping = position + 1, False
    return None


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def main(document, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command, checked = None, 0
    for language, text in blocks(pathlib.Path(document).read_text()):
        name = re.match(r"// (\w+\.mlir)\n", text)
        if name:
            (folder / name.group(1)).write_text(text)
        elif "$ ps-opt" in text:
            command = re.sub(r"^\$ ", "", text, flags=re.M)
        elif command and language == "mlir":
            done = subprocess.run(["bash", "-ec", command], cwd=folder, text=True,
                                  capture_output=True)
            if done.returncode != 0:
                sys.exit(f"{document}: {command}\n{done.stderr}")
            missing = matches(lines_of(text), lines_of(done.stdout))
            if missing is not None:
                sys.exit(f"{document}: {command}\ndoes not print, at this "
                         f"place:\n  {missing}\nbut\n{done.stdout}")
            command, checked = None, checked + 1
    print(f"{os.path.basename(document)}: {checked} outputs")


if __name__ == "__main__":
    main(*sys.argv[1:])
