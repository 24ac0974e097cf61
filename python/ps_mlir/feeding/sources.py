# SPDX-License-Identifier: Apache-2.0
"""Where samples come from: arrays, or batches that are made meanwhile.

Of arrays each connection takes its samples by itself. An iterator is read once
for all trainers of a job: a thread cuts its batches into steps, and each trainer
has a queue of a few steps, for which the thread waits.
"""

import inspect
import queue
import threading
import time

import numpy as np

from ps_mlir.feeding.arrow import batches_of, is_arrow, is_dataset
from ps_mlir.feeding.connection import PeerGone, Start, UNLIMITED
from ps_mlir.feeding.samples import (ENDS_DATA, ENDS_EPOCH, FeedError, Chunks,
                                     Samples, is_frame, samples_frame,
                                     sources_of)

# Steps that a trainer's queue holds.
_STEPS_AHEAD = 2
# Seconds that a trainer waits for those of the job before to leave.
_PATIENCE = 10


class Arrays:
    """All samples in memory."""

    def __init__(self, samples, epochs, shuffle, seed):
        self.samples, self.epochs = samples, epochs
        self.shuffle, self.seed = shuffle, seed
        if not len(samples):
            raise FeedError("the source has no samples")

    def first(self):
        return self.samples

    def serve(self, hello, connection):
        start = Start(connection.receive(b"STRT"))
        if hello.all:
            return self._serve_all(connection)
        count = len(self.samples)
        steps = (count + hello.step - 1 if hello.pad else count) // hello.step
        if steps == 0:
            raise FeedError(f"a step takes {hello.step} samples, the source has "
                            f"{count}: lower --batch-size, or fill the step "
                            "with --remainder=pad")
        end = self.epochs if start.end < 0 else start.end
        if start.step >= steps or start.epoch >= end:
            raise FeedError(f"cannot continue with step {start.step} of epoch "
                            f"{start.epoch}: there are {end} epochs of {steps} "
                            "steps")
        first = start.step
        for epoch in range(start.epoch, end):
            order = self._order(epoch)
            for step in range(first, steps):
                flags = self._flags(step + 1 == steps, epoch + 1 == end)
                connection.send(samples_frame(hello.batch, flags, self.samples.
                                               select(self._which(
                                                   hello, step, order))))
            first = 0

    def _serve_all(self, connection):
        """In frames that both sides hold easily."""
        count, piece = len(self.samples), 1 << 14
        for begin in range(0, count, piece):
            end = min(begin + piece, count)
            connection.send(samples_frame(
                end - begin, self._flags(end == count, True),
                self.samples.select(slice(begin, end))))

    @staticmethod
    def _flags(ends_epoch, last_epoch):
        return (ENDS_EPOCH | ENDS_DATA if last_epoch else ENDS_EPOCH) \
            if ends_epoch else 0

    def _order(self, epoch):
        """None where samples come as they lie."""
        if not self.shuffle:
            return None
        return np.random.default_rng([self.seed, epoch]).permutation(
            len(self.samples))

    def _which(self, hello, step, order):
        count = len(self.samples)
        begin = step * hello.step + hello.trainer
        end = begin + hello.batch * hello.trainers
        if order is None and end - hello.trainers < count:
            return slice(begin, min(end, count), hello.trainers)
        places = np.arange(begin, end, hello.trainers) % count
        return places if order is None else order[places]


class Member:
    """A trainer of a session, and the steps that wait for it."""

    def __init__(self, connection):
        self.connection, self.start = connection, None
        self.steps = queue.Queue(_STEPS_AHEAD)

    def next(self):
        while True:
            try:
                return self.steps.get(timeout=0.2)
            except queue.Empty:
                if not self.connection.is_alive():
                    raise PeerGone() from None

    def put(self, item):
        """Whether the trainer was there to take it."""
        while self.connection.is_alive():
            try:
                self.steps.put(item, timeout=0.2)
                return True
            except queue.Full:
                pass
        return False


class Session:
    """The trainers of one job, which read an iterator together."""

    def __init__(self, hello):
        self.hello, self.start, self.begun = hello, None, False
        self.members = {}
        self.lock = threading.Lock()

    def is_over(self):
        """Whether another job may begin."""
        with self.lock:
            return not any(member.connection.is_alive()
                           for member in self.members.values())

    def join(self, hello, connection):
        """None as long as another process is the trainer."""
        with self.lock:
            other = self.members.get(hello.trainer)
            if self.begun or (other and other.connection.is_alive()):
                return None
            if not hello.agrees(self.hello):
                raise FeedError("the trainers of a job differ in what they take "
                                "for a step")
            member = self.members[hello.trainer] = Member(connection)
            return member

    def begin(self, member, start):
        """Whether all of them have said where."""
        with self.lock:
            member.start = start
            there = [other.start for other in self.members.values()
                     if other.start and other.connection.is_alive()]
            if any(other != start for other in there):
                raise FeedError("the trainers of a job begin at different "
                                "steps")
            self.start = start
            self.begun = len(there) == self.hello.trainers
            return self.begun

    def give(self, make):
        """Puts what `make` returns for each trainer into its queue."""
        there = [member.put(make(trainer))
                 for trainer, member in self.members.items()]
        if not any(there):
            raise PeerGone()


class Iterator:
    """Batches that are made while they are sent, once for all trainers."""

    def __init__(self, make, once, columns, epochs):
        self.make, self.once, self.columns = make, once, columns
        self.epochs = epochs
        self.lock = threading.Lock()
        self.session = None
        self.sample, self.iterator, self.used = None, None, False

    # The first batch names the columns, and is the first of the epoch that
    # follows unless that is another one.

    def first(self):
        with self.lock:
            if self.sample is None:
                self.iterator = iter(self.make(0))
                batch = next(self.iterator, None)
                if batch is None:
                    raise FeedError("the source has no batches")
                self.sample = Samples(batch, self.columns)
            return self.sample

    def _batches(self, epoch):
        with self.lock:
            ready, self.iterator = self.iterator, None
            if self.once and self.used:
                raise FeedError("the source is an iterator, which has been "
                                "read: pass a function that returns one for "
                                "each epoch")
            self.used = True
        if ready is not None and (epoch == 0 or self.once):
            yield self.sample
            rest = ready
        else:
            rest = iter(self.make(epoch))
        for batch in rest:
            samples = Samples(batch, self.columns)
            samples.check_like(self.sample)
            yield samples

    def serve(self, hello, connection):
        if hello.all:
            connection.receive(b"STRT")
            for frame in self._all_frames():
                connection.send(frame)
            return
        session, member = self._join(hello, connection)
        start = Start(connection.receive(b"STRT"))
        self._check_once(start)
        if session.begin(member, start):
            threading.Thread(target=self._read, args=(session,),
                             daemon=True).start()
        while (frame := member.next()) is not None:
            if isinstance(frame, BaseException):
                raise frame
            connection.send(frame)

    def _all_frames(self):
        held = None
        for samples in self._batches(0):
            if not len(samples):
                continue
            if held is not None:
                yield samples_frame(len(held), 0, held.select(slice(None)))
            held = samples
        if held is None:
            raise FeedError("the source has no samples")
        yield samples_frame(len(held), ENDS_EPOCH | ENDS_DATA,
                             held.select(slice(None)))

    def _join(self, hello, connection):
        """The session of the trainer's job, once the one before has ended."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline and connection.is_alive():
            with self.lock:
                if self.session is None or self.session.is_over():
                    self.session = Session(hello)
                session = self.session
                if member := session.join(hello, connection):
                    return session, member
            time.sleep(0.05)
        raise FeedError(f"trainer {hello.trainer} of another process reads the "
                        "iterator, which is read once for all trainers of a "
                        "job: none can begin later")

    def _check_once(self, start):
        if not self.once:
            return
        advice = ("the source is an iterator, which is read once: pass a "
                  "function that returns one for each epoch")
        if (start.epoch, start.step) != (0, 0):
            raise FeedError(f"cannot continue with step {start.step} of epoch "
                            f"{start.epoch}: {advice}")
        if 1 < start.end < UNLIMITED:
            raise FeedError(f"cannot send {start.end} epochs: {advice}")

    def _read(self, session):
        try:
            self._read_epochs(session)
            session.give(lambda trainer: None)
        except PeerGone:
            pass
        except BaseException as error:
            try:
                session.give(lambda trainer: error)
            except PeerGone:
                pass

    def _read_epochs(self, session):
        start = session.start
        end = 1 if self.once else self.epochs if start.end < 0 else start.end
        if start.epoch >= end:
            raise FeedError(f"cannot continue with epoch {start.epoch}: there "
                            f"are {end} epochs")
        for epoch in range(start.epoch, end):
            skipped = start.step if epoch == start.epoch else 0
            self._read_epoch(session, epoch, epoch + 1 == end, skipped)

    def _read_epoch(self, session, epoch, is_last, skipped):
        hello = session.hello
        number, ready = 0, None
        for step in self._steps(hello, epoch):
            if ready is not None:
                self._send_step(session, ready, 0)
            ready = step if number >= skipped else None
            number += 1
        if number == 0:
            raise FeedError(f"a step takes {hello.step} samples, epoch {epoch} "
                            "has fewer: lower --batch-size, or fill the step "
                            "with --remainder=pad")
        if ready is None:
            raise FeedError(f"cannot continue with step {skipped} of epoch "
                            f"{epoch}, which has {number} steps")
        self._send_step(session, ready,
                        ENDS_EPOCH | ENDS_DATA if is_last else ENDS_EPOCH)

    def _steps(self, hello, epoch):
        """What each step takes; the rest is dropped or filled."""
        waiting, head = Chunks(), Chunks()
        for samples in self._batches(epoch):
            waiting.add(samples)
            if hello.pad and head.size < hello.step:
                piece = Chunks()
                piece.add(samples)
                head.extend(piece.cut(hello.step - head.size))
            while waiting.size >= hello.step:
                yield waiting.cut(hello.step)
        if hello.pad and waiting.size:
            while waiting.size < hello.step:
                waiting.extend(head.head(hello.step - waiting.size))
            yield waiting

    def _send_step(self, session, step, flags):
        session.give(lambda trainer: step.frame(
            trainer, session.hello.trainers, flags))


def make_source(source, columns, epochs, shuffle, seed):
    if hasattr(source, "keys") or is_frame(source) or is_arrow(source) \
            or (isinstance(source, tuple)
                and all(hasattr(x, "__array__") for x in source)):
        return Arrays(Samples(source, columns), epochs, shuffle, seed)
    if shuffle:
        raise FeedError("shuffle is for arrays: an iterator decides about the "
                        "order itself")
    if is_dataset(source):
        return Iterator(lambda epoch: batches_of(source, sources_of(columns)),
                        False, columns, epochs)
    if callable(source):
        takes_epoch = any(
            p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            and p.default is p.empty
            for p in inspect.signature(source).parameters.values())
        make = source if takes_epoch else lambda epoch: source()
        return Iterator(make, False, columns, epochs)
    if not hasattr(source, "__iter__"):
        raise FeedError(f"the source is a {type(source).__name__}, expected "
                        "arrays by name, batches or a function that returns "
                        "them")
    once = iter(source) is source
    return Iterator(lambda epoch: source, once, columns, epochs)
