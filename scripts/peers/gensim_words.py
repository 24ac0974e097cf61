# SPDX-License-Identifier: Apache-2.0
"""The part words in gensim: words per second, as word2vec_bench.py measures."""

import words_peer
from word2vec_bench import run_gensim

options = words_peer.parse()
rate, _ = run_gensim(options.text, options.width, options.epochs,
                     options.threads)
words_peer.print_rate(rate)
