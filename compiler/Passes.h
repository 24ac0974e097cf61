// SPDX-License-Identifier: Apache-2.0
//===- Passes.h - the compiler's passes -----------------------------------===//
//
// Each pass is described in Passes.td and implemented in the file of its name.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_PASSES_H
#define PS_COMPILER_PASSES_H

#include "compiler/PipelineOptions.h"

#include "mlir/Pass/Pass.h"

namespace ps {

#define GEN_PASS_DECL
#include "compiler/Passes.h.inc"

/// Makes every pass known to the command line.
#define GEN_PASS_REGISTRATION
#include "compiler/Passes.h.inc"

} // namespace ps

#endif // PS_COMPILER_PASSES_H
