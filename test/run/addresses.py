"""A job whose programs name pservers only: addresses come at run time from
flags, from a file that the pservers write, or from the environment."""
# RUN: %python %s %t

import os
import pathlib
import re
import sys

from job import DATA, GRAPH, Job, free_endpoints, refused_usage, run

FOLDER = pathlib.Path(sys.argv[1])
CLEAN = dict(os.environ)
STEPS = ("--batch-size=6", "--steps=5")


class NamedJob(Job):
    """As Job, but the programs hold no endpoints."""

    def transpiled_pservers(self):
        return str(len(self.endpoints))


def by_file():
    """Pservers on ports that the system chooses, by name and by index."""
    with NamedJob(FOLDER / "file", 2, 2) as job:
        assert "127.0.0.1" not in job.program.read_text()
        file = FOLDER / "file" / "addresses"
        file.unlink(missing_ok=True)  # of an earlier run of this test
        # Trainers may come first: they wait for the file.
        for i in (0, 1):
            job.trainer(i, *STEPS, f"--address-file={file}")
        for i, name in enumerate(("1", "pserver_0")):
            job.start(f"pserver{i}", "--role=pserver", f"--server={name}",
                      "--listen=127.0.0.1:0", f"--address-file={file}")
        job.ends_well()
        lines = dict(line.split() for line in file.read_text().splitlines())
        assert sorted(lines) == ["pserver_0", "pserver_1"], lines
        for process, name in zip(job.processes[2:], ("pserver_1", "pserver_0")):
            port = lines[name].rsplit(":")[1]
            assert int(port) != 0
            assert (f"Server listening on {lines[name]} selected port: {port}"
                    in process.text()), process.text()


def by_list():
    """The list of endpoints, as a flag of every process."""
    with NamedJob(FOLDER / "list", 2, 1) as job:
        everyone = f"--pserver-endpoints={','.join(job.endpoints)}"
        job.pserver(1, everyone)
        job.start("pserver0", "--role=pserver", "--server=0", everyone)
        job.trainer(0, *STEPS, everyone)
        job.ends_well()


def by_environment():
    with NamedJob(FOLDER / "environment", 2, 1) as job:
        common = CLEAN | {
            "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(job.endpoints),
            "PADDLE_TRAINERS_NUM": "1"}
        for i, endpoint in enumerate(job.endpoints):
            host, port = endpoint.split(":")
            job.start(f"pserver{i}", env=common | {
                "TRAINING_ROLE": "PSERVER", "POD_IP": host,
                "PADDLE_PORT": port})
        job.start("trainer", DATA, *STEPS, env=common | {
            "TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": "0"})
        job.ends_well()


def elsewhere():
    """What programs say gives way to flags: the job runs on other machines."""
    with Job(FOLDER / "elsewhere", 1, 1) as job:
        there, = free_endpoints(1)
        job.pserver(0, f"--listen={there}")
        job.trainer(0, *STEPS, f"--pserver-endpoints={there}")
        job.ends_well()


def interrupted():
    """A trainer that waits for a file is stopped at once."""
    with NamedJob(FOLDER / "interrupted", 1, 1) as job:
        trainer = job.trainer(0, *STEPS,
                              f"--address-file={FOLDER}/interrupted/none",
                              "--connect-timeout=50")
        trainer.wait_for("init rpc client")
        trainer.signal(2)
        assert trainer.end(10) == 130, trainer.text()


def never_written():
    with NamedJob(FOLDER / "never", 2, 1) as job:
        file = FOLDER / "never" / "addresses"
        file.write_text("pserver_0 127.0.0.1:1\npserver_1 127.0.0.1:2")
        trainer = job.trainer(0, *STEPS, f"--address-file={file}",
                              "--connect-timeout=1")
        assert trainer.end() == 1
        assert trainer.error() == ("pservers not ready within 1s: "
                                   f"'{file}' has no address of pserver_1")


def in_one_process():
    with NamedJob(FOLDER / "all", 2, 2) as job:
        run("ps-run", job.program, "--role=all", DATA, *STEPS)


def refused():
    def usage(message, *arguments, program=None, **env):
        refused_usage(message, program or job.program, *arguments,
                      env=CLEAN | env)

    trainer = ("--role=trainer", "--trainer-id=0", DATA)
    with NamedJob(FOLDER / "refused", 2, 1) as job:
        usage("--pserver-endpoints is missing: the programs do not say where "
              "the pservers listen (pserver_0, pserver_1): expected "
              "--pserver-endpoints=HOST:PORT,.. in their order, --address-file "
              "or PADDLE_PSERVERS_IP_PORT_LIST", *trainer)
        usage("--pserver-endpoints: expected 2 addresses, one for each of "
              "pserver_0, pserver_1, found 1", *trainer,
              "--pserver-endpoints=h:1")
        usage("PADDLE_PSERVERS_IP_PORT_LIST: expected 2 addresses, one for "
              "each of pserver_0, pserver_1, found 3", *trainer,
              PADDLE_PSERVERS_IP_PORT_LIST="h:1,h:2,h:3")
        usage("--pserver-endpoints: 'h:1' is given twice", *trainer,
              "--pserver-endpoints=h:1,h:1")
        usage("--pserver-endpoints: expected an endpoint 'host:port', found "
              "'h'", *trainer, "--pserver-endpoints=h:1,h")
        usage("--pserver-endpoints and --address-file both say where pservers "
              "listen: expected one of them", *trainer,
              "--pserver-endpoints=h:1,h:2", "--address-file=f")
        usage("--server is missing, the file holds pserver_0, pserver_1",
              "--role=pserver")
        usage("--endpoint=h:1 selects no pserver, because the programs have no endpoints: expected --server, the file holds pserver_0, "
              "pserver_1", "--role=pserver", "--endpoint=h:1")
        usage("--server: the job has no pserver 'pserver_2', only pserver_0, "
              "pserver_1", "--role=pserver", "--server=pserver_2")
        usage("--server: the job has no pserver '2', only pserver_0, "
              "pserver_1", "--role=pserver", "--server=2")
        usage("--listen is missing: neither the programs nor "
              "--pserver-endpoints says where pserver_1 listens; "
              "--listen=HOST:0 takes a free port", "--role=pserver",
              "--server=1")
        usage("--listen is for --role=pserver, and for trainers that reduce "
              "gradients among themselves", *trainer, "--listen=h:1")
        usage("--server is for --role=pserver only", *trainer, "--server=0")
        usage("--address-file is for --role=pserver and --role=trainer only",
              "--role=all", "--address-file=f")
        first = FOLDER / "first.mlir"
        run("ps-opt", job.program, "--ps-extract-program=name=pserver_0", "-o",
            first)
        usage("the file holds no program for pserver 'pserver_1', only for "
              "pserver_0", "--role=pserver", "--server=1", program=first)


def launch_transpiles_once():
    """Two launches of a graph are the same job, wherever it runs."""
    hashes = set()
    for i in (0, 1):
        log = FOLDER / f"launch{i}"
        run("ps-run", "launch", "--pservers=2", "--trainers=2",
            f"--log-dir={log}", GRAPH, DATA, *STEPS)
        text = (log / "latest" / "dist.mlir").read_text()
        assert "127.0.0.1" not in text
        hashes.add(re.search('hash = "([0-9a-f]+)"', text)[1])
    assert len(hashes) == 1, hashes


def launch_names_the_origin():
    """Trainer 0 fails, and all others end because of that."""
    graph = FOLDER / "nan.mlir"
    graph.write_text(GRAPH.read_text().replace("0.05", "1.0e30"))
    for _ in range(3):
        _, err = run("ps-run", "launch", "--pservers=2", "--trainers=1",
                     f"--log-dir={FOLDER}/origin", graph, DATA, *STEPS, code=1)
        assert "error: trainer 0 failed: loss is " in err, err


by_file()
by_list()
by_environment()
elsewhere()
interrupted()
never_written()
in_one_process()
refused()
launch_transpiles_once()
launch_names_the_origin()
