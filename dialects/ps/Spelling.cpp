// SPDX-License-Identifier: Apache-2.0
//===- Spelling.cpp - suggestions for an unknown name ---------------------===//

#include "dialects/ps/Spelling.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <utility>

using llvm::StringRef;

/// `text` without what is often confused: case and separators.
static std::string simplify(StringRef text) {
  std::string simple;
  for (char letter : text)
    if (letter != '-' && letter != '_')
      simple += llvm::toLower(letter);
  return simple;
}

/// How many letters must be inserted, removed, replaced or exchanged with their
/// neighbor to turn `a` into `b` (optimal string alignment). LLVM's
/// edit_distance counts an exchange, the most frequent typing error, as two.
static unsigned countEdits(StringRef a, StringRef b) {
  // The rows of the prefixes of `a` with i - 2, i - 1 and i letters.
  llvm::SmallVector<unsigned> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string ps::suggest(StringRef name, llvm::ArrayRef<StringRef> known) {
  std::string wanted = simplify(name);
  StringRef best;
  // A third of the letters may be wrong.
  unsigned fewest = std::max<unsigned>(1, name.size() / 3);
  for (StringRef candidate : known) {
    unsigned edits = countEdits(wanted, simplify(candidate));
    if (edits > fewest || (edits == fewest && !best.empty()))
      continue;
    best = candidate;
    fewest = edits;
  }
  return best.empty() ? "" : ("; did you mean '" + best + "'?").str();
}
