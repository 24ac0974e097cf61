#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs StableHLO's own test programs, and counts by op which of them pass.

usage: stablehlo_coverage.py FOLDER [--programs=REGEX] [--sample=N] [--seed=S]
       [--timeout=SECONDS] [--jobs=N] [--markdown=FILE]

FOLDER is the folder stablehlo/ of a checkout of StableHLO, or one below it. A
program is a function without arguments that holds assertions (check.expect_*),
of one of its .mlir files or of a chunk between lines "// -----". ps-run, which
must be on PATH, runs each, and a program
    passes      if it ends with code 0
    is refused  if an error at a line of it says what is not supported
    is inexact  if an assertion does not hold whose value is known to be off
    is wrong    if any other assertion does not hold
    fails       if it crashes, does not end in time, or ends in any other way.
The exit code is the number of programs that are wrong or fail.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r'^ *func\.func (?:public |private )?@"?([\w.]+)"?\((\)?)',
                      re.MULTILINE)
OPS = re.compile(r'(?<![#@\w.])"?((?:stablehlo|chlo)\.[a-z_0-9]+)')
# They prepare what other ops compute, and are under test where nothing else is.
PREPARATION = {f"stablehlo.{name}" for name in (
    "broadcast_in_dim", "complex", "constant", "convert", "custom_call", "imag",
    "iota", "real", "reshape", "return", "slice")}
# Around what other ops compute, which are not under test then.
STRUCTURE = ["stablehlo.while", "stablehlo.reduce", "stablehlo.reduce_window"]

# Programs whose expected values, in f32, are further from the function than
# ours: cosh at 9.164727 by 4.3 units of the last place (ours 0.3), sums of
# products that cancel by up to 32 (ours 2), and equations whose errors grow by
# up to 40 (ours 10).
INEXACT = {"cosh_float32_20_20_chlo.mlir",
           "conv_general_dilated_float32_2_3_9_float32_12_1_3.mlir",
           "triangular_solve_float32_2_8_8_float32_2_10_8.mlir"}

# Why a program is refused: the type in the message, or else what the program
# has anywhere, or else the message.
TYPES = {"complex": "complex<", "quantized": "quant", "f4 to f8": r"xf[4-8]E",
         "i2, i4": r"[<x]u?i[24]>"}
DEVICES = r"interpreter\.run_parallel|partition_id|replica_id"
MESSAGES = {"iterations unknown": "number of iterations",
            "op": "is not supported|'interpreter.probe'"}


@dataclasses.dataclass
class Program:
    """A function of a chunk of a file."""
    file: str
    line: int
    entry: str
    text: str
    op: str = ""
    state: str = ""
    reason: str = ""
    message: str = ""

    def name(self):
        return f"{self.file}:{self.line}"


def programs_of(path, name):
    """The programs of a file."""
    found, line = [], 1
    for chunk in re.split(r"(?m)^(?=// -----)", path.read_text()):
        starts = list(FUNCTION.finditer(chunk))
        ends = [start.start() for start in starts[1:]] + [len(chunk)]
        for start, end in zip(starts, ends):
            if start[2] and "check.expect_" in chunk[start.start():end]:
                at = line + chunk.count("\n", 0, start.start())
                found.append(Program(name, at, start[1], chunk))
        line += chunk.count("\n")
    return found


def programs_below(folder):
    return [program for path in sorted(folder.rglob("*.mlir"))
            for program in programs_of(path, str(path.relative_to(folder)))]


def name_ops(programs):
    """Which op a program tests: one that its file is named for, one of
    STRUCTURE, or the one of its ops that the fewest programs have."""
    ops = [set(OPS.findall(program.text)) for program in programs]
    frequency = collections.Counter(op for each in ops for op in each)
    for program, each in zip(programs, ops):
        stem = pathlib.Path(program.file).stem.removeprefix("vmap_")
        named = [op for op in each | {"stablehlo.constant"}
                 if re.match(op.split(".")[1] + "(_|$)", stem)]
        structure = [op for op in STRUCTURE if op in each]
        computing = sorted(each - PREPARATION or each - {"stablehlo.custom_call"})
        if named:
            program.op = max(named, key=len)
        elif structure:
            program.op = structure[0]
        else:
            program.op = min(computing, key=frequency.get,
                             default="stablehlo.constant")


def why_refused(program):
    """The kind of a refusal."""
    got = re.search(r"but got '([^']*)'", program.message)
    for kind, pattern in TYPES.items():
        if re.search(pattern, got[1] if got else program.text):
            return kind
    if got and "i1>" in got[1]:
        return "i1"
    if re.search(DEVICES, program.text):
        return "several devices"
    for kind, pattern in MESSAGES.items():
        if re.search(pattern, program.message):
            return kind
    return "other"


def judge(program, status, message):
    """Sets the state of a program that has ended."""
    located = re.match(r"ps-run: error: \S+:\d+:\d+: (.*)", message)
    program.message = located[1] if located else message
    if status == 0:
        program.state = "passes"
    elif status == 1 and "elements differ)" in message:
        inexact = pathlib.Path(program.file).name in INEXACT
        program.state = "inexact" if inexact else "wrong"
    elif status == 1 and located:
        program.state, program.reason = "refused", why_refused(program)
    else:
        program.state = "fails"
        program.message = message or f"exit code {status}"


def run(program, timeout):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.mlir"
        path.write_text(program.text)
        try:
            ended = subprocess.run(
                ["ps-run", str(path), f"--entry={program.entry}"],
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                errors="replace", timeout=timeout)
        except subprocess.TimeoutExpired:
            program.state = "fails"
            program.message = f"has not ended after {timeout:g} s"
            return program
    judge(program, ended.returncode, (ended.stderr.splitlines() or [""])[0])
    return program


def run_all(programs, jobs, timeout):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program in pool.map(lambda each: run(each, timeout), programs):
            if program.state in ("wrong", "fails"):
                print(f"{program.name()}: {program.state}: {program.message}",
                      flush=True)


def summary(programs):
    states = collections.Counter(program.state for program in programs)
    return (f"{states['passes']} of {len(programs)} programs pass, "
            f"{states['refused']} are refused, {states['wrong']} are wrong, "
            f"{states['fails']} fail; {states['inexact']} expect inexact values")


def markdown(programs):
    """A section with a row per op, and what differs."""
    rows = collections.defaultdict(list)
    for program in programs:
        rows[program.op].append(program)
    lines = ["## Programs of StableHLO", "", summary(programs) + ".", "",
             "| op | programs | pass | refused |", "|---|---|---|---|"]
    for op, group in sorted(rows.items()):
        reasons = collections.Counter(
            program.reason for program in group if program.state == "refused")
        passed = sum(program.state == "passes" for program in group)
        text = ", ".join(f"{count} {reason}"
                         for reason, count in reasons.most_common())
        lines.append(f"| `{op}` | {len(group)} | {passed} | {text} |")
    for program in programs:
        if program.state in ("inexact", "wrong", "fails"):
            lines += ["", f"`{program.name()}` {program.state}: {program.message}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", default="")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--markdown")
    arguments = parser.parse_args()
    programs = programs_below(arguments.folder)
    if not programs:
        parser.error(f"{arguments.folder}: no .mlir file with assertions")
    name_ops(programs)
    programs = [program for program in programs
                if re.search(arguments.programs, program.name())]
    if arguments.sample is not None and arguments.sample < len(programs):
        programs = random.Random(arguments.seed).sample(programs,
                                                        arguments.sample)
    run_all(programs, arguments.jobs, arguments.timeout)
    print(f"StableHLO: {summary(programs)}")
    if arguments.markdown:
        pathlib.Path(arguments.markdown).write_text(markdown(programs))
    return min(sum(program.state in ("wrong", "fails")
                   for program in programs), 100)


if __name__ == "__main__":
    sys.exit(main())
