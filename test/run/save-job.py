"""The processes of a job that is started by hand save as `launch` has them
save: trainer 0 says where, and every pserver writes its part there, or to the
folder of its own --save."""
# RUN: %python %s %t

import pathlib
import re
import shutil
import sys

from job import Job, run
from row_model import graph, make_samples, read_rows, write_samples

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
module = FOLDER / "graph.mlir"
# A part of a variable on each pserver, beside the rows of a table.
text = re.sub(r"%ke = .*", "%ke = ps.read @k : tensor<2x3xf32>", graph("adam"))
module.write_text(text.replace(
    "  ps.table @emb", "  ps.variable @k : tensor<2x3xf32> "
    "init(#ps.constant<0.5>)\n  ps.table @emb"))
SLICED = "min-block-size=3"
data = f"--data={write_samples(FOLDER / 'samples.txt', make_samples(32))}"
PSERVERS, TRAINERS = 2, 2
FLAGS = ["--batch-size=4", "--steps=3", "--deterministic"]
PARTS = {f"{name}0000{k}-of-00002.safetensors"
         for name in ("emb-", "optimizer.") for k in (0, 1)}
WHOLE = {"model.safetensors", "training.json"}


def files(folder):
    return {path.name for path in pathlib.Path(folder).iterdir()}


def by_hand(name, *, trainer0, pserver0=(), all=()):
    """Runs a job, with flags for some of its processes; returns trainer 0 and
    the pservers."""
    with Job(FOLDER / name, PSERVERS, TRAINERS, graph=module,
             options=SLICED) as job:
        pservers = [job.pserver(0, "--deterministic", *pserver0, *all),
                    job.pserver(1, "--deterministic", *all)]
        trainers = [job.trainer(1, *FLAGS, *all, data=data),
                    job.trainer(0, *FLAGS, *trainer0, *all, data=data)]
        trainers[1].ends_well()
        for process in pservers:
            process.ends_well()
        return [trainers[1], *pservers]


def launch(name, *flags):
    run("ps-run", "launch", f"--log-dir={FOLDER}/log", "--pservers=2",
        "--trainers=2", f"--transpile={SLICED}", module, data, *FLAGS, f"--save={FOLDER / name}", *flags)


# --save of trainer 0 alone leaves everything, and --load finds it.
folder = FOLDER / "model"
_, pserver, _ = by_hand("job", trainer0=[f"--save={folder}"])
assert files(folder) == WHOLE | PARTS, files(folder)
assert f"trainer 0 has this pserver save its part to '{folder}'" in (
    pserver.text()), pserver.text()
by_hand("job-on", trainer0=[f"--save={FOLDER}/on"], all=[f"--load={folder}"])
launch("launched")
launch("launched-on", f"--load={FOLDER}/launched")
for mine, other in ((folder, "launched"), (FOLDER / "on", "launched-on")):
    assert files(mine) == files(FOLDER / other)
    for name in files(mine):
        assert (mine / name).read_bytes() == (
            FOLDER / other / name).read_bytes(), (mine, name)
assert read_rows(FOLDER / "on") != read_rows(folder)

# A job without slots leaves none of an older job behind.
inputs = pathlib.Path(__file__).parent / "Inputs"
stale = FOLDER / "stale"
stale.mkdir()
for name in PARTS:
    if name.startswith("optimizer."):
        shutil.copy(folder / name, stale)
run("ps-run", "launch", f"--log-dir={FOLDER}/log", "--pservers=2",
    "--trainers=2", inputs / "linear_sgd.mlir",
    f"--data=csv:{inputs}/linear.csv", "--batch-size=2", "--steps=1",
    f"--save={stale}")
assert files(stale) == WHOLE, files(stale)

# A pserver's own --save says where its part goes; what it lacks is missed.
own = FOLDER / "own"
by_hand("own-job", trainer0=[f"--save={FOLDER}/rest"],
        pserver0=[f"--save={own}"])
mine = {name for name in PARTS if "00000-of" in name}
assert files(own) == mine, files(own)
assert files(FOLDER / "rest") == WHOLE | PARTS - mine, files(FOLDER / "rest")
_, errors = run("ps-run", module, data, "--batch-size=8", "--steps=1",
                f"--load={FOLDER}/rest", code=1)
assert "optimizer.00000-of-00002.safetensors' is missing: " in errors, errors
out, _ = run("ps-run", "verify", FOLDER / "rest", code=1)
assert out.count("FAILED") == len(mine), out
for name in mine:
    shutil.copy(own / name, FOLDER / "rest")
out, _ = run("ps-run", "verify", FOLDER / "rest")
assert out.count("ok ") == len(WHOLE | PARTS), out
for name in PARTS:
    assert (FOLDER / "rest" / name).read_bytes() == (
        folder / name).read_bytes(), name

# Relative names are trainer 0's.
shutil.rmtree(folder)
with Job(FOLDER / "relative", 1, 1, graph=module) as job:
    pserver = job.pserver(0)
    run("ps-run", job.program, "--role=trainer", "--trainer-id=0", data,
        "--batch-size=4", "--steps=1", "--save=here", cwd=job.folder)
    pserver.ends_well()
    assert len(files(job.folder / "here")) == 4, files(job.folder / "here")

# A pserver that cannot write ends the job before it trains, with one line.
(FOLDER / "file").write_text("")
with Job(FOLDER / "unwritable-own", 1, 1, graph=module) as job:
    pserver = job.pserver(0, f"--save={FOLDER}/file/model")
    assert pserver.end() == 1
    assert "cannot create the directory" in pserver.error(), pserver.error()
with Job(FOLDER / "unwritable-late", 1, 1, graph=module) as job:
    late = FOLDER / "late"
    pserver = job.pserver(0, f"--save={late}")
    pserver.wait_for("listening")
    shutil.rmtree(late)
    late.write_text("")
    trainer = job.trainer(0, *FLAGS, f"--save={FOLDER}/unused", data=data)
    assert trainer.end() == 1
    pattern = (rf"saving: pserver {re.escape(job.endpoints[0])}: '{late}': "
               "cannot create the directory")
    assert re.search(pattern, trainer.error()), trainer.error()
    assert "epoch 0" not in trainer.text(), trainer.text()
    assert pserver.end() == 1

# Nothing is lost without a word.
with Job(FOLDER / "forgotten", 1, 1, graph=module) as job:
    pserver = job.pserver(0, f"--save={FOLDER}/forgotten-model")
    trainer = job.trainer(0, *FLAGS, data=data)
    trainer.ends_well()
    assert pserver.end() == 1, pserver.text()
    assert "trainer 0 runs without --save" in pserver.error(), pserver.error()

# No file that is being written stays.
for path in FOLDER.rglob("*.tmp*"):
    raise AssertionError(path)
