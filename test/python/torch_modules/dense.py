# SPDX-License-Identifier: Apache-2.0
"""Perceptrons and autoencoders."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from torch_modules.batches import BATCH


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
