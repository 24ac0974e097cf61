"""A metric that has seen NaN is NaN: it is reported and checked like a fetch,
and is no metric that has measured nothing."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import json
import pathlib

from job import run

GRAPH = """
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @train(%x: tensor<?xf32> {ps.feed = "x"},
                 %y: tensor<?xf32> {ps.feed = "y"}) {
  %w = ps.read @w : tensor<f32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %log = stablehlo.log %x : tensor<?xf32>
  %wx = stablehlo.multiply %log, %ws : tensor<?xf32>
  %p = stablehlo.logistic %wx : tensor<?xf32>
  METRIC
  ps.apply @w, %w using(#ps.sgd<learning_rate = 0.0>) : tensor<f32>
  return
}
"""
METRICS = {
    "mean": 'ps.metric mean("it", %p) : tensor<?xf32>',
    "auc": 'ps.metric auc("it", %p, %y) : tensor<?xf32>, tensor<?xf32>',
}
# The logarithm of the third sample is NaN; the second batch of the run has it.
pathlib.Path("data.csv").write_text("x,y\n1,0\n2,1\n-1,1\n4,0\n")
pathlib.Path("good.csv").write_text("x,y\n1,0\n2,1\n3,1\n4,0\n")

for kind, metric in METRICS.items():
    graph = f"{kind}.mlir"
    pathlib.Path(graph).write_text(GRAPH.replace("METRIC", metric))
    train = ("ps-run", graph, "--data=table:data.csv", "--batch-size=2",
             "--metrics=metrics")
    noted = run(*train, code=1)[1]
    assert "error: it is nan at step 1: look for NaN" in noted, noted
    noted = run(*train, "--nan=warn")[1]
    assert "warning: it is nan at step 1" in noted, noted
    steps = [json.loads(line)
             for line in pathlib.Path("metrics").read_text().splitlines()]
    first, second = (s["it"] for s in steps if s["phase"] == "train")
    assert first is not None and second is None, steps
    # An evaluation is checked, too, and a new one begins without it.
    noted = run("ps-run", graph, "--eval-data=table:data.csv", code=1)[1]
    assert "error: it is nan in the evaluation: look for NaN" in noted, noted
    run("ps-run", graph, "--eval-data=table:good.csv")
