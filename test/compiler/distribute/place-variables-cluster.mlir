// The cluster says who takes part; its hash tells jobs apart: the same graph
// and options give the same, wherever the text lies and however it is printed.

// RUN: ps-opt %s --ps-place-variables="pservers=127.0.0.1:6174,[::1]:6175 trainers=3" | FileCheck %s
// RUN: ps-opt %s --ps-place-variables="pservers=127.0.0.1:6174,[::1]:6175 trainers=3" | head -1 > %t.first
// RUN: sed "1i // One more line." %s > %t.moved.mlir
// RUN: ps-opt %t.moved.mlir --mlir-elide-elementsattrs-if-larger=1 --mlir-print-op-generic --ps-place-variables="pservers=127.0.0.1:6174,[::1]:6175 trainers=3" | head -1 > %t.second
// RUN: diff %t.first %t.second
// The job is the same wherever its pservers listen, known beforehand or not.
// RUN: ps-opt %s --ps-place-variables="pservers=2 trainers=3" -o %t.named.mlir
// RUN: FileCheck %s --check-prefix=NAMED --input-file=%t.named.mlir
// RUN: sed -n 's/.*\(hash = "[0-9a-f]*"\).*/\1/p' %t.first > %t.hash
// RUN: sed -n 's/.*\(hash = "[0-9a-f]*"\).*/\1/p' %t.named.mlir | diff %t.hash -
// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2 trainers=3" | sed -n 's/.*\(hash = "[0-9a-f]*"\).*/\1/p' | diff %t.hash -
// RUN: ps-opt %s --ps-place-variables="pservers=3 trainers=3" | sed -n 's/.*\(hash = "[0-9a-f]*"\).*/\1/p' | not diff %t.hash -
// RUN: ps-opt %s --ps-place-variables="pservers=127.0.0.1:6174,[::1]:6175 trainers=3 min-block-size=8193" | head -1 > %t.third
// RUN: not diff %t.first %t.third
// RUN: sed s/0.1/0.2/ %s | ps-opt --ps-place-variables="pservers=127.0.0.1:6174,[::1]:6175 trainers=3" | head -1 > %t.fourth
// RUN: not diff %t.first %t.fourth

// CHECK: #ps.cluster<mode = sync, trainers = 3, pservers = [@pserver_0, @pserver_1], hash = "{{[0-9a-f]+}}", endpoints = ["127.0.0.1:6174", "[::1]:6175"]>
// NAMED: #ps.cluster<mode = sync, trainers = 3, pservers = [@pserver_0, @pserver_1], hash = "{{[0-9a-f]+}}">

ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<3xf32>) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}
