// SPDX-License-Identifier: Apache-2.0
//===- PassStatistics.h - what each pass did to the number of ops ---------===//
//
// MLIR's own statistics are compiled out of Debian's library, whose
// --mlir-pass-statistics prints an empty table. This counts ops instead.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_OPT_PASSSTATISTICS_H
#define PS_TOOLS_PS_OPT_PASSSTATISTICS_H

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/MapVector.h"

namespace ps {

/// Prints to stderr, when it is destroyed, a line per pass in the order in
/// which they first ran: its runs, and the ops before and after them, summed
/// over what it ran on. MLIR calls instrumentations under a lock.
class PassStatistics : public mlir::PassInstrumentation {
public:
  ~PassStatistics() override;

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  struct Counts {
    int64_t runs = 0, before = 0, after = 0;
  };
  llvm::MapVector<llvm::StringRef, Counts> counts;
};

} // namespace ps

#endif // PS_TOOLS_PS_OPT_PASSSTATISTICS_H
