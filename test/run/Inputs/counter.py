"""A model that counts: it adds 1 for each sample to a variable, and to every
row that the sample names. Where trainers do not keep step, nothing is divided
by their number, so all sums are exact."""

import collections

from job import read_model, refused_usage, run
from row_model import make_samples, read_rows, write_samples

BATCH = 4
GRAPH = """
module @count {
  ps.variable @w : tensor<5x3xf32> init(#ps.constant<0.0>)
  ps.table @emb : tensor<1000000x3xf32> init(#ps.constant<0.0>)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<5x3xf32>
    %each = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<5x3xf32>) -> tensor<?x5x3xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x5x3xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x2x3xf32>, tensor<f32>) -> tensor<f32>
    %sum = stablehlo.add %a, %b : tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


class Counter:
    """The graph and its samples, as files in `folder`."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.graph = folder / "count.mlir"
        self.graph.write_text(GRAPH)
        self.samples = make_samples(96)
        path = write_samples(folder / "samples.txt", self.samples)
        self.data = f"--data={path}"

    def is_refused(self, flag, mode, flags, found):
        """A trainer of a job of `mode` refuses `flag` beside other flags."""
        program = self.graph.with_name(f"refused-{mode}.mlir")
        run("ps-opt", self.graph, "-o", program,
            f"--ps-transpile=pservers=1 trainers=2 mode={mode}")
        refused_usage(f"{flag} {found}", program, "--role=trainer",
                      "--trainer-id=1", "--pserver-endpoints=127.0.0.1:9",
                      self.data, flag, *flags)

    def check(self, model, steps, tolerance=0.0, workers=1, share=1):
        """`model` is the one after so many steps of each trainer, on the batches
        of so many workers; each sample has added `share`. A third is no float,
        so exchanges of mode geo round; what is lost is a whole number or a
        half."""
        taken = collections.Counter()
        batch = BATCH * workers
        for trainer, count in enumerate(steps):
            own = list(range(trainer, len(self.samples), len(steps)))
            for step in range(count):
                at = step * batch % (len(own) // batch * batch)
                taken.update(own[at:at + batch])
        count = share * sum(taken.values())
        shape, values = read_model(model)["w"]
        assert shape == [5, 3], shape
        assert all(abs(value - count) <= tolerance for value in values), (
            values, count)
        expected = collections.Counter()
        for index, times in taken.items():
            for id in self.samples[index].ids:
                expected[id] += share * times
        # Rows that were fetched for a step that was not taken are new.
        found = {id: row for id, row in read_rows(model).items() if any(row)}
        assert found.keys() == expected.keys(), (found, expected)
        for id, n in expected.items():
            assert all(abs(value - n) <= tolerance for value in found[id]), (
                id, found[id], n)
