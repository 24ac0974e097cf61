"""make_idx.py FOLDER: a few images and labels in the format of the MNIST
digits, whole and broken."""

import gzip
import pathlib
import random
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(1)


def images(count, side):
    return struct.pack(">IIII", 0x803, count, side, side) + bytes(
        draw.randrange(256) for _ in range(count * side * side))


def labels(count):
    return struct.pack(">II", 0x801, count) + bytes(
        draw.randrange(10) for _ in range(count))


def write(name, data):
    (folder / name).write_bytes(data)


good, good_labels = images(200, 28), labels(200)
write("images", good)
write("labels", good_labels)
write("images.gz", gzip.compress(good))
write("labels.gz", gzip.compress(good_labels))
write("truncated", good[:-5])
write("truncated.gz", gzip.compress(good)[:-50])
write("empty", b"")
write("magic", b"\0\0\x09\x03" + good[4:])
write("small", images(200, 27))
write("labels199", labels(199))
write("huge", struct.pack(">IIII", 0x803, 2**31 - 1, 28, 28) + bytes(784))
