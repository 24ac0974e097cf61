# SPDX-License-Identifier: Apache-2.0
"""The part ctr in TorchRec: a table for each field, looked up together, whose
optimizer is fused into the backward pass; the rest as in pytorch_ctr.py. One
process. Rows of its tables have multiples of 4 numbers: of 12, the model uses
9."""

import torch
from torch import nn
from torchrec.modules.embedding_configs import EmbeddingBagConfig
from torchrec.modules.fused_embedding_modules import (
    FusedEmbeddingBagCollection)
from torchrec.sparse.jagged_tensor import KeyedJaggedTensor

import ctr_model as ctr
import pytorch_ctr

ROW = 12
KEYS = [f"field{i}" for i in range(ctr.FIELDS)]


def make_tables(model):
    arguments = {"lr": ctr.SGD_RATE}
    kind = torch.optim.SGD
    if model == "wide_deep":
        arguments = {"lr": ctr.ADAM_RATE, "eps": ctr.ADAM_EPSILON}
        kind = torch.optim.Adam
    return FusedEmbeddingBagCollection(
        [EmbeddingBagConfig(name=key, embedding_dim=ROW,
                            num_embeddings=ctr.IDS, feature_names=[key])
         for key in KEYS], optimizer_type=kind, optimizer_kwargs=arguments,
        device=torch.device("cpu"))


def main():
    options = ctr.parse()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tables = make_tables(options.model)
    dense = pytorch_ctr.Dense(options.model == "wide_deep")
    optimizer = pytorch_ctr.make_dense_optimizer(options.model,
                                                 dense.parameters())
    loss_of = nn.BCEWithLogitsLoss()
    lengths = torch.ones(ctr.FIELDS * ctr.BATCH, dtype=torch.int32)
    first = torch.arange(ctr.FIELDS) * ctr.IDS

    def step(ids, numbers, labels):
        values = (ids - first).t().reshape(-1)
        rows = tables(KeyedJaggedTensor(KEYS, values, lengths=lengths)).values()
        rows = rows.reshape(ctr.BATCH, ctr.FIELDS, ROW)[:, :, :ctr.WIDTH]
        rows = rows.reshape(ctr.BATCH, ctr.FIELDS * ctr.WIDTH)
        optimizer.zero_grad()
        loss_of(dense(rows, numbers), labels).backward()
        optimizer.step()

    ctr.time_steps(step, pytorch_ctr.to_tensors(
        ctr.make_batches(options.steps, options.id)))


main()
