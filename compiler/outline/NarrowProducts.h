// SPDX-License-Identifier: Apache-2.0
//===- NarrowProducts.h - operands of products in bf16 ----------*- C++ -*-===//

#ifndef PS_COMPILER_OUTLINE_NARROWPRODUCTS_H
#define PS_COMPILER_OUTLINE_NARROWPRODUCTS_H

namespace mlir {
class Block;
} // namespace mlir

namespace ps {

/// Rounds the operands of the block's products of f32 to bf16, except for those
/// that memory limits. Results stay f32.
void narrowProducts(mlir::Block &block);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_NARROWPRODUCTS_H
