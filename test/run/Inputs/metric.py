"""Compares the metrics of the last evaluation with their definitions.

usage: metric.py METRICS.jsonl MODEL.safetensors SAMPLES.csv
"""
import csv
import json
import math
import struct
import sys

metrics, model, samples = sys.argv[1:]
lines = [json.loads(line) for line in open(metrics)]
found = [line for line in lines if line["phase"] == "eval"][-1]

blob = open(model, "rb").read()
(length,) = struct.unpack_from("<Q", blob)
begin, end = json.loads(blob[8:8 + length])["w"]["data_offsets"]
weights = struct.unpack("<13f", blob[8 + length + begin:8 + length + end])

rows = [[float(cell) for cell in row] for row in list(csv.reader(open(samples)))[1:]]
scores = [sum(x * w for x, w in zip(row, weights)) for row in rows]
right = [row[-1] >= 0.5 for row in rows]
positive = [s for s, label in zip(scores, right) if label]
negative = [s for s, label in zip(scores, right) if not label]
ahead = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
expected = {
    # Close predictions share some of the 4096 bins, and count as ties.
    "auc": (ahead / (len(positive) * len(negative)), 2e-3),
    "accuracy": (sum((1 / (1 + math.exp(-s)) >= 0.5) == label
                     for s, label in zip(scores, right)) / len(rows), 1e-9),
    "mean_score": (sum(scores) / len(rows), 1e-5),
    # The last batch is smaller, and counts less, as that of a fetch does.
    "mean_loss": (found["loss"], 1e-6 * found["loss"]),
}
for name, (value, limit) in expected.items():
    assert abs(found[name] - value) <= limit, (name, found[name], value)
assert all("auc" in line for line in lines if line["phase"] != "end"), \
    "some line lacks its auc"
