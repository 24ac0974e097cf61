// RUN: ps-opt %s --split-input-file --verify-diagnostics

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf64>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op takes 'memref<2x4x9xf64>' for the input, expected f32}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf64>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected lists of 1 spatial dimensions, found one of 2}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3, 3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected positive sizes below 2^31, found 0}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([0]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected positive sizes below 2^31, found 2147483648}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([2147483648]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected padding from 0 to below 2^31, found -1}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([-1]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected counts below 2^31, found 2147483648}}
  exec.convolution forward batch(2147483648) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected a layout of 3 dimensions for the input, found 2}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected a layout that covers 'memref<2x4x9xf32>' for the input of sizes [2, 4, 9], found [36, 9, 2]}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 2], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected a layout that covers 'memref<6x4x3xf32>' for the kernel of sizes [1, 6, 4, 4], found [72, 12, 3, 1]}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([4]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected a layout that covers 'memref<2x6x7xf32>' for the output of sizes [2, 6, 7], found [42, 0, 1]}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 0, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32>
  %w = exec.buffer : memref<6x4x3xf32>
  %y = exec.buffer : memref<2x6x7xf32>
  // expected-error @+1 {{op expected a layout that covers 'memref<2x4x9xf32>' for the input of sizes [3, 4, 9], found [36, 9, 1]}}
  exec.convolution forward batch(3) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32>, memref<6x4x3xf32>) outs(%y : memref<2x6x7xf32>)
}

// -----

exec.program @main {
  %x = exec.buffer : memref<2x4x9xf32, #exec.space<device>>
  %w = exec.buffer : memref<6x4x3xf32, #exec.space<device>>
  %y = exec.buffer : memref<2x6x7xf32, #exec.space<device>>
  // expected-error @+1 {{op works on the host only}}
  exec.convolution forward batch(2) groups(1) features(4, 6) input([9]) kernel([3]) output([7]) strides([1]) dilations([1]) padding([0]) layouts([36, 9, 1], [72, 12, 3, 1], [42, 7, 1]) ins(%x, %w : memref<2x4x9xf32, #exec.space<device>>, memref<6x4x3xf32, #exec.space<device>>) outs(%y : memref<2x6x7xf32, #exec.space<device>>)
}
