"""What the tests of tables share whose rows a device has copies of: a run with
the tier #ps.hbm saves the same bytes as one without."""

from job import run

INITIAL = "init(#ps.constant<0.5>)"


def replace(text, old, new):
    assert old in text, (old, text)
    return text.replace(old, new)


def add_attributes(text, attributes):
    return replace(text, INITIAL, f"{INITIAL} {{{attributes}}}")


def add_tiers(text, slots, below=""):
    """Copies of at most `slots` rows; `below` has the other tiers."""
    return replace(text, INITIAL,
                   f"{INITIAL} tiers([#ps.hbm<rows = {slots}>{below}])")


def read_model(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.suffix == ".safetensors"}


def compare_models(name, expected, found, tolerance):
    """By bytes, or within `tolerance` where sums are rounded differently."""
    assert read_model(expected).keys() == read_model(found).keys(), name
    if tolerance:
        run("ps-run", "compare", f"--tolerance={tolerance}", expected, found)
    else:
        assert read_model(expected) == read_model(found), name


def is_same(folder, train, name, text, slots, others="", below="",
            tolerance=None):
    """Calls train(folder, text, has_tier) for both runs, which save their model
    in the folder. Returns the folder of the one with the tier."""
    if others:
        text = add_attributes(text, others)
    folders = []
    for has_tier in (False, True):
        folders.append(folder / f"{name}-{'hbm' if has_tier else 'host'}")
        folders[-1].mkdir()
        train(folders[-1], add_tiers(text, slots, below) if has_tier else text,
              has_tier)
    expected, found = folders
    compare_models(name, expected / "model", found / "model", tolerance)
    return found
