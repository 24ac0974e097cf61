# SPDX-License-Identifier: Apache-2.0
"""A link of a given rate in each direction, with a network namespace at its far
end. Needs root and iproute2."""

import contextlib
import os
import pathlib
import shutil
import subprocess

# Of this process: others may have links, too.
NAMESPACE = f"ps-bench-{os.getpid()}"
NEAR, FAR = f"psn{os.getpid()}", f"psf{os.getpid()}"
NEAR_ADDRESS, FAR_ADDRESS = (f"10.213.{os.getpid() % 250}.{end}"
                             for end in (1, 2))


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


def can_link():
    """Whether this user may have one."""
    if not shutil.which("tc"):
        return False
    name = f"{NAMESPACE}-try"
    try:
        for action in ("add", "delete"):
            subprocess.run(["ip", "netns", action, name], check=True,
                           capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


@contextlib.contextmanager
def link(rate):
    """The address at the far end, and what a command there begins with. Without
    a rate, loopback."""
    if not rate:
        yield "127.0.0.1", []
        return
    inside = ["ip", "netns", "exec", NAMESPACE]
    ip("netns", "add", NAMESPACE)
    try:
        ip("link", "add", NEAR, "type", "veth", "peer", "name", FAR, "netns",
           NAMESPACE)
        ip("addr", "add", f"{NEAR_ADDRESS}/24", "dev", NEAR)
        ip("link", "set", NEAR, "up")
        subprocess.run([*inside, "ip", "addr", "add", f"{FAR_ADDRESS}/24",
                        "dev", FAR], check=True)
        subprocess.run([*inside, "ip", "link", "set", FAR, "up"], check=True)
        for command, device in ((inside, FAR), ([], NEAR)):
            subprocess.run([*command, "tc", "qdisc", "add", "dev", device,
                            "root", "tbf", "rate", rate, "burst", "128kb",
                            "latency", "100ms"], check=True)
        yield FAR_ADDRESS, inside
    finally:
        ip("netns", "delete", NAMESPACE)


def listen_flags(inside):
    """Of a pserver at the far end: nothing on the link is encrypted."""
    return ["--insecure"] if inside else []


def moved():
    """Bytes that have come from the far end and gone there; none without a
    link."""
    counters = pathlib.Path(f"/sys/class/net/{NEAR}/statistics")
    return [int((counters / name).read_text())
            for name in ("rx_bytes", "tx_bytes") if counters.exists()]
