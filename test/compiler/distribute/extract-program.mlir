// RUN: ps-opt %s --ps-extract-program="name=pserver_0" --verify-roundtrip | FileCheck %s --check-prefix=SERVER
// RUN: ps-opt %s --ps-extract-program="name=trainer" | FileCheck %s --check-prefix=TRAINER
// RUN: not ps-opt %s --ps-extract-program="name=pserver_2" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ps-opt %s --ps-extract-program 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: echo 'module {}' | not ps-opt --ps-extract-program="name=trainer" 2>&1 | FileCheck %s --check-prefix=NONE

// UNKNOWN: extract-program.mlir:{{[0-9]+}}:1: error: no program '@pserver_2': expected one of '@trainer', '@pserver_0', '@pserver_1'{{$}}
// UNNAMED: error: no program '@': expected one of '@trainer', '@pserver_0', '@pserver_1'{{$}}
// NONE: error: no program '@trainer': the module holds none, run ps-partition first

#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef", endpoints = ["a:1", "b:2"]>
// SERVER: module @job
// TRAINER: module @job
module @job {
  // SERVER-NOT: @trainer
  // TRAINER: ps.program @trainer
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  }
  // SERVER: ps.program @pserver_0
  // SERVER-NEXT: ps.variable @w
  // TRAINER-NOT: @pserver
  ps.program @pserver_0 role(pserver) endpoint("a:1") cluster(#cluster) {
    ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  }
  // SERVER-NOT: @pserver_1
  ps.program @pserver_1 role(pserver) endpoint("b:2") cluster(#cluster) {
  }
}
