"""What the Python tests of ps-run share: processes with deadlines, the
processes of a job on free ports, and a reader of safetensors files."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

INPUTS = pathlib.Path(__file__).parent
DATA = f"--data=csv:{INPUTS}/linear.csv"
GRAPH = INPUTS / "linear_sgd.mlir"
# What tests of devices use: cuda, say, with what stands for it (test/cuda).
DEVICE = os.environ.get("PS_TEST_DEVICE", "emulated")
DEADLINE = 60  # seconds that any process of a test may take


def free_endpoints(count):
    """Loopback endpoints below the ports of outgoing connections, free now."""
    endpoints, held = [], []
    while len(endpoints) < count:
        port = random.randrange(10000, 32000)
        holder = socket.socket()
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            holder.bind(("127.0.0.1", port))
        except OSError:
            continue
        held.append(holder)
        endpoints.append(f"127.0.0.1:{port}")
    for holder in held:
        holder.close()
    return endpoints


def run(*command, code=0, timeout=DEADLINE, **options):
    """Runs a command to its end, with the exit code that is expected; gives
    its stdout and stderr."""
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          text=True, timeout=timeout, **options)
    assert done.returncode == code, (
        f"{' '.join(map(str, command))}\nexit {done.returncode}, "
        f"expected {code}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def build_shim(folder, source):
    """Compiles C that takes the place of functions of the system in processes
    with the environment that is returned."""
    library = folder.absolute() / "shim.so"
    compiler = shutil.which("clang-19") or shutil.which("cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, "-xc", "-"],
                   input=source, text=True, check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


def refused_usage(message, *command, **options):
    """Runs ps-run, which refuses its command line with `message`."""
    _, err = run("ps-run", *command, code=2, **options)
    assert err == f"ps-run: error: {message}\n", err


def wait_until(condition, what, timeout=DEADLINE):
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f"waited {timeout} s until {what}"
        time.sleep(0.02)


class Process:
    """A ps-run process that writes into `log`."""

    def __init__(self, name, folder, *arguments, env=None, stdin=None):
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["ps-run", *map(str, arguments)], stdout=log,
                stderr=subprocess.STDOUT, env=env, stdin=stdin)

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, text):
        wait_until(lambda: text in self.text() or
                   self.process.poll() is not None, f"{self.name}: {text}")
        assert text in self.text(), f"{self.name}: {self.text()}"

    def goes_on(self):
        """Waits until it has reported further steps."""
        before = self.text().count("steps/s")
        wait_until(lambda: self.text().count("steps/s") > before + 1 or
                   self.process.poll() is not None,
                   f"{self.name} goes on")
        assert self.process.poll() is None, f"{self.name}: {self.text()}"

    def steps_taken(self):
        """By one that was stopped."""
        return int(re.search(r"stopped after (\d+) of", self.text())[1])

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, timeout=DEADLINE):
        """Its exit code."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(
                f"{self.name} did not end in {timeout} s:\n{self.text()}")

    def ends_well(self):
        assert self.end() == 0, f"{self.name}: {self.text()}"

    def error(self):
        """The one line that says why it failed."""
        errors = re.findall("^ps-run: error: (.*)$", self.text(), re.M)
        assert len(errors) == 1, f"{self.name}: {self.text()}"
        return errors[0]


class Job:
    """The processes of a transpiled graph, over gRPC on free ports."""

    def __init__(self, folder, pservers, trainers, graph=GRAPH, options=""):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.trainers = folder, trainers
        self.endpoints = free_endpoints(pservers)
        self.program = folder / "dist.mlir"
        run("ps-opt", graph, "-o", self.program,
            f"--ps-transpile=pservers={self.transpiled_pservers()} "
            f"trainers={trainers} {options}")
        self.processes = []

    def transpiled_pservers(self):
        return ",".join(self.endpoints)

    def start(self, name, *arguments, program=None, env=None):
        process = Process(name, self.folder, program or self.program,
                          "--threads=1", *arguments, env=env)
        self.processes.append(process)
        return process

    def pserver(self, index, *arguments, **options):
        return self.start(f"pserver{index}", "--role=pserver",
                          f"--endpoint={self.endpoints[index]}", *arguments,
                          **options)

    def trainer(self, index, *arguments, data=DATA, **options):
        return self.start(f"trainer{index}", "--role=trainer",
                          f"--trainer-id={index}", data, *arguments, **options)

    def ends_well(self):
        for process in self.processes:
            process.ends_well()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.process.poll() is None:
                process.process.kill()
                process.process.wait()


def read_model(path):
    """Name -> (shape, flat list of numbers) of a safetensors file or of the
    model in a folder."""
    path = pathlib.Path(path)
    raw = (path / "model.safetensors" if path.is_dir() else path).read_bytes()
    size, = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    formats = {"F16": "e", "F32": "f", "F64": "d", "I64": "q"}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        code = formats[entry["dtype"]]
        count = (end - begin) // struct.calcsize(code)
        tensors[name] = (entry["shape"], list(
            struct.unpack(f"<{count}{code}", raw[begin:end])))
    return tensors


def read_metrics(path, with_end=False):
    """All lines, the one of the whole run only if it is asked for."""
    lines = [json.loads(line) for line in open(path)]
    return [line for line in lines if with_end or line["phase"] != "end"]


def run_at_once(*tests):
    """Runs functions that sleep most of the time, each on a thread."""
    failures = []

    def attempt(test):
        try:
            test()
        except BaseException as error:
            failures.append(f"{test.__name__}: {error!r}")

    threads = [threading.Thread(target=attempt, args=(test,)) for test in tests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, "\n".join(failures)
