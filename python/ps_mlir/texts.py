# SPDX-License-Identifier: Apache-2.0
"""Ids of texts as ps-run makes them: categoryId in
runtime/data/formats/Criteo.cpp, numberWords in SkipGrams.cpp."""

import collections
import gzip
import pathlib
import re

_MASK = (1 << 64) - 1
# Bytes beyond ASCII are parts of letters.
_WORD = re.compile(rb"[a-z0-9'\x80-\xff]+")


def category_id(field, text, ids=0):
    """The id of a text: in a column of `table:`, whose name is `field`, or in
    one of C1 to C26 of `criteo:`, which are the fields 0 to 25; `ids` is N of
    #ids=N, or 0 where there is none."""
    if isinstance(field, str):
        field = _hash(0, field)
    value = _hash(field, text)
    if ids:
        return value % ids
    return value - (1 << 64) if value >> 63 else value


def _hash(field, text):
    data = text.encode()
    value = _mix(field + 1 & _MASK) ^ len(data)
    for begin in range(0, len(data), 8):
        word = int.from_bytes(data[begin:begin + 8], "little")
        value = _mix(value ^ word) + 0x9e3779b97f4a7c15 & _MASK
    return _mix(value)


def _mix(value):
    value = (value ^ value >> 33) * 0xff51afd7ed558ccd & _MASK
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53 & _MASK
    return value ^ value >> 33


def vocabulary(path, size=10000):
    """The words of `text:PATH?vocabulary=SIZE` in the order of their ids: the
    most frequent first, equally frequent ones in the order of their bytes."""
    text = pathlib.Path(path).read_bytes()
    if text.startswith(b"\x1f\x8b"):
        text = gzip.decompress(text)
    counts = collections.Counter(_WORD.findall(text.lower()))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return [word.decode(errors="surrogateescape") for word in words[:size]]
