"""expect.py CODE COMMAND...: runs a command that must end with CODE within a
minute, and prints what it says. When it must fail, its last line on stderr is
its only error, in one line."""

import subprocess
import sys

code, command = int(sys.argv[1]), sys.argv[2:]
done = subprocess.run(command, capture_output=True, text=True, timeout=60)
print(done.stdout + done.stderr, end="")
errors = [line for line in done.stderr.splitlines()
          if line.startswith("ps-run: error: ")]
if done.returncode != code:
    sys.exit(f"exit {done.returncode}, expected {code}")
if code in (1, 2) and (len(errors) != 1 or
                       not done.stderr.endswith(errors[0] + "\n")):
    sys.exit("expected one line 'ps-run: error: ...' at the end of stderr")
