// Loops that threads share, and own elements of: more iterations than elements,
// fewer, and one; updates that add up, and of which the last one counts.

func.func @rows(%x: tensor<20x16xf32>, %i: tensor<300x1xi64>, %u: tensor<300x16xf32>) -> tensor<20x16xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<20x16xf32>, tensor<300x1xi64>, tensor<300x16xf32>) -> tensor<20x16xf32>
  return %y : tensor<20x16xf32>
}
func.func @few_rows(%x: tensor<500x48xf32>, %i: tensor<9x1xi64>, %u: tensor<9x48xf32>) -> tensor<500x48xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<500x48xf32>, tensor<9x1xi64>, tensor<9x48xf32>) -> tensor<500x48xf32>
  return %y : tensor<500x48xf32>
}
func.func @last_point(%x: tensor<10x16xf32>, %i: tensor<300x2xi64>, %u: tensor<300xf32>) -> tensor<10x16xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x16xf32>, tensor<300x2xi64>, tensor<300xf32>) -> tensor<10x16xf32>
  return %y : tensor<10x16xf32>
}
func.func @classes(%x: tensor<64x10xf32>, %i: tensor<64x3x1xi64>, %u: tensor<64x3xf32>) -> tensor<64x10xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], inserted_window_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x10xf32>, tensor<64x3x1xi64>, tensor<64x3xf32>) -> tensor<64x10xf32>
  return %y : tensor<64x10xf32>
}
func.func @one_row(%x: tensor<9x300xf32>, %i: tensor<1xi64>, %u: tensor<300xf32>) -> tensor<9x300xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x300xf32>, tensor<1xi64>, tensor<300xf32>) -> tensor<9x300xf32>
  return %y : tensor<9x300xf32>
}
func.func @windows(%x: tensor<9x11xf32>, %i: tensor<100x2xi64>, %u: tensor<100x3x2xf32>) -> tensor<9x11xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x11xf32>, tensor<100x2xi64>, tensor<100x3x2xf32>) -> tensor<9x11xf32>
  return %y : tensor<9x11xf32>
}
func.func @two(%x: tensor<20x16xf32>, %y: tensor<20x16xi32>, %i: tensor<50x1xi64>, %u: tensor<50x16xf32>, %v: tensor<50x16xi32>) -> (tensor<20x16xf32>, tensor<20x16xi32>) attributes {exec.kernel} {
  %z:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s = stablehlo.add %a, %c : tensor<f32>
    %m = stablehlo.maximum %b, %d : tensor<i32>
    stablehlo.return %s, %m : tensor<f32>, tensor<i32>
  }) : (tensor<20x16xf32>, tensor<20x16xi32>, tensor<50x1xi64>, tensor<50x16xf32>, tensor<50x16xi32>) -> (tensor<20x16xf32>, tensor<20x16xi32>)
  return %z#0, %z#1 : tensor<20x16xf32>, tensor<20x16xi32>
}
func.func @pool(%x: tensor<8x6x6x3xf32>, %y: tensor<8x3x3x3xf32>) -> tensor<8x6x6x3xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6x6x3xf32>, tensor<8x3x3x3xf32>, tensor<f32>) -> tensor<8x6x6x3xf32>
  return %z : tensor<8x6x6x3xf32>
}
func.func @pool_by_rows(%x: tensor<?x6x6x3xf32>, %y: tensor<?x3x3x3xf32>) -> tensor<?x6x6x3xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x6x6x3xf32>, tensor<?x3x3x3xf32>, tensor<f32>) -> tensor<?x6x6x3xf32>
  return %z : tensor<?x6x6x3xf32>
}
func.func @overlapping_pool(%x: tensor<8x6x6x3xf32>, %y: tensor<8x5x5x3xf32>) -> tensor<8x6x6x3xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6x6x3xf32>, tensor<8x5x5x3xf32>, tensor<f32>) -> tensor<8x6x6x3xf32>
  return %z : tensor<8x6x6x3xf32>
}
func.func @padded_pool(%x: tensor<8x5x5x3xf32>, %y: tensor<8x3x3x3xf32>) -> tensor<8x5x5x3xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x5x5x3xf32>, tensor<8x3x3x3xf32>, tensor<f32>) -> tensor<8x5x5x3xf32>
  return %z : tensor<8x5x5x3xf32>
}
func.func @sorted_rows(%x: tensor<6x5x40xf32>) -> tensor<6x5x40xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = 2 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }) : (tensor<6x5x40xf32>) -> tensor<6x5x40xf32>
  return %y : tensor<6x5x40xf32>
}
func.func @sorted_columns(%x: tensor<6x5x40xf32>) -> tensor<6x5x40xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }) : (tensor<6x5x40xf32>) -> tensor<6x5x40xf32>
  return %y : tensor<6x5x40xf32>
}
func.func @sorted_line(%x: tensor<100xf32>) -> tensor<100xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }) : (tensor<100xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}
func.func @triangular(%a: tensor<3x2x4x4xf32>, %x: tensor<3x2x4x7xf32>) -> tensor<3x2x4x7xf32> attributes {exec.kernel} {
  %s = "stablehlo.triangular_solve"(%a, %x) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x2x4x4xf32>, tensor<3x2x4x7xf32>) -> tensor<3x2x4x7xf32>
  return %s : tensor<3x2x4x7xf32>
}

// A warp asks for 32 updates together: of one owner and of several, of batches
// of lists of ids, of more updates than it loads ahead, of one that is the last.

func.func @parts_of_rows(%x: tensor<90x80xf32>, %i: tensor<700x1xi64>, %u: tensor<700x80xf32>) -> tensor<90x80xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<90x80xf32>, tensor<700x1xi64>, tensor<700x80xf32>) -> tensor<90x80xf32>
  return %y : tensor<90x80xf32>
}
func.func @rows_across_warps(%x: tensor<90x48xf32>, %i: tensor<700x1xi64>, %u: tensor<700x48xf32>) -> tensor<90x48xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<90x48xf32>, tensor<700x1xi64>, tensor<700x48xf32>) -> tensor<90x48xf32>
  return %y : tensor<90x48xf32>
}
func.func @short_rows(%x: tensor<40x3xf32>, %i: tensor<1030x1xi64>, %u: tensor<1030x3xf32>) -> tensor<40x3xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<40x3xf32>, tensor<1030x1xi64>, tensor<1030x3xf32>) -> tensor<40x3xf32>
  return %y : tensor<40x3xf32>
}
func.func @numbers(%x: tensor<500xf32>, %i: tensor<2000x1xi64>, %u: tensor<2000xf32>) -> tensor<500xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<500xf32>, tensor<2000x1xi64>, tensor<2000xf32>) -> tensor<500xf32>
  return %y : tensor<500xf32>
}
func.func @lists(%x: tensor<60x16xf32>, %i: tensor<40x26x1xi64>, %u: tensor<40x26x16xf32>) -> tensor<60x16xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<60x16xf32>, tensor<40x26x1xi64>, tensor<40x26x16xf32>) -> tensor<60x16xf32>
  return %y : tensor<60x16xf32>
}
func.func @lists_of_lists(%x: tensor<60x2xf32>, %i: tensor<5x7x9x1xi64>, %u: tensor<5x7x9x2xf32>) -> tensor<60x2xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<60x2xf32>, tensor<5x7x9x1xi64>, tensor<5x7x9x2xf32>) -> tensor<60x2xf32>
  return %y : tensor<60x2xf32>
}
