// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// A convolution and its derivatives; of groups, in steps, and of one spatial
// dimension.

// CHECK-LABEL: exec.program @main
exec.program @main {
  %x = exec.buffer : memref<64x28x28x1xf32>
  %w = exec.buffer : memref<5x5x1x6xf32>
  %y = exec.buffer : memref<64x24x24x6xf32>
  // CHECK: %[[T:.*]] = exec.convolution forward batch(64) groups(1) features(1, 6) input([28, 28]) kernel([5, 5]) output([24, 24]) strides([1, 1]) dilations([1, 1]) padding([0, 0]) layouts([784, 1, 28, 1], [6, 1, 6, 30, 6], [3456, 1, 144, 6]) ins(%{{.*}}, %{{.*}} : memref<64x28x28x1xf32>, memref<5x5x1x6xf32>) outs(%{{.*}} : memref<64x24x24x6xf32>)
  %t = exec.convolution forward batch(64) groups(1) features(1, 6) input([28, 28]) kernel([5, 5]) output([24, 24]) strides([1, 1]) dilations([1, 1]) padding([0, 0]) layouts([784, 1, 28, 1], [6, 1, 6, 30, 6], [3456, 1, 144, 6]) ins(%x, %w : memref<64x28x28x1xf32>, memref<5x5x1x6xf32>) outs(%y : memref<64x24x24x6xf32>)
  // CHECK: exec.convolution backward_input {{.*}} after(%[[T]])
  %t1 = exec.convolution backward_input batch(64) groups(1) features(1, 6) input([28, 28]) kernel([5, 5]) output([24, 24]) strides([1, 1]) dilations([1, 1]) padding([0, 0]) layouts([784, 1, 28, 1], [6, 1, 6, 30, 6], [3456, 1, 144, 6]) ins(%y, %w : memref<64x24x24x6xf32>, memref<5x5x1x6xf32>) outs(%x : memref<64x28x28x1xf32>) after(%t)
  // CHECK: exec.convolution backward_kernel
  %t2 = exec.convolution backward_kernel batch(64) groups(1) features(1, 6) input([28, 28]) kernel([5, 5]) output([24, 24]) strides([1, 1]) dilations([1, 1]) padding([0, 0]) layouts([784, 1, 28, 1], [6, 1, 6, 30, 6], [3456, 1, 144, 6]) ins(%x, %y : memref<64x28x28x1xf32>, memref<64x24x24x6xf32>) outs(%w : memref<5x5x1x6xf32>) after(%t1)
  %a = exec.buffer : memref<2x4x9xf32>
  %k = exec.buffer : memref<6x2x3xf32>
  %b = exec.buffer : memref<2x6x4xf32>
  // CHECK: groups(2) features(2, 3) input([9]) kernel([3]) output([4]) strides([2]) dilations([1]) padding([1])
  %t3 = exec.convolution forward batch(2) groups(2) features(2, 3) input([9]) kernel([3]) output([4]) strides([2]) dilations([1]) padding([1]) layouts([36, 9, 1], [18, 6, 3, 1], [24, 4, 1]) ins(%a, %k : memref<2x4x9xf32>, memref<6x2x3xf32>) outs(%b : memref<2x6x4xf32>)
}
