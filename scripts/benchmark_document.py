# SPDX-License-Identifier: Apache-2.0
"""The figures of benchmark programs as text: lines that programs print, results
of a run, and the generated region of docs/Benchmarks.md. Measures nothing."""

import dataclasses
import re
import statistics

BEGIN = "<!-- figures: begin, written by scripts/benchmark.py -->"
END = "<!-- figures: end -->"

# As test/benchmarks/Table.h prints: a name in at least 52 columns, a value, a
# unit in nine, and a goal.
LINE = re.compile(r"(.{52,}?) +(-?[0-9]+\.[0-9]{3}|-?nan|-?inf) (.{9}) ?(.*)")


@dataclasses.dataclass
class Row:
    what: str
    value: float
    unit: str
    goal: str


def parse_output(text):
    """The rows that a program printed, and its other lines."""
    rows, notes = [], []
    for line in text.splitlines():
        match = LINE.fullmatch(line.ljust(75))
        if match:
            what, value, unit, goal = map(str.strip, match.groups())
            rows.append(Row(what, float(value), unit, goal))
        elif line.strip():
            notes.append(line.strip())
    return rows, notes


def is_met(value, goal):
    """Whether a value meets "<= LIMIT ..." or ">= LIMIT ..."."""
    order, limit = re.match(r"([<>]=) *([0-9.]+)", goal).groups()
    return value <= float(limit) if order == "<=" else value >= float(limit)


def format_value(value):
    if value != value:
        return "not a number"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits if abs(value) >= 1 else 3}f}"


class Figures:
    """The figures of one program: the medians over its rounds, in the order in
    which it printed them, for each of the trees that were measured."""

    def __init__(self, runs):
        """`runs` are the program's entries in the results' `runs`."""
        self.goals, self.found = {}, {}
        for run in sorted(runs, key=lambda run: run["tree"] != "after"):
            for what, value, unit, goal in run["rows"]:
                key = (what, unit)
                self.goals.setdefault(key, goal)
                values = self.found.setdefault(key, {})
                values.setdefault(run["tree"], []).append(value)

    def rows(self):
        """(what, unit, goal, {tree: median}) for each figure."""
        for (what, unit), values in self.found.items():
            yield what, unit, self.goals[what, unit], {
                tree: statistics.median(each) for tree, each in values.items()}


def format_table(figures, trees):
    names = {"before": "before", "after": "measured"}
    header = ["figure", "unit", "goal", *(names[tree] for tree in trees), ""]
    lines = [header, ["---"] * len(header)]
    for what, unit, goal, values in figures.rows():
        shown = [format_value(values[tree]) if tree in values else "none"
                 for tree in trees]
        verdict = ""
        if "after" not in values:
            goal = ""  # One that only the earlier commit had.
        if goal:
            verdict = "met" if is_met(values["after"], goal) else "missed"
        lines.append([what, unit, goal, *shown, verdict])
    return ["| " + " | ".join(line) + " |" for line in lines]


def summarize(results, by_program):
    """When, where and of what the figures are, and which goals were missed."""
    goals, missed = 0, []
    for name, figures in by_program.items():
        for what, _, goal, values in figures.rows():
            if goal and "after" in values:
                goals += 1
                if not is_met(values["after"], goal):
                    missed.append(f"{what} (`{name}`)")
    machine = results["machine"]
    lines = [f"Commit `{results['after']}`, {results['date']}, on "
             f"{machine['cpu']}, {machine['cores']} cores, "
             f"{machine['memory_gib']} GiB; load average before the run "
             f"{machine['load']:.2f}; {results['rounds']} round(s)."]
    if results.get("before"):
        lines.append(f"The column `before` is commit `{results['before']}`, "
                     "measured in turn with it.")
    if results.get("quick"):
        lines.append("A quick run: sizes are reduced.")
    lines.append(f"Of {goals} goals, {goals - len(missed)} are met."
                 + (f" Missed: {'; '.join(missed)}." if missed else ""))
    return lines


def render(results, abouts):
    """The generated region, markers included. `abouts` has a sentence for each
    program; one without runs is listed with the reason."""
    runs = {name: [run for run in results["runs"] if run["program"] == name]
            for name in abouts}
    by_program = {name: Figures(each) for name, each in runs.items()}
    trees = ["before", "after"] if results.get("before") else ["after"]
    lines = [BEGIN, *summarize(results, by_program)]
    for name, about in abouts.items():
        lines += ["", f"### `{name}`", "", about]
        if runs[name]:
            lines += ["", *format_table(by_program[name], trees)]
        notes = [f"{run['tree']}: {note}" if results.get("before") else note
                 for run in runs[name] for note in run["notes"]]
        for note in dict.fromkeys(notes):
            lines += ["", f"Note: {note}."]
        reason = results["skipped"].get(name)
        if reason or not runs[name]:
            lines += ["", f"Not measured: {reason or 'not in this run'}."]
    return "\n".join([*lines, END])


def split(document):
    """The text before, in and after the generated region."""
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        raise ValueError(f"expected '{BEGIN}' and '{END}' once each")
    before, rest = document.split(BEGIN)
    region, after = rest.split(END)
    return before, region, after


def replace_region(document, region):
    before, _, after = split(document)
    return before + region + after


def find_faults(document, programs):
    """What is wrong with the document's generated region: each of `programs`
    must have figures, each of which is a number and met, missed or without a
    goal, or a reason why it has none."""
    try:
        _, region, _ = split(document)
    except ValueError as error:
        return [str(error)]
    head, *sections = re.split(r"^### `(.*)`$", region, flags=re.M)
    listed = dict(zip(sections[::2], sections[1::2]))
    faults = [f"'{name}' is missing" for name in programs if name not in listed]
    faults += [f"'{name}' is not a benchmark program"
               for name in listed if name not in programs]
    if not re.search(r"Commit `[0-9a-f]{7,}[^`]*`, [0-9]{4}-[0-9]{2}-[0-9]{2}",
                     head):
        faults.append("there is no commit with its date")
    for name, text in listed.items():
        rows = re.findall(r"^\| (.*) \|$", text, flags=re.M)[2:]
        if not rows and "Not measured: " not in text:
            faults.append(f"'{name}' has no figures and no reason")
        for row in rows:
            what, _, goal, *values, verdict = [c.strip() for c in row.split("|")]
            numbers = [v for v in values if re.fullmatch(r"-?[0-9,]+(\.[0-9]+)?", v)]
            if not numbers or (verdict in ("met", "missed")) != bool(goal):
                faults.append(f"'{name}': cannot read '{what}'")
    return faults
