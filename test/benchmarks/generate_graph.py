# SPDX-License-Identifier: Apache-2.0
"""Prints a training graph of many variables: dense layers.

usage: generate_graph.py VARIABLES [WIDTH] [--shape=deep|wide]

Each layer has a WIDTH x WIDTH matrix and a bias (two variables) and a tanh. In
a deep graph each layer's input is the output of the layer before, in a wide one
all layers have the same input and their outputs are added. The loss is the mean
of the squares of what results. With WIDTH = 128 (the default) a matrix is cut
into two blocks.
"""

import argparse


def print_layer(i, shape, width):
    matrix, row = f"tensor<{width}x{width}xf32>", f"tensor<{width}xf32>"
    batch = f"tensor<?x{width}xf32>"
    source, result = ("%h0", f"%t{i}") if shape == "wide" else (f"%h{i}", f"%h{i + 1}")
    print(f"""\
    %w{i} = ps.read @layer{i:05}_w : {matrix}
    %b{i} = ps.read @layer{i:05}_b : {row}
    %p{i} = stablehlo.dot_general {source}, %w{i}, contracting_dims = [1] x [0]
        : ({batch}, {matrix}) -> {batch}
    %r{i} = stablehlo.broadcast_in_dim %b{i}, dims = [1] : ({row}) -> {batch}
    %s{i} = stablehlo.add %p{i}, %r{i} : {batch}
    {result} = stablehlo.tanh %s{i} : {batch}""")
    if shape == "wide":
        print(f"    %h{i + 1} = stablehlo.add %h{i}, %t{i} : {batch}")


def print_graph(variables, width, shape):
    layers = variables // 2
    matrix, row = f"tensor<{width}x{width}xf32>", f"tensor<{width}xf32>"
    batch = f"tensor<?x{width}xf32>"
    print("module @generated {")
    for i in range(layers):
        print(f"  ps.variable @layer{i:05}_w : {matrix} init(#ps.xavier_uniform)")
        print(f"  ps.variable @layer{i:05}_b : {row} init(#ps.constant<0.0>)")
    print(f'  func.func @train(%h0: {batch} {{ps.feed = "x"}})'
          ' -> (tensor<f32> {ps.fetch = "loss"}) {')
    for i in range(layers):
        print_layer(i, shape, width)
    print(f"""\
    %square = stablehlo.multiply %h{layers}, %h{layers} : {batch}
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%square init: %zero)
        applies stablehlo.add across dimensions = [0, 1]
        : ({batch}, tensor<f32>) -> tensor<f32>
    %rows = stablehlo.get_dimension_size %h0, dim = 0
        : ({batch}) -> tensor<i32>
    %count = stablehlo.convert %rows : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %count : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }}
}}""")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variables", type=int)
    parser.add_argument("width", type=int, nargs="?", default=128)
    parser.add_argument("--shape", choices=("deep", "wide"), default="deep")
    options = parser.parse_args()
    print_graph(options.variables, options.width, options.shape)
