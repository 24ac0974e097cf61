"""Writes int0, int1, ..: models with a variable that is an integer each;
without integers none.safetensors, a model of no variables."""

import json
import struct
import sys


def write(path, tensors, data):
    header = json.dumps(tensors).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)


for i, value in enumerate(map(int, sys.argv[1:])):
    write(f"int{i}", {"global_step": {"dtype": "I64", "shape": [],
                                      "data_offsets": [0, 8]}},
          struct.pack("<q", value))
if len(sys.argv) == 1:
    write("none.safetensors", {}, b"")
