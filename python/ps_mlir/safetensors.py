# SPDX-License-Identifier: Apache-2.0
"""Reads and writes model.safetensors, the file of a saved model.

The format: the size of the header as u64, the header as JSON, the data of all
tensors (https://github.com/huggingface/safetensors).
"""

import json
import pathlib
import struct

import numpy

from ps_mlir.elements import from_safetensors, safetensors_of


def save(path, arrays, metadata=None):
    """Writes `arrays`, a dict from names to numpy arrays, and texts by name."""
    header = {"__metadata__": metadata} if metadata else {}
    offset, parts = 0, []
    for name, value in arrays.items():
        value = numpy.asarray(value)
        shape = list(value.shape)
        # ascontiguousarray makes a number an array of rank 1.
        value = numpy.ascontiguousarray(value)
        header[name] = {
            "dtype": safetensors_of(value.dtype), "shape": shape,
            "data_offsets": [offset, offset + value.nbytes]}
        offset += value.nbytes
        parts.append(value)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for value in parts:
            file.write(value.reshape(-1).view(numpy.uint8).data)


def load(path):
    """Reads all tensors; their memory is a map of the file, copied on write."""
    path = pathlib.Path(path)
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
    header.pop("__metadata__", None)
    begin = 8 + size
    if path.stat().st_size == begin:
        data = numpy.empty(0, numpy.uint8)
    else:
        data = numpy.memmap(path, numpy.uint8, mode="c", offset=begin)
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        arrays[name] = data[first:last].view(
            from_safetensors(entry["dtype"])).reshape(entry["shape"])
    return arrays
