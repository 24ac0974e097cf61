# SPDX-License-Identifier: Apache-2.0
"""Samples in memory: columns of arrays, and the frames that carry them."""

import itertools
import struct

import numpy as np

from ps_mlir.feeding.arrow import arrays_of, is_arrow
from ps_mlir.feeding.errors import FeedError

ENDS_EPOCH, ENDS_DATA = 1, 2
HEADER = struct.Struct("<4sIQ")
_DESCRS = {"<f4", "<f8", "<f2", "|u1", "|b1", "|i1", "<i2", "<u2", "<i4", "<u4",
           "<i8"}


def as_array(name, values):
    array = np.asarray(values)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    if array.ndim == 0:
        raise FeedError(f"column '{name}' is one number, expected a sample per "
                        "row")
    if array.dtype.str not in _DESCRS:
        hint = (": ids go as x.view('int64')" if array.dtype == np.uint64 else
                "")
        raise FeedError(
            f"column '{name}' holds {array.dtype}, expected float16, 32 or 64, "
            f"bool, int8 to 64 or uint8 to 32{hint}")
    return array


class Dense:
    """A column with the same number of elements in every sample."""

    def __init__(self, name, values):
        self.name, self.values = name, as_array(name, values)
        self.ragged, self.dtype = False, self.values.dtype
        self.width = int(np.prod(self.values.shape[1:], dtype=np.int64))
        if self.width < 1:
            raise FeedError(f"column '{name}' has no elements per sample")

    def __len__(self):
        return len(self.values)

    def take(self, which):
        return [bytes_of(self.values[which])]


class Bags:
    """A column with any number of elements in a sample."""

    def __init__(self, name, values, offsets, samples=None):
        """`offsets` is where bags begin, and perhaps where the last one ends;
        `samples`, how many there are, says whether it is, if known."""
        self.name, self.values = name, as_array(name, values)
        self.ragged, self.dtype, self.width = True, self.values.dtype, 1
        if self.values.ndim != 1:
            raise FeedError(f"column '{name}' has offsets and "
                            f"{self.values.ndim} dimensions, expected one")
        self.offsets = np.asarray(offsets).astype("<i8").ravel()
        has_end = (len(self.offsets) > samples if samples is not None else
                   len(self.offsets) and self.offsets[-1] == len(self.values))
        if not has_end:
            self.offsets = np.append(self.offsets, len(self.values))
        lengths = np.diff(self.offsets)
        if self.offsets[0] != 0 or (lengths < 0).any():
            raise FeedError(f"the offsets of column '{name}' do not begin with "
                            "0 and rise to the number of its elements, "
                            f"{len(self.values)}")

    def __len__(self):
        return len(self.offsets) - 1

    def take(self, which):
        begin, end = self.offsets[:-1][which], self.offsets[1:][which]
        offsets = np.zeros(len(begin) + 1, "<i8")
        np.cumsum(end - begin, out=offsets[1:])
        if isinstance(which, slice) and which.step in (None, 1) and len(begin):
            values = self.values[begin[0]:end[-1]]
        else:
            places = np.repeat(begin - offsets[:-1], end - begin)
            values = self.values[places + np.arange(len(places))]
        return [bytes_of(offsets), bytes_of(values)]


def bytes_of(array):
    array = np.ascontiguousarray(array)
    return memoryview(array.reshape(-1)).cast("B") if array.size else \
        memoryview(b"")


def is_frame(batch):
    return hasattr(batch, "columns") and hasattr(batch, "to_numpy")


def sources_of(columns):
    """The names of the source that `columns` name, or None for all."""
    if columns is None:
        return None
    parts = columns.values() if isinstance(columns, dict) else columns
    return [name for part in parts
            for name in ([part] if isinstance(part, str) else part)]


def _named(batch, columns):
    """The batch as a dictionary."""
    if is_arrow(batch):
        return arrays_of(batch, sources_of(columns))
    if is_frame(batch):
        return {str(name): batch[name].to_numpy() for name in batch.columns}
    if hasattr(batch, "keys"):
        return {str(name): batch[name] for name in batch.keys()}
    if isinstance(batch, (tuple, list)):
        if columns is None or len(columns) != len(batch):
            raise FeedError(
                f"a batch is {len(batch)} arrays without names: expected as "
                f"many in columns, found "
                f"{'none' if columns is None else len(columns)}")
        return dict(zip(columns, batch))
    raise FeedError(f"a batch is a {type(batch).__name__}, expected a "
                    "dictionary of arrays, a tuple of them, a DataFrame or a "
                    "batch of Arrow")


def _count_samples(names, given):
    """By a column with a sample per row; None where there is none."""
    for name in names:
        if f"{name.removesuffix('.weights')}.offsets" not in given and \
                hasattr(given.get(name), "__len__"):
            return len(given[name])
    return None


def _column(name, source, given, samples):
    """What a column is made of: one array, or several side by side."""
    names = [source] if isinstance(source, str) else list(source)
    for each in names:
        if each not in given:
            raise FeedError(f"there is no column '{each}' among "
                            f"{', '.join(map(repr, given))}")
    if len(names) > 1:
        parts = [np.asarray(given[each]) for each in names]
        return Dense(name, np.stack(parts, axis=-1))
    values, base = given[names[0]], names[0].removesuffix(".weights")
    offsets = given.get(f"{base}.offsets")
    if offsets is None:
        return Dense(name, values)
    return Bags(name, values, offsets, samples)


class Samples:
    """Columns of samples in memory."""

    def __init__(self, batch, columns):
        given = _named(batch, columns)
        if not isinstance(columns, dict):
            names = columns if columns is not None else given
            columns = {name: name for name in names}
        columns = {name: source for name, source in columns.items()
                   if not str(name).endswith(".offsets")}
        samples = _count_samples(sources_of(columns), given)
        self.columns = [_column(name, source, given, samples)
                        for name, source in columns.items()]
        if not self.columns:
            raise FeedError("a batch has no columns")
        for column in self.columns:
            if len(column) != len(self.columns[0]):
                raise FeedError(
                    f"column '{self.columns[0].name}' has "
                    f"{len(self.columns[0])} samples, column '{column.name}' "
                    f"has {len(column)}")

    def __len__(self):
        return len(self.columns[0])

    def describe(self):
        """The frame of columns."""
        text = b""
        for column in self.columns:
            name = column.name.encode()
            text += struct.pack(f"<H{len(name)}s3sBq", len(name), name,
                                column.dtype.str.encode(), column.ragged,
                                column.width)
        return text

    def check_like(self, first):
        for column, other in itertools.zip_longest(self.columns, first.columns):
            if column is None or other is None or (
                    column.name, column.dtype, column.width, column.ragged) != (
                        other.name, other.dtype, other.width, other.ragged):
                raise FeedError(f"a batch has {_show(column)}, the first one "
                                f"has {_show(other)}")

    def select(self, which):
        """Buffers of the samples, column by column."""
        return [column.take(which) for column in self.columns]


def _show(column):
    if column is None:
        return "no such column"
    return (f"column '{column.name}' of {column.dtype}, "
            f"{'bags' if column.ragged else column.width}")


def make_frame(kind, buffers, flags=0):
    buffers = [b for b in buffers if len(b)]
    size = sum(len(b) for b in buffers)
    return [HEADER.pack(kind, flags, size), *buffers]


def samples_frame(count, flags, columns):
    buffers = [struct.pack("<q", count)]
    for column in columns:
        buffers += column
    return make_frame(b"SMPL", buffers, flags)


def _concatenate(parts, bags):
    """Buffers of a column of several batches as those of one."""
    if not bags:
        return [buffer for part in parts for buffer in part]
    all_offsets, base = [np.zeros(1, "<i8")], 0
    for offsets, _ in parts:
        offsets = np.frombuffer(offsets, "<i8")
        all_offsets.append(offsets[1:] + base)
        base += int(offsets[-1])
    return [bytes_of(np.concatenate(all_offsets)), *(v for _, v in parts)]


class Chunks:
    """Samples that batches of any size brought, and steps are cut from."""

    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, samples):
        if len(samples):
            self.parts.append((samples, 0, len(samples)))
            self.size += len(samples)

    def cut(self, count):
        """Takes the first samples away."""
        taken = Chunks()
        while count and self.parts:
            samples, begin, end = self.parts.pop(0)
            middle = min(end, begin + count)
            if middle < end:
                self.parts.insert(0, (samples, middle, end))
            taken.parts.append((samples, begin, middle))
            taken.size += middle - begin
            count -= middle - begin
        self.size -= taken.size
        return taken

    def extend(self, other):
        self.parts += other.parts
        self.size += other.size

    def head(self, count):
        copy = Chunks()
        copy.extend(self)
        return copy.cut(count)

    def frame(self, trainer, trainers, flags):
        """The samples of one of the trainers, in turn."""
        pieces, count, position = [], 0, 0
        for samples, begin, end in self.parts:
            first = begin + (trainer - position) % trainers
            position += end - begin
            if first < end:
                pieces.append(samples.select(slice(first, end, trainers)))
                count += len(range(first, end, trainers))
        bags = [column.ragged for column in self.parts[0][0].columns]
        return samples_frame(count, flags, [
            _concatenate([piece[i] for piece in pieces], bags[i])
            for i in range(len(bags))])
