# SPDX-License-Identifier: Apache-2.0
"""The part ctr in PaddlePaddle's fleet with parameter servers. The environment
names this process's role, as fleet expects; each trainer prints its rate.
--geo is the steps between two exchanges of mode geo."""

import paddle
import paddle.distributed.fleet as fleet
from paddle.nn import functional as F

import ctr_model as ctr


def build(is_wide, is_geo):
    ids = paddle.static.data("ids", [None, 1], "int64")
    numbers = paddle.static.data("numbers", [None, ctr.NUMBERS], "float32")
    labels = paddle.static.data("labels", [None, 1], "float32")
    attribute = paddle.ParamAttr(
        name="table", initializer=paddle.nn.initializer.Uniform(-0.01, 0.01))
    shape = [ctr.FIELDS * ctr.IDS, ctr.WIDTH]
    # All ids of a batch at once. In mode geo each trainer holds the table.
    rows = (paddle.static.nn.embedding(ids, shape, is_sparse=True,
                                       param_attr=attribute)
            if is_geo else
            paddle.static.nn.sparse_embedding(ids, shape,
                                              param_attr=attribute))
    rows = paddle.reshape(rows, [-1, ctr.FIELDS * ctr.WIDTH])
    hidden = paddle.concat([rows, numbers], axis=1)
    for _ in range(3):
        hidden = paddle.static.nn.fc(hidden, ctr.HIDDEN, activation="relu")
    logit = paddle.static.nn.fc(hidden, 1)
    if is_wide:
        logit = logit + paddle.static.nn.fc(numbers, 1)
    return F.binary_cross_entropy_with_logits(logit, labels)


def make_strategy(options):
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = options.mode != "sync"
    if options.mode == "geo":
        strategy.a_sync_configs = {"k_steps": options.geo}
    return strategy


def train(options, loss):
    runner = paddle.static.Executor(paddle.CPUPlace())
    runner.run(paddle.static.default_startup_program())
    fleet.init_worker()

    def step(ids, numbers, labels):
        runner.run(paddle.static.default_main_program(), fetch_list=[loss.name],
                   feed={"ids": ids.reshape(-1, 1), "numbers": numbers,
                         "labels": labels})

    ctr.time_steps(step, ctr.make_batches(options.steps, options.id))
    fleet.stop_worker()


def main():
    options = ctr.parse(mode="async", geo=0)
    paddle.enable_static()
    fleet.init(is_collective=False)
    loss = build(options.model == "wide_deep", options.mode == "geo")
    optimizer = (
        paddle.optimizer.SGD(ctr.SGD_RATE) if options.model == "ctr_dnn" else
        paddle.optimizer.Adam(ctr.ADAM_RATE, epsilon=ctr.ADAM_EPSILON,
                              lazy_mode=True))
    fleet.distributed_optimizer(optimizer, make_strategy(options)).minimize(
        loss)
    if fleet.is_server():
        fleet.init_server()
        fleet.run_server()
    else:
        train(options, loss)


main()
