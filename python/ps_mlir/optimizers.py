# SPDX-License-Identifier: Apache-2.0
"""Optimizers, schedules, clips and regularizers.

Each function returns the attribute of the ps dialect that ps-opt reads. The
formulas are in docs/Design.md, "The arithmetic of training". Parameters have
the names that optax gives them; an argument `learning_rate` is a number or a
schedule of this module.
"""

import dataclasses
import re

__all__ = [
    "Optimizer", "Schedule", "sgd", "adam", "adamw", "adamax", "adagrad",
    "rmsprop", "adadelta", "ftrl", "lamb", "custom", "exponential_decay",
    "polynomial_decay", "piecewise_constant", "linear_warmup",
    "clip_by_value", "clip_by_norm", "clip_by_global_norm", "l1", "l2"
]


@dataclasses.dataclass(frozen=True)
class Optimizer:
    """The attribute of an optimizer, with a clip and a regularizer.

    `clip` and `regularize` are attributes too, or None. Gradients are clipped
    first, then regularized. `function` is the text of the update function that
    #ps.custom names, or None.
    """
    attribute: str
    clip: str | None = None
    regularize: str | None = None
    function: str | None = None

    def clauses(self):
        """What follows the operands of ps.minimize and ps.apply."""
        text = f"using({self.attribute})"
        if self.clip:
            text += f" clip({self.clip})"
        if self.regularize:
            text += f" regularize({self.regularize})"
        return text


@dataclasses.dataclass(frozen=True)
class Schedule:
    """A learning rate that depends on the step, which counts from 0."""
    attribute: str

    def __str__(self):
        return self.attribute


def _spell(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_spell, value)) + "]"
    if isinstance(value, (Schedule, int)):
        return str(value)
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise TypeError(
            f"expected a number, found {value!r}; a learning rate may also be "
            "a schedule of ps_mlir.optimizers") from None


def _attribute(name, /, **parameters):
    spelled = ", ".join(f"{key} = {_spell(value)}"
                        for key, value in parameters.items())
    return f"#ps.{name}<{spelled}>"


def _rate(value):
    """A learning rate; the attribute takes no integers."""
    return value if isinstance(value, Schedule) else float(value)


def _optimizer(name, clip, regularize, /, learning_rate, **parameters):
    try:
        rate = _rate(learning_rate)
    except (TypeError, ValueError):
        raise TypeError(
            f"expected a learning rate that is a number or a schedule of "
            f"ps_mlir.optimizers, found {learning_rate!r}") from None
    return Optimizer(_attribute(name, learning_rate=rate, **parameters), clip,
                     regularize)


def sgd(learning_rate, momentum=None, nesterov=False, *, clip=None,
        regularize=None):
    if momentum is None:
        return _optimizer("sgd", clip, regularize, learning_rate)
    return _optimizer("momentum", clip, regularize, learning_rate,
                      momentum=float(momentum), use_nesterov=bool(nesterov))


def adam(learning_rate, b1=0.9, b2=0.999, eps=1e-8, *, clip=None,
         regularize=None):
    return _optimizer("adam", clip, regularize, learning_rate,
                      beta1=float(b1), beta2=float(b2), epsilon=float(eps))


def adamw(learning_rate, b1=0.9, b2=0.999, eps=1e-8, weight_decay=1e-4, *,
          clip=None, regularize=None):
    return _optimizer("adamw", clip, regularize, learning_rate,
                      beta1=float(b1), beta2=float(b2), epsilon=float(eps),
                      weight_decay=float(weight_decay))


def adamax(learning_rate, b1=0.9, b2=0.999, eps=1e-8, *, clip=None,
           regularize=None):
    return _optimizer("adamax", clip, regularize, learning_rate,
                      beta1=float(b1), beta2=float(b2), epsilon=float(eps))


def adagrad(learning_rate, initial_accumulator_value=0.1, eps=1e-7,
            row_wise=False, *, clip=None, regularize=None):
    """With `row_wise`, one accumulator per row, as TorchRec has it."""
    return _optimizer(
        "adagrad", clip, regularize, learning_rate, epsilon=float(eps),
        initial_accumulator_value=float(initial_accumulator_value),
        row_wise=bool(row_wise))


def rmsprop(learning_rate, decay=0.9, eps=1e-8, centered=False, momentum=0.0,
            *, clip=None, regularize=None):
    return _optimizer("rmsprop", clip, regularize, learning_rate,
                      rho=float(decay), epsilon=float(eps),
                      momentum=float(momentum), centered=bool(centered))


def adadelta(learning_rate, rho=0.9, eps=1e-6, *, clip=None, regularize=None):
    return _optimizer("adadelta", clip, regularize, learning_rate,
                      rho=float(rho), epsilon=float(eps))


def ftrl(learning_rate, l1=0.0, l2=0.0, *, clip=None, regularize=None):
    return _optimizer("ftrl", clip, regularize, learning_rate, l1=float(l1),
                      l2=float(l2))


def lamb(learning_rate, b1=0.9, b2=0.999, eps=1e-6, weight_decay=0.0, *,
         clip=None, regularize=None):
    return _optimizer("lamb", clip, regularize, learning_rate,
                      beta1=float(b1), beta2=float(b2), epsilon=float(eps),
                      lamb_weight_decay=float(weight_decay))


def custom(function, learning_rate, slots=None, *,
           identity_for_zero_gradient=False, clip=None, regularize=None):
    """An update that `function`, the text of a func.func, computes of one
    element: see #ps.custom in docs/reference/ps.md.

    slots: initial values of the slots, by their names in the order in which
        the function takes them.
    """
    name = re.search(r"@([\w$.]+)", function)
    if not name:
        raise ValueError("expected the text of a function, found " +
                         repr(function[:40]))
    rest = ""
    if slots:
        names = ", ".join(f'"{slot}"' for slot in slots)
        rest = (f", slots = [{names}], initial_values = "
                f"{_spell([float(value) for value in slots.values()])}")
    if identity_for_zero_gradient:
        rest += ", identity_for_zero_gradient = true"
    return Optimizer(
        f"#ps.custom<@{name[1]}, learning_rate = {_spell(_rate(learning_rate))}"
        f"{rest}>", clip, regularize, function)


def exponential_decay(init_value, transition_steps, decay_rate,
                      staircase=False):
    return Schedule(_attribute(
        "exponential_decay", learning_rate=float(init_value),
        decay_steps=int(transition_steps), decay_rate=float(decay_rate),
        staircase=bool(staircase)))


def polynomial_decay(init_value, end_value, power, transition_steps):
    return Schedule(_attribute(
        "polynomial_decay", learning_rate=float(init_value),
        decay_steps=int(transition_steps), end_learning_rate=float(end_value),
        power=float(power)))


def piecewise_constant(boundaries, values):
    """values[i] before step boundaries[i], the last value from then on."""
    return Schedule(_attribute(
        "piecewise_decay", boundaries=[int(step) for step in boundaries],
        values=[float(value) for value in values]))


def linear_warmup(learning_rate, warmup_steps, start=0.0, end=None):
    """From `start` to `end` in `warmup_steps`, then `learning_rate`.

    Where `learning_rate` is a schedule, it counts from step 0 too, and `end`
    must be given.
    """
    if end is None:
        if isinstance(learning_rate, Schedule):
            raise TypeError("linear_warmup() of a schedule expects end=RATE")
        end = learning_rate
    return Schedule(_attribute(
        "linear_warmup", learning_rate=_rate(learning_rate),
        warmup_steps=int(warmup_steps), start_lr=float(start),
        end_lr=float(end)))


def clip_by_value(minimum, maximum):
    return _attribute("clip_by_value", min=float(minimum), max=float(maximum))


def clip_by_norm(norm):
    """Of each variable by itself."""
    return f"#ps.clip_by_norm<{float(norm)!r}>"


def clip_by_global_norm(norm):
    """Over the gradients of all variables, merged over all trainers."""
    return f"#ps.clip_by_global_norm<{float(norm)!r}>"


def l1(coefficient):
    return f"#ps.l1_decay<{float(coefficient)!r}>"


def l2(coefficient):
    """Adds coefficient * p to the gradient of p."""
    return f"#ps.l2_decay<{float(coefficient)!r}>"
