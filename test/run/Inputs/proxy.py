"""A TCP proxy on a free port whose connections a test cuts, or that refuses
new ones for a while."""

import socket
import threading


class Proxy:
    """Forwards what arrives at `endpoint` to `target`, both "host:port"."""

    def __init__(self, target):
        host, port = target.split(":")
        self.target = host, int(port)
        self.lock = threading.Lock()  # Guards what follows.
        self.pairs = set()
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

    def cut(self, random=None):
        """Ends all connections, or one that `random` chooses, whatever is under
        way; how many there were."""
        with self.lock:
            pairs = sorted(self.pairs, key=lambda pair: pair[0].fileno())
            if random and pairs:
                pairs = [random.choice(pairs)]
            self.pairs -= set(pairs)
        for pair in pairs:
            for end in pair:
                _shut(end)
        return len(pairs)

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
            left = [2]
            for source, sink in pair, pair[::-1]:
                threading.Thread(target=self._carry, daemon=True,
                                 args=(source, sink, pair, left)).start()

    def _carry(self, source, sink, pair, left):
        try:
            while data := source.recv(1 << 16):
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


def _shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
