# SPDX-License-Identifier: Apache-2.0
"""A trainer of another version is refused with a line that says so, and the job
waits for one of its own."""
# RUN: %python %s %t

import pathlib
import re
import sys

from job import INPUTS, Job
from proxy import Proxy

FOLDER = pathlib.Path(sys.argv[1])
header = INPUTS.parents[2] / "runtime/protocol/Wire.h"
VERSION = int(re.search(r"wireVersion = (\d+);", header.read_text())[1])
FLAGS = ("--batch-size=6", "--steps=3")


def hello(version):
    """The field of Hello, and the key of the next one."""
    return bytes((1 << 3, version, 4 << 3 | 2))


def other(data):
    return data.replace(hello(VERSION), hello(VERSION + 1))


with Job(FOLDER / "job", 1, 1) as job, Proxy(job.endpoints[0]) as proxy:
    pserver = job.pserver(0)
    pserver.wait_for("listening")
    proxy.edit = other
    stranger = job.trainer(0, f"--pserver-endpoints={proxy.endpoint}", *FLAGS)
    assert stranger.end() == 1, stranger.text()
    print(stranger.error())
    assert (f"pserver {proxy.endpoint} refuses trainer 0: expected version "
            f"{VERSION} of the protocol, found {VERSION + 1}"
            ) in stranger.error()
    job.trainer(0, *FLAGS).ends_well()
    pserver.ends_well()
