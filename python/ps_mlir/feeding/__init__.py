# SPDX-License-Identifier: Apache-2.0
"""Sends samples of a Python process to ps-run, as `--data=batches:unix:PATH`.

    with FeedServer({"x": x, "y": y}) as server:
        subprocess.run(["ps-run", "graph.mlir", f"--data={server.data}"])

docs/Data.md ("Batches from another process") describes the frames.
"""

from ps_mlir.feeding.samples import FeedError
from ps_mlir.feeding.server import FeedServer

__all__ = ["FeedError", "FeedServer"]
