"""Checks that messages which documents quote are in the sources.

  check_messages.py ROOT DOCUMENT...

Looks at the sections "Errors" (lines of code blocks), "Stopping and failing"
(first cells of tables) and "Faults" (third cells). A message is compared in parts: quoted names, numbers,
flags and words in capitals stand for anything, and so may one more word."""

import pathlib
import re
import sys


def section(text, title):
    found = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def messages(text):
    for block in re.findall(r"^```\n(.*?)^```$", section(text, "Errors"), re.M | re.S):
        # The place in a file comes first: "slots.txt:2:9: ".
        yield from (re.sub(r"^[\w.]+:\d+:\d+: ", "", line)
                    for line in block.splitlines())
    yield from re.findall(r"^\| `([^`]*)`", section(text, "Stopping and failing"),
                          re.M)
    for row in re.findall(r"^\|.*\|$", section(text, "Faults"), re.M):
        yield from re.findall(r"`([^`]*)`", row.split("|")[3])


def parts(message):
    """The pieces of a message that stand in the sources as they are."""
    varies = r"'[^']*'|\"[^\"]*\"|@\w+|\[?\.\.+\]?|\b\d[\w.]*|\b[A-Z][A-Z\d:]*\b|\?x\w+|--[\w-]+|\w+=\w+"
    for part in re.split(varies, message):
        part = part.strip(" :;,'")
        if len(part) > 4:
            yield part


def is_in(part, sources):
    words = part.split()
    return part in sources or len(words) > 2 and any(
        all(not half or len(half) > 1 and " ".join(half) in sources
            for half in (words[:i], words[i + 1:]))
        for i in range(len(words)))


def main(root, *documents):
    sources = ""
    for top in "runtime", "tools", "compiler":
        for path in sorted((pathlib.Path(root) / top).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                sources += path.read_text()
    sources = re.sub(r'"\s*\n\s*"', "", sources)  # one literal over several lines
    wrong, count = [], 0
    for document in documents:
        for message in messages(pathlib.Path(document).read_text()):
            count += 1
            wrong += [f"{document}: '{part}' of \"{message}\" is in no source"
                      for part in parts(message) if not is_in(part, sources)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{count} messages")


main(*sys.argv[1:])
