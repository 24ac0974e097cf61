// SPDX-License-Identifier: Apache-2.0
//===- VerifyTransfers.h - prove that transfers have two ends -------------===//
//
// The part of ps-verify-programs that compares what the trainer sends and
// pulls with what pservers hold.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_VERIFYTRANSFERS_H
#define PS_COMPILER_VERIFY_VERIFYTRANSFERS_H

#include "compiler/verify/JobPrograms.h"
#include "compiler/verify/VerifyTables.h"

namespace ps {

/// Fails unless each send and recv agrees with the block that it names, in
/// rows, element type and round; every block gets one gradient per step and is
/// pulled once per function; transfers of a bucket can leave as one; and rows
/// go between the trainer and all shards of their table, which `tables` knows.
mlir::LogicalResult checkTransfers(JobPrograms &job, TableVerifier &tables);

} // namespace ps

#endif // PS_COMPILER_VERIFY_VERIFYTRANSFERS_H
