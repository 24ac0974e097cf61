"""usage: precision.py F32 BF16: metrics of two runs that differ in --precision
only. The numbers differ, since bf16 was used, but not by much."""
import json
import sys


def evaluation(path):
    with open(path) as file:
        return [record for record in map(json.loads, file)
                if record["phase"] == "eval"][-1]


exact, rounded = map(evaluation, sys.argv[1:])
for name, tolerance in (("accuracy", 0.01), ("loss", 0.01)):
    difference = abs(exact[name] - rounded[name])
    assert difference <= tolerance, (name, exact[name], rounded[name])
assert exact["loss"] != rounded["loss"], exact
