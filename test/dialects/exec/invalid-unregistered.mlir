// RUN: ps-opt %s --allow-unregistered-dialect --verify-diagnostics

exec.program @foreign_op {
  // expected-error@+1 {{'other.op' op is not allowed in an exec.program}}
  "other.op"() : () -> ()
}
