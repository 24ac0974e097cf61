"""--config has the options of the command line, which wins; what is wrong in the
file is reported with its name and line. --eval-pipe-command is that of
--eval-data."""
# RUN: %python %s %t

import os
import pathlib
import re
import shutil
import sys
import threading

from job import DATA, GRAPH, INPUTS, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
FILE = FOLDER / "train.toml"
METRICS = FOLDER / "metrics"


def model(*flags):
    saved = FOLDER / "model"
    run("ps-run", *flags, f"--save={saved}", f"--metrics={METRICS}")
    return (saved / "model.safetensors").read_bytes()


def steps():
    return [r["step"] for r in read_metrics(METRICS) if r["phase"] == "train"]


FILE.write_text(f"""# A comment
data = "{DATA.removeprefix('--data=')}"
batch-size = 10
steps = 7   # another one
shuffle = true
deterministic = false
set = ["learning_rate=0.01"]
log-every = "1s"
""")
flags = [DATA, "--batch-size=10", "--shuffle", "--set=learning_rate=0.01"]
assert model(GRAPH, f"--config={FILE}") == model(GRAPH, *flags, "--steps=7")
assert len(steps()) == 7, steps()
assert model(GRAPH, "--config", FILE, "--steps=3") == model(
    GRAPH, *flags, "--steps=3")
assert model(GRAPH, "--set=learning_rate=0.5", f"--config={FILE}") == model(
    GRAPH, *flags[:-1], "--set=learning_rate=0.5", "--steps=7")

# launch passes them on.
FILE.write_text(FILE.read_text() + 'pservers = 2\ntrainers = 2\n'
                f'log-dir = "{FOLDER}/log"\ntranspile = "min-block-size=2"\n')
launched = ["launch", "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/log",
            "--transpile=min-block-size=2"]
assert model("launch", GRAPH, f"--config={FILE}", "--batch-size=5") == model(
    *launched, GRAPH, *flags, "--batch-size=5", "--steps=7")
assert len(steps()) == 7, steps()


# The example of the documentation, with samples that have its label.
documented = (INPUTS.parents[2] / "docs" / "Running.md").read_text()
FILE.write_text(re.search("^```toml\n(.*?)^```", documented, re.M | re.S)[1])
rows = [line.split(",") for line in
        (INPUTS / "linear.csv").read_text().splitlines()]
(FOLDER / "samples.csv").write_text("a,b,y,c,d\n" + "".join(
    f"{a},{b},{y},{c},{d}\n" for a, b, c, d, y in rows))
momentum = FOLDER / "momentum.mlir"
momentum.write_text(GRAPH.read_text().replace(
    "#ps.sgd<learning_rate = 0.05>",
    "#ps.momentum<learning_rate = 0.05, momentum = 0.5>"))
run("ps-run", "momentum.mlir", "--config=train.toml", "--save=documented",
    "--metrics=metrics", cwd=FOLDER)
assert len(steps()) == 20 * (len(rows) // 32), steps()
given = model(momentum, DATA, "--batch-size=32", "--epochs=20", "--shuffle",
              "--set=learning_rate=0.01", "--set=momentum=0.9")
assert (FOLDER / "documented" / "model.safetensors").read_bytes() == given

# FILE may follow --set, in the file or on the command line.
for text, last in (('batch-size = 10\nsteps = 3\nset = ["learning_rate=0.01"]\n',
                    []),
                   ("batch-size = 10\nsteps = 3\n",
                    ["--set", "learning_rate=0.01"])):
    FILE.write_text(text)
    assert model(DATA, f"--config={FILE}", *last, GRAPH) == model(
        GRAPH, DATA, "--batch-size=10", "--steps=3", "--set=learning_rate=0.01")
run("ps-run", "launch", DATA, f"--log-dir={FOLDER}/log", "--steps=1",
    "--set=learning_rate=0.01", GRAPH)

# What begins with # within quotes is no comment, and a list may have lines.
plain, filtered = FOLDER / "plain.txt", FOLDER / "filtered.txt"
plain.write_text("".join("4 {} {} {} {} 1 {}\n".format(*row) for row in rows))
filtered.write_text("# no sample\n" + plain.read_text())
SCHEDULE = ("learning_rate=#ps.cosine_decay<learning_rate = 0.1, "
            "step_each_epoch = 2, epochs = 2>")
FILE.write_text(rf"""# é
"data" = "multislot:{filtered}"
pipe-command = 'grep -v "^#"' # and this is one
batch-size = 1_0
set = [
  "{SCHEDULE}", # a list
]
steps = +4
shuffle = true""")
assert model(GRAPH, f"--config={FILE}") == model(
    GRAPH, f"--data=multislot:{plain}", "--batch-size=10", "--steps=4", "--shuffle",
    f"--set={SCHEDULE}")
FILE.write_text(FILE.read_text().replace("""'grep -v "^#"'""",
                                         r'"grep -v \"^\u0023\""')
                .replace("\n", "\r\n"))
assert model(GRAPH, f"--config={FILE}") == model(
    GRAPH, f"--data=multislot:{plain}", "--batch-size=10", "--steps=4", "--shuffle",
    f"--set={SCHEDULE}")

# It may be a pipe, which is read once.
pipe = FOLDER / "pipe"
os.mkfifo(pipe)
writer = threading.Thread(target=lambda: pipe.write_text("steps = 3"))
writer.start()
assert model(GRAPH, DATA, f"--config={pipe}") == model(GRAPH, DATA, "--steps=3")
writer.join()


def refuse(text, *flags, path=FILE):
    """What is wrong with a file that has `text`."""
    if text is not None:
        path.write_bytes(text.encode())
    _, err = run("ps-run", *flags, GRAPH, f"--config={path}", code=2)
    prefix = "ps-run: error: --config: "
    assert err.startswith(prefix) and err.count("\n") == 1, err
    return err[len(prefix):-1]


KINDS = "expected a string in quotes, a number, true, false or a list of these"
for text, expected in (
        ("batchsize = 3", "1: unknown key 'batchsize', did you mean batch-size?"),
        ('\nlog-dir = "x"', "2: unknown key 'log-dir', expected the name of an "
         "option, as --help lists them"),
        ("# a\n[run]\nsteps = 2", "2: found '[run', expected KEY = VALUE: a file "
         "of options has no tables"),
        ('config = "x"', "1: unknown key 'config', expected the name of an "
         "option, as --help lists them"),
        ("steps = [1, 2]", "1: key 'steps': expected one value, found 2"),
        ("set = [\n]\nsteps = 0", "3: --steps: expected a positive integer, got "
         "'0'"),
        ('data-mode = "x"', "1: --data-mode: expected memory or stream, got 'x'"),
        ("shuffle = 1", "1: key 'shuffle': expected true or false, found '1'"),
        ('FILE = "x"', "1: unknown key 'FILE', expected the name of an option, as "
         "--help lists them"),
        ('save = ""', "1: key 'save': expected a value, found an empty string"),
        ("steps = 1\nseed = 2\nsteps = 3", "3: found key 'steps' again, expected "
         "it once: line 1 has it"),
        ("data = csv:x#label=y", f"1: found 'csv:x', {KINDS}"),
        ("log-every = 30s", f"1: found '30s', {KINDS}"),
        ("steps = 010", f"1: found '010', {KINDS}"),
        ("steps = 1__0", f"1: found '1__0', {KINDS}"),
        ("steps =\nseed = 1", f"1: found a line break, {KINDS}"),
        ("steps", "1: found the end of the file, expected = after the key "
         "'steps'"),
        ("a.b = 1", "1: found '.b', expected = after the key 'a'"),
        ("= 1", "1: found '=', expected KEY = VALUE"),
        ("steps = 1 2", "1: found '2', expected a line break after the value"),
        ('data = "x\nsteps = 1', "1: found a line break, expected \" at "
         "the end of a string"),
        ("data = 'x", "1: found the end of the file, expected ' at the end of a "
         "string"),
        (r'data = "\d"', r"1: found 'd\"', expected after '\' one of"
         r""" " \ n t r b f uXXXX UXXXXXXXX; between ' and ' a backslash is """
         "itself"),
        (r'data = "\ud800"', r"1: found 'ud800\"', expected after '\' one of"
         r""" " \ n t r b f uXXXX UXXXXXXXX; between ' and ' a backslash is """
         "itself"),
        ('data = """x"""', r"""1: found '\"\"\"x\"\"\"', expected a string of """
         "one line"),
        ('data = "a\x01"', r"1: found '\x01\"', expected no control characters "
         "in a string"),
        ('set = [\n"a=1"', "2: found the end of the file, expected a comma, or "
         "the ] of the list of line 1"),
        ('set = ["a=1",', "1: found the end of the file, expected the ] of the "
         "list of line 1"),
        ('set = ["a=1" "b=1"]', r"""1: found '\"b', expected a comma, or the ] """
         "of the list of line 1"),
        ('set = [["a=1"]]', r"""1: found '[\"a', expected a value: a list has no """
         "lists"),
        ("set = [,]", f"1: found ',', {KINDS}")):
    found = refuse(text)
    assert found == f"{FILE}:{expected}", found

# What is no file, also of launch.
FILE.unlink()
for flags in [], ["launch"]:
    found = refuse(None, *flags)
    assert found == f"cannot open '{FILE}': No such file or directory", found
    found = refuse(None, *flags, path=FOLDER)
    assert found == f"cannot read '{FOLDER}': Is a directory", found

# The samples of --eval-data are twice as large.
lines = (INPUTS / "linear.csv").read_text().splitlines()
text = FOLDER / "samples.txt"
text.write_text("".join("4 {} {} {} {} 1 {}\n".format(*line.split(","))
                        for line in lines))
piped = [GRAPH, f"--data=multislot:{text}", f"--eval-data=multislot:{text}",
         "--batch-size=10", "--epochs=1"]


def losses(*flags):
    run("ps-run", *piped, *flags, f"--metrics={METRICS}")
    records = read_metrics(METRICS)
    return ([r["loss"] for r in records if r["phase"] == "train"],
            records[-1]["loss"])


TWICE = r"""awk '{ for (i = 2; i <= 5; ++i) $i *= 2; $7 *= 2; print }'"""
plain, shown = losses()
for flags in (["--eval-pipe-command=" + TWICE],
              ["--pipe-command=cat", "--eval-pipe-command=" + TWICE]):
    trained, evaluated = losses(*flags)
    assert trained == plain, trained
    assert evaluated > 1.5 * shown, (evaluated, shown)
doubled, both = losses("--pipe-command=" + TWICE)
assert doubled != plain
assert losses("--pipe-command=" + TWICE, "--eval-pipe-command=cat")[0] == doubled
_, err = run("ps-run", *piped, "--eval-pipe-command=exit 3", code=1)
assert f"pipe command 'exit 3' on '{text}' exited with 3" in err, err
_, err = run("ps-run", GRAPH, DATA, "--eval-pipe-command=cat", code=2)
assert "--eval-pipe-command: expected --eval-data" in err, err
