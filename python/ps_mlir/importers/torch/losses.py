# SPDX-License-Identifier: Apache-2.0
"""Ops of ATen that are losses."""

from ps_mlir.importers.stablehlo import losses as l
from ps_mlir.importers.torch.aten import aten

REDUCTIONS = (l.NONE, l.MEAN, l.SUM)  # as ATen numbers them
IGNORED = -100  # the default of ignore_index


def _ignored(c, index):
    """The label that does not count; None where the batch shows no such one.

    Every model has the default -100, but few have such labels. Those that have
    none get a mean over samples, which several trainers can compute.
    """
    return None if index == IGNORED and IGNORED not in c.labels else index


@aten("cross_entropy_loss")
def _cross_entropy(c, x, target, weight=None, reduction=1,
                   ignore_index=IGNORED, label_smoothing=0.0):
    return l.cross_entropy(c.e, x, target, weight, REDUCTIONS[reduction],
                           _ignored(c, ignore_index), label_smoothing)


@aten("nll_loss", "nll_loss_nd", "nll_loss2d")
def _nll(c, x, target, weight=None, reduction=1, ignore_index=IGNORED):
    return l.nll(c.e, x, target, weight, REDUCTIONS[reduction],
                 _ignored(c, ignore_index))


@aten("nll_loss_forward", "nll_loss2d_forward")
def _nll_forward(c, x, target, weight, reduction, ignore_index):
    return [_nll(c, x, target, weight, reduction, ignore_index)]


@aten("mse_loss")
def _mse(c, x, y, reduction=1):
    return l.mse(c.e, x, y, REDUCTIONS[reduction])


@aten("l1_loss")
def _l1(c, x, y, reduction=1):
    return l.l1(c.e, x, y, REDUCTIONS[reduction])


@aten("smooth_l1_loss")
def _smooth_l1(c, x, y, reduction=1, beta=1.0):
    return l.smooth_l1(c.e, x, y, REDUCTIONS[reduction], beta)


@aten("huber_loss")
def _huber(c, x, y, reduction=1, delta=1.0):
    return l.huber(c.e, x, y, REDUCTIONS[reduction], delta)


@aten("binary_cross_entropy")
def _binary_cross_entropy(c, x, y, weight=None, reduction=1):
    return l.binary_cross_entropy(c.e, x, y, weight, REDUCTIONS[reduction])


@aten("binary_cross_entropy_with_logits")
def _logistic(c, x, y, weight=None, pos_weight=None, reduction=1):
    return l.logistic_loss(c.e, x, y, weight, pos_weight,
                           REDUCTIONS[reduction])


@aten("kl_div")
def _kl_divergence(c, x, y, reduction=1, log_target=False):
    return l.kl_divergence(c.e, x, y, REDUCTIONS[reduction], log_target)


@aten("hinge_embedding_loss")
def _hinge_embedding(c, x, y, margin=1.0, reduction=1):
    return l.hinge_embedding(c.e, x, y, margin, REDUCTIONS[reduction])


@aten("margin_ranking_loss")
def _margin_ranking(c, x, y, target, margin=0.0, reduction=1):
    return l.margin_ranking(c.e, x, y, target, margin, REDUCTIONS[reduction])
