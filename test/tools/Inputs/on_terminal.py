"""Runs a command whose output is a terminal, and prints what appears there."""

import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
