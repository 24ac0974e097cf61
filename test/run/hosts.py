# SPDX-License-Identifier: Apache-2.0
"""launch --hosts: processes that something else than ssh starts, which ignores
the machine; killed ones are started again, and no process outlives launch.

usage: hosts.py FOLDER
"""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import signal
import sys
import time

from job import DATA, GRAPH, Process, refused_usage, run, wait_until
from series import assert_saved_alike, newest_checkpoint, steps_of

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
SSH = FOLDER / "ssh"
# It dies with launch, the process that it has started does not; of one that a
# signal has ended it says 255, as ssh does.
SSH.write_text("""#!/bin/sh
echo "$1" >> "$0.hosts"
shift
sh -c "$*"
code=$?
[ $code -le 128 ] || code=255
exit $code
""")
SSH.chmod(0o755)
HOSTS = FOLDER / "hosts"
HOSTS.write_text("127.0.0.1 slots=2 # this machine\nlocalhost\n")
FLAGS = ("--pservers=2", "--trainers=2", DATA, "--batch-size=6", "--threads=1",
         "--deterministic", "--peer-timeout=6", f"--hosts={HOSTS}",
         f"--ssh={SSH}")


class Launched(Process):
    def __init__(self, name, *flags):
        self.logs = FOLDER / f"{name}-logs"
        super().__init__(name, FOLDER, "launch", GRAPH,
                         f"--log-dir={self.logs}", *FLAGS, *flags)

    def all_text(self):
        return self.text() + "".join(
            f"--- {path.name}\n{path.read_text(errors='replace')}"
            for path in self.logs.glob("latest/*log.*"))

    def processes(self):
        """Process ids of the roles that run, by their arguments."""
        found = {}
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                program = os.readlink(path / "exe")
                arguments = (path / "cmdline").read_bytes().decode().split("\0")
                entries = (path / "environ").read_bytes().decode().split("\0")
            except OSError:
                continue
            if not (program.endswith("/ps-run") and
                    "".join(arguments[1:2]).startswith(f"{self.logs}/")):
                continue
            role = "pserver" + "".join(
                a[len("--server="):] for a in arguments
                if a.startswith("--server="))
            for entry in entries:
                if entry.startswith("PADDLE_TRAINER_ID="):
                    role = "trainer" + entry.partition("=")[2]
            found[role] = int(path.name)
        return found

    def local_rank(self, role):
        environ = pathlib.Path(f"/proc/{self.processes()[role]}/environ")
        return re.search(r"LOCAL_RANK=(\d+)\0", environ.read_text())[1]

    def kill(self, role):
        os.kill(self.processes()[role], signal.SIGKILL)


def start_endless(name, *flags):
    job = Launched(name, "--steps=1000000000", *flags)
    wait_until(lambda: "Communicator start" in job.text() or
               job.process.poll() is not None, "the job trains")
    return job


def recovers():
    """Steps are taken for as long as processes are killed, and then as many as
    to the last checkpoint without any that is."""
    checkpoints = FOLDER / "checkpoints"
    job = start_endless("killed", f"--save={FOLDER}/model",
                        f"--checkpoint={checkpoints}",
                        "--checkpoint-every=100", "--max-restarts=1")
    assert sorted((FOLDER / "ssh.hosts").read_text().split()) == [
        "127.0.0.1"] * 4
    assert [job.local_rank(f"trainer{id}") for id in (0, 1)] == ["0", "1"]

    def await_checkpoint():
        before = newest_checkpoint(checkpoints)
        wait_until(lambda: newest_checkpoint(checkpoints) != before or
                   job.process.poll() is not None, "a checkpoint")
        assert job.process.poll() is None, job.all_text()

    for attempt, role in enumerate(("trainer1", "pserver0"), 2):
        await_checkpoint()
        job.kill(role)
        wait_until(lambda: f"recovered: attempt {attempt}, restart 1 of 1, from "
                   in job.text() or job.process.poll() is not None,
                   "the job goes on")
    await_checkpoint()
    job.signal(signal.SIGINT)
    assert job.end() == 130, job.all_text()
    assert len(re.findall("was killed, or its connection was lost: .*; starting "
                          "it again", job.text())) == 2, job.text()
    assert (FOLDER / "model" / "training.json").exists()
    newest = newest_checkpoint(checkpoints)
    quiet = Launched("quiet", f"--steps={steps_of(newest)}",
                     f"--save={FOLDER}/quiet-model")
    assert quiet.end() == 0, quiet.all_text()
    assert_saved_alike(checkpoints / newest, FOLDER / "quiet-model")


def ends_with_all():
    job = start_endless("killed-launch")
    assert len(job.processes()) == 4, job.all_text()
    job.process.kill()
    wait_until(lambda: not job.processes(), "all end with launch")


def stops():
    job = start_endless("stopped", f"--save={FOLDER}/stopped-model")
    job.signal(signal.SIGINT)
    assert job.end() == 130, job.all_text()
    assert (FOLDER / "stopped-model" / "training.json").exists()
    assert not job.processes()


def fails_without_restarts():
    job = start_endless("fails")
    job.kill("trainer0")
    assert job.end() == 1, job.all_text()
    assert "trainer 0" in job.error(), job.text()


def waits_for_a_machine():
    """That is away for a while; a process that only fails is given up."""
    away, fails, starts = (FOLDER / name for name in ("away", "fails", "starts"))
    ssh = FOLDER / "away-ssh"
    ssh.write_text(f"""#!/bin/sh
shift
case "$*" in *PADDLE_TRAINER_ID=1*)
  echo x >> {starts}
  [ ! -e {away} ] || exit 255
  [ ! -e {fails} ] || exit 1
esac
exec sh -c "$*"
""")
    ssh.chmod(0o755)
    job = start_endless("away", f"--ssh={ssh}", "--max-restarts=1",
                        f"--checkpoint={FOLDER}/away-checkpoints")
    away.touch()
    job.kill("trainer1")
    wait_until(lambda: len(starts.read_text().split()) == 4, "three are in vain")
    time.sleep(3)
    assert job.process.poll() is None, job.all_text()
    away.unlink()
    wait_until(lambda: "recovered: attempt 2" in job.text() or
               job.process.poll() is not None, "it is back")
    wait_until(lambda: job.text().count("Communicator start") == 2 or
               job.process.poll() is not None, "the job trains again")
    starts.unlink()
    fails.touch()
    job.kill("trainer1")
    assert job.end() == 1, job.all_text()
    assert "trainer 1 on 127.0.0.1 failed" in job.error(), job.text()
    assert len(starts.read_text().split()) == 4, job.text()


def waits_not_for_ever():
    """For a machine whose ssh hangs, nor after Ctrl-C."""
    hangs = FOLDER / "hangs"
    hangs.write_text("#!/bin/sh\nexec sleep 100\n")
    hangs.chmod(0o755)
    job = Launched("hangs", f"--ssh={hangs}", "--connect-timeout=1")
    assert job.end(timeout=30) == 1, job.all_text()
    assert job.error() == ("the job is not complete within 6s: pserver 0, "
                           "pserver 1, trainer 0 and 1 more did not join")
    job = Launched("hangs-stopped", f"--ssh={hangs}")
    job.wait_for("programs and logs")
    job.signal(signal.SIGINT)
    assert job.end(timeout=30) == 130, job.all_text()


def refuses():
    far = FOLDER / "far"
    far.write_text("10.0.0.7\n")
    refused_usage(
        "other machines can connect to 10.0.0.7:0, and nothing is encrypted: "
        "expected an address of the loopback interface, such as 127.0.0.1:0, "
        "TLS (--tls-cert, --tls-key, --tls-ca) or --insecure", "launch", GRAPH,
        *FLAGS[:-2], f"--hosts={far}", f"--log-dir={FOLDER}/refused-logs")
    refused_usage("--ssh is for --hosts only", "launch", GRAPH, DATA,
                  "--ssh=x")
    mixed = FOLDER / "mixed"
    mixed.write_text("localhost pservers=2\nalice@10.0.0.7 trainers=2\n")
    refused_usage(
        f"--hosts: {mixed}: processes on alice@10.0.0.7 cannot connect to those "
        "on localhost: expected a name that all machines know", "launch", GRAPH,
        *FLAGS[:-2], f"--hosts={mixed}", f"--log-dir={FOLDER}/refused-logs",
        "--insecure", "--listen=10.0.0.1:0")
    for listen, why in (
            ("127.0.0.1:0", "processes on 10.0.0.7 cannot connect to it: "
             "expected an address of this machine that they know"),
            ("0.0.0.0:0", "other processes get this address from the "
             "coordinator: expected one of this machine's that they can "
             "connect to")):
        refused_usage(
            f"--listen={listen}: {why}", "launch", GRAPH, *FLAGS[:-2],
            f"--hosts={far}", f"--log-dir={FOLDER}/refused-logs", "--insecure",
            f"--listen={listen}")
    # One of its commands ends at once, and starts nothing.
    idle = FOLDER / "idle"
    idle.write_text('#!/bin/sh\ncase "$*" in *--server=0*) exit 0;; esac\n'
                    'exec sleep 60\n')
    idle.chmod(0o755)
    _, err = run("ps-run", "launch", GRAPH, *FLAGS[:-1], f"--ssh={idle}",
                 f"--log-dir={FOLDER}/idle-logs", code=1)
    assert "pserver 0 on 127.0.0.1 ended before the job: " in err, err
    # What is missing on a machine is one line, and at once.
    blind = FOLDER / "blind"
    blind.write_text('#!/bin/sh\nshift\nsh -c "$(printf %s "$*" | sed "s:cd :cd /none:")"\n')
    blind.chmod(0o755)
    _, err = run("ps-run", "launch", GRAPH, *FLAGS[:-1], f"--ssh={blind}",
                 f"--log-dir={FOLDER}/blind-logs", code=1)
    assert (f"has no folder '{os.getcwd()}': launch --hosts expects the same "
            "files at the same paths on all machines") in err, err


recovers()
ends_with_all()
stops()
fails_without_restarts()
waits_for_a_machine()
waits_not_for_ever()
refuses()
