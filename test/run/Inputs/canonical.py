# SPDX-License-Identifier: Apache-2.0
"""What a checkpoint holds, whatever number of processes has saved it: bits, not
numbers."""

import json
import struct

# Of a file that completes its base, the ids of the base whose rows are gone.
DROPPED = "dropped_ids"


def read_tensors(path):
    """Name -> (type, shape, bytes) of a safetensors file."""
    raw = path.read_bytes()
    size, = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    return {name: (entry["dtype"], entry["shape"],
                   raw[slice(*(8 + size + at for at in entry["data_offsets"]))])
            for name, entry in header.items()}


def _variables(folder):
    return read_tensors(folder / "model.safetensors")


def _slots(folder):
    """Whole slots, put together from the parts of all pservers: rows FIRST, ..
    of a slot have the name NAME:FIRST. Each of them has the slots of one number
    that its blocks use, such as the step."""
    slots, parts = {}, {}
    for path in folder.glob("optimizer*.safetensors"):
        for name, tensor in read_tensors(path).items():
            name, colon, first = name.partition(":")
            if colon and tensor[1]:
                assert int(first) not in parts.setdefault(name, {}), (path, name)
                parts[name][int(first)] = tensor
            else:
                assert slots.setdefault(name, tensor) == tensor, (path, name)
    for name, found in parts.items():
        assert name not in slots, name
        rows, bits = 0, b""
        for first, (kind, (height, *width), part) in sorted(found.items()):
            assert first == rows, f"{name}: rows {rows} to {first} are missing"
            rows, bits = rows + height, bits + part
        slots[name] = (kind, [rows, *width], bits)
    return slots


def _rows_of(path, key):
    """Id -> column -> bits in one file, of rows or of ids that wait for one."""
    columns, rows = read_tensors(path), {}
    if key not in columns:
        return rows
    kind, (count,), bits = columns.pop(key)
    assert kind == "I64", kind
    ids = struct.unpack(f"<{count}q", bits)
    assert len(set(ids)) == count, f"{path}: an id is saved twice"
    rows.update((id, {}) for id in ids)
    for name, (_, shape, bits) in columns.items():
        if name.startswith("waiting_") != (key != "ids") or name == DROPPED:
            continue
        assert shape[0] == count, (path, name, shape)
        size = len(bits) // count if count else 0
        for at, id in enumerate(ids):
            rows[id][name] = bits[at * size:(at + 1) * size]
    return rows


def _rows(folder):
    """Table -> id -> column -> bits, of rows and of ids that wait for one."""
    tables = {}
    for path in folder.glob("*-of-*.safetensors"):
        if path.name.startswith("optimizer.") or path.suffixes[0] == ".base":
            continue
        table = path.name.rpartition("-of-")[0][:-len("-00000")]
        for key in "ids", "waiting_ids":
            rows = tables.setdefault(table, {}).setdefault(key, {})
            own = _rows_of(path, key)
            base = path.with_suffix(".base.safetensors")
            if key == "ids" and base.exists():
                own = _rows_of(base, key) | own
                bits = read_tensors(path)[DROPPED][2]
                for id, in struct.iter_unpack("<q", bits):
                    del own[id]
            assert rows.keys().isdisjoint(own), f"{path}: an id is saved twice"
            rows.update(own)
    return tables


def canonical(folder):
    """Variables, slots and the rows of tables, each by its name or id."""
    return {"variables": _variables(folder), "slots": _slots(folder),
            "tables": _rows(folder)}


def assert_same(found, expected, where=""):
    """Two canonical forms; names the first thing that differs."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), (
            f"{where}: only in one: {sorted(found.keys() ^ expected.keys())}")
        for name in expected:
            assert_same(found[name], expected[name], f"{where}/{name}")
    else:
        assert found == expected, f"{where} differs: {found} {expected}"


def assert_same_files(found, expected):
    """Two folders that runs have saved, byte for byte."""
    names = {path.name for path in found.iterdir()}
    assert names == {path.name for path in expected.iterdir()}, (
        names, list(expected.iterdir()))
    assert {"model.safetensors", "training.json"} <= names, names
    for name in names:
        assert (found / name).read_bytes() == (expected / name).read_bytes(), (
            f"{found / name} and {expected / name} differ")
