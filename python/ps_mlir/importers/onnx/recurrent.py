# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks of ONNX, written out step by step."""

from ps_mlir.importers.stablehlo import arithmetic as a
from ps_mlir.importers.stablehlo.movement import concatenate, select, split, unsqueeze
from ps_mlir.importers.onnx.table import op
from ps_mlir.importers.stablehlo.shapes import Unsupported


class _Direction:
    """One direction of a layer: its weights, and the loop over steps."""

    def __init__(self, c, weights, number, gates):
        self.c, self.e = c, c.e
        self.input, self.hidden, bias = (
            None if w is None else select(c.e, w, 0, number) for w in weights)
        size = self.hidden.dims[0][0]
        self.input_bias = self.hidden_bias = None
        if bias is not None:
            self.input_bias, self.hidden_bias = split(c.e, bias, [size, size],
                                                      0)
        self.gates = gates

    def parts(self, x):
        """The gates in x, along its last dimension."""
        size = x.dims[-1][0] // self.gates
        return split(self.e, x, [size] * self.gates, x.rank - 1)

    def inputs(self, x):
        """x W^T + b for all steps."""
        result = self.product(x, self.input)
        return result if self.input_bias is None else a.add(
            self.e, result, self.input_bias)

    def recurrent(self, state):
        """state R^T + b."""
        result = self.product(state, self.hidden)
        return result if self.hidden_bias is None else a.add(
            self.e, result, self.hidden_bias)

    def product(self, x, weight):
        return self.e.dot(x, weight, ([x.rank - 1], [1]))

    def run(self, x, states, step, backward):
        """Hidden states of all steps, and the last states."""
        steps = x.dims[0][0]
        if steps is None:
            raise Unsupported("a sequence along the batch dimension")
        projected, outputs = self.inputs(x), [None] * steps
        order = reversed(range(steps)) if backward else range(steps)
        for t in order:
            states = step(self, select(self.e, projected, 0, t), states)
            outputs[t] = states[0]
        return outputs, states


def _lstm_step(d, x, states):
    """Gates are ordered i, o, f, c."""
    e, (hidden, cell) = d.e, states
    i, o, f, g = d.parts(a.add(e, x, d.recurrent(hidden)))
    i, o, f = (e.unary("logistic", gate) for gate in (i, o, f))
    cell = a.add(e, a.multiply(e, f, cell),
                 a.multiply(e, i, e.unary("tanh", g)))
    return a.multiply(e, o, e.unary("tanh", cell)), cell


def _gru_step(reset_after):
    """Gates are ordered z, r, h."""
    def step(d, x, states):
        e, (hidden,) = d.e, states
        xz, xr, xh = d.parts(x)
        hz, hr, hh = d.parts(d.recurrent(hidden))
        z = e.unary("logistic", a.add(e, xz, hz))
        r = e.unary("logistic", a.add(e, xr, hr))
        if reset_after:
            inner = a.multiply(e, r, hh)
        else:
            weight = split(e, d.hidden, [d.hidden.dims[0][0] // 3] * 3, 0)[2]
            inner = d.product(a.multiply(e, r, hidden), weight)
            if d.hidden_bias is not None:
                inner = a.add(e, inner, d.parts(d.hidden_bias)[2])
        new = e.unary("tanh", a.add(e, xh, inner))
        return (a.add(e, new, a.multiply(e, z, a.subtract(e, hidden, new))),)
    return step


def _rnn_step(activation):
    def step(d, x, states):
        value = a.add(d.e, x, d.recurrent(states[0]))
        return (a.relu(d.e, value) if activation == "Relu"
                else d.e.unary("tanh", value),)
    return step


def _layer(c, x, weights, initial, gates, step):
    """Y [steps, directions, batch, hidden] and the last states."""
    kind = c.text("direction", "forward")
    if any(c.attribute(name, 0) for name in ("layout", "clip", "input_forget")):
        raise Unsupported("a recurrent layer with layout, clip or input_forget")
    backward = {"forward": [False], "reverse": [True],
                "bidirectional": [False, True]}[kind]
    size = weights[1].dims[2][0]
    outputs, finals = [], []
    for number, is_backward in enumerate(backward):
        states = tuple(
            c.e.full(0, (x.dims[1], (size,)), x.dtype) if state is None
            else select(c.e, state, 0, number) for state in initial)
        found, last = _Direction(c, weights, number, gates).run(
            x, states, step, is_backward)
        outputs.append(found)
        finals.append(last)
    rows = [concatenate(c.e, [unsqueeze(c.e, o[t], 0) for o in outputs], 0)
            for t in range(len(outputs[0]))]
    every = concatenate(c.e, [unsqueeze(c.e, row, 0) for row in rows], 0)
    return [every, *(concatenate(c.e, [unsqueeze(c.e, f[n], 0)
                                       for f in finals], 0)
                     for n in range(len(initial)))]


def _expect_whole(lengths, peepholes=None):
    if lengths is not None or peepholes is not None:
        raise Unsupported("sequences of different lengths, or peepholes")


def _activations(c, w, usual):
    """Those of a direction; all directions have the same."""
    names = [name.decode() for name in c.attribute("activations") or ()]
    names = names or usual * w.dims[0][0]
    if names != names[:len(usual)] * w.dims[0][0]:
        raise Unsupported(f"directions with different activations {names}")
    return names[:len(usual)]


def _expect_activations(c, w, usual):
    if (names := _activations(c, w, usual)) != usual:
        raise Unsupported(f"activations {names}, expected {usual}")


@op("LSTM")
def _lstm(c, x, w, r, b=None, lengths=None, h=None, cell=None, p=None):
    _expect_whole(lengths, p)
    _expect_activations(c, w, ["Sigmoid", "Tanh", "Tanh"])
    return _layer(c, x, (w, r, c.tensor(b)), (c.tensor(h), c.tensor(cell)), 4,
                  _lstm_step)


@op("GRU")
def _gru(c, x, w, r, b=None, lengths=None, h=None):
    _expect_whole(lengths)
    _expect_activations(c, w, ["Sigmoid", "Tanh"])
    return _layer(c, x, (w, r, c.tensor(b)), (c.tensor(h),), 3,
                  _gru_step(bool(c.attribute("linear_before_reset", 0))))


@op("RNN")
def _rnn(c, x, w, r, b=None, lengths=None, h=None):
    _expect_whole(lengths)
    activation, = _activations(c, w, ["Tanh"])
    if activation not in ("Tanh", "Relu"):
        raise Unsupported(f"an RNN with {activation}")
    return _layer(c, x, (w, r, c.tensor(b)), (c.tensor(h),), 1,
                  _rnn_step(activation))
