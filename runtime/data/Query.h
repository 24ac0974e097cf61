// SPDX-License-Identifier: Apache-2.0
//===- Query.h - "?name=value&name=value" in a --data string --------------===//

#ifndef PS_RUNTIME_DATA_QUERY_H
#define PS_RUNTIME_DATA_QUERY_H

#include "runtime/data/DataSpec.h"
#include <span>
#include <variant>

namespace ps::runtime {

/// A number that a query may set; of a whole one also as "1e6".
struct QueryNumber {
  absl::string_view name;
  std::variant<int64_t *, double *> value;
  double least = 0, most = 0;
};

/// The largest double that is an int64_t.
inline constexpr double maxSeed = 0x1.fffffffffffffp62;

/// Reads what follows the first '?' of the spec's source and returns what comes
/// before it. INVALID_ARGUMENT names what can be set, or the bounds.
absl::StatusOr<std::string> parseQuery(const DataSpec &spec,
                                       std::span<const QueryNumber> numbers);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_QUERY_H
