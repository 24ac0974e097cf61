// SPDX-License-Identifier: Apache-2.0
//===- ParallelRows.h - work on rows by several threads -------------------===//

#ifndef PS_RUNTIME_ROWS_PARALLELROWS_H
#define PS_RUNTIME_ROWS_PARALLELROWS_H

#include "absl/functional/function_ref.h"
#include <cstdint>

namespace ps::runtime {

/// Runs `body(begin, end)` over [0, rows) in pieces of at least `grain` rows,
/// possibly several at a time, and returns when all are done.
using ParallelRows =
    absl::FunctionRef<void(int64_t rows, int64_t grain,
                           absl::FunctionRef<void(int64_t, int64_t)> body)>;

/// A ParallelRows that works on the calling thread.
inline void serialRows(int64_t rows, int64_t,
                       absl::FunctionRef<void(int64_t, int64_t)> body) {
  body(0, rows);
}

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_PARALLELROWS_H
