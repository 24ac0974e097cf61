// SPDX-License-Identifier: Apache-2.0
//===- LogTest.cpp - lines of text and of JSON ----------------------------===//

#include "runtime/base/Log.h"
#include "absl/strings/match.h"
#include <gtest/gtest.h>

using namespace ps::runtime;

namespace {
/// Leaves the format of the process as it was.
class LogTest : public testing::Test {
protected:
  ~LogTest() override {
    setLogFormat(LogFormat::Text);
    setLogProcess(nullptr);
  }
};
} // namespace

TEST_F(LogTest, TextHasItsLevelAsPrefix) {
  EXPECT_EQ(formatLog(LogLevel::Info, "ready", 3), "ready");
  EXPECT_EQ(formatLog(LogLevel::Warning, "full"), "ps-run: warning: full");
  EXPECT_EQ(formatLog(LogLevel::Error, "lost"), "ps-run: error: lost");
}

TEST_F(LogTest, JsonNamesProcessAndStep) {
  setLogFormat(LogFormat::Json);
  setLogProcess("trainer", 2);
  EXPECT_TRUE(absl::EndsWith(
      formatLog(LogLevel::Warning, "a \"b\"\n", 7),
      R"("level":"warning","role":"trainer","rank":2,"message":"a \"b\"\n","step":7})"));
  setLogProcess(nullptr);
  EXPECT_TRUE(absl::EndsWith(
      formatLog(LogLevel::Info, ""),
      R"("level":"info","role":null,"rank":null,"message":""})"));
}

TEST_F(LogTest, JsonReplacesWhatIsNoUtf8) {
  setLogFormat(LogFormat::Json);
  EXPECT_TRUE(absl::StrContains(formatLog(LogLevel::Info, "a\xff"),
                                "\"message\":\"a\xef\xbf\xbd\""));
}

TEST_F(LogTest, BothFormatsAreReadBack) {
  for (LogFormat format : {LogFormat::Text, LogFormat::Json})
    for (LogLevel level :
         {LogLevel::Info, LogLevel::Warning, LogLevel::Error}) {
      setLogFormat(format);
      const LogRecord record = parseLog(formatLog(level, "{a} b"));
      EXPECT_EQ(record.level, level);
      EXPECT_EQ(record.message, "{a} b");
      EXPECT_EQ(record.isJson, format == LogFormat::Json);
    }
}

TEST_F(LogTest, OtherLinesAreMessages) {
  for (const char *line : {"", "epoch 0", "{", "{}", R"({"level":"info"})",
                           R"({"level":"loud","message":"a"})",
                           R"({"level":"info","message":1})"}) {
    const LogRecord record = parseLog(line);
    EXPECT_EQ(record.level, LogLevel::Info) << line;
    EXPECT_EQ(record.message, line);
    EXPECT_FALSE(record.isJson) << line;
  }
}
