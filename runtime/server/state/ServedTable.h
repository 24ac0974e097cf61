// SPDX-License-Identifier: Apache-2.0
//===- ServedTable.h - a table as a server serves it ----------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_SERVEDTABLE_H
#define PS_RUNTIME_SERVER_STATE_SERVEDTABLE_H

#include "runtime/executor/Program.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/hbm/HbmReader.h"
#include "runtime/protocol/RowCodec.h"
#include "runtime/protocol/Service.h"
#include "runtime/server/state/ChangedRows.h"
#include "runtime/table/Table.h"
#include <memory>
#include <optional>
#include <string>

namespace ps::runtime {

/// One table, or the pserver's part of it, and the compiled update of its rows.
struct TableBlock {
  /// Trainers know it by its spec's name. Outlives the server, as `update`
  /// does, which alone uses it between create() and the end of wait().
  Table *table = nullptr;
  /// Has the feed "grad" of rows, of the table's type and width. Null for a
  /// table that is only read.
  Program *update = nullptr;
  /// The round of a step in which its rows' gradients arrive.
  int round = 0;
  /// The copies of rows that a device has, which `update` works on; may be
  /// null. Outlives the server.
  HbmRows *hbm = nullptr;
};

/// One table of the state: the checks of requests for its rows, and the reading
/// of these. What checks is immutable, so thread-safe; the rest belongs to the
/// step thread.
class ServedTable {
public:
  /// `unit` is its number in the state. INVALID_ARGUMENT names the table whose
  /// update, type or round does not fit.
  static absl::StatusOr<std::unique_ptr<ServedTable>>
  create(const TableBlock &spec, int unit, int rounds);

  const std::string &name() const { return table.spec().name; }
  int unit() const { return unitNumber; }
  /// When its rows' gradients arrive.
  int round() const { return unitRound; }
  /// Null when nothing updates the table.
  Program *update() const { return updateProgram; }
  /// The update's feed; null as that.
  RowBatch *feed() const { return rowFeed; }
  Table &rows() const { return table; }

  /// Elements of a pushed row: its gradient, and where the table scores rows by
  /// clicks, how often it was shown and clicked.
  int64_t pushWidth() const {
    return table.spec().width + (table.spec().clicks ? 2 : 0);
  }
  size_t pushBytes() const {
    return static_cast<size_t>(pushWidth()) * byteWidth(table.spec().dtype);
  }
  /// How rows travel as `wire`, and pushed ones.
  RowCodec codec(DType wire) const {
    return {table.spec().dtype, wire, static_cast<uint64_t>(table.spec().width),
            /*counts=*/0};
  }
  RowCodec pushCodec() const {
    RowCodec codec = this->codec(table.spec().wireType());
    codec.counts = static_cast<uint64_t>(pushWidth() - table.spec().width);
    return codec;
  }
  /// Checks what a header says of rows, and that `payloadBytes` bytes with it
  /// hold `count` ids and, of a push, as many rows. There may be none in all.
  absl::Status checkRows(const wire::Rows &rows, bool push,
                         size_t payloadBytes) const;

  /// Answers a prefetch of `ids`: a row for each, as `wire`, and how many rows
  /// the table has then. An id that several trainers ask for in a step, or one
  /// does again, has been accessed once: what is admitted does not depend on
  /// how a batch is split among trainers.
  absl::StatusOr<Response> prefetch(std::span<const int64_t> ids, bool frozen,
                                    DType wire, ParallelRows parallel);
  /// As prefetch() for `trainer`, which has copies of the rows of some ids; a
  /// row that no other trainer has updated since it asked for it last it may
  /// keep. The answer begins with a RowAnswer for each id.
  absl::StatusOr<Response> refresh(int trainer, std::span<const int64_t> ids,
                                   std::span<const uint8_t> held,
                                   ParallelRows parallel);

  /// Answers the pull `number` of `trainer` with rows that others have changed
  /// since it got them last, their ids first; as ChangedRows::take().
  absl::StatusOr<Response> pullChanges(int trainer, uint64_t number,
                                       ParallelRows parallel);
  /// `trainer` has changed the rows of `ids`.
  void noteChanges(int trainer, std::span<const int64_t> ids) {
    changed.note(trainer, ids);
  }

  /// The table's rows are a step older, those that the step after `step`
  /// starts from. When the update is done; a repeated call changes nothing.
  void advance(int64_t step);
  /// The last of those steps.
  int64_t ended() const { return endedStep; }
  /// The table has the rows after that step.
  void setEnded(int64_t step) { endedStep = step; }

private:
  absl::Status checkType(const wire::Rows &rows, bool push) const;
  absl::Status accessOnDevice(std::span<const int64_t> ids, std::byte *values,
                              ParallelRows parallel);
  Response answerWith(std::shared_ptr<const std::byte[]> bytes,
                      size_t size) const;
  ServedTable(const TableBlock &spec, int unit)
      : table(*spec.table), unitNumber(unit), unitRound(spec.round),
        changed(table.rows()) {
    if (spec.hbm)
      onDevice.emplace(*spec.hbm);
  }

  Table &table;
  const int unitNumber, unitRound;
  Program *updateProgram = nullptr;
  RowBatch *rowFeed = nullptr;
  /// Without a value where all rows are read here.
  std::optional<HbmReader> onDevice;
  int64_t endedStep = startupStep;
  /// Empty unless trainers pull changes.
  ChangedRows changed;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_SERVEDTABLE_H
