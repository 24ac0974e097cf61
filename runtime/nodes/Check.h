// SPDX-License-Identifier: Apache-2.0
//===- Check.h - nodes that compare tensors -------------------------------===//

#ifndef PS_RUNTIME_NODES_CHECK_H
#define PS_RUNTIME_NODES_CHECK_H

#include "runtime/executor/Program.h"
#include <cstdint>
#include <string>

namespace ps::runtime {

/// What a program expects of one of its values.
struct Check {
  enum class Comparison {
    Eq,       ///< the same bits; every NaN equals every NaN
    AlmostEq, ///< floats within `tolerance` times the larger magnitude, or
              ///< within `tolerance` below one; neighbors always agree
    Close     ///< floats `minUlps` to `maxUlps` representable values apart;
              ///< infinite and NaN values must be equal
  };
  Comparison comparison = Comparison::Eq;
  double tolerance = 1e-4;
  uint64_t minUlps = 0, maxUlps = 3;
  /// Both of one type.
  TensorRef actual, expected;
  /// Where the expectation was written, e.g. "add.mlir:12:5".
  std::string location;
};

/// The outcome of one check: FAILED_PRECONDITION names the location, the index
/// of the first element that differs, and both values.
absl::Status runCheck(const Check &check);

/// A node that runs `check`.
std::unique_ptr<Node> makeCheckNode(std::string name, Check check);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_CHECK_H
