// SPDX-License-Identifier: Apache-2.0
//===- CheckOps.td - assertions of test programs --------------------------===//

#ifndef STABLEHLO_CHECK_OPS_TD
#define STABLEHLO_CHECK_OPS_TD

include "dialects/stablehlo/StablehloBase.td"
include "mlir/IR/BuiltinAttributes.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::stablehlo::check";
  let summary = "assertions about the values of a program";
  let description = [{
    The assertions of StableHLO's own test programs, in the same syntax. Each op
    compares an actual with an expected value and ends the program with an error
    at the first element that differs. `ps-run --entry` executes them; no pass
    creates them.
  }];
  let usePropertiesForAttributes = 1;
}

class Check_Op<string mnemonic, list<Trait> traits = []>
    : Op<Check_Dialect, mnemonic, !listconcat(traits, [
        MemoryEffects<[MemRead, MemWrite]>])>;

def Check_ExpectEqOp : Check_Op<"expect_eq", [SameTypeOperands]> {
  let summary = "expects two tensors to be equal";
  let description = [{
    Floats must be equal in every bit, but every NaN equals every NaN.

    ```mlir
    check.expect_eq %0, %1 : tensor<2xi32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Check_ExpectEqConstOp : Check_Op<"expect_eq_const",
    [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "expects a tensor to equal a constant";
  let description = [{
    Compares like `expect_eq`.

    ```mlir
    check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

def Check_ExpectAlmostEqOp : Check_Op<"expect_almost_eq", [SameTypeOperands]> {
  let summary = "expects two tensors to be nearly equal";
  let description = [{
    Two finite values may differ by `tolerance` times the larger magnitude, or
    by `tolerance` if both are below one; other values must be equal, and every
    NaN equals every NaN.

    ```mlir
    check.expect_almost_eq %0, %1, tolerance = 0.001 : tensor<2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$lhs, Stablehlo_FloatTensor:$rhs,
    DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict `:` type($lhs)
  }];
}

def Check_ExpectAlmostEqConstOp : Check_Op<"expect_almost_eq_const",
    [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "expects a tensor to be nearly equal to a constant";
  let description = [{
    Compares like `expect_almost_eq`.

    ```mlir
    check.expect_almost_eq_const %0, dense<[0.999999, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$lhs, ElementsAttr:$value,
    DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat =
      "$lhs `,` $value (`,` `tolerance` `=` $tolerance^)? attr-dict";
}

def Check_ExpectCloseOp : Check_Op<"expect_close",
    [AllTypesMatch<["actual", "expected"]>]> {
  let summary = "expects two tensors to be equal except for a few last bits";
  let description = [{
    Counts the representable values between the two, which must be at least
    `min_ulp_difference` and at most `max_ulp_difference`. Values that are not
    finite must be equal; every NaN equals every NaN.

    ```mlir
    check.expect_close %0, %1, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$actual, Stablehlo_FloatTensor:$expected,
    DefaultValuedAttr<UI64Attr, "1">:$max_ulp_difference,
    DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = [{
    $actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference
    (`,` `min_ulp_difference` `=` $min_ulp_difference^)? attr-dict `:`
    type($actual) `,` type($expected)
  }];
}

#endif // STABLEHLO_CHECK_OPS_TD
