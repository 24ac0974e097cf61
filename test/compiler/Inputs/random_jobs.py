"""Transpiles random graphs for random clusters and compares every block with
a second, independent implementation of slicing and placement.

usage: random_jobs.py PS_OPT SEED JOBS
"""

import random
import re
import struct
import subprocess
import sys

MASK = (1 << 64) - 1
PRIMES = (11400714785074694791, 14029467366897019727, 1609587929392839161,
          9650029242287828579, 2870177450012600261)


def rotate(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & MASK


def lane(acc, word):
    return rotate((acc + word * PRIMES[1]) & MASK, 31) * PRIMES[0] & MASK


def xxh64(data):
    """XXH64 with seed 0."""
    size, at = len(data), 0
    if size >= 32:
        lanes = [PRIMES[0] + PRIMES[1] & MASK, PRIMES[1], 0, -PRIMES[0] & MASK]
        while at + 32 <= size:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [lane(a, w) for a, w in zip(lanes, words)]
            at += 32
        acc = sum(rotate(a, b) for a, b in zip(lanes, (1, 7, 12, 18))) & MASK
        for a in lanes:
            acc = ((acc ^ lane(0, a)) * PRIMES[0] + PRIMES[3]) & MASK
    else:
        acc = PRIMES[4]
    acc = acc + size & MASK
    while at + 8 <= size:
        acc ^= lane(0, struct.unpack_from("<Q", data, at)[0])
        acc = (rotate(acc, 27) * PRIMES[0] + PRIMES[3]) & MASK
        at += 8
    if at + 4 <= size:
        acc ^= struct.unpack_from("<I", data, at)[0] * PRIMES[0] & MASK
        acc = (rotate(acc, 23) * PRIMES[1] + PRIMES[2]) & MASK
        at += 4
    for byte in data[at:]:
        acc = rotate(acc ^ (byte * PRIMES[4] & MASK), 11) * PRIMES[0] & MASK
    acc = (acc ^ acc >> 33) * PRIMES[1] & MASK
    acc = (acc ^ acc >> 29) * PRIMES[2] & MASK
    return acc ^ acc >> 32


assert xxh64(b"") == 0xEF46DB3751D8E999
assert xxh64(b"abc") == 0x44BC2CF5AD770999


def slice_rows(shape, count, smallest):
    """(offset, rows) of each block, counted in elements first."""
    elements, width = 1, 1
    for size in shape:
        elements *= size
    for size in shape[1:]:
        width *= size
    blocks = min(count, max(1, elements // smallest))
    size = -(-(-(-elements // blocks)) // width) * width
    return [(begin // width, min(size, elements - begin) // width)
            for begin in range(0, elements, size)]


def expected_blocks(variables, servers, method, sliced, smallest):
    position = 0
    for name in sorted(variables, key=str.encode):
        ranges = slice_rows(variables[name], servers if sliced else 1, smallest)
        for index, (offset, rows) in enumerate(ranges):
            key = name.encode() + struct.pack("<Q", index)
            server = {"RoundRobin": position % servers,
                      "HashName": xxh64(key) % servers}[method]
            yield name, offset, rows, server
            position += 1


def graph(variables):
    types = {name: "tensor<" + "".join(f"{d}x" for d in shape) + "f32>"
             for name, shape in variables.items()}
    text = "".join(f'ps.variable @"{n}" : {t} init(#ps.constant<0.0>)\n'
                   for n, t in types.items())
    arguments = ", ".join(f'%g{i}: {t} {{ps.feed = "g{i}"}}'
                          for i, t in enumerate(types.values()))
    updates = "".join(
        f'  ps.apply @"{n}", %g{i} using(#ps.sgd<learning_rate = 0.1>) : {t}\n'
        for i, (n, t) in enumerate(types.items()))
    return f"{text}func.func @train({arguments}) {{\n{updates}  return\n}}\n"


def transpiled_blocks(ps_opt, text, options):
    result = subprocess.run(
        [*ps_opt.split(), "--verify-roundtrip", f"--ps-transpile={options}"],
        input=text.encode(), capture_output=True)
    if result.returncode:
        sys.exit(f"{text}{options}\n{result.stderr.decode()}")
    startup = result.stdout.decode().split("@startup")[1].split("return")[0]
    pull = re.compile(r'ps.recv @"?(.*?)"? rows\((\d+), (\d+)\) from\(@pserver_(\d+)\)')
    for name, offset, rows, server in pull.findall(startup):
        yield name, int(offset), int(rows), int(server)


def run_job(ps_opt):
    variables = {}
    for _ in range(random.randint(1, 12)):
        name = random.choice(["w", "b", "emb/x", "a b", "w.block"])
        variables[f"{name}{random.randint(0, 99)}"] = random.choices(
            (1, 2, 3, 7, 10, 100, 1000), k=random.choice((0, 1, 1, 2, 2, 3)))
    servers = random.choice((1, 2, 3, 7))
    method = random.choice(("RoundRobin", "HashName"))
    sliced = random.random() < 0.7
    smallest = random.choice((1, 5, 100, 8192)) if sliced else 8192
    endpoints = ",".join(f"h:{i + 1}" for i in range(servers))
    pservers = random.choice((servers, endpoints))
    options = (f"pservers={pservers} trainers={random.randint(1, 3)} "
               f"split-method={method} " +
               (f"min-block-size={smallest}" if sliced
                else "slice-var-up=false"))
    expected = list(
        expected_blocks(variables, servers, method, sliced, smallest))
    found = list(transpiled_blocks(ps_opt, graph(variables), options))
    if expected != found:
        sys.exit(f"{variables}\n{options}\nexpected {expected}\nfound {found}")


if __name__ == "__main__":
    random.seed(int(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        run_job(sys.argv[1])
