# SPDX-License-Identifier: Apache-2.0
"""Removes the metadata of a safetensors file, as a program writes it that has
none."""

import json
import struct
import sys

contents = open(sys.argv[1], "rb").read()
size, = struct.unpack_from("<Q", contents)
header = json.loads(contents[8:8 + size])
del header["__metadata__"]
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + contents[8 + size:])
