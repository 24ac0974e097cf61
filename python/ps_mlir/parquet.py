# SPDX-License-Identifier: Apache-2.0
"""Prints a file of Parquet or Arrow as text that ps-run reads.

    ps-run graph.mlir --data='table:day_*.parquet' \\
        --pipe-command='python3 -m ps_mlir.parquet'
    ps-run graph.mlir --data='slots:day_*.parquet' \\
        --pipe-command='python3 -m ps_mlir.parquet --slots'

usage: python3 -m ps_mlir.parquet [FILE] [--columns=NAME,..] [--slots]

Reads FILE, or standard input, as --pipe-command gives it: Parquet, or Arrow's
file (Feather) or stream format. Without --slots it prints a table, with names
in the first line, whose cells are numbers or texts; with --slots name:value for
each number of a column, of lists also. Numbers keep their digits. Other columns
are left out unless --columns names them. pyarrow does the work: pip install
pyarrow.
"""

import argparse
import io
import os
import sys

try:
    import pyarrow
    from pyarrow import compute, csv, ipc, parquet, types
except ImportError:
    sys.exit("ps_mlir.parquet: error: this needs pyarrow: pip install pyarrow")


class Unprintable(Exception):
    """Which column text cannot hold."""


def open_batches(file):
    """The schema and a function that returns the RecordBatches of a file, by
    what it begins with."""
    if not file.seekable():
        file = io.BytesIO(file.read())
    start = file.read(6)
    file.seek(0)
    if start[:4] == b"PAR1":
        source = parquet.ParquetFile(file)
        return source.schema_arrow, lambda names: source.iter_batches(
            columns=names)
    if start == b"ARROW1":
        source = ipc.open_file(file)
        return source.schema, lambda names: (
            source.get_batch(i) for i in range(source.num_record_batches))
    if start[:4] != b"\xff\xff\xff\xff":
        raise Unprintable("expected a file of Parquet or Arrow")
    source = ipc.open_stream(file)
    return source.schema, lambda names: source


def choose(schema, names, may_hold, hint):
    """The columns to print: those of `names`, which must be of types that
    `may_hold`, or all that are."""
    for name in names:
        if name not in schema.names:
            raise Unprintable(f"there is no column '{name}' among "
                              f"{', '.join(map(repr, schema.names))}")
        if not may_hold(schema.field(name).type):
            raise Unprintable(f"column '{name}' holds "
                              f"{schema.field(name).type}, {hint}")
    return names or [name for name in schema.names
                     if may_hold(schema.field(name).type)]


def is_number(kind):
    return (types.is_integer(kind) or types.is_floating(kind)
            or types.is_boolean(kind) or types.is_decimal(kind))


def is_list(kind):
    return (types.is_list(kind) or types.is_large_list(kind)
            or types.is_fixed_size_list(kind))


def table_holds(kind):
    if types.is_dictionary(kind):
        kind = kind.value_type
    return is_number(kind) or types.is_string(kind) or \
        types.is_large_string(kind)


def slots_hold(kind):
    return is_number(kind.value_type if is_list(kind) else kind)


def plain(array):
    """Numbers and texts, decoded: of flags 0 and 1, of decimals the nearest."""
    kind = array.type
    if types.is_dictionary(kind):
        return plain(array.dictionary_decode())
    if types.is_boolean(kind):
        return array.cast(pyarrow.int8())
    if types.is_decimal(kind):
        return array.cast(pyarrow.float64())
    if types.is_float16(kind):
        return array.cast(pyarrow.float32())
    return array


def print_table(schema, batches, output):
    def decode(batch):
        return pyarrow.RecordBatch.from_arrays(
            [plain(column) for column in batch.columns], schema.names)

    # Files without rows have a header, too.
    none = decode(pyarrow.RecordBatch.from_pylist([], schema))
    with csv.CSVWriter(output, none.schema) as writer:
        for batch in batches:
            writer.write_batch(decode(batch.select(schema.names)))


def slots_of(name, array):
    """"name:value name:value .." of each sample, null where there is none."""
    if not is_list(array.type):
        return values_of(name, array)
    values = values_of(name, array.flatten())
    if values.null_count:
        raise Unprintable(f"column '{name}' has a list with a null")
    lengths = compute.list_value_length(array).fill_null(0)
    offsets = compute.cumulative_sum(lengths.cast(pyarrow.int32()))
    offsets = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()),
                                     offsets])
    joined = compute.binary_join(
        pyarrow.ListArray.from_arrays(offsets, values), " ")
    return compute.if_else(compute.greater(lengths, 0), joined, None)


def values_of(name, array):
    return compute.binary_join_element_wise(
        f"{name}:", plain(array).cast(pyarrow.string()), "")


def print_slots(schema, batches, output):
    names = schema.names
    for name in names:
        if any(character in name for character in ": \t"):
            raise Unprintable(f"column '{name}': the name of a slot has no "
                              "space and no colon")
    for batch in batches:
        lines = compute.binary_join_element_wise(
            *(slots_of(name, batch.column(name)) for name in names), " ",
            null_handling="skip")
        # Blank lines are no samples; names that no feed has are read over.
        output.write("".join(f"{line or '-:0'}\n" for line in
                             lines.to_pylist()).encode())


TABLE = (print_table, table_holds, "expected numbers or texts; slots hold lists "
         "of numbers (--slots)")
SLOTS = (print_slots, slots_hold, "expected numbers or lists of numbers")


def main():
    parser = argparse.ArgumentParser(
        prog="python3 -m ps_mlir.parquet", description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--columns", default="")
    parser.add_argument("--slots", action="store_true")
    arguments = parser.parse_args()
    columns = [name for name in arguments.columns.split(",") if name]
    try:
        file = open(arguments.file, "rb") if arguments.file else \
            sys.stdin.buffer
        schema, batches = open_batches(file)
        print_as, may_hold, hint = SLOTS if arguments.slots else TABLE
        names = choose(schema, columns, may_hold, hint)
        chosen = pyarrow.schema([schema.field(name) for name in names])
        print_as(chosen, batches(names), sys.stdout.buffer)
        sys.stdout.flush()
    except BrokenPipeError:  # ps-run has what it needs
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, Unprintable, pyarrow.ArrowException) as error:
        text = str(error).splitlines() or [type(error).__name__]
        sys.exit(f"ps_mlir.parquet: error: {text[0]}")


if __name__ == "__main__":
    main()
