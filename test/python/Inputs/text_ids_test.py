# SPDX-License-Identifier: Apache-2.0
"""category_id() and vocabulary() know the ids that ps-run makes of texts."""

import csv
import gzip
import json
import pathlib
import subprocess
import tempfile
import unittest

import ps_mlir
from ps_mlir.programs import find_program

GRAPH = """
module @ids {
  ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
  func.func @train(%ids: tensor<?xCOUNTxi64> {ps.feed = "FEED"})
      -> (tensor<f32> {ps.fetch = "loss"},
          tensor<?xCOUNTxi64> {ps.fetch = "ids"}) {
    %x = stablehlo.convert %ids : (tensor<?xCOUNTxi64>) -> tensor<?xCOUNTxf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add
        across dimensions = [0, 1]
        : (tensor<?xCOUNTxf32>, tensor<f32>) -> tensor<f32>
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply %sum, %w : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return %loss, %ids : tensor<f32>, tensor<?xCOUNTxi64>
  }
}
"""
TEXTS = ["", "a", "Rome", "68fd1e64", "68fd1e64x", "Zürich", "東京", "x" * 100,
         "two words", "-1"]


class TextIdsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def made_by_run(self, count, data, feed="sparse"):
        graph, rows = self.folder / "ids.mlir", self.folder / "ids.jsonl"
        graph.write_text(GRAPH.replace("COUNT", str(count)).replace("FEED", feed))
        subprocess.run([find_program("ps-run"), graph, f"--eval-data={data}",
                        f"--predictions={rows}"], check=True, timeout=60,
                       capture_output=True)
        return [json.loads(line)["ids"]
                for line in rows.read_text().splitlines()]

    def test_ids_of_a_table(self):
        path, columns = self.folder / "a.csv", ["city", "größe"]
        rows = list(zip(TEXTS, reversed(TEXTS)))
        with open(path, "w", encoding="utf-8") as file:
            csv.writer(file).writerows([columns, *rows])
        for ids in 0, 1, 1000, 2**63 - 1:
            suffix = f"#ids={ids}" if ids else ""
            found = self.made_by_run(2, f"table:{path}#columns=sparse="
                                        f"city+größe#hash=city+größe{suffix}")
            self.assertEqual(found, [
                [ps_mlir.category_id(*cell, ids) for cell in zip(columns, row)]
                for row in rows])

    def test_ids_of_criteo(self):
        path = self.folder / "a.tsv"
        texts = (TEXTS * 3)[:26]
        path.write_text("\t".join(["1"] + ["0"] * 13 + texts) + "\n")
        for ids in 0, 1000:
            suffix = f"#ids={ids}" if ids else ""
            found, = self.made_by_run(26, f"criteo:{path}{suffix}")
            self.assertEqual(found, [ps_mlir.category_id(field, text, ids)
                                     for field, text in enumerate(texts)])

    def test_ids_of_words(self):
        text = ("The cat's hat, the \u201cRED\u201d hat - a Z\u00fcrich cat\u2014and "
                "the \u00c4 A 7 red").encode() + b" \xff"
        # One word on each side: every word is a center, but those at the ends,
        # once for each of its neighbors.
        words = ["the", "cat's", "hat", "the", "\u201cred\u201d", "hat", "a",
                 "z\u00fcrich", "cat\u2014and", "the", "\u00c4", "a", "7", "red",
                 "\udcff"]
        path = self.folder / "text"
        for data, size in ((text, 100), (text, 4), (gzip.compress(text), 4)):
            path.write_bytes(data)
            known = ps_mlir.vocabulary(path, size)
            self.assertEqual(known[:4], ["the", "a", "hat", "7"])
            left = [known.index(word) for word in words if word in known]
            found = self.made_by_run(
                1, f"text:{path}?window=1&vocabulary={size}", "center")
            self.assertEqual([id for id, in found],
                             [left[0]] + [id for id in left[1:-1]
                                          for _ in range(2)] + [left[-1]])


if __name__ == "__main__":
    unittest.main()
