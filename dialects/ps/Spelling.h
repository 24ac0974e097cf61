//===- Spelling.h - what an unknown name may have meant -------------------===//

#ifndef PS_DIALECTS_PS_SPELLING_H
#define PS_DIALECTS_PS_SPELLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ps {

/// Returns "; did you mean 'x'?", to be put behind an error about `name`, where
/// x is the one of `known` that is spelled most alike; or nothing, when none is
/// close.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> known);

} // namespace ps

#endif // PS_DIALECTS_PS_SPELLING_H
