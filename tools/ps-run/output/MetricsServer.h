// SPDX-License-Identifier: Apache-2.0
//===- MetricsServer.h - what a run measured, for Prometheus --------------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_METRICSSERVER_H
#define PS_TOOLS_PS_RUN_OUTPUT_METRICSSERVER_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Mutex.h"
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>

namespace ps {

/// Answers GET /metrics with the last value of each number, in the text format
/// of Prometheus. Thread-safe.
class MetricsServer {
public:
  struct Options {
    /// 0 takes a free one.
    int port = 0;
    /// Whether other machines may ask.
    bool isPublic = false;
    /// The label of all numbers, "trainer" for example.
    std::string role;
  };
  static absl::StatusOr<std::unique_ptr<MetricsServer>>
  listen(const Options &options);
  /// Ends a request that is under way.
  ~MetricsServer();

  int port() const { return ownPort; }
  /// `name` may hold any characters; `phase` becomes a label.
  void set(const std::string &name, const std::string &phase, double value);
  /// What a request gets.
  std::string text() const;

private:
  MetricsServer(runtime::Descriptor listener, int port, std::string role)
      : listener(std::move(listener)), ownPort(port), role(std::move(role)) {}
  void serve();
  void answer(const runtime::Descriptor &connection) const;

  const runtime::Descriptor listener;
  const int ownPort;
  const std::string role;
  std::atomic<bool> stopping = false;
  mutable runtime::Mutex mutex;
  /// For each name a value of each phase.
  std::map<std::string, std::map<std::string, double>>
      values ABSL_GUARDED_BY(mutex);
  std::thread thread;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_METRICSSERVER_H
