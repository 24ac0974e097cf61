// SPDX-License-Identifier: Apache-2.0
//===- StagedFeeds.h - a batch on its way into a program's feeds ----------===//

#ifndef PS_RUNTIME_DATA_STAGEDFEEDS_H
#define PS_RUNTIME_DATA_STAGEDFEEDS_H

#include "absl/status/statusor.h"
#include "runtime/executor/Program.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// Memory for one batch beside the feeds of a program: of the host for all of
/// them, and of the device for those that it reads. What the device reads
/// travels while a step runs, and is then moved within the device's memory: the
/// feeds keep their addresses. Thread-compatible.
class StagedFeeds {
public:
  struct Options {
    /// Whether batch() is filled while a step runs. Where it is not, feeds of
    /// the host are filled in place.
    bool ahead = true;
  };
  /// `program` outlives it.
  static absl::StatusOr<std::unique_ptr<StagedFeeds>> create(Program &program,
                                                             Options options);
  /// Waits for what deliver() queued.
  ~StagedFeeds() { program.device().drain(); }
  StagedFeeds(const StagedFeeds &) = delete;
  StagedFeeds &operator=(const StagedFeeds &) = delete;

  /// Where the host writes the batch, by nameFeed().
  const std::map<std::string, TensorRef> &batch() const { return onHost; }
  /// Has what the device reads of batch() sent to it, and waits for that.
  absl::Status send();
  /// Puts the batch into the feeds, between two steps. On the device it is
  /// queued: batch() may be filled again at once.
  absl::Status deliver();

private:
  explicit StagedFeeds(Program &program) : program(program) {}
  absl::StatusOr<TensorRef> allocate(const std::string &name, TensorRef feed,
                                     MemorySpace space);

  Program &program;
  std::map<std::string, TensorRef> onHost;
  struct Sent {
    TensorRef source, staged, feed;
  };
  std::vector<Sent> sent;
  std::vector<Buffer> memory;
  /// Behind the last use of what is staged on the device.
  Moment delivered;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_STAGEDFEEDS_H
