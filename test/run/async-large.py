"""Pushes of more messages than are otherwise under way at once: where trainers
do not keep step, a push is answered when all of it has arrived.

usage: async-large.py FOLDER
"""
# RUN: %python %s %t

import pathlib
import shutil
import sys

from job import Job, read_model, run

FOLDER = pathlib.Path(sys.argv[1])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
ROWS, WIDTH, BATCH, STEPS = 40, 125000, 1, 3
# A sample adds 1 to each element of the variable and of its row: 20 MB of each.
GRAPH = FOLDER / "large.mlir"
GRAPH.write_text(f"""
module @large {{
  ps.variable @w : tensor<{ROWS}x{WIDTH}xf32> init(#ps.constant<0.0>)
  ps.table @emb : tensor<100x{WIDTH}xf32> init(#ps.constant<0.0>)
  func.func @train(%ids: tensor<?x{ROWS}xi64> {{ps.feed = "ids"}})
      -> (tensor<f32> {{ps.fetch = "loss"}}) {{
    %w = ps.read @w : tensor<{ROWS}x{WIDTH}xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x{ROWS}xi64>) -> tensor<?x{ROWS}x{WIDTH}xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<{ROWS}x{WIDTH}xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x{ROWS}x{WIDTH}xf32>, tensor<f32>) -> tensor<f32>
    %sum = stablehlo.add %a, %b : tensor<f32>
    %loss = stablehlo.negate %sum : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
    return %loss : tensor<f32>
  }}
}}
""")
samples = FOLDER / "samples.txt"
ids = " ".join(str(id) for id in range(ROWS))
samples.write_text(f"{ROWS} {ids}\n" * 8)
data = f"--data=multislot:{samples}#slots=ids:i"

for mode in ("async", "geo geo-steps=2"):
    with Job(FOLDER / mode.split()[0], pservers=1, trainers=2, graph=GRAPH,
             options=f"mode={mode}") as job:
        flags = [f"--batch-size={BATCH}", f"--steps={STEPS}"]
        for how in ("all", "processes"):
            saved = job.folder / how
            if how == "all":
                run("ps-run", job.program, "--role=all", data, *flags,
                    f"--save={saved}")
            else:
                job.pserver(0)
                job.trainer(0, *flags, f"--save={saved}", data=data)
                job.trainer(1, *flags, data=data)
                job.ends_well()
            _, values = read_model(saved)["w"]
            assert set(values) == {2.0 * STEPS}, (mode, how, set(values))
