// SPDX-License-Identifier: Apache-2.0
//===- NewerSyntax.h - text of later versions of MLIR ---------------------===//

#ifndef PS_COMPILER_PARSE_NEWERSYNTAX_H
#define PS_COMPILER_PARSE_NEWERSYNTAX_H

#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace ps {

/// Rewrites what later versions of MLIR print, and MLIR 19 does not parse:
///
///   * locations with ranges, `loc("f.py":1:2 to 3:4)` and
///     `loc("f.py":1:2 to :4)`, lose what follows the first place;
///   * constants of i1 in hexadecimal with a byte per element,
///     `dense<"0x0100..."> : tensor<..xi1>`, get the bit per element of
///     MLIR 19.
///
/// Strings and comments stay, and so do the lines and columns of all else:
/// what goes is replaced by spaces. Returns `file` itself where it has neither,
/// otherwise a buffer with the same identifier and size.
std::unique_ptr<llvm::MemoryBuffer>
readNewerSyntax(std::unique_ptr<llvm::MemoryBuffer> file);

} // namespace ps

#endif // PS_COMPILER_PARSE_NEWERSYNTAX_H
