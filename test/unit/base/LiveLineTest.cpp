// SPDX-License-Identifier: Apache-2.0
//===- LiveLineTest.cpp - what a terminal gets ----------------------------===//

#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

using namespace ps::runtime;

namespace {

/// Puts a terminal of `columns` in the place of `files`, and returns what
/// `write` has shown there.
std::string onTerminal(std::initializer_list<int> files, unsigned short columns,
                       const std::function<void()> &write) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(terminal, 0);
  grantpt(terminal);
  unlockpt(terminal);
  const int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  winsize size = {
      .ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(end, TIOCSWINSZ, &size);
  fflush(stdout);
  std::vector<int> kept;
  for (int file : files) {
    kept.push_back(dup(file));
    dup2(end, file);
  }
  write();
  fflush(stdout);
  for (size_t i = 0; i != kept.size(); ++i) {
    dup2(kept[i], std::data(files)[i]);
    close(kept[i]);
  }
  // What a terminal gets arrives some time later.
  EXPECT_EQ(::write(end, "#", 1), 1);
  std::string shown;
  for (char c; read(terminal, &c, 1) == 1 && c != '#';)
    shown += c;
  close(end);
  close(terminal);
  return shown;
}

TEST(LiveLineTest, IsRewrittenAndThenLeft) {
  EXPECT_EQ(onTerminal({STDOUT_FILENO}, 0,
                       [] {
                         showLiveLine("step 1");
                         showLiveLine("step 2");
                         endLiveLine();
                         endLiveLine();
                         printf("end\n");
                       }),
            "\r\x1b[Kstep 1\r\x1b[Kstep 2\r\nend\r\n");
}

TEST(LiveLineTest, WhatIsLoggedTakesItsPlace) {
  EXPECT_EQ(onTerminal({STDOUT_FILENO, STDERR_FILENO}, 0,
                       [] {
                         showLiveLine("step 1");
                         logInfo("a peer has gone");
                         logInfo("and is back");
                         showLiveLine("step 2");
                         endLiveLine();
                       }),
            "\r\x1b[Kstep 1\r\x1b[Ka peer has gone\r\nand is back\r\n"
            "\r\x1b[Kstep 2\r\n");
}

TEST(LiveLineTest, HasOneRow) {
  EXPECT_EQ(onTerminal({STDOUT_FILENO}, 6,
                       [] {
                         showLiveLine("step 123");
                         endLiveLine();
                       }),
            "\r\x1b[Kstep \r\n");
}

TEST(LiveLineTest, CharactersAreCutAsAWhole) {
  EXPECT_EQ(cutToWidth("aäb", 1), "a");
  EXPECT_EQ(cutToWidth("aäb", 2), "aä");
  EXPECT_EQ(cutToWidth("aäb", 3), "aäb");
  EXPECT_EQ(cutToWidth("aäb", 0), "aäb");
  EXPECT_EQ(cutToWidth("", 2), "");
}

} // namespace
