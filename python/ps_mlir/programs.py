# SPDX-License-Identifier: Apache-2.0
"""Finds ps-opt and ps-run, and runs them."""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import weakref


# What ps-run exits with when it has stopped in order, and saved.
INTERRUPTED = 130

# The programs whose lifeline this process may hold.
_running = weakref.WeakSet()


def _leave_to_parent():
    """A process that is forked does not keep programs of this one running."""
    for program in list(_running):
        program.drop_lifeline()


os.register_at_fork(after_in_child=_leave_to_parent)


class JobError(Exception):
    """A program failed; the message is the error that it printed."""


def find_program(name):
    """The path of a program: in PS_MLIR_BIN, in this package, on the PATH, or
    in the build folder of the checkout that this package is in."""
    package = pathlib.Path(__file__).resolve().parent
    folders = [os.environ.get("PS_MLIR_BIN"), package / "bin"]
    for folder in filter(None, folders):
        if (pathlib.Path(folder) / name).exists():
            return str(pathlib.Path(folder) / name)
    found = shutil.which(name)
    if found:
        return found
    built = package.parents[1] / "build" / "dev" / "bin" / name
    if built.exists():
        return str(built)
    raise FileNotFoundError(
        f"{name} is not installed: put the folder that holds it on the PATH, "
        "or into the environment variable PS_MLIR_BIN")


class Program:
    """A running program whose output is read while it runs.

    `on_line` gets each line of its standard output, and `on_message` of its
    standard error; both are called on threads of their own. wait() raises
    JobError if the program fails. interrupt() has the program save and stop.
    Ctrl-C does, too, also where SIGINT is ignored; a second one kills it.
    Before, `on_interrupt` is called. If this process dies, the program saves
    and stops as well: its standard input then ends. stop() comes last.
    """

    def __init__(self, command, on_line, on_message,
                 on_interrupt=lambda: None):
        self.on_interrupt = on_interrupt
        self.is_interrupted = False
        read_end, self.lifeline = os.pipe()
        _running.add(self)
        try:
            # A session of its own, or a terminal would send SIGINT as well.
            self.process = subprocess.Popen(
                command, stdin=read_end, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, errors="replace",
                start_new_session=True,
                env={**os.environ, "PS_STOP_WITH_STDIN": "1"})
        except BaseException:
            self.drop_lifeline()
            raise
        finally:
            os.close(read_end)
        self.errors = []
        self.on_message = on_message
        self.readers = [
            threading.Thread(target=self._read, daemon=True,
                             args=(self.process.stdout, on_line)),
            threading.Thread(target=self._read, daemon=True,
                             args=(self.process.stderr, self._note_error))]
        for reader in self.readers:
            reader.start()

    def wait(self):
        """Returns whether Ctrl-C has stopped the program."""
        try:
            self.process.wait()
            has_seen_ctrl_c = False
        except KeyboardInterrupt:
            self._stop_for_ctrl_c()
            has_seen_ctrl_c = True
        for reader in self.readers:
            reader.join()
        code = self.process.returncode
        if code and not has_seen_ctrl_c and not (self.is_interrupted and
                                                 code == INTERRUPTED):
            raise JobError(self._describe_failure())
        return has_seen_ctrl_c

    def interrupt(self):
        """Has the program save and stop. Thread-safe."""
        self.is_interrupted = True
        self.on_interrupt()
        self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Kills the program if it runs still."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.drop_lifeline()

    def drop_lifeline(self):
        """Closes this process' end of the program's standard input."""
        if self.lifeline is not None:
            os.close(self.lifeline)
        self.lifeline = None

    def _stop_for_ctrl_c(self):
        self.interrupt()
        try:
            self.process.wait()
        except KeyboardInterrupt:
            self.stop()

    def _describe_failure(self):
        failures = [line for line in self.errors if "error: " in line]
        if len(failures) > 1 and "error: cannot transpile" in failures[-1]:
            return failures[0].partition("error: ")[2]  # the compiler's
        if failures:
            return failures[-1].removeprefix("ps-run: error: ")
        last = self.errors[-1] if self.errors else "it printed nothing"
        return f"ps-run ended with code {self.process.returncode}: {last}"

    def _note_error(self, line):
        self.errors.append(line)
        self.on_message(line)

    @staticmethod
    def _read(stream, on_line):
        with stream:
            for line in stream:
                on_line(line.rstrip("\n"))
