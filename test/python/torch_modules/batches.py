# SPDX-License-Identifier: Apache-2.0
"""Random batches, and losses of ordinary models."""

from torch.nn import functional as F


BATCH = 6


# Batches.

def images(channels, size, classes=4):
    def draw(random):
        return {"x": random.standard_normal(
                    (BATCH, channels, size, size)).astype("float32"),
                "y": random.randint(0, classes, BATCH)}
    return draw


def vectors(width, classes=4):
    def draw(random):
        return {"x": random.standard_normal((BATCH, width)).astype("float32"),
                "y": random.randint(0, classes, BATCH)}
    return draw


def regression(width, outputs=1):
    def draw(random):
        return {"x": random.standard_normal((BATCH, width)).astype("float32"),
                "y": random.standard_normal((BATCH, outputs)).astype(
                    "float32")}
    return draw


def tokens(vocabulary, length, classes=4):
    def draw(random):
        return {"x": random.randint(1, vocabulary, (BATCH, length)),
                "y": random.randint(0, classes, BATCH)}
    return draw


def texts(vocabulary, length):
    def draw(random):
        ids = random.randint(1, vocabulary, (BATCH, length + 1))
        return {"x": ids[:, :-1].copy(), "y": ids[:, 1:].copy()}
    return draw


def series(length, width, outputs=1):
    def draw(random):
        return {"x": random.standard_normal(
                    (BATCH, length, width)).astype("float32"),
                "y": random.standard_normal((BATCH, outputs)).astype(
                    "float32")}
    return draw


def clicks(fields, ids, dense):
    def draw(random):
        return {"sparse": random.randint(0, ids, (BATCH, fields)),
                "dense": random.uniform(size=(BATCH, dense)).astype("float32"),
                "y": random.randint(0, 2, BATCH).astype("float32")}
    return draw


# Losses.

def classify(module, batch):
    return F.cross_entropy(module(batch["x"]), batch["y"])


def regress(module, batch):
    return F.mse_loss(module(batch["x"]), batch["y"])


def predict_next(module, batch):
    logits = module(batch["x"])
    return F.cross_entropy(logits.view(-1, logits.size(-1)),
                           batch["y"].view(-1))


def click(module, batch):
    return F.binary_cross_entropy_with_logits(
        module(batch["dense"], batch["sparse"]), batch["y"])


def reconstruct(module, batch):
    return F.mse_loss(module(batch["x"]), batch["x"])
