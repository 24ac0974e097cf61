# SPDX-License-Identifier: Apache-2.0
"""--recovery-log-replica: a pserver whose log is lost with its machine goes on
from the copy that a log replica has, to the same bytes; the replica may be
killed, and be away; and --recovery-log-sync."""
# RUN: %python %s %t

import pathlib
import shutil
import signal
import sys

from canonical import assert_same_files
from job import Process, free_endpoints, refused_usage, run, wait_until
from logged import LoggedJob, quiet_model

FOLDER = pathlib.Path(sys.argv[1])


class CopiedJob(LoggedJob):
    """Pserver 1 has a replica, whose folder is `copies`."""

    def __init__(self, name):
        super().__init__(FOLDER / name)
        self.address, = free_endpoints(1)
        self.copies = self.folder / "copies"
        self.copy = self.copies / "pserver_1"

    def replica(self):
        process = Process("replica", self.folder, "log-replica", self.copies,
                          f"--listen={self.address}")
        self.processes.append(process)
        process.wait_for("listening")
        return process

    def start_copied(self, *arguments):
        return self.start_all(f"--recovery-log-replica={self.address}",
                              *arguments)

    def lose_machine(self, pserver):
        """What pserver 1 has on its disk is gone."""
        self.lose(pserver)
        shutil.rmtree(f"{self.log}-1")

    def ends(self, replica):
        """All but the replica, which is stopped."""
        self.processes.remove(replica)
        self.ends_well()
        wait_until(lambda: not self.copy.exists(), "the copy is removed")
        replica.signal(signal.SIGINT)
        assert replica.end() == 130, replica.text()


def segments(folder):
    return [int(path.stem) for path in folder.glob("*.calls")]


def test_a_machine_is_lost(quiet):
    with CopiedJob("lost") as job:
        replica = job.replica()
        pserver, _ = job.start_copied()
        # After a checkpoint: the copy has lost its first segment, too.
        wait_until(lambda: min(segments(job.copy), default=1) > 1,
                   "another segment is copied, and the first is removed")
        job.lose_machine(pserver)
        again = job.pserver(1, f"--recovery-log={job.copy}")
        job.ends(replica)
        assert "recovered from " in again.text(), again.text()
        assert "keeps the log of pserver_1 in" in replica.text()
        assert_same_files(job.folder / "model", quiet)


def test_the_replica_is_lost(quiet):
    """It is started again and gets what it lacks, before the machine is lost."""
    with CopiedJob("replica") as job:
        replica = job.replica()
        pserver, _ = job.start_copied("--recovery-log-sync")
        wait_until(job.is_logging, "calls are logged")
        job.lose(replica)
        shutil.rmtree(job.copies)
        replica = job.replica()
        wait_until(lambda: max(segments(job.copy), default=1) > 1,
                   "another segment is copied")
        job.lose_machine(pserver)
        job.pserver(1, f"--recovery-log={job.copy}")
        job.ends(replica)
        assert_same_files(job.folder / "model", quiet)


def test_no_replica(quiet):
    """The job goes on without one, which stays away, and says so."""
    with CopiedJob("away") as job:
        job.flags += ("--peer-timeout=6s",)
        replica = job.replica()
        pserver, _ = job.start_copied()
        wait_until(job.is_logging, "calls are logged")
        job.lose(replica)
        job.ends_well()
        text = pserver.text()
        assert ("ps-run: warning: going on without a copy of the log until it "
                f"is back: no log replica answers at {job.address}: "
                in text), text
        assert "warning: the copy of the log is left: " in text, text
        assert_same_files(job.folder / "model", quiet)


def test_what_is_refused():
    with CopiedJob("refused") as job:
        replica = job.replica()
        pserver, trainers = job.start_copied()
        wait_until(job.is_logging, "calls are logged")
        for process in (pserver, *trainers, job.processes[1]):
            job.lose(process)
        # A log that has less than the copy.
        path = pathlib.Path(f"{job.log}-1")
        last = sorted(job.copy.glob("*.calls"))[-1]
        for segment in path.glob("*.calls"):
            if segment.name > last.name:
                segment.unlink()
        with open(path / last.name, "r+b") as file:
            file.truncate(last.stat().st_size - 1)
        again = job.pserver(1, f"--recovery-log-replica={job.address}")
        assert again.end() == 1
        assert again.error() == (
            f"the log replica at {job.address} has calls that the log in "
            f"'{path}' lacks: go on from the replica's folder of this "
            "pserver, with --recovery-log and --recover, or remove that"), again.error()
        # One that begins beside a copy of another run.
        shutil.rmtree(path)
        fresh = job.pserver(1, f"--recovery-log-replica={job.address}")
        assert fresh.end() == 1
        assert "has calls that the log in" in fresh.error(), fresh.error()
        assert not path.exists()
        # A trainer that takes the replica for a pserver.
        lost = job.start("lost", "--role=trainer", "--trainer-id=0",
                         "--pserver-endpoints="
                         f"{job.endpoints[0]},{job.address}",
                         "--connect-timeout=5s", *job.flags,
                         "--data=synthetic:ctr?n=10")
        assert lost.end() == 1, lost.text()
        job.processes.clear()
        replica.signal(signal.SIGTERM)
        replica.end()


def test_usage():
    graph = FOLDER / "refused" / "dist.mlir"
    for flag in "--recovery-log-sync", "--recovery-log-replica=host:1":
        refused_usage(f"{flag.split('=')[0]}: expected --recovery=log", graph,
                      "--role=pserver", "--server=0", flag)
    out, _ = run("ps-run", "log-replica", "--help")
    assert "--recovery-log-replica" in out
    _, error = run("ps-run", "log-replica", FOLDER / "copies", code=2)
    assert "--listen is required" in error, error
    _, error = run("ps-run", "log-replica", FOLDER / "copies",
                   "--listen=0.0.0.0:0", code=2)
    assert "--insecure" in error, error


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    quiet = quiet_model(FOLDER)
    test_a_machine_is_lost(quiet)
    test_the_replica_is_lost(quiet)
    test_no_replica(quiet)
    test_what_is_refused()
    test_usage()


main()
