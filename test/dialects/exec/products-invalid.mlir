// RUN: ps-opt %s --split-input-file --verify-diagnostics

func.func private @relu(tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel}
exec.program @fused_on_host {
  %x = exec.buffer : memref<8x2xf32>
  %w = exec.buffer : memref<2x4xf32>
  %c = exec.buffer : memref<8x4xf32>
  %y = exec.buffer : memref<8x4xf32>
  // expected-error@+1 {{does the work of other kernels on a device only}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32>, memref<2x4xf32>) outs(%c : memref<8x4xf32>)
    epilogue(@relu with %c : memref<8x4xf32> into %y : memref<8x4xf32>) fused(relu)
}

// -----

exec.program @fused_without_kernel {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  // expected-error@+1 {{expects the fused epilogue 'relu' to work with c and one result}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    fused(relu)
}

// -----

func.func private @relu(tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel}
exec.program @fused_without_bias {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<8x4xf32, #exec.space<device>>
  // expected-error@+1 {{expects the fused epilogue 'bias_relu' to work with c, a bias and one result}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    epilogue(@relu with %c : memref<8x4xf32, #exec.space<device>> into %y : memref<8x4xf32, #exec.space<device>>) fused(bias_relu)
}

// -----

func.func private @add(tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32> attributes {exec.kernel}
exec.program @bias_size {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<f32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<8x4xf32, #exec.space<device>>
  // expected-error@+1 {{adds a bias of 'memref<f32, #exec.space<device>>' to rows of 4}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    epilogue(@add with %c, %b : memref<8x4xf32, #exec.space<device>>, memref<f32, #exec.space<device>> into %y : memref<8x4xf32, #exec.space<device>>) fused(bias)
}

// -----

func.func private @sum(tensor<4x2xf32>) -> tensor<2xf32> attributes {exec.kernel}
exec.program @sums_of_columns {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<4x2xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer : memref<2xf32, #exec.space<device>>
  // expected-error@+1 {{sums rows of an operand that has k of them, in one product without a fused epilogue}}
  %t = exec.gemm m(8) n(4) k(2) transpose_b ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<4x2xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %s : memref<2xf32, #exec.space<device>>)
}

// -----

func.func private @sum(tensor<2x4xf32>) -> tensor<2xf32> attributes {exec.kernel}
exec.program @sums_size {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer : memref<2xf32, #exec.space<device>>
  // expected-error@+1 {{sums 4 columns into 'memref<2xf32, #exec.space<device>>'}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %s : memref<2xf32, #exec.space<device>>)
}

// -----

exec.program @sums_by_no_kernel {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{refers to unknown kernel '@sum'}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %s : memref<4xf32, #exec.space<device>>)
}

// -----

exec.program @mixed_operands {
  %x = exec.buffer : memref<8x2xbf16, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  // expected-error@+1 {{takes 'memref<2x4xf32, #exec.space<device>>' for b, expected bf16 of 1x2x4}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xbf16, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
}

// -----

exec.program @rounded_result {
  %x = exec.buffer : memref<8x2xbf16, #exec.space<device>>
  %w = exec.buffer : memref<2x4xbf16, #exec.space<device>>
  %c = exec.buffer : memref<8x4xbf16, #exec.space<device>>
  // expected-error@+1 {{takes 'memref<8x4xbf16, #exec.space<device>>' for c, expected f32 of 1x8x4}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xbf16, #exec.space<device>>, memref<2x4xbf16, #exec.space<device>>) outs(%c : memref<8x4xbf16, #exec.space<device>>)
}
