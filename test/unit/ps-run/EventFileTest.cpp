// SPDX-License-Identifier: Apache-2.0
//===- EventFileTest.cpp - what a run measured, as TensorBoard reads it ---===//

#include "tools/ps-run/output/EventFile.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace ps;

namespace {

/// The published check values, of "123456789" and of RFC 3720, B.4.
TEST(EventFileTest, Crc32c) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aa);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43);
}

/// The bytes of an event with one number, and of the record around it.
TEST(EventFileTest, Records) {
  const runtime::TemporaryDirectory folder;
  auto events = EventFile::create(folder / "a/b");
  ASSERT_TRUE(events.ok()) << events.status();
  (*events)->add(absl::UnixEpoch() + absl::Milliseconds(1500), 300,
                 {{"train/loss", 0.5}});
  ASSERT_TRUE((*events)->close().ok());
  std::filesystem::directory_iterator files(folder / "a/b");
  const std::filesystem::path path = files->path();
  EXPECT_NE(path.string().find("/events.out.tfevents."), std::string::npos);
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string all = text.str();
  const size_t first = 8 + 4 + 9 + 2 + 13 + 4;
  ASSERT_EQ(all.substr(8 + 4 + 9, 2 + 13), "\x1a\x0d"
                                           "brain.Event:2");
  const std::string event = std::string("\x09\0\0\0\0\0\0\xf8\x3f", 9) +
                            "\x10\xac\x02" + "\x2a\x13\x0a\x11\x0a\x0a" +
                            "train/loss" + std::string("\x15\0\0\0\x3f", 5);
  ASSERT_EQ(all.size(), first + 8 + 4 + event.size() + 4);
  EXPECT_EQ(all[first], static_cast<char>(event.size()));
  EXPECT_EQ(all.substr(first + 12, event.size()), event);
}

TEST(EventFileTest, AFolderThatCannotBeMade) {
  EXPECT_THAT(std::string(EventFile::create("/proc/no").status().message()),
              testing::HasSubstr("cannot write events to '/proc/no'"));
}

} // namespace
