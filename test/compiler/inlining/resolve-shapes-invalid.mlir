// RUN: ps-opt %s --ps-resolve-shapes --split-input-file --verify-diagnostics

func.func @twice(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.multiply %0, %c2 : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.constant dense<2> : tensor<1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expected-error @+1 {{op expected the size of dimension 0 to be a number or the batch size, found 2 * batch}}
  %5 = stablehlo.dynamic_reshape %x, %4 : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}

// -----

func.func @computed(%v: tensor<f32>, %shape: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{op expected the size of dimension 0 to be a number or the batch size, found a value that is computed}}
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @other_size(%v: tensor<f32>) -> tensor<4xf32> {
  %shape = stablehlo.constant dense<5> : tensor<1xi32>
  // expected-error @+1 {{op expected a result of size 5 in dimension 0, found 'tensor<4xf32>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @stride(%x: tensor<8xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  // expected-error @+1 {{op expected the stride of dimension 0 to be a number, found a value that is computed}}
  %0 = stablehlo.real_dynamic_slice %x, %zero, %eight, %n : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @stride_at_start(%x: tensor<8xf32>, %n: tensor<1xi32>) -> tensor<2xf32> {
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %end = stablehlo.add %n, %four : tensor<1xi32>
  // expected-error @+1 {{op expected strides of 1 where a start is computed}}
  %0 = stablehlo.real_dynamic_slice %x, %n, %end, %two : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @range(%x: tensor<8xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{op expected the limit minus the start of dimension 0 to be a number or the batch size, found a value that is computed}}
  %0 = stablehlo.real_dynamic_slice %x, %zero, %n, %one : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The op that it becomes is checked.

func.func @size(%x: tensor<?x4xf32>) -> tensor<3xf32> {
  %shape = stablehlo.constant dense<3> : tensor<1xi32>
  // expected-error @+1 {{'stablehlo.reshape' op cannot turn 'tensor<?x4xf32>' into 'tensor<3xf32>': they differ in size}}
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @padding(%x: tensor<4xf32>, %c: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  // expected-error @+1 {{op expected the low padding of dimension 0 to be a number, found a value that is computed}}
  %0 = stablehlo.dynamic_pad %x, %c, %n, %zero, %zero : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @false() {
  %false = stablehlo.constant dense<false> : tensor<i1>
  // expected-error @+1 {{op asserts what does not hold: sizes differ}}
  stablehlo.custom_call @shape_assertion(%false) {error_message = "sizes differ"} : (tensor<i1>) -> ()
  return
}

// -----

func.func @multiple_of_8(%x: tensor<?xf32>) {
  %c8 = stablehlo.constant dense<8> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.remainder %0, %c8 : tensor<i32>
  %2 = stablehlo.compare EQ, %1, %c0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @+1 {{op asserts what may depend on the batch size}}
  stablehlo.custom_call @shape_assertion(%2) : (tensor<i1>) -> ()
  return
}
