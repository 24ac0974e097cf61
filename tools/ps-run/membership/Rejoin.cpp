// SPDX-License-Identifier: Apache-2.0
//===- Rejoin.cpp - a process that begins anew ----------------------------===//
//
// A process of an attempt that has ended may be anywhere: in a kernel, in a
// call that waits, within a checkpoint. What is on the disk is safe from a kill
// at any of these, so an exec is: it ends all threads, and needs no way out of
// each. Whatever supervises the process sees no end.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/membership/Rejoin.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <linux/close_range.h>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

/// In the environment of a program that has begun anew.
static constexpr char begunAnew[] = "PS_BEGUN_ANEW";

bool ps::hasBegunAnew() { return getenv(begunAnew) != nullptr; }

int ps::findParentDeathSignal() {
  int signal = 0;
  prctl(PR_GET_PDEATHSIG, &signal);
  return signal;
}

void ps::executeAnew(int parentDeathSignal,
                     std::vector<std::string> variables) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::vector<char *> arguments;
  for (size_t begin = 0; begin < text.size();
       begin = text.find('\0', begin) + 1) {
    arguments.push_back(text.data() + begin);
    if (text.find('\0', begin) == std::string::npos)
      break;
  }
  arguments.push_back(nullptr);
  // Connections end with the exec: peers notice at once.
  syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  // Linux starts no thread that would share the working directory with one that
  // is in execve(), and others may be starting threads.
  unshare(CLONE_FS);
  // The thread that calls execve() is the main thread of the program.
  prctl(PR_SET_PDEATHSIG, parentDeathSignal);
  // Not setenv(): other threads may read the environment.
  variables.push_back(absl::StrCat(begunAnew, "=1"));
  std::vector<char *> environment;
  for (char **variable = environ; *variable; ++variable)
    if (!absl::StartsWith(*variable, absl::StrCat(begunAnew, "=")))
      environment.push_back(*variable);
  for (std::string &variable : variables)
    environment.push_back(variable.data());
  environment.push_back(nullptr);
  execve("/proc/self/exe", arguments.data(), environment.data());
  runtime::logError(
      absl::StrCat("cannot execute the program anew: ", std::strerror(errno)));
  _exit(1);
}
