//===- InterruptTest.cpp - requests to stop -------------------------------===//

#include "runtime/Interrupt.h"
#include "test/unit/RuntimeTesting.h"
#include <atomic>
#include <csignal>
#include <future>

using namespace ps::runtime;

TEST(Interrupt, FirstSignalIsARequest) {
  std::promise<void> called;
  auto interrupt = *Interrupt::create([&] { called.set_value(); });
  EXPECT_FALSE(interrupt->requested());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupt->requested());
  EXPECT_EQ(interrupt->signal(), SIGINT);
  EXPECT_EQ(called.get_future().wait_for(std::chrono::seconds(30)),
            std::future_status::ready);
}

TEST(Interrupt, SecondSignalEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto interrupt = *Interrupt::create();
        std::raise(SIGTERM);
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(Interrupt, CanBeMadeAgain) {
  for (int i = 0; i < 2; ++i) {
    auto interrupt = *Interrupt::create();
    EXPECT_FALSE(interrupt->requested());
    EXPECT_TRUE(failsWith(Interrupt::create().status(),
                          absl::StatusCode::kFailedPrecondition,
                          "signals are handled already"));
    std::raise(SIGTERM);
    EXPECT_EQ(interrupt->signal(), SIGTERM);
  }
}
