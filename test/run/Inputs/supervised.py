# SPDX-License-Identifier: Apache-2.0
"""The processes of a job with a coordinator, without a launch: something starts
each of them again when a signal has killed it."""

import atexit
import signal

from job import Process, free_endpoints, wait_until


class Supervised:
    """Roles are "scheduler", "pserver-0", .. and "trainer-0", ..: their numbers
    are no ranks, which the coordinator gives. With the address of a job in etcd
    there is no scheduler."""

    def __init__(self, folder, program, pservers, trainers, flags, scheduler=(),
                 etcd=None, env=None, options={}):
        self.folder, self.program, self.flags = folder, program, flags
        self.env, self.options = env, options  # All roles', and each one's own.
        self.folder.mkdir()
        self.address = etcd or free_endpoints(1)[0]
        self.scheduler_flags = (f"--pservers={pservers}",
                                f"--trainers={trainers}", *scheduler)
        self.processes, self.starts = {}, {}
        self.exited = {}
        self.lost = set()  # What nothing starts again.
        for role in (*(["scheduler"] if not etcd else []),
                     *(f"pserver-{n}" for n in range(pservers)),
                     *(f"trainer-{n}" for n in range(trainers))):
            self.start(role)

    def start(self, role):
        number = self.starts[role] = self.starts.get(role, 0) + 1
        if role == "scheduler":
            arguments = ("--role=scheduler", f"--listen={self.address}",
                         f"--scheduler-state={self.folder}/state.json",
                         *self.scheduler_flags)
        else:
            arguments = (self.program, f"--role={role.split('-')[0]}",
                         f"--coordinator={self.address}", *self.flags)
        self.processes[role] = Process(f"{role}-{number}", self.folder,
                                       *arguments, **{
                                           "env": self.env,
                                           **self.options.get(role, {})})
        atexit.register(self.processes[role].process.kill)

    def supervise(self):
        """Whether any runs."""
        for role, process in self.processes.items():
            code = process.process.poll()
            if code is not None and code < 0 and role not in self.lost:
                self.start(role)
            elif code is not None:
                self.exited.setdefault(role, code)
        return len(self.exited) < len(self.processes)

    def until(self, condition, what):
        def look():
            self.supervise()
            return condition() or len(self.exited) == len(self.processes)
        wait_until(look, what)
        assert condition(), self.text()

    def kill(self, role):
        """Whether it ran."""
        process = self.processes[role]
        runs = process.process.poll() is None
        process.signal(signal.SIGKILL)
        process.process.wait()
        return runs

    def text(self):
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')}"
                         for path in sorted(self.folder.glob("*.log")))

    def scheduler_log(self):
        return "".join(
            (self.folder / f"scheduler-{n + 1}.log").read_text()
            for n in range(self.starts["scheduler"]))

    def end(self):
        """The exit code of each role."""
        try:
            wait_until(self.has_ended, "all processes end")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.exited} have\n{self.text()}")
        return self.exited

    def has_ended(self):
        """A process that was killed on its way out is started again, and waits
        for a job that has completed: nobody is left to tell it."""
        runs = self.supervise()
        if self.exited.get("scheduler") == 0:
            for role in self.processes.keys() - self.exited.keys():
                if "no scheduler answers" in self.processes[role].text():
                    self.kill(role)
                    self.lost.add(role)
                    self.exited[role] = 0
        return not runs

    def ends_well(self):
        assert set(self.end().values()) == {0}, self.text()
