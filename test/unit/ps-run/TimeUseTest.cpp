// SPDX-License-Identifier: Apache-2.0
//===- TimeUseTest.cpp - the line about where time went -------------------===//

#include "tools/ps-run/output/TimeUse.h"
#include "gtest/gtest.h"

using namespace ps;
using namespace ps::runtime;

namespace {

TEST(TimeUse, NamesWhatTookTimeAndTheRest) {
  TimeUse time;
  time.total = 10;
  time.steps = 8;
  time.waits[Node::Kind::Recv] = std::chrono::seconds(2);
  time.waits[Node::Kind::SendBarrier] = std::chrono::milliseconds(2500);
  time.waits[Node::Kind::FetchBarrier] = std::chrono::milliseconds(500);
  time.data = 1;
  time.evaluation = 0.05; // Less than a percent.
  EXPECT_EQ(time.str(), "time  10 s  compute 30 %  barrier 30 %  pull 20 %  "
                        "data 10 %  other 10 %");
}

TEST(TimeUse, ARunThatOnlyComputesSaysSo) {
  TimeUse time;
  time.total = time.steps = 0.5;
  EXPECT_EQ(time.str(), "time  0.5 s  compute 100 %");
}

TEST(TimeUse, NothingIsDividedByZero) {
  EXPECT_EQ(TimeUse().str(), "time  0 s  other 100 %");
}

} // namespace
