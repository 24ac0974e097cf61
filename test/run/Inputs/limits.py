# SPDX-License-Identifier: Apache-2.0
"""Prints a small file that asks much of a compiler.

usage: limits.py KIND N

chain and types: N aliases, each of the one before; double: each of two of the
one before. minus and sum: an affine expression of N operators. calls: N
functions, each of which calls the one before twice.
"""
import sys


def print_aliases(mark, first, define, count):
    print(f"{mark}a0 = {first}")
    for i in range(count):
        print(f"{mark}a{i + 1} = {define(f'{mark}a{i}')}")


def print_calls(count):
    signature = "(%x: tensor<f32>) -> tensor<f32>"
    print(f"func.func private @f0{signature} {{ return %x : tensor<f32> }}")
    for i in range(count):
        print(f"""\
func.func private @f{i + 1}{signature} {{
  %0 = call @f{i}(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @f{i}(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}}""")
    print(f"""\
func.func @main() {{
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = call @f{count}(%0) : (tensor<f32>) -> tensor<f32>
  return
}}""")


def main(kind, count):
    if kind == "calls":
        return print_calls(count)
    if kind == "types":
        print_aliases("!", "tuple<i32>", lambda alias: f"tuple<{alias}>", count)
        return print(f"func.func private @f(!a{count})")
    if kind in ("chain", "double"):
        define = {"chain": lambda alias: f"[{alias}]",
                  "double": lambda alias: f"[{alias},\t{alias}]"}[kind]
        print_aliases("#", "[0]", define, count)
        value = f"#a{count}"
    else:
        text = {"minus": "-" * count + "d0",
                "sum": "d0 floordiv 2 + " * (count // 2) + "d0"}[kind]
        value = f"affine_map<(d0) -> ({text})>"
    print(f"module attributes {{mhlo.a = {value}}} {{}}")


main(sys.argv[1], int(sys.argv[2]))
