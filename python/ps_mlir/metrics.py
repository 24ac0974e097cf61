# SPDX-License-Identifier: Apache-2.0
"""Reads the file of --metrics, also while a run writes it."""

import json
import pathlib
import threading


def read_metrics(path):
    """All lines, as dicts."""
    path = pathlib.Path(path)
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


class StopTraining(Exception):
    """Raised by a callback: the run ends after the step that it has come to,
    and has the model of then as its result."""


class MetricsFollower:
    """Calls `on_step(line)` after every `every` training steps of a run, and
    `on_eval(line)` after evaluations; either may be None.

    The calls come from a thread of its own, in order; the run does not wait
    for them. An exception ends the calls and calls `stop`, which is to end the
    run; close() raises it, unless it is StopTraining. Made before the run
    starts: lines that are in the file by then are of another run, also those
    that one which resumes keeps. start() comes next, if the run starts.
    """

    def __init__(self, path, on_step, every, on_eval):
        self.path, self.every = pathlib.Path(path), every
        self.callbacks = {"train": on_step, "eval": on_eval}
        self.ended = threading.Event()
        self.failure = None
        self.before = self._identify()
        self.kept = iter(self.path.read_text(encoding="utf-8").split("\n")
                         if self.before else ())

    def start(self, stop):
        self.stop = stop
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _identify(self):
        """Changes when another run begins to write; None without a file."""
        if not self.path.is_file():
            return None
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size

    def close(self):
        """Waits for the calls of all lines that were written."""
        self.ended.set()
        self.thread.join()
        if self.failure:
            raise self.failure

    def _follow(self):
        try:
            self._read_lines()
        except StopTraining:
            self.stop()
        except BaseException as failure:  # Such as the one of sys.exit().
            self.failure = failure
            self.stop()

    def _read_lines(self):
        while self._identify() == self.before:
            if self.ended.wait(0.05):
                break
        if self._identify() in (None, self.before):
            return
        with open(self.path, encoding="utf-8") as file:
            pending = ""
            while True:
                # Asked first: what was written before the end is read after it.
                ended = self.ended.is_set()
                *lines, pending = (pending + file.read()).split("\n")
                for line in lines:
                    # Looks for it in what is left of the lines before.
                    if line not in self.kept:
                        self._handle(json.loads(line))
                if ended:
                    return
                self.ended.wait(0.05)

    def _handle(self, line):
        callback = self.callbacks.get(line["phase"])
        if callback and (line["phase"] != "train" or
                         (line["step"] + 1) % self.every == 0):
            callback(line)
