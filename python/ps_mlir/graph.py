# SPDX-License-Identifier: Apache-2.0
"""A training graph: what ps-opt reads, and how it relates to a user's model."""

import collections.abc
import functools
import pathlib
import re
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy

from ps_mlir import safetensors
from ps_mlir.check import check_graph
from ps_mlir.elements import element_of, tensor_type
from ps_mlir.ids import find_ids
from ps_mlir.importers.function import Feed
from ps_mlir.optimizers import Optimizer
from ps_mlir.tables import Table, declare_tables
from ps_mlir.updates import update_separately


class GraphError(Exception):
    """A model cannot become a graph; the message says what was found where."""


@dataclass
class Graph:
    """A training graph for one machine.

    `text` is MLIR as ps-opt and ps-run read it. `initial` has the initial
    values of variables by name. `flatten_batch(batch, partial)` turns a user's
    batch, of which arrays may be missing if `partial`, into arrays by feed,
    `unflatten` variables by name into the user's structure (a pytree of JAX, a
    state_dict of PyTorch), and `flatten` back.

    `fetches` are the types of what a step fetches by name: the loss, and what
    the loss function returns besides. `metrics` are the names of what is
    measured over many batches.

    `declared` are the types by name of parameters that the user declared as
    tables: these begin without rows.

    `fixed_batch` is the only batch size, or None for any. `tables` are the
    variables of which each pserver holds some rows, and of which only the rows
    of a batch travel; `variables` the others, with the reason why one that is
    gathered from is no table. `warnings` are those of ps-opt: among them why
    several trainers may not train what one process does.

    Raises GraphError if ps-opt refuses the graph.
    """
    name: str
    text: str
    initial: dict[str, numpy.ndarray]
    feeds: list[Feed]
    fetches: dict[str, str]
    flatten_batch: Callable[[Any, bool], dict[str, Any]] = field(
        default_factory=lambda: _expect_dict)
    unflatten: Callable[[dict[str, numpy.ndarray]], Any] = dict
    flatten: Callable[[Any], dict[str, Any]] = field(
        default_factory=lambda: _expect_params)
    metrics: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    fixed_batch: int | None = field(init=False)
    tables: list[str] = field(init=False)
    variables: dict[str, str] = field(init=False)
    warnings: list[str] = field(init=False)

    def __post_init__(self):
        sizes = {feed.shape[0] for feed in self.feeds}
        self.fixed_batch = next(iter(sizes)) if len(sizes) == 1 else None
        try:
            report = check_graph(self.text)
        except ValueError as error:
            raise GraphError(str(error)) from None
        self.tables = [*self.declared, *report.tables]
        self.warnings = report.warnings
        self.variables = {name: report.refusals.get(name, "")
                          for name in self.initial if name not in self.tables}

    @functools.cached_property
    def ids(self):
        """IdRanges of tables by the names of feeds, as far as they are known;
        those that have been warned of are removed."""
        gathered = self.tables or any(self.variables.values())
        return find_ids(self.text) if gathered else {}

    def __str__(self):
        """A summary; `text` is the graph itself."""
        lines = [f"graph '{self.name}'"]
        lines += [f"  feed {feed.name}: {tensor_type(feed.shape, feed.dtype)}"
                  for feed in self.feeds]
        lines += [f"  table {name}: {self._type_of(name)}"
                  for name in self.tables]
        lines += [f"  variable {name}: {self._type_of(name)}" +
                  (f" (no table: {reason})" if reason else "")
                  for name, reason in self.variables.items()]
        lines.append(f"  fetches {', '.join(self.fetches)}")
        lines += [f"  measures {', '.join(self.metrics)}"
                  ] if self.metrics else []
        return "\n".join(lines + [f"  warning: {text}"
                                  for text in self.warnings])

    def _type_of(self, name):
        if name in self.declared:
            return self.declared[name]
        value = self.initial[name]
        return tensor_type(value.shape, element_of(value.dtype))

    def save(self, path):
        """Writes the text to a file for ps-opt and ps-run. There all variables
        begin at 0, unless --load names a folder that save_values() wrote."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def save_values(self, folder, params=None):
        """Writes the initial values to a folder for --load, or `params`, which
        have the structure of the user's model."""
        values = self.initial if params is None else self._take_values(params)
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        safetensors.save(folder / "model.safetensors", values)

    def _take_values(self, params):
        """The value of each variable in the user's structure."""
        if self.declared:
            raise TypeError(f"rows of table '{next(iter(self.declared))}' are "
                            "not among parameters: expected a Result or a "
                            "folder, which have them")
        given = self.flatten(params)
        for name in [*self.initial, *given]:
            if name not in given or name not in self.initial:
                raise TypeError(
                    f"expected the parameters {', '.join(self.initial)}, found "
                    f"{'no' if name in self.initial else 'also'} '{name}'")
        return {name: _fit_value(name, given[name], value)
                for name, value in self.initial.items()}


def _fit_value(name, found, like):
    """`found` in the type of `like`, whose shape it must have."""
    found = numpy.asarray(found)
    kinds = "biu" if like.dtype.kind in "biu" else "biufV"  # V: bfloat16
    if found.shape != like.shape or found.dtype.kind not in kinds:
        raise TypeError(
            f"parameter '{name}' expects {_describe(like)}, found "
            f"{_describe(found)}")
    return found.astype(like.dtype, copy=False)


def _describe(array):
    shape = "x".join(map(str, array.shape))
    return f"{shape} of {array.dtype}" if shape else f"one {array.dtype}"


def _expect_params(params):
    if not isinstance(params, collections.abc.Mapping):
        raise TypeError("expected a Result or a folder to start from, or "
                        "parameters in the structure of the model, found "
                        f"{type(params).__name__}")
    return dict(params)


def _expect_dict(batch, partial=False):
    if not isinstance(batch, collections.abc.Mapping):
        raise TypeError("expected batches that are dicts of arrays, found a "
                        f"{type(batch).__name__}")
    return dict(batch)


def variable_name(path):
    """A name for a variable from the keys that lead to it."""
    return _name(path, "A-Za-z0-9_")


def feed_name(path):
    """A name for a feed, which may have letters of any alphabet."""
    return _name(path, r"\w")


def _name(path, letters):
    name = ".".join(re.sub(rf"[^{letters}$]", "_", str(key)) for key in path)
    return "p" + name if re.match(r"[\d$]", name) or not name else name


def build_graph(function, optimizer, *, others=None, tables=None, auc=None,
                **structure):
    """Makes a Graph of a LossFunction.

    `optimizer` is an Optimizer or the text of an attribute such as
    "#ps.sgd<learning_rate = 0.1>", `others` are Optimizers by the names of
    parameters that it does not update, None for none. `tables` are Tables by
    the names of parameters. `auc` is the pair of an output and a feed:
    probabilities, and the labels of which the AUC is measured.
    """
    if isinstance(optimizer, str) and optimizer.startswith("#"):
        optimizer = Optimizer(optimizer)
    if not isinstance(optimizer, Optimizer):
        raise TypeError(
            "expected an optimizer such as ps_mlir.optimizers.adam(0.001), or "
            "the text of an attribute such as '#ps.adam<learning_rate = "
            f"0.001>', found {_first_line(optimizer)}")
    _check_tables(tables or {})
    writer = _GraphText(function, optimizer, others or {}, auc)
    try:
        text = _declare(writer, tables or {})
        if others and not function.has_gradients:
            text = update_separately(text, others)
    except ValueError as error:
        raise GraphError(str(error)) from None
    declared = {name: writer.types[name] for name in tables or {}}
    return Graph(
        function.name, text,
        {parameter.name: parameter.value[:0] if parameter.name in declared
         else parameter.value for parameter in function.parameters},
        list(function.feeds), dict(zip(writer.fetches, writer.results)),
        metrics=["auc"] if auc else [],
        declared=declared,
        **structure)


def _first_line(value):
    """Optimizers of torch have several: "SGD (", ..."""
    return repr(value).partition("\n")[0].removesuffix(" (")


def _check_tables(tables):
    for name, table in tables.items() if isinstance(
            tables, collections.abc.Mapping) else [("", tables)]:
        if not isinstance(name, str) or not isinstance(table, Table):
            raise TypeError(
                "expected tables= a dict such as {'emb': ps_mlir.Table("
                f"admit_count=2)}}, found {table!r}" + (
                    f" for '{name}'" if name else ""))


def _declare(writer, tables):
    """The text of a graph, with `tables` in place of variables."""
    unknown = [name for name in tables if name not in writer.types]
    if unknown:
        raise GraphError(f"tables: there is no parameter '{unknown[0]}', "
                         f"expected one of {', '.join(writer.types)}")
    return declare_tables(writer.write(), tables) if tables else writer.write()


class _GraphText:
    """Writes variables and a function that trains beside @main."""

    def __init__(self, function, optimizer, others, auc=None):
        self.function, self.optimizer, self.auc = function, optimizer, auc
        self.others = others
        self.updates = list(dict.fromkeys(
            each.function for each in (optimizer, *others.values())
            if each and each.function))
        self.types = {
            parameter.name: tensor_type(numpy.shape(parameter.value),
                                        element_of(parameter.value.dtype))
            for parameter in function.parameters}
        self.results = result_types(function.text)
        self.fetches = ["loss", *function.outputs]
        self.check_names()
        self.check_results()

    def write(self):
        lines = [self.write_variable(parameter)
                 for parameter in self.function.parameters]
        for update in self.updates:
            lines += ["", *update.strip().splitlines()]
        lines += ["", *self.write_training()]
        inserted = "\n".join("  " + line if line else line for line in lines)
        # Aliases of locations may precede the module.
        module = re.search(r"^(builtin\.)?module\b[^\n]*\{[^\n{}]*$",
                           self.function.text, re.MULTILINE)
        if not module:
            raise GraphError("the importer's text holds no module")
        at = module.end()
        return (self.function.text[:at] + "\n" + inserted + "\n" +
                self.function.text[at:])

    def check_names(self):
        """Variables and functions share one space of names."""
        functions = set(re.findall(
            r"func\.func(?: public| private)? @([\w.$]+)",
            "".join([self.function.text, *self.updates])))
        for name in self.types:
            if name in functions | {"train"}:
                raise GraphError(f"parameter '{name}' has the name of a "
                                 "function of the graph: rename it")

    def check_results(self):
        trainable = sum(p.trainable for p in self.function.parameters)
        expected = 1 + len(self.function.outputs) + len(
            self.function.assignments)
        if self.function.has_gradients:
            expected += trainable
        if len(self.results) != expected:
            raise GraphError(f"@main has {len(self.results)} results, "
                             f"expected {expected}")

    def write_variable(self, parameter):
        trainable = "" if parameter.trainable else " {trainable = false}"
        return (f"ps.variable {symbol(parameter.name)} : "
                f"{self.types[parameter.name]} init(#ps.constant<0.0>)"
                f"{trainable}")

    def write_training(self):
        fetched = self.results[:len(self.fetches)]
        feeds = ", ".join(
            f'%x{i}: {tensor_type(feed.shape, feed.dtype)} '
            f'{{ps.feed = {quote(feed.name)}}}'
            for i, feed in enumerate(self.function.feeds))
        fetches = ", ".join(f"{kind} {{ps.fetch = {quote(name)}}}"
                            for kind, name in zip(fetched, self.fetches))
        values = [f"%r#{i}" for i in range(len(self.results))]
        return [f"func.func @train({feeds}) -> ({fetches}) {{",
                *("  " + line for line in self.write_call()),
                *("  " + line for line in self.write_metrics()),
                *("  " + line for line in self.write_updates(values)),
                f"  return {', '.join(values[:len(fetched)])} : "
                f"{', '.join(fetched)}", "}"]

    def write_call(self):
        parameters, feeds = self.function.parameters, self.function.feeds
        lines = [f"%p{i} = ps.read {symbol(p.name)} : {self.types[p.name]}"
                 for i, p in enumerate(parameters)]
        operands = [f"%p{i}" for i in range(len(parameters))]
        operands += [f"%x{i}" for i in range(len(feeds))]
        types = [self.types[p.name] for p in parameters]
        types += [tensor_type(feed.shape, feed.dtype) for feed in feeds]
        return lines + [
            f"%r:{len(self.results)} = call @main({', '.join(operands)}) : "
            f"({', '.join(types)}) -> ({', '.join(self.results)})"]

    def write_metrics(self):
        if not self.auc:
            return []
        feeds = [feed.name for feed in self.function.feeds]
        for name, names, what in zip(
                self.auc, (self.function.outputs, feeds),
                ("output of the loss", "feed")):
            if name not in names:
                raise GraphError(f"auc: there is no {what} '{name}', expected "
                                 f"one of {', '.join(names) or 'none'}")
        output, feed = self.fetches.index(self.auc[0]), feeds.index(self.auc[1])
        shape = self.function.feeds[feed].shape
        given = tensor_type(shape, self.function.feeds[feed].dtype)
        label = tensor_type(shape, "f32")
        return [f"%label = stablehlo.convert %x{feed} : ({given}) -> {label}",
                f'ps.metric auc("auc", %r#{output}, %label) : '
                f"{self.results[output]}, {label}"]

    def write_updates(self, values):
        lines = []
        if self.function.has_gradients:
            gradient = 1 + len(self.function.outputs)
            for parameter in self.function.parameters:
                if not parameter.trainable:
                    continue
                optimizer = self.others.get(parameter.name, self.optimizer)
                if optimizer:
                    lines.append(
                        f"ps.apply {symbol(parameter.name)}, "
                        f"{values[gradient]} {optimizer.clauses()} : "
                        f"{self.types[parameter.name]}")
                gradient += 1
        else:
            lines.append(f"ps.minimize {values[0]} {self.optimizer.clauses()} "
                         f": {self.results[0]}")
        for name, result in self.function.assignments:
            lines.append(f"ps.assign {symbol(name)}, {values[result]} : "
                         f"{self.types[name]}")
        return lines


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def symbol(name):
    return "@" + (name if re.fullmatch(r"[A-Za-z_][\w$.]*", name)
                  else quote(name))


def result_types(text):
    """The types of the results of @main."""
    # Strings, in locations and attributes, may hold anything.
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    start = text.find("@main(")
    if start < 0:
        raise GraphError("the importer's text has no function @main")
    arguments_end = _closing_parenthesis(text, start + len("@main"))
    arrow = re.match(r"\s*->\s*", text[arguments_end:])
    if not arrow:
        return []
    at = arguments_end + arrow.end()
    if text[at] != "(":
        return re.findall(r"tensor<[^>]*>", text[at:text.index("{", at)])[:1]
    return re.findall(r"tensor<[^>]*>", text[at:_closing_parenthesis(text, at)])


def _closing_parenthesis(text, at):
    """The position after the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise GraphError("the importer's text has unbalanced parentheses")
