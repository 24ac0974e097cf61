"""Both families of environment variables choose the roles of a job, are
checked against the program, and give way to flags."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import sys

from job import (DATA, GRAPH, Job, Process, free_endpoints, refused_usage,
                 run)

FOLDER = pathlib.Path(sys.argv[1])
CLEAN = dict(os.environ)
STEPS = ("--batch-size=6", "--steps=5")


def start(job, name, env, *arguments):
    return job.start(name, *arguments, env=CLEAN | env)


def paddle():
    with Job(FOLDER / "paddle", 2, 2) as job:
        common = {"PADDLE_PSERVERS_IP_PORT_LIST": ",".join(job.endpoints),
                  "PADDLE_TRAINERS_NUM": "2"}
        for i, endpoint in enumerate(job.endpoints):
            host, port = endpoint.split(":")
            start(job, f"pserver{i}", common | {
                "TRAINING_ROLE": "PSERVER", "POD_IP": host,
                "PADDLE_PORT": port})
        for i in (0, 1):
            start(job, f"trainer{i}", common | {
                "TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": str(i)},
                DATA, *STEPS)
        job.ends_well()
        for i in (0, 1):
            assert (f"Server listening on {job.endpoints[i]}" in
                    job.processes[i].text())
            assert (f"init rpc client with trainer_id {i}" in
                    job.processes[2 + i].text())


def ms():
    """Programs with addresses need no scheduler, nor do flags with ranks."""
    with Job(FOLDER / "ms", 1, 2) as job:
        common = {"MS_SERVER_NUM": "1", "MS_WORKER_NUM": "2",
                  "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": "6667"}
        start(job, "pserver", common | {"MS_ROLE": "MS_PSERVER"},
              f"--endpoint={job.endpoints[0]}")
        for i in (0, 1):
            start(job, f"trainer{i}", common | {"MS_ROLE": "MS_WORKER"},
                  f"--trainer-id={i}", DATA, *STEPS)
        job.ends_well()


def ms_addresses():
    """Nor do trainers whose addresses are given."""
    folder = FOLDER / "ms-addresses"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = folder / "dist.mlir"
    run("ps-opt", GRAPH, "-o", program,
        "--ps-transpile=trainers=2 mode=collective")
    address, *endpoints = free_endpoints(3)
    host, port = address.split(":")
    env = CLEAN | {"MS_ROLE": "MS_WORKER", "MS_SCHED_HOST": host,
                   "MS_SCHED_PORT": port}
    trainers = [
        Process(f"trainer{i}", folder, program, DATA, *STEPS,
                f"--trainer-id={i}",
                f"--trainer-endpoints={','.join(endpoints)}", env=env)
        for i in (0, 1)]
    for trainer in trainers:
        trainer.ends_well()


def ms_graph():
    """All roles by one command, which has the graph and options for it."""
    folder = FOLDER / "ms-graph"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    address, = free_endpoints(1)
    host, port = address.split(":")
    env = CLEAN | {"MS_SERVER_NUM": "1", "MS_WORKER_NUM": "1",
                   "MS_SCHED_HOST": host, "MS_SCHED_PORT": port}
    processes = [
        Process(role, folder, GRAPH, DATA, *STEPS, "--transpile=mode=async",
                env=env | {"MS_ROLE": role})
        for role in ("MS_SCHED", "MS_PSERVER", "MS_WORKER")]
    for process in processes:
        process.ends_well()
    with Job(folder / "programs", 1, 1) as job:
        refused_usage("--transpile is for a graph, the file holds the programs "
                      "of a job", job.program, DATA, "--transpile=mode=async",
                      env=env | {"MS_ROLE": "MS_WORKER"})


def flags_win():
    with Job(FOLDER / "flags", 2, 1) as job:
        start(job, "pserver0", {"TRAINING_ROLE": "TRAINER"}, "--role=pserver",
              f"--endpoint={job.endpoints[0]}")
        start(job, "pserver1", {"TRAINING_ROLE": "PSERVER", "POD_IP": "here",
                                "PADDLE_PORT": "1"},
              f"--endpoint={job.endpoints[1]}")
        start(job, "trainer", {"MS_ROLE": "MS_PSERVER",
                               "PADDLE_TRAINER_ID": "7"},
              "--role=trainer", "--trainer-id=0", DATA, *STEPS)
        job.ends_well()


def local_runs_ignore_it():
    run("ps-run", GRAPH, "--role=local", DATA, *STEPS,
        env=CLEAN | {"TRAINING_ROLE": "PSERVER", "PADDLE_TRAINERS_NUM": "x"})


def refused():
    def usage(message, **env):
        refused_usage(message, job.program, DATA, env=CLEAN | env)

    with Job(FOLDER / "refused", 2, 2) as job:
        here, there = job.endpoints
        usage("TRAINING_ROLE='BOSS' is none of TRAINER and PSERVER",
              TRAINING_ROLE="BOSS")
        usage("MS_ROLE='BOSS' is none of MS_WORKER, MS_PSERVER and MS_SCHED",
              MS_ROLE="BOSS")
        usage("trainer id 5 is out of range, the job has 2 trainers",
              TRAINING_ROLE="TRAINER", PADDLE_TRAINER_ID="5")
        usage("PADDLE_TRAINER_ID='x' is not a number",
              TRAINING_ROLE="TRAINER", PADDLE_TRAINER_ID="x")
        usage("the environment names trainers 3, the program 2",
              TRAINING_ROLE="TRAINER", PADDLE_TRAINER_ID="0",
              PADDLE_TRAINERS_NUM="3")
        usage(f"the environment names pservers {here}, the program "
              f"{here},{there}", TRAINING_ROLE="TRAINER",
              PADDLE_TRAINER_ID="0", PADDLE_PSERVERS_IP_PORT_LIST=here)
        usage("the environment names pservers 3, the program 2",
              MS_ROLE="MS_WORKER", MS_SERVER_NUM="3")
        usage("MS_WORKER_NUM=7: another variable says 2",
              TRAINING_ROLE="TRAINER", PADDLE_TRAINER_ID="0",
              PADDLE_TRAINERS_NUM="2", MS_WORKER_NUM="7")
        usage("the environment names trainers 1, the program 2",
              MS_ROLE="MS_WORKER", MS_WORKER_NUM="1")
        usage(f"--endpoint is missing, the file holds {here}, {there}",
              TRAINING_ROLE="PSERVER", POD_IP="127.0.0.1")
        usage("the file holds no program for pserver '127.0.0.1:1', only for "
              f"{here}, {there}", TRAINING_ROLE="PSERVER", POD_IP="127.0.0.1",
              PADDLE_PORT="1")


paddle()
ms()
ms_addresses()
ms_graph()
flags_win()
local_runs_ignore_it()
refused()
