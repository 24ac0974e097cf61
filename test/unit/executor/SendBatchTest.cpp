// SPDX-License-Identifier: Apache-2.0
//===- SendBatchTest.cpp - when messages that are kept back leave ---------===//

#include "runtime/executor/SendBatch.h"
#include <functional>
#include <gtest/gtest.h>
#include <thread>

using namespace ps::runtime;

namespace {

struct CountingSender : SendBatch::Sender {
  void sendKept() override {
    ++sent;
    if (then)
      then();
  }
  int sent = 0;
  std::function<void()> then;
};

TEST(SendBatch, NothingIsKeptBackWithoutOne) {
  auto sender = std::make_shared<CountingSender>();
  EXPECT_FALSE(SendBatch::join(sender));
  SendBatch::flush();
  {
    SendBatch batch;
    std::thread([&] { EXPECT_FALSE(SendBatch::join(sender)); }).join();
  }
  EXPECT_FALSE(SendBatch::join(sender));
  EXPECT_EQ(sender->sent, 0);
}

TEST(SendBatch, SendsOnceAtItsEndOrWhenAsked) {
  auto sender = std::make_shared<CountingSender>();
  {
    SendBatch batch;
    {
      SendBatch inner;
      EXPECT_TRUE(SendBatch::join(sender));
      EXPECT_TRUE(SendBatch::join(sender));
    }
    EXPECT_EQ(sender->sent, 0) << "it is part of the outer one";
    SendBatch::flush();
    EXPECT_EQ(sender->sent, 1);
    EXPECT_TRUE(SendBatch::join(sender));
  }
  EXPECT_EQ(sender->sent, 2);
}

TEST(SendBatch, SendsWhatSendingLeadsTo) {
  auto one = std::make_shared<CountingSender>();
  auto two = std::make_shared<CountingSender>();
  one->then = [&] { EXPECT_TRUE(SendBatch::join(two)); };
  {
    SendBatch batch;
    SendBatch::join(one);
  }
  EXPECT_EQ(one->sent, 1);
  EXPECT_EQ(two->sent, 1);
}

} // namespace
