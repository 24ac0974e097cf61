// SPDX-License-Identifier: Apache-2.0
//===- CrashPoint.cpp - places where tests kill a process -----------------===//

#include "runtime/testing/CrashPoint.h"

#ifdef PS_CRASH_POINTS

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace {

/// What PS_CRASH_AT says; `point` is empty without it.
struct Crash {
  std::string point, file;
  int64_t pass = 0;

  Crash() {
    const char *text = std::getenv("PS_CRASH_AT");
    const std::string value = text ? text : "";
    const size_t first = value.find(':'), second = value.find(':', first + 1);
    if (first == value.npos || second == value.npos)
      return;
    point = value.substr(0, first);
    pass = std::atoll(value.c_str() + first + 1);
    file = value.substr(second + 1);
  }
};

} // namespace

void ps::runtime::crashPoint(const char *point) {
  static const Crash crash;
  static std::atomic<int64_t> passes = 0;
  if (crash.point != point || ++passes != crash.pass)
    return;
  if (::open(crash.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
             0666) >= 0)
    ::kill(::getpid(), SIGKILL);
}

#else

void ps::runtime::crashPoint(const char *) {}

#endif
