# SPDX-License-Identifier: Apache-2.0
"""Jobs of ps-run launch whose processes are killed."""

import os
import pathlib
import re
import signal

from job import Process, wait_until


def is_alive(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def role_of(pid):
    """"pserver1", "trainer0", "scheduler", by the log; None for what is no
    process of a job."""
    try:
        log = pathlib.Path(os.readlink(f"/proc/{pid}/fd/1")).name
    except OSError:
        return None
    role, _, number = log.partition(".")
    roles = {"serverlog": "pserver", "workerlog": "trainer",
             "schedulerlog": "scheduler"}
    return roles[role] + number if role in roles else None


class Launched(Process):
    """`ps-run launch`, with a folder of logs of its own."""

    def __init__(self, name, folder, *arguments, env=None):
        self.logs = folder / f"{name}-logs"
        super().__init__(name, folder, "launch", f"--log-dir={self.logs}",
                         *arguments, env=env)

    def children(self):
        """Role -> process id, of those that run."""
        pid = self.process.pid
        try:
            pids = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            return {}
        roles = {role_of(child): int(child) for child in pids.split()
                 if is_alive(child)}
        roles.pop(None, None)
        return roles

    def kill(self, role):
        """Whether there was such a process; of a launch no other is
        affected: a process that it has not reaped keeps its id."""
        pid = self.children().get(role)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
        return pid is not None

    def log_of(self, role):
        name = role.replace("pserver", "serverlog.").replace(
            "trainer", "workerlog.")
        return (self.logs / "latest" / name).read_text(errors="replace")

    def restarts(self):
        """What launch has said of each restart."""
        return re.findall(r"^ps-run: warning: (.*; restart \d+ of .*)$",
                          self.text(), re.M)

    def wait_for_restart(self, number):
        wait_until(lambda: len(self.restarts()) >= number or
                   self.process.poll() is not None, f"restart {number}")
        assert len(self.restarts()) == number, self.text()

    def ends_with_all(self, timeout=30):
        """Its exit code; its processes end with it."""
        children = self.children().values()
        code = self.end(timeout)
        wait_until(lambda: not any(map(is_alive, children)),
                   "its processes end", 10)
        return code
