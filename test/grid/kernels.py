# SPDX-License-Identifier: Apache-2.0
"""Compares every kernel of the examples and of test/check, those of random
graphs, and those of Inputs/ as a grid of threads with the same kernel for the
host; those of Inputs/rows.mlir with rows of many widths, and with NaN and
infinities, too.

usage: kernels.py FOLDER [--graphs=N] [--seed=TEXT]
                  [--interpret | --ptxas=PROGRAM] [--chip=CHIP]

With --interpret, the grid is the PTX for CHIP, interpreted.
With --ptxas, that program assembles the PTX of all of them for CHIP instead, and
that of the same kernels for rows of tables. ptxas takes vectors at any place;
that shared memory is aligned for them is asked here."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

# Of one thread, of part of a warp, of a warp and of a block: each at its ends,
# and what no row function takes.
WIDTHS = [1, 2, 10, 31, 33, 128, 1000, 1023, 1024, 1025, 8191, 8192, 8193]

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/fuzz"))
from random_graph import random_graph, random_job  # noqa: E402


def run(*command):
    done = subprocess.run([str(each) for each in command], text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def write_random_graphs(folder, options):
    folder.mkdir(exist_ok=True)
    for number in range(options.graphs):
        word = f"{options.seed}-{number}"
        rng = random.Random(word)
        text, _ = random_graph(rng, random_job(rng))
        path = folder / f"{word}.mlir"
        path.write_text(text)
        yield path, "batch-size=8"


def find_graphs():
    for path in sorted((ROOT / "examples").glob("*/*.mlir")):
        yield path, "batch-size=16"
    for name in ("dcnv2", "mnist_mlp"):
        yield (ROOT / f"examples/{name}/{name}.mlir",
               "batch-size=16 device=true bf16-products=true")
    for path in sorted((ROOT / "test/check").rglob("*.mlir")):
        if "split-file" not in path.read_text():
            yield path, "function=main"


def compile_all(graphs, folder):
    """The files with the kernels of `graphs`."""
    folder.mkdir(exist_ok=True)

    def compile_one(job):
        path, options = job
        kind = "bf16-" if "bf16-products" in options else ""
        target = folder / f"{kind}{path.parent.name}-{path.name}"
        run("ps-opt", path, f"--ps-compile={options}", "-o", target)
        return target

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compile_one, graphs))


def write_rows(folder):
    """Inputs/rows.mlir with rows of every width."""
    folder.mkdir(exist_ok=True)
    text = (ROOT / "test/grid/Inputs/rows.mlir").read_text()
    for width in WIDTHS:
        path = folder / f"rows-{width}.mlir"
        path.write_text(text.replace("96", str(width)))
        yield path


def write_sums(path, count):
    """A kernel with more sums than meet in a block's memory, and among them
    the place of a largest element, which belongs to that element."""
    columns = "tensor<40x8xf32>"
    sums = [f"%s{i}" for i in range(count)]
    body = [f'''
  %t{i + 1} = stablehlo.multiply %t{i}, %x : {columns}
  %s{i} = stablehlo.reduce(%t{i + 1} init: %zero) applies stablehlo.add across dimensions = [0] : ({columns}, tensor<f32>) -> tensor<8xf32>'''
            for i in range(count)]
    types = ["tensor<8xf32>"] * (count + 1) + ["tensor<8xi32>"]
    path.write_text(f'''
func.func @many_sums(%x: {columns}) -> ({", ".join(types)}) attributes {{exec.kernel}} {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %number = stablehlo.iota dim = 0 : tensor<40x8xi32>
  %t0 = stablehlo.abs %x : {columns}{"".join(body)}
  %m:2 = stablehlo.reduce(%x init: %least), (%number init: %first) across dimensions = [0] : ({columns}, tensor<40x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {{
    %greater = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %smaller = stablehlo.minimum %i, %j : tensor<i32>
    %largest = stablehlo.select %greater, %a, %b : tensor<i1>, tensor<f32>
    %other = stablehlo.select %greater, %i, %j : tensor<i1>, tensor<i32>
    %place = stablehlo.select %equal, %smaller, %other : tensor<i1>, tensor<i32>
    stablehlo.return %largest, %place : tensor<f32>, tensor<i32>
  }}
  return {", ".join([*sums, "%m#0", "%m#1"])} : {", ".join(types)}
}}
''')
    return path


def check_alignment(path):
    """Whether vectors in shared memory are at places for them, as far as these
    are constants."""
    text = path.read_text()
    arrays = {name: int(alignment) for alignment, name in re.findall(
        r"\.shared \.align (\d+) \.b8 (\w+)\[", text)}
    for count, bits, array, offset in re.findall(
            r"\.shared\.v(\d)\.[a-z](\d+)[^;]*\[(\w+)(?:\+(\d+))?\]", text):
        width = int(count) * int(bits) // 8
        if arrays[array] % width or int(offset or 0) % width:
            sys.exit(f"{path}: vectors of {width} bytes in {array}, which is "
                     f"aligned to {arrays[array]}")


def assemble(ptxas, chip, files, folder):
    def assemble_one(path):
        check_alignment(path)
        run(ptxas, f"-arch={chip}", path, "-o", os.devnull)

    for flags in ([], ["--rows"]):
        target = folder / "".join([chip, *flags])
        target.mkdir(exist_ok=True)
        print(run("ps-grid-check", f"--ptx={target}", f"--chip={chip}", *flags,
                  *files), end="")
        jobs = list(target.glob("*.ptx"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            print(len(list(pool.map(assemble_one, jobs))),
                  f"kernels assembled for {chip}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--seed", default=str(random.randrange(10**9)))
    parser.add_argument("--interpret", action="store_true")
    parser.add_argument("--ptxas")
    parser.add_argument("--chip", default="sm_90")
    options = parser.parse_args()
    # Kernels of an earlier run's random graphs would be counted.
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    print(f"random graphs: seed {options.seed}", flush=True)
    graphs = [*find_graphs(),
              *write_random_graphs(options.folder / "graphs", options)]
    files = compile_all(graphs, options.folder / "kernels")
    files += sorted((ROOT / "test/grid/Inputs").glob("*.mlir"))
    files.append(write_sums(options.folder / "kernels/many-sums.mlir", 60))
    rows = list(write_rows(options.folder / "rows"))
    if options.ptxas:
        assemble(options.ptxas, options.chip, [*files, *rows], options.folder)
    else:
        check = ["ps-grid-check"]
        numbers = [[], ["--special"]]
        if options.interpret:  # Most time goes into making PTX.
            check += ["--interpret", f"--chip={options.chip}"]
            numbers = [["--special"]]
        print(run(*check, *files), end="")
        for flags in numbers:
            print(run(*check, *flags, *rows), end="")


if __name__ == "__main__":
    main()
