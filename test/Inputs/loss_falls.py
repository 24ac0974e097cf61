"""Fails unless the loss in a file of --metrics falls: the mean over the last
ten training steps must be below FACTOR times that over the first ten.

  loss_falls.py METRICS FACTOR"""

import json
import sys

with open(sys.argv[1]) as lines:
    rows = [json.loads(line) for line in lines]
losses = [row["loss"] for row in rows if row["phase"] == "train"]
assert len(losses) >= 20, f"only {len(losses)} steps"
first, last = sum(losses[:10]) / 10, sum(losses[-10:]) / 10
if last >= float(sys.argv[2]) * first:
    sys.exit(f"the loss went from {first} to {last}, "
             f"not below {sys.argv[2]} times the first")
