# SPDX-License-Identifier: Apache-2.0
"""Prints the integers of a safetensors file, a tensor a line, by name."""

import json
import struct
import sys

contents = open(sys.argv[1], "rb").read()
size, = struct.unpack_from("<Q", contents)
header = json.loads(contents[8:8 + size])
for name, tensor in sorted(header.items()):
    code = {"I32": "i", "U32": "I", "I64": "q"}.get(tensor.get("dtype"))
    if code:
        begin, end = tensor["data_offsets"]
        values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}",
                               contents[8 + size + begin:8 + size + end])
        print(name, tensor["dtype"], tensor["shape"], list(values))
