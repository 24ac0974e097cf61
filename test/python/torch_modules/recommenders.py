# SPDX-License-Identifier: Apache-2.0
"""Models of clicks, ratings and words."""

import torch
from torch import nn
from torch.nn import functional as F

from torch_modules.batches import BATCH


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


class InBatchNegatives(TwoTowers):
    """Each user's item is one class, those of the others of the batch are the
    other ones."""

    def forward(self, user, item):
        return self.users(user) @ self.items(item).T / 8 ** 0.5


def contrast_in_batch(module, batch):
    logits = module(batch["user"], batch["item"])
    return F.cross_entropy(logits, torch.arange(logits.size(0)))


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
