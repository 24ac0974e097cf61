# SPDX-License-Identifier: Apache-2.0
"""The part ctr in TensorFlow with ParameterServerStrategy, which is
asynchronous. TF_CONFIG names this process's role: the coordinator ("chief")
prints the rate of all workers."""

import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402: after what it reads

import ctr_model as ctr

POOL = 40  # Batches that a worker goes through again and again.


class TableSGD:
    """A part of the table that one server holds."""

    def __init__(self, rows):
        self.rows = rows

    def apply(self, gradient, step):
        self.rows.scatter_sub(tf.IndexedSlices(
            ctr.SGD_RATE * gradient.values, gradient.indices))


class TableAdam:
    """The same with Adam, which moves the state of those rows that have a
    gradient; the Adam of Keras goes through the whole table."""

    def __init__(self, rows):
        self.rows = rows
        self.mean = tf.Variable(tf.zeros(rows.shape))
        self.square = tf.Variable(tf.zeros(rows.shape))

    def apply(self, gradient, step):
        ids, places = tf.unique(gradient.indices)
        sums = tf.math.unsorted_segment_sum(gradient.values, places,
                                            tf.size(ids))
        mean = 0.9 * tf.gather(self.mean, ids) + 0.1 * sums
        square = 0.999 * tf.gather(self.square, ids) + 0.001 * sums * sums
        rate = (ctr.ADAM_RATE * tf.sqrt(1 - tf.pow(0.999, step))
                / (1 - tf.pow(0.9, step)))
        self.mean.scatter_update(tf.IndexedSlices(mean, ids))
        self.square.scatter_update(tf.IndexedSlices(square, ids))
        self.rows.scatter_sub(tf.IndexedSlices(
            rate * mean / (tf.sqrt(square) + ctr.ADAM_EPSILON), ids))


class Model:
    def __init__(self, is_wide):
        self.table = tf.Variable(tf.random.uniform(
            [ctr.FIELDS * ctr.IDS, ctr.WIDTH], -0.01, 0.01))
        widths = ([ctr.FIELDS * ctr.WIDTH + ctr.NUMBERS] + 3 * [ctr.HIDDEN]
                  + [1])
        shapes = list(zip(widths, widths[1:])) + is_wide * [(ctr.NUMBERS, 1)]
        self.layers = [
            (tf.Variable(tf.random.normal(shape, stddev=shape[0] ** -0.5)),
             tf.Variable(tf.zeros([shape[1]]))) for shape in shapes]
        self.is_wide = is_wide

    def shards(self):
        """The parts of the table, one per server."""
        return getattr(self.table, "variables", [self.table])

    def logit(self, ids, numbers):
        rows = tf.nn.embedding_lookup(self.table, ids)
        hidden = tf.concat(
            [tf.reshape(rows, [ctr.BATCH, ctr.FIELDS * ctr.WIDTH]), numbers], 1)
        for number, (weights, bias) in enumerate(self.layers[:4]):
            hidden = tf.matmul(hidden, weights) + bias
            if number < 3:
                hidden = tf.nn.relu(hidden)
        if self.is_wide:
            weights, bias = self.layers[4]
            hidden += tf.matmul(numbers, weights) + bias
        return hidden


def make_step(strategy, model, optimizer, table):
    """Parts of the table are updated where they are."""
    dense, shards = sum(model.layers, ()), model.shards()

    def replica(batch):
        ids, numbers, labels = batch
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
                labels, model.logit(ids, numbers)))
        gradients = tape.gradient(loss, [*dense, *shards])
        optimizer.apply_gradients(zip(gradients, dense))
        step = tf.cast(optimizer.iterations + 1, tf.float32)
        for part, gradient in zip(table, gradients[len(dense):]):
            with tf.device(part.rows.device):
                part.apply(gradient, step)

    @tf.function
    def step(iterator):
        strategy.run(replica, args=(next(iterator),))

    return step


def make_dataset(_=None):
    columns = zip(*ctr.make_batches(POOL, 0))
    return tf.data.Dataset.from_tensor_slices(
        tuple(map(tf.stack, columns))).repeat()


def make_table_update(strategy, shard, kind):
    with strategy.extended.colocate_vars_with(shard):
        return kind(shard)


def coordinate(options, resolver):
    # The table alone is larger: the servers share it, and have the other
    # variables in turn.
    partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(
        1 << 20, max_shards=options.servers)
    strategy = tf.distribute.ParameterServerStrategy(
        resolver, variable_partitioner=partitioner)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    is_adam = options.model == "wide_deep"
    with strategy.scope():
        model = Model(is_adam)
        optimizer = (tf.keras.optimizers.legacy.Adam(
            ctr.ADAM_RATE, epsilon=ctr.ADAM_EPSILON) if is_adam else
            tf.keras.optimizers.legacy.SGD(ctr.SGD_RATE))
        table = [make_table_update(strategy, shard,
                                   TableAdam if is_adam else TableSGD)
                 for shard in model.shards()]
    step = make_step(strategy, model, optimizer, table)
    batches = iter(coordinator.create_per_worker_dataset(make_dataset))

    def run(steps):
        for _ in range(steps * options.trainers):
            coordinator.schedule(step, args=(batches,))
        coordinator.join()

    run(ctr.WARM_UP)
    begin, steps = time.perf_counter(), options.steps - ctr.WARM_UP
    run(steps)
    ctr.print_rate(steps * options.trainers * ctr.BATCH /
                   (time.perf_counter() - begin))


def main():
    options = ctr.parse()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type == "chief":
        return coordinate(options, resolver)
    # More than one thread for operators, some of which wait for others.
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1,
                                      inter_op_parallelism_threads=4)
    tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type,
                         task_index=resolver.task_id, protocol="grpc",
                         config=config).join()


main()
