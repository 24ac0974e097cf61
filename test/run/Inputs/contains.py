"""Fails unless a document shows the whole of each file."""

import pathlib
import sys

document, *files = [pathlib.Path(name).read_text() for name in sys.argv[1:]]
for text in files:
    assert "\n" + text + "```" in document, text
