//===- ServedTable.h - a table as a pserver serves it ---------------------===//
//
// What trainers push of a table during a step, and the sum of it. Pushes keep
// apart by trainer until the update adds them in the order of the trainers'
// ids: the result does not depend on the order of arrival.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SERVEDTABLE_H
#define PS_RUNTIME_TRANSPORT_SERVEDTABLE_H

#include "runtime/store/RowBatch.h"
#include "runtime/store/Table.h"
#include "runtime/transport/PServer.h"
#include "runtime/transport/Service.h"
#include "runtime/transport/Update.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The caller locks: no two calls at a time, but for copyIn, prefetch and
/// merge, which need what their comments say. Updated as a unit if it has an
/// update().
class ServedTable final : public UpdateUnit {
public:
  /// INVALID_ARGUMENT names the table whose update, type or round does not fit.
  static absl::StatusOr<std::unique_ptr<ServedTable>>
  create(const TableBlock &spec, int trainers, int rounds);

  const std::string &name() const { return table.spec().name; }
  /// Null when nothing updates the table.
  Program *update() const { return updateProgram; }

  /// Elements of a pushed row: its gradient, and where the table judges rows by
  /// clicks, how often it was shown and clicked.
  int64_t pushWidth() const {
    return table.spec().width + (table.spec().clicks ? 2 : 0);
  }

  /// Checks what a header says of rows, and that `payloadBytes` bytes with it
  /// hold `count` ids and, of a push, as many rows. There may be none in all.
  absl::Status checkRows(const RowRange &rows, bool push,
                         size_t payloadBytes) const;

  //===--------------------------------------------------------------------===//
  // Pushes
  //===--------------------------------------------------------------------===//

  /// One message of a push, in the step it belongs to.
  struct Arrival {
    uint64_t sequence = 0;
    /// Set once copyIn() is done.
    bool here = false;
    std::vector<int64_t> ids;
    std::unique_ptr<std::byte[]> gradients;
    /// Repeats of the message that came meanwhile.
    std::vector<Done> waiting;
  };

  /// What a trainer has pushed in a step.
  struct Push {
    uint64_t total = 0;
    /// Rows of the messages that are here.
    uint64_t arrived = 0;
    /// By the first row.
    std::map<uint64_t, Arrival> arrivals;

    /// Whether nothing is missing of what has begun to come.
    bool isHere() const;
  };

  /// Registers a message whose header has passed checkRows. Null: it is a
  /// repeated one, `done` was kept if the first is still being copied and is
  /// else untouched. FAILED_PRECONDITION when it contradicts another message
  /// of `trainer` in this step. The arrival stays until takePushes().
  absl::StatusOr<Arrival *> accept(int trainer, uint64_t sequence,
                                   const RowRange &rows, Done &done);
  /// Copies ids and gradients of a message. Needs no lock: nobody else touches
  /// the arrival before arrived().
  void copyIn(Arrival &arrival, const RowRange &rows, Pieces payload) const;
  /// The message counts now; returns the repeats to answer.
  std::vector<Done> arrived(int trainer, Arrival &arrival);

  bool hasPushed(int trainer) const override {
    return !pushed[trainer].arrivals.empty();
  }
  bool hasAll(std::span<const int> trainers) const override;
  std::unique_ptr<Node> makeMean(const std::vector<int> &contributors) override;
  /// Empty, or what is missing of a push that has begun: "it had pushed 3 of 5
  /// rows of table 'emb'".
  std::string whatIsMissing(int trainer) const;
  /// Forgets the pushes of the round, which the caller lets go when it holds no
  /// lock: freeing them takes its time.
  std::vector<Push> takePushes();

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// Reads the rows of `ids`, as Service::prefetch does. An id that several
  /// trainers ask for in a step, or one does again, has been accessed once:
  /// what is admitted does not depend on how a batch is dealt to trainers. Not
  /// while another prefetch or the update runs.
  absl::StatusOr<FetchedRows> prefetch(std::span<const int64_t> ids,
                                       bool frozen, ParallelRows parallel);
  /// As prefetch() for `trainer`, which has copies of the rows of some ids; a
  /// row that nobody else has updated since it asked for it last it may keep.
  absl::StatusOr<FetchedRows> refresh(int trainer, std::span<const int64_t> ids,
                                      std::span<const uint8_t> held,
                                      ParallelRows parallel);

  /// Makes the update's feed the mean over `contributors` of what they have
  /// pushed, zeros where they pushed nothing. Not before all pushes of the
  /// step are here.
  absl::Status merge(StepContext &context, std::span<const int> contributors);
  /// The table's rows are a step older, those that the step after `step`
  /// starts from. When the update is done; once is enough.
  void endStep(int64_t step);
  /// The last of those steps.
  int64_t ended() const { return endedStep; }

private:
  ServedTable(Table &table, int round) : UpdateUnit(round), table(table) {}
  void tellUpdaters(std::span<const int> contributors, ParallelRows parallel);
  absl::Status mergeClicks(std::span<const Arrival *const> arrivals);
  size_t pushBytes() const {
    return static_cast<size_t>(pushWidth()) * byteWidth(table.spec().dtype);
  }

  Table &table;
  Program *updateProgram = nullptr;
  RowBatch *feed = nullptr;
  int64_t endedStep = startupStep;
  /// By trainer.
  std::vector<Push> pushed;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SERVEDTABLE_H
