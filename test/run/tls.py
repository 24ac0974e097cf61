# SPDX-License-Identifier: Apache-2.0
"""A job over TLS trains as one without. Each end refuses certificates that the
job's authority has not signed, with one line and soon; broken files are errors
of usage."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from any_size import COUNT
from job import DATA, GRAPH, Job, refused_usage, run
from launched import Launched
from row_model import make_samples, write_samples

FOLDER = pathlib.Path(sys.argv[1])
STEPS = ("--batch-size=6", "--steps=5", "--deterministic")
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)


def openssl(*arguments):
    old = os.umask(0o077)
    subprocess.run(["openssl", *map(str, arguments)], check=True, cwd=FOLDER,
                   stderr=subprocess.DEVNULL)
    os.umask(old)


def make_authority(name):
    openssl("req", "-x509", *CURVE, "-keyout", f"{name}.key", "-out",
            f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")


def make_certificate(name, authority, names, days=2):
    openssl("req", *CURVE, "-keyout", f"{name}.key", "-out", f"{name}.csr",
            "-subj", f"/CN={name}")
    (FOLDER / f"{name}.names").write_text(f"subjectAltName={names}\n")
    openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem",
            "-CAkey", f"{authority}.key", "-CAcreateserial", "-days", days,
            "-extfile", f"{name}.names", "-out", f"{name}.pem")


def tls(name, authority="ca"):
    return (f"--tls-cert={FOLDER}/{name}.pem", f"--tls-key={FOLDER}/{name}.key",
            f"--tls-ca={FOLDER}/{authority}.pem")


make_authority("ca")
make_authority("other")
make_certificate("good", "ca", "IP:127.0.0.1,DNS:localhost")
make_certificate("stranger", "other", "IP:127.0.0.1")
make_certificate("elsewhere", "ca", "DNS:elsewhere")


def model(folder):
    return (folder / "model.safetensors").read_bytes()


def trains():
    """Shared memory is used all the same; TCP beside TLS is not."""
    for name, flags in (("open", ()), ("closed", tls("good")),
                        ("tcp", (*tls("good"), "--transport=tcp"))):
        with Job(FOLDER / name, 2, 2) as job:
            for i in range(2):
                job.pserver(i, *flags)
            job.trainer(0, *STEPS, *flags, f"--save={FOLDER / name}")
            job.trainer(1, *STEPS, *flags)
            job.ends_well()
            text = job.processes[2].text()
            if flags:
                assert (f"{job.endpoints[0]}: "
                        f"{'gRPC' if name == 'tcp' else 'shared memory'}"
                        in text), text
                assert ("TLS: processes of other machines exchange all data "
                        "over gRPC" in job.processes[0].text())
        assert model(FOLDER / "open") == model(FOLDER / name)


def reduces():
    for name, flags in (("reduced", ()), ("reduced-tls", tls("good"))):
        run("ps-run", "launch", "--pservers=0", "--trainers=2", GRAPH, DATA,
            *STEPS, f"--log-dir={FOLDER}/log", f"--save={FOLDER / name}",
            *flags)
    assert model(FOLDER / "reduced") == model(FOLDER / "reduced-tls")


def resizes():
    """With the command that launch prints, for a shell."""
    folder = FOLDER / "it's resized"
    folder.mkdir()
    graph = folder / "graph.mlir"
    graph.write_text(COUNT)
    samples = write_samples(folder / "samples.txt", make_samples(96))
    job = Launched("job", folder, graph, f"--data={samples}",
                   "--pservers=1", "--trainers=1", "--global-batch-size=6",
                   "--steps=1000000000", "--elastic", "--checkpoint-every=100",
                   f"--checkpoint={folder}/checkpoints", *tls("good"))
    job.wait_for("Communicator start")
    command = re.search("^resize with: (.*) --pservers=N --trainers=N$",
                        job.text(), re.M)[1]
    out, _ = run("sh", "-c", f"{command} --trainers=2")
    assert "the job trains with 1 pserver and 2 trainers" in out, out
    job.signal(signal.SIGINT)
    assert job.end() == 130, job.text()


def fails(expected, server, trainer, seconds=20):
    """The trainer's error, long before --connect-timeout; then the right
    trainer's job is not disturbed."""
    with Job(FOLDER / "fails", 1, 1) as job:
        pserver = job.pserver(0, *server)
        pserver.wait_for("Server listening")
        begin = time.monotonic()
        wrong = job.trainer(0, *STEPS, *trainer)
        assert wrong.end() == 1, wrong.text()
        assert time.monotonic() - begin < seconds
        error = wrong.error()
        print(error)
        assert expected.format(job.endpoints[0]) in error, error
        job.processes.remove(wrong)
        if server == tls("good"):
            job.trainer(0, *STEPS, *server)
            job.ends_well()


def refuses():
    other = "something other than a pserver answers at {}: "
    fails(other + "it does not speak TLS", (), tls("good"))
    fails(other + "its certificate has expired, or is not signed by an "
          "authority in --tls-ca", tls("stranger"), tls("good"))
    fails(other + "its certificate is not for this address", tls("elsewhere"),
          tls("good"))
    fails("pserver {} closes the connection: its log may say why; if not, it "
          "refuses the certificate in --tls-cert", tls("good"),
          tls("stranger"))
    fails("pservers not ready within 3s: ['{}' (socket closed: does it use "
          "TLS?)]", tls("good"), ("--connect-timeout=3",))


def asks():
    with Job(FOLDER / "status", 1, 1) as job:
        endpoint, = job.endpoints
        job.pserver(0, *tls("good")).wait_for("Server listening")
        run("ps-run", "status", endpoint, *tls("good"))
        run("ps-run", "status", endpoint, *tls("stranger"), code=1)
        run("ps-run", "status", endpoint, code=1)


def reaches():
    """With TLS, other machines may connect."""
    with Job(FOLDER / "reaches", 1, 1) as job:
        port = job.endpoints[0].rsplit(":")[1]
        job.start("pserver", "--role=pserver", "--server=0",
                  f"--listen=0.0.0.0:{port}", *tls("good"))
        job.trainer(0, *STEPS, *tls("good"))
        job.ends_well()


def usage():
    role = (GRAPH, "--role=trainer", "--trainer-id=0")
    make_certificate("expired", "ca", "IP:127.0.0.1", days=-1)
    for command in (role, ("launch", GRAPH), ("status", "127.0.0.1:1")):
        refused_usage("--tls-key is missing: TLS needs --tls-cert, --tls-key "
                      "and --tls-ca", *command, tls("good")[0])
        refused_usage("--tls-cert: the certificate has expired", *command,
                      *tls("expired"))
    cert, key, authority = tls("good")
    garbage = FOLDER / "garbage.pem"
    garbage.write_text("-----BEGIN CERTIFICATE-----\nnonsense\n")
    garbage.chmod(0o600)
    refused_usage("--tls-cert: expected a certificate in PEM format", *role,
                  f"--tls-cert={garbage}", key, authority)
    refused_usage("--tls-key: expected a private key in PEM format, without a "
                  "password", *role, cert, f"--tls-key={garbage}", authority)
    refused_usage("--tls-ca: expected certificates in PEM format", *role, cert,
                  key, f"--tls-ca={garbage}")
    refused_usage("--tls-key: it is not the key of the certificate in "
                  "--tls-cert", *role, cert, tls("stranger")[1], authority)
    refused_usage(f"--tls-ca: cannot read '{FOLDER}/none.pem': No such file or "
                  "directory", *role, *tls("good", "none"))
    refused_usage("--tls-cert is for --role=pserver and --role=trainer only",
                  GRAPH, *tls("good"))


trains()
reduces()
resizes()
refuses()
asks()
reaches()
usage()
