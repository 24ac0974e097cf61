"""--data=table: the bits of csv:, from memory and as a stream, with a pipe and by
two trainers; columns in any order and in files."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import GRAPH, INPUTS, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

rows = [line.split(",") for line in
        (INPUTS / "linear.csv").read_text().splitlines()]
for number, part in enumerate((rows[:50], rows[50:])):
    lines = ["name,d,y,\"b\",c,a\n"]
    lines += [f"\"row, {a}\",{d}, {y} ,{b},{c},{a}\n" for a, b, c, d, y in part]
    (FOLDER / f"part-{number}.csv").write_text("".join(lines))
TABLE = f"--data=table:{FOLDER}/part-*.csv#columns=x=a+b+c+d,y"
FLAGS = ["--batch-size=8", "--epochs=2"]
LAUNCH = ["launch", "--pservers=2", "--trainers=2", f"--log-dir={FOLDER}/log"]


def train(*flags):
    run("ps-run", *flags, f"--save={FOLDER}/model")
    return (FOLDER / "model/model.safetensors").read_bytes()


def check(*command):
    expected = train(*command, GRAPH, f"--data=csv:{INPUTS}/linear.csv", *FLAGS)
    for more in [], ["--data-mode=stream"], ["--pipe-command=cat"]:
        assert train(*command, GRAPH, TABLE, *FLAGS, *more) == expected, more


check()
check(*LAUNCH)
# The header is that of the command.
HEADER = 'name,d,y,"b",c,a'
for part in FOLDER.glob("part-*.csv"):
    part.write_text(part.read_text().replace(HEADER, "no header"))
assert train(GRAPH, f"--data=csv:{INPUTS}/linear.csv", *FLAGS) == train(
    GRAPH, TABLE, *FLAGS, f"--pipe-command=sed '1s/.*/{HEADER}/'")
_, err = run("ps-run", GRAPH, TABLE, "--pipe-command=tail -n +2", code=1)
assert "there is no column 'a' in the header row, " in err, err
_, err = run("ps-run", GRAPH, TABLE, "--pipe-command=true", code=1)
assert err.endswith("part-0.csv': expected a header in the first line\n"), err
_, err = run("ps-run", GRAPH, TABLE, "--pipe-command=exit 3", code=1)
assert err.endswith("part-0.csv' exited with 3\n"), err
