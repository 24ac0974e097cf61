# SPDX-License-Identifier: Apache-2.0
"""etcd on this machine, and the jobs whose records it holds."""

import base64
import json
import subprocess
import urllib.request

from job import free_endpoints, wait_until


class Etcd:
    """Some members, with their logs and data in `folder`."""

    def __init__(self, folder, members=3):
        self.folder = folder
        addresses = free_endpoints(2 * members)
        self.clients, self.peers = addresses[:members], addresses[members:]
        self.members = [None] * members
        for index in range(members):
            self.start(index)
        for index in range(members):
            wait_until(lambda: b"ready to serve client requests" in
                       (folder / f"etcd{index}.log").read_bytes(), "etcd serves")

    def start(self, index):
        with open(self.folder / f"etcd{index}.log", "ab") as log:
            self.members[index] = subprocess.Popen(
                ["etcd", f"--name=m{index}",
                 f"--data-dir={self.folder}/etcd{index}", "--unsafe-no-fsync",
                 f"--listen-client-urls=http://{self.clients[index]}",
                 f"--advertise-client-urls=http://{self.clients[index]}",
                 f"--listen-peer-urls=http://{self.peers[index]}",
                 f"--initial-advertise-peer-urls=http://{self.peers[index]}",
                 "--initial-cluster=" + ",".join(
                     f"m{i}=http://{peer}" for i, peer in enumerate(self.peers))],
                stdout=log, stderr=log)

    def address(self, job):
        """The --coordinator of a job."""
        return f"etcd://{','.join(self.clients)}/{job}"

    def kill(self, index):
        self.members[index].kill()
        self.members[index].wait()

    def end(self):
        for member in self.members:
            member.kill()
            member.wait()

    def read(self, job):
        """The bytes of the job's record; none before there is one."""
        key = base64.b64encode(f"/ps/{job}/record".encode()).decode()
        with urllib.request.urlopen(
                f"http://{self.clients[0]}/v3/kv/range",
                json.dumps({"key": key}).encode(), timeout=10) as answer:
            found = json.load(answer).get("kvs", [])
        return base64.b64decode(found[0]["value"]) if found else b""
