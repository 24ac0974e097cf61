# SPDX-License-Identifier: Apache-2.0
"""How a user's data reaches ps-run."""

import numpy

from ps_mlir.elements import dtype_of


def open_data(graph, data, folder):
    """The value of --data for `data`: arrays, or a source as a string.

    Arrays are written to `folder`, which must last as long as the run.
    """
    if isinstance(data, str):
        return data
    arrays = graph.flatten_batch(data)
    columns = []
    for i, feed in enumerate(graph.feeds):
        if feed.name not in arrays:
            raise TypeError(f"no array for feed '{feed.name}'")
        array = _convert(feed, numpy.asarray(arrays[feed.name]))
        numpy.save(folder / f"{i}.npy", array)
        columns.append(f"{feed.name}={folder}/{i}.npy")
    return "npy:" + ",".join(columns)


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
