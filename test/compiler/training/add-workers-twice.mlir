// RUN: ps-opt %s --ps-add-workers=workers=1 --verify-diagnostics

// expected-error@+1 {{has 'ps.worker' on argument 0 already: leave it to ps-add-workers}}
func.func @given(%x: tensor<4xf32> {ps.feed = "x", ps.worker = 1 : i64}) {
  return
}
