// SPDX-License-Identifier: Apache-2.0
//===- LiveLine.h - a line on the terminal that is rewritten --------------===//
//
// The last row of stdout, where that is a terminal. What else the process
// writes begins on a row of its own: on stdout after endLiveLine(), and on
// stderr, where that is the terminal, too, in the place of the live line, which
// is shown again below. Thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_LIVELINE_H
#define PS_RUNTIME_BASE_LIVELINE_H

#include "absl/strings/string_view.h"

namespace ps::runtime {

/// Shows `line` in the place of the one before, without what does not fit into
/// the width of the terminal.
void showLiveLine(absl::string_view line);

/// Leaves what is shown, if anything is, and begins the next row. Only makes
/// system calls.
void endLiveLine();

/// While something is written to stderr: removes what is shown, if anything is,
/// and keeps other threads from showing a line. What is written is formatted
/// before, for nothing may fail meanwhile.
class LiveLinePause {
public:
  LiveLinePause();
  ~LiveLinePause();
  LiveLinePause(const LiveLinePause &) = delete;
  LiveLinePause &operator=(const LiveLinePause &) = delete;
};

/// As much of `text` as `columns` characters of UTF-8 show; all of it for 0.
absl::string_view cutToWidth(absl::string_view text, int columns);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_LIVELINE_H
