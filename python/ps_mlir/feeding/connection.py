# SPDX-License-Identifier: Apache-2.0
"""Connections of trainers, and what they ask for."""

import json
import socket

from ps_mlir.feeding.samples import HEADER, FeedError

_MOST_TEXT = 1 << 16
# Buffers that one call of sendmsg() takes.
_MOST_BUFFERS = 512
# The end of the epochs that a trainer asks for without a limit.
UNLIMITED = 2**63 - 1


class PeerGone(Exception):
    """The peer has left."""


class Connection:
    def __init__(self, sock):
        self.sock = sock
        try:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
        except OSError:
            pass

    def receive(self, kind):
        """The text of a frame from ps-run."""
        found, _, size = HEADER.unpack(self._read(HEADER.size))
        if found != kind or size > _MOST_TEXT:
            raise FeedError(f"expected a frame {kind} of at most {_MOST_TEXT} "
                            f"bytes, found {found} of {size}")
        text = json.loads(self._read(size))
        if not isinstance(text, dict):
            raise FeedError(f"expected an object in a frame {kind}")
        return text

    def _read(self, size):
        data = b""
        while len(data) < size:
            try:
                part = self.sock.recv(size - len(data))
            except OSError as error:
                raise PeerGone() from error
            if not part:
                raise PeerGone()
            data += part
        return data

    def send(self, buffers):
        buffers = [memoryview(b) for b in buffers if len(b)]
        try:
            while buffers:
                sent = self.sock.sendmsg(buffers[:_MOST_BUFFERS])
                while buffers and sent >= len(buffers[0]):
                    sent -= len(buffers.pop(0))
                if sent:
                    buffers[0] = buffers[0][sent:]
        except OSError as error:
            raise PeerGone() from error

    def is_alive(self):
        try:
            return self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def end(self):
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()


class Hello:
    """What a trainer has asked for."""

    def __init__(self, text):
        if text.get("version") != 1:
            raise FeedError(f"ps-run speaks version {text.get('version')} of "
                            "the frames, this server version 1")
        self.all = bool(text.get("all"))
        if self.all:
            self.trainers, self.trainer, self.batch, self.pad = 1, 0, 1, False
            return
        self.trainers, self.trainer = int(text["trainers"]), int(text["trainer"])
        self.batch, self.pad = int(text["batch"]), bool(text["pad"])
        if not (0 <= self.trainer < self.trainers and self.batch > 0):
            raise FeedError("expected a trainer of the job and a batch of one "
                            "sample or more")

    def agrees(self, other):
        return (self.step, self.trainers, self.pad) == (
            other.step, other.trainers, other.pad)

    @property
    def step(self):
        """Samples of a step of all trainers."""
        return self.batch * self.trainers


class Start:
    def __init__(self, text):
        self.epoch, self.step = int(text["epoch"]), int(text["step"])
        self.end = int(text["end"])

    def __eq__(self, other):
        return (self.epoch, self.step, self.end) == (other.epoch, other.step,
                                                     other.end)
