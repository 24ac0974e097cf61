// SPDX-License-Identifier: Apache-2.0
//===- CrashPoint.cpp - places where tests kill a process -----------------===//

#include "runtime/testing/CrashPoint.h"

#ifdef PS_CRASH_POINTS

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

struct Crash {
  std::string point, file;
  int64_t pass;
  std::atomic<int64_t> passes = 0;
};

/// What PS_CRASH_AT says.
std::deque<Crash> listCrashes() {
  std::deque<Crash> crashes;
  const char *text = std::getenv("PS_CRASH_AT");
  for (absl::string_view item : absl::StrSplit(text ? text : "", ',')) {
    const std::vector<std::string> parts = absl::StrSplit(item, ':');
    int64_t pass;
    if (parts.size() == 3 && absl::SimpleAtoi(parts[1], &pass))
      crashes.emplace_back(parts[0], parts[2], pass);
  }
  return crashes;
}

} // namespace

void ps::runtime::crashPoint(const char *point) {
  static std::deque<Crash> crashes = listCrashes();
  for (Crash &crash : crashes)
    if (crash.point == point && ++crash.passes == crash.pass &&
        ::open(crash.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
               0666) >= 0)
      ::kill(::getpid(), SIGKILL);
}

#else

void ps::runtime::crashPoint(const char *) {}

#endif
