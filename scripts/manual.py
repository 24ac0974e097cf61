#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes manual pages and shell completion from the output of --help.

    scripts/manual.py FOLDER

ps-run and ps-opt are taken from PATH. FOLDER gets man1/ps-run.1, one page for
each command (man1/ps-run-launch.1, ..), man1/ps-opt.1, and
bash-completion/completions/ps-run."""

import itertools
import pathlib
import re
import subprocess
import sys

COMMANDS = ["launch", "compare", "verify", "status", "resize", "log-replica",
            "devices", "plot", "merge-traces"]
ENTRY = re.compile(r"  (-\S.*?|[A-Z]+(?: \.\.\.)? REQUIRED)(?:\s{2,}(\S.*))?$")


def help_of(*command):
    shown = subprocess.run([*command, "--help"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    return [line.rstrip() for line in shown.strip().splitlines()]


def escape(text):
    """A line that begins with a dot or a quote would be a request to troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def write_body(lines):
    """Sections, options with what they mean, and examples as they are."""
    verbatim = False
    for line in lines:
        entry = ENTRY.match(line)
        is_text = line.startswith(" " * 10)
        shown = bool(line) and line[0] == " " and not entry and not is_text
        if shown != verbatim:
            yield ".nf" if shown else ".fi"
            verbatim = shown
        if entry:
            yield ".TP"
            yield ".B " + escape(entry[1].removesuffix(" REQUIRED"))
            if entry[2]:
                yield escape(entry[2])
        elif re.fullmatch(r"\S.{,60}:", line):
            yield ".SH " + escape(line[:-1].upper())
        elif not line:
            yield ".PP"
        else:
            yield escape(line if shown else line.strip())
    if verbatim:
        yield ".fi"


def manual_page(title, lines):
    usage = next(i for i, line in enumerate(lines)
                 if line.upper().startswith("USAGE: "))
    paragraph = itertools.takewhile(str.strip, lines[:usage])
    summary = " ".join(paragraph).split(". ")[0]
    name = title.replace(" ", "-")
    return "\n".join([
        f'.TH "{name.upper()}" 1', ".SH NAME",
        f"{escape(name)} \\- {escape(summary.rstrip('.'))}", ".SH SYNOPSIS",
        escape(lines[usage].split(": ", 1)[1]), ".SH DESCRIPTION",
        *write_body(lines[:usage]), *write_body(lines[usage + 1:])]) + "\n"


def flags_of(lines):
    """The long options, with the values of those that have a few."""
    flags = {}
    for line in lines:
        found = re.match(r"  (?:-\w,)?(--[\w-]+)(?: (?:\[=)?(\S+))?", line)
        if found:
            values = re.sub(r"\[.*?\]|\]", "", found[2] or "").split("|")
            words = [v for v in values if re.fullmatch(r"[a-z][a-z0-9-]*", v)]
            flags[found[1]] = words if len(words) == len(values) else []
    return flags


def completion(pages):
    """For bash: commands, options of the command, and values of an option."""
    cases, values = [], {}
    for command, lines in pages.items():
        flags = flags_of(lines)
        cases.append(f'    {command or "*"}) options="{" ".join(flags)}" ;;')
        values.update({flag: words for flag, words in flags.items() if words})
    # The command without a name is what any other word falls through to.
    cases.sort(key=lambda case: case.lstrip().startswith("*"))
    chosen = [f'    {flag}) words="{" ".join(words)}" ;;'
              for flag, words in sorted(values.items())]
    return f"""# Completion of ps-run for bash; written by scripts/manual.py.
_ps_run() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local options words=
  # "--flag=value" arrives as three words.
  if [ "$current" = "=" ]; then current=; fi
  if [ "$before" = "=" ]; then before=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  case $before in
{chr(10).join(chosen)}
  esac
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
  esac
  if [ "$COMP_CWORD" = 1 ]; then
    options="$options {" ".join(filter(None, pages))}"
  fi
  case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current"
         [ "$COMP_CWORD" = 1 ] && compgen -W "$options" -- "$current") ;;
  esac
}}
complete -o filenames -F _ps_run ps-run
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = pathlib.Path(sys.argv[1])
    pages = {name: help_of("ps-run", *filter(None, [name]))
             for name in ["", *COMMANDS]}
    manuals = folder / "man1"
    manuals.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        title = f"ps-run {name}".strip()
        (manuals / f"{title.replace(' ', '-')}.1").write_text(
            manual_page(title, lines))
    (manuals / "ps-opt.1").write_text(
        manual_page("ps-opt", [line.removeprefix("OVERVIEW: ")
                               for line in help_of("ps-opt")]))
    completions = folder / "bash-completion" / "completions"
    completions.mkdir(parents=True, exist_ok=True)
    (completions / "ps-run").write_text(completion(pages))


main()
