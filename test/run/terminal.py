"""On a terminal, progress is one line that rewrites itself, with steps/s and
the time left; elsewhere, a plain line every --log-every steps, or so often. The
last lines show where the time went, and what the run leaves. A terminal is left
with the cursor on a line of its own, however a run ends."""
# RUN: %python %s %t

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from job import DATA, GRAPH, INPUTS, run

FOLDER = pathlib.Path(sys.argv[1])

COMMAND = ["ps-run", str(GRAPH), DATA, "--batch-size=6", "--threads=1"]


def on_terminal(*arguments, command=COMMAND, stop_after=None, columns=0,
                errors=None):
    """What appears, and the exit code; stderr may be a file."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([*command, *arguments], stdout=slave,
                               stderr=errors or slave)
    os.close(slave)
    shown, began = b"", time.monotonic()
    while True:
        try:
            shown += os.read(master, 1 << 16)
        except OSError:  # the last writer has gone
            break
        if stop_after and stop_after in shown:
            process.terminate()  # once: a second one would not wait
            stop_after = None
        assert time.monotonic() - began < 60, shown[-500:]
    os.close(master)
    return shown.decode(), process.wait()


shown, code = on_terminal("--steps=1000000000", stop_after=b"ETA")
assert code == 130, (code, shown)
lines = [line for line in shown.split("\r\n") if line]
assert len(lines) == 4, shown
for redrawn in lines[0].split("\r\x1b[K")[1:]:
    assert re.fullmatch(
        r"epoch \d+  step \d+/1000000000  loss \S+  \S+ steps/s  "
        r"\S+ examples/s  ETA [\d:]+", redrawn), redrawn
assert lines[1].startswith("stopped after "), shown
TIME = r"time  \S+ s(  \S+ \d+ %)+"
END = r"end  \d+ steps  \d+ examples"
assert re.fullmatch(TIME, lines[2]) and re.fullmatch(END, lines[3]), shown

shown, code = on_terminal("--steps=25",
                          f"--eval-data=csv:{INPUTS}/linear.csv")
assert code == 0, (code, shown)
lines = [line for line in shown.split("\r\n") if line]
assert re.fullmatch(r"(\r\x1b\[K.*)?epoch 0  eval  loss \S+", lines[0]), shown
assert lines[-4].startswith("\r\x1b[Kepoch 1  step 25/25  loss "), shown
assert re.fullmatch(r"epoch 1  eval  loss \S+", lines[-3]), shown
assert re.fullmatch(TIME, lines[-2]), shown
assert lines[-1] == "end  25 steps  150 examples", shown

out, _ = run(*COMMAND, "--steps=25", "--log-every=10")
*lines, where, last = out.splitlines()
assert re.fullmatch(TIME, where) and re.fullmatch(END, last), out
assert [re.search(r"step (\d+)/25", line)[1] for line in lines] == [
    "10", "20", "25"], out
assert "\r" not in out and "\x1b" not in out, out

# A narrow terminal has one row of it, which is cut.
shown, code = on_terminal("--steps=1000000000", stop_after=b"loss",
                          columns=40)
redrawn = shown.split("\r\n")[0].split("\r\x1b[K")[1:]
assert code == 130 and redrawn, shown
assert all(len(line) == 39 for line in redrawn), redrawn

FOLDER.mkdir(parents=True, exist_ok=True)

# Whatever a run ends with, also where its errors are in a file.
diverges = ["--set=learning_rate=#ps.piecewise_decay<boundaries = [50000], "
            "values = [0.01, 1.0e30]>", "--steps=1000000"]
with open(FOLDER / "errors", "w") as errors:
    shown, code = on_terminal(*diverges, errors=errors)
error = (FOLDER / "errors").read_text()
assert code == 1 and "ps-run: error: loss is " in error, (code, error)
assert re.search(r"^\r\x1b\[Kepoch .*\n$", shown, re.S), shown
shown, code = on_terminal(*diverges)
assert re.search(r"(^|\n|\x1b\[K)ps-run: error: loss is [^\n]*\r\n$", shown), shown

# Lines by time: the steps take less than a second, so the last is the only one.
out, _ = run(*COMMAND, "--steps=250", "--log-every=300s")
assert [line.split()[0] for line in out.splitlines()] == [
    "epoch", "time", "end"], out
out, _ = run(*COMMAND, "--steps=2500", "--log-every=1ms")
assert 3 < len(out.splitlines()) < 2500, out

# Under launch, too, with the lines of trainer 0.
launch = ["ps-run", "launch", "--pservers=1", "--trainers=2", str(GRAPH), DATA,
          "--batch-size=6", f"--log-dir={FOLDER}/log"]
shown, code = on_terminal("--steps=1000000000", command=launch,
                          stop_after=b"ETA")
assert code == 130, (code, shown)
assert re.search(r"\r\x1b\[Kepoch \d+  step \d+/1000000000  loss ", shown), shown
assert re.search(rf"\r\nstopped after .*\r\n{TIME}\r\n{END}\r\n$", shown), shown
out, _ = run(*launch, "--steps=12", "--log-every=4")
assert "\r" not in out and len(re.findall("^epoch ", out, re.M)) == 3, out
assert all("steps/s" in line for line in lines) and "ETA" in lines[0], out


def typed(text, *command):
    """The exit code of a command whose terminal `text` is typed at."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    os.write(terminal, text.encode() + b"\x04")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        readable, _, _ = select.select([terminal], [], [], 0.1)
        try:
            if readable and not os.read(terminal, 1 << 16):
                break
        except OSError:  # the last writer has gone
            break
    else:
        os.kill(child, signal.SIGKILL)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# The graph may be typed.
assert typed(GRAPH.read_text(), *("-" if word == str(GRAPH) else word
                                  for word in launch), "--steps=5") == 0
