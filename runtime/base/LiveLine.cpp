// SPDX-License-Identifier: Apache-2.0
//===- LiveLine.cpp - a line on the terminal that is rewritten ------------===//
//
// The terminal rewrites one row: a longer line would leave a row behind each
// time that it is shown.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/LiveLine.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include <cstdio>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace ps::runtime;

/// Moves to the first column and removes the row.
static constexpr absl::string_view startOver = "\r\x1b[K";

/// Also for the last row of the terminal itself.
static Mutex terminal;
static bool isShown ABSL_GUARDED_BY(terminal) = false;

static void put(int file, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written <= 0)
      return;
    text.remove_prefix(written);
  }
}

absl::string_view ps::runtime::cutToWidth(absl::string_view text, int columns) {
  if (columns <= 0)
    return text;
  size_t size = 0;
  for (int column = 0; size != text.size(); ++size) {
    const bool begins = (static_cast<unsigned char>(text[size]) & 0xc0) != 0x80;
    if (begins && column++ == columns)
      break;
  }
  return text.substr(0, size);
}

/// 0 where it is not known. A row that is full would wrap on some terminals.
static int findWidth() {
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1
             ? size.ws_col - 1
             : 0;
}

void ps::runtime::showLiveLine(absl::string_view line) {
  const std::string row =
      absl::StrCat(startOver, cutToWidth(line, findWidth()));
  fflush(stdout);
  terminal.lock();
  put(STDOUT_FILENO, row);
  isShown = true;
  terminal.unlock();
}

void ps::runtime::endLiveLine() {
  terminal.lock();
  if (isShown)
    put(STDOUT_FILENO, "\n");
  isShown = false;
  terminal.unlock();
}

LiveLinePause::LiveLinePause() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  terminal.lock();
  if (!isShown || isatty(STDERR_FILENO) != 1)
    return;
  put(STDERR_FILENO, startOver);
  isShown = false;
}

LiveLinePause::~LiveLinePause() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  terminal.unlock();
}
