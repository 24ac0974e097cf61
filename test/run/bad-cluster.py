"""What goes wrong between the processes of a job: each one ends with a line
that says why, and none waits for ever."""
# RUN: %python %s %t

import pathlib
import re
import socket
import sys
import threading

from job import DATA, GRAPH, Job, run, run_at_once

FOLDER = pathlib.Path(sys.argv[1])


def expect(process, code, *patterns):
    assert process.end() == code, f"{process.name}: {process.text()}"
    for pattern in patterns:
        assert re.search(pattern, process.text()), (
            f"{process.name}: expected {pattern}, found {process.text()}")
    if code == 1:
        process.error()


def port_in_use():
    with Job(FOLDER / "port", 1, 1) as job, socket.socket() as holder:
        host, port = job.endpoints[0].split(":")
        holder.bind((host, int(port)))
        holder.listen()
        expect(job.pserver(0), 1,
               f"cannot listen on {job.endpoints[0]}: the port is in use")


def pserver_not_up():
    """One of two is missing: the documented lines name it until the trainer
    gives up; the pserver that is up gives up on the trainer."""
    with Job(FOLDER / "missing", 2, 1) as job:
        pserver = job.pserver(0, "--connect-timeout=20")
        pserver.wait_for(f"Server listening on {job.endpoints[0]} "
                         f"selected port: {job.endpoints[0].split(':')[1]}")
        trainer = job.trainer(0, "--batch-size=6", "--connect-timeout=6")
        expect(trainer, 1, "init rpc client with trainer_id 0",
               r"server not ready, wait 3 sec to retry\.\.\.",
               rf"not ready endpoints:\['{job.endpoints[1]}'\]",
               "error: pservers not ready within 6s: "
               rf"\['{job.endpoints[1]}' \(connection refused\)\]")


def trainer_not_up():
    with Job(FOLDER / "absent", 1, 2) as job:
        pserver = job.pserver(0, "--connect-timeout=8")
        pserver.wait_for("listening")
        trainer = job.trainer(0, "--batch-size=6")
        missing = "trainer 1 did not connect within 8s"
        expect(pserver, 1, missing)
        expect(trainer, 1, missing)


def other_hash():
    """A trainer whose program was transpiled otherwise is refused; the job
    that it disturbed goes on."""
    with Job(FOLDER / "hash", 1, 1) as job, Job(
            FOLDER / "other", 1, 1, options="min-block-size=12 "
            "split-method=HashName") as other:
        text = other.program.read_text()
        other.program.write_text(
            text.replace(other.endpoints[0], job.endpoints[0]))
        pserver = job.pserver(0)
        pserver.wait_for("listening")
        expect(job.start("stranger", "--role=trainer", "--trainer-id=0", DATA,
                         "--batch-size=6", program=other.program), 1,
               f"pserver {job.endpoints[0]} refuses trainer 0: trainer 0 runs "
               r"another job: expected hash '\w+', found '\w+'")
        expect(job.trainer(0, "--batch-size=6", "--steps=3"), 0)
        expect(pserver, 0)


def other_timeout():
    """Whichever end waits for less long would end the job."""
    with Job(FOLDER / "timeout", 1, 1) as job:
        pserver = job.pserver(0, "--peer-timeout=30")
        pserver.wait_for("listening")
        expect(job.start("impatient", "--role=trainer", "--trainer-id=0", DATA,
                         "--batch-size=6", "--peer-timeout=5m"), 1,
               f"pserver {job.endpoints[0]} refuses trainer 0: expected "
               "--peer-timeout=30s, as on this pserver, from trainer 0, "
               "found 5m: start all processes of a job with the same")
        expect(job.trainer(0, "--batch-size=6", "--steps=3",
                           "--peer-timeout=30000ms"), 0)
        expect(pserver, 0)


def http_server():
    """Something else answers at a pserver's endpoint."""
    def answer(listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
                                   b"Connection: close\r\n\r\n")

    with Job(FOLDER / "http", 1, 1) as job, socket.socket() as listener:
        host, port = job.endpoints[0].split(":")
        listener.bind((host, int(port)))
        listener.listen()
        thread = threading.Thread(target=answer, args=(listener,), daemon=True)
        thread.start()
        expect(job.trainer(0, "--batch-size=6", "--connect-timeout=20"), 1,
               "something other than a pserver answers at "
               f"{job.endpoints[0]}: it does not speak HTTP/2")
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def id_taken():
    with Job(FOLDER / "twice", 1, 1) as job:
        pserver = job.pserver(0)
        first = job.trainer(0, "--batch-size=6", "--steps=1000000")
        first.wait_for("steps/s")
        expect(job.start("second", "--role=trainer", "--trainer-id=0", DATA,
                         "--batch-size=6"), 1,
               "trainer id 0 is taken by another process")
        assert first.process.poll() is None, first.text()
        assert pserver.process.poll() is None, pserver.text()


def trainer_fails():
    """NaN on one side: everybody is told the fetch, the trainer, the step."""
    graph = FOLDER / "nan.mlir"
    graph.write_text(GRAPH.read_text().replace("0.05", "1.0e30"))
    with Job(FOLDER / "nan", 2, 2, graph=graph) as job:
        processes = [job.pserver(0), job.pserver(1)]
        processes += [job.trainer(i, "--batch-size=6", "--steps=9",
                                  f"--save={FOLDER}/nan/model")
                      for i in (0, 1)]
        for process in processes:
            expect(process, 1, r"loss is -?(inf|nan) at step 1\b")
        assert not (FOLDER / "nan/model/model.safetensors").exists()


def wrong_programs():
    """Usage errors: nothing starts."""
    def usage(message, *arguments):
        _, err = run("ps-run", *arguments, code=2)
        assert re.search(f"^ps-run: error: {message}", err), err
        assert err.count("\n") == 1, err

    with Job(FOLDER / "usage", 2, 2) as job:
        dist, first = job.program, FOLDER / "first.mlir"
        trainer = FOLDER / "trainer.mlir"
        for name, path in (("pserver_0", first), ("trainer", trainer)):
            run("ps-opt", dist, f"--ps-extract-program=name={name}", "-o", path)
        here, there = job.endpoints
        usage("the file holds the programs of a job", dist, DATA)
        usage("the file holds the programs of a job", dist, "--role=local")
        usage("the file holds a graph, not the programs of a job", GRAPH,
              "--role=trainer", "--trainer-id=0", DATA)
        usage("--trainer-id is missing", dist, "--role=trainer", DATA)
        usage("trainer id 2 is out of range, the job has 2 trainers", dist,
              "--role=trainer", "--trainer-id=2", DATA)
        usage("--trainer-id: expected an integer from 0 to 2147483647, got '-1'", dist,
              "--role=trainer", "--trainer-id=-1", DATA)
        usage("--endpoint is missing, the file holds "
              f"{here}, {there}", dist, "--role=pserver")
        usage("the file holds no program for pserver '127.0.0.1:1', only for "
              f"{here}, {there}", dist, "--role=pserver",
              "--endpoint=127.0.0.1:1")
        usage(f"the file holds no program for pserver '{there}', only for "
              f"{here}", first, "--role=pserver", f"--endpoint={there}")
        usage("the file holds no trainer program", first, "--role=trainer",
              "--trainer-id=0", DATA)
        usage("the file holds no pserver program", trainer, "--role=pserver",
              f"--endpoint={here}")


port_in_use()
run_at_once(pserver_not_up, trainer_not_up)
other_hash()
other_timeout()
http_server()
id_taken()
trainer_fails()
wrong_programs()
