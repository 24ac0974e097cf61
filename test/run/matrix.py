"""Trains a small graph as a job of T trainers and S pservers and as one
process with T times the batch, and compares the variables: every number of
trainers and pservers, both ways of placing, sliced or whole, every optimizer.

  matrix.py GRAPH.mlir.in DATA.csv FOLDER [--launch]

--launch runs a few of the cells as processes over gRPC."""

import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys

GRAPH, DATA, FOLDER = sys.argv[1:4]
LAUNCH = "--launch" in sys.argv
FOLDER = pathlib.Path(FOLDER)
BATCH, STEPS, TOLERANCE = 6, 20, "1e-5"

OPTIMIZERS = {
    "sgd": "#ps.sgd<learning_rate = 0.05>",
    "momentum": "#ps.momentum<learning_rate = 0.05, momentum = 0.9>",
    "nesterov":
        "#ps.momentum<learning_rate = 0.05, momentum = 0.9, use_nesterov = true>",
}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n"
                         f"exit {done.returncode}\n{done.stdout}{done.stderr}")


def train(*arguments):
    run("ps-run", *arguments, f"--data=csv:{DATA}", f"--steps={STEPS}",
        "--seed=7", "--threads=1", "--shuffle")


def graph(optimizer):
    return FOLDER / f"{optimizer}.mlir"


def local(optimizer, trainers):
    train(graph(optimizer), f"--batch-size={BATCH * trainers}",
          f"--save={FOLDER}/{optimizer}-{trainers}")


def endpoints(pservers):
    return ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))


def cell(optimizer, trainers, pservers, method, slices):
    options = (f"split-method={method} slice-var-up={str(slices).lower()} "
               "min-block-size=12")
    name = f"{optimizer}-{trainers}-{pservers}-{method}-{slices}"
    saved = FOLDER / name
    if LAUNCH:
        train("launch", graph(optimizer), f"--trainers={trainers}",
              f"--pservers={pservers}", f"--transpile={options}",
              f"--log-dir={saved}-log", f"--batch-size={BATCH}",
              f"--save={saved}")
    else:
        program = FOLDER / f"{name}.mlir"
        run("ps-opt", graph(optimizer), "-o", program,
            f"--ps-transpile=pservers={endpoints(pservers)} "
            f"trainers={trainers} {options}")
        train(program, "--role=all", f"--batch-size={BATCH}",
              f"--save={saved}")
    run("ps-run", "compare", saved, FOLDER / f"{optimizer}-{trainers}",
        f"--tolerance={TOLERANCE}")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, attribute in OPTIMIZERS.items():
        text = pathlib.Path(GRAPH).read_text()
        graph(name).write_text(text.replace("OPTIMIZER", attribute))
    if LAUNCH:
        cells = [("momentum", 2, 2, "RoundRobin", True),
                 ("sgd", 3, 2, "HashName", False)]
    else:
        cells = list(itertools.product(
            OPTIMIZERS, (1, 2, 3), (1, 2, 3, 7), ("RoundRobin", "HashName"),
            (True, False)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for optimizer, trainers in sorted({c[:2] for c in cells}):
            pool.submit(local, optimizer, trainers).result()
        for future in [pool.submit(cell, *c) for c in cells]:
            future.result()
    print(f"{len(cells)} cells agree")


main()
