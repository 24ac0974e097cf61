// SPDX-License-Identifier: Apache-2.0
//===- ChangedRows.h - which rows a trainer has not seen ------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_CHANGEDROWS_H
#define PS_RUNTIME_SERVER_STATE_CHANGEDROWS_H

#include "absl/status/statusor.h"
#include "runtime/rows/RowStore.h"
#include <deque>
#include <map>
#include <span>
#include <vector>

namespace ps::runtime {

/// For each trainer that has pulled once, the rows of a table that others have
/// changed since it got them last. Rows are never dropped. Thread-compatible.
class ChangedRows {
public:
  explicit ChangedRows(const RowStore &rows) : rows(rows) {}

  /// `trainer` has changed the rows of `ids`.
  void note(int trainer, std::span<const int64_t> ids);

  struct Taken {
    /// Valid until the next call.
    std::span<const int64_t> ids;
    /// How many more there are.
    uint64_t left = 0;
  };
  /// At most `most` ids for the pull `number` of `trainer`; pulls count from
  /// 1, and the first begins with all rows. A repeated one gets the same ids.
  /// FAILED_PRECONDITION for any other number.
  absl::StatusOr<Taken> take(int trainer, uint64_t number, size_t most);

private:
  struct Trainer {
    /// The pull that was answered last.
    uint64_t number = 0;
    std::vector<int64_t> sent;
    std::deque<int64_t> waiting;
    /// A bit for each row: whether its id waits.
    std::vector<uint64_t> bits;
  };
  static void add(Trainer &trainer, int64_t id, uint32_t number);

  const RowStore &rows;
  std::map<int, Trainer> trainers;
  std::vector<uint32_t> numbers;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_CHANGEDROWS_H
