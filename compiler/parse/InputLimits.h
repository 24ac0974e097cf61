// SPDX-License-Identifier: Apache-2.0
//===- InputLimits.h - what a file may ask of the parser ------------------===//

#ifndef PS_COMPILER_PARSE_INPUTLIMITS_H
#define PS_COMPILER_PARSE_INPUTLIMITS_H

#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <string>

namespace ps {

/// MLIR's parser, verifiers and passes call themselves for every level of
/// nesting, and a file must not be able to exhaust the stack. Brackets nest,
/// also through aliases (#a, !t) that are defined by aliases, and so does each
/// operator of an affine expression.
constexpr int64_t kMaxNesting = 1000;

/// The most words, numbers and brackets that all uses of aliases may stand for:
/// aliases that use aliases twice double with every definition.
constexpr int64_t kMaxAliasWords = 100'000'000;

/// The place past the string that opens at `at`, perhaps past the end of
/// `text`. A line break ends a string, as in MLIR's lexer.
size_t skipString(llvm::StringRef text, size_t at);

/// Looks for what the parser must not see: bytecode, which it does not read
/// safely, and the place where a module's text exceeds a limit above. Comments
/// and strings do not nest. Returns the error, which begins with
/// file:line:column followed by `mark`, or nothing. Takes time linear in the
/// text.
std::string checkInput(llvm::MemoryBufferRef file, llvm::StringRef mark);

} // namespace ps

#endif // PS_COMPILER_PARSE_INPUTLIMITS_H
