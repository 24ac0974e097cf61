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

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/Tensor.h"
#include "runtime/executor/Program.h"
#include "runtime/store/AddressRange.h"
#include "runtime/store/EntryExit.h"
#include "runtime/store/Initializer.h"
#include "runtime/store/RowGather.h"
#include "runtime/store/RowIndex.h"
#include "runtime/store/RowUpdate.h"
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Optimizer state of each row.
struct RowSlot {
  /// "moment".
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
  Admission admission;
  Eviction eviction;
  std::optional<ClickAccessor> clicks;
  /// Stands for a variable of `maxRows` rows: ids without a row read as their
  /// initial values always.
  bool isVariable = false;
  /// No step changes its rows.
  bool neverTrained = false;
  /// Rows tell who updated them last.
  bool tellsUpdaters = false;
};

/// Who updated a row last: the number of a trainer, or one of these.
using Updater = int32_t;
/// Nobody since the row was made.
inline constexpr Updater noUpdater = -1;
/// Several, or as many as there were, but not all that belong to the job.
inline constexpr Updater manyUpdaters = -2;

/// Where things are in a row, in bytes from its beginning. The parameters are
/// at 0.
struct RowLayout {
  /// From one row to the next.
  size_t bytes = 0;
  /// Parameters and slots: what updates of the row read and write.
  size_t stateBytes = 0;
  /// By slot.
  std::vector<size_t> slots;
};

/// A part of each row, for saving and loading.
struct RowColumn {
  std::string name;
  TensorType type;
  /// Bytes from the beginning of the row.
  size_t offset = 0;
  /// Tells of the use of the row only: files may lack it.
  bool isStatistic = false;
  /// Counts what changes after the row was saved as one worth serving, or that
  /// has changed.
  bool countsFromSaving = false;
};

/// An id without a row that waits for more accesses.
struct Candidate {
  int64_t id = 0;
  uint32_t accesses = 0;
  /// Whether there was one since counts were halved last.
  bool lately = false;
};

/// The layout of the rows of a table. INVALID_ARGUMENT for rows that are too
/// large.
absl::StatusOr<RowLayout> layoutOf(const TableSpec &spec);

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

/// A ParallelRows that works on the threads of a step's executor.
struct ParallelStep {
  StepContext &context;

  void operator()(int64_t rows, int64_t grain,
                  absl::FunctionRef<void(int64_t, int64_t)> body) const {
    context.parallelRows(rows, grain, body);
  }
};

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
  /// row after the other. Rows that are missing are created if `create` (in
  /// training), else read as zeros, as do those that are not admitted.
  /// RESOURCE_EXHAUSTED tells that the table is full and creates no row;
  /// `values` are undefined then.
  absl::Status lookup(std::span<const int64_t> ids, bool create,
                      std::byte *values, ParallelRows parallel = serialRows);
  /// As lookup() with `create`, for a step that several trainers access: an id
  /// without a row is counted as accessed once until advance(). Also sets
  /// rows[i], unless `rows` is empty, to the row of ids[i] as find() would,
  /// null for ids that are not admitted.
  absl::Status access(std::span<const int64_t> ids, std::byte *values,
                      std::span<const std::byte *> rows,
                      ParallelRows parallel = serialRows);

  /// Runs `update` on the rows of `ids`, in which no id may repeat, with
  /// `gradients`, one row after the other. Rows that are missing, for they were
  /// dropped since they were looked up, are created first, but for those that
  /// are not admitted. INVALID_ARGUMENT when `update` was made for other rows;
  /// RESOURCE_EXHAUSTED as lookup(), no row is updated then.
  absl::Status update(std::span<const int64_t> ids, std::byte *gradients,
                      const RowUpdate &update,
                      ParallelRows parallel = serialRows);

  /// Adds to the shows and clicks of those of `ids`, in which no id may repeat,
  /// that have rows, and creates the columns from `embedxFrom` on of those that
  /// have got the score for it. For tables with a click accessor.
  void recordClicks(std::span<const int64_t> ids, std::span<const float> shows,
                    std::span<const float> clicks,
                    ParallelRows parallel = serialRows);
  /// Tells the rows of `ids`, in which no id may repeat, who updates them; ids
  /// without a row are passed over. For tables that tell.
  void setUpdaters(std::span<const int64_t> ids,
                   std::span<const Updater> updaters,
                   ParallelRows parallel = serialRows);
  /// Of a row of a table that tells.
  Updater updaterOf(const std::byte *row) const {
    return *reinterpret_cast<const Updater *>(row + updaterOffset);
  }

  /// Of a row of a table with a click accessor.
  RowClicks *clicksOf(std::byte *row) const {
    return reinterpret_cast<RowClicks *>(row + clicksOffset);
  }

  /// Counts a step: the age of rows is told in these. A full table never drops
  /// rows that were used since.
  void advance(int64_t steps = 1) {
    clock += static_cast<uint32_t>(steps);
    accessed.clear();
  }
  /// The sum of what was advanced.
  int64_t time() const { return clock; }

  /// Ends a day: decays statistics and drops the rows that are to go by their
  /// age, score or days without an update. RESOURCE_EXHAUSTED when there is no
  /// memory to work with.
  absl::Status shrink(ParallelRows parallel = serialRows);

  /// Adds rows, whether admitted or not, with undefined parameters for the
  /// caller to fill, and tells where they are. ALREADY_EXISTS names an id that
  /// has a row or stands in `ids` twice; that and RESOURCE_EXHAUSTED change
  /// nothing.
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

  /// Whether the row at `row` is one of `rows`; every row of a table without a
  /// click accessor is.
  bool selects(const std::byte *row, RowSelection rows) const {
    return !tableSpec.clicks ||
           tableSpec.clicks->selects(
               *reinterpret_cast<const RowClicks *>(row + clicksOffset), rows);
  }
  /// How many rows are such ones.
  int64_t count(RowSelection rows) const;
  /// Call when `rows` are saved: from now on it counts what changes in them.
  /// All changes nothing, for a file of all rows keeps these counts.
  void markSaved(RowSelection rows);

  /// What time() was then, or what a loaded file says it was; 0 before.
  int64_t savedAt() const { return lastSaving; }
  void setSavedAt(int64_t time) { lastSaving = time; }

  /// Copies `column` of the rows of `ids` to `values`, one after the other;
  /// of ids without a row, what they would be created with.
  void readColumn(const RowColumn &column, std::span<const int64_t> ids,
                  std::byte *values);

  /// The row of `id`, laid out as layout() says, or null. Valid until rows are
  /// removed; creating rows moves none.
  std::byte *find(int64_t id);

  /// Rows held.
  int64_t size() const { return numRows; }
  /// Ids that have been accessed, but not often enough. When they are more than
  /// the table may have rows, and than 1024, as a step begins, the counts of
  /// those that were not accessed since this happened last are halved, and a
  /// count of one is forgotten.
  int64_t numCandidates() const { return candidates; }
  /// Whether there are such ids.
  bool countsAccesses() const {
    return tableSpec.admission.kind == Admission::Kind::Count &&
           tableSpec.admission.count > 1;
  }
  /// All of them, in ascending order, without what access() has counted since
  /// advance(): a run that goes on from here accesses these ids again.
  std::vector<Candidate> waiting() const;
  /// Has ids that have neither a row nor wait yet wait, in a table that counts
  /// accesses; others are passed over. RESOURCE_EXHAUSTED when there is no
  /// memory, some of them wait then.
  absl::Status addWaiting(std::span<const Candidate> ids);
  const TableCounters &counters() const { return tableCounters; }
  /// What rows and index occupy.
  size_t memoryBytes() const;

private:
  static constexpr uint32_t kNone = RowIndex::kNone;
  /// Numbers in the index from here on are of ids without a row: the lower 30
  /// bits count accesses, the next one tells whether there was one since counts
  /// were halved last.
  static constexpr uint32_t kFirstCandidate = uint32_t{1} << 31;
  static constexpr uint32_t kLately = uint32_t{1} << 30;
  static constexpr int kShardBits = 6;
  static constexpr size_t kNumShards = size_t{1} << kShardBits;

  /// Why a row is to be created.
  enum class Access { Lookup, Update, Load };

  /// Ids without rows, by shard: those of shard s are order[begins[s]] to
  /// order[begins[s + 1] - 1].
  struct Deal {
    struct Entry {
      int64_t id;
      /// In the list of what is missing.
      uint32_t index;
      auto operator<=>(const Entry &) const = default;
    };
    std::array<size_t, kNumShards + 1> begins{};
    std::vector<Entry> order;
  };

  Table(TableSpec spec, RowInitializer initializer)
      : tableSpec(std::move(spec)), initializeValues(std::move(initializer)) {}

  static size_t shardNumber(uint64_t hashed) {
    return static_cast<size_t>(hashed >> (64 - kShardBits));
  }
  static bool isRow(uint32_t number) { return number < kFirstCandidate; }
  /// Of an id without a row.
  static uint32_t accessesOf(uint32_t number) { return number & (kLately - 1); }
  RowSlab slab() const {
    return {rows.data(), rowLayout.bytes, kFirstCandidate};
  }
  std::byte *rowAt(uint32_t number) const {
    return rows.data() + number * rowLayout.bytes;
  }
  /// Whether `id`, which has no row, reads as the row that it would get.
  bool readsInitialValue(int64_t id) const;
  absl::Status addColumns();
  void addEmbedx(int64_t first);

  void findNumbers(std::span<const int64_t> ids, uint32_t *numbers) const;
  /// As findNumbers() of one id.
  uint32_t findNumber(int64_t id) const {
    const uint64_t hashed = hash(id);
    return shards[shardNumber(hashed)].find(id, hashed);
  }
  void markUsed(std::byte *row) const;
  /// As access(), but creates the rows of the ids for which `creates` returns
  /// true; marks rows as used only if `marks`.
  absl::Status readRows(std::span<const int64_t> ids, bool marks,
                        absl::FunctionRef<bool(int64_t id)> creates,
                        std::byte *values, std::span<const std::byte *> rows,
                        ParallelRows parallel);

  absl::Status createRows(std::span<const int64_t> ids,
                          std::span<const int64_t> missing,
                          std::span<uint32_t> numbers, Access access,
                          ParallelRows parallel);
  bool admits(int64_t id, uint32_t number, Access access) const;
  absl::Status makeRoom(std::span<const int64_t> ids,
                        std::span<const int64_t> missing, Access access,
                        ParallelRows parallel);
  Deal deal(std::span<const int64_t> ids, std::span<const int64_t> missing,
            ParallelRows parallel) const;
  absl::Status reserveMemory(const Deal &deal, ParallelRows parallel);
  void createInShard(size_t number, const Deal &deal,
                     std::span<uint32_t> numbers, Access access,
                     TableCounters &counts, int64_t &newCandidates);
  uint32_t takeRow();
  void clearEmbedx(std::byte *row) const;
  void createEmbedx(std::byte *row, int64_t id) const;
  bool isEmbedxDue(const RowClicks &known) const {
    const ClickAccessor &accessor = *tableSpec.clicks;
    return accessor.score(known.show, known.click) >= accessor.embedxThreshold;
  }
  /// Of a row of a table with columns that may be absent.
  uint32_t &hasEmbedx(std::byte *row) const {
    return *reinterpret_cast<uint32_t *>(row + hasEmbedxOffset);
  }
  void initializeRow(std::byte *row, int64_t id, Access access) const;

  absl::Status dropOldest(int64_t wanted, ParallelRows parallel);
  absl::Status halveCandidates();
  absl::Status
  dropRows(absl::FunctionRef<bool(int64_t id, std::byte *row)> drop,
           ParallelRows parallel);

  TableSpec tableSpec;
  RowLayout rowLayout;
  std::vector<RowColumn> rowColumns;
  size_t numValueBytes = 0;
  /// In the row, where there are such statistics.
  size_t lastUseOffset = 0, clicksOffset = 0, hasEmbedxOffset = 0,
         updaterOffset = 0;
  /// Where in a row the columns that may be absent are, and their slots: first
  /// bytes and numbers of bytes, the parameters first.
  std::vector<std::pair<size_t, size_t>> embedx;
  RowInitializer initializeValues;
  /// A new row; the parameters are still to be made.
  std::vector<std::byte> newRow;
  uint32_t clock = 0;
  int64_t lastSaving = 0;

  /// Chooses places in memory and nothing that results depend on.
  IdHash hash;
  PagePool indexMemory;
  std::array<RowIndex, kNumShards> shards;
  AddressRange rows;
  /// Rows ever used: those with smaller numbers are held or in `freeRows`.
  std::atomic<uint32_t> usedRows{0};
  std::vector<uint32_t> freeRows;
  /// How many of the free rows have not been taken by the call under way.
  std::atomic<int64_t> freeLeft{0};
  int64_t numRows = 0, candidates = 0;
  /// Ids without rows that access() has counted since advance().
  absl::flat_hash_set<int64_t> accessed;
  /// The step of the last halving.
  std::optional<uint32_t> halvedAt;
  TableCounters tableCounters;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_TABLE_H
