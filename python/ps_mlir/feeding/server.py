# SPDX-License-Identifier: Apache-2.0
"""The server of batches: a thread accepts, and one serves each trainer."""

import os
import pathlib
import shutil
import socket
import tempfile
import threading
import traceback

from ps_mlir.feeding.connection import Connection, PeerGone, Hello
from ps_mlir.feeding.samples import FeedError, make_frame
from ps_mlir.feeding.sources import make_source


class FeedServer:
    """Serves samples at a Unix socket until close().

    source   -- a dictionary of arrays by column name, a pandas DataFrame, a
                Table of pyarrow or a tuple of arrays, which stay in memory; or
                batches of these (any sizes) as an iterable, a Dataset of
                pyarrow, or a function that returns an iterable for each epoch,
                with the epoch as its argument if it takes one. Arrays are
                NumPy's, or have __array__, as tensors of PyTorch do. A column
                "s" is one of bags where there is "s.offsets", the place where
                each sample begins in it, or where it has lists of Arrow.
    columns  -- the names of columns to send, in order (default: all), or a
                dictionary from the name of a column to what it is made of: one
                name of the source, or a list of names side by side.
    trainers -- how many trainers the job has; None: as many as ask.
    epochs   -- how many epochs ps-run gets that does not ask for a number.
    shuffle  -- a new order of arrays in each epoch, drawn from `seed`.
    path     -- of the socket; None: in a temporary folder of its own.

    `data` is what --data takes. `error` is what ended a connection last, or
    None. ps-run ends with its text.
    """

    def __init__(self, source, columns=None, trainers=None, *, epochs=1,
                 shuffle=False, seed=0, path=None):
        self._source = make_source(source, columns, epochs, shuffle, seed)
        self._trainers = trainers
        self.error = None
        self._folder = None
        if path is None:
            self._folder = tempfile.mkdtemp(prefix="ps-feed-")
            path = os.path.join(self._folder, "socket")
        self.path = os.path.abspath(path)
        self.data = f"batches:unix:{self.path}"
        self._lock = threading.Lock()
        self._connections = set()
        self._closed = False
        self._held = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        os.chmod(self.path, 0o600)
        self._listener.listen(128)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def hold(self):
        """Those who read are about to be stopped: if the source fails now, they
        wait for that."""
        self._held.set()

    def close(self):
        """Ends all connections, and removes the socket."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            connections = list(self._connections)
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        for connection in connections:
            connection.end()
        self._thread.join(timeout=5)
        pathlib.Path(self.path).unlink(missing_ok=True)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            connection = Connection(sock)
            with self._lock:
                if self._closed:
                    connection.end()
                    return
                self._connections.add(connection)
            threading.Thread(target=self._serve, args=(connection,),
                             daemon=True).start()

    def _serve(self, connection):
        try:
            self._answer(connection)
        except PeerGone:
            pass
        except BaseException as error:
            self.error = error
            try:
                self._fail(connection, error)
            except (PeerGone, FeedError):
                pass
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.end()

    def _fail(self, connection, error):
        # Ctrl-C may end the processes of a source before it arrives here.
        if not isinstance(error, FeedError) and self._held.wait(timeout=1):
            connection.receive(b"HELO")  # until the reader leaves
        connection.send(make_frame(b"FAIL", [_describe(error).encode()]))

    def _answer(self, connection):
        hello = Hello(connection.receive(b"HELO"))
        if not hello.all and self._trainers not in (None, hello.trainers):
            raise FeedError(f"the server is for {self._trainers} trainers, the "
                            f"job has {hello.trainers}")
        connection.send(make_frame(b"COLS", [self._source.first().describe()]))
        self._source.serve(hello, connection)
        # ps-run leaves when it has read everything.
        try:
            connection.receive(b"HELO")
        except FeedError:
            pass


def _describe(error):
    """One line: of other errors than ours also where they were raised."""
    if isinstance(error, FeedError):
        return str(error)
    text = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    here = os.path.dirname(__file__)
    frames = [f for f in frames if os.path.dirname(f.filename) != here]
    if frames:
        text += f", at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    return " ".join(text.split())[:4096]
