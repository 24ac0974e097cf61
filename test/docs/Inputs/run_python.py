# SPDX-License-Identifier: Apache-2.0
"""Runs the Python blocks of a document, one after the other.

usage: run_python.py DOCUMENT
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
names = {}
for block in blocks:
    exec(compile(block, sys.argv[1], "exec"), names)
print(f"{pathlib.Path(sys.argv[1]).name}: {len(blocks)} blocks")
