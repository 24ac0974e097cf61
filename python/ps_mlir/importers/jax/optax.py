# SPDX-License-Identifier: Apache-2.0
"""Translates optax optimizers.

An optax optimizer is a chain of functions. What each of them does is known by
its name and by the values that it closes over. A chain that is not one of those
listed here becomes an update function, if that is possible (optax_custom).
"""

from ps_mlir import optimizers
from ps_mlir.importers.jax.optax_custom import import_custom
from ps_mlir.optimizers import Optimizer


def import_optimizer(optimizer):
    """Returns the Optimizer for an optax optimizer, or what is one already."""
    if isinstance(optimizer, (str, Optimizer)):
        return optimizer
    if not hasattr(optimizer, "update"):
        raise TypeError("expected an optax optimizer or one of "
                        f"ps_mlir.optimizers, found {optimizer!r}")
    try:
        return _translate(optimizer)
    except _NoCounterpart as error:
        return import_custom(optimizer, str(error))


class _NoCounterpart(Exception):
    """What ps_mlir.optimizers does not have."""


def _translate(optimizer):
    links = [link for link in flatten(optimizer.update)
             if link[0] != "identity"]
    clip, links = _take_clip(links)
    names = tuple(name for name, _ in links)
    if names not in _CHAINS:
        raise _NoCounterpart(f"the chain {' -> '.join(names) or 'identity'}")
    try:
        return _CHAINS[names](*(values for _, values in links), clip)
    except KeyError as error:  # A version of optax with other names.
        raise _NoCounterpart(
            f"the chain {' -> '.join(names)}, without {error}") from None
    except TypeError:  # Such as a schedule where we have a number.
        raise _NoCounterpart(f"the chain {' -> '.join(names)}, with what is no "
                             "number") from None


def flatten(function):
    """The links of a chain: (name, values that the function closes over)."""
    name = maker_of(function)
    values = closure(function)
    if name == "chain":
        return [link for part in values["update_fns"]
                for link in flatten(part)]
    if name == "with_extra_args_support":
        inner = values["tx"]
        links = flatten(inner.update)
        # Initial values are known to the function that makes the state.
        for _, closed in links:
            closed.update(closure(inner.init))
        return links
    return [(name, dict(values))]


def maker_of(function):
    """The name of the function that a function of optax was made in."""
    return getattr(function, "__qualname__", type(function).__name__).split(
        ".")[0]


def closure(function):
    """Values by name; some cells are empty, of functions that call themselves.
    A compiled or partial function has none."""
    cells = getattr(function, "__closure__", None) or ()
    names = function.__code__.co_freevars if cells else ()
    values = {}
    for name, cell in zip(names, cells):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values


def _take_clip(links):
    """Takes the clip away that the chain may begin with."""
    if links and links[0][0] == "clip_by_global_norm":
        return (optimizers.clip_by_global_norm(links[0][1]["max_norm"]),
                links[1:])
    if links and links[0][0] == "clip":
        bound = links[0][1]["max_delta"]
        return optimizers.clip_by_value(-bound, bound), links[1:]
    return None, links


def _rate(scale):
    """The learning rate of a chain's last link."""
    if "step_size" in scale:
        return -float(scale["step_size"])
    negated = scale["step_size_fn"]
    closed = closure(negated)
    schedule = closed.get("learning_rate")
    if not callable(schedule) or closed.get("m", -1) != -1:
        raise _NoCounterpart("this learning rate")
    return _import_schedule(schedule)


def _import_schedule(schedule):
    name = maker_of(schedule)
    values = closure(schedule)
    if name == "constant_schedule":
        return float(values["value"])
    if name == "exponential_decay":
        _expect(values, transition_begin=0, end_value=None)
        return optimizers.exponential_decay(
            values["init_value"], values["transition_steps"],
            values["decay_rate"], values["staircase"])
    if name == "polynomial_schedule":
        _expect(values, transition_begin=0)
        return optimizers.polynomial_decay(
            values["init_value"], values["end_value"], values["power"],
            values["transition_steps"])
    raise _NoCounterpart(f"the schedule {name}")


def _expect(values, **expected):
    """Refuses a link whose further parameters we cannot express."""
    for name, value in expected.items():
        if values.get(name, value) != value:
            raise _NoCounterpart(f"{name} = {values[name]!r}")


def _make_sgd(scale, clip):
    return optimizers.sgd(_rate(scale), clip=clip)


def _make_momentum(trace, scale, clip):
    _expect(trace, accumulator_dtype=None)
    return optimizers.sgd(_rate(scale), trace["decay"], trace["nesterov"],
                          clip=clip)


def _adam_parameters(values):
    _expect(values, eps_root=0.0, mu_dtype=None, nesterov=False)
    return {"b1": values["b1"], "b2": values["b2"], "eps": values["eps"]}


def _make_adam(moments, scale, clip):
    return optimizers.adam(_rate(scale), **_adam_parameters(moments),
                           clip=clip)


def _make_adamw(moments, decay, scale, clip):
    _expect(decay, mask=None)
    return optimizers.adamw(_rate(scale), **_adam_parameters(moments),
                            weight_decay=decay["weight_decay"], clip=clip)


def _make_lamb(moments, decay, trust, scale, clip):
    _expect(decay, mask=None)
    _expect(trust, eps=0.0, min_norm=0.0, trust_coefficient=1.0)
    return optimizers.lamb(_rate(scale), **_adam_parameters(moments),
                           weight_decay=decay["weight_decay"], clip=clip)


def _make_adagrad(squares, scale, clip):
    """optax adds epsilon to the sum, we to its root: equal in f32 where the sum
    begins far above it."""
    begin, epsilon = squares["initial_accumulator_value"], squares["eps"]
    if epsilon > 2e-6 * min(begin, begin**0.5):
        raise _NoCounterpart(f"adagrad with eps = {epsilon!r} and "
                             f"initial_accumulator_value = {begin!r}")
    return optimizers.adagrad(_rate(scale), begin, epsilon, clip=clip)


def _make_rmsprop(squares, scale, clip):
    _expect(squares, initial_scale=0.0, eps_in_sqrt=True,
            bias_correction=False)
    return optimizers.rmsprop(_rate(scale), squares["decay"], squares["eps"],
                              clip=clip)


def _make_adadelta(decay, averages, scale, clip):
    _expect(decay, weight_decay=0.0)
    return optimizers.adadelta(_rate(scale), averages["rho"], averages["eps"],
                               clip=clip)


def _with_any_rate(*names):
    """A chain whose rate is a number, and that whose rate is a schedule."""
    return [(*names, "scale"), (*names, "scale_by_schedule")]


_CHAINS = {
    chain: make
    for names, make in [
        ((), _make_sgd), (("trace",), _make_momentum),
        (("scale_by_adam",), _make_adam),
        (("scale_by_adam", "add_decayed_weights"), _make_adamw),
        (("scale_by_adam", "add_decayed_weights", "scale_by_trust_ratio"),
         _make_lamb), (("scale_by_rss",), _make_adagrad),
        (("scale_by_rms",), _make_rmsprop),
        (("add_decayed_weights", "scale_by_adadelta"), _make_adadelta)]
    for chain in _with_any_rate(*names)
}
