// SPDX-License-Identifier: Apache-2.0
//===- LoggedServer.h - a server that is rebuilt from its log -------------===//
//
// Writes each call that changes something to a CallLog before the server gets
// it. So a call that was answered is in the log; others are made again by their
// trainers, and the server recognizes repeated ones as it does after a lost
// connection. A process that is started in the place of one that was killed
// replays the logged calls into its own server, one after the other, and then
// listens: trainers go on as after an outage of the network.
//
// Where the order in which two calls arrive matters, nothing but their order in
// the log is repeated: sums of gradients that are added on arrival may be
// rounded differently.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_LOG_LOGGEDSERVER_H
#define PS_RUNTIME_SERVER_LOG_LOGGEDSERVER_H

#include "runtime/base/Mutex.h"
#include "runtime/server/PServer.h"
#include "runtime/server/log/CallLog.h"
#include "runtime/server/log/HeldAnswers.h"
#include "runtime/server/log/LogCopier.h"
#include "runtime/server/log/LogSync.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The state of a server that its log begins with.
struct LoggedStart {
  SegmentStart start;
  /// The segment that it begins, and the last one.
  uint64_t first = 1, last = 1;
};

/// Where a server goes on from by the log in `dir`: the newest segment whose
/// checkpoint is whole. No value where there is no log. FAILED_PRECONDITION for
/// the log of another job or server.
absl::StatusOr<std::optional<LoggedStart>>
findLoggedStart(const std::string &dir, const std::string &jobHash,
                const std::string &server);

/// Thread-safe.
class LoggedServer final : public Service {
public:
  struct Options {
    /// On a disk of this machine.
    std::string dir;
    std::string jobHash, server;
    RunOptions options;
    /// Whether the same calls give the same bits, so that files of a checkpoint
    /// may be written once more.
    bool repeatsSaves = false;
    /// Whether a call is answered when the log of it is on the disk, or when
    /// the system has it.
    bool syncs = false;
    /// What keeps a copy, which calls are in when they are answered. It is not
    /// waited for where it is away for longer than `peerTimeout`; at the
    /// beginning, for `connectTimeout`. Null for none.
    std::shared_ptr<Link> replica = nullptr;
    std::string replicaEndpoint = {};
    absl::Duration peerTimeout = absl::Seconds(30),
                   connectTimeout = absl::Seconds(300);
    Log log = {};
  };
  /// Begins a log in the folder, which has none, of a server that has the
  /// values of `checkpoint`, or initial ones where that is empty. `server`
  /// outlives the result.
  static absl::StatusOr<std::unique_ptr<LoggedServer>>
  begin(PServer &server, Options options, std::string checkpoint = "");
  /// Replays the calls of the log into `server`, which has the state `from`,
  /// and appends to the log from then on. Returns when all are done.
  static absl::StatusOr<std::unique_ptr<LoggedServer>>
  recover(PServer &server, Options options, const LoggedStart &from);

  ~LoggedServer() override;

  /// Where the log cannot be written the server is stopped.
  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void callerLost(const wire::Request &request) override;

  /// Waits until all answers have been given, and removes the log: the job is
  /// over.
  absl::Status discard();

private:
  LoggedServer(PServer &server, Options options)
      : server(server), options(std::move(options)) {}

  absl::Status keep();
  absl::Status record(const wire::Request &request, Pieces payload)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status replay(CallLogReader &reader, bool withPast, uint64_t &end,
                      uint64_t &calls);
  Respond noteGreeted(const wire::Request &request, Respond done);
  void note(const wire::Request &request, Pieces payload)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void noteMetric(const wire::Request &request, Pieces payload)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  const std::string *findCheckpoint(const wire::Request &request)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status beginSegment(const std::string &checkpoint)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status removeOld() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  PServer &server;
  const Options options;

  Mutex mutex;
  std::optional<CallLog> log ABSL_GUARDED_BY(mutex);

  /// The number of the last checkpoint that was staged.
  uint64_t lastStaged ABSL_GUARDED_BY(mutex) = 0;

  // What a segment repeats of the ones before it, since no checkpoint has it.

  /// The last handshake of each trainer that was accepted.
  std::map<int, LoggedCall> hellos ABSL_GUARDED_BY(mutex);
  /// Which folders trainer 0 has announced.
  std::vector<LoggedCall> announced ABSL_GUARDED_BY(mutex);
  /// Where trainers keep no step: those that have finished wait at one.
  std::map<int, LoggedCall> barriers ABSL_GUARDED_BY(mutex);
  /// The parts of each metric, by epoch and trainer, whose totals may be
  /// asked for again (MetricMerge.h), or that wait for others: the meetings
  /// around a checkpoint are metrics, too.
  using Parts = std::map<int, LoggedCall>;
  std::map<std::string, std::map<int64_t, Parts>>
      metrics ABSL_GUARDED_BY(mutex);

  HeldAnswers answers;
  std::optional<LogSync> sync;
  std::unique_ptr<LogCopier> copier;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_LOGGEDSERVER_H
