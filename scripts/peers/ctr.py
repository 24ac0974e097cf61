# SPDX-License-Identifier: Apache-2.0
"""CTR-DNN and Wide & Deep: samples per second."""

import functools
import json
import tempfile

from common import (HERE, OURS, ROOT, Contestant, Line, find_ports, pick_core,
                    cores, run_ours, run_peers, run_program)

BATCH, IDS, GEO_STEPS, WARM_UP = 1024, 100_000, 20, 10
FLOOR = "f32 products of the step alone, a core per trainer"
GRAPHS = {"ctr_dnn": ROOT / "test" / "benchmarks" / "ctr_dnn.mlir",
          "wide_deep": ROOT / "examples" / "wide_deep" / "wide_deep.mlir"}
MODES = {"ctr_dnn": ["sync", "async", "half-async", "geo"],
         "wide_deep": ["sync", "async", "half-async"]}
PADDLE_MODES = {"ctr_dnn": ["sync", "async", "geo"],
                "wide_deep": ["sync", "async"]}


def name(who, model, mode, trainers, servers):
    return f"ctr/{who} {model} {mode} {trainers}x{servers}"


def measure_floor(setting):
    found = run_program(setting, "bench-step-floor",
                        f"--products={BATCH},247,400,400,400,1")
    return {"ctr/floor": BATCH / found["step floor, products", "ms"] * 1e3}


def measure_ours(model, mode, trainers, servers, steps, setting):
    rates = run_ours(
        bin=setting.bin, graph=str(GRAPHS[model]), batch_size=BATCH,
        steps=steps, trainers=trainers, pservers=servers, warm_up=WARM_UP,
        mode=f"geo geo-steps={GEO_STEPS}" if mode == "geo" else mode,
        data=f"synthetic:ctr?n={BATCH * steps * trainers}&ids={IDS}")
    return rates.steady


def peer_command(setting, environment, script, model, trainers, servers, steps,
                 number, *more):
    return [setting.environments.python(environment), HERE / script, model,
            f"--steps={steps}", f"--trainers={trainers}",
            f"--servers={servers}", f"--id={number}", *more]


def measure_torch(script, model, mode, trainers, servers, steps, setting):
    with tempfile.TemporaryDirectory() as folder:
        more = ([f"--rendezvous={folder}/group"]
                if script == "pytorch_ctr.py" else [])
        return run_peers([
            (peer_command(setting, "torch", script, model, trainers, servers,
                          steps, i, *more), {}, pick_core(i))
            for i in range(trainers)])


def measure_tensorflow(model, mode, trainers, servers, steps, setting):
    ports = [f"127.0.0.1:{port}" for port in find_ports(trainers + servers + 1)]
    cluster = {"worker": ports[:trainers], "ps": ports[trainers:-1],
               "chief": ports[-1:]}
    command = peer_command(setting, "tensorflow", "tensorflow_ctr.py", model,
                           trainers, servers, steps, 0)

    def role(kind, number, core):
        task = {"type": kind, "index": number}
        return (command, {"TF_CONFIG": json.dumps({"cluster": cluster,
                                                   "task": task})},
                pick_core(core))

    return run_peers(
        [role("chief", 0, 0)],
        [*(role("worker", i, i) for i in range(trainers)),
         *(role("ps", i, trainers + i) for i in range(servers))])


def measure_paddle(model, mode, trainers, servers, steps, setting):
    ports = [str(port) for port in find_ports(trainers + servers)]
    endpoints = [f"127.0.0.1:{port}" for port in ports]
    shared = {"PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints[:trainers]),
              "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(endpoints[trainers:]),
              "PADDLE_TRAINERS_NUM": str(trainers), "POD_IP": "127.0.0.1"}

    def role(kind, number, core):
        return (peer_command(setting, "paddle", "paddle_ctr.py", model,
                             trainers, servers, steps, number,
                             f"--mode={mode}", f"--geo={GEO_STEPS}"),
                shared | {"TRAINING_ROLE": kind, "PADDLE_PORT": ports[core],
                          "PADDLE_TRAINER_ID": str(number)}, pick_core(core))

    return run_peers(
        [role("TRAINER", i, i) for i in range(trainers)],
        [role("PSERVER", i, trainers + i) for i in range(servers)])


def make(who, measure, *what):
    """A contestant that measures one rate."""
    key = name(who, *what[:-1])
    return Contestant(
        key, lambda setting: {key: measure(*what, setting)},
        is_ours=who == OURS)


def contestants(is_quick):
    steps = 30 if is_quick else 110
    jobs = [(1, 1), (2, 2)] if is_quick else [(1, 1), (2, 1), (2, 2), (4, 2)]
    yield Contestant("ctr/floor", measure_floor, is_ours=True)
    for model in GRAPHS:
        for trainers, servers in jobs:
            for mode in MODES[model]:
                yield make(OURS, measure_ours, model, mode, trainers, servers,
                           steps)
            for mode in PADDLE_MODES[model]:
                yield make("PaddlePaddle", measure_paddle, model, mode,
                           trainers, servers, steps)
            yield make("TensorFlow", measure_tensorflow, model, "async",
                       trainers, servers, steps)
        for trainers in sorted({trainers for trainers, _ in jobs}):
            yield make("PyTorch", functools.partial(measure_torch,
                                                    "pytorch_ctr.py"),
                       model, "sync", trainers, 0, steps)
        yield make("TorchRec", functools.partial(measure_torch,
                                                 "torchrec_ctr.py"),
                   model, "sync", 1, 0, steps)


def find_ours(values, model, mode, trainers, servers):
    """Our rate for the same work; of a job without servers, that of the job
    with the fewest."""
    for count in (servers,) if servers else (1, 2):
        found = values.get(name(OURS, model, mode, trainers, count))
        if found:
            return found
    return None


def lines(values):
    for key, value in values.items():
        if not key.startswith("ctr/") or key == "ctr/floor":
            continue
        who, model, mode, size = key.removeprefix("ctr/").split(" ")
        trainers, servers = map(int, size.split("x"))
        floor = values.get("ctr/floor")
        yield Line(
            "ctr", f"{model}, {mode}, {trainers} trainer(s), "
            + (f"{servers} server(s)" if servers else "no server"),
            who, value, "samples/s",
            floor and floor * min(trainers, len(cores())), FLOOR,
            None if who == OURS else find_ours(values, model, mode, trainers,
                                               servers))
