//===- Spelling.cpp - what an unknown name may have meant -----------------===//

#include "dialects/ps/Spelling.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>

std::string ps::suggest(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> known) {
  // A third of the letters may be wrong; case and separators say little.
  auto simplify = [](llvm::StringRef text) {
    std::string simple;
    for (char letter : text)
      if (letter != '-' && letter != '_')
        simple += llvm::toLower(letter);
    return simple;
  };
  std::string wanted = simplify(name);
  llvm::StringRef best;
  unsigned fewest = std::max<unsigned>(1, name.size() / 3);
  for (llvm::StringRef candidate : known) {
    unsigned distance = llvm::StringRef(simplify(candidate))
                            .edit_distance(wanted, /*AllowReplacements=*/true,
                                           /*MaxEditDistance=*/fewest);
    if (distance > fewest || (distance == fewest && !best.empty()))
      continue;
    best = candidate;
    fewest = distance;
  }
  return best.empty() ? "" : ("; did you mean '" + best + "'?").str();
}
