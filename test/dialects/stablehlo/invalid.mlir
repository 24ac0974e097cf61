// RUN: ps-opt %s --split-input-file --verify-diagnostics

// Ops outside the set, in pretty and in generic form.

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{stablehlo.xyz is not supported}}
  %0 = stablehlo.xyz %a : tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{stablehlo.xyz is not supported}}
  %0 = "stablehlo.xyz"(%a) <{numbers = #stablehlo.gather<offset_dims = [0]>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// The op is named, not what is in it.

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{stablehlo.pairwise is not supported}}
  %0 = "stablehlo.pairwise"(%a, %a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @test() {
  // expected-error @+1 {{stablehlo.create_token is not supported}}
  %0 = "stablehlo.create_token"() : () -> !stablehlo.token
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{chlo.bessel_i1e is not supported}}
  %0 = chlo.bessel_i1e %a : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{sdy.reshard is not supported}}
  %0 = sdy.reshard %a <@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

// Several devices.

// expected-error @+1 {{sdy.mesh has 2 devices, expected 1: this compiler distributes a graph over trainers and pservers itself; export the graph for one device}}
sdy.mesh @mesh = <["x"=1, "y"=2]>

// -----

// expected-error @+1 {{sdy.mesh has 8 devices}}
sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[0, 1, 2, 3, 4, 5, 6, 7]>

// -----

// expected-error @+1 {{expected positive axis sizes and fewer than 2^63 devices}}
sdy.mesh @mesh = <["x"=0]>

// -----

// expected-error @+1 {{expected positive axis sizes and fewer than 2^63 devices}}
sdy.mesh @mesh = <["x"=4611686018427387904, "y"=2]>

// -----

// expected-error @+1 {{expected string}}
sdy.mesh @mesh = <[x=1]>

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{'sdy.sharding_constraint' op expected @mesh to be an sdy.mesh of this module}}
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op expected the shape of 'tensor<4xf32>' and one more dimension, of size 2, found 'tensor<4xi16>'}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi16>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op expected the shape of 'tensor<5xi32>', found 'tensor<4xf32>'}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<5xi32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op expected results of types 'tensor<4xf32>', found 'tensor<4xi32>'}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.square' op expected a result of type 'tensor<4xf32>', found 'tensor<3xf32>'}}
  %0 = chlo.square %a : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

// Element types.

func.func @test(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of 1-bit signless integer or 8, 16, 32 or 64 bit integer or bf16, f16, f32 or f64 values}}
  %0 = stablehlo.add %a, %a : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @test(%a: tensor<4xi1>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of 8, 16, 32 or 64 bit integer or bf16, f16, f32 or f64 values}}
  %0 = stablehlo.subtract %a, %a : tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xi32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = stablehlo.tanh %a : tensor<4xi32>
  return
}

// -----

func.func @test(%a: tensor<4xui32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of 8/16/32/64-bit signless integer or bf16, f16, f32 or f64 values}}
  %0 = stablehlo.abs %a : tensor<4xui32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of 1-bit signless integer or 8, 16, 32 or 64 bit integer values}}
  %0 = stablehlo.and %a, %a : tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<*xf32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor}}
  %0 = stablehlo.tanh %a : tensor<*xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{op requires the same element type for all operands and results}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

// Shapes of elementwise ops.

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{op operands differ in shape: 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<4xf32>', found 'tensor<5xf32>'}}
  %0 = stablehlo.tanh %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected 2 operand types and one result type, found '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = stablehlo.add %a, %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// compare

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op compares 'f32' as FLOAT, not SIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xi32>) {
  // expected-error @+1 {{op compares 'i32' as SIGNED, not TOTALORDER}}
  %0 = stablehlo.compare EQ, %a, %a, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xi1>) {
  // expected-error @+1 {{op compares 'i1' as UNSIGNED, not SIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{op operands differ in shape: 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{op requires the same element type for all operands}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected EQ, NE, GE, GT, LE or LT, found XX}}
  %0 = stablehlo.compare XX, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected FLOAT, TOTALORDER, SIGNED, UNSIGNED or NOTYPE, found REAL}}
  %0 = stablehlo.compare LT, %a, %a, REAL : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

// select

func.func @test(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{op chooses between 'tensor<4xf32>' and 'tensor<4xi32>'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%p: tensor<3xi1>, %a: tensor<4xf32>) {
  // expected-error @+1 {{op condition 'tensor<3xi1>' is neither a scalar nor in the shape of 'tensor<4xf32>'}}
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<4xf32>
  return
}

// -----

func.func @test(%p: tensor<4xi1>, %a: tensor<4xf32>) {
  // expected-error @+1 {{expected the types of the condition and of the values}}
  %0 = stablehlo.select %p, %a, %a : tensor<4xf32>
  return
}

// -----

// clamp

func.func @test(%s: tensor<3xf32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{op bounds 'tensor<3xf32>' and 'tensor<4xf32>' are neither scalars nor in the shape of 'tensor<4xf32>'}}
  %0 = stablehlo.clamp %s, %a, %a : (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// convert

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op requires the same shape for all operands and results}}
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<5xf64>
  return
}

// -----

// constant

func.func @test() {
  // expected-error @+1 {{op failed to verify that all of {value, output} have same type}}
  %0 = "stablehlo.constant"() {value = dense<1> : tensor<4xi32>} : () -> tensor<5xi32>
  return
}

// -----

// iota

func.func @test() {
  // expected-error @+1 {{op iota dimension 1 is not one of a tensor of rank 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @test() {
  // expected-error @+1 {{op iota dimension 0 is not one of a tensor of rank 0}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @test() {
  // expected-error @+1 {{op result #0 must be ranked tensor of 8, 16, 32 or 64 bit integer or bf16, f16, f32 or f64 values}}
  %0 = stablehlo.iota dim = 0 : tensor<4xi1>
  return
}

// -----

// broadcast_in_dim

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected one broadcast dimension per dimension of 'tensor<4xf32>', found 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op broadcast dimension 2 is not one of a tensor of rank 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op broadcast dimension -1 is not one of a tensor of rank 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [-1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{op broadcast dimension 1 is given twice}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op cannot broadcast dimension 0 of 'tensor<4xf32>' to dimension 1 of 'tensor<4x5xf32>'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

// reshape

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op cannot turn 'tensor<4xf32>' into 'tensor<2x3xf32>': they differ in size}}
  %0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x4xf32>) {
  // expected-error @+1 {{op cannot turn 'tensor<?x4xf32>' into 'tensor<?x3xf32>': they differ in size}}
  %0 = stablehlo.reshape %a : (tensor<?x4xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x4xf32>) {
  // expected-error @+1 {{op cannot turn 'tensor<?x4xf32>' into 'tensor<6xf32>': they differ in size}}
  %0 = stablehlo.reshape %a : (tensor<?x4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @test(%a: tensor<6xf32>) {
  // expected-error @+1 {{op cannot turn 'tensor<6xf32>' into 'tensor<?x4xf32>': they differ in size}}
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @test(%a: tensor<0xf32>) {
  // expected-error @+1 {{op cannot turn 'tensor<0xf32>' into 'tensor<1xf32>': they differ in size}}
  %0 = stablehlo.reshape %a : (tensor<0xf32>) -> tensor<1xf32>
  return
}

// -----

// transpose

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op permutes 1 dimensions of 'tensor<2x3xf32>'}}
  %0 = stablehlo.transpose %a, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op permuted dimension 0 is given twice}}
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op permuted dimension 2 is not one of a tensor of rank 2}}
  %0 = stablehlo.transpose %a, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<3x2xf32>', found 'tensor<2x3xf32>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// reverse

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op reversed dimension 1 is given twice}}
  %0 = stablehlo.reverse %a, dims = [1, 1] : tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op reversed dimension 2 is not one of a tensor of rank 2}}
  %0 = stablehlo.reverse %a, dims = [2] : tensor<2x3xf32>
  return
}

// -----

// slice

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected one range per dimension of 'tensor<2x3xf32>', found 1 starts, 1 limits and 1 strides}}
  %0 = stablehlo.slice %a [0:1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op stride 0 of dimension 1 is not positive}}
  %0 = stablehlo.slice %a [0:1, 0:1:0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op range 0:4 of dimension 1 does not lie within 'tensor<2x3xf32>'}}
  %0 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op range -1:1 of dimension 1 does not lie within 'tensor<2x3xf32>'}}
  %0 = stablehlo.slice %a [0:1, -1:1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op range 2:1 of dimension 1 does not lie within 'tensor<2x3xf32>'}}
  %0 = stablehlo.slice %a [0:1, 2:1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x3xf32>) {
  // expected-error @+1 {{op takes a part of the batch dimension 0 of 'tensor<?x3xf32>' up to its unknown end}}
  %0 = stablehlo.slice %a [1:?, 0:3] : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<1x2xf32>', found 'tensor<1x3xf32>'}}
  %0 = stablehlo.slice %a [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// dynamic_slice

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op expected one start and one size per dimension of 'tensor<2x3xf32>', found 1 and 2}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{op start indices differ in type}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op size 4 of dimension 1 does not fit into 'tensor<2x3xf32>'}}
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op size -1 of dimension 0 does not fit into 'tensor<2x3xf32>'}}
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [-1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{op operand #1 must be variadic of 0D tensor of 8, 16, 32 or 64 bit integer values}}
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x1xf32>
  return
}

// -----

// pad

func.func @test(%a: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op expected one padding per dimension of 'tensor<2x3xf32>', found 1 low, 2 high and 2 interior}}
  %0 = stablehlo.pad %a, %s, low = [0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op interior padding -1 of dimension 1 is negative}}
  %0 = stablehlo.pad %a, %s, low = [0, 0], high = [0, 0], interior = [0, -1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op padding removes 3 elements from dimension 0 of 'tensor<2x3xf32>'}}
  %0 = stablehlo.pad %a, %s, low = [-2, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x3xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op pads the batch dimension 0 of 'tensor<?x3xf32>'}}
  %0 = stablehlo.pad %a, %s, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<3x3xf32>', found 'tensor<2x3xf32>'}}
  %0 = stablehlo.pad %a, %s, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

// concatenate

func.func @test() {
  // expected-error @+1 {{op expected 1 or more operands}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<0xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op joined dimension 2 is not one of a tensor of rank 2}}
  %0 = stablehlo.concatenate %a, %a, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{op cannot join 'tensor<4x4xf32>' to 'tensor<2x3xf32>' along dimension 0}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{op cannot join 'tensor<3xf32>' to 'tensor<2x3xf32>' along dimension 1}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) {
  // expected-error @+1 {{op joins along the batch dimension 0 of 'tensor<?x3xf32>'}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

// get_dimension_size

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op measured dimension 2 is not one of a tensor of rank 2}}
  %0 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

func.func @test(%a: tensor<2147483648xf32>) {
  // expected-error @+1 {{op size 2147483648 of dimension 0 does not fit i32}}
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2147483648xf32>) -> tensor<i32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op result #0 must be ranked tensor of 32-bit signless integer values}}
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xf32>) -> tensor<i64>
  return
}

// -----

// reduce

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op reduced dimension 1 is not one of a tensor of rank 1}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op reduced dimension 0 is given twice}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0, 0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<f32>', found 'tensor<4xf32>'}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a commutative stablehlo op, found 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'applies' takes one input, found 2}}
  %0:2 = stablehlo.reduce(%a init: %s), (%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<i32>) {
  // expected-error @+1 {{op starts a reduction of 'tensor<4xf32>' from 'tensor<i32>'}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @test() {
  // expected-error @+1 {{op expected at least one input}}
  "stablehlo.reduce"() ({
    stablehlo.return
  }) {dimensions = array<i64>} : () -> ()
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', 'tensor<f32>', found 'tensor<f32>', 'tensor<f64>'}}
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f64>) {
    stablehlo.return %x : tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<f32>', found 'tensor<i1>'}}
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.is_finite %x : (tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{op inputs differ in shape: 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0:2 = stablehlo.reduce(%a init: %s), (%b init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    stablehlo.return %x, %z : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // expected-error @+1 {{using value defined outside the region}}
    %1 = stablehlo.add %x, %s : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.custom_call' op is not supported in the body of a reduce}}
    stablehlo.custom_call @check.expect_eq(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
    stablehlo.return %x : tensor<f32>
  }
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'ps.read' op is not supported in the body of a reduce}}
    %1 = ps.read @w : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.dot_general' op is not supported in the body of a reduce}}
    %1 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.reduce' op is not supported in the body of a reduce}}
    %1 = stablehlo.reduce(%y init: %x) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %s: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.broadcast_in_dim' op is not supported in the body of a reduce}}
    %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4xf32>
    stablehlo.return %x : tensor<f32>
  }
  return
}

// -----

// dot_general

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op of 'f32' cannot have a result of 'i1'}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<i1>
  return
}

// -----

func.func @test(%a: tensor<4xi8>) {
  // expected-error @+1 {{op of 'i8' cannot have a result of 'ui32'}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<ui32>
  return
}

// -----

func.func @test(%a: tensor<3x4xf32>, %b: tensor<4x5xf64>) {
  // expected-error @+1 {{op multiplies 'f32' with 'f64'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op lists of paired dimensions differ in length}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op lists of paired dimensions differ in length}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [1, 0] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op lhs dimension 3 is not one of a tensor of rank 3}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op rhs dimension 0 is given twice}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op batching dimensions 1 of 'tensor<2x3x4xf32>' and 0 of 'tensor<2x4x5xf32>' differ in size}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op contracting dimensions 2 of 'tensor<2x3x4xf32>' and 2 of 'tensor<2x4x5xf32>' differ in size}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op expected a result in the shape of 'tensor<2x3x5xf32>', found 'tensor<3x5xf32>'}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op expected a precision for each operand, found 1}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{expected DEFAULT, HIGH or HIGHEST, found LOW}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [LOW, LOW] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op algorithm has a count that is not positive}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error @+1 {{op has both an algorithm and a precision}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGH], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// return

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op ends a region of a stablehlo op, not of func.func}}
  stablehlo.return %a : tensor<4xf32>
}

// -----

// custom_call

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op to '@foo' is not supported}}
  stablehlo.custom_call @foo(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{op to '@check.expect_eq' takes two tensors of one type and returns nothing}}
  stablehlo.custom_call @check.expect_eq(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{op to '@check.expect_eq' takes two tensors of one type and returns nothing}}
  stablehlo.custom_call @check.expect_eq(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op to '@check.expect_eq' takes two tensors of one type and returns nothing}}
  %0 = stablehlo.custom_call @check.expect_eq(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<i1>
  return
}

// -----

func.func @test(%a: tensor<4xi32>) {
  // expected-error @+1 {{op to '@check.expect_close' compares floats, found 'tensor<4xi32>'}}
  stablehlo.custom_call @check.expect_close(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> ()
  return
}

// -----

// check

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{op failed to verify that all of {actual, expected} have same type}}
  check.expect_close %a, %b, max_ulp_difference = 1 : tensor<4xf32>, tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op failed to verify that all of {lhs, value} have same type}}
  "check.expect_eq_const"(%a) {value = dense<1> : tensor<4xi32>} : (tensor<4xf32>) -> ()
  return
}

// -----

// Attributes

// expected-error @+1 {{'lhs_contracting_dimensions' is given twice}}
func.func private @test() attributes {a.a = #stablehlo.dot<lhs_contracting_dimensions = [1], lhs_contracting_dimensions = [1]>}

// -----

// expected-error @+1 {{unknown entry 'lhs' of a dot}}
func.func private @test() attributes {a.a = #stablehlo.dot<lhs = [1]>}

// -----

// expected-error @+1 {{unknown entry 'tolerance' of a result accuracy}}
func.func private @test() attributes {a.a = #stablehlo.result_accuracy<tolerance = 1.0>}

// -----

func.func @pad_overflow(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<1xf32> {
  // expected-error @+1 {{padding of dimension 0 of 'tensor<3xf32>' makes it larger than 63 bits}}
  %0 = stablehlo.pad %x, %z, low = [0], high = [0], interior = [9223372036854775807] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @concatenate_overflow(%x: tensor<9223372036854775807xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{dimension 0 of the result is larger than 63 bits}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<9223372036854775807xf32>, tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @reshape_overflow(%x: tensor<9223372036854775807x9223372036854775807xf32>) {
  // expected-error @+1 {{expected a tensor that memory can hold, found 'tensor<9223372036854775807x9223372036854775807xf32>'}}
  %0 = stablehlo.reshape %x : (tensor<9223372036854775807x9223372036854775807xf32>) -> tensor<1xf32>
  return
}

// -----

// gather

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{unknown entry 'offset' of a gather}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset = [1]>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'offset_dims' is given twice}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], offset_dims = [1]>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<4x3xf32>', found 'tensor<4x2xf32>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<4x3xf32>', found 'tensor<4x3xf64>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf64>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xf32>) {
  // expected-error @+1 {{op operand #1 must be ranked tensor of 8, 16, 32 or 64 bit integer values}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op expected 1 offset_dims dimensions for operand 'tensor<5x3xf32>', found 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op offset_dims dimension 2 is not one of a tensor of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op offset_dims dimension 1 is given twice}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x1x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op offset_dims dimensions are not in ascending order}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x1x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op collapsed_slice_dims dimension -1 is not one of a tensor of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [-1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op collapsed_slice_dims dimensions are not in ascending order}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op collapsed_slice_dims dimension 0 is one of operand_batching_dims too}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], offset_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{op start_index_map dimension 0 is one of operand_batching_dims too}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{op operand_batching_dims dimension 2 is not one of a tensor of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<3x5x0xi32>) {
  // expected-error @+1 {{op operand_batching_dims dimensions are not in ascending order}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<3x5x0xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{op start_indices_batching_dims dimension 2 is not one of a tensor of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{op pairs 1 operand_batching_dims dimensions with 0 start_indices_batching_dims dimensions}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op batching dimensions 0 of 'tensor<5x3xf32>' and 0 of 'tensor<4x1xi32>' differ in size}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{op index_vector_dim 1 is one of start_indices_batching_dims too}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op index_vector_dim 3 is neither a dimension of start indices 'tensor<4x1xi32>' nor its rank}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op index_vector_dim -1 is neither a dimension of start indices 'tensor<4x1xi32>' nor its rank}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = -1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<?x1xi32>) {
  // expected-error @+1 {{op index_vector_dim 0 is the batch dimension of 'tensor<?x1xi32>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<?x1xi32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op start_index_map dimension 2 is not one of a tensor of rank 2}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{op start_index_map dimension 0 is given twice}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{op expected a start_index_map dimension for each of 2 components of an index vector, found 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op expected one slice size per dimension of 'tensor<5x3xf32>', found 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op slice size 4 of dimension 1 does not fit into 'tensor<5x3xf32>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op slice size -1 of dimension 1 does not fit into 'tensor<5x3xf32>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -1>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op slice size of dimension 0, which the result has not, is not 0 or 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op slice size of dimension 0, which the result has not, is not 0 or 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: -9223372036854775808, 3>}> : (tensor<?x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @test(%a: tensor<?x3xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{op takes the whole of dimension 0 of 'tensor<?x3xf32>' from an index on}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: -9223372036854775808, 3>}> : (tensor<?x3xf32>, tensor<4x1xi32>) -> tensor<4x?x3xf32>
  return
}

// -----

// scatter

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{unknown entry 'offset_dims' of a scatter}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<offset_dims = [1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected inputs, indices and as many updates as inputs, found 1 operands}}
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x1xi32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected inputs, indices and as many updates as inputs, found 4 operands}}
  "stablehlo.scatter"(%a, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %b: tensor<6x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op inputs differ in shape: 'tensor<5x3xf32>' and 'tensor<6x3xf32>'}}
  "stablehlo.scatter"(%a, %b, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %x1: tensor<f32>, %y: tensor<f32>, %y1: tensor<f32>):
    stablehlo.return %y, %y1 : tensor<f32>, tensor<f32>
  }) : (tensor<5x3xf32>, tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<5x3xf32>, tensor<6x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{op updates differ in shape: 'tensor<4x3xf32>' and 'tensor<6x3xf32>'}}
  "stablehlo.scatter"(%a, %a, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %x1: tensor<f32>, %y: tensor<f32>, %y1: tensor<f32>):
    stablehlo.return %y, %y1 : tensor<f32>, tensor<f32>
  }) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>, tensor<6x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf64>) {
  // expected-error @+1 {{op updates 'tensor<5x3xf32>' with 'tensor<4x3xf64>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf64>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected 1 update_window_dims dimensions for input 'tensor<5x3xf32>', found 0}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op update_window_dims dimension 2 is not one of a tensor of rank 2}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op inserted_window_dims dimension 2 is not one of a tensor of rank 2}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op scatter_dims_to_operand_dims dimension 2 is not one of a tensor of rank 2}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x2xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected a scatter_dims_to_operand_dims dimension for each of 2 components of an index vector, found 1}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op index_vector_dim 3 is neither a dimension of scatter indices 'tensor<4x1xi32>' nor its rank}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) {
  // expected-error @+1 {{op pairs 1 input_batching_dims dimensions with 0 scatter_indices_batching_dims dimensions}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) {
  // expected-error @+1 {{op expected updates of rank 2, found 'tensor<4xf32>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<6x3xf32>) {
  // expected-error @+1 {{op expected updates in the shape of 'tensor<4x3xf32>', found 'tensor<6x3xf32>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<6x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x4xf32>) {
  // expected-error @+1 {{op window of updates 'tensor<4x4xf32>' does not fit into dimension 1 of 'tensor<5x3xf32>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<5x3xf32>', found 'tensor<5x4xf32>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x4xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', 'tensor<f32>', found 'tensor<f32>'}}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<f32>', found }}
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

func.func @test(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>) {
  "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // expected-error @+1 {{'stablehlo.dot_general' op is not supported in the body of a scatter}}
    %1 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>)
  return
}

// -----

// dynamic_update_slice

func.func @test(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op updates 'tensor<2x3xf32>' with 'tensor<3xf32>'}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<2x3xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op expected one start per dimension of 'tensor<2x3xf32>', found 1}}
  %0 = stablehlo.dynamic_update_slice %a, %a, %i : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{op start indices differ in type}}
  %0 = stablehlo.dynamic_update_slice %a, %a, %i, %j : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{op update 'tensor<2x4xf32>' does not fit into 'tensor<2x3xf32>'}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

// while

func.func @test(%a: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{op expected results of types 'tensor<f32>', found 'tensor<f64>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @test(%a: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{op expected regions with arguments 'tensor<f32>', found}}
  %0 = "stablehlo.while"(%a) ({
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @test(%a: tensor<f32>) {
  // expected-error @+1 {{op expected a condition that returns 'tensor<i1>', found 'tensor<f32>'}}
  %0 = stablehlo.while(%x = %a) : tensor<f32> cond {
    stablehlo.return %x : tensor<f32>
  } do {
    stablehlo.return %x : tensor<f32>
  }
  return
}

// -----

func.func @test(%a: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<f32>', found}}
  %0 = stablehlo.while(%x = %a) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// -----

// case, if

func.func @test(%i: tensor<i32>) {
  // expected-error @+1 {{op expected at least one branch}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @test(%i: tensor<i32>) {
  // expected-error @+1 {{op expected branches without arguments, found 1}}
  "stablehlo.case"(%i) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @test(%a: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{op expected a branch that returns 'tensor<f32>', found}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

// sort

func.func @test() {
  // expected-error @+1 {{op expected at least one input}}
  "stablehlo.sort"() ({
    %0 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : () -> ()
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{op inputs differ in shape: 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op sorted dimension -2 is not one of a tensor of rank 1}}
  %0 = "stablehlo.sort"(%a) <{dimension = -2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', 'tensor<f32>', found 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<i1>', found 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // expected-error @+1 {{op is not supported in the body of a sort}}
    %1 = "stablehlo.reduce"(%x, %y) <{dimensions = array<i64>}> ({
    ^bb0(%z: tensor<f32>, %w: tensor<f32>):
      stablehlo.return %z : tensor<f32>
    }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare LT, %1, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // expected-error @+1 {{op uses a value from outside of the comparator that is not a constant}}
    %1 = stablehlo.compare LT, %x, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// batch_norm_training, batch_norm_inference, batch_norm_grad

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{op expected a feature_index from 0 to 1, found 2}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %b) <{epsilon = 0.1 : f32, feature_index = 2 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{op expected one number per index of dimension 0 of 'tensor<2x4xf32>', found 'tensor<4xf32>'}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %b, %b, %b) <{epsilon = 0.1 : f32, feature_index = 0 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{op expected a feature_index from 0 to 1, found -1}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %b, %b, %a) <{epsilon = 0.1 : f32, feature_index = -1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{op requires the same element type for all operands and results}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %b) <{epsilon = 0.1 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf64>) -> (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf64>)
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{op failed to verify that all of {scale, offset, batch_mean, batch_var} have same type}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %b) <{epsilon = 0.1 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<2xf32>)
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{op failed to verify that all of {operand, result} have same type}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %b, %b, %b) <{epsilon = 0.1 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

// map

func.func @test() {
  // expected-error @+1 {{op expected at least one input}}
  %0 = "stablehlo.map"() <{dimensions = array<i64: 0>}> ({
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : () -> tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected inputs of the shape of 'tensor<5xf32>', found 'tensor<4xf32>'}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @test(%a: tensor<4x2xf32>) {
  // expected-error @+1 {{op expected all 2 dimensions in order, found [0]}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', found 'tensor<f64>'}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f64>):
    stablehlo.return %x : tensor<f64>
  }) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<i1>', found 'tensor<f32>'}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    // expected-error @+1 {{op is not supported in the body of a map}}
    %1 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2xf32>
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// rng_bit_generator

func.func @test(%a: tensor<2xui64>) {
  // expected-error @+1 {{op expected an output state of type 'tensor<2xui64>', found 'tensor<3xui64>'}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @test(%a: tensor<3xui64>) {
  // expected-error @+1 {{op expected a state of 2 numbers for THREE_FRY, found 'tensor<3xui64>'}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @test(%a: tensor<1xui64>) {
  // expected-error @+1 {{op expected a state of 2 or 3 numbers for DEFAULT, found 'tensor<1xui64>'}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<1xui64>) -> (tensor<1xui64>, tensor<4xui32>)
  return
}

// -----

func.func @test(%a: tensor<2xui64>) {
  // expected-error @+1 {{op expected an output whose sizes are numbers, found 'tensor<?xui32>'}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @test(%a: tensor<2xui64>) {
  // expected-error @+1 {{op result #1 must be ranked tensor of 8, 16, 32 or 64 bit integer values}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xf32>)
  return
}

// -----

func.func @test(%a: tensor<2xui64>) {
  // expected-error @+1 {{expected DEFAULT, THREE_FRY or PHILOX, found SQUARES}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = SQUARES : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

// cholesky, triangular_solve

func.func @test(%a: tensor<3x2xf32>) {
  // expected-error @+1 {{op expected square matrices in the last two dimensions, found 'tensor<3x2xf32>'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x2xf32>
  return
}

// -----

func.func @test(%a: tensor<3xf32>) {
  // expected-error @+1 {{op expected square matrices in the last two dimensions, found 'tensor<3xf32>'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3xf32>
  return
}

// -----

// A batch of samples is no matrix.

func.func @test(%a: tensor<?x?xf32>) {
  // expected-error @+1 {{op expected square matrices in the last two dimensions, found 'tensor<?x?xf32>'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x?xf32>
  return
}

// -----

func.func @test(%a: tensor<3x3xi32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xi32>
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<3x3xf32>', found 'tensor<2x2xf32>'}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{op expected square matrices in the last two dimensions, found 'tensor<2x3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected as many matrices in both operands, and 3 rows in the second one, found 'tensor<3x3xf32>' and 'tensor<2x3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x3xf32>, %b: tensor<4x3x3xf32>) {
  // expected-error @+1 {{op expected as many matrices in both operands, and 3 columns in the second one, found 'tensor<2x3x3xf32>' and 'tensor<4x3x3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) {
  // expected-error @+1 {{op expected NO_TRANSPOSE, TRANSPOSE or ADJOINT, found TRANSPOSE_INVALID}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

// LAPACK

func.func @test(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{op to '@lapack_spotrf_ffi' expected one of the letters LU as 'uplo' in mhlo.backend_config}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{op to '@lapack_strsm_ffi' expected one of the letters NTC as 'trans_x' in mhlo.backend_config}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %a) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 65 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{op to '@lapack_strsm_ffi' takes two tensors of floats and returns one like the second}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @test(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected as many matrices in both operands, and 3 rows in the second one, found 'tensor<3x3xf32>' and 'tensor<2x3xf32>'}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @test(%a: tensor<2x3x3xf32>) {
  // expected-error @+1 {{op to '@lapack_spotrf_ffi' takes a tensor of floats and returns one like it and a tensor of i32 with a number for each matrix}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<i32>)
  return
}

// -----

func.func @test(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{op expected square matrices in the last two dimensions, found 'tensor<2x3xf32>'}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<i32>)
  return
}

// -----

// top_k

func.func @test(%a: tensor<2x4xf32>) {
  // expected-error @+1 {{op takes 5 elements of the last dimension of 'tensor<2x4xf32>'}}
  %0:2 = chlo.top_k(%a, k = 5) : tensor<2x4xf32> -> (tensor<2x5xf32>, tensor<2x5xi32>)
  return
}

// -----

func.func @test(%a: tensor<2x4xf32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<2x2xf32>', 'tensor<2x2xi32>', found}}
  %0:2 = chlo.top_k(%a, k = 2) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x2xi32>)
  return
}

// -----

// Ops whose shapes are operands

func.func @test(%a: tensor<f32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{op expected a result of 'f32', found 'tensor<?x4xf64>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf64>
  return
}

// -----

func.func @test(%a: tensor<f32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{op expected one number per dimension of 'tensor<?x4xf32>', found 'tensor<3xi32>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @test(%s: tensor<3xi32>) {
  // expected-error @+1 {{op expected one number per dimension of 'tensor<?x4xi32>', found 'tensor<3xi32>'}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<3xi32>) -> tensor<?x4xi32>
  return
}

// -----

func.func @test(%a: tensor<?x4xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{op expected a result of 'f32', found 'tensor<?x2x2xf64>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x2x2xf64>
  return
}

// -----

func.func @test(%a: tensor<?x4xf32>, %s: tensor<2xi32>, %t: tensor<1xi32>) {
  // expected-error @+1 {{op expected one number per dimension of 'tensor<?x4xf32>', found 'tensor<1xi32>'}}
  %0 = stablehlo.real_dynamic_slice %a, %s, %t, %s : (tensor<?x4xf32>, tensor<2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @test(%a: tensor<?x4xf32>, %c: tensor<f32>, %s: tensor<2xi32>, %t: tensor<1xi32>) {
  // expected-error @+1 {{op expected one number per dimension of 'tensor<?x4xf32>', found 'tensor<1xi32>'}}
  %0 = stablehlo.dynamic_pad %a, %c, %s, %s, %t : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @test(%a: tensor<10x4xf32>, %i: tensor<?x1xi32>, %s: tensor<1xi32>) {
  // expected-error @+1 {{op expected one number per dimension of 'tensor<10x4xf32>', found 'tensor<1xi32>'}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x4xf32>, tensor<?x1xi32>, tensor<1xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @test(%n: tensor<i32>) {
  // expected-error @+1 {{op to '@shape_assertion' takes a tensor<i1> and what its message names}}
  stablehlo.custom_call @shape_assertion(%n) : (tensor<i32>) -> ()
  return
}

// -----

// reduce_precision

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a format such as e5m10, found e5x10}}
  %0 = stablehlo.reduce_precision %a, format = e5x10 : tensor<4xf32>
  return
}

// -----

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = stablehlo.reduce_precision %a, format = e0m10 : tensor<4xf32>
  return
}

// -----

// composite

func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op refers to unknown function '@missing'}}
  %0 = stablehlo.composite "x.y" %a {decomposition = @missing} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @impl(tensor<5xf32>) -> tensor<4xf32>
func.func @test(%a: tensor<4xf32>) {
  // expected-error @+1 {{op calls '@impl', which takes 'tensor<5xf32>' and returns 'tensor<4xf32>'}}
  %0 = stablehlo.composite "x.y" %a {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
