"""A pserver that refuses connections for some seconds, after the connections of
a trainer were cut, ends no job: the trainer says that it tries again and when
it has succeeded, and the model is that of a job that was not disturbed."""
# RUN: %python %s %t

import pathlib
import shutil
import signal
import sys
import time

from job import Job
from proxy import Proxy

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
REFUSAL = 5  # seconds
FLAGS = ("--batch-size=6", "--log-every=100")


def train(name, disturb, *flags, steps=1000000000):
    """The model, and how many steps it has; a job that is disturbed is
    stopped after that."""
    flags = (*FLAGS, f"--steps={steps}", *flags)
    with Job(FOLDER / name, pservers=2, trainers=2) as job, \
            Proxy(job.endpoints[0]) as first, \
            Proxy(job.endpoints[1]) as second:
        for index in (0, 1):
            job.pserver(index)
        ends = f"--pserver-endpoints={first.endpoint},{second.endpoint}"
        behind = job.trainer(0, ends, *flags,
                             f"--save={job.folder / 'model'}")
        job.trainer(1, *flags)
        behind.wait_for("steps/s")
        if disturb:
            assert first.refuse() > 0
            time.sleep(REFUSAL)
            assert behind.process.poll() is None, behind.text()
            first.accept()
            behind.wait_for("is back after")
            behind.goes_on()
        if disturb:
            # The job stops with it.
            job.processes[0].signal(signal.SIGTERM)
            codes = [each.end() for each in job.processes]
            assert codes == [130] * 4, codes
            text = behind.text()
            steps = behind.steps_taken()
            lost = f"connection to pserver {first.endpoint} lost, retrying for"
            assert text.count(lost) == 1, text
            back = f"connection to pserver {first.endpoint} is back after"
            assert text.count(back) == 1, text
        else:
            job.ends_well()
        model = job.folder / "model" / "model.safetensors"
        return model.read_bytes(), steps


disturbed, steps = train("disturbed", True, "--transport=grpc")
assert disturbed == train("quiet", False, steps=steps)[0]
# Where memory is shared, all but heartbeats goes on.
train("heartbeats", True)
