# SPDX-License-Identifier: Apache-2.0
"""The part words in fastText: words per second of the epochs after the first,
so that what reading the text takes does not count."""

import tempfile
import time

import fasttext

import words_peer
from word2vec_bench import NEGATIVES, WINDOW, read_words


def train(file, options, epochs):
    begin = time.perf_counter()
    # Whole words, and none left out for being frequent (t).
    fasttext.train_unsupervised(
        file, model="skipgram", dim=options.width, ws=WINDOW, neg=NEGATIVES,
        epoch=epochs, minCount=1, minn=0, maxn=0, t=1.0,
        thread=options.threads, verbose=0)
    return time.perf_counter() - begin


def main():
    options = words_peer.parse()
    words = read_words(options.text)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for i in range(0, len(words), 20):
            file.write(" ".join(words[i:i + 20]) + "\n")
        file.flush()
        first = train(file.name, options, 1)
        more = train(file.name, options, 1 + options.epochs)
    words_peer.print_rate(options.epochs * len(words) / (more - first))


main()
