# SPDX-License-Identifier: Apache-2.0
"""Checks that compiling takes time linear in the graph: runs ps-opt on a graph
and on one of twice its size, and compares how many instructions each function
executed itself. Counts of instructions, by valgrind, are the same in each run.

usage: growth.py PS_OPT FOLDER [CASE..]

A function whose share of the larger run is at least 0.5 % may take 2.5 times as
many instructions there: linear is 2, a sort a little more, quadratic 4.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

SHARE, RATIO = 0.005, 2.5
GENERATE = pathlib.Path(__file__).parents[2] / "benchmarks" / "generate_graph.py"
TRANSPILE = "--ps-transpile=pservers=a:1,a:2,a:3 trainers=2"
GATHER = ("<{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
          "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = "
          "1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, "
          "tensor<4x1xi64>) -> tensor<4x2xf32>")


def layers(shape, layers):
    return subprocess.run(
        [sys.executable, GENERATE, str(2 * layers), f"--shape={shape}"],
        check=True, capture_output=True, text=True).stdout


def tables(count):
    """Tables whose ids are computed one from the other."""
    lines = [f"ps.variable @t{i} : tensor<8x2xf32> init(#ps.constant<1.0>)"
             for i in range(count)]
    lines += ["func.func @step(%i0: tensor<4x1xi64>) {",
              "%s0 = stablehlo.constant dense<0.0> : tensor<4x2xf32>"]
    for i in range(count):
        lines += [
            f"%i{i + 1} = stablehlo.add %i{i}, %i0 : tensor<4x1xi64>",
            f"%t{i} = ps.read @t{i} : tensor<8x2xf32>",
            f'%e{i} = "stablehlo.gather"(%t{i}, %i{i}) {GATHER}',
            f"%s{i + 1} = stablehlo.add %s{i}, %e{i} : tensor<4x2xf32>"]
    lines += ["%zero = stablehlo.constant dense<0.0> : tensor<f32>",
              f"%loss = stablehlo.reduce(%s{count} init: %zero) applies "
              "stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, "
              "tensor<f32>) -> tensor<f32>",
              "ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>",
              "return", "}"]
    return "\n".join(lines)


# A graph of a size, that size, and what ps-opt does with it.
CASES = {
    "deep": (lambda n: layers("deep", n), 40, [TRANSPILE]),
    "wide": (lambda n: layers("wide", n), 40, [TRANSPILE]),
    "tables": (tables, 40, ["--ps-recover-tables"]),
    "programs": (lambda n: layers("wide", n), 40,
                 ["--ps-verify-programs", "--ps-report=report.json"]),
    "step": (lambda n: layers("deep", n), 40,
             ["--ps-compile=program=trainer function=train batch-size=4"]),
}
# Those that work on the programs of a job.
OF_PROGRAMS = ("programs", "step")


def count_instructions(profile):
    """The instructions that each function executed itself."""
    names, counts, name, is_call = {}, collections.Counter(), None, False
    for line in profile.open(errors="replace"):
        match = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
        if match:
            kind, number, text = match.groups()
            names.setdefault(number, text)
            if kind == "fn":
                name = names[number]
        elif line.startswith("calls="):
            is_call = True
        elif re.match(r"[0-9+*-]", line):
            # The line behind "calls=" is what the call took in all.
            if not is_call:
                counts[name] += int(line.split()[1])
            is_call = False
    return counts


def profile(ps_opt, folder, case, size):
    make, _, options = CASES[case]
    graph = folder / f"{case}-{size}.mlir"
    graph.write_text(make(size))
    if case in OF_PROGRAMS:
        job = folder / f"{case}-{size}.job.mlir"
        subprocess.run([ps_opt, graph, TRANSPILE, "-o", job], check=True)
        graph = job
    result = folder / f"{case}-{size}.profile"
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={result}", ps_opt,
         graph, "--mlir-disable-threading", *options, "-o", os.devnull],
        capture_output=True, text=True, cwd=folder)
    if done.returncode or not result.exists():
        sys.exit(f"{case}: {done.stderr}")
    return count_instructions(result)


def compare(case, small, large):
    """Prints what grows too fast; returns whether anything does."""
    total, fast = sum(large.values()), []
    for name, count in large.items():
        ratio = count / max(1, small[name])
        if count >= SHARE * total and ratio > RATIO:
            fast.append((count / total, ratio, name))
    for share, ratio, name in sorted(fast, reverse=True)[:5]:
        print(f"{case}: {ratio:.1f} times as many instructions in {name}, "
              f"{100 * share:.1f} % of all")
    print(f"{case}: {total:,} instructions, "
          f"{'too many' if fast else 'linear'}")
    return bool(fast)


def main(ps_opt, folder, *cases):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # Debian's valgrind cannot read what clang 19 writes for debuggers.
    stripped = folder / "ps-opt"
    subprocess.run(["llvm-strip", "--strip-debug", shutil.which(ps_opt), "-o",
                    stripped], check=True)
    runs = [(case, CASES[case][1] * factor)
            for case in cases or CASES for factor in (1, 2)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(
            lambda run: profile(stripped, folder, *run), runs))
    results = [compare(case, counts[i], counts[i + 1])
               for i, (case, _) in enumerate(runs) if i % 2 == 0]
    sys.exit(any(results))


main(*sys.argv[1:])
