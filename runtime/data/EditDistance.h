// SPDX-License-Identifier: Apache-2.0
//===- EditDistance.h - how similar two words are -------------------------===//

#ifndef PS_RUNTIME_DATA_EDITDISTANCE_H
#define PS_RUNTIME_DATA_EDITDISTANCE_H

#include "absl/strings/string_view.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ps::runtime {

/// How many characters have to be inserted, removed or replaced to make one of
/// `a` and `b` from the other.
inline size_t editDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i != a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j != b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_EDITDISTANCE_H
