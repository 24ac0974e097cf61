# SPDX-License-Identifier: Apache-2.0
"""Tables that a user declares, and the rows that a run has saved of them."""

import operator
import pathlib
import re
import typing
from dataclasses import dataclass, fields

import numpy

from ps_mlir import safetensors
from ps_mlir.check import INLINE, run_ps_opt

_CLAUSES = ("partition", "wire", "tiers")
# Fields that are attributes, with an example of each.
_ATTRIBUTES = {
    "init": "#ps.uniform<min = -0.01, max = 0.01>",
    "accessor": '#ps.ctr<click = "label">',
    "clip": "#ps.clip_by_value<min = -1.0, max = 1.0>",
    "regularize": "#ps.l2_decay<0.001>",
    "tiers": '[#ps.mem<rows = 1000>, #ps.ssd<"/data">]'
}


@dataclass
class Table:
    """How a parameter that is only looked up by ids is kept: as a table whose
    rows are created when training first needs them.

    The fields are those of ps.table (docs/Tables.md); `init`, `accessor`,
    `clip`, `regularize`, `partition`, `wire` and `tiers` are text as it has
    them. New rows are drawn by `init`, whatever values the parameter has.
    """
    init: str = "#ps.uniform<min = -0.05, max = 0.05>"
    admit_count: int | None = None
    admit_probability: float | None = None
    evict_every: int | None = None
    evict_age: int | None = None
    evict_lru: bool = False
    accessor: str | None = None
    cache_rows: int | None = None
    learning_rate_scale: float | None = None
    clip: str | None = None
    regularize: str | None = None
    partition: str | None = None
    wire: str | None = None
    tiers: str | None = None

    def check(self, name):
        """Raises TypeError for a field of another kind, of the table `name`."""
        for field in fields(self):
            value = getattr(self, field.name)
            example = _ATTRIBUTES.get(field.name)
            if example and value is not None and not re.match(
                    r"\s*\[?\s*#", str(value)):
                raise TypeError(
                    f"table '{name}': expected {field.name}= the text of an "
                    f"attribute such as '{example}', found {value!r}")
            if value is None or example or field.name in _CLAUSES:
                continue
            try:
                _spell(field, value)
            except (TypeError, ValueError):
                kind = "an integer such as 2" if int in typing.get_args(
                    field.type) else "a number such as 0.5"
                raise TypeError(f"table '{name}': expected {field.name}= {kind}"
                                f", found {value!r}") from None

    def declaration(self):
        """What follows the type in ps.table."""
        clauses = "".join(f" {name}({getattr(self, name)})"
                          for name in _CLAUSES if getattr(self, name))
        attributes = [
            _spell(field, getattr(self, field.name))
            for field in fields(self) if field.name not in ("init", *_CLAUSES)]
        attributes = ", ".join(text for text in attributes if text)
        return (f"init({self.init}){clauses}" +
                (f" {{{attributes}}}" if attributes else ""))


def _spell(field, value):
    """An attribute as MLIR has it, nothing for one that is not set."""
    if value is None or value is False:
        return ""
    kinds = typing.get_args(field.type) or (field.type,)
    if bool in kinds:
        return field.name
    if int in kinds:
        return f"{field.name} = {operator.index(value)} : i64"
    if float in kinds:
        return f"{field.name} = {float(value):.17e} : f64"
    return f"{field.name} = {value}"


def declare_tables(text, tables):
    """The graph with the variables `tables` as these tables.

    Raises ValueError if one cannot be a table, with the reason.
    """
    for name, table in tables.items():
        table.check(name)
    # `lazy` also makes tables of variables whose rows would otherwise change
    # in every step: of those that are declared, this is what the user wants.
    for recover in ("true", "lazy"):
        recovered, found = run_ps_opt(
            text, *INLINE,
            f"--ps-recover-tables=recover={recover} only={','.join(tables)}",
            "--mlir-print-debuginfo")
        names = set(re.findall(r'^ +ps\.table @"?([^\s"]+)"? :', recovered, re.M))
        if names.issuperset(tables):
            break
    else:
        name = next(name for name in tables if name not in names)
        raise ValueError(f"'{name}' cannot be a table: " +
                         found.refusals.get(name, "nothing gathers rows of it"))
    for name, table in tables.items():
        # By a function: a replacement's backslashes would be escapes.
        recovered = re.sub(
            rf'^( +ps\.table @"?{re.escape(name)}"? : tensor<\w+>) [^\n]*?'
            r"(?= loc\(|$)", lambda match: f"{match[1]} {table.declaration()}",
            recovered, flags=re.M)
    return recovered


def load_rows(folder, name):
    """The rows of a table in a folder of --save, --save-base or --save-delta:
    a dict of arrays with a row each, "ids", "values", slots of the optimizer,
    and "show", "click", .. of an accessor. Columns that an accessor has not
    created yet are zeros."""
    paths = sorted(pathlib.Path(folder).glob(
        f"{name}-[0-9]*-of-[0-9]*[0-9].safetensors"))
    if not paths:
        raise FileNotFoundError(f"'{folder}' has no rows of table '{name}'")
    shards = [safetensors.load(path) for path in paths]
    return {key: numpy.concatenate([shard[key] for shard in shards])
            for key in shards[0] if not key.startswith("waiting_")}
