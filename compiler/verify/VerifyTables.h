// SPDX-License-Identifier: Apache-2.0
//===- VerifyTables.h - prove that the ends of tables fit together --------===//
//
// The part of ps-verify-programs that is about tables.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_VERIFYTABLES_H
#define PS_COMPILER_VERIFY_VERIFYTABLES_H

#include "compiler/verify/ServerUpdates.h"

namespace ps {

/// The tables that pservers hold.
class TableVerifier {
public:
  /// Collects the shards of `servers`, and fails unless each pserver of the
  /// cluster holds one of each table, that of its own number, and all agree
  /// with the table that `trainer` declares.
  mlir::LogicalResult
  checkShards(ProgramOp trainer,
              llvm::MapVector<mlir::StringAttr, Server> &servers);

  /// Fails unless rows are fetched from and pushed to all shards of their
  /// table, in order, and the rows of each table are pushed once. `prefetches`
  /// are all of the trainer, `pushes` those of its step.
  mlir::LogicalResult checkTransfers(llvm::ArrayRef<PrefetchOp> prefetches,
                                     llvm::ArrayRef<PushRowsOp> pushes);

  /// Fails unless the trainer updates its copies of the rows of just those
  /// tables that have cache_rows, as the pservers do and with what it pushes to
  /// them. `updates` are all of the trainer, `pushes` those of its step.
  mlir::LogicalResult checkCopies(llvm::ArrayRef<ApplyRowsOp> updates,
                                  llvm::ArrayRef<PushRowsOp> pushes);

private:
  mlir::LogicalResult checkShard(TableOp whole, HeldShard held, int64_t index);
  template <typename TransferOp>
  mlir::LogicalResult checkShardsNamed(TransferOp op,
                                       llvm::StringRef preposition);
  mlir::LogicalResult checkPrefetch(PrefetchOp prefetch);
  mlir::LogicalResult checkSameUpdate(ApplyRowsOp update, TableOp table,
                                      ApplyRowsOp expected);

  bool isGeo() { return trainer.getCluster().getMode() == Mode::Geo; }

  ProgramOp trainer;
  /// The shards of each table, in the order of the cluster.
  llvm::MapVector<mlir::StringAttr, llvm::SmallVector<HeldShard>> shardsOf;
};

} // namespace ps

#endif // PS_COMPILER_VERIFY_VERIFYTABLES_H
