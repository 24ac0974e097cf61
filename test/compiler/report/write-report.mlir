// A report is beside the module, whose text stays as it is; its form follows
// from the file's name.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2 trainers=2 min-block-size=100" -o %t.dist.mlir
// RUN: ps-opt %t.dist.mlir --ps-report=%t.txt | diff - %t.dist.mlir
// RUN: FileCheck %s < %t.txt

// @w is cut into rows [0, 13) and [13, 25) of 40 bytes, @b is whole: by turns,
// b to pserver_0, w.block0 to pserver_1, w.block1 to pserver_0. The optimizer
// keeps a velocity of the same size. So pserver_0 holds 2 * (40 + 480) bytes,
// pserver_1 2 * 520: the same.

// CHECK:      job: {{.*}}.dist, mode sync, 2 trainers, 2 pservers, wire f32
// CHECK:      pservers: 2.0 KiB of values and state, the fullest holds 1.00 times the mean
// CHECK-NEXT: pserver_0 h:1: 2 blocks, 1.0 KiB, 50.0 %
// CHECK-NEXT: b rows [0, 10) 40 B + 40 B
// CHECK-NEXT: w.block1 rows [13, 25) 480 B + 480 B
// CHECK-NEXT: pserver_1 h:2: 1 blocks, 1.0 KiB, 50.0 %
// CHECK-NEXT: w.block0 rows [0, 13) 520 B + 520 B
// CHECK:      traffic of a trainer in a step
// CHECK-NEXT: pserver_0: sends 520 B in 2 messages, gets 520 B in 2
// CHECK-NEXT: pserver_1: sends 520 B in 1 messages, gets 520 B in 1
// CHECK:      peak memory
// CHECK-NEXT: trainer: 2.0 KiB = variables 1.0 KiB + state 0 B + gradients 1.0 KiB
// CHECK-NEXT: pserver_0: 1.5 KiB = variables 520 B + state 520 B + gradients 520 B
// CHECK-NEXT: pserver_1: 1.5 KiB = variables 520 B + state 520 B + gradients 520 B

// The gradient is one op; then it takes the network, the pserver and the way
// back.

// CHECK:      longest chain: 6 ops
// CHECK-NEXT: trainer: stablehlo.negate
// CHECK-NEXT: trainer: ps.send @{{.*}}
// CHECK-NEXT: pserver_{{[01]}}: ps.optimize_block @{{.*}}
// CHECK-NEXT: trainer: ps.send_barrier
// CHECK-NEXT: trainer: ps.recv @{{.*}}
// CHECK-NEXT: trainer: ps.fetch_barrier
// CHECK:      variables:
// CHECK-NEXT: b tensor<10xf32> on pserver_0
// CHECK-NEXT:   b: RoundRobin, turn 0
// CHECK-NEXT: frozen tensor<4xf32> on trainer
// CHECK-NEXT:   no trainer updates it
// CHECK-NEXT: w tensor<25x10xf32> on pserver_1, pserver_0
// CHECK-NEXT:   w.block0: RoundRobin, turn 1
// CHECK-NEXT:   w.block1: RoundRobin, turn 2

// RUN: ps-opt %t.dist.mlir --ps-report=%t.json -o /dev/null
// RUN: %python %S/../Inputs/check_report.py %t.json
// RUN: ps-opt %t.dist.mlir --ps-write-report=file=%t.html -o /dev/null
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: not grep -E "https?:|src=|href=" %t.html
// HTML: <!DOCTYPE html>
// HTML: <title>{{.*}}.dist: report</title>
// HTML: prefers-color-scheme: dark
// HTML-NOT: class="advice"
// HTML: <svg viewBox
// HTML: >trainer 0</text>
// HTML: >pserver_0</text>
// HTML: </svg>
// HTML: <td>w</td><td>tensor&lt;25x10xf32&gt;</td>
// HTML: </html>

// Other modes: what is exchanged after some steps counts by its part of one.

// RUN: ps-opt %s --ps-transpile="mode=collective trainers=2" --ps-report=%t.txt -o /dev/null
// RUN: FileCheck %s --check-prefix=COLLECTIVE < %t.txt
// RUN: ps-opt %s --ps-transpile="mode=collective trainers=2" --ps-report=%t.html -o /dev/null
// RUN: grep "all_reduce of 1.0 KiB in a step, calls: 1" %t.html
// COLLECTIVE: job: {{.*}}mode collective, 2 trainers, 0 pservers
// COLLECTIVE: all_reduce: 1.0 KiB in 1 calls
// COLLECTIVE: trainer: 4.1 KiB = variables 1.0 KiB + state 1.0 KiB + gradients 2.0 KiB
// COLLECTIVE: b tensor<10xf32> on trainer
// COLLECTIVE-NEXT: the trainers reduce its gradient

// RUN: ps-opt %s --ps-transpile="pservers=h:1 accumulate=4" --ps-report=%t.txt -o /dev/null
// RUN: FileCheck %s --check-prefix=ACCUMULATE < %t.txt
// ACCUMULATE: pserver_0: sends 260 B in 0.5 messages, gets 260 B in 0.5

// More pservers than there is room for are cells of a grid.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2,h:3,h:4,h:5,h:6,h:7,h:8,h:9 trainers=9" --ps-report=%t.html -o /dev/null
// RUN: FileCheck %s --check-prefix=GRID < %t.html
// GRID: >trainer 8</text>
// GRID-NEXT: >and 5 before it</text>
// GRID: <title>pserver_8 h:9: 0 B, 0.0 %</title>

// RUN: not ps-opt %s --ps-report=%t.pdf 2>&1 | FileCheck %s --check-prefix=ENDING
// RUN: not ps-opt %s --ps-report=%t.txt 2>&1 | FileCheck %s --check-prefix=PROGRAMS
// RUN: not ps-opt %t.dist.mlir --ps-report=%t/none/x.txt 2>&1 | FileCheck %s --check-prefix=OPEN
// ENDING: error: cannot report to '{{.*}}.pdf': expected a file name that ends with .txt, .json or .html
// PROGRAMS: error: holds no trainer program to report on: expected what --ps-transpile makes
// OPEN: error: cannot open output file '{{.*}}x.txt': No such file or directory

module {
  ps.variable @b : tensor<10xf32> init(#ps.constant<0.0>)
  ps.variable @frozen : tensor<4xf32> init(#ps.constant<0.0>) {trainable = false}
  ps.variable @w : tensor<25x10xf32> init(#ps.constant<0.0>)
  func.func @train(%b: tensor<10xf32> {ps.feed = "b"}, %w: tensor<25x10xf32> {ps.feed = "w"}) {
    %0 = stablehlo.negate %b : tensor<10xf32>
    %1 = stablehlo.negate %w : tensor<25x10xf32>
    ps.apply @b, %0 using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<10xf32>
    ps.apply @w, %1 using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<25x10xf32>
    return
  }
}
