# SPDX-License-Identifier: Apache-2.0
"""Batches of Arrow as NumPy arrays: of numbers, and of lists of numbers, which
are bags or, where all are of one length, matrices."""

import numpy as np

from ps_mlir.feeding.errors import FeedError


def is_arrow(batch):
    """Whether it is a RecordBatch or a Table."""
    return hasattr(batch, "schema") and hasattr(batch, "column")


def is_dataset(source):
    """Whether it is a Dataset, whose batches are read again and again."""
    return hasattr(source, "schema") and hasattr(source, "to_batches") \
        and not is_arrow(source)


def batches_of(dataset, names=None):
    """The RecordBatches of a Dataset, with the columns that are needed."""
    known = dataset.schema.names
    return dataset.to_batches(columns=[
        name for name in known if names is None or name in names])


def arrays_of(batch, names=None):
    """Arrays by the names of columns; those of lists have another of offsets
    as a feed server takes them."""
    arrays = {}
    for name in names if names is not None else batch.schema.names:
        if name not in batch.schema.names:
            continue
        column = batch.column(name)
        if hasattr(column, "combine_chunks"):
            column = column.combine_chunks()
        arrays |= _arrays_of_column(name, column)
    return arrays


def _arrays_of_column(name, column):
    import pyarrow
    types = pyarrow.types
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_fixed_size_list(column.type) and not column.null_count:
        return {name: _numbers(name, column.flatten()).reshape(
            len(column), column.type.list_size)}
    if types.is_list(column.type) or types.is_large_list(column.type) \
            or types.is_fixed_size_list(column.type):
        return {name: _numbers(name, column.flatten()),
                f"{name}.offsets": _offsets(column)}
    return {name: _numbers(name, column)}


def _offsets(column):
    """Where the bag of each sample begins, and the last one ends; that of a
    null is empty."""
    from pyarrow import compute
    lengths = compute.list_value_length(column).fill_null(0).to_numpy(
        zero_copy_only=False)
    offsets = np.zeros(len(column) + 1, "<i8")
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _numbers(name, column):
    import pyarrow
    types = pyarrow.types
    kind = column.type
    if types.is_decimal(kind):
        column = column.cast(pyarrow.float64())
    elif not (types.is_integer(kind) or types.is_floating(kind)
              or types.is_boolean(kind)):
        raise FeedError(f"column '{name}' holds {kind}, expected numbers or "
                        "lists of numbers")
    if column.null_count:
        raise FeedError(f"column '{name}' has {column.null_count} nulls: fill "
                        "them first, for example by pyarrow.compute.fill_null")
    array = column.to_numpy(zero_copy_only=False)
    if array.dtype == np.uint64 and not (array >> 63).any():
        array = array.view("<i8")
    return array
