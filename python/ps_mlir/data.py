# SPDX-License-Identifier: Apache-2.0
"""How a user's data reaches ps-run.

Arrays are written to files, which ps-run reads once. Batches that are made
while steps run go through a socket (ps_mlir.feeding).
"""

import collections.abc
import glob
import math
import warnings

import numpy

from ps_mlir.array_files import ArrayFiles
from ps_mlir.elements import dtype_of
from ps_mlir.feeding import FeedServer
from ps_mlir.feeding.arrow import (arrays_of, batches_of, is_arrow,
                                   is_dataset)

# Formats of files that pyarrow reads, by what stands before the colon.
_ARROW_FORMATS = {"parquet": "parquet", "feather": "feather", "arrow": "arrow"}

# Of arrays that ps-run reads.
_NUMBERS = ("float16", "float32", "float64", "bool", "int8", "int16", "int32",
            "int64", "uint8", "uint16", "uint32")


class Source:
    """Data of a run: `spec` is the value of --data, `server` sends it. close()
    ends `origin`, a server or files."""

    def __init__(self, spec, origin=None, server=None):
        self.spec, self.origin, self.server = spec, origin, server

    def hold(self):
        """The run is about to stop."""
        if self.server:
            self.server.hold()

    def rephrase(self, text):
        """A message of the run in the user's terms."""
        return self.origin.rephrase(text) if isinstance(
            self.origin, ArrayFiles) else text

    def close(self):
        if self.origin:
            self.origin.close()


def open_data(graph, data, partial=False):
    """The Source of `data`, as Job.train describes it; with `partial` some of
    the feeds may be missing."""
    if isinstance(data, str) and data.partition(":")[0] in _ARROW_FORMATS:
        data = _open_files(data)
    if isinstance(data, str):
        _warn_of_hashes(graph, data)
        return Source(data)
    if isinstance(data, FeedServer):
        return Source(data.data, server=data)
    if _is_stream(graph, data, partial):
        server = FeedServer(
            _flatten_batches(graph, data, partial),
            columns=None if partial else [feed.name for feed in graph.feeds])
        return Source(server.data, server, server)
    return _write_arrays(_match_feeds(graph, data, partial))


def _warn_of_hashes(graph, spec):
    """Texts become ids of 64 bits, or those below N with #ids=N; a table may
    have fewer rows."""
    source, *suffixes = spec.split("#")
    suffixes = dict(part.partition("=")[::2] for part in suffixes)
    ids = suffixes.get("ids", "")
    below = int(ids) if ids.isdecimal() else 0
    for feed in _hashed_feeds(graph, source.partition(":")[0], suffixes):
        known = graph.ids.get(feed)
        if known and not 0 < below <= known.rows:
            made = f"ids up to {below - 1}" if below else "64-bit ids"
            warnings.warn(
                f"data '{spec}' makes {made} of '{feed}', table "
                f"'{known.table}' has {known.rows} rows: expected "
                f"#ids={known.rows}; other ids are clamped "
                "or dropped, as in the model", stacklevel=4)


def _hashed_feeds(graph, kind, suffixes):
    """The feeds that are made of texts in data of the format `kind`."""
    names = [feed.name for feed in graph.feeds]
    if kind == "criteo":  # Its integers are the label and categories.
        return [name for name in names if name != "label"]
    if kind != "table":
        return []
    made = dict.fromkeys(names)
    if "columns" in suffixes:
        made = dict(part.partition("=")[::2]
                    for part in suffixes["columns"].split(","))
    hashed = set(suffixes.get("hash", "").split("+"))
    return [name for name, parts in made.items()
            if not hashed.isdisjoint((parts or name).split("+"))]


def _open_files(spec):
    """The Dataset of "parquet:GLOB", of files in the order of their names."""
    try:
        import pyarrow.dataset
    except ImportError:
        raise ImportError(f"data '{spec}' needs pyarrow: pip install pyarrow"
                          ) from None
    kind, _, source = spec.partition(":")
    files = []
    for pattern in source.split(","):
        found = sorted(glob.glob(pattern))
        if not found:
            raise FileNotFoundError(
                f"data '{spec}': there is no file '{pattern}'")
        files += found
    return pyarrow.dataset.dataset(files, format=_ARROW_FORMATS[kind])


def _is_stream(graph, data, partial):
    """Whether `data` are batches, rather than one structure of arrays."""
    if isinstance(data, list):
        return not _is_structure(graph, data, partial)
    if is_arrow(data) or is_dataset(data):
        return is_dataset(data)
    if isinstance(data, (collections.abc.Mapping, tuple)) or hasattr(
            data, "__array__"):
        return False
    return callable(data) or isinstance(data, collections.abc.Iterable)


def _is_structure(graph, data, partial):
    """Whether a list has what a batch has, rather than batches."""
    try:
        arrays = graph.flatten_batch(data, partial)
    except TypeError:
        return False
    return all(getattr(arrays.get(feed.name), "ndim", None) == len(feed.shape)
               for feed in graph.feeds if feed.name in arrays or not partial)


def _flatten_batches(graph, data, partial):
    """A function that returns the batches of an epoch, as dicts of arrays; of
    an iterator, which can be read once, an iterator."""

    def flatten(batches):
        for batch in batches:
            yield _match_feeds(graph, batch, partial)

    if is_dataset(data):
        names = [feed.name for feed in graph.feeds]
        return lambda: flatten(batches_of(data, names))
    if isinstance(data, collections.abc.Iterator):
        return flatten(data)
    return lambda: flatten(data() if callable(data) else data)


def _write_arrays(arrays):
    sizes = {name: len(array) for name, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError("expected as many samples for each feed, found " +
                         ", ".join(f"{size} of '{name}'"
                                   for name, size in sizes.items()))
    files = ArrayFiles(arrays)
    return Source("npy:" + ",".join(
        f"{name}={path}" for name, path in files.paths.items()), files)


def _match_feeds(graph, data, partial):
    """The arrays of a batch, or of all samples, by feed, of which some may be
    missing with `partial`; columns of a pandas DataFrame or of Arrow are arrays
    by their names."""
    if is_arrow(data):
        arrays = _shape_columns(graph, arrays_of(
            data, [feed.name for feed in graph.feeds]))
    elif hasattr(data, "columns") and hasattr(data, "to_numpy"):
        arrays = _shape_columns(graph, {
            feed.name: _array_of_series(feed, data[feed.name])
            for feed in graph.feeds if feed.name in data.columns})
    else:
        arrays = {name: _as_array(value) for name, value in
                  graph.flatten_batch(data, partial).items()}
    feeds = [feed for feed in graph.feeds if feed.name in arrays or not partial]
    for feed in feeds or graph.feeds:
        if feed.name not in arrays:
            raise TypeError(f"no array for feed '{feed.name}'")
    arrays = {feed.name: _convert(feed, numpy.asarray(arrays[feed.name]))
              for feed in feeds}
    for name in graph.ids.keys() & arrays.keys():
        known = graph.ids.get(name)  # Each server of batches warns of its own.
        if known and known.warn(name, arrays[name]):
            graph.ids.pop(name, None)
    return arrays


def _array_of_series(feed, series):
    """The numbers of a column, or those of its lists of one length."""
    array = series.to_numpy()
    if array.dtype != object:
        return array
    try:
        return numpy.array(array.tolist())
    except ValueError:
        raise TypeError(f"feed '{feed.name}' expects numbers or lists of one "
                        "length in its column, found others") from None


def _as_array(value):
    """Tensors of TensorFlow, for example, have numpy()."""
    if hasattr(value, "numpy") and not hasattr(value, "__array__"):
        return value.numpy()
    return value


def _shape_columns(graph, arrays):
    """Columns of numbers, and of lists that are all of one length, in the
    shapes of their feeds."""
    ragged = {feed.name for feed in graph.feeds}
    for feed in graph.feeds:
        if feed.name not in arrays or f"{feed.name}.offsets" in ragged:
            continue
        array, width = arrays[feed.name], math.prod(feed.shape[1:])
        offsets = arrays.get(f"{feed.name}.offsets")
        if offsets is not None and not (numpy.diff(offsets) == width).all():
            raise TypeError(f"feed '{feed.name}' expects {width} numbers in "
                            "every list of its column, found other lengths")
        if offsets is not None or math.prod(array.shape[1:]) == width:
            arrays[feed.name] = array.reshape(-1, *feed.shape[1:])
    return arrays


def _convert(feed, array):
    """Checks an array against its feed; floats get the feed's precision."""
    if array.ndim == 0 or array.shape[1:] != tuple(feed.shape[1:]):
        expected = "x".join(["N", *map(str, feed.shape[1:])])
        found = "x".join(map(str, array.shape)) or "a number"
        raise TypeError(f"feed '{feed.name}' expects an array of {expected}, "
                        f"found {found}")
    if array.dtype.name not in _NUMBERS:
        raise TypeError(f"feed '{feed.name}' expects an array of numbers, found "
                        f"one of {array.dtype.name}")
    if array.dtype.kind == "f" and feed.dtype in ("f32", "f16", "f64"):
        array = array.astype(dtype_of(feed.dtype), copy=False)
    return numpy.ascontiguousarray(array)
