# SPDX-License-Identifier: Apache-2.0
"""word2vec: two trainers and a pserver on loopback and behind a link of 1
Gbit/s, beside libraries that train in one process; samples per second. A sample
is a word as center, one near it, and five drawn ones."""

from common import (HERE, OURS, Contestant, Line, NotRun, cores, pick_core,
                    run_ours, run_peers, run_program)
import benchmark
from link import can_link

BATCH, WIDTH, WINDOW, NEGATIVES, VOCABULARY = 1024, 64, 5, 5, 10_000
# A window's reach is drawn from 1 to WINDOW for each word.
SAMPLES_PER_WORD = WINDOW + 1
LINK = {"loopback": "", "1 Gbit/s": "1gbit"}
LINK_BYTES = 125e6
FLOOR = "the same updates in one process, written by hand, a core per trainer"
LINK_FLOOR = "the link's rate for the bytes that ours moves"


def find_text():
    benchmark.FOLDER.mkdir(parents=True, exist_ok=True)
    return benchmark.write_words()


def write_graph(setting):
    file = setting.folder / "word2vec_sgd.mlir"
    benchmark.write_sgd_graph(file)
    return str(file)


def count_steps(mode, where, is_quick):
    """Enough for some exchanges."""
    steps = int(mode.split("=")[1]) * 4 if "=" in mode else 0
    least = (40 if where != "loopback" and mode == "async" else 200)
    return max(steps, least if is_quick else 10 * least)


def measure_ours(mode, where, is_quick, setting):
    if LINK[where] and not can_link():
        raise NotRun("a link needs network namespaces: root, ip and tc")
    rates = run_ours(
        bin=setting.bin, graph=write_graph(setting), batch_size=BATCH,
        mode=mode, steps=count_steps(mode, where, is_quick), trainers=2,
        pservers=1, rate=LINK[where],
        data=f"text:{find_text()}?window={WINDOW}"
        f"&negatives={NEGATIVES}&vocabulary={VOCABULARY}")
    key = f"words/{OURS} {mode}, {where}"
    found = {key: rates.whole}
    if rates.moved:
        found[f"{key}, bytes"] = rates.moved
    return found


def measure_floor(setting):
    found = run_program(setting, "bench-word2vec-floor")
    return {"words/floor": found["word2vec floor, 1 thread", "samples/s"]}


def measure_peer(who, threads, is_quick, setting):
    command = [setting.environments.python(who), HERE / f"{who}_words.py",
               find_text(), f"--width={WIDTH}",
               f"--threads={threads}", f"--epochs={1 if is_quick else 4}"]
    core = ",".join(str(pick_core(i)) for i in range(threads))
    words = run_peers([(command, {}, core)])
    return {f"words/{who} {threads}": words * SAMPLES_PER_WORD}


def contestants(is_quick):
    modes = ["async"] + [f"geo geo-steps={k}" for k in (10, 100, 400, 800)]
    yield Contestant("words/floor", measure_floor, is_ours=True)
    for where in LINK:
        for mode in modes[:3] if is_quick else modes:
            yield Contestant(
                f"words/{OURS} {mode}, {where}",
                lambda setting, mode=mode, where=where: measure_ours(
                    mode, where, is_quick, setting), is_ours=True)
    for who in ("gensim", "fasttext"):
        for threads in (1, 2):
            yield Contestant(
                f"words/{who} {threads}",
                lambda setting, who=who, threads=threads: measure_peer(
                    who, threads, is_quick, setting))


def lines(values):
    one = values.get("words/floor")
    two = one and one * min(2, len(cores()))
    for key, value in values.items():
        if key.startswith(f"words/{OURS} ") and not key.endswith(", bytes"):
            floor, floor_is = two, FLOOR
            moved = values.get(f"{key}, bytes")
            if moved and (not floor or LINK_BYTES / moved < floor):
                floor, floor_is = LINK_BYTES / moved, LINK_FLOOR
            yield Line("words", key.removeprefix(f"words/{OURS} ")
                       + ", 2 trainers, 1 server", OURS, value, "samples/s",
                       floor, floor_is)
        elif key.startswith(("words/gensim", "words/fasttext")):
            who, threads = key.removeprefix("words/").split()
            yield Line("words", f"one process, {threads} thread(s)", who, value,
                       "samples/s", one if threads == "1" else two, FLOOR,
                       values.get(f"words/{OURS} async, loopback"))
