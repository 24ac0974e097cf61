# SPDX-License-Identifier: Apache-2.0
"""What several losses share."""

import jax
import jax.numpy as jnp


def dense(layer, x):
    return x @ layer["w"] + layer["b"]


def mlp(layers, x, activation=jax.nn.relu):
    for layer in layers[:-1]:
        x = activation(dense(layer, x))
    return dense(layers[-1], x)


def cross_entropy(logits, labels):
    """The mean of -log softmax(logits)[label], as optax computes it."""
    picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


def binary_cross_entropy(logits, labels):
    return jnp.mean(jnp.maximum(logits, 0) - logits * labels +
                    jnp.log1p(jnp.exp(-jnp.abs(logits))))


def squared_error(predictions, targets):
    return jnp.mean((predictions - targets)**2)


def layer_norm(p, x, epsilon=1e-5):
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + epsilon) * p["scale"] + p["bias"]


def attention(q, k, v, mask=None):
    """Scaled dot products over [batch, heads, time, width]."""
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, axis=-1), v)


def split_heads(x, heads):
    return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(0, 2, 1, 3)


def merge_heads(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def norm_params(draw, width):
    return {"scale": draw.ones(width), "bias": draw.zeros(width)}


def block_params(draw, width):
    return {
        "norm1": norm_params(draw, width), "norm2": norm_params(draw, width),
        "qkv": draw.weights(width, 3 * width),
        "out": draw.weights(width, width),
        "mlp": draw.layers(width, 2 * width, width)}


def transformer_block(p, x, heads, mask=None):
    """Pre-norm, GELU, as in GPT-2 and ViT."""
    q, k, v = (split_heads(part, heads) for part in
               jnp.split(layer_norm(p["norm1"], x) @ p["qkv"], 3, axis=-1))
    x = x + merge_heads(attention(q, k, v, mask)) @ p["out"]
    return x + mlp(p["mlp"], layer_norm(p["norm2"], x), jax.nn.gelu)


def convolve(x, w, stride=1, padding="SAME", groups=1):
    return jax.lax.conv_general_dilated(
        x, w, (stride, stride), padding,
        dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def pool(x, init, operation, size=2):
    return jax.lax.reduce_window(x, init, operation, (1, size, size, 1),
                                 (1, size, size, 1), "VALID")


def max_pool(x, size=2):
    return pool(x, -jnp.inf, jax.lax.max, size)


def average_pool(x, size=2):
    return pool(x, 0.0, jax.lax.add, size) / (size * size)
