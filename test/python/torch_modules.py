# SPDX-License-Identifier: Apache-2.0
"""Ordinary modules of PyTorch, as people write them."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from torch_suite import TorchCase

TITLE = "PyTorch modules"
BATCH = 6


# Data.

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


# Perceptrons.

def mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16),
                         nn.Tanh(), nn.Linear(16, 4))


def activations():
    return nn.Sequential(
        nn.Linear(8, 12), nn.GELU(), nn.Linear(12, 12), nn.SiLU(),
        nn.Linear(12, 12), nn.LeakyReLU(), nn.Linear(12, 12), nn.ELU(),
        nn.Linear(12, 12), nn.Hardtanh(), nn.Linear(12, 12), nn.Softplus(),
        nn.Linear(12, 12), nn.Mish(), nn.Linear(12, 12), nn.SELU(),
        nn.Linear(12, 12), nn.Hardswish(), nn.Linear(12, 12), nn.PReLU(),
        nn.Linear(12, 12), nn.CELU(), nn.Linear(12, 12),
        nn.GELU(approximate="tanh"), nn.Linear(12, 12), nn.LogSigmoid(),
        nn.Linear(12, 4))


def normalized_mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(),
                         nn.Linear(16, 16), nn.RMSNorm(16), nn.ReLU(),
                         nn.Linear(16, 4))


def batch_normalized_mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(),
                         nn.Linear(16, 4))


class ResidualMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(8, 16)
        self.blocks = nn.ModuleList(nn.Sequential(
            nn.LayerNorm(16), nn.Linear(16, 32), nn.GELU(),
            nn.Linear(32, 16)) for _ in range(3))
        self.leave = nn.Linear(16, 1)

    def forward(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = x + block(x)
        return self.leave(x)


class Highway(nn.Module):
    def __init__(self):
        super().__init__()
        self.value, self.gate = nn.Linear(8, 8), nn.Linear(8, 8)
        self.leave = nn.Linear(8, 4)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return self.leave(gate * F.relu(self.value(x)) + (1 - gate) * x)


class Maxout(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = nn.Linear(8, 24), nn.Linear(8, 4)

    def forward(self, x):
        return self.leave(self.enter(x).view(-1, 8, 3).max(dim=2).values)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(16, 8), nn.ReLU(),
                                     nn.Linear(8, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 8), nn.ReLU(),
                                     nn.Linear(8, 16))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class VariationalAutoencoder(nn.Module):
    """The noise is a feed, as ps-mlir draws no random numbers."""

    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(16, 12)
        self.mean, self.log_variance = nn.Linear(12, 3), nn.Linear(12, 3)
        self.decoder = nn.Sequential(nn.Linear(3, 12), nn.ReLU(),
                                     nn.Linear(12, 16))

    def forward(self, x, noise):
        hidden = F.relu(self.enter(x))
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        code = mean + noise * torch.exp(0.5 * log_variance)
        return self.decoder(code), mean, log_variance


def evidence(module, batch):
    found, mean, log_variance = module(batch["x"], batch["noise"])
    fit = F.mse_loss(found, batch["x"], reduction="sum")
    gap = -0.5 * torch.sum(1 + log_variance - mean.pow(2) -
                           log_variance.exp())
    return (fit + gap) / batch["x"].size(0)


def noisy(random):
    return {"x": random.standard_normal((BATCH, 16)).astype("float32"),
            "noise": random.standard_normal((BATCH, 3)).astype("float32")}


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(),
                                 nn.Linear(16, 6))

    def forward(self, a, b):
        return F.pairwise_distance(self.net(a), self.net(b))


def contrast(module, batch):
    gap = module(batch["a"], batch["b"])
    same = batch["same"]
    return torch.mean(same * gap.pow(2) +
                      (1 - same) * torch.clamp(1.0 - gap, min=0.0).pow(2))


def pairs(random):
    return {"a": random.standard_normal((BATCH, 8)).astype("float32"),
            "b": random.standard_normal((BATCH, 8)).astype("float32"),
            "same": random.randint(0, 2, BATCH).astype("float32")}


class Hypernetwork(nn.Module):
    """Weights that another network computes for each sample."""

    def __init__(self):
        super().__init__()
        self.weights = nn.Linear(8, 4 * 8)

    def forward(self, x):
        weights = self.weights(x).view(-1, 4, 8)
        return torch.bmm(weights, x.unsqueeze(2)).squeeze(2)


class MixtureDensity(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 16)
        self.weights, self.means = nn.Linear(16, 3), nn.Linear(16, 3)
        self.scales = nn.Linear(16, 3)

    def forward(self, x):
        hidden = torch.tanh(self.hidden(x))
        return (F.log_softmax(self.weights(hidden), -1), self.means(hidden),
                F.softplus(self.scales(hidden)) + 0.1)


def mixture_likelihood(module, batch):
    weights, means, scales = module(batch["x"])
    normal = -0.5 * ((batch["y"] - means) / scales) ** 2 - torch.log(
        scales) - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(weights + normal, dim=1).mean()


# Convolutions.

class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2 = nn.Linear(16 * 4, 20), nn.Linear(20, 4)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc2(torch.relu(self.fc1(torch.flatten(x, 1))))


class ResNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm0, self.norm1 = nn.BatchNorm2d(8), nn.BatchNorm2d(16)
        self.conv1 = nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False)
        self.conv2 = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(16)
        self.short = nn.Sequential(nn.Conv2d(8, 16, 1, stride=2, bias=False),
                                   nn.BatchNorm2d(16))
        self.leave = nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.norm0(self.enter(x)))
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        x = F.relu(y + self.short(x))
        return self.leave(F.adaptive_avg_pool2d(x, 1).flatten(1))


class MobileNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Conv2d(3, 12, 1)
        self.depth = nn.Conv2d(12, 12, 3, padding=1, groups=12)
        self.squeeze, self.excite = nn.Conv2d(12, 3, 1), nn.Conv2d(3, 12, 1)
        self.narrow = nn.Conv2d(12, 3, 1)
        self.norm = nn.GroupNorm(3, 12)
        self.leave = nn.Linear(3 * 16, 4)

    def forward(self, x):
        y = F.relu6(self.wide(x))
        y = F.hardswish(self.norm(self.depth(y)))
        gate = F.adaptive_avg_pool2d(y, 1)
        gate = F.hardsigmoid(self.excite(F.relu(self.squeeze(gate))))
        return self.leave((x + self.narrow(y * gate)).flatten(1))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, padding=1)
        self.deep = nn.Conv2d(4, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.merge = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, x):
        a = F.relu(self.down(x))
        b = F.relu(self.deep(F.avg_pool2d(a, 2)))
        return self.merge(torch.cat([self.up(b), a], dim=1))


class TextCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8)
        self.convs = nn.ModuleList(nn.Conv1d(8, 5, n) for n in (2, 3, 4))
        self.leave = nn.Linear(15, 4)

    def forward(self, x):
        x = self.words(x).transpose(1, 2)
        found = [F.relu(conv(x)).max(dim=2).values for conv in self.convs]
        return self.leave(torch.cat(found, dim=1))


class TemporalConvolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(c, 6, 3, dilation=d) for c, d in
                                   ((3, 1), (6, 2), (6, 4)))
        self.leave = nn.Linear(6, 1)

    def forward(self, x):
        x = x.transpose(1, 2)
        for conv in self.convs:
            pad = 2 * conv.dilation[0]
            x = F.relu(conv(F.pad(x, (pad, 0))))
        return self.leave(x[:, :, -1])


class Upsampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.leave = nn.Conv2d(4, 1, 3, padding=1)

    def forward(self, x):
        x = F.instance_norm(F.relu(self.enter(x)))
        return self.leave(F.interpolate(x, scale_factor=2, mode="bilinear",
                                        align_corners=False))


# Recurrent networks.

class LSTMClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 10, batch_first=True)
        self.leave = nn.Linear(10, 4)

    def forward(self, x):
        _, (hidden, _) = self.lstm(self.words(x))
        return self.leave(hidden[-1])


class GRUForecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(3, 8, num_layers=2, batch_first=True,
                          bidirectional=True)
        self.leave = nn.Linear(16, 1)

    def forward(self, x):
        return self.leave(self.gru(x)[0].mean(dim=1))


class CharacterRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 6)
        self.rnn = nn.RNN(6, 8, batch_first=True)
        self.leave = nn.Linear(8, 20)

    def forward(self, x):
        return self.leave(self.rnn(self.words(x))[0])


class LSTMByCells(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.leave = nn.LSTMCell(3, 6), nn.Linear(6, 1)

    def forward(self, x):
        hidden = x.new_zeros(x.size(0), 6)
        state = x.new_zeros(x.size(0), 6)
        for t in range(x.size(1)):
            hidden, state = self.cell(x[:, t], (hidden, state))
        return self.leave(hidden)


# Attention.

class CausalBlock(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                 nn.Linear(4 * width, width))

    def attend(self, x):
        b, t, c = x.size()
        q, k, v = self.qkv(x).split(c, dim=2)
        q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                   for part in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).contiguous().view(b, t, c))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(20, 8), nn.Embedding(6, 8)
        self.blocks = nn.ModuleList(CausalBlock() for _ in range(2))
        self.norm = nn.LayerNorm(8)
        self.head = nn.Linear(8, 20, bias=False)
        self.head.weight = self.words.weight

    def forward(self, x):
        x = self.words(x) + self.places(torch.arange(x.size(1)))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class MaskedAttention(nn.Module):
    """Attention written out, with a triangle of a buffer."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.key, self.query = nn.Linear(8, 8), nn.Linear(8, 8)
        self.value, self.leave = nn.Linear(8, 8), nn.Linear(8, 20)
        self.register_buffer("mask", torch.tril(torch.ones(6, 6)))

    def forward(self, x):
        x = self.words(x)
        scores = self.query(x) @ self.key(x).transpose(-2, -1) / 8 ** 0.5
        scores = scores.masked_fill(self.mask == 0, float("-inf"))
        return self.leave(F.softmax(scores, dim=-1) @ self.value(x))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8, padding_idx=0)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0,
                                           batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.leave = nn.Linear(8, 4)

    def forward(self, x):
        return self.leave(self.encoder(self.words(x)).mean(dim=1))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 8, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 8))
        self.places = nn.Parameter(torch.randn(1, 5, 8) * 0.02)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(8), nn.LayerNorm(8)
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(),
                                 nn.Linear(16, 8))
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.size(0), -1, -1), x], dim=1)
        x = x + self.places
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        x = x + self.mlp(self.norm2(x))
        return self.head(x[:, 0])


class RotaryBlock(nn.Module):
    """A block as of LLaMA: RMS norms, rotary positions, SwiGLU, grouped
    queries."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.norm1, self.norm2 = nn.RMSNorm(8), nn.RMSNorm(8)
        self.query, self.key = nn.Linear(8, 8, False), nn.Linear(8, 4, False)
        self.value, self.out = nn.Linear(8, 4, False), nn.Linear(8, 8, False)
        self.gate, self.up = nn.Linear(8, 12, False), nn.Linear(8, 12, False)
        self.down, self.head = nn.Linear(12, 8, False), nn.Linear(8, 20)
        angle = torch.outer(torch.arange(6.0), 1 / 10 ** torch.arange(2.0))
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)

    def rotate(self, x):
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * self.cos - b * self.sin,
                            a * self.sin + b * self.cos], dim=-1).flatten(-2)

    def attend(self, x):
        b, t, _ = x.shape
        q = self.rotate(self.query(x).view(b, t, 2, 4).transpose(1, 2))
        k = self.rotate(self.key(x).view(b, t, 1, 4).transpose(1, 2))
        v = self.value(x).view(b, t, 1, 4).transpose(1, 2)
        k, v = k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(b, t, 8))

    def forward(self, x):
        x = self.words(x)
        x = x + self.attend(self.norm1(x))
        y = self.norm2(x)
        x = x + self.down(F.silu(self.gate(y)) * self.up(y))
        return self.head(x)


class MixtureOfExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(8, 4)
        self.experts = nn.ModuleList(nn.Sequential(
            nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 8)) for _ in range(4))
        self.leave = nn.Linear(8, 4)

    def forward(self, x):
        weights, chosen = F.softmax(self.router(x), dim=-1).topk(2, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        result = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            share = (weights * (chosen == number)).sum(dim=-1, keepdim=True)
            result = result + share * expert(x)
        return self.leave(result)


class SeqToSeq(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.encoder = nn.GRU(8, 8, batch_first=True)
        self.decoder = nn.GRU(8, 8, batch_first=True)
        self.leave = nn.Linear(16, 20)

    def forward(self, source, target):
        memory, state = self.encoder(self.words(source))
        found, _ = self.decoder(self.words(target), state)
        weights = torch.softmax(torch.einsum(
            "btd,bsd->bts", found, memory), dim=-1)
        context = torch.einsum("bts,bsd->btd", weights, memory)
        return self.leave(torch.cat([found, context], dim=-1))


def translate(module, batch):
    logits = module(batch["x"], batch["y"])
    return F.cross_entropy(logits.transpose(1, 2), batch["y"],
                           label_smoothing=0.1)


# Recommenders.

class WideAndDeep(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide, self.deep = nn.Embedding(40, 1), nn.Embedding(40, 4)
        self.dense = nn.Linear(3, 1)
        self.mlp = nn.Sequential(nn.Linear(5 * 4 + 3, 16), nn.ReLU(),
                                 nn.Linear(16, 1))

    def forward(self, dense, sparse):
        wide = self.wide(sparse).sum(dim=1) + self.dense(dense)
        deep = torch.cat([self.deep(sparse).flatten(1), dense], dim=1)
        return (wide + self.mlp(deep)).squeeze(1)


class DeepFM(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Embedding(40, 1), nn.Embedding(40, 4)
        self.dense = nn.Linear(3, 1)
        self.mlp = nn.Sequential(nn.Linear(20, 16), nn.ReLU(),
                                 nn.Linear(16, 1))

    def forward(self, dense, sparse):
        rows = self.second(sparse)
        pairs = 0.5 * (rows.sum(dim=1) ** 2 - (rows ** 2).sum(dim=1)).sum(
            dim=1, keepdim=True)
        first = self.first(sparse).sum(dim=1) + self.dense(dense)
        return (first + pairs + self.mlp(rows.flatten(1))).squeeze(1)


class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(40, 4, sparse=True)
                                    for _ in range(5))
        self.bottom = nn.Sequential(nn.Linear(3, 8), nn.ReLU(),
                                    nn.Linear(8, 4), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(4 + 15, 8), nn.ReLU(),
                                 nn.Linear(8, 1))

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        rows = [table(sparse[:, i]) for i, table in enumerate(self.tables)]
        every = torch.stack([x] + rows, dim=1)
        products = torch.bmm(every, every.transpose(1, 2))
        i, j = torch.tril_indices(6, 6, offset=-1)
        return self.top(torch.cat([x, products[:, i, j]], dim=1)).squeeze(1)


class CrossNetwork(nn.Module):
    """DCN v2: x0 * (W x + b) + x."""

    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(40, 4)
        self.crosses = nn.ModuleList(nn.Linear(23, 23) for _ in range(2))
        self.mlp = nn.Sequential(nn.Linear(23, 8), nn.ReLU())
        self.leave = nn.Linear(31, 1)

    def forward(self, dense, sparse):
        x0 = torch.cat([self.rows(sparse).flatten(1), dense], dim=1)
        x = x0
        for cross in self.crosses:
            x = x0 * cross(x) + x
        return self.leave(torch.cat([x, self.mlp(x0)], dim=1)).squeeze(1)


class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(50, 8, mode="mean")
        self.leave = nn.Linear(8, 4)

    def forward(self, x):
        return self.leave(self.words(x))


class MatrixFactorization(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(30, 6), nn.Embedding(20, 6)
        self.user_bias = nn.Embedding(30, 1)
        self.item_bias = nn.Embedding(20, 1)

    def forward(self, user, item):
        dot = (self.users(user) * self.items(item)).sum(dim=1)
        return dot + self.user_bias(user).squeeze(1) + self.item_bias(
            item).squeeze(1)


def rating(module, batch):
    return F.mse_loss(module(batch["user"], batch["item"]), batch["rating"])


def ratings(random):
    return {"user": random.randint(0, 30, BATCH),
            "item": random.randint(0, 20, BATCH),
            "rating": random.uniform(1, 5, BATCH).astype("float32")}


class NeuralCollaborativeFiltering(MatrixFactorization):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(12, 8), nn.ReLU(),
                                 nn.Linear(8, 1))

    def forward(self, user, item):
        users, items = self.users(user), self.items(item)
        return self.mlp(torch.cat([users, items], dim=-1)).squeeze(-1)


class Word2Vec(nn.Module):
    def __init__(self):
        super().__init__()
        self.centers, self.contexts = nn.Embedding(50, 8), nn.Embedding(50, 8)

    def forward(self, center, context):
        return torch.einsum("bd,bnd->bn", self.centers(center),
                            self.contexts(context))


def skip_gram(module, batch):
    logits = module(batch["center"], batch["context"])
    return -(F.logsigmoid(logits[:, 0]) +
             F.logsigmoid(-logits[:, 1:]).sum(dim=1)).mean()


def words(random):
    return {"center": random.randint(0, 50, BATCH),
            "context": random.randint(0, 50, (BATCH, 4))}


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(30, 8), nn.Embedding(20, 8)

    def forward(self, user, item):
        users = F.normalize(self.users(user), dim=-1)
        items = F.normalize(self.items(item), dim=-1)
        return F.cosine_similarity(users, items)


class InterestNetwork(nn.Module):
    """Attention of a target item to a history (DIN)."""

    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(40, 4, padding_idx=0)
        self.score = nn.Sequential(nn.Linear(16, 8), nn.Sigmoid(),
                                   nn.Linear(8, 1))
        self.leave = nn.Linear(11, 1)

    def forward(self, dense, sparse):
        history, target = self.items(sparse[:, 1:]), self.items(sparse[:, 0])
        wide = target.unsqueeze(1).expand_as(history)
        scores = self.score(torch.cat(
            [history, wide, history - wide, history * wide], dim=-1))
        mask = (sparse[:, 1:] != 0).unsqueeze(-1)
        scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
        pooled = (torch.softmax(scores, dim=1) * history).sum(dim=1)
        return self.leave(torch.cat([pooled, target, dense], 1)).squeeze(1)


MODELS = [
    ("MLP", mlp, classify, vectors(8)),
    ("Activations", activations, classify, vectors(8)),
    ("Layer and RMS norms", normalized_mlp, classify, vectors(8)),
    ("Batch norm", batch_normalized_mlp, classify, vectors(8)),
    ("Residual MLP", ResidualMLP, regress, regression(8)),
    ("Highway", Highway, classify, vectors(8)),
    ("Maxout", Maxout, classify, vectors(8)),
    ("Autoencoder", Autoencoder, reconstruct, regression(16)),
    ("Variational autoencoder", VariationalAutoencoder, evidence, noisy),
    ("Siamese", Siamese, contrast, pairs),
    ("Hypernetwork", Hypernetwork, classify, vectors(8)),
    ("Mixture density", MixtureDensity, mixture_likelihood, regression(8)),
    ("LeNet", LeNet, classify, images(1, 16)),
    ("ResNet block", ResNetBlock, classify, images(3, 8)),
    ("MobileNet block", MobileNetBlock, classify, images(3, 4)),
    ("U-Net", UNet, reconstruct, images(1, 8)),
    ("Text CNN", TextCNN, classify, tokens(50, 7)),
    ("Temporal convolution", TemporalConvolution, regress, series(8, 3)),
    ("Upsampler", Upsampler, reconstruct, images(1, 8)),
    ("LSTM", LSTMClassifier, classify, tokens(50, 5)),
    ("GRU, 2 layers, bidirectional", GRUForecast, regress, series(5, 3)),
    ("Character RNN", CharacterRNN, predict_next, texts(20, 5)),
    ("LSTM cells", LSTMByCells, regress, series(5, 3)),
    ("GPT", GPT, predict_next, texts(20, 6)),
    ("Masked attention", MaskedAttention, predict_next, texts(20, 6)),
    ("Transformer encoder", Encoder, classify, tokens(50, 5)),
    ("ViT", ViT, classify, images(3, 8)),
    ("LLaMA block", RotaryBlock, predict_next, texts(20, 6)),
    ("Mixture of experts", MixtureOfExperts, classify, vectors(8)),
    ("Sequence to sequence", SeqToSeq, translate, texts(20, 5)),
    ("Wide & Deep", WideAndDeep, click, clicks(5, 40, 3)),
    ("DeepFM", DeepFM, click, clicks(5, 40, 3)),
    ("DLRM", DLRM, click, clicks(5, 40, 3), ("sgd",)),
    ("DCN v2", CrossNetwork, click, clicks(5, 40, 3)),
    ("Bag of words", BagOfWords, classify, tokens(50, 6)),
    ("Matrix factorization", MatrixFactorization, rating, ratings),
    ("Neural collaborative filtering", NeuralCollaborativeFiltering, rating,
     ratings),
    ("word2vec", Word2Vec, skip_gram, words),
    ("Two towers", TwoTowers, rating, ratings),
    ("Deep interest network", InterestNetwork, click, clicks(5, 40, 3)),
]


def cases():
    return [TorchCase(*model) for model in MODELS]
