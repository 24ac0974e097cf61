"""Checks that what the documents refer to exists: files and headings behind
links, and files and folders of the source tree named in `backquotes`.

  check_links.py ROOT DOCUMENT...

A document with the heading "Where things are" is a map: it names each folder
of sources, or the folder around it. A segment X, x or STAGE of a path (compiler/STAGE/X.cpp) stands for any name."""

import pathlib
import re
import sys

FOLDERS = ("compiler", "dialects", "docs", "examples", "runtime", "scripts", "test",
           "tools")


def anchors(document):
    """The anchors that GitHub makes of the headings."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        found.add(name)
    return found


def check_link(document, target):
    path, _, anchor = target.partition("#")
    linked = (document.parent / path) if path else document
    if not linked.exists():
        return f"'{target}': there is no such file"
    if anchor and anchor not in anchors(linked):
        return f"'{target}': there is no such heading"
    return None


def check_path(root, path):
    pattern = re.sub(r"(^|/)(X|x|STAGE)(?=[./A-Z]|$)", r"\1*", path)
    return None if any(root.glob(pattern.rstrip("/"))) else f"there is no '{path}'"


def unmapped(root, text):
    """The folders of sources that a map does not name."""
    for top in "compiler", "dialects", "runtime", "tools":
        for folder in sorted({f.parent for f in (root / top).rglob("*.cpp")}):
            around = [folder.relative_to(root), folder.relative_to(root).parent]
            if not any(f"`{path}/`" in text for path in around):
                yield f"the map lacks '{around[0]}/'"


def main(root, *documents):
    root, errors, links, paths = pathlib.Path(root), [], 0, 0
    for name in documents:
        document = pathlib.Path(name)
        text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"[a-z]+:", target):
                links += 1
                errors.append((name, check_link(document, target)))
        for path in re.findall(r"`((?:%s)/[\w./-]*)`" % "|".join(FOLDERS), text):
            paths += 1
            errors.append((name, check_path(root, path)))
        if "\n## Where things are\n" in text:
            errors += [(name, error) for error in unmapped(root, text)]
    errors = [f"{name}: {error}" for name, error in errors if error]
    if errors:
        sys.exit("\n".join(errors))
    print(f"{links} links and {paths} paths of {len(documents)} documents exist")


main(*sys.argv[1:])
