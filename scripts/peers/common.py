# SPDX-License-Identifier: Apache-2.0
"""What the parts of bench-peers.sh share: contestants, lines of the table, and
processes of peers."""

import dataclasses
import os
import pathlib
import socket
import subprocess
import sys
from typing import Callable

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path += [str(ROOT / "scripts"), str(ROOT / "test" / "benchmarks")]
import benchmark_document  # noqa: E402: in the folders just added
import job  # noqa: E402
from environments import NotRun  # noqa: E402

OURS = "ps-mlir"
PEER_DEADLINE = 180


@dataclasses.dataclass
class Contestant:
    """Who is measured. Its name is PART/WHO WHAT."""
    name: str
    # One run: figures by name. Raises NotRun.
    run: Callable
    # Needs our build.
    is_ours: bool = False


@dataclasses.dataclass
class Line:
    """One of the table. `floor` is in the line's unit, and so is `ours`: our
    figure for the same work, in a line of somebody else."""
    part: str
    what: str
    who: str
    value: float
    unit: str
    floor: float
    floor_is: str
    ours: float = None
    # Less is better.
    is_time: bool = False

    @property
    def share(self):
        """Of the floor, in percent; None without one."""
        if not self.floor:
            return None
        part = self.value / self.floor
        return 100 * (1 / part if self.is_time else part)


@dataclasses.dataclass
class Setting:
    """What a run may use."""
    # Holds bin/ and test/benchmarks/.
    build: pathlib.Path
    folder: pathlib.Path
    environments: object
    is_quick: bool

    @property
    def bin(self):
        return str(self.build / "bin")


def cores():
    return sorted(os.sched_getaffinity(0))


def pick_core(role):
    return cores()[role % len(cores())]


def peer_environment():
    """One thread for each library; the processor as it is, which the machine's
    settings for an older OpenBLAS may hide."""
    found = {name: value for name, value in os.environ.items()
             if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    return found | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
                    "OPENBLAS_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo",
                    "PYTHONPATH": str(HERE),
                    "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


def find_ports(count):
    """Ports of loopback that are free now, for peers that choose none."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def run_peers(roles, helpers=()):
    """Runs processes, each (command, environment, core), until all `roles` have
    ended; `helpers` never end by themselves. Returns the sum of the rates that
    were printed."""
    processes = []

    def start(command, more, core):
        processes.append(job.Process(command, core, peer_environment() | more))
        return processes[-1]

    try:
        for helper in helpers:
            start(*helper)
        waited = [start(*role) for role in roles]
        job.wait_for(waited, PEER_DEADLINE)
    except job.Failure as error:
        raise NotRun(str(error)) from error
    finally:
        for process in processes:
            process.kill()
    rates = [float(line.split()[1]) for process in waited
             for line in process.lines if line.startswith("rate ")]
    if not rates:
        raise NotRun("it printed no rate")
    return sum(rates)


def run_ours(**arguments):
    try:
        return job.run(job.Job(pin=True, **arguments))
    except job.Failure as error:
        raise NotRun(str(error)) from error


def run_program(setting, name, *arguments, deadline=600):
    """The figures that a program of test/benchmarks prints, by their names."""
    program = setting.build / "test" / "benchmarks" / name
    try:
        done = subprocess.run([program, *arguments], capture_output=True,
                              text=True, timeout=deadline,
                              stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotRun(str(error)) from error
    if done.returncode:
        raise NotRun(f"{name} ended with {done.returncode}")
    rows, _ = benchmark_document.parse_output(done.stdout)
    return {(row.what, row.unit): row.value for row in rows}
