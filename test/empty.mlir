// RUN: ps-opt %s | FileCheck %s
// CHECK: func.func private @f()
func.func private @f()
