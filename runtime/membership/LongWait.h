// SPDX-License-Identifier: Apache-2.0
//===- LongWait.h - logs waits that take long -----------------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_LONGWAIT_H
#define PS_RUNTIME_MEMBERSHIP_LONGWAIT_H

#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Log.h"
#include <string>
#include <utility>

namespace ps::runtime {

/// A wait from its construction to its destruction, which are logged if it
/// takes longer than 5 s. The caller locks; `log` and `clock` outlive it.
class LongWait {
public:
  LongWait(const Log &log, const Clock &clock)
      : log(log), clock(clock), begin(clock.now()) {}
  ~LongWait() {
    if (!what.empty())
      logLine(log, absl::StrCat("no longer waiting for ", what, ", after ",
                                length()));
  }
  LongWait(const LongWait &) = delete;
  LongWait &operator=(const LongWait &) = delete;

  /// Whether it has become long and has not been logged. Asked about as often
  /// as the log is to be exact.
  bool isDue() const {
    return what.empty() && clock.now() - begin >= std::chrono::seconds(5);
  }
  /// Logs what it is for, once.
  void name(std::string reason) {
    what = std::move(reason);
    logLine(log,
            absl::StrCat("waiting for ", what, ", for ", length(), " so far"));
  }

private:
  std::string length() const {
    return absl::FormatDuration(absl::Trunc(
        absl::FromChrono(clock.now() - begin), absl::Milliseconds(100)));
  }

  const Log &log;
  const Clock &clock;
  const Clock::TimePoint begin;
  /// Empty until it is logged.
  std::string what;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_LONGWAIT_H
