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


class LazyAdam(tf.keras.optimizers.legacy.Adam):
    """Adam that moves the state of those rows that have a gradient; the one of
    Keras goes through the whole table."""

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        state = apply_state[var.device, var.dtype.base_dtype]
        mean, square = self.get_slot(var, "m"), self.get_slot(var, "v")
        new_mean = (tf.gather(mean, indices) * state["beta_1_t"]
                    + grad * state["one_minus_beta_1_t"])
        new_square = (tf.gather(square, indices) * state["beta_2_t"]
                      + grad * grad * state["one_minus_beta_2_t"])
        step = state["lr"] * new_mean / (tf.sqrt(new_square) + state["epsilon"])
        return tf.group(
            mean.scatter_update(tf.IndexedSlices(new_mean, indices)),
            square.scatter_update(tf.IndexedSlices(new_square, indices)),
            var.scatter_sub(tf.IndexedSlices(step, indices)))


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

    def variables(self):
        for variable in [self.table, *sum(self.layers, ())]:
            # One per server that holds a part of it.
            yield from getattr(variable, "variables", [variable])

    def logit(self, ids, numbers):
        rows = tf.nn.embedding_lookup(self.table, ids)
        hidden = tf.concat(
            [tf.reshape(rows, [ctr.BATCH, ctr.FIELDS * ctr.WIDTH]), numbers], 1)
        for number, (weights, bias) in enumerate(self.layers[:4]):
            hidden = tf.matmul(hidden, tf.convert_to_tensor(weights)) + bias
            if number < 3:
                hidden = tf.nn.relu(hidden)
        if self.is_wide:
            weights, bias = self.layers[4]
            hidden += tf.matmul(numbers, weights) + bias
        return hidden


def make_step(strategy, model, optimizer):
    variables = list(model.variables())

    def replica(batch):
        ids, numbers, labels = batch
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
                labels, model.logit(ids, numbers)))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, variables), variables))

    @tf.function
    def step(iterator):
        strategy.run(replica, args=(next(iterator),))

    return step


def make_dataset(_=None):
    columns = zip(*ctr.make_batches(POOL, 0))
    return tf.data.Dataset.from_tensor_slices(
        tuple(map(tf.stack, columns))).repeat()


def coordinate(options, resolver):
    partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(
        256 << 10, max_shards=options.servers)
    strategy = tf.distribute.ParameterServerStrategy(
        resolver, variable_partitioner=partitioner)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        model = Model(options.model == "wide_deep")
        optimizer = (
            tf.keras.optimizers.legacy.SGD(ctr.SGD_RATE)
            if options.model == "ctr_dnn" else
            LazyAdam(ctr.ADAM_RATE, epsilon=ctr.ADAM_EPSILON))
    step = make_step(strategy, model, optimizer)
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
