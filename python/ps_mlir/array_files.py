# SPDX-License-Identifier: Apache-2.0
"""Files of arrays that have the same names in every run with these arrays.

A run that goes on compares the value of --data with that of the run before, so
the names are made of the contents. Runs that have the same arrays at the same
time share the files: each holds a lock on them, and the last one removes them.
"""

import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import tempfile
import weakref

import numpy


class ArrayFiles:
    """The files of `arrays` by name, in `paths`, until close()."""

    def __init__(self, arrays):
        folder = _own_folder() / _digest(arrays)
        lock = _lock_shared(folder.with_suffix(".lock"))
        self._release = weakref.finalize(self, _release, folder, lock,
                                         os.getpid())
        folder.mkdir(exist_ok=True)
        self.paths = {}
        for i, (name, array) in enumerate(arrays.items()):
            self.paths[name] = folder / f"{i}.npy"
            _save(self.paths[name], array)

    def close(self):
        self._release()

    def rephrase(self, text):
        """A message with feeds in place of the files, and digests of the arrays
        in place of a whole --data."""
        for name, path in self.paths.items():
            text = text.replace(f"'{path}'", f"the array of feed '{name}'")
        return re.sub(
            rf"'npy:[^']*?={re.escape(str(_own_folder()))}/([0-9a-f]{{8}})[^']*'",
            r"arrays \1", text)


def _own_folder():
    """A folder that no other user can write to."""
    folder = pathlib.Path(tempfile.gettempdir()) / f"ps-mlir-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022 or (
            folder.is_symlink()):
        raise PermissionError(f"'{folder}' can be written by other users: "
                              "remove it, or set TMPDIR to another folder")
    return folder


def _digest(arrays):
    digest = hashlib.blake2b(digest_size=16)
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"'{name}' is an array of Python objects")
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(memoryview(array.reshape(-1).view(numpy.uint8)))
    return digest.hexdigest()


def _lock_shared(path):
    """A locked file of that path; whoever had it last may remove it."""
    while True:
        lock = open(path, "a")
        fcntl.flock(lock, fcntl.LOCK_SH)
        if _is_at(lock, path):
            return lock
        lock.close()


def _release(folder, lock, owner):
    if os.getpid() != owner:
        return  # A fork of the process, whose lock is the same.
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # Another run has the files.
        if _is_at(lock, lock.name):  # Nobody has cleaned up.
            shutil.rmtree(folder, ignore_errors=True)
            os.unlink(lock.name)


def _is_at(file, path):
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _save(path, array):
    """Whole, or not at all: another run may write or read the same file."""
    if path.exists():
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        numpy.save(file, array)
    os.replace(file.name, path)
