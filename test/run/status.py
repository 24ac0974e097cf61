"""`ps-run status` asks a running pserver or scheduler what it does; the job does
not notice."""
# RUN: %python %s %t

import json
import pathlib
import re
import shutil
import signal
import socket
import sys
import threading

from job import (DATA, GRAPH, Job, Process, free_endpoints, run, wait_until)

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)


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
    wait_until(lambda: ask(endpoint)["waits"], "a wait")
    wait, = ask(endpoint)["waits"]
    assert (wait["what"], wait["trainer"], wait["pending"]) == (
        "the start of training", 1, "it has not connected"), wait
    second = job.trainer(1, "--steps=100000000", "--batch-size=6")
    wait_until(lambda: ask(endpoint)["step"] > 2, "the job trains")
    status = ask(endpoint)
    assert states(status) == ["connected", "connected"], status
    assert status["uptime_seconds"] > 0, status
    assert min(t["step"] for t in status["trainers"]) > 2, status
    assert {t["lag"] for t in status["trainers"]} <= {0, 1}, status
    assert not any(t["lost"] for t in status["trainers"]), status
    assert max(t["seconds_since_call"] for t in status["trainers"]) < 30, status
    assert status["staleness"] is None, status
    assert status["checkpoint"] == {"last": None, "request": None}, status

    text, error = run("ps-run", "status", endpoint)
    print(text)
    assert not error, error
    for part in (f"pserver {endpoint}: mode sync, running for", "updated step: ",
                 "trainer 0: connected, at step ",
                 "trainer 1: connected, at step ", " behind, last call ",
                 "last checkpoint: none\n"):
        assert part in text, (part, text)
    assert "staleness" not in text, text

    # What waits for a trainer that is stopped.
    second.signal(signal.SIGSTOP)
    wait_until(lambda: any(wait["seconds"] > 0.2
                           for wait in ask(endpoint)["waits"]), "a wait")
    status = ask(endpoint)
    wait, = status["waits"]
    assert (wait["what"], wait["trainer"]) == ("the step", 1), status
    assert wait["pending"].startswith("it had not "), status
    text, _ = run("ps-run", "status", endpoint)
    assert "the step has waited for " in text, text
    assert " for trainer 1: it had not " in text, text
    line = re.compile(
        r"the step has waited for ([5-9]|\d\d)(\.\d)?s for trainer 1: it had not ")
    wait_until(lambda: line.search(pserver.text()), "the pserver logs the wait")
    second.signal(signal.SIGCONT)
    pserver.wait_for("the step waits for trainer 1 no longer, after ")
    assert pserver.text().count("has waited") == 1, pserver.text()


def saves():
    """The last checkpoint, and the staleness where trainers do not keep step."""
    folder = FOLDER / "saves"
    with Job(folder, pservers=1, trainers=1, options="mode=async") as job:
        endpoint, = job.endpoints
        pserver = job.pserver(0)
        pserver.wait_for("Server listening on")
        job.trainer(0, "--steps=100000000", "--batch-size=6",
                    f"--checkpoint={folder}/checkpoints",
                    "--checkpoint-every=50")
        wait_until(lambda: (ask(endpoint)["checkpoint"]["last"] or
                            {"number": 0})["number"] >= 2, "two checkpoints")
        status = ask(endpoint)
        print(status)
        last, request = (status["checkpoint"][key] for key in ("last", "request"))
        assert last["step"] == 50 * last["number"], status
        assert 0 <= last["age_seconds"] < 60, status
        assert request["state"] != "failed" and not request["error"], status
        assert status["staleness"]["pushes"] > 0, status
        assert status["staleness"]["most"] == 0, status
        text, _ = run("ps-run", "status", endpoint)
        assert re.search(r"last checkpoint: number \d+, from step \d+0, .* ago\n",
                         text), text
        assert "staleness: mean 0, most 0, of " in text, text


def of_a_scheduler():
    folder = FOLDER / "scheduler"
    folder.mkdir()
    program = folder / "dist.mlir"
    run("ps-opt", GRAPH, "-o", program, "--ps-transpile=pservers=1 trainers=1")
    address, = free_endpoints(1)
    common = (program, f"--coordinator={address}", DATA, "--batch-size=6",
              "--steps=100000000")
    processes = [Process("scheduler", folder, "--role=scheduler",
                         "--pservers=1", "--trainers=1",
                         f"--listen={address}", "--max-restarts=3")]
    try:
        processes[0].wait_for("Server listening on")
        status = ask(address)
        print(status)
        assert status["scheduler"] == address, status
        assert status["state"] == "forming" and status["attempt"] == 1, status
        assert [(seat["role"], seat["rank"], seat["state"], seat["pid"])
                for seat in status["seats"]] == [
                    ("pserver", 0, "vacant", None),
                    ("trainer", 0, "vacant", None)], status
        text, _ = run("ps-run", "status", address)
        assert "waits for pserver 0, trainer 0\n" in text, text

        processes.append(Process("pserver", folder, *common, "--role=pserver"))
        processes.append(Process("trainer", folder, *common, "--role=trainer"))
        wait_until(lambda: ask(address)["seats"][0]["address"], "an address")
        status = ask(address)
        assert status["state"] == "formed" and status["failure"] is None, status
        assert (status["restarts"], status["max_restarts"]) == (0, 3), status
        assert [seat["pid"] for seat in status["seats"]] == [
            process.process.pid for process in processes[1:]], status
        pserver = status["seats"][0]["address"]
        assert ask(pserver)["mode"] == "sync", pserver
        text, _ = run("ps-run", "status", address)
        print(text)
        for part in (f"scheduler {address}: attempt 1, formed\n",
                     "restarts: 0 of 3 without a new checkpoint\n",
                     "pserver 0: joined, process ", f"listens at {pserver}\n",
                     "trainer 0: joined, process "):
            assert part in text, (part, text)
    finally:
        for process in processes:
            process.process.kill()
            process.process.wait()


saves()
of_a_scheduler()


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

help, _ = run("ps-run", "--help")
assert "ps-run status ADDRESS" in help and "ps-run resize ADDRESS" in help
