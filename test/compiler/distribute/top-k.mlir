// With top-k a trainer sends the largest elements of a block's gradient, and
// keeps the rest beside the variable. Blocks of which the elements with their
// numbers would take as many bytes are sent whole.

// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2 min-block-size=16 top-k=0.1" --verify-roundtrip | FileCheck %s
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2 mode=async wire=bf16 top-k=0.1" | FileCheck %s --check-prefix=BF16
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2 accumulate=4 top-k=0.1" | FileCheck %s --check-prefix=ACCUMULATE
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2" | FileCheck %s --check-prefix=NONE
// RUN: not ps-opt %s --ps-transpile="pservers=1 top-k=0.5" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not ps-opt %s --ps-transpile="pservers=1 top-k=-0.1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not ps-opt %s --ps-transpile="pservers=1 top-k=nan" 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not ps-opt %s --ps-transpile="pservers=1 mode=geo top-k=0.1" 2>&1 | FileCheck %s --check-prefix=GEO
// RUN: not ps-opt %s --ps-transpile="mode=collective top-k=0.1" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: sed 's/9x4x/1x2x/g' %s > %t.small.mlir
// RUN: not ps-opt %t.small.mlir --ps-transpile="pservers=1 top-k=0.1" 2>&1 | FileCheck %s --check-prefix=SMALL

// LARGE: error: expected a share of at least 0 and less than 0.5, for an element that is chosen takes twice the bytes, found top-k=0.5
// NEGATIVE: found top-k=-0.1
// NAN: found top-k=nan
// GEO: error: mode=geo exchanges every block alone, {{.*}}: leave bucket-bytes, wire, row-wire and top-k out
// COLLECTIVE: error: top-k=0.1 is for jobs with pservers, and mode=collective has none: leave top-k out
// SMALL: error: top-k is for blocks of f32 of which a part takes fewer bytes than the whole, and the job has none: leave top-k out

// CHECK: ps.program @trainer
// CHECK: ps.variable @w.unsent : tensor<9x4xf32> init(#ps.constant<0.0>) slot_of(@w)
// CHECK-NOT: @b.unsent
// CHECK-LABEL: func.func @train
// CHECK: ps.send @b rows(0, 2), %{{.*}} to(@pserver_{{.}}) block("b") : tensor<2xf32>
// CHECK: %[[A:.*]] = ps.take_largest @w.unsent rows(0, 5), %[[G:.*]] : tensor<9x4xf32> -> tensor<2x2xui32>
// CHECK-NEXT: ps.send @w rows(0, 5), %[[A]] to(@pserver_{{.}}) block("w.block0") : tensor<2x2xui32>
// CHECK-NEXT: %[[B:.*]] = ps.take_largest @w.unsent rows(5, 4), %[[G]] : tensor<9x4xf32> -> tensor<2x2xui32>
// CHECK-NEXT: ps.send @w rows(5, 4), %[[B]] to(@pserver_{{.}}) block("w.block1") : tensor<2x2xui32>
// CHECK: ps.optimize_block @w.block0 (%[[M:.*]]: tensor<5x4xf32>) largest(2) {
// CHECK-NEXT: ps.apply @w.block0, %[[M]]

// Values come in fewer bits, too; elements of gradients do not.
// BF16: ps.variable @w.wire : tensor<9x4xbf16>
// BF16: ps.take_largest @w.unsent rows(0, 9), %{{.*}} : tensor<9x4xf32> -> tensor<4x2xui32>
// BF16: ps.recv @w.wire
// BF16: ps.optimize_block @b (%{{.*}}: tensor<2xbf16>)
// BF16: ps.optimize_block @w (%{{.*}}: tensor<9x4xf32>) largest(4)
// BF16: ps.assign @w.wire

// ACCUMULATE-LABEL: func.func @update
// ACCUMULATE: ps.read @w.accumulated
// ACCUMULATE: %[[MEAN:.*]] = stablehlo.divide
// ACCUMULATE: ps.take_largest @w.unsent rows(0, 9), %[[MEAN]]

// NONE-NOT: largest
// NONE-NOT: unsent

ps.variable @w : tensor<9x4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
func.func @train(%gw: tensor<9x4xf32> {ps.feed = "gw"}, %gb: tensor<2xf32> {ps.feed = "gb"}) {
  ps.apply @w, %gw using(#ps.sgd<learning_rate = 0.1>) : tensor<9x4xf32>
  ps.apply @b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
  return
}
