"""difference.py A B: max |a - b| / max(|a|, |b|) over a variable, the largest
of all variables, from the files themselves."""

import sys

from job import read_model

left, right = map(read_model, sys.argv[1:3])
assert left.keys() == right.keys()
print(max(max(abs(a - b) for a, b in zip(left[n][1], right[n][1])) /
          max(abs(x) for x in left[n][1] + right[n][1]) for n in left))
