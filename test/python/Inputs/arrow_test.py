# SPDX-License-Identifier: Apache-2.0
"""Data of Arrow trains what arrays train, bit for bit: tables, datasets, files
of Parquet and Feather, and what python3 -m ps_mlir.parquet prints of them."""

import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy
import pyarrow
from pyarrow import dataset, feather, ipc, parquet

import ps_mlir
import regression
from ps_mlir.feeding import FeedServer

DATA = regression.make_data()
PRINT = f"{sys.executable} -m ps_mlir.parquet"
BAGS = pathlib.Path(__file__).parents[2] / "run/Inputs/bags.mlir"


def train(data, batch_size=16, **flags):
    return ps_mlir.Job(regression.make_graph()).train(
        data, batch_size=batch_size, epochs=3, verbose=False,
        **flags).variables


def rows(array):
    """A column of lists, all of one length, that does not say so."""
    return pyarrow.array(list(array), pyarrow.list_(pyarrow.float32()))


TABLE = pyarrow.table({"y": DATA["y"][:, 0], "name": ["a"] * 64,
                       "x": rows(DATA["x"])})
WIDE = pyarrow.table({"y": DATA["y"][:, 0]} | {
    f"x{i}": DATA["x"][:, i] for i in range(4)} | {"text": ['a "b", c'] * 64})


class ArrowTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.expected = train(DATA)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def assert_trains(self, data, **flags):
        variables = train(data, **flags)
        for name, value in self.expected.items():
            numpy.testing.assert_array_equal(variables[name], value)

    def test_tables(self):
        fixed = pyarrow.FixedSizeListArray.from_arrays(
            pyarrow.array(DATA["x"].ravel()), 4)
        sliced = pyarrow.concat_tables([TABLE[:9], TABLE])[9:]
        for table in (TABLE, TABLE.set_column(2, "x", fixed), sliced,
                      TABLE.to_batches()[0]):
            self.assert_trains(table)

    def test_datasets_are_read_while_steps_run(self):
        source = dataset.dataset([TABLE[:20], TABLE[20:]])
        self.assert_trains(source)
        self.assert_trains(TABLE.to_batches(max_chunksize=10))
        shared = train(source, batch_size=8, pservers=1, trainers=2)
        for name, value in self.expected.items():
            numpy.testing.assert_allclose(shared[name], value, rtol=1e-5)

    def test_files(self):
        for i, part in enumerate((TABLE[:30], TABLE[30:])):
            parquet.write_table(part, self.path(f"{i}.parquet"),
                                row_group_size=7)
            feather.write_feather(part, self.path(f"{i}.feather"))
        self.assert_trains(f"parquet:{self.path('*.parquet')}")
        self.assert_trains(f"feather:{self.path('*.feather')}")
        with self.assertRaisesRegex(FileNotFoundError, "is no file '"):
            train(f"parquet:{self.path('*.parquet')},{self.path('none')}")

    def test_printed_tables(self):
        parquet.write_table(WIDE, self.path("wide.parquet"), row_group_size=9)
        with ipc.new_stream(self.path("wide.arrows"), WIDE.schema) as stream:
            stream.write_table(WIDE)
        for name in ("wide.parquet", "wide.arrows"):
            self.assert_trains(
                f"table:{self.path(name)}#columns=x=x0+x1+x2+x3,y=y",
                pipe_command=PRINT)

    def test_printed_tables_without_rows_have_a_header(self):
        parquet.write_table(TABLE[:0], self.path("none.parquet"))
        found = subprocess.run([*shlex.split(PRINT), self.path("none.parquet"),
                                "--columns=y"], check=True,
                               capture_output=True, text=True).stdout
        self.assertEqual(found, '"y"\n')

    def test_printed_slots(self):
        feather.write_feather(TABLE, self.path("x.feather"))
        self.assert_trains(f"slots:{self.path('x.feather')}",
                           pipe_command=f"{PRINT} --slots")

    def test_bags(self):
        random = numpy.random.default_rng(3)
        bags = [random.integers(0, 2**62, n) for n in (2, 0, 1, 3, 0)]
        table = pyarrow.table({
            "s1": pyarrow.array(bags, pyarrow.list_(pyarrow.int64())),
            "label": numpy.array([1, 0, 1, 0, 1], "f4")})
        parquet.write_table(table, self.path("bags.parquet"), row_group_size=2)
        files = dataset.dataset(self.path("bags.parquet"))
        saved = []
        with FeedServer(files, columns=["label", "s1"]) as server, \
                FeedServer(table) as arrays:
            for flags in ([f"--data={server.data}"], [f"--data={arrays.data}"],
                          [f"--data=slots:{self.path('bags.parquet')}",
                           f"--pipe-command={PRINT} --slots"]):
                saved.append(self.path(f"saved-{len(saved)}"))
                subprocess.run(
                    ["ps-run", str(BAGS), *flags, "--batch-size=2", "--epochs=2",
                     f"--save={saved[-1]}"], check=True, stdout=subprocess.PIPE)
        for other in saved[1:]:
            subprocess.run(["ps-run", "compare", saved[0], other,
                            "--tolerance=0"], check=True,
                           stdout=subprocess.PIPE)

    def test_what_has_no_numbers_is_refused(self):
        nulls = pyarrow.array([None] + DATA["y"][1:, 0].tolist(),
                              pyarrow.float32())
        for column, at, message in (
                (nulls, 0, "column 'y' has 1 nulls"),
                (["a"] * 64, 0, "column 'y' holds string"),
                ([[1.0] * 4] * 63 + [[1.0]], 2, "4 numbers in every list")):
            name = TABLE.schema.names[at]
            with self.assertRaisesRegex(Exception, message):
                train(TABLE.set_column(at, name, [column]))

    def test_what_cannot_be_printed_is_refused(self):
        parquet.write_table(TABLE, self.path("x.parquet"))
        pathlib.Path(self.path("text")).write_text("no such file")
        for name, flags, message in (
                ("x.parquet", ["--columns=x"], "column 'x' holds list<"),
                ("x.parquet", ["--columns=name", "--slots"],
                 "column 'name' holds string, expected numbers or lists"),
                ("x.parquet", ["--columns=z"], "there is no column 'z' among "),
                ("text", [], "expected a file of Parquet or Arrow"),
                ("none", [], "No such file")):
            ended = subprocess.run([*PRINT.split(), self.path(name), *flags],
                                   capture_output=True, text=True)
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr,
                             f"^ps_mlir.parquet: error: .*{message}.*\n$")


if __name__ == "__main__":
    unittest.main()
