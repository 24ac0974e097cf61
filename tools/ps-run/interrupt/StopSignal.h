// SPDX-License-Identifier: Apache-2.0
//===- StopSignal.h - Ctrl-C ----------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_INTERRUPT_STOPSIGNAL_H
#define PS_TOOLS_PS_RUN_INTERRUPT_STOPSIGNAL_H

#include <functional>
#include <memory>
#include <string>

namespace ps {

/// Turns the first SIGINT, SIGTERM or, unless it is ignored, SIGHUP into a
/// request to stop; another SIGINT or SIGTERM ends the process, as the first
/// signal does before defer(). Copies share the request. Thread-safe.
class StopSignal {
public:
  /// Exit code of a run that was asked to stop.
  static constexpr int exitCode = 130;

  /// Takes over these signals of this process; called once, in main, before
  /// any other thread exists: the threads inherit the mask. With `isDeferred`
  /// as if defer() were called before any signal comes.
  static StopSignal install(bool isDeferred = false);

  /// From now on the end of standard input is a first signal, but never a
  /// second one: that of a pipe whose other end died with the process that
  /// started this one, which may get signals as well.
  void watchStandardInput() const;
  bool watchesStandardInput() const;
  /// The variable of the environment that asks for that.
  static constexpr char stopsWithInput[] = "PS_STOP_WITH_STDIN";

  /// From now on the first signal is a request: there is work to complete.
  void defer() const;
  /// Until defer() is called, again where it was, a request to stop, also one
  /// from before, runs `leave` and ends the process: it has not begun to work,
  /// but others know it.
  void leaveUntilDeferred(std::function<void()> leave) const;
  bool requested() const;
  /// Returns when requested() is true. Not to be called from a callback.
  void await() const;
  /// Whether no signal has come yet; from now on they are left to the program
  /// that this process is about to execute.
  bool handOver() const;
  /// As a signal after defer() does: another process of the job was asked to
  /// stop. Does not block.
  void request() const;
  /// Runs `callback` when stop is requested, on a thread of its own; at once if
  /// it was. Destroying the returned handle removes the callback, after waiting
  /// for it if it is running.
  [[nodiscard]] std::shared_ptr<void>
  onRequest(std::function<void()> callback) const;
  /// While the returned handle exists, the process ends only after what it is
  /// at: a request to stop, also one from before, logs that it stops when
  /// `what`, "the model is saved". `launch` gives such a trainer 0 more time.
  [[nodiscard]] std::shared_ptr<void> delayUntil(const std::string &what) const;
  /// How that line begins.
  static constexpr char delayed[] = "stops when ";

private:
  struct State;
  explicit StopSignal(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_INTERRUPT_STOPSIGNAL_H
