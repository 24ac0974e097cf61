// SPDX-License-Identifier: Apache-2.0
//===- VerifyExchange.h - prove that an exchange loses nothing ------------===//
//
// The part of ps-verify-programs that is about mode geo.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_VERIFYEXCHANGE_H
#define PS_COMPILER_VERIFY_VERIFYEXCHANGE_H

#include "compiler/verify/JobPrograms.h"

namespace ps {

/// In mode geo, fails unless the exchange takes what it sends out of what the
/// trainer has not sent, its merge moves a variable and what is known of it
/// alike, and nothing else works with what arrives in the background. Transfers
/// have been checked.
mlir::LogicalResult checkExchange(JobPrograms &job);

} // namespace ps

#endif // PS_COMPILER_VERIFY_VERIFYEXCHANGE_H
