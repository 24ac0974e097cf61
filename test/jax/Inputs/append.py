# SPDX-License-Identifier: Apache-2.0
"""Prints a module with the contents of another file at its end.

usage: append.py MODULE FILE

MODULE is left as it is up to the bracket that closes it, which begins a line.
"""

import re
import sys

module, addition = (open(path).read() for path in sys.argv[1:])
end = [m.start() for m in re.finditer(r"^}", module, re.MULTILINE)][-1]
print(module[:end] + addition + module[end:], end="")
