"""A step that fetches a variable which it updates gives the value before the
update: in one process, in a job, and for an assignment of one's own."""
# RUN: %python %s %t

import pathlib
import sys

from job import free_endpoints, read_metrics, run

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "x.csv").write_text("1.0,0.0\n" * 4)
FLAGS = (f"--data=csv:{FOLDER}/x.csv", "--batch-size=1", "--steps=4",
         f"--metrics={FOLDER}/m")

GRAPH = """
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @train(%x: tensor<?x1xf32> {ps.feed = "x"},
                 %y: tensor<?xf32> {ps.feed = "y"})
    -> (tensor<f32> {ps.fetch = "loss"}, tensor<f32> {ps.fetch = "w"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?x1xf32>
  %p = stablehlo.multiply %b, %x : tensor<?x1xf32>
  %l = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %l using(#ps.sgd<learning_rate = 0.25>) : tensor<f32>
  return %l, %w : tensor<f32>, tensor<f32>
}
"""


EXPECTED = [1.0, 0.75, 0.5, 0.25]


def check():
    records = read_metrics(FOLDER / "m")
    assert [r["w"] for r in records] == EXPECTED, records
    assert [r["loss"] for r in records] == EXPECTED, records


graph = FOLDER / "minimize.mlir"
graph.write_text(GRAPH)
run("ps-run", graph, *FLAGS)
check()

# Another one whose values travel with its own: l = w + a.
two = FOLDER / "two.mlir"
two.write_text(GRAPH.replace("func.func", """ps.variable @a : tensor<f32> init(#ps.constant<1.0>)
func.func""").replace("%l = ", "%s = ").replace("  ps.minimize", """  %a = ps.read @a : tensor<f32>
  %l = stablehlo.add %s, %a : tensor<f32>
  ps.minimize""").replace("%l, %w :", "%l, %w, %a :").replace(
    '"w"})', '"w"}, tensor<f32> {ps.fetch = "a"})').replace(
    "return %l, %w, %a : tensor<f32>", "return %l, %w, %a : tensor<f32>, tensor<f32>"))
for pservers in (1, 2):
    run("ps-opt", two, f"--ps-transpile=pservers={pservers}", "-o",
        FOLDER / "dist.mlir")
    run("ps-run", FOLDER / "dist.mlir", "--role=all", *FLAGS)
    records = read_metrics(FOLDER / "m")
    assert [r["w"] for r in records] == EXPECTED, records
    assert [r["a"] for r in records] == EXPECTED, records

endpoint, = free_endpoints(1)
run("ps-opt", graph, f"--ps-transpile=pservers={endpoint}", "-o",
    FOLDER / "dist.mlir")
run("ps-run", FOLDER / "dist.mlir", "--role=all", *FLAGS)
check()

# Both values around an assignment, read and returned.
graph = FOLDER / "assign.mlir"
graph.write_text("""
ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @main() -> (tensor<4xf32> {ps.fetch = "w"}) {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %old = ps.read @w : tensor<4xf32>
  ps.assign @w, %two : tensor<4xf32>
  %new = ps.read @w : tensor<4xf32>
  %sum = stablehlo.add %old, %new : tensor<4xf32>
  check.expect_eq_const %old, dense<1.0> : tensor<4xf32>
  check.expect_eq_const %new, dense<2.0> : tensor<4xf32>
  check.expect_eq_const %sum, dense<3.0> : tensor<4xf32>
  return %old : tensor<4xf32>
}
""")
run("ps-run", graph, "--entry=main")
