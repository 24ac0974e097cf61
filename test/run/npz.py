"""--data=npz: of what NumPy writes, stored or deflated: models have the bits of
those of npy:."""
# RUN: %python %s %t

import pathlib
import shutil
import sys

import numpy as np
from job import GRAPH, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

random = np.random.default_rng(1)
x = random.uniform(-1, 1, (60, 4)).astype("f4")
y = random.integers(-3, 3, 60).astype("i2")
np.save(FOLDER / "x.npy", x)
np.save(FOLDER / "y.npy", y)
np.savez(FOLDER / "stored.npz", y=y, x=x)
np.savez_compressed(FOLDER / "packed.npz", y=y, x=x)


def train(data):
    run("ps-run", GRAPH, f"--data={data}", "--batch-size=8", "--epochs=2",
        f"--save={FOLDER}/model")
    return (FOLDER / "model/model.safetensors").read_bytes()


expected = train(f"npy:x={FOLDER}/x.npy,y={FOLDER}/y.npy")
assert train(f"npz:{FOLDER}/stored.npz") == expected
assert train(f"npz:{FOLDER}/packed.npz") == expected

whole = (FOLDER / "packed.npz").read_bytes()
(FOLDER / "cut.npz").write_bytes(whole[:-30])
_, err = run("ps-run", GRAPH, f"--data=npz:{FOLDER}/cut.npz", code=1)
assert err.endswith(f"'{FOLDER}/cut.npz': expected a zip archive, as "
                    "numpy.savez() writes it\n"), err
