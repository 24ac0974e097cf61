# SPDX-License-Identifier: Apache-2.0
"""Fails where two files define a class, struct, union or enum of the same
qualified name: both may end in one program, which C++ leaves undefined and no
linker reports. Types of anonymous namespaces and of functions are local to
their file.

  one_definition.py FOLDER...     looks at every .h and .cpp below the folders

It reads the sources as text, both sides of every #if: namespaces and types are
found by their braces, without macros that open or close one."""

import pathlib
import re
import sys

TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/                                # comments
      | ^[ \t]*\#(?:[^\n\\]|\\.)*                           # preprocessor
      | (?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"
      | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+'
      | (?P<word>[A-Za-z_]\w*) | [0-9](?:'?[\w.])* | ::
      | (?P<sign>[^\s\w])""",
    re.X | re.S | re.M)
TYPES = ("class", "struct", "union", "enum")


def tokens_of(text):
    """Yields (token, line), without comments and the preprocessor's lines."""
    line, counted = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        token = match.group()
        if not re.match(r"\s*#|//|/\*", token):
            yield token, line


def skip(tokens, at, opening, closing):
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at][0] == opening) - (tokens[at][0] == closing)
        at += 1
        if depth == 0:
            break
    return at


def read_type(tokens, at):
    """The name of the type that the keyword at `at` defines, None where it
    only names one, and the index of its "{"."""
    at += 1
    if tokens[at - 1][0] == "enum" and tokens[at][0] in ("class", "struct"):
        at += 1
    name = []
    while at < len(tokens):
        token = tokens[at][0]
        if token == "[":
            at = skip(tokens, at, "[", "]")
        elif token == "alignas" or (token == "(" and len(name) == 1):
            # "alignas(8) Name", "MACRO(x) Name"
            name = [] if token == "(" else name
            at = skip(tokens, at + (token != "("), "(", ")")
        elif token == "<" and name:
            end = skip(tokens, at, "<", ">")
            name[-1] += "".join(word for word, _ in tokens[at:end])
            at = end
        elif token == "::":
            name.append("::")
            at += 1
        elif token == "{":
            break
        elif token == ":":
            while at < len(tokens) and tokens[at][0] not in "{;":
                at += 1
        elif re.match(r"[A-Za-z_]", token):
            if token != "final":
                # Of two words in a row, the first is an attribute.
                name = name + [token] if name[-1:] == ["::"] else [token]
            at += 1
        else:
            return None, at  # a parameter, a variable, a declaration
    if at >= len(tokens) or tokens[at][0] != "{" or not name:
        return None, at
    return "".join(name), at


def read_namespace(tokens, at):
    """The name of the namespace that opens at `at`, "" for an anonymous one,
    None for an alias or a directive, and the index of its "{"."""
    name = ""
    at += 1
    while at < len(tokens) and tokens[at][0] not in "{;=":
        if tokens[at][0] != "inline":
            name += tokens[at][0]
        at += 1
    return (name if at < len(tokens) and tokens[at][0] == "{" else None), at


def definitions(text):
    """Yields (qualified name, line) of each type of external linkage."""
    tokens = list(tokens_of(text))
    scopes = []  # a name; "" in 'extern "C" {'; None where all is local
    at = 0
    while at < len(tokens):
        token, line = tokens[at]
        before = tokens[at - 1][0] if at else ""
        if token == "namespace" and before != "using":
            name, at = read_namespace(tokens, at)
            if name is not None:
                scopes.append(name or None)
                at += 1
            continue
        if token in TYPES and before != "friend":
            name, end = read_type(tokens, at)
            if name is None:
                at += 1
                continue
            if None not in scopes:
                yield "::".join([s for s in scopes if s] + [name]), line
            scopes.append(name)
            at = end + 1
            continue
        if token == "{":
            scopes.append("" if before.startswith('"') else None)
        elif token == "}" and scopes:
            scopes.pop()
        at += 1


def main(folders):
    found = {}
    files = sorted(path for folder in folders
                   for path in pathlib.Path(folder).rglob("*")
                   if path.suffix in (".h", ".cpp"))
    for path in files:
        for name, line in definitions(path.read_text()):
            found.setdefault(name, {}).setdefault(path, line)
    failed = False
    for name, places in sorted(found.items()):
        if len(places) > 1:
            failed = True
            print(f"{name} is defined in " + " and ".join(
                f"{path}:{line}" for path, line in places.items()))
    print(f"{len(found)} types in {len(files)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
