// SPDX-License-Identifier: Apache-2.0
//===- BatchFramesTest.cpp - samples in the frames of a batch server ------===//

#include "runtime/data/served/BatchFrames.h"
#include "test/unit/MemoryLimit.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

template <typename... T>
std::string bytes(T... values) {
  std::string text;
  (text.append(reinterpret_cast<const char *>(&values), sizeof(values)), ...);
  return text;
}

std::string frame(const std::string &kind, const std::string &text,
                  uint32_t flags = 0) {
  return kind + bytes(flags, uint64_t(text.size())) + text;
}

std::string column(const std::string &name, const std::string &descr,
                   uint8_t ragged, int64_t width) {
  return bytes(uint16_t(name.size())) + name + descr + bytes(ragged, width);
}

/// x of two floats, n of an int8, s of bags.
const std::string kColumns =
    frame("COLS", column("x", "<f4", 0, 2) + column("n", "|i1", 0, 1) +
                      column("s", "<i8", 1, 1));
/// Two samples with bags of one and of two ids.
const std::string kTwo = bytes(int64_t(2)) + bytes(1.f, 2.f, 3.f, 4.f) +
                         bytes(int8_t(-5), int8_t(6)) +
                         bytes(int64_t(0), int64_t(1), int64_t(3)) +
                         bytes(int64_t(7), int64_t(8), int64_t(9));

/// Reads `text` as what a server sends.
BatchFrames framesOf(std::string text) {
  return BatchFrames("batches:unix:s", [text = std::move(text), at = size_t(0)](
                                           void *to, size_t size) mutable {
    if (size > text.size() - at)
      return absl::UnavailableError("cut short");
    std::memcpy(to, text.data() + at, size);
    at += size;
    return absl::OkStatus();
  });
}

/// What is wrong with columns, and one frame of samples, in `text`.
std::string errorOf(const std::string &text,
                    std::optional<int64_t> expected = {}) {
  BatchFrames frames = framesOf(text);
  if (absl::Status columns = frames.readColumns(); !columns.ok())
    return std::string(columns.message());
  Dataset data = frames.makeDataset();
  return std::string(frames.readSamples(data, expected).status().message());
}

TEST(BatchFramesTest, SamplesOfSeveralFramesAddUp) {
  BatchFrames frames = framesOf(kColumns + frame("SMPL", kTwo) +
                                frame("SMPL", kTwo, kEndsEpoch | kEndsData));
  ASSERT_TRUE(frames.readColumns().ok());
  Dataset data = frames.makeDataset();
  auto end = frames.readSamples(data, 2);
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_FALSE(end->ofEpoch || end->ofData);
  end = frames.readSamples(data);
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_TRUE(end->ofEpoch && end->ofData);
  ASSERT_EQ(data.size, 4);
  EXPECT_EQ(data.columns[0].at(3, 1), 4);
  EXPECT_EQ(data.columns[1].at(0, 0), -5);
  EXPECT_EQ(data.columns[1].at(3, 0), 6);
  EXPECT_THAT(data.columns[2].offsets, ElementsAre(0, 1, 3, 4, 6));
  EXPECT_EQ(data.columns[2].at(3, 1), 9);
}

TEST(BatchFramesTest, CutShortAtEveryByte) {
  const std::string all = kColumns + frame("SMPL", kTwo);
  EXPECT_EQ(errorOf(all), "");
  for (size_t size = 0; size != all.size(); ++size) {
    const std::string error = errorOf(all.substr(0, size));
    EXPECT_THAT(error, HasSubstr("data 'batches:unix:s': byte "));
    EXPECT_THAT(error, HasSubstr(": cut short"));
  }
}

TEST(BatchFramesTest, HostileColumns) {
  EXPECT_EQ(errorOf(frame("SMPL", kTwo)),
            "data 'batches:unix:s': byte 16 of frame 0: expected a frame "
            "'COLS', found 'SMPL'");
  EXPECT_THAT(errorOf("COLS" + bytes(uint32_t(0), ~uint64_t(0))),
              HasSubstr("expected columns of at most 1048576 bytes, found "
                        "18446744073709551615"));
  EXPECT_THAT(errorOf(frame("COLS", "")),
              HasSubstr("expected 2 bytes of the length of a name, found 0 in "
                        "the frame"));
  EXPECT_THAT(errorOf(frame("COLS", bytes(uint16_t(9)) + "x")),
              HasSubstr("expected 9 bytes of the name of a column, found 1"));
  EXPECT_THAT(errorOf(frame("COLS", column("\x1b[2J", "<f4", 0, 1))),
              HasSubstr("expected the name of a column, found '\\x1b[2J'"));
  EXPECT_THAT(errorOf(frame("COLS", column("x", "<c8", 0, 1))),
              HasSubstr("column 'x': expected elements of float16"));
  EXPECT_THAT(errorOf(frame("COLS", column("x", "<f4", 2, 1))),
              HasSubstr("column 'x': expected 0, or 1 for bags, found 2"));
  EXPECT_THAT(errorOf(frame("COLS", column("x", "<f4", 0, -1))),
              HasSubstr("expected 1 or more elements per sample, found -1"));
  EXPECT_THAT(errorOf(frame("COLS", column("x", "<f4", 0, 1) +
                                        column("x", "<f4", 0, 1))),
              HasSubstr("column 'x' is given twice"));
}

TEST(BatchFramesTest, HostileSamples) {
  auto error = [](const std::string &text, uint32_t flags = 0,
                  std::optional<int64_t> expected = {}) {
    return errorOf(kColumns + frame("SMPL", text, flags), expected);
  };
  EXPECT_THAT(error(kTwo, kEndsData), HasSubstr("expected flags 0, 1 or 3"));
  EXPECT_THAT(error(kTwo, 4), HasSubstr("expected flags 0, 1 or 3, found 4"));
  EXPECT_EQ(error(kTwo, 0, 3), "data 'batches:unix:s': byte 24 of frame 1: "
                               "expected 3 samples, found 2");
  for (int64_t samples : {int64_t(-1), int64_t(0), INT64_MAX, INT64_MIN})
    EXPECT_THAT(error(bytes(samples) + kTwo.substr(8)),
                HasSubstr("expected samples, in 66 bytes, found "));
  EXPECT_THAT(error(bytes(int64_t(9)) + kTwo.substr(8)),
              HasSubstr("column 'x': expected 18 elements, found 66 bytes"));
  EXPECT_THAT(error(kTwo + "x"),
              HasSubstr("expected the end of the frame, found 1 more bytes"));
}

TEST(BatchFramesTest, HostileOffsets) {
  const std::string before = kTwo.substr(0, 8 + 16 + 2);
  const std::string after = kTwo.substr(before.size() + 24);
  auto error = [&](int64_t first, int64_t second, int64_t last) {
    return errorOf(kColumns +
                   frame("SMPL", before + bytes(first, second, last) + after));
  };
  EXPECT_EQ(error(0, 1, 3), "");
  EXPECT_THAT(error(1, 1, 3),
              HasSubstr("column 's': expected offset 0 from 0 to 0, found 1"));
  EXPECT_THAT(error(0, 2, 1), HasSubstr("expected offset 2 from 2 to "));
  EXPECT_THAT(error(0, -1, 3), HasSubstr("expected offset 1 from 0 to "));
  EXPECT_THAT(error(0, 1, INT64_MAX), HasSubstr("expected offset 2 from 1 to"));
  EXPECT_THAT(error(0, 1, 4), HasSubstr("column 's': expected 4 elements"));
  EXPECT_THAT(error(0, 1, 2), HasSubstr("expected the end of the frame"));
}

/// A size that nothing follows takes no memory.
TEST(BatchFramesTest, MemoryGrowsWithWhatIsReceived) {
  constexpr int64_t huge = int64_t(1) << 40;
  const std::string columns =
      frame("COLS", column("x", "<f4", 0, huge) + column("s", "<i2", 1, 1));
  EXPECT_THAT(errorOf(columns + "SMPL" + bytes(uint32_t(0), uint64_t(1) << 60) +
                      bytes(int64_t(2), 1.f)),
              HasSubstr("byte 24 of frame 1: cut short"));
}

TEST(BatchFramesTest, AnErrorOfTheServerIsOneLine) {
  EXPECT_EQ(errorOf(kColumns + frame("FAIL", "no\nfile")),
            "data 'batches:unix:s': its server: no\\x0afile");
  EXPECT_THAT(errorOf("FAIL" + bytes(uint32_t(0), uint64_t(1) << 40)),
              HasSubstr("expected an error of at most 1048576 bytes"));
}

} // namespace
