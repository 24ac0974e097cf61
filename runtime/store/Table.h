//===- Table.h - the rows of an embedding table in one process ------------===//
//
// Ids of any value are dealt by their hash to 64 shards, each with an index
// from ids to row numbers. All rows lie in one range of memory, each with its
// parameters first and its optimizer slots after them. Work on existing rows
// is split over threads by the position of the ids, work that changes an index
// by shards, so that nothing is locked.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_TABLE_H
#define PS_RUNTIME_STORE_TABLE_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/Tensor.h"
#include "runtime/executor/Program.h"
#include "runtime/store/AddressRange.h"
#include "runtime/store/Initializer.h"
#include "runtime/store/RowIndex.h"
#include "runtime/store/RowUpdate.h"
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Optimizer state of each row.
struct RowSlot {
  /// Of the variable that stands for it, "emb.moment".
  std::string name;
  /// A vector as wide as the row, a scalar, or any other static shape.
  TensorType type;
  /// What each element of a new row's slot is.
  double initial = 0;
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
};

/// Where things are in a row, in bytes from its beginning. The parameters are
/// at 0.
struct RowLayout {
  /// From one row to the next.
  size_t bytes = 0;
  /// By slot.
  std::vector<size_t> slots;
};

/// A part of each row, for saving and loading: "values", then the slots.
struct RowColumn {
  std::string name;
  TensorType type;
  /// Bytes from the beginning of the row.
  size_t offset = 0;
};

/// What happened to rows since the table was made.
struct TableCounters {
  int64_t created = 0;
  /// Rows that could not be created because the table was full.
  int64_t refused = 0;
};

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

/// Not thread-safe: the caller lets one call at a time work on a table. A call
/// itself uses as many threads as the ParallelRows it is given has.
class Table {
public:
  /// INVALID_ARGUMENT names what is wrong with `spec`; RESOURCE_EXHAUSTED when
  /// the rows do not fit in the address space. `seed` is the run's --seed.
  static absl::StatusOr<std::unique_ptr<Table>> create(TableSpec spec,
                                                       uint64_t seed);

  const TableSpec &spec() const { return tableSpec; }
  const RowLayout &layout() const { return rowLayout; }
  const std::vector<RowColumn> &columns() const { return rowColumns; }
  /// Bytes of a row's parameters, and of its gradient.
  size_t valueBytes() const { return numValueBytes; }

  /// Copies the parameters of `ids`, in which ids may repeat, to `values`, one
  /// row after the other. Rows that are missing are created if `create`, else
  /// read as zeros. RESOURCE_EXHAUSTED tells that the table is full and
  /// changes nothing in it; `values` are undefined then.
  absl::Status lookup(std::span<const int64_t> ids, bool create,
                      std::byte *values, ParallelRows parallel = serialRows);

  /// Runs `update` on the rows of `ids`, in which no id may repeat, with
  /// `gradients`, one row after the other. Rows that are missing are created
  /// first. INVALID_ARGUMENT when `update` was made for other rows;
  /// RESOURCE_EXHAUSTED as lookup(), no row is updated then.
  absl::Status update(std::span<const int64_t> ids, std::byte *gradients,
                      const RowUpdate &update,
                      ParallelRows parallel = serialRows);

  /// Adds rows of undefined content for the caller to fill, and tells where
  /// they are. ALREADY_EXISTS names an id that has a row or stands in `ids`
  /// twice; that and RESOURCE_EXHAUSTED change nothing.
  absl::Status insert(std::span<const int64_t> ids, std::span<std::byte *> rows,
                      ParallelRows parallel = serialRows);

  /// Calls `visit` with the ids of all rows in ascending order, a piece at a
  /// time, and where their rows are; stops at the first error. Takes memory for
  /// 2 x `atATime` ids, and passes over the index as often as they fit in it.
  absl::Status
  forEach(absl::FunctionRef<absl::Status(std::span<const int64_t> ids,
                                         std::span<const std::byte *const>)>
              visit,
          size_t atATime) const;

  /// The row of `id`, laid out as layout() says, or null. Valid until rows are
  /// removed; creating rows moves none.
  std::byte *find(int64_t id);

  /// Rows held.
  int64_t size() const { return numRows; }
  const TableCounters &counters() const { return tableCounters; }
  /// What rows and index occupy.
  size_t memoryBytes() const;

private:
  static constexpr uint32_t kNone = RowIndex::kNone;
  static constexpr int kShardBits = 6;
  static constexpr size_t kNumShards = size_t{1} << kShardBits;

  Table(TableSpec spec, RowInitializer initializer)
      : tableSpec(std::move(spec)), initializeValues(std::move(initializer)) {}

  static size_t shardNumber(uint64_t hash) {
    return static_cast<size_t>(hash >> (64 - kShardBits));
  }
  std::byte *rowAt(uint32_t number) const {
    return rows.data() + number * rowLayout.bytes;
  }

  template <typename Visit>
  void forRows(std::span<const int64_t> ids, int64_t begin, int64_t end,
               size_t fetchBytes, Visit &&visit) const;
  /// What new rows hold.
  enum class Content { Initial, Undefined };
  absl::Status createRows(std::span<const int64_t> ids,
                          std::span<const int64_t> missing,
                          std::span<uint32_t> numbers, Content content,
                          ParallelRows parallel);
  absl::Status checkRoom(std::span<const int64_t> ids,
                         std::span<const int64_t> missing);
  absl::Status reserveRooms(const std::array<size_t, kNumShards + 1> &begins,
                            ParallelRows parallel);
  void initializeRow(std::byte *row, int64_t id) const;

  TableSpec tableSpec;
  RowLayout rowLayout;
  std::vector<RowColumn> rowColumns;
  size_t numValueBytes = 0;
  RowInitializer initializeValues;
  /// A new row; the parameters are still to be made.
  std::vector<std::byte> newRow;

  std::array<RowIndex, kNumShards> shards;
  AddressRange rows;
  /// Rows ever used: those with smaller numbers are held or in `freeRows`.
  std::atomic<uint32_t> usedRows{0};
  int64_t numRows = 0;
  TableCounters tableCounters;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_TABLE_H
