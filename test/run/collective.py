# SPDX-License-Identifier: Apache-2.0
"""Trainers that are processes of their own reduce gradients among themselves:
such a job, with or without pservers, equals one process with the whole batch,
and --deterministic gives the same bits in every run. A trainer that is killed
or runs with other options ends the job with a line that names it."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from job import DATA, DEADLINE, INPUTS, run, wait_until

FOLDER = pathlib.Path(sys.argv[1])
BATCH, STEPS, TOLERANCE = 2, 6, "1e-5"
OPTIMIZER = "#ps.momentum<learning_rate = 0.05, momentum = 0.9>"
TEXT = (INPUTS / "linear.mlir.in").read_text().replace("OPTIMIZER", OPTIMIZER)
HYBRID = re.sub(r"(ps.variable @(?:a_w|b_b) .*)", r"\1 {sync = all_reduce}",
                TEXT)


def flags(batch, saved):
    return [DATA, f"--steps={STEPS}", "--seed=7", "--threads=1", "--shuffle",
            f"--batch-size={batch}", f"--save={saved}"]


def write(name, text):
    path = FOLDER / name
    path.write_text(text)
    return path


def launch(name, text, trainers, *options):
    saved = FOLDER / name
    run("ps-run", "launch", write(f"{name}.mlir", text),
        f"--trainers={trainers}", f"--log-dir={FOLDER}/log", *options,
        *flags(BATCH, saved))
    return saved


def compare(job, expected, tolerance=TOLERANCE):
    run("ps-run", "compare", job, expected, f"--tolerance={tolerance}")


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
graph = write("graph.mlir", TEXT)
for trainers in (2, 3):
    local = FOLDER / f"local{trainers}"
    run("ps-run", graph, *flags(BATCH * trainers, local))
    compare(launch(f"job{trainers}", TEXT, trainers, "--pservers=0"), local)
    compare(launch(f"buckets{trainers}", TEXT, trainers,
                   "--transpile=mode=collective bucket-bytes=1"), local)
    compare(launch(f"hybrid{trainers}", HYBRID, trainers, "--pservers=2",
                   "--transpile=min-block-size=12"), local)
    compare(launch(f"accumulate{trainers}", TEXT, trainers, "--pservers=0",
                   "--transpile=accumulate=3"),
            launch(f"hybrid-accumulate{trainers}", HYBRID, trainers,
                   "--transpile=min-block-size=12 accumulate=3"))
    first, second = (launch(f"bits{trainers}-{number}", TEXT, trainers,
                            "--pservers=0", "--deterministic")
                     for number in (1, 2))
    compare(first, second, 0)

# By hand, with an address file.
program = FOLDER / "dist.mlir"
run("ps-opt", graph, "-o", program,
    "--ps-transpile=mode=collective trainers=2")


def start(name, *options):
    addresses = FOLDER / f"{name}.addresses"
    processes = []
    for trainer in (0, 1):
        log = open(FOLDER / f"{name}.{trainer}.log", "w+")
        processes.append((subprocess.Popen(
            ["ps-run", program, "--role=trainer", f"--trainer-id={trainer}",
             f"--address-file={addresses}", DATA, "--batch-size=2",
             "--log-every=20", *options[trainer]], stdout=log, stderr=log),
            log))
    return processes


def end(process, log):
    code = process.wait(timeout=DEADLINE)
    log.seek(0)
    text = log.read()
    errors = re.findall("ps-run: error: (.*)", text)
    assert code == 1 and errors, (code, text)
    return errors[-1]


many = ["--steps=1000000"]
(survivor, log), (victim, other) = start("killed", many, many)
limit = time.monotonic() + DEADLINE
while "steps/s" not in pathlib.Path(log.name).read_text():
    assert time.monotonic() < limit, "the job does not start"
    time.sleep(0.02)
victim.send_signal(signal.SIGKILL)
victim.wait()
error = end(survivor, log)
assert re.match(r"(.*: )?(all_reduce|sum) \d+ of step \d+: lost the connection "
                r"to trainer 1", error), error

# The other one waits for a trainer that agrees.
seeds = start("seeds", *(["--steps=3", f"--seed={seed}"] for seed in (1, 2)))
refusal = re.compile("ps-run: error: .*refuses trainer.*--seed")
try:
    wait_until(lambda: any(
        refusal.search(pathlib.Path(log.name).read_text()) for _, log in seeds),
               "a trainer was refused")
finally:
    for process, _ in seeds:
        process.kill()
        process.wait()

_, err = run("ps-run", program, "--role=trainer", "--trainer-id=0", DATA,
             code=2)
assert "--trainer-endpoints is missing" in err, err
