# SPDX-License-Identifier: Apache-2.0
"""Ways of training that any disturbance leaves intact: those that keep step save
the bytes of a job that was not disturbed, and where trainers do not keep step no
sample is lost or counted twice."""

from canonical import assert_same_files
from counter import BATCH, Counter
from job import DATA, GRAPH, INPUTS, run
from row_model import make_samples, write_samples

STEPS = 1500
MIXED = INPUTS / "mixed.mlir"


class Shape:
    """So many pservers and trainers."""

    def __init__(self, text):
        self.text = text
        self.pservers, self.trainers = map(int, text.split("x"))

    def roles(self, mode):
        pservers = 0 if mode.is_collective else self.pservers
        return [*(f"pserver{index}" for index in range(pservers)),
                *(f"trainer{index}" for index in range(self.trainers))]


class Mode:
    """One way of training, in one of some shapes, with what it has to save: the
    bytes of an undisturbed job, or what `check` of its folder and shape
    accepts."""

    def __init__(self, name, graph, data, *flags, check=None,
                 shapes=("2x2", "3x3")):
        self.name, self.graph, self.check = name, graph, check
        self.shapes = shapes
        self.flags = (data, f"--batch-size={BATCH}", f"--steps={STEPS}",
                      "--threads=1", *flags)
        self.is_collective = name.startswith("collective")
        self.quiet = {}

    def flags_of(self, shape):
        pservers = 0 if self.is_collective else shape.pservers
        return (*self.flags, f"--pservers={pservers}",
                f"--trainers={shape.trainers}")

    def check_saved(self, saved, shape, folder):
        if self.check:
            self.check(saved, shape)
            return
        if shape.text not in self.quiet:
            quiet = folder / f"{self.name}-{shape.text}-quiet"
            run("ps-run", "launch", self.graph, *self.flags_of(shape),
                f"--save={quiet}", f"--log-dir={folder}/log")
            self.quiet[shape.text] = quiet
        assert_same_files(saved, self.quiet[shape.text])


def draw_mode(modes, options, index, plan):
    """The mode and the shape of job `index`."""
    mode = modes[(options.seed + index) % len(modes)]
    return mode, Shape(plan.choice(mode.shapes))


def count_all(counter, tolerance=0.0):
    """The check that each trainer has taken all steps."""
    return lambda saved, shape: counter.check(saved, [STEPS] * shape.trainers,
                                              tolerance)


def make_modes(folder):
    counter = Counter(folder)
    samples = write_samples(folder / "mixed.txt", make_samples(96))
    counted = count_all(counter)
    return [
        Mode("sync", MIXED, f"--data={samples}", "--deterministic"),
        Mode("async", counter.graph, counter.data, "--transpile=mode=async",
             check=counted),
        Mode("collective", GRAPH, DATA, "--deterministic"),
        Mode("async-queue", counter.graph, counter.data, "--send-queue=3",
             "--max-merge=2", "--transpile=mode=async", check=counted),
        Mode("half-async", counter.graph, counter.data,
             "--transpile=mode=half-async", check=counted),
        # Its sums are rounded; what is lost is a whole number or a half.
        Mode("geo", counter.graph, counter.data,
             "--transpile=mode=geo geo-steps=7", check=count_all(counter, 0.4)),
        # Variables alone, all of them in slices.
        Mode("sync-dense", GRAPH, DATA, "--deterministic",
             "--transpile=min-block-size=4"),
    ]
