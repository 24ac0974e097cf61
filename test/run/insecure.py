# SPDX-License-Identifier: Apache-2.0
"""Processes listen where only their own machine can connect, unless they are
told otherwise, wherever the address comes from."""
# RUN: %python %s %t

import os
import pathlib
import shutil
import sys

from job import DATA, GRAPH, Job, refused_usage, run

FOLDER = pathlib.Path(sys.argv[1])
STEPS = ("--batch-size=6", "--steps=2")
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)


def transpile(name, options):
    program = FOLDER / name
    run("ps-opt", GRAPH, "-o", program, f"--ps-transpile={options}")
    return program


def refused(address, *command, **options):
    port = address.rsplit(":")[-1]
    refused_usage(f"other machines can connect to {address}, and nothing is "
                  "encrypted: expected an address of the loopback interface, "
                  f"such as 127.0.0.1:{port}, TLS (--tls-cert, --tls-key, "
                  "--tls-ca) or --insecure", *command, **options)


named = transpile("named.mlir", "pservers=1 trainers=1")
pserver = (named, "--role=pserver", "--server=0")
for address in ("0.0.0.0:0", "[::]:0", "0.0.0.0:6174", "10.1.2.3:6174",
                "example.com:6174", "[::ffff:10.0.0.1]:6174"):
    refused(address, *pserver, f"--listen={address}")
refused("0.0.0.0:6174", *pserver, "--pserver-endpoints=0.0.0.0:6174")

placed = transpile("placed.mlir", "pservers=0.0.0.0:6174 trainers=1")
refused("0.0.0.0:6174", placed, "--role=pserver", "--endpoint=0.0.0.0:6174")
refused("0.0.0.0:6174", placed, "--role=pserver",
        env=os.environ | {"POD_IP": "0.0.0.0", "PADDLE_PORT": "6174"})

reduced = transpile("reduced.mlir", "mode=collective trainers=2")
trainer = (reduced, "--role=trainer", "--trainer-id=1", DATA, *STEPS)
everywhere = "127.0.0.1:6174,0.0.0.0:6175"
refused("0.0.0.0:6175", *trainer, f"--trainer-endpoints={everywhere}")
refused("0.0.0.0:6175", *trainer,
        env=os.environ | {"PADDLE_TRAINER_ENDPOINTS": everywhere})
refused("0.0.0.0:0", *trainer, "--listen=0.0.0.0:0",
        f"--address-file={FOLDER}/addresses")
refused_usage("--insecure is for --role=pserver, --role=trainer and "
              "--metrics-port only", GRAPH, "--insecure")
refused_usage("--insecure is for --hosts and --metrics-port only", "launch",
              GRAPH, DATA, "--insecure")


def answers_prometheus(address, *command):
    command = ("ps-run", *command, DATA, *STEPS, "--metrics-port=0")
    out, err = run(*command)
    assert "metrics for Prometheus at http://127.0.0.1:" in out + err, err
    out, err = run(*command, "--insecure")
    assert f"metrics for Prometheus at http://{address}:" in out + err, err


answers_prometheus("0.0.0.0", GRAPH)
answers_prometheus("0.0.0.0", named, "--role=all")
answers_prometheus("0.0.0.0", "launch", GRAPH, "--pservers=1", "--trainers=1")


def listens(name, address, *flags):
    """The job runs, and its pserver listens there."""
    with Job(FOLDER / name, 1, 1) as job:
        port = job.endpoints[0].rsplit(":")[1]
        there = address.replace("PORT", port)
        process = job.start("pserver", "--role=pserver", "--server=0",
                            f"--listen={there}", *flags)
        job.trainer(0, *STEPS)
        job.ends_well()
        assert f"Server listening on {there} " in process.text()


listens("all", "0.0.0.0:PORT", "--insecure")
listens("host", "localhost:PORT")
listens("loopback", "127.0.0.1:PORT")
