//===- Nesting.h - how deep a file may nest -------------------------------===//

#ifndef PS_COMPILER_NESTING_H
#define PS_COMPILER_NESTING_H

#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace ps {

/// MLIR's parser, verifiers and passes call themselves for every level of
/// nesting, and a file must not be able to exhaust the stack.
constexpr int kMaxNesting = 1000;

/// Looks for the place where a module's text opens more than kMaxNesting
/// brackets at once; comments and strings do not count, and bytecode has none.
/// Returns the error, which begins with file:line:column followed by `mark`, or
/// nothing.
std::string checkNesting(llvm::MemoryBufferRef file, llvm::StringRef mark);

} // namespace ps

#endif // PS_COMPILER_NESTING_H
