# SPDX-License-Identifier: Apache-2.0
"""A job with a token trains as one without. Processes that do not prove the
token are refused, all alike, and change nothing; trainers leave pservers alone
that do not prove it."""
# RUN: %python %s %t

import os
import pathlib
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import threading

from job import DATA, GRAPH, Job, free_endpoints, refused_usage, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
STEPS = ("--batch-size=6", "--steps=5", "--deterministic")
NO_TOKEN = ("expected the job's token: give all processes the same "
            "--token-file")

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)


def write_token(name, text, mode=0o600):
    path = FOLDER / name
    path.write_text(text)
    path.chmod(mode)
    return f"--token-file={path}"


RIGHT = write_token("right", "0123456789abcdef-right\n")
# White space at the end is no part of a token.
SAME = write_token("same", "0123456789abcdef-right \r\n\n")
WRONG = write_token("wrong", "0123456789abcdef-wrong\n")


def model(folder):
    return (folder / "model.safetensors").read_bytes()


def trains():
    """With the token, given by flag or environment, and without any."""
    for name, flags in (("open", ((),) * 4),
                        ("closed", ((RIGHT,), (SAME,), (RIGHT,), ()))):
        with Job(FOLDER / name, 2, 2) as job:
            for i in range(2):
                job.pserver(i, *flags[i])
            job.trainer(0, *STEPS, *flags[2], f"--save={FOLDER / name}")
            env = None
            if name == "closed":
                env = os.environ | {"PS_TOKEN_FILE": str(FOLDER / "right")}
            job.trainer(1, *STEPS, *flags[3], env=env)
            job.ends_well()
            for process in job.processes:
                assert "refused" not in process.text(), process.text()
    assert model(FOLDER / "open") == model(FOLDER / "closed")


def refuses():
    """Two wrong trainers come before the right ones, which do not notice."""
    with Job(FOLDER / "refuses", 2, 2) as job:
        pservers = [job.pserver(i, RIGHT) for i in range(2)]
        for flags in ((), (WRONG,)):
            stranger = job.trainer(0, *STEPS, *flags)
            assert stranger.end() == 1, stranger.text()
            error = stranger.error()
            print(error)
            assert re.fullmatch(
                rf"pserver 127\.0\.0\.1:\d+ refuses trainer 0: {NO_TOKEN}",
                error), error
            job.processes.remove(stranger)
        job.trainer(0, *STEPS, RIGHT, f"--save={FOLDER / 'refuses'}")
        job.trainer(1, *STEPS, RIGHT)
        job.ends_well()
        refusals = [line for pserver in pservers
                    for line in pserver.text().splitlines()
                    if "refused" in line]
        print(refusals)
        # A trainer stops at the first pserver that refuses it.
        assert 1 <= len(refusals) <= 2, refusals
        for line in refusals:
            assert line in (
                "refused a process at 127.0.0.1: it does not prove the job's "
                "token",
                "refused a process at 127.0.0.1: it has another token"), line
    assert model(FOLDER / "open") == model(FOLDER / "refuses")


def is_refused_by_a_trainer():
    """A pserver without the token does not hear which job it is."""
    with Job(FOLDER / "bait", 1, 1) as job:
        bait = job.pserver(0)
        trainer = job.trainer(0, *STEPS, RIGHT)
        assert trainer.end() == 1, trainer.text()
        error = trainer.error()
        print(error)
        assert error == (
            f"something other than a pserver answers at {job.endpoints[0]}: it "
            "does not prove that it has the job's token (--token-file)"), error
        trainer = job.trainer(0, *STEPS)
        job.processes = [bait, trainer]
        job.ends_well()


def all_reduces():
    """Trainers are servers for each other."""
    endpoints = ",".join(free_endpoints(2))
    reduced = FOLDER / "reduced.mlir"
    run("ps-opt", GRAPH, "-o", reduced,
        "--ps-transpile=mode=collective trainers=2")
    with Job(FOLDER / "reduce", 1, 2) as job:
        def start(i, *flags):
            return job.start(f"trainer{i}", "--role=trainer",
                             f"--trainer-id={i}", DATA, *STEPS,
                             f"--trainer-endpoints={endpoints}",
                             "--connect-timeout=30",
                             *flags, program=reduced)

        # Either may be the one that calls first, and is refused; the other
        # then misses it.
        both = [start(0, RIGHT), start(1, WRONG)]
        for trainer in both:
            assert trainer.end() == 1, trainer.text()
        errors = [trainer.error() for trainer in both]
        print(errors)
        assert any("refuses trainer" in error and NO_TOKEN in error
                   for error in errors), errors


class Raw:
    """Speaks just enough HTTP/2 to make calls of gRPC, without a token."""

    def __init__(self, endpoint):
        host, port = endpoint.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=5)
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" +
                            self.frame(4, 0, 0, b""))
        self.stream = -1

    @staticmethod
    def frame(kind, flags, stream, payload):
        return (len(payload).to_bytes(3, "big") + bytes((kind, flags)) +
                stream.to_bytes(4, "big") + payload)

    def call(self, message, method=b"/ps.PServer/Call", extra=(),
             unfinished=None):
        self.stream += 2
        headers = b"".join(
            bytes((0, len(name))) + name + bytes((len(value),)) + value
            for name, value in (
                (b":method", b"POST"), (b":scheme", b"http"),
                (b":path", method), (b":authority", b"x"),
                (b"content-type", b"application/grpc"), (b"te", b"trailers"),
                *extra))
        body = b"\0" + struct.pack(">I", len(message)) + message
        self.socket.sendall(self.frame(1, 4, self.stream, headers) +
                            self.frame(0, unfinished is None, self.stream,
                                       unfinished or body))

    def half_send(self, calls, size):
        """Calls whose messages of `size` bytes stay incomplete: sends of each
        as much as flow control allows, but the end. Returns the bytes."""
        left, windows, initial, connection, sent = {}, {}, 65535, 65535, 0
        for _ in range(calls):
            self.call(b"", unfinished=b"\0" + struct.pack(">I", size))
            left[self.stream] = size - 1
            windows[self.stream] = initial - 5
            connection -= 5
        self.socket.settimeout(5)
        try:
            for kind, stream, payload in self.frames():
                if kind == 4:  # SETTINGS
                    for name, value in struct.iter_unpack(">HI", payload):
                        if name == 4:  # INITIAL_WINDOW_SIZE
                            for each in windows:
                                windows[each] += value - initial
                            initial = value
                elif kind == 8:  # WINDOW_UPDATE
                    added = int.from_bytes(payload, "big")
                    if stream:
                        windows[stream] += added
                    else:
                        connection += added
                elif kind == 3:  # RST_STREAM
                    left.pop(stream, None)
                for each in left:
                    while (size := min(left[each], windows[each], connection,
                                       16384)) > 0:
                        self.socket.sendall(
                            self.frame(0, 0, each, b"x" * size))
                        left[each] -= size
                        windows[each] -= size
                        connection -= size
                        sent += size
                if not any(left.values()):
                    break
        except (TimeoutError, ConnectionError):
            pass  # It grants no more, or has closed the connection.
        return sent

    def frames(self):
        """Kind, stream and payload of what the server sends; acknowledges SETTINGS
        and PING."""
        received = b""
        while part := self.socket.recv(1 << 16):
            received += part
            while len(received) >= 9:
                end = 9 + int.from_bytes(received[:3], "big")
                if len(received) < end:
                    break
                kind, flags = received[3:5]
                stream = int.from_bytes(received[5:9], "big")
                payload, received = received[9:end], received[end:]
                if kind in (4, 6) and not flags & 1:
                    self.socket.sendall(self.frame(
                        kind, 1, 0, payload if kind == 6 else b""))
                yield kind, stream, payload

    def answers(self, until=None):
        """What the server sends until it is silent, or has sent `until`."""
        self.socket.settimeout(1 if until is None else 30)
        received = b""
        try:
            while part := self.socket.recv(1 << 16):
                received += part
                if until is not None and until in received:
                    break
        except TimeoutError:
            pass
        return received


def message(field, body, incarnation=0):
    """A Request for trainer 0 that holds one call."""
    tag = field << 3 | 2
    tags = bytes((tag,)) if tag < 128 else bytes((tag & 127 | 128, tag >> 7))
    header = (b"\x11" + struct.pack("<Q", incarnation) + tags +
              bytes((len(body),)) + body)
    return struct.pack("<I", len(header)) + header


def resident_bytes(process):
    status = pathlib.Path(f"/proc/{process.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) << 10


def half_sent(job, pserver, strangers):
    """Half-sends 50 messages of 2 MiB on each of some connections: the bytes
    that were sent, and those that the pserver has grown by."""
    endpoint, = job.endpoints
    warm = Raw(endpoint)
    warm.half_send(1, 1000)
    before = resident_bytes(pserver)
    connections = [Raw(endpoint) for _ in range(strangers)]
    counts = []
    threads = [threading.Thread(
        target=lambda raw=raw: counts.append(raw.half_send(50, 2 << 20)))
               for raw in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(counts) == strangers
    grown, sent = resident_bytes(pserver) - before, sum(counts)
    print(f"{50 * strangers} half-sent messages: {sent >> 10} KiB sent, "
          f"{grown >> 10} KiB held")
    return sent, grown


def strangers_cost_little():
    """Messages of strangers that begin take no memory beyond what a connection
    buffers, those that are read do; connections that say nothing end, and there
    are descriptors for many."""
    with Job(FOLDER / "open-cost", 1, 1) as job:
        pserver = job.pserver(0)
        pserver.wait_for("Server listening")
        sent, grown = half_sent(job, pserver, 1)
        assert sent > 90 << 20 and grown > 50 << 20, (sent, grown)
        job.trainer(0, *STEPS)
        job.ends_well()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    with Job(FOLDER / "cost", 1, 1) as job:
        endpoint, = job.endpoints
        pserver = job.pserver(0, RIGHT)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        pserver.wait_for("Server listening")
        limits = pathlib.Path(f"/proc/{pserver.process.pid}/limits").read_text()
        found = re.search(r"Max open files\s+(\w+)\s+(\w+)", limits).groups()
        assert found[0] == found[1], limits
        host, port = endpoint.split(":")
        silent = socket.create_connection((host, int(port)))
        # SETTINGS_MAX_CONCURRENT_STREAMS
        setting = struct.pack(">HI", 3, 1024)
        received = Raw(endpoint).answers(until=setting)
        assert setting in received, received
        strangers = 4
        _, grown = half_sent(job, pserver, strangers)
        # Flow control lets each connection send 4 MiB, and more once some are
        # refused.
        assert grown < (4 << 20) * (strangers + 2), grown
        silent.settimeout(30)
        while silent.recv(1 << 16):
            pass  # It ends after 10 s.
        job.trainer(0, *STEPS, RIGHT)
        job.ends_well()


def strangers_change_nothing():
    """Every call, and one of another token, before and while a job trains."""
    with Job(FOLDER / "raw", 1, 1) as job:
        endpoint, = job.endpoints
        pserver = job.pserver(0, RIGHT)
        pserver.wait_for("Server listening")
        # A process with the token is told what it does wrong.
        other = Job(FOLDER / "other", 1, 1, options="min-block-size=1")
        member = job.trainer(0, "--steps=1", RIGHT,
                             f"--pserver-endpoints={endpoint}",
                             program=other.program)
        assert member.end() == 1, member.text()
        secret = re.search("expected hash '([^']+)'",
                           member.error()).group(1).encode()
        trainer = job.trainer(0, "--batch-size=6", "--steps=100000000", RIGHT)
        status = ("ps-run", "status", endpoint, RIGHT, "--json")
        wait_until(lambda: '"connected"' in run(*status)[0], "it trains")
        received = b""
        for _ in range(5):
            raw = Raw(endpoint)
            for field in range(3, 20):
                for body in (b"", b"\x0a\x04text"):
                    raw.call(message(field, body))
            raw.call(b"\xff\xff\xff\xff")
            raw.call(b"", method=b"/ps.PServer/Authenticate", extra=(
                (b"ps-client-nonce-bin", b"eA" * 22),
                (b"ps-server-nonce-bin", b"eA" * 22),
                (b"ps-proof-bin", b"eA" * 22)))
            received += raw.answers()
        assert received and secret not in received, received
        # Of flags, but not of what is random.
        assert b"trainer" not in received, received
        assert not re.search(rb"--[a-z]{3}", received), received
        before = run(*status)[0]
        assert '"connected"' in before, before
        trainer.signal(2)
        # 130: stopped by Ctrl-C.
        assert trainer.end() == 130, trainer.text()
        assert pserver.end() == 130, pserver.text()
        assert pserver.text().count("refused a process") == 1, pserver.text()


def status_needs_the_token():
    with Job(FOLDER / "status", 1, 1) as job:
        endpoint, = job.endpoints
        job.pserver(0, RIGHT).wait_for("Server listening")
        run("ps-run", "status", endpoint, RIGHT)
        for flags in ((), (WRONG,)):
            out, err = run("ps-run", "status", endpoint, *flags, code=1)
            assert not out and err == (
                f"ps-run: error: pserver {endpoint}: {NO_TOKEN}\n"), err


def launches():
    """A launch makes a token for its job, which no command line shows."""
    logs = FOLDER / "log"
    launch = subprocess.Popen(
        ["ps-run", "launch", "--pservers=1", "--trainers=2", GRAPH, DATA,
         "--batch-size=6", "--steps=100000000", f"--log-dir={logs}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        folder = logs / "latest"
        addresses = folder / "addresses"
        wait_until(lambda: addresses.exists() and addresses.read_text(),
                   "the pserver listens")
        endpoint = addresses.read_text().split()[1]
        token = folder / "token"
        assert token.stat().st_mode & 0o777 == 0o600, oct(token.stat().st_mode)
        secret = token.read_text().strip()
        assert re.fullmatch("[0-9a-f]{64}", secret), secret
        run("ps-run", "status", endpoint, f"--token-file={token}")
        run("ps-run", "status", endpoint, code=1)
        for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                assert secret.encode() not in process.read_bytes(), process
            except OSError:
                pass  # It has ended.
        for log in folder.glob("*log.*"):
            assert secret not in log.read_text(), log
    finally:
        launch.terminate()
        launch.wait(60)
    # Of the user's, if there is one.
    own = FOLDER / "own"
    run("ps-run", "launch", "--pservers=0", "--trainers=2", GRAPH, DATA,
        *STEPS, f"--log-dir={own}", RIGHT)
    assert not list(own.glob("*/token"))


def usage():
    """Token files that hold no token."""
    role = (GRAPH, "--role=trainer", "--trainer-id=0")
    short = write_token("short", "0123456789abcde\n")
    for command in (role, ("launch", GRAPH), ("status", "127.0.0.1:1")):
        refused_usage(f"--token-file: expected 16 to 4096 bytes in "
                      f"'{FOLDER}/short', found 15", *command, short)
        refused_usage(f"--token-file: cannot read '{FOLDER}/none': No such "
                      "file or directory", *command,
                      f"--token-file={FOLDER}/none")
    refused_usage(f"--token-file: expected 16 to 4096 bytes in "
                  f"'{FOLDER}/long', found more", *role,
                  write_token("long", "x" * 5000))
    refused_usage(f"PS_TOKEN_FILE: expected 16 to 4096 bytes in "
                  f"'{FOLDER}/short', found 15", *role,
                  env=os.environ | {"PS_TOKEN_FILE": f"{FOLDER}/short"})
    refused_usage("--token-file is for --role=pserver and --role=trainer only",
                  GRAPH, RIGHT)
    readable = write_token("readable", "0123456789abcdef", 0o644)
    _, err = run("ps-run", "status", *free_endpoints(1), readable, code=1)
    assert err.startswith(f"ps-run: warning: other users may read "
                          f"'{FOLDER}/readable': restrict it with chmod 600\n")


trains()
refuses()
is_refused_by_a_trainer()
all_reduces()
strangers_change_nothing()
strangers_cost_little()
status_needs_the_token()
launches()
usage()
