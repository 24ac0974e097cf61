# SPDX-License-Identifier: Apache-2.0
"""--log-format=json: each line on stderr is an object that says when, what and
which process it is from, of each role and of launch, also when it fails."""
# RUN: %python %s %t

import datetime
import json
import pathlib
import shutil
import signal
import sys

from job import DATA, GRAPH, INPUTS, Process, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
JSON = "--log-format=json"


def parse(lines):
    records = [json.loads(line) for line in lines]
    for record in records:
        assert list(record) in (
            ["time", "level", "role", "rank", "message"],
            ["time", "level", "role", "rank", "message", "step"]), record
        time = datetime.datetime.strptime(record["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        assert abs(now - time) < datetime.timedelta(hours=1), record
        assert record["level"] in ("info", "warning", "error"), record
        assert isinstance(record["message"], str), record
    return records


PROGRESS = ("epoch ", "time ", "checkpoint ", "end ")


def origins(records):
    return {(record["role"], record["rank"]) for record in records}


def find(records, begin):
    record, = (r for r in records if r["message"].startswith(begin))
    return record


def parse_log(path):
    """Progress lines on stdout are for people."""
    return parse(line for line in path.read_text().splitlines()
                 if not line.startswith(PROGRESS))


def a_job():
    """Its lines on stderr are those of launch and of trainer 0, which are on
    stdout where they are text."""
    flags = ("launch", GRAPH, DATA, "--trainers=2", "--batch-size=6", "--steps=4",
             "--log-every=1", "--checkpoint-every=2")
    out, err = run("ps-run", *flags, JSON, f"--log-dir={FOLDER}/log",
                   f"--checkpoint={FOLDER}/first")
    assert all(line.startswith(PROGRESS)
               for line in out.splitlines()), out
    shown = parse(err.splitlines())
    assert origins(shown) == {("launch", None), ("trainer", 0)}, shown
    assert find(shown, "programs and logs: ")["role"] == "launch"
    assert find(shown, "Communicator start")["rank"] == 0
    logs = FOLDER / "log" / "latest"
    for name, origin, begin in (("serverlog.0", ("pserver", 0), "Server listening on"),
                                ("workerlog.0", ("trainer", 0), "Communicator start"),
                                ("workerlog.1", ("trainer", 1), "Communicator start")):
        records = parse_log(logs / name)
        # Nothing says which one it is before the process knows.
        assert origin in origins(records) <= {origin, (origin[0], None)}, records
        assert find(records, begin)["level"] == "info"
    # What a trainer shows at its end is of its last step.
    assert find(parse_log(logs / "workerlog.1"), "time ")["step"] == 3
    # As text they are messages alone.
    out, _ = run("ps-run", *flags, f"--log-dir={FOLDER}/text",
                 f"--checkpoint={FOLDER}/second")
    stdout = out.splitlines()
    for message in ("init rpc client with trainer_id 0", "Communicator start"):
        assert message in stdout and find(shown, message), out


def a_job_that_fails():
    bad = FOLDER / "bad.csv"
    bad.write_text((INPUTS / "linear.csv").read_text() + "1,2\n")
    _, err = run("ps-run", "launch", GRAPH, "--log-format", "json",
                 f"--data=csv:{bad}#label=y", f"--log-dir={FOLDER}/log", code=1)
    records = parse(err.splitlines())
    error = records[-1]
    assert (error["level"], error["role"]) == ("error", "launch"), error
    cause, = (r for r in parse_log(FOLDER / "log" / "latest" / "workerlog.0")
              if r["level"] == "error")
    assert error["message"].startswith(
        f"trainer 0 failed: {cause['message']} (see "), (error, cause)
    # Those of ps-opt, too.
    broken = FOLDER / "broken.mlir"
    broken.write_text("module {")
    _, err = run("ps-run", "launch", broken, DATA, JSON, f"--log-dir={FOLDER}/log",
                 code=1)
    records = parse(err.splitlines())
    assert str(broken) in records[0]["message"], records
    assert records[0]["level"] == "error", records
    assert find(records, "cannot transpile")["level"] == "error"


def single_processes():
    _, err = run("ps-run", GRAPH, f"--eval-data=csv:{INPUTS}/linear.csv", JSON)
    warning, = parse(err.splitlines())
    assert (warning["level"], warning["role"], warning["rank"]) == (
        "warning", "local", None), warning
    assert warning["message"].startswith("neither --data nor --load"), warning
    program = FOLDER / "dist.mlir"
    run("ps-opt", GRAPH, "-o", program, "--ps-transpile=pservers=1 trainers=1")
    _, err = run("ps-run", program, "--role=all", DATA, "--steps=1", JSON)
    assert origins(parse(err.splitlines())) == {("all", None)}, err
    scheduler = Process("scheduler", FOLDER, "--role=scheduler", "--pservers=1",
                        "--trainers=1", "--listen=127.0.0.1:0", JSON)
    scheduler.wait_for("Server listening on")
    scheduler.signal(signal.SIGINT)
    assert scheduler.end(10) == 130, scheduler.text()
    assert origins(parse(scheduler.text().splitlines())) == {("scheduler", None)}


def usage_errors():
    _, err = run("ps-run", GRAPH, JSON, "--steps=many", code=2)
    error, = parse(err.splitlines())
    assert error["level"] == "error" and "--steps" in error["message"], error
    _, err = run("ps-run", GRAPH, "--log-format=xml", code=2)
    assert err.startswith("ps-run: error: --log-format: "), err


a_job()
a_job_that_fails()
single_processes()
usage_errors()
