// SPDX-License-Identifier: Apache-2.0
//===- Buckets.h - transfers that travel in one message -------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_BUCKETS_H
#define PS_COMPILER_DISTRIBUTE_BUCKETS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

namespace ps {

/// The sends, or the recvs, of one bucket, in program order.
using Bucket = llvm::SmallVector<mlir::Operation *, 4>;

/// The buckets among the ops of `block`, with those of a single transfer. All
/// of a bucket happens where its last transfer is: fails, with a
/// diagnostic, where an op before that waits for one of the others or touches
/// what one of them writes. Takes time linear in the ops.
mlir::FailureOr<llvm::SmallVector<Bucket>> collectBuckets(mlir::Block &block);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_BUCKETS_H
