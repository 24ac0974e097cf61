# SPDX-License-Identifier: Apache-2.0
"""word2vec on one core: examples/word2vec/word2vec.mlir beside gensim.

usage: word2vec_bench.py PS_RUN GRAPH TEXT [--widths=100,300] [--repeat=5]
           [--steps=1200] [--before=PS_RUN]

Both train skip-grams with 5 negatives and windows of up to 5 words on the
10,000 most frequent words of TEXT, without subsampling: one thread (ps-run
--threads=1, gensim workers=1), alternating runs. A word is one of the text that
is in the vocabulary; ours trains about 6 pairs per word, as gensim does. Ours
uses batches of 1,024 and Adagrad, gensim plain gradient descent, pair by pair.
`--before` names another ps-run that takes part. Run it with the Python of a
virtual environment in which gensim is installed.

Prints rows as Table.h does: the median of each contestant's runs in words per
second, by the clock and by processor time. The latter includes the threads that
feed, and leaves out what starting takes; it is the one to compare where the
machine has other work.
"""
import argparse
import collections
import pathlib
import re
import statistics
import sys
import tempfile
import time

from steps import time_graph
from table import row

BATCH, WINDOW, NEGATIVES, VOCABULARY, WARM_UP = 1024, 5, 5, 10_000, 100


def read_words(text):
    words = re.findall(r"[a-z0-9']+", pathlib.Path(text).read_text().lower())
    known = {word for word, _ in
             collections.Counter(words).most_common(VOCABULARY)}
    return [word for word in words if word in known]


def write_graph(graph, width, folder):
    text = pathlib.Path(graph).read_text()
    path = folder / f"word2vec{width}.mlir"
    path.write_text(re.sub(r"x64xf32", f"x{width}xf32", text))
    return path


def run_ours(ps_run, graph, text, steps, pairs_per_word):
    """Words per second, by the clock and by processor time."""
    data = (f"--data=text:{text}?window={WINDOW}&negatives={NEGATIVES}"
            f"&vocabulary={VOCABULARY}",)
    rates = time_graph(ps_run, graph, data, BATCH, WARM_UP, steps)
    return tuple(rate / pairs_per_word for rate in rates)


def run_gensim(text, width, epochs, threads=1):
    from gensim.models import Word2Vec
    words = read_words(text)
    sentences = [words[i:i + 10_000] for i in range(0, len(words), 10_000)]
    model = Word2Vec(vector_size=width, window=WINDOW, negative=NEGATIVES, sg=1,
                     sample=0, min_count=1, workers=threads, seed=1)
    model.build_vocab(sentences)
    wall, cpu = time.perf_counter(), time.process_time()
    model.train(sentences, total_examples=len(sentences), epochs=epochs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return epochs * len(words) / wall, epochs * len(words) / cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ps_run")
    parser.add_argument("graph")
    parser.add_argument("text")
    parser.add_argument("--widths", default="100,300")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--before")
    args = parser.parse_args()

    # A window's reach is drawn from 1 to WINDOW for each word.
    pairs_per_word = WINDOW + 1
    epochs = max(1, round(args.steps * BATCH / pairs_per_word /
                          len(read_words(args.text))))
    with tempfile.TemporaryDirectory() as folder:
        for width in map(int, args.widths.split(",")):
            graph = write_graph(args.graph, width, pathlib.Path(folder))
            runs = {"ours": lambda: run_ours(args.ps_run, graph, args.text,
                                             args.steps, pairs_per_word)}
            if args.before:
                runs["before"] = lambda: run_ours(args.before, graph, args.text,
                                                  args.steps, pairs_per_word)
            runs["gensim"] = lambda: run_gensim(args.text, width, epochs)
            rates = collections.defaultdict(list)
            for _ in range(args.repeat):
                for name, run in runs.items():
                    rates[name].append(run())
            for i, clock in enumerate(["", ", processor time"]):
                median = {name: statistics.median(run[i] for run in measured)
                          for name, measured in rates.items()}
                for name, rate in median.items():
                    row(f"width {width}, {name}{clock}", rate, "words/s")
                row(f"width {width}, ours against gensim{clock}",
                    median["ours"] / median["gensim"], "x",
                    ">= 1.2 x" if width <= 100 else ">= 1 x")


if __name__ == "__main__":
    sys.exit(main())
