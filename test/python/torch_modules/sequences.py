# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks and attention."""

import torch
from torch import nn
from torch.nn import functional as F


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
