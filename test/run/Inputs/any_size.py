# SPDX-License-Identifier: Apache-2.0
"""Graphs of jobs that go on with another number of processes."""

import counter

# Slices on each of six pservers, slots of rows and of numbers, and a schedule.
GRAPH = """
module @reshard {
  ps.variable @w : tensor<6x8xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.variable @v : tensor<8x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.variable @b : tensor<3xf32> init(#ps.constant<0.5>)
  ps.table @emb : tensor<1000000x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.table @new : tensor<1000000x3xf32> init(#ps.constant<0.25>) {admit_count = 3 : i64}
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<6x8xf32>
    %v = ps.read @v : tensor<8x3xf32>
    %b = ps.read @b : tensor<3xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %n = ps.lookup @new[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %s = stablehlo.add %e, %n : tensor<?x2x3xf32>
    %x = stablehlo.reshape %s : (tensor<?x2x3xf32>) -> tensor<?x6xf32>
    %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x6xf32>, tensor<6x8xf32>) -> tensor<?x8xf32>
    %t = stablehlo.tanh %h : tensor<?x8xf32>
    %o = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x3xf32>) -> tensor<?x3xf32>
    %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
    %p = stablehlo.add %o, %c : tensor<?x3xf32>
    %l = stablehlo.broadcast_in_dim %label, dims = [0, 1] : (tensor<?x1xf32>) -> tensor<?x3xf32>
    %error = stablehlo.subtract %p, %l : tensor<?x3xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %label, dim = 0 : (tensor<?x1xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    ps.minimize %loss using(OPTIMIZER) : tensor<f32>
    return %loss : tensor<f32>
  }
}
"""
# Every sample adds the same to the variable and to its rows; a step's mean of 8
# samples is exact, however they are divided.
COUNT = counter.GRAPH.replace("    %loss = stablehlo.negate %sum : tensor<f32>\n", """\
    %batch = stablehlo.get_dimension_size %ids, dim = 0 : (tensor<?x2xi64>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %mean = stablehlo.divide %sum, %count : tensor<f32>
    %loss = stablehlo.negate %mean : tensor<f32>
""")
