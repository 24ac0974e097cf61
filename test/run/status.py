"""`ps-run status` asks a running pserver what it does; the job does not
notice."""
# RUN: %python %s %t

import json
import pathlib
import socket
import sys
import threading

from job import Job, free_endpoints, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])


def ask(endpoint):
    return json.loads(run("ps-run", "status", endpoint, "--json")[0])


def states(status):
    return [trainer["state"] for trainer in status["trainers"]]


with Job(FOLDER, pservers=1, trainers=2) as job:
    endpoint, = job.endpoints
    pserver = job.pserver(0)
    pserver.wait_for("Server listening on")
    status = ask(endpoint)
    print(status)
    assert status["mode"] == "sync" and status["step"] == -1, status
    assert states(status) == ["absent", "absent"], status
    assert status["blocks"] > 0 and status["bytes"] > 0, status
    assert status["tables"] == 0 and status["rows"] == 0, status

    first = job.trainer(0, "--steps=100000000", "--batch-size=6")
    wait_until(lambda: states(ask(endpoint)) == ["connected", "absent"],
               "trainer 0 is connected")
    second = job.trainer(1, "--steps=100000000", "--batch-size=6")
    wait_until(lambda: ask(endpoint)["step"] > 2, "the job trains")
    status = ask(endpoint)
    assert states(status) == ["connected", "connected"], status
    assert status["uptime_seconds"] > 0, status
    assert min(t["step"] for t in status["trainers"]) > 2, status

    text, error = run("ps-run", "status", endpoint)
    print(text)
    assert not error, error
    for part in (f"pserver {endpoint}: mode sync, running for", "updated step: ",
                 "trainer 0: connected, at step ",
                 "trainer 1: connected, at step "):
        assert part in text, (part, text)


def fails(endpoint, *parts):
    """One line of error, and no output."""
    output, error = run("ps-run", "status", endpoint, code=1)
    print(error)
    assert not output and error.count("\n") == 1, (output, error)
    for part in ("ps-run: error: ", endpoint, *parts):
        assert part in error, (part, error)


fails(*free_endpoints(1), "no pserver answers at", "connection refused")

with socket.create_server(("127.0.0.1", 0)) as silent:
    fails(f"127.0.0.1:{silent.getsockname()[1]}", "no pserver answers at",
          "no answer")

with socket.create_server(("127.0.0.1", 0)) as web:
    def answer():
        try:
            while True:
                connection, _ = web.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        except OSError:
            pass  # The socket is closed at the end.
    threading.Thread(target=answer, daemon=True).start()
    fails(f"127.0.0.1:{web.getsockname()[1]}",
          "something other than a pserver answers at")
    web.shutdown(socket.SHUT_RDWR)

for arguments in ((), ("nowhere",), ("127.0.0.1:6174", "--yaml")):
    output, error = run("ps-run", "status", *arguments, code=2)
    print(error)
    assert not output and "ps-run: error: " in error, (output, error)

assert "ps-run status HOST:PORT" in run("ps-run", "--help")[0]
