# SPDX-License-Identifier: Apache-2.0
"""The part ctr in PyTorch: one process, or several with DistributedDataParallel
over gloo. --rendezvous names a file that the processes share."""

import torch
from torch import nn

import ctr_model as ctr


class Dense(nn.Module):
    """All but the table."""

    def __init__(self, is_wide):
        super().__init__()
        widths = [ctr.FIELDS * ctr.WIDTH + ctr.NUMBERS] + 3 * [ctr.HIDDEN]
        layers = []
        for inputs, outputs in zip(widths, widths[1:]):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.deep = nn.Sequential(*layers, nn.Linear(ctr.HIDDEN, 1))
        self.wide = nn.Linear(ctr.NUMBERS, 1) if is_wide else None

    def forward(self, rows, numbers):
        logit = self.deep(torch.cat([rows, numbers], 1))
        return logit + self.wide(numbers) if self.wide else logit


class Model(nn.Module):
    def __init__(self, is_wide):
        super().__init__()
        self.table = nn.Embedding(ctr.FIELDS * ctr.IDS, ctr.WIDTH, sparse=True)
        nn.init.uniform_(self.table.weight, -0.01, 0.01)
        self.dense = Dense(is_wide)

    def forward(self, ids, numbers):
        rows = self.table(ids).reshape(ctr.BATCH, ctr.FIELDS * ctr.WIDTH)
        return self.dense(rows, numbers)


def make_dense_optimizer(model, parameters):
    if model == "ctr_dnn":
        return torch.optim.SGD(parameters, lr=ctr.SGD_RATE, fused=True)
    return torch.optim.Adam(parameters, lr=ctr.ADAM_RATE,
                            eps=ctr.ADAM_EPSILON, fused=True)


def make_table_optimizer(model, parameters):
    if model == "ctr_dnn":
        return torch.optim.SGD(parameters, lr=ctr.SGD_RATE)
    return torch.optim.SparseAdam(parameters, lr=ctr.ADAM_RATE,
                                  eps=ctr.ADAM_EPSILON)


def join_group(options):
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{options.rendezvous}", rank=options.id,
        world_size=options.trainers)


def to_tensors(batches):
    return (tuple(map(torch.from_numpy, batch)) for batch in batches)


def main():
    options = ctr.parse(rendezvous="")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Model(options.model == "wide_deep")
    optimizers = [make_table_optimizer(options.model, model.table.parameters()),
                  make_dense_optimizer(options.model, model.dense.parameters())]
    if options.trainers > 1:
        join_group(options)
        model = nn.parallel.DistributedDataParallel(model)
    loss_of = nn.BCEWithLogitsLoss()

    def step(ids, numbers, labels):
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss_of(model(ids, numbers), labels).backward()
        for optimizer in optimizers:
            optimizer.step()

    ctr.time_steps(step, to_tensors(ctr.make_batches(options.steps,
                                                     options.id)))


if __name__ == "__main__":
    main()
