// SPDX-License-Identifier: Apache-2.0
//===- RowFormat.h - where things are within a row of a table -------------===//
//
// Parameters first, optimizer slots after them, statistics last. This knows one
// row; which rows there are and where they lie is RowStore.h, when statistics
// change is RowPolicy.h and ClickStatistics.h.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_ROWFORMAT_H
#define PS_RUNTIME_TABLE_ROWFORMAT_H

#include "absl/status/statusor.h"
#include "runtime/table/TableSpec.h"
#include <atomic>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ps::runtime {

/// Offsets in bytes from the beginning of a row. The parameters are at 0.
struct RowLayout {
  /// From one row to the next.
  size_t bytes = 0;
  /// Parameters and slots: what updates of the row read and write.
  size_t stateBytes = 0;
  /// Indexed by slot.
  std::vector<size_t> slots;
};

/// A part of each row, for saving and loading.
struct RowColumn {
  std::string name;
  TensorType type;
  /// Bytes from the beginning of the row.
  size_t offset = 0;
  /// Describes the use of the row only: files may lack it.
  bool isStatistic = false;
  /// Counts what changes after the row was saved as one worth serving, or that
  /// has changed.
  bool countsFromSaving = false;
};

/// The layout of the rows of a table. INVALID_ARGUMENT for rows that are too
/// large.
absl::StatusOr<RowLayout> layoutOf(const TableSpec &spec);

/// Immutable.
class RowFormat {
public:
  /// INVALID_ARGUMENT as layoutOf(), or for two parts of one name.
  static absl::StatusOr<RowFormat> create(const TableSpec &spec);

  const RowLayout &layout() const { return rowLayout; }
  const std::vector<RowColumn> &columns() const { return rowColumns; }
  /// Bytes of a row's parameters, and of its gradient.
  size_t valueBytes() const { return numValueBytes; }
  /// The bytes of a new row at `offset`; those of parameters are zeros.
  const std::byte *newRow(size_t offset) const {
    return initialRow.data() + offset;
  }
  /// Writes everything of a new row except its parameters.
  void initialize(std::byte *row) const;

  /// Whether rows record when they were used last; for lastUse().
  bool hasLastUse() const { return lastUseOffset != 0; }
  /// The step of the row's last use. Atomic: threads that look up the same id
  /// store it at once.
  std::atomic_ref<uint32_t> lastUse(std::byte *row) const {
    return std::atomic_ref(*reinterpret_cast<uint32_t *>(row + lastUseOffset));
  }
  uint32_t lastUse(const std::byte *row) const {
    return *reinterpret_cast<const uint32_t *>(row + lastUseOffset);
  }
  /// Only for rows of a table with a click accessor.
  RowClicks *clicks(std::byte *row) const {
    return reinterpret_cast<RowClicks *>(row + clicksOffset);
  }
  const RowClicks *clicks(const std::byte *row) const {
    return reinterpret_cast<const RowClicks *>(row + clicksOffset);
  }
  /// Only for rows of a table that tracks last writers.
  Writer lastWriter(const std::byte *row) const {
    return *reinterpret_cast<const Writer *>(row + lastWriterOffset);
  }
  void setLastWriter(std::byte *row, Writer writer) const {
    *reinterpret_cast<Writer *>(row + lastWriterOffset) = writer;
  }

  /// Where in a row the columns that may be absent are, and their slots: first
  /// bytes and numbers of bytes, the parameters first. Empty where none may be.
  std::span<const std::pair<size_t, size_t>> embedx() const {
    return embedxRanges;
  }
  /// Whether the columns that may be absent are there. Not 0 or 1 only in files
  /// of other programs.
  uint32_t &hasEmbedx(std::byte *row) const {
    return *reinterpret_cast<uint32_t *>(row + hasEmbedxOffset);
  }

private:
  void addStatistics(const TableSpec &spec, size_t end);
  void addEmbedx(const TableSpec &spec);

  RowLayout rowLayout;
  std::vector<RowColumn> rowColumns;
  size_t numValueBytes = 0;
  /// 0 where rows have no such statistic: the parameters are there.
  size_t lastUseOffset = 0, clicksOffset = 0, hasEmbedxOffset = 0,
         lastWriterOffset = 0;
  std::vector<std::pair<size_t, size_t>> embedxRanges;
  std::vector<std::byte> initialRow;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_ROWFORMAT_H
