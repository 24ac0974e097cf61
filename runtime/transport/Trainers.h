//===- Trainers.h - the trainers of a job, as a pserver knows them --------===//
//
// Each trainer walks through phases of its own:
//
//   Absent -> Pulling -1 -> Pushing 0 -> Waiting 0 -> Pulling 0 -> Pushing 1 ..
//                                                               -> Completed
//
// Steps are the protocol's: a round of a program's step is one.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_TRAINERS_H
#define PS_RUNTIME_TRANSPORT_TRAINERS_H

#include "runtime/transport/Answers.h"
#include <chrono>
#include <deque>
#include <string>
#include <vector>

namespace ps::runtime {

enum class Phase { Absent, Pulling, Pushing, Waiting, Completed };

/// Where a trainer is in the order of its calls. The caller locks.
class Trainer {
public:
  using Clock = std::chrono::steady_clock;

  Trainer(int id, Rounds rounds) : id(id), rounds(rounds) {}

  /// Whether it may ask for the rows that `step` starts from, or at all for
  /// rows that stay as they are.
  bool mayPrefetch(int64_t step) const;
  bool mayPrefetchFrozen() const {
    return phase == Phase::Pulling || phase == Phase::Pushing;
  }
  /// Whether it is in the midst of a step's rounds, or at a send barrier.
  bool isWithinStep() const;

  /// All pushes of its step have come: it waits for the others. `done` is the
  /// answer to its send barrier.
  void wait(Done done);
  /// The fetch barrier of its step: it goes on to the next one.
  void startStep();
  /// Notes that it has made push `sequence` in its step.
  void pushed(uint64_t sequence);

  /// FAILED_PRECONDITION: what it may do next, against what it did.
  absl::Status outOfOrder(absl::string_view found, int64_t step) const;
  /// "pushes or the send barrier of step 3".
  std::string nextCalls() const;
  /// "3": the program's step that it is in.
  std::string nameStep() const { return rounds.str(step); }
  /// Which round of it that is.
  int round() const { return rounds.roundOf(step); }

  const int id;
  Phase phase = Phase::Absent;
  uint64_t incarnation = 0;
  RunOptions options;
  /// Of the values it pulls or the gradients it pushes; the protocol's.
  int64_t step = startupStep;
  /// Its last sign of life.
  Clock::time_point heard;
  /// Pushes numbered up to here belong to earlier steps.
  uint64_t settled = 0;
  /// Whether any push of this step has come.
  bool begun = false;
  /// Whether it has the answer to its completion.
  bool hasConfirmed = false;
  Done heartbeat;
  /// Answers to its send barrier, which may be repeated.
  std::vector<Done> barrier;

  /// Lets another process take its place.
  void replaceBy(uint64_t newcomer);
  /// Whether another process has taken the place of that of `incarnation`.
  bool hasReplaced(uint64_t incarnation) const;

private:
  const Rounds rounds;
  /// Of its pushes.
  uint64_t highest = 0;
  /// The last processes whose place was taken.
  std::deque<uint64_t> replaced;
};

/// The trainers of a job. The caller locks.
class Trainers {
public:
  Trainers(int count, Rounds rounds, std::string jobHash,
           absl::Duration peerTimeout, RunOptions options = {});

  /// A handshake. FAILED_PRECONDITION when job, timeout or an option differ,
  /// ALREADY_EXISTS when another process has the trainer's place. Until the
  /// startup is over a later process takes it, and the former cannot take it
  /// back: `replaced` is called with the trainer and the reason, for what it
  /// has sent before to fail.
  absl::Status
  admit(const Hello &hello, Answers &answers,
        absl::FunctionRef<void(Trainer &, const absl::Status &)> replaced);
  /// The trainer that sent `what`, which is a sign of its life.
  absl::StatusOr<Trainer *> identify(Peer peer, absl::string_view what);
  /// It leaves, and its heartbeat is answered.
  void complete(Trainer &trainer, Answers &answers);

  /// Whether all have the answer to their completion.
  bool allHaveConfirmed() const;

  /// Those that have not completed, in order.
  const std::vector<int> &live() const { return liveIds; }
  /// Whether all of those, and at least one, wait at the send barrier.
  bool allWait() const;
  /// The step has ended: those that wait pull, and are told.
  void endStep(Answers &answers);
  /// Answers whatever they wait for.
  void cancel(const absl::Status &status, Answers &answers);

  const Trainer &operator[](int id) const { return all[id]; }
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }

private:
  absl::Status checkId(int id) const;
  absl::Status checkOptions(const Hello &hello) const;

  const std::string jobHash;
  const absl::Duration peerTimeout;
  const RunOptions options;
  std::vector<Trainer> all;
  std::vector<int> liveIds;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_TRAINERS_H
