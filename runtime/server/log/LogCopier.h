// SPDX-License-Identifier: Apache-2.0
//===- LogCopier.h - sends a log to its replica ---------------------------===//

#ifndef PS_RUNTIME_SERVER_LOG_LOGCOPIER_H
#define PS_RUNTIME_SERVER_LOG_LOGCOPIER_H

#include "absl/time/time.h"
#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/server/log/HeldAnswers.h"
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ps::runtime {

/// A keeper that copies the log in a folder, from its files, to a LogReplica.
/// One that is away is waited for; after a while answers are given without it,
/// and when it is back it gets what it lacks.
class LogCopier {
public:
  struct Options {
    std::string dir;
    std::string jobHash, server;
    /// The replica's, for messages.
    std::string endpoint;
    /// How long answers wait for a replica that is away, and how long the first
    /// call waits for one.
    absl::Duration patience = absl::Seconds(30),
                   connectTimeout = absl::Seconds(300);
    Log log = {};
  };
  /// Compares what the replica has with the log, which goes to `end`:
  /// FAILED_PRECONDITION if that is not the beginning of it. UNAVAILABLE if no
  /// replica answers.
  static absl::StatusOr<std::unique_ptr<LogCopier>>
  create(Options options, std::shared_ptr<Link> link, LogPosition end);
  ~LogCopier();

  /// Copies what `answers` has from now on. It outlives the copier, and is
  /// closed before its end.
  void start(HeldAnswers &answers);
  /// Copies nothing more, and has the replica remove its copy. After all
  /// answers have been given, and `answers` is closed.
  void discard();

private:
  LogCopier(Options options, std::shared_ptr<Link> link)
      : options(std::move(options)), link(std::move(link)) {}

  struct Copied {
    LogPosition end;
    uint64_t xxh3 = 0;
  };
  absl::StatusOr<Copied> send(wire::Replicate part, Pieces payload);
  absl::StatusOr<Copied> ask();
  std::string name() const;
  absl::Status describe(const absl::Status &status) const;
  absl::StatusOr<bool> isBeginning(const Copied &copied, LogPosition end) const;
  absl::Status findPart(const std::vector<uint64_t> &segments, LogPosition end);
  absl::Status copyUpTo(LogPosition end);
  void notePatience(absl::string_view why);
  void run();

  const Options options;
  const std::shared_ptr<Link> link;
  HeldAnswers *answers = nullptr;
  size_t keeper = 0;
  /// What the replica has.
  LogPosition at;
  /// The segment that is copied, `at.segment`.
  Descriptor file;
  std::vector<std::byte> buffer;
  /// While answers wait for it, since `began`.
  std::optional<LongWait> wait;
  Clock::TimePoint began;
  /// Whether answers are given without it.
  std::atomic<bool> isAway{false};
  Event ends;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_LOGCOPIER_H
