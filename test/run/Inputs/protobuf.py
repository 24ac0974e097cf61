"""Reads messages of protobuf without their declarations."""


def fields(message):
    """(number, value) of a message of protobuf: bytes, or a number."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value
    found = []
    while at < len(message):
        tag = number()
        kind = tag & 7
        size = {1: 8, 2: None, 5: 4}.get(kind, 0)
        if kind == 2:
            size = number()
        found.append((tag >> 3, message[at:at + size] if kind else number()))
        at += size
    return found
