"""What the tests of tables share whose rows a device has copies of: a run with
the tier #ps.hbm saves the same bytes as one without."""

from job import read_metrics, run

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


def accessor(options="", day=5):
    """Attributes of a table whose rows come and go by their score; columns from
    the second on are absent at first."""
    return ('accessor = #ps.ctr<click = "label", decay = 0.7, '
            "delete_threshold = 0.5, embedx_from = 1, embedx_threshold = 1.5"
            f"{options}>, evict_every = {day} : i64")


def read_model(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.suffix == ".safetensors"}


def compare_models(name, expected, found, tolerance=None):
    """By bytes, or within `tolerance` where sums are rounded differently."""
    assert read_model(expected).keys() == read_model(found).keys(), name
    if tolerance:
        run("ps-run", "compare", f"--tolerance={tolerance}", expected, found)
    else:
        assert read_model(expected) == read_model(found), name


def compare_metrics(expected, found):
    """What a table reports at the end, with the tier and without."""
    for name, value in expected.items():
        if name.startswith("emb.") and name not in ("emb.bytes",
                                                    "emb.seconds_waited"):
            assert found[name] == value, (name, expected, found)


def is_same(folder, train, name, text, slots, others="", below="",
            tolerance=None, metrics=("metrics",), models=("model",),
            moves=True):
    """Calls train(folder, text, has_tier) for both runs, which save `models` and
    report `metrics` in the folder. Returns the last lines of these, of the run
    with the tier. `moves` if rows give way to others on the device."""
    if others:
        text = add_attributes(text, others)
    folders = []
    for has_tier in (False, True):
        folders.append(folder / f"{name}-{'hbm' if has_tier else 'host'}")
        folders[-1].mkdir()
        train(folders[-1], add_tiers(text, slots, below) if has_tier else text,
              has_tier)
    for model in models:
        compare_models(name, *(each / model for each in folders), tolerance)
    lines = []
    for path in metrics:
        expected, found = (read_metrics(each / path)[-1] for each in folders)
        if not below:
            compare_metrics(expected, found)
        assert found["emb.hbm_promoted"] > 0, found
        assert not moves or found["emb.hbm_demoted"] > 0, found
        assert not below or found["emb.demoted"] > 0, found
        lines.append(found)
    return lines


def read_losses(folder, name):
    """Of the evaluations, without the tier and with it."""
    return [[line["loss"] for line in read_metrics(folder / run / "metrics")
             if line["phase"] == "eval"]
            for run in (f"{name}-host", f"{name}-hbm")]


def has_clicked(line):
    """Whether rows went by their score, and others got their columns."""
    assert line["emb.evicted_by_score"] > 0, line
    assert 0 < line["emb.embedx_created"] < line["emb.admitted"], line
