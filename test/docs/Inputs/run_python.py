# SPDX-License-Identifier: Apache-2.0
"""Runs the Python blocks of a document, one after the other.

usage: run_python.py DOCUMENT MODULE: those that import MODULE
"""

import pathlib
import re
import sys

document, module = pathlib.Path(sys.argv[1]), sys.argv[2]
blocks = re.findall(r"^```python\n(.*?)^```$", document.read_text(),
                    re.MULTILINE | re.DOTALL)
blocks = [block for block in blocks
          if re.search(rf"^import .*\b{module}\b", block, re.MULTILINE)]
names = {}
for block in blocks:
    exec(compile(block, str(document), "exec"), names)
print(f"{document.name}: {len(blocks)} blocks")
