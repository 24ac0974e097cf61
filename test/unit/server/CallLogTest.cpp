// SPDX-License-Identifier: Apache-2.0
//===- CallLogTest.cpp - what is read of a log ----------------------------===//

#include "runtime/server/log/CallLog.h"
#include "runtime/server/log/LoggedServer.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <filesystem>
#include <fstream>

using namespace ps::runtime;

namespace {
class CallLogTest : public testing::Test {
protected:
  static wire::Request barrier(int64_t step) {
    wire::Request request = requestFrom({1, 7});
    request.mutable_send_barrier()->set_step(step);
    return request;
  }
  CallLog begin(uint64_t number, const std::string &checkpoint = "") {
    return *CallLog::begin(dir, number,
                           {"job", "pserver_0", {}, checkpoint, {}});
  }
  /// Segment 1, with the barriers of so many steps and a payload each.
  void write(int64_t steps) {
    CallLog log = begin(1);
    for (int64_t step = 0; step < steps; ++step) {
      const std::string text(step, 'x');
      const Piece payload = std::as_bytes(std::span(text));
      ASSERT_TRUE(log.append(barrier(step), {&payload, 1}).ok());
    }
  }
  std::string path() const { return dir + "/00000001.calls"; }
  /// The steps of the barriers that are read.
  absl::StatusOr<std::vector<int64_t>> read(bool withPast = true) {
    absl::StatusOr<CallLogReader> reader = CallLogReader::open(dir, 1);
    if (!reader.ok())
      return reader.status();
    std::vector<int64_t> steps;
    absl::StatusOr<uint64_t> bytes =
        reader->forEach(withPast, [&](LoggedCall call) {
          EXPECT_EQ(call.request.trainer(), 1);
          steps.push_back(call.request.send_barrier().step());
          EXPECT_EQ(call.payload.size(), size_t(steps.back()));
          return absl::OkStatus();
        });
    if (!bytes.ok())
      return bytes.status();
    whole = *bytes;
    return steps;
  }

  const TemporaryDirectory directory;
  const std::string dir = directory / "log";
  uint64_t whole = 0;
};
} // namespace

TEST_F(CallLogTest, CallsAreReadInOrder) {
  write(3);
  EXPECT_EQ(*read(), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(whole, std::filesystem::file_size(path()));
}

TEST_F(CallLogTest, CallsBeforeASegmentAreLeftOutWhereTheyWereRead) {
  CallLog log = begin(1);
  ASSERT_TRUE(log.append(barrier(0), {}, /*isPast=*/true).ok());
  EXPECT_EQ(read(/*withPast=*/true)->size(), 1u);
  EXPECT_EQ(read(/*withPast=*/false)->size(), 0u);
}

/// At any byte.
TEST_F(CallLogTest, ARecordThatTheEndCutsShortIsDropped) {
  write(2);
  ASSERT_TRUE(read().ok());
  const uint64_t all = whole;
  write(3);
  const uint64_t size = std::filesystem::file_size(path());
  for (uint64_t cut = size - 1; cut >= all; --cut) {
    std::filesystem::resize_file(path(), cut);
    EXPECT_EQ(read()->size(), 2u);
    EXPECT_EQ(whole, all);
  }
}

/// As a machine may leave a file that it did not write to the end.
TEST_F(CallLogTest, ZerosAtTheEndAreDropped) {
  write(2);
  ASSERT_TRUE(read().ok());
  const uint64_t all = whole;
  std::filesystem::resize_file(path(), all + 100000);
  EXPECT_EQ(read()->size(), 2u);
  EXPECT_EQ(whole, all);
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(all + 90000));
  file.put(1).flush();
  EXPECT_TRUE(absl::IsDataLoss(read().status()));
}

TEST_F(CallLogTest, WhatIsAddedFollowsWhatIsWhole) {
  write(3);
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 1);
  ASSERT_TRUE(read().ok());
  {
    absl::StatusOr<CallLog> log = CallLog::reopen(dir, 1, whole);
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_TRUE(log->append(barrier(0), {}).ok());
  }
  EXPECT_EQ(*read(), (std::vector<int64_t>{0, 1, 0}));
}

TEST_F(CallLogTest, ADamagedByteIsNamed) {
  write(3);
  const uint64_t size = std::filesystem::file_size(path());
  for (uint64_t at = 0; at < size; ++at) {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.peek());
    auto put = [&](char value) {
      file.seekp(static_cast<std::streamoff>(at));
      file.put(value).flush();
    };
    put(static_cast<char>(byte ^ 0x10));
    EXPECT_TRUE(absl::IsDataLoss(read().status())) << "byte " << at;
    put(byte);
  }
  EXPECT_EQ(read()->size(), 3u);
}

TEST_F(CallLogTest, OneProcessWrites) {
  CallLog log = begin(1);
  const absl::Status second = CallLog::reopen(dir, 1, 0).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kFailedPrecondition) << second;
}

TEST_F(CallLogTest, TheLogOfAnotherJobIsRefused) {
  write(1);
  EXPECT_TRUE(findLoggedStart(dir, "job", "pserver_0").ok());
  for (auto [job, server] :
       {std::pair("other", "pserver_0"), std::pair("job", "pserver_1")}) {
    const absl::Status status = findLoggedStart(dir, job, server).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(server));
  }
}

TEST_F(CallLogTest, AFolderWithoutALogIsABeginning) {
  absl::StatusOr<std::optional<LoggedStart>> found =
      findLoggedStart(dir, "job", "pserver_0");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_FALSE(found->has_value());
}

TEST_F(CallLogTest, ACheckpointThatIsNotWholeIsGoneOverByTheSegmentBefore) {
  begin(1);
  begin(2, dir + "/step-1");
  begin(3, dir + "/step-2");
  auto firstOf = [&] {
    return (*findLoggedStart(dir, "job", "pserver_0"))->first;
  };
  EXPECT_EQ(firstOf(), 1u);
  std::filesystem::create_directories(dir + "/step-1");
  std::ofstream(dir + "/step-1/training.json") << "{}";
  EXPECT_EQ(firstOf(), 2u);
  EXPECT_EQ((*findLoggedStart(dir, "job", "pserver_0"))->last, 3u);
}
