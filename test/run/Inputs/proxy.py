"""A TCP proxy on a free port that does to connections what networks do: cuts
them, refuses new ones, delays them, loses what they carry, repeats it."""

import socket
import struct
import threading
import time

# SO_LINGER of a socket whose close sends RST.
RESET = struct.pack("ii", 1, 0)


class Proxy:
    """Forwards what arrives at `endpoint` to `target`, both "host:port"."""

    def __init__(self, target):
        host, port = target.split(":")
        self.target = host, int(port)
        self.running = threading.Event()  # Not set while nothing passes.
        self.running.set()
        # Seconds that a connection takes for each piece, given when it begins.
        self.latency = lambda: 0
        self.bytes_per_second = None
        # What arrives at the target of what a connection sends.
        self.edit = lambda data: data
        self.lock = threading.Lock()  # Guards what follows.
        self.pairs = set()
        self.record = None  # What one connection has sent to the target.
        self.listener = None
        self.port = 0
        self.accept()
        self.endpoint = f"127.0.0.1:{self.port}"

    def accept(self):
        """Takes connections, on the port of before."""
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self.port = listener.getsockname()[1]
        with self.lock:
            self.listener = listener
        threading.Thread(target=self._take, args=(listener,),
                         daemon=True).start()

    def cut(self, random=None, end=None):
        """Ends all connections, or one that `random` chooses, whatever is under
        way; how many there were."""
        end = end or _shut
        with self.lock:
            pairs = sorted(self.pairs, key=lambda pair: pair[0].fileno())
            if random and pairs:
                pairs = [random.choice(pairs)]
            self.pairs -= set(pairs)
        for pair in pairs:
            for each in pair:
                end(each)
        return len(pairs)

    def reset(self, random=None):
        """As cut(), by RST: what was under way is lost at both ends."""
        return self.cut(random, _reset)

    def hold(self):
        """From now on nothing passes, and no connection ends: the ends cannot
        see that the other one is not there."""
        self.running.clear()

    def release(self):
        """Passes on what was held."""
        self.running.set()

    def record_next(self):
        """Keeps what the next connection sends, for repeat()."""
        with self.lock:
            self.record = bytearray()

    def repeat(self):
        """Sends it once more, over a connection of its own, and passes on no
        answer; how many bytes."""
        with self.lock:
            sent, self.record = bytes(self.record or b""), None
        try:
            with socket.create_connection(self.target, timeout=10) as again:
                again.sendall(sent)
                # Until the target has read and answered what it wants to.
                again.settimeout(0.5)
                while again.recv(1 << 16):
                    pass
        except OSError:
            pass
        return len(sent)

    def refuse(self):
        """Ends all connections, and refuses others until accept()."""
        with self.lock:
            listener, self.listener = self.listener, None
        if listener:
            _shut(listener)
            listener.close()
        return self.cut()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()
        self.refuse()

    def _take(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target, timeout=10)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for end in near, far:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pair = near, far
            with self.lock:
                refusing = self.listener is not listener
                if not refusing:
                    self.pairs.add(pair)
            if refusing:
                near.close()
                far.close()
                continue
            left, latency = [2], self.latency()
            for source, sink in pair, pair[::-1]:
                threading.Thread(target=self._carry, daemon=True, args=(
                    source, sink, pair, left, latency)).start()

    def _delay(self, latency, size):
        if self.bytes_per_second:
            latency += size / self.bytes_per_second
        if latency:
            time.sleep(latency)
        self.running.wait()

    def _carry(self, source, sink, pair, left, latency):
        record = None
        with self.lock:
            if sink is pair[1] and self.record is not None and not self.record:
                record = self.record
        try:
            while data := source.recv(1 << 16):
                self._delay(latency, len(data))
                if sink is pair[1]:
                    data = self.edit(data)
                if record is not None:
                    with self.lock:
                        record += data
                sink.sendall(data)
        except OSError:
            pass
        for end in pair:
            _shut(end)
        with self.lock:
            self.pairs.discard(pair)
            left[0] -= 1
            last = left[0] == 0
        if last:
            for end in pair:
                end.close()


def _reset(end):
    """Has the thread that reads from it close it with RST."""
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        end.shutdown(socket.SHUT_RD)
    except OSError:
        pass


def _shut(end):
    """Sends FIN, unless RST is to come."""
    try:
        if end.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                          len(RESET)) == RESET:
            end.shutdown(socket.SHUT_RD)
            return
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
