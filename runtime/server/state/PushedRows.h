// SPDX-License-Identifier: Apache-2.0
//===- PushedRows.h - gradients of rows that trainers push ----------------===//
//
// What trainers push of a table during a step, and the sum of it. Pushes keep
// apart by trainer until the update adds them in the order of the trainers'
// ids: the result does not depend on the order of arrival.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PUSHEDROWS_H
#define PS_RUNTIME_SERVER_STATE_PUSHEDROWS_H

#include "runtime/server/state/PushedGradients.h"
#include "runtime/server/state/ServedTable.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The caller locks: one call at a time, except for copyIn and computeMean.
class PushedRows final : public PushedGradients {
public:
  /// `table` has a feed and outlives this.
  PushedRows(ServedTable &table, int trainers)
      : table(table), feed(*table.feed()), pushed(trainers) {}

  /// One message of a push, in the step it belongs to.
  struct Arrival {
    PushedRows *table = nullptr;
    int trainer = 0;
    uint64_t sequence = 0;
    /// Set once copyIn() is done.
    bool here = false;
    std::vector<int64_t> ids;
    std::unique_ptr<std::byte[]> gradients;
  };

  /// What a trainer has pushed in a step.
  struct Push {
    uint64_t total = 0;
    /// Rows of the messages that are here.
    uint64_t arrived = 0;
    /// Messages by their first row.
    std::map<uint64_t, Arrival> arrivals;

    /// Whether nothing is missing of what has begun to come.
    bool isHere() const;
    /// Whether no message is on its way to copyIn().
    bool isIdle() const;
  };

  ServedTable &target() const { return table; }

  /// Registers a message whose header has passed checkRows.
  /// FAILED_PRECONDITION when it contradicts another message of `trainer` in
  /// this step. The arrival stays until takePushes().
  absl::StatusOr<Arrival *> accept(int trainer, uint64_t sequence,
                                   const wire::Rows &rows);
  /// Copies ids and gradients of a message, which are then in the table's type.
  /// INVALID_ARGUMENT for gradients that no trainer sends: the message never
  /// counts then. Needs no lock: no other thread touches the arrival before
  /// arrived().
  absl::Status copyIn(Arrival &arrival, const wire::Rows &rows,
                      Pieces payload) const;
  /// The message counts now.
  void arrived(Arrival &arrival);
  /// copyIn() has failed: forgets the message.
  void reject(const Arrival &arrival);
  /// Forgets the pushes of the round, which the caller destroys when it holds
  /// no lock: freeing them takes its time. Messages of a trainer that is lost
  /// may be on their way to copyIn(): its last push stays.
  std::vector<Push> takePushes();

  bool hasPushed(int trainer) const override {
    return !pushed[trainer].arrivals.empty();
  }
  bool isComplete(int trainer) const override {
    return hasPushed(trainer) && pushed[trainer].isHere();
  }
  bool hasAll(std::span<const int> trainers) const override;
  /// A trainer that has pushed nothing contributes zeros: pending is what
  /// misses of a push that has begun, "it had pushed 3 of 5 rows of table
  /// 'emb'".
  std::string describePending(int trainer) const override;
  SettledPush settle(int trainer) override;
  /// Zeros count for a trainer that pushed nothing.
  absl::Status computeMean(StepContext &context,
                           std::span<const int> contributors) override;

private:
  void setLastWriters(std::span<const int> contributors, ParallelRows parallel);
  absl::Status mergeClicks(std::span<const Arrival *const> arrivals);

  ServedTable &table;
  RowBatch &feed;
  /// The pushes of each trainer.
  std::vector<Push> pushed;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PUSHEDROWS_H
