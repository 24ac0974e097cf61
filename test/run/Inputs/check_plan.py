"""check_plan.py FILE: checks what --print-memory-plan wrote."""

import itertools
import re
import sys

text = open(sys.argv[1]).read()
buffers = [tuple(map(int, line)) for line in re.findall(
    r"^ *(\d+) +(\d+) +(\d+) +(\d+)  \S+$", text, re.M)]
peak, total = map(int, re.search(
    r"activations: (\d+) bytes at the peak \((\d+) without", text).groups())
assert len(buffers) > 5, text
for (o1, n1, b1, e1), (o2, n2, b2, e2) in itertools.combinations(buffers, 2):
    # A kernel may write over its own last input.
    together = b1 < e2 and b2 < e1
    apart = o1 + n1 <= o2 or o2 + n2 <= o1
    assert apart or not together, ((o1, n1, b1, e1), (o2, n2, b2, e2))
assert max(o + n for o, n, _, _ in buffers) <= peak < total, (peak, total)
assert total >= sum(n for _, n, _, _ in buffers)
