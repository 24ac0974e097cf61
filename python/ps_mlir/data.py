# SPDX-License-Identifier: Apache-2.0
"""How a user's data reaches ps-run.

Arrays are written to files, which ps-run reads once. Batches that are made
while steps run go through a socket (ps_mlir.feeding).
"""

import collections.abc

import numpy

from ps_mlir.elements import dtype_of
from ps_mlir.feeding import FeedServer


class Source:
    """Data of a run: `spec` is the value of --data; close() ends a server."""

    def __init__(self, spec, server=None):
        self.spec, self.server = spec, server

    def close(self):
        if self.server:
            self.server.close()


def open_data(graph, data, folder):
    """The Source of `data`, as Job.train describes it.

    Arrays are written to `folder`, which must last as long as the run.
    """
    if isinstance(data, str):
        return Source(data)
    if isinstance(data, FeedServer):
        return Source(data.data)
    if _is_stream(data):
        server = FeedServer(_flatten_batches(graph, data),
                            columns=[feed.name for feed in graph.feeds])
        return Source(server.data, server)
    return Source(_write_arrays(graph, data, folder))


def _is_stream(data):
    """Whether `data` are batches, rather than one structure of arrays."""
    if isinstance(data, (collections.abc.Mapping, tuple)) or hasattr(
            data, "__array__"):
        return False
    return callable(data) or isinstance(data, collections.abc.Iterable)


def _flatten_batches(graph, data):
    """A function that returns the batches of an epoch, as dicts of arrays; of
    an iterator, which can be read once, an iterator."""

    def flatten(batches):
        for batch in batches:
            arrays = _match_feeds(graph, batch)
            yield {feed.name: _convert(feed, numpy.asarray(arrays[feed.name]))
                   for feed in graph.feeds}

    if isinstance(data, collections.abc.Iterator):
        return flatten(data)
    return lambda: flatten(data() if callable(data) else data)


def _write_arrays(graph, data, folder):
    arrays = _match_feeds(graph, data)
    columns = []
    for i, feed in enumerate(graph.feeds):
        array = _convert(feed, numpy.asarray(arrays[feed.name]))
        numpy.save(folder / f"{i}.npy", array)
        columns.append(f"{feed.name}={folder}/{i}.npy")
    return "npy:" + ",".join(columns)


def _match_feeds(graph, data):
    """The arrays of a batch, or of all samples, by feed; columns of a pandas
    DataFrame are arrays by their names."""
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        arrays = {name: data[name].to_numpy() for name in data.columns}
    else:
        arrays = graph.flatten_batch(data)
    for feed in graph.feeds:
        if feed.name not in arrays:
            raise TypeError(f"no array for feed '{feed.name}'")
    return arrays


def _convert(feed, array):
    """Checks an array against its feed; floats get the feed's precision."""
    if array.ndim == 0 or array.shape[1:] != tuple(feed.shape[1:]):
        expected = "x".join(["N", *map(str, feed.shape[1:])])
        found = "x".join(map(str, array.shape)) or "a number"
        raise TypeError(f"feed '{feed.name}' expects an array of {expected}, "
                        f"found {found}")
    if array.dtype.kind == "f" and feed.dtype in ("f32", "f16", "f64"):
        array = array.astype(dtype_of(feed.dtype), copy=False)
    return numpy.ascontiguousarray(array)
