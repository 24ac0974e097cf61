"""Graphs whose depth makes a careless compiler slow: `sums N` is a chain of N
additions, `masks N` one of N comparisons, each with two uses of the last."""

import sys

SHAPES = {
    "sums": ("tensor<8xf32>", "stablehlo.add {0}, {0} : tensor<8xf32>"),
    "masks": ("tensor<8xi1>", "stablehlo.compare EQ, {0}, {0} : "
              "(tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>"),
    "scalars": ("tensor<i32>", "stablehlo.add {0}, {0} : tensor<i32>"),
}
KIND, COUNT = sys.argv[1], int(sys.argv[2])
TYPE, OP = SHAPES[KIND]

print("func.func @main() {")
print("  %i = stablehlo.iota dim = 0 : tensor<8xi32>")
print("  %x = stablehlo.convert %i : (tensor<8xi32>) -> tensor<8xf32>")
print("  %zero = stablehlo.constant dense<0> : tensor<i32>")
if KIND == "sums":
    print("  %r0 = stablehlo.subtract %x, %x : tensor<8xf32>")
elif KIND == "masks":
    print("  %r0 = stablehlo.compare EQ, %i, %i : "
          "(tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>")
else:
    print("  %all = stablehlo.reduce(%i init: %zero) applies stablehlo.add "
          "across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> "
          "tensor<i32>")
    print("  %r0 = stablehlo.subtract %all, %all : tensor<i32>")
for i in range(COUNT):
    print(f"  %r{i + 1} = {OP.format(f'%r{i}')}")
expected = {"sums": "0.0", "masks": "true", "scalars": "0"}[KIND]
print(f"  check.expect_eq_const %r{COUNT}, dense<{expected}> : {TYPE}")
print("  return")
print("}")
