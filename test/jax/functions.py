# SPDX-License-Identifier: Apache-2.0
"""The functions whose texts generate.py writes: plain JAX, small shapes."""

import jax
import jax.numpy as jnp
import numpy
from jax import lax, nn
from jax.sharding import AxisType, NamedSharding, PartitionSpec


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def layer_norm_gradients(x, scale, bias):
    def loss(*arguments):
        return jnp.sum(layer_norm(*arguments) ** 3)
    return jax.grad(loss, argnums=(0, 1, 2))(x, scale, bias)


def batch_norm(x, scale, bias, mean, variance):
    here, spread = jnp.mean(x, axis=0), jnp.var(x, axis=0)
    y = (x - here) / jnp.sqrt(spread + 1e-5) * scale + bias
    return y, 0.9 * mean + 0.1 * here, 0.9 * variance + 0.1 * spread


def standard_deviation(x):
    return jnp.std(x, axis=0, ddof=1), jnp.square(x).sum()


def gelu_erf(x):
    return jax.value_and_grad(lambda x: jnp.sum(
        nn.gelu(x, approximate=False)))(x)


def gelu_tanh(x):
    return jax.value_and_grad(lambda x: jnp.sum(nn.gelu(x)))(x)


def error_functions(x, p):
    return lax.erf(x), lax.erfc(x), lax.erf_inv(p)


def gamma_functions(x):
    return jax.value_and_grad(lambda x: jnp.sum(lax.lgamma(x)))(x)


def inverse_functions(x):
    y = x + 1.5
    return (jnp.arcsin(x), jnp.arccos(x), jnp.arctan(x), jnp.arcsinh(x),
            jnp.arccosh(y), jnp.arctanh(x), jnp.arctan2(x, y))


def hyperbolic_functions(x):
    return jnp.sinh(x), jnp.cosh(x), jnp.tan(x), jnp.sinc(x)


def softmax(x):
    return nn.softmax(x), nn.log_softmax(x), nn.logsumexp(x, axis=-1)


def cross_entropy(logits, labels):
    def loss(logits):
        rows = jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1)
        return -jnp.mean(rows)
    return jax.value_and_grad(loss)(logits)


def activations(x):
    return (nn.relu(x), nn.elu(x), nn.selu(x), nn.silu(x), nn.softplus(x),
            nn.leaky_relu(x), nn.hard_tanh(x), nn.mish(x))


def accuracy(logits, labels):
    right = jnp.argmax(logits, axis=-1) == labels
    return jnp.mean(right), jnp.sum(right, dtype=jnp.int32)


def embedding(table, ids):
    def loss(table):
        return jnp.sum(table[ids] ** 2)
    return jax.value_and_grad(loss)(table)


def one_hot(ids):
    return nn.one_hot(ids, 5), nn.one_hot(ids, 5, dtype=jnp.bfloat16)


def masks(x):
    triangle = jnp.tril(jnp.ones((4, 4), bool))
    return jnp.where(triangle, x, -1e9), jnp.where(MASK, x.reshape(-1)[0], 0.0)


# Printed as hexadecimal digits, for it has more than a hundred elements.
MASK = numpy.array([[(i * i + 3 * j) % 7 < 3 for j in range(12)]
                    for i in range(10)])


def attention(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


def barrier(x):
    return jax.value_and_grad(lambda x: jnp.sum(jax.checkpoint(
        lambda y: jnp.sin(jnp.sin(y)))(x)))(x)


def integers(a, b):
    return (a // b, a % b, a & b, a | b, a ^ b, a << 2, a >> 1, -a, ~a,
            jnp.square(a), jnp.maximum(a, b), a.astype(jnp.uint32) >> 28)


def rounding(x):
    return jnp.round(x), jnp.floor_divide(x, 0.5), jnp.ceil(x), jnp.sign(x)


def random_bits(key, count):
    """One step of a linear congruential generator and a fraction of it."""
    state = key * jnp.uint32(1664525) + jnp.uint32(1013904223)
    bits = (state >> 9) | jnp.uint32(0x3F800000)
    return state, lax.bitcast_convert_type(bits, jnp.float32) - 1.0, count + 1


def adam(p, g, m, v, step):
    step = step + 1
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * jnp.square(g)
    t = step.astype(jnp.float32)
    rate = 0.01 * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t)
    return p - rate * m / (jnp.sqrt(v) + 1e-8), m, v, step


def clipped_momentum(p, g, v):
    norm = jnp.sqrt(jnp.sum(jnp.square(g)))
    g = jnp.where(norm > 1.0, g / norm, g)
    v = 0.9 * v + g
    return p - 0.1 * v, v


def one_device(x, w):
    y = lax.with_sharding_constraint(x @ w, SHARDING)
    return nn.relu(y)


SHARDING = NamedSharding(
    jax.make_mesh((1,), ("batch",), axis_types=(AxisType.Auto,)),
    PartitionSpec("batch"))


def network(parameters, x):
    y = layer_norm(x @ parameters["w0"] + parameters["b0"],
                   parameters["scale"], parameters["bias"])
    return nn.gelu(y, approximate=False) @ parameters["w1"] + parameters["b1"]


def network_loss(parameters, x, y):
    logits = network(parameters, x)
    rows = jnp.take_along_axis(nn.log_softmax(logits), y[:, None], 1)
    return -jnp.mean(rows)


def network_step(parameters, x, y):
    loss, gradients = jax.value_and_grad(network_loss)(parameters, x, y)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)


def convolve(x, w, stride=1, padding="SAME", **options):
    return lax.conv_general_dilated(
        x, w, (stride, stride), padding,
        dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def max_pool(x, size, stride, padding="VALID"):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, size, size, 1),
                             (1, stride, stride, 1), padding)


def average_pool(x, size, stride, padding="VALID"):
    sums = lax.reduce_window(x, 0.0, lax.add, (1, size, size, 1),
                             (1, stride, stride, 1), padding)
    counts = lax.reduce_window(jnp.ones_like(x), 0.0, lax.add,
                               (1, size, size, 1), (1, stride, stride, 1),
                               padding)
    return sums / counts


def lenet(parameters, x):
    """Two convolutions and a layer, of images of 12x12 in 3 classes."""
    p = parameters
    x = max_pool(nn.relu(convolve(x, p["w0"]) + p["b0"]), 2, 2)
    x = max_pool(nn.relu(convolve(x, p["w1"], padding="VALID") + p["b1"]), 2, 2)
    return x.reshape(x.shape[0], -1) @ p["w2"] + p["b2"]


def lenet_gradients(parameters, x, labels):
    def loss(parameters):
        logits = nn.log_softmax(lenet(parameters, x))
        return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], axis=1))
    return jax.value_and_grad(loss)(parameters)


def pools(x):
    def loss(x):
        return (jnp.sum(max_pool(x, 2, 2) ** 2) +
                jnp.sum(max_pool(x, 3, 2, "SAME") ** 3) +
                jnp.sum(average_pool(x, 2, 2) ** 3) +
                jnp.sum(average_pool(x, 3, 2, "SAME") ** 2))
    return jax.value_and_grad(loss)(x)


def convolutions(x, w, depthwise, back):
    """Steps, holes, groups, a transposed convolution; and the gradients."""
    def loss(x, w, depthwise, back):
        y = convolve(x, w, 2)
        z = convolve(x, depthwise, rhs_dilation=(2, 1), feature_group_count=2)
        t = lax.conv_transpose(y, back, (2, 2), "SAME")
        return jnp.sum(y ** 2) + jnp.sum(z ** 3) + jnp.sum(t ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1, 2, 3))(
        x, w, depthwise, back)


def channels_first(x, w):
    """As PyTorch lays out images."""
    def loss(x, w):
        y = lax.conv_general_dilated(x, w, (1, 1), ((1, 1), (1, 1)),
                                     dimension_numbers=("NCHW", "OIHW", "NCHW"))
        return jnp.sum(jnp.tanh(y) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))(x, w)


def lstm(parameters, xs):
    """The states of an LSTM, from xs[time, sample, feature]."""
    def cell(carry, x):
        h, c = carry
        z = x @ parameters["wx"] + h @ parameters["wh"] + parameters["b"]
        i, f, g, o = jnp.split(z, 4, axis=-1)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    zeros = jnp.zeros((xs.shape[1], parameters["wh"].shape[0]))
    return lax.scan(cell, (zeros, zeros), xs)[1]


def scan_lstm(parameters, xs, y):
    return jnp.mean((lstm(parameters, xs).mean(0) - y) ** 2)


def scan_lstm_gradients(parameters, xs, y):
    return jax.value_and_grad(scan_lstm, argnums=(0, 1))(parameters, xs, y)


def gru(parameters, xs, y):
    def cell(h, x):
        a = x @ parameters["wx"] + parameters["b"]
        b = h @ parameters["wh"]
        r, u = jnp.split(nn.sigmoid(a[:, :4] + b[:, :4]), 2, axis=-1)
        n = jnp.tanh(a[:, 4:] + r * b[:, 4:])
        return (1 - u) * n + u * h, None
    zeros = jnp.zeros((xs.shape[1], 2))
    # From the last to the first.
    h, _ = lax.scan(cell, zeros, xs, reverse=True)
    return jnp.mean((h - y) ** 2)


def gru_gradients(parameters, xs, y):
    return jax.value_and_grad(gru)(parameters, xs, y)


def loops(x):
    def body(i, v):
        return v * 2 + x[i % 3] + lax.fori_loop(0, i, lambda j, s: s + j, 0)
    running = lax.scan(lambda c, v: (c + v, c * v), jnp.float32(1), x,
                       unroll=2)
    return lax.fori_loop(0, 4, body, x), running


def dropout(key, x):
    keep = jax.random.bernoulli(key, 0.8, x.shape)
    noise = jax.random.normal(jax.random.split(key)[1], x.shape)
    return jnp.where(keep, x / 0.8, 0), noise, jax.random.permutation(key, 6)


def branches(i, p, x):
    def chosen(x):
        y = lax.switch(i, [jnp.sin, lambda x: x * 2, jnp.tanh], x)
        return jnp.sum(lax.cond(p, lambda y: y ** 2, jnp.exp, y))
    return jax.value_and_grad(chosen)(x)


def sorting(x, y):
    def loss(x):
        return jnp.sum(jnp.sort(x, axis=0) * y)
    return (jnp.sort(x), jnp.argsort(x, descending=True, axis=0),
            jnp.median(x), jax.grad(loss)(x))


def routing(x, gate, experts):
    """A mixture of experts: each sample goes to its two best ones."""
    def loss(gate, experts):
        weights, chosen = lax.top_k(nn.softmax(x @ gate), 2)
        y = jnp.einsum("bi,bkio->bko", x, experts[chosen])
        return jnp.mean(jnp.sum(weights[..., None] * y, 1) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))(gate, experts)


def updates(x, i):
    y = lax.dynamic_update_slice(x, -x[:2, :2], (i, i - 1))
    return jax.value_and_grad(lambda x: jnp.sum(lax.dynamic_update_slice(
        x * x, x[:2, :2], (i, 1)) * y))(x)


def counted_bits(a, x):
    return (lax.population_count(a), lax.clz(a),
            lax.reduce_precision(x, 5, 10), lax.reduce_precision(x, 8, 7))


# Of these the batch size is a symbol when they are exported.

def symbolic_network(parameters, x, y):
    return jax.value_and_grad(network_loss)(parameters, x, y)


def symbolic_embedding(table, ids):
    def loss(table):
        return jnp.mean(jnp.sum(table[ids] ** 2, axis=(-2, -1)))
    return jax.value_and_grad(loss)(table)


def symbolic_attention(parameters, x):
    def loss(parameters, x):
        q, k, v = (jnp.einsum("bti,iho->btho", x, parameters[name])
                   for name in "qkv")
        y = nn.dot_product_attention(q, k, v, is_causal=True)
        return jnp.mean(y ** 2)
    return jax.value_and_grad(loss)(parameters, x), jnp.argmax(x, -1)


def symbolic_lstm(parameters, xs, y):
    return jax.value_and_grad(scan_lstm)(parameters, xs, y)


def symbolic_dropout(key, x):
    mask = jax.random.bernoulli(key, 0.8, x.shape)
    return jnp.mean(jnp.where(mask, x / 0.8, 0)), jnp.sum(mask, axis=1)


def symbolic_windows(x, i):
    return (lax.dynamic_slice(x, (0, i, 1), (x.shape[0], 2, 2)),
            x[:, ::2, -1], jnp.pad(x, ((0, 0), (1, 0), (0, 2))),
            jnp.arange(x.shape[0]), lax.top_k(x, 2)[1])


def symbolic_sorting(x, y):
    def loss(x):
        return jnp.mean(jnp.sum(jnp.sort(x, axis=1) * y, axis=1))
    return (jax.value_and_grad(loss)(x), jnp.argsort(x, axis=1),
            jnp.median(x, axis=1))


# Last, as texts have the lines of the functions above.

def generated_bits(key, x):
    """Bits of each algorithm, and what a key of the implementation rbg gives."""
    bits = [lax.rng_bit_generator(key, shape, dtype=kind, algorithm=algorithm)
            for algorithm in (lax.RandomAlgorithm.RNG_DEFAULT,
                              lax.RandomAlgorithm.RNG_THREE_FRY,
                              lax.RandomAlgorithm.RNG_PHILOX)
            for shape, kind in (((3, 5), jnp.uint32), ((7,), jnp.uint16))]
    keys = jax.random.split(jax.random.wrap_key_data(key, impl="rbg"))
    mask = jax.random.bernoulli(keys[0], 0.5, x.shape)
    return bits, jnp.where(mask, x, jax.random.normal(keys[1], x.shape))


def zeta_functions(x, q):
    order = jnp.full_like(q, 3)
    return (lax.zeta(x, q), lax.polygamma(order, q),
            jax.grad(lambda q: jnp.sum(lax.digamma(q)))(q))


def triangular_matrices(x, y, a, b):
    """A Gaussian process, and equations in other forms."""
    def loss(x, y):
        factor = jnp.linalg.cholesky(x @ x.T + jnp.eye(x.shape[0]))
        weights = jax.scipy.linalg.cho_solve((factor, True), y)
        return y @ weights / 2 + jnp.sum(jnp.log(jnp.diag(factor)))
    solve = jax.scipy.linalg.solve_triangular
    return (jax.value_and_grad(loss, argnums=(0, 1))(x, y),
            solve(a[0], b[0]), solve(a[0], b[0], trans=1, lower=True),
            jax.vmap(lambda a, b: solve(a, b, unit_diagonal=True))(a, b),
            jax.vmap(jnp.linalg.cholesky)(a @ a.mT),
            jnp.isnan(jnp.linalg.cholesky(-a @ a.mT)))
