# SPDX-License-Identifier: Apache-2.0
"""two_scales.py NAME LARGE SMALL: writes NAME.safetensors with the f32 scalars
"large" and "small"."""

import json
import struct
import sys

name, *values = sys.argv[1:]
header = json.dumps({
    key: {"dtype": "F32", "shape": [], "data_offsets": [4 * i, 4 * i + 4]}
    for i, key in enumerate(("large", "small"))}).encode()
with open(f"{name}.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header +
               struct.pack("<2f", *map(float, values)))
