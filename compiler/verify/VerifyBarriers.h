// SPDX-License-Identifier: Apache-2.0
//===- VerifyBarriers.h - prove that steps end and pulls are fresh --------===//
//
// The part of ps-verify-programs that is about what comes before what.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_VERIFYBARRIERS_H
#define PS_COMPILER_VERIFY_VERIFYBARRIERS_H

#include "compiler/verify/JobPrograms.h"

namespace ps {

/// Fails unless each round of mode sync has one barrier of each kind, to every
/// pserver, after everything that it stands for and after the round before,
/// and other modes none; nothing waits for itself, be it through a pserver;
/// and no pull of a step overtakes the update. Transfers have been checked.
mlir::LogicalResult checkOrder(JobPrograms &job);

} // namespace ps

#endif // PS_COMPILER_VERIFY_VERIFYBARRIERS_H
