"""On a terminal, progress is one line that rewrites itself, with steps/s and
the time left; elsewhere, a plain line every --log-every steps. The last lines
show where the time went, and what the run leaves."""
# RUN: %python %s

import os
import pty
import re
import subprocess
import time

from job import DATA, GRAPH, INPUTS, run

COMMAND = ["ps-run", str(GRAPH), DATA, "--batch-size=6", "--threads=1"]


def on_terminal(*arguments, stop_after=None):
    """What appears, and the exit code."""
    master, slave = pty.openpty()
    process = subprocess.Popen([*COMMAND, *arguments], stdout=slave,
                               stderr=slave)
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
assert all("steps/s" in line for line in lines) and "ETA" in lines[0], out
