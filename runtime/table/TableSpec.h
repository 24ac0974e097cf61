// SPDX-License-Identifier: Apache-2.0
//===- TableSpec.h - the description of an embedding table ----------------===//
//
// What a program says about a table: its rows, which ids get one, which rows
// are evicted. How rows are laid out follows from it (RowFormat.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_TABLESPEC_H
#define PS_RUNTIME_TABLE_TABLESPEC_H

#include "absl/status/status.h"
#include "runtime/base/Tensor.h"
#include "runtime/table/ClickAccessor.h"
#include "runtime/variables/Initializer.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// Which ids are given a row. The others read as zeros and are not updated.
struct Admission {
  enum class Kind {
    All,
    Count,      ///< at an id's `count`-th access
    Probability ///< a share of `probability` of all ids, decided by the id
  };
  Kind kind = Kind::All;
  /// An access is a training look-up whose ids hold the id, once or more. At
  /// least 1, and less than 2^31; more than 2^30 - 2 count as that many.
  int64_t count = 1;
  /// Greater than 0, at most 1.
  double probability = 1;
};

/// Which rows are dropped.
struct Eviction {
  /// Table::shrink() drops rows not used for more steps than this.
  std::optional<int64_t> maxAge;
  /// The steps of a day, see Table::endDay().
  std::optional<int64_t> every;
  /// A full table drops the rows that were used the longest time ago, a
  /// sixteenth of all at a time, instead of refusing new ones.
  bool leastRecentlyUsed = false;

  bool needsLastUse() const { return maxAge || leastRecentlyUsed; }
};

/// Optimizer state of each row.
struct RowSlot {
  /// "moment".
  std::string name;
  /// A vector as wide as the row, a scalar, or any other static shape.
  TensorType type;
  /// The value of each element of a new row's slot.
  double initial = 0;
};

/// A table whose rows need not all be in memory: the others are on an SSD
/// (TieredRows.h).
struct RowTiers {
  /// How many rows may be in memory; at least 1.
  int64_t memoryRows = 0;
  /// Where the others are; of this process alone.
  std::string directory;
  /// The rows to begin with, as a commit described them; none if unset.
  std::optional<std::string> commit;
  /// Without `commit`: rows that a commit describes may be in the directory,
  /// and stay there until the next one.
  bool keepsCommitted = false;
};

struct TableSpec {
  /// Without '@'; seeds the generator of initial values.
  std::string name;
  /// F32 or F64.
  DType dtype = DType::F32;
  /// Elements of a row; at least 1.
  int64_t width = 0;
  /// How many rows this process may hold; at least 1.
  int64_t maxRows = 0;
  InitialValue initial;
  std::vector<RowSlot> slots;
  Admission admission;
  Eviction eviction;
  std::optional<ClickAccessor> clicks;
  std::optional<RowTiers> tiers;
  /// How many rows a device that works with the table keeps copies of.
  std::optional<int64_t> hbmRows;
  /// Stands for a variable of `maxRows` rows: ids without a row always read as
  /// their initial values.
  bool isVariable = false;
  /// No step changes its rows.
  bool neverTrained = false;
  /// Each row records which trainer updated it last.
  bool tracksLastWriter = false;
  /// How rows travel when a job trains; without it, as they are. F32 may become
  /// BF16, F16 or I8 (RowCodec.h).
  std::optional<DType> wire;

  DType wireType() const { return wire.value_or(dtype); }
};

/// The trainer that updated a row last: its number, or one of the following.
using Writer = int32_t;
/// The row has not been updated since it was created.
inline constexpr Writer noWriter = -1;
/// Several trainers, or fewer than the job has: no trainer's copy is current.
inline constexpr Writer multipleWriters = -2;

/// INVALID_ARGUMENT names what is wrong with `spec`, except its layout.
absl::Status checkSpec(const TableSpec &spec);

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_TABLESPEC_H
