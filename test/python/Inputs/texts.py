# SPDX-License-Identifier: Apache-2.0
"""Text of graphs that several tests use."""

# The rows of a parameter that ids name, as JAX prints them.
GATHER = """\
    %rows = "stablehlo.gather"(%emb, %ids) <{
        dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0],
            index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
        : (tensor<100x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
"""
