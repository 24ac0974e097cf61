"""--config has the options of the command line, which wins; what is wrong in the
file is reported with its name. --eval-pipe-command is that of --eval-data."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

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


def error(text, *flags):
    FILE.write_text(text)
    _, err = run("ps-run", *flags, GRAPH, DATA, f"--config={FILE}", code=2)
    prefix = "ps-run: error: --config: "
    assert err.startswith(prefix) and err.count("\n") == 1, err
    return err[len(prefix):-1]


for text, expected in (
        ("batchsize = 3", f"'{FILE}': unknown key 'batchsize', did you mean "
         "batch-size?"),
        ('log-dir = "x"', f"'{FILE}': unknown key 'log-dir', expected the name of "
         "an option, as --help lists them"),
        ("[run]\nsteps = 2", f"'{FILE}': unknown key 'run.steps', expected the "
         "name of an option, as --help lists them"),
        ('config = "x"', f"'{FILE}': unknown key 'config', expected the name of "
         "an option, as --help lists them"),
        ("steps = [1, 2]", f"'{FILE}': key 'steps': expected one value, found 2"),
        ("steps = 1\nsteps = 2", f"'{FILE}': key 'steps': expected one value, found 2"),
        ("shuffle = maybe", f"'{FILE}': Could not convert: --shuffle = maybe"),
        ('FILE = "x"', f"'{FILE}': unknown key 'FILE', expected the name of an "
         "option, as --help lists them"),
        ("steps = 0", f"'{FILE}': --steps: expected a positive integer, got '0'"),
        ('data-mode = "x"', f"'{FILE}': --data-mode: expected memory or stream, "
         "got 'x'")):
    found = error(text)
    assert found == expected, found
_, err = run("ps-run", GRAPH, DATA, f"--config={FOLDER}", code=2)
assert err == f"ps-run: error: --config: cannot open '{FOLDER}'\n", err
FILE.unlink()
_, err = run("ps-run", GRAPH, DATA, f"--config={FILE}", code=2)
assert err == f"ps-run: error: --config: cannot open '{FILE}'\n", err

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
