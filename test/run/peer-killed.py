"""When a process of a job is killed, every other one ends with 1 at once, by the
end of its connection, and says who, what it was waiting for, and at which step.
One that is stopped is given up within the peer timeout."""
# RUN: %python %s %t

import pathlib
import re
import signal
import sys
import time

from job import Job

FOLDER = pathlib.Path(sys.argv[1])
# Of jobs one of whose processes is killed, and of those where it is stopped,
# which take that long.
TIMEOUT, STOPPED_TIMEOUT = 24, 8


def start(name, timeout=TIMEOUT):
    job = Job(FOLDER / name, pservers=2, trainers=2)
    flags = (f"--peer-timeout={timeout}", "--steps=1000000000",
             "--batch-size=6", "--log-every=20")
    for index in (0, 1):
        job.pserver(index, f"--peer-timeout={timeout}")
        job.trainer(index, *flags)
    job.processes[1].wait_for("steps/s")  # trainer 0 is in its steps
    return job


def kill(job, name):
    victim = next(p for p in job.processes if p.name == name)
    victim.signal(signal.SIGKILL)
    began = time.monotonic()
    others = [p for p in job.processes if p is not victim]
    for other in others:
        code = other.end(2 * TIMEOUT)
        assert code == 1, f"{other.name} ended with {code}:\n{other.text()}"
    took = time.monotonic() - began
    # Silence is noticed after three quarters of it.
    assert took <= TIMEOUT / 2, f"the others took {took:.1f} s"
    print(f"the others ended {took:.2f} s after {name}")
    for other in others:
        print(f"{other.name}: {other.error()}")
    return others


def stop_and_go_on(job, name):
    """Stops a process until all others have given it up, then lets it go on."""
    victim = next(p for p in job.processes if p.name == name)
    victim.signal(signal.SIGSTOP)
    for other in job.processes:
        if other is not victim:
            assert other.end() == 1, other.text()
    victim.signal(signal.SIGCONT)
    assert victim.end() == 1, victim.text()
    print(f"{name}: {victim.error()}")
    return victim.error()


with start("pserver") as job:
    for other in kill(job, "pserver1"):
        error = other.error()
        assert job.endpoints[1] in error, error
        assert re.search(r"blocks? '\w+", error), error
        assert re.search(r"step \d+", error), error

with start("trainer") as job:
    for other in kill(job, "trainer1"):
        error = other.error()
        assert "trainer 1" in error, error
        assert re.search(r"blocks? '\w+", error), error
        assert re.search(r"step \d+", error), error

# It does not accuse trainers without a word on what it did itself.
with start("stopped-pserver", STOPPED_TIMEOUT) as job:
    error = stop_and_go_on(job, "pserver1")
    assert re.search(r"after this pserver had been suspended for \d+", error), error

# It learns from those that are left, and accuses no pserver that has gone.
with start("stopped-trainer", STOPPED_TIMEOUT) as job:
    error = stop_and_go_on(job, "trainer1")
    assert not re.search(r"pserver \S+ has been silent", error), error
