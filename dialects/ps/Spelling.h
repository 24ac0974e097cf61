// SPDX-License-Identifier: Apache-2.0
//===- Spelling.h - suggestions for an unknown name -----------------------===//

#ifndef PS_DIALECTS_PS_SPELLING_H
#define PS_DIALECTS_PS_SPELLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ps {

/// Returns "; did you mean 'x'?", to be appended to an error about `name`,
/// where x is the most similar one of `known`; or nothing, when none is
/// similar.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> known);

} // namespace ps

#endif // PS_DIALECTS_PS_SPELLING_H
