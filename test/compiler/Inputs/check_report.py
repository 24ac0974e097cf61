"""Checks that a report has the form that docs/Report.md describes, and that its
figures add up.

usage: check_report.py FILE.json
"""

import json
import math
import sys

MEMORY = {"variables": int, "state": int, "gradients": int, "total": int}
SCHEMA = {
    "version": int,
    "job": {"model": str, "mode": str, "trainers": int, "accumulate": int,
            "geo_steps": int, "bucket_bytes": int, "wire": str, "hash": str},
    "advice": [str],
    "imbalance": float,
    "trainer": {"peak_memory": MEMORY},
    "pservers": [{
        "name": str, "endpoint": str, "bytes": int, "share": float,
        "peak_memory": MEMORY,
        "per_step_and_trainer": {
            "sent_bytes": float, "sent_messages": float,
            "received_bytes": float, "received_messages": float},
        "blocks": [{"name": str, "variable": str, "row_offset": int,
                    "rows": int, "bytes": int, "state_bytes": int,
                    "reason": str}]}],
    "all_reduce_per_step": {"bytes": float, "calls": float},
    "longest_chain": {"ops": int, "links": [
        {"program": str, "ops": int, "last": str}]},
    "variables": [{"name": str, "type": str, "bytes": int, "places": [str],
                   "reasons": [str]}],
    "tables": [{"name": str, "type": str, "partition": str, "max_rows": int,
                "row_bytes": int, "row_state_bytes": int, "places": [str]}],
}


def check(value, schema, path="report"):
    if isinstance(schema, dict):
        assert value.keys() == schema.keys(), f"{path} has {list(value)}"
        for key, inner in schema.items():
            check(value[key], inner, f"{path}.{key}")
    elif isinstance(schema, list):
        for i, item in enumerate(value):
            check(item, schema[0], f"{path}[{i}]")
    else:
        kinds = (int, float) if schema is float else schema
        assert isinstance(value, kinds), f"{path} is {value!r}"


report = json.load(open(sys.argv[1]))
check(report, SCHEMA)
for server in report["pservers"]:
    memory = server["peak_memory"]
    assert memory["variables"] == sum(b["bytes"] for b in server["blocks"])
    assert memory["state"] == sum(b["state_bytes"] for b in server["blocks"])
    assert memory["total"] == server["bytes"] + memory["gradients"]
shares = [server["share"] for server in report["pservers"]]
assert math.isclose(sum(shares), 1), shares
assert math.isclose(report["imbalance"], max(shares) * len(shares))
assert report["longest_chain"]["ops"] == sum(
    link["ops"] for link in report["longest_chain"]["links"])
