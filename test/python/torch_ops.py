# SPDX-License-Identifier: Apache-2.0
"""Functions of PyTorch, one model for each: values and derivatives."""

import numpy
import torch
from torch import nn
from torch.nn import functional as F

from torch_suite import TorchCase

TITLE = "PyTorch functions"
BATCH, ROWS, COLUMNS = 4, 3, 6
FUNCTIONS = {}


class Shifted(nn.Module):
    """A function of x + w, and of the rest of the batch."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.w = nn.Parameter(torch.linspace(-1, 1, ROWS * COLUMNS).reshape(
            ROWS, COLUMNS))

    def forward(self, batch):
        return self.function(batch["x"] + self.w, batch)


def weighted(module, batch):
    """A sum of the results' elements, each with another weight."""
    results = module(batch)
    loss = 0
    for result in results if isinstance(results, tuple) else (results,):
        result = result.float()
        if result.dim() == 0:
            loss = loss + result
            continue
        shape = result.shape[1:]
        weights = torch.cos(torch.arange(shape.numel()) * 0.7).reshape(shape)
        loss = loss + (result * weights).reshape(
            result.size(0), -1).sum(dim=1).mean()
    return 0.05 * loss


def draw(random):
    shape = (BATCH, ROWS, COLUMNS)
    return {"x": random.standard_normal(shape).astype("float32"),
            "y": random.standard_normal(shape).astype("float32"),
            "p": random.uniform(0.05, 0.95, shape).astype("float32"),
            "i": random.randint(0, COLUMNS, (BATCH, ROWS)),
            "j": random.randint(0, COLUMNS, (BATCH, ROWS, 2)),
            "m": random.randint(0, 2, shape).astype(bool)}


def function(body):
    """Registers body(x, b): x has gradients, b is the batch."""
    FUNCTIONS[body.__name__] = body
    return body


# Elementwise: each through a sum, so that one model covers several.

@function
def exponentials(x, b):
    return torch.exp(x), torch.expm1(x), torch.exp2(x), torch.sigmoid(x)


@function
def logarithms(x, b):
    y = x.abs() + 0.1
    return torch.log(y), torch.log1p(y), torch.log2(y), torch.log10(y)


@function
def roots(x, b):
    y = x.abs() + 0.1
    return torch.sqrt(y), torch.rsqrt(y), y ** 1.5, y ** 3, torch.reciprocal(y)


@function
def trigonometry(x, b):
    y = torch.tanh(x) * 0.9
    return (torch.sin(x), torch.cos(x), torch.tan(y), torch.asin(y),
            torch.acos(y), torch.atan(x), torch.sinh(x), torch.cosh(x),
            torch.asinh(x), torch.atanh(y), torch.acosh(x.abs() + 1.1),
            torch.atan2(x, b["y"]))


@function
def error_functions(x, b):
    return (torch.erf(x), torch.erfc(x), torch.erfinv(torch.tanh(x) * 0.9),
            torch.lgamma(x.abs() + 1))


@function
def rounding(x, b):
    return (torch.floor(x) * x, torch.ceil(x) * x, torch.round(x) * x,
            torch.trunc(x) * x, torch.frac(x), torch.sign(x) * x)


@function
def arithmetic(x, b):
    y = b["y"]
    return (x + 2 * y, torch.add(x, y, alpha=3), x - y, 1 - x, x * y,
            x / (y.abs() + 1), 2 / (x.abs() + 1), x % 1.5,
            torch.remainder(x, y.abs() + 1), torch.fmod(x, 0.7),
            torch.div(x, 0.3, rounding_mode="floor") * x,
            torch.floor_divide(x.detach(), 0.3) * x)


@function
def integers(x, b):
    i, j = b["i"], b["j"].sum(dim=2) - 5
    return (x.sum(dim=2) * (i + j * 2), i // 2 * x[:, :, 0],
            (j % 4) * x[:, :, 1], (i - j).abs() * x[:, :, 2],
            torch.div(j, 3, rounding_mode="trunc") * x[:, :, 3],
            (i & 3) * x[:, :, 4], (i | 1) * x[:, :, 5], (i ^ 2).float(),
            (i << 1).float(), (j > 0).float(), (i / 2) * x[:, :, 0])


@function
def logic(x, b):
    m = b["m"]
    return ((m & (x > 0)) * x, (m | (x > 0.5)) * x, (~m) * x,
            torch.logical_xor(m, x > 0) * x, (m ^ (x < 0)) * x,
            torch.where(m, x, b["y"]), x.masked_fill(m, 2.0),
            torch.where(m, x, 0.5), m.any(dim=2) * x[:, :, 0],
            m.all(dim=2) * x[:, :, 1], torch.isnan(x) * x,
            torch.where(x == 0, 1.0, x), x.ne(0) * x)


@function
def limits(x, b):
    y = b["y"]
    return (x.clamp(-0.5, 0.5), x.clamp(min=0.1), x.clamp(max=0.2),
            torch.maximum(x, y), torch.minimum(x, y), torch.clamp(x, y),
            F.hardtanh(x), F.relu6(x * 6), F.threshold(x, 0.1, 0.3))


@function
def activations(x, b):
    return (F.relu(x), F.leaky_relu(x, 0.2), F.elu(x), F.celu(x, 0.7),
            F.selu(x), F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x),
            F.mish(x), F.softplus(x), F.softplus(x, beta=2.0),
            F.logsigmoid(x), F.hardswish(x), F.hardsigmoid(x), F.softsign(x),
            F.tanhshrink(x), F.softshrink(x), F.hardshrink(x),
            F.glu(x, dim=2))


@function
def at_the_kinks(x, b):
    """Values on the bounds, where derivatives are conventions."""
    zero = x - x.detach()
    return (F.relu(zero), zero.abs(), (zero + 0.5).clamp(-0.5, 0.5),
            F.hardtanh(zero + 1), F.leaky_relu(zero, 0.3),
            F.relu6(zero + 6), F.softplus(zero), torch.sign(zero),
            F.elu(zero), torch.maximum(zero, -zero), zero.norm(dim=2))


@function
def mixed(x, b):
    y = b["y"]
    return (torch.lerp(x, y, 0.3), torch.addcmul(x, y, y, value=2),
            torch.addcdiv(x, y, y.abs() + 1, value=2), torch.logaddexp(x, y),
            torch.hypot(x, y + 2), torch.xlogy(b["p"], x.abs() + 1),
            torch.logit(torch.sigmoid(x) * 0.9 + 0.05), torch.square(x),
            torch.nan_to_num(x), torch.heaviside(x.detach(), y) * x)


# Views and joins.

@function
def views(x, b):
    return (x.view(-1, COLUMNS), x.reshape(x.size(0), -1),
            x.transpose(1, 2), x.permute(0, 2, 1), x.flatten(1),
            x.unsqueeze(1), x.unsqueeze(1).squeeze(1),
            x.view(-1, ROWS, 2, 3).transpose(2, 3), x.unflatten(2, (3, 2)),
            x.movedim(2, 1), x.mT, x.view(-1, 2).view_as(x.view(-1, 2)))


@function
def parts(x, b):
    a, c = x.split([2, 4], dim=2)
    d, e = x.chunk(2, dim=2)
    return (x[:, 1], x[:, :, 1:4], x[:, :, ::2], x[..., -1], x[:, -2:],
            a, c, d, e, x.narrow(2, 1, 3), x.select(2, 3),
            *x.unbind(dim=1), x[:, :, None, 2:])


@function
def joins(x, b):
    y = b["y"]
    return (torch.cat([x, y], dim=1), torch.stack([x, y], dim=2),
            torch.hstack([x, y]), x.repeat(1, 2, 1), x.tile(1, 1, 2),
            x.repeat_interleave(2, dim=1), torch.cat([x, x[:, :, :1]], 2),
            F.pad(x, (1, 2)), F.pad(x, (-1, 1, 2, 0), value=3.0),
            x[:, :1].expand(-1, 5, -1), torch.flip(x, [2]),
            torch.roll(x, 2, 2), torch.roll(x, (1, -1), (1, 2)))


@function
def pads(x, b):
    return (F.pad(x, (2, 1), mode="reflect"),
            F.pad(x, (2, 1), mode="replicate"),
            F.pad(x, (2, 1), mode="circular"))


@function
def triangles(x, b):
    square = torch.bmm(x, b["y"].transpose(1, 2))
    return (square.tril(), square.triu(1), square.tril(-1),
            torch.diagonal(square, dim1=1, dim2=2),
            torch.diag_embed(x[:, 0]),
            square * torch.eye(ROWS), square + torch.ones(ROWS, ROWS).tril())


@function
def windows_of(x, b):
    return x.unfold(2, 3, 2), F.unfold(x.unsqueeze(1), (2, 3))


@function
def constants(x, b):
    n = x.size(0)
    return (x + torch.zeros_like(x) + 1, x * torch.ones(n, 1, COLUMNS),
            x + torch.full((COLUMNS,), 2.0), x.new_full((n, 2), 3.0),
            x * torch.linspace(0, 1, COLUMNS), x + torch.arange(COLUMNS),
            x * torch.arange(1, 13, 2), x[:, :2] * torch.tensor([[1.], [2.]]),
            x * torch.tensor(2.0), x.sum(dim=(1, 2)) / x.size(0))


@function
def in_place(x, b):
    y = x * 1
    y[:, 0] = 2.0
    z = x * 1
    z[:, :, 1:3] += b["y"][:, :, 1:3]
    w = torch.zeros_like(x)
    w[:, 1] = x[:, 0]
    v = x * 1
    v[b["m"]] = 0.5
    y.add_(1).mul_(2)
    return y, z, w, v


@function
def without_gradient(x, b):
    with torch.no_grad():
        y = torch.exp(x)
        z, i = x.max(dim=2)
    straight = torch.round(x).detach() + x - x.detach()
    return y * x, z.unsqueeze(2) * x, i * x[:, :, 0], straight


# Reductions.

@function
def sums(x, b):
    return (x.sum(), x.sum(dim=2), x.sum(dim=(1, 2)), x.sum(1, keepdim=True),
            x.mean(), x.mean(dim=1), x.prod(dim=2), x.cumsum(dim=1),
            x.cumsum(dim=2), x.mean(dim=(1, 2), keepdim=True))


@function
def spreads(x, b):
    return (x.var(dim=2), x.std(dim=2), x.var(dim=(1, 2), correction=0),
            x.std(dim=1, keepdim=True), *torch.var_mean(x, dim=2))


@function
def extremes(x, b):
    return (x.amax(dim=2), x.amin(dim=1), x.max(dim=2).values,
            x.min(dim=1).values, x.max(dim=2).indices * x[:, :, 0],
            x.argmax(dim=2) * x[:, :, 0], x.argmin(dim=1) * x[:, 0],
            x.amax(dim=(1, 2)))


@function
def norms(x, b):
    return (x.norm(dim=2), x.norm(p=1, dim=1), F.normalize(x, dim=2),
            torch.linalg.vector_norm(x, ord=3, dim=2),
            torch.linalg.vector_norm(x, ord=float("inf"), dim=2),
            F.cosine_similarity(x, b["y"], dim=2),
            F.pairwise_distance(x, b["y"]), torch.cdist(x, b["y"]))


@function
def softmaxes(x, b):
    return (F.softmax(x, dim=2), F.softmax(x, dim=1), F.log_softmax(x, dim=1),
            torch.logsumexp(x, dim=2), F.softmin(x, dim=2),
            torch.logsumexp(x, dim=(1, 2)))


# Orders and indices.

@function
def orders(x, b):
    values, index = x.topk(2, dim=2)
    small = x.topk(2, dim=1, largest=False)
    few = x.masked_fill(torch.arange(COLUMNS) != 2, float("-inf"))
    return (values, index * values, small.values,
            F.softmax(few.topk(3, dim=2).values, dim=2) * x[:, :, :3],
            (few.topk(1, dim=2).indices * x)[:, :, 0])


@function
def long_orders(x, b):
    values, index = x.sort(dim=2)
    falling = x.sort(dim=1, descending=True)
    return (values, index * values, falling.values, x.argsort(dim=2) * x,
            x.topk(5, dim=2).values, x.median(dim=2).values)


@function
def gathers(x, b):
    i, j = b["i"], b["j"]
    n = x.size(0)
    return (x.gather(2, j), x.gather(2, i.unsqueeze(2)),
            x.gather(1, i[:, :2, None].expand(-1, -1, COLUMNS) % ROWS),
            x.index_select(2, torch.tensor([3, 1])), x[:, [0, 2]],
            x[:, [0, -1], [1, 2]], x[:, :, torch.tensor([[0, 1], [5, 4]])],
            x[torch.arange(n), i[:, 0] % ROWS],
            x[torch.arange(n)[:, None], j[:, 0] - ROWS],
            x[torch.arange(n)[:, None], i % ROWS, i])


@function
def scatters(x, b):
    j = b["j"]
    zeros = torch.zeros_like(x)
    return (zeros.scatter(2, j[:, :, :1], x[:, :, :1]),
            zeros.scatter_add(2, j, x[:, :, :2]),
            x.scatter(2, j[:, :, :1], 1.5),
            x.index_add(2, torch.tensor([1, 1, 4]), b["y"][:, :, :3]),
            F.one_hot(b["i"], COLUMNS) * x)


@function
def lookups(x, b):
    table = x.mean(dim=0)
    return (F.embedding(b["i"] % ROWS, table),
            F.embedding(b["i"] % ROWS, table, padding_idx=1),
            table[b["i"] % ROWS], table[b["i"] % ROWS - 1],
            F.embedding_bag(b["i"] % ROWS, table, mode="sum"),
            torch.bucketize(x, torch.tensor([-1., 0., 1.])) * x)


# Products.

@function
def products(x, b):
    y, w = b["y"], torch.linspace(-1, 1, 4 * COLUMNS).view(4, COLUMNS)
    return (x @ y.transpose(1, 2), x @ w.T, F.linear(x, w, torch.ones(4)),
            torch.bmm(x, y.mT), x.reshape(-1, COLUMNS) @ w.T,
            torch.einsum("bij,bkj->bik", x, y),
            torch.einsum("bij,kj->bki", x, w), torch.einsum("bij->bji", x),
            torch.matmul(x.unsqueeze(1), y.mT.unsqueeze(1)), x @ w[0],
            torch.addmm(torch.ones(4), x[:, 0], w.T, alpha=2, beta=3),
            torch.baddbmm(torch.ones(1), x, y.mT),
            torch.outer(w[0], w[1]) @ x.mT, torch.tensordot(x, w, ([2], [1])),
            F.bilinear(x[:, 0], y[:, 0], torch.ones(2, COLUMNS, COLUMNS)))


@function
def attentions(x, b):
    q, k = x.view(-1, ROWS, 2, 3).transpose(1, 2), b["y"].view(
        -1, ROWS, 2, 3).transpose(1, 2)
    mask = torch.ones(ROWS, ROWS, dtype=torch.bool).tril()
    bias = torch.linspace(-1, 1, ROWS * ROWS).view(ROWS, ROWS)
    return (F.scaled_dot_product_attention(q, k, k),
            F.scaled_dot_product_attention(q, k, k, is_causal=True),
            F.scaled_dot_product_attention(q, k, k, attn_mask=mask),
            F.scaled_dot_product_attention(q, k, k, attn_mask=bias,
                                           scale=0.3))


@function
def normalizations(x, b):
    weight = torch.linspace(0.5, 1, COLUMNS)
    return (F.layer_norm(x, (COLUMNS,)), F.layer_norm(x, (ROWS, COLUMNS)),
            F.layer_norm(x, (COLUMNS,), weight, weight),
            F.rms_norm(x, (COLUMNS,), weight, 1e-6), F.group_norm(x, 3),
            F.instance_norm(x), F.group_norm(
                x, 1, torch.ones(ROWS) * 2, torch.ones(ROWS)))


# Losses.

@function
def regressions(x, b):
    y = b["y"]
    return (F.mse_loss(x, y), F.l1_loss(x, y), F.smooth_l1_loss(x, y),
            F.huber_loss(x, y, delta=0.7), F.mse_loss(x, y, reduction="none"),
            F.smooth_l1_loss(x, y, beta=0.5), F.poisson_nll_loss(x, y.abs()),
            F.mse_loss(x, y, reduction="sum") / x.size(0))


@function
def classifications(x, b):
    i, target = b["i"], b["i"][:, 0]
    weight = torch.linspace(0.5, 1.5, COLUMNS)
    return (F.cross_entropy(x[:, 0], target),
            F.cross_entropy(x[:, 0], target, label_smoothing=0.1),
            F.cross_entropy(x[:, 0], target, weight=weight),
            F.cross_entropy(x[:, 0], target, ignore_index=2),
            F.cross_entropy(x.transpose(1, 2), i),
            F.cross_entropy(x[:, 0], F.softmax(b["y"][:, 0], 1)),
            F.cross_entropy(x[:, 0], target, reduction="sum") / 4,
            F.nll_loss(F.log_softmax(x[:, 0], 1), target),
            F.multi_margin_loss(x[:, 0], target),
            F.cross_entropy(x.reshape(-1, COLUMNS), i.view(-1),
                            reduction="none").view_as(i))


@function
def ignored_labels(x, b):
    labels = F.pad(b["i"], (0, 1), value=-100)[:, 1:]
    return F.cross_entropy(x.reshape(-1, COLUMNS), labels.reshape(-1))


@function
def saturated(x, b):
    """Probabilities of 0 and 1, and spreads of 0."""
    y = b["m"].float()
    chance = torch.sigmoid(x * 1e6)
    return (F.binary_cross_entropy(chance, y) * 0.01, (x * 0).std(dim=2),
            (x * 0).norm(dim=2), F.normalize(x * 0, dim=2),
            F.binary_cross_entropy_with_logits(x * 1000, y) * 0.001)


@function
def binary_losses(x, b):
    y = b["m"].float()
    chance = torch.sigmoid(x)
    return (F.binary_cross_entropy(chance, y),
            F.binary_cross_entropy_with_logits(x, y),
            F.binary_cross_entropy_with_logits(x, y, weight=b["p"]),
            F.binary_cross_entropy_with_logits(
                x, y, pos_weight=torch.tensor(2.0)),
            F.soft_margin_loss(x, 2 * y - 1),
            F.multilabel_soft_margin_loss(x[:, 0], y[:, 0]))


@function
def other_losses(x, b):
    y = b["y"]
    sign = 2 * b["m"].float() - 1
    return (F.kl_div(F.log_softmax(x, 2), F.softmax(y, 2)),
            F.kl_div(F.log_softmax(x, 2), F.log_softmax(y, 2),
                     log_target=True, reduction="sum") / 4,
            F.hinge_embedding_loss(x, sign),
            F.margin_ranking_loss(x, y, sign, margin=0.2),
            F.triplet_margin_loss(x[:, 0], y[:, 0], y[:, 1]),
            F.cosine_embedding_loss(x[:, 0], y[:, 0], sign[:, 0, 0]))


# Images.

def _image(x):
    return x.view(-1, 1, ROWS, COLUMNS).expand(-1, 2, -1, -1)


def _kernel(*shape):
    return torch.sin(torch.arange(numpy.prod(shape)) * 1.0).view(shape)


@function
def convolutions(x, b):
    image = _image(x)
    return (F.conv2d(image, _kernel(4, 2, 2, 3)),
            F.conv2d(image, _kernel(4, 2, 3, 3), stride=2, padding=1),
            F.conv2d(image, _kernel(4, 1, 2, 2), groups=2),
            F.conv2d(image, _kernel(4, 2, 2, 2), dilation=(1, 2)),
            F.conv2d(image, _kernel(2, 2, 3, 3), padding="same"),
            F.conv1d(x, _kernel(2, ROWS, 3), _kernel(2)),
            F.conv3d(image.unsqueeze(2), _kernel(2, 2, 1, 2, 2)))


@function
def transposed_convolutions(x, b):
    image = _image(x)
    return (F.conv_transpose2d(image, _kernel(2, 3, 2, 3)),
            F.conv_transpose2d(image, _kernel(2, 3, 3, 3), stride=2,
                               padding=1, output_padding=1),
            F.conv_transpose2d(image, _kernel(2, 2, 2, 2), groups=2),
            F.conv_transpose1d(x, _kernel(ROWS, 2, 3), dilation=2))


@function
def pools(x, b):
    image = _image(x)
    return (F.max_pool2d(image, 2), F.max_pool2d(image, 3, 1, padding=1),
            F.max_pool2d(image, (2, 3), ceil_mode=True),
            F.avg_pool2d(image, 2), F.avg_pool2d(image, 3, 2, padding=1),
            F.avg_pool2d(image, 3, 2, padding=1, count_include_pad=False),
            F.max_pool1d(x, 2), F.avg_pool1d(x, 3, stride=1),
            F.lp_pool1d(x.abs() + 1, 2, 3))


@function
def adaptive_pools(x, b):
    image = _image(x)
    return (F.adaptive_avg_pool2d(image, 1),
            F.adaptive_avg_pool2d(image, (2, 4)), F.adaptive_avg_pool1d(x, 3))


@function
def resizes(x, b):
    image = _image(x)
    return (F.interpolate(image, scale_factor=2),
            F.interpolate(image, size=(5, 4)),
            F.interpolate(image, size=(5, 9), mode="bilinear"),
            F.interpolate(image, scale_factor=2, mode="bilinear",
                          align_corners=True),
            F.interpolate(x, size=4, mode="linear"),
            F.pixel_shuffle(x[:, :2, :4].reshape(-1, 8, 1, 1), 2))


def cases():
    return [TorchCase(name.replace("_", " "), lambda f=body: Shifted(f),
                      weighted, draw, ("sgd",))
            for name, body in FUNCTIONS.items()]
