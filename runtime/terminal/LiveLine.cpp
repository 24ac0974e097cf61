// SPDX-License-Identifier: Apache-2.0
//===- LiveLine.cpp - a line on the terminal that is rewritten ------------===//
//
// The terminal rewrites one row: a longer line would leave a row behind each
// time that it is shown.
//
//===----------------------------------------------------------------------===//

#include "runtime/terminal/LiveLine.h"
#include "absl/strings/str_cat.h"
#include <atomic>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace ps::runtime;

/// Moves to the first column and removes the row.
static constexpr absl::string_view startOver = "\r\x1b[K";

static std::atomic<bool> isShown{false};

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
  fflush(stdout);
  isShown = true;
  put(STDOUT_FILENO, absl::StrCat(startOver, cutToWidth(line, findWidth())));
}

void ps::runtime::endLiveLine() {
  if (isShown.exchange(false))
    put(STDOUT_FILENO, "\n");
}

void ps::runtime::clearLiveLine() {
  if (isShown && isatty(STDERR_FILENO) == 1 && isShown.exchange(false))
    put(STDERR_FILENO, startOver);
}
