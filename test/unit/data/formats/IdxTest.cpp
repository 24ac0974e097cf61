// SPDX-License-Identifier: Apache-2.0
//===- IdxTest.cpp --------------------------------------------------------===//

#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <cstring>
#include <zlib.h>

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

class IdxTest : public DatasetTest {
protected:
  /// Two images of 2x3, pixels 0 .. 11.
  static std::string images() {
    std::string bytes("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03", 16);
    for (char pixel = 0; pixel != 12; ++pixel)
      bytes += pixel;
    return bytes;
  }
  static std::string labels() {
    return std::string("\0\0\x08\x01\0\0\0\x02\x07\xff", 10);
  }
  std::string error(const std::string &images, const std::string &labels) {
    return std::string(readIdx(images, labels).status().message());
  }
};

TEST_F(IdxTest, ReadsImagesAndLabels) {
  auto data = readIdx(write("img", images()), write("lab", labels()));
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 2);
  ASSERT_EQ(data->columns.size(), 2u);
  EXPECT_EQ(data->columns[0].width, 6);
  EXPECT_EQ(data->columns[0].at(1, 5), 11);
  EXPECT_EQ(data->columns[0].scale, 1.0 / 255);
  EXPECT_EQ(data->columns[1].at(0, 0), 7);
  EXPECT_EQ(data->columns[1].at(1, 0), 255);
  EXPECT_EQ(data->columns[1].scale, 1);
}

TEST_F(IdxTest, ReadsGzippedFiles) {
  gzFile file = gzopen(path("img.gz").c_str(), "wb");
  gzwrite(file, images().data(), images().size());
  gzclose(file);
  auto data = readIdx(path("img.gz"), "");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns.size(), 1u);
  EXPECT_EQ(data->columns[0].at(1, 0), 6);
}

TEST_F(IdxTest, TruncatedGzip) {
  gzFile file = gzopen(path("whole.gz").c_str(), "wb");
  gzwrite(file, images().data(), images().size());
  gzclose(file);
  std::ifstream whole(path("whole.gz"), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(whole), {});
  EXPECT_THAT(error(write("img.gz", bytes.substr(0, bytes.size() - 12)), ""),
              HasSubstr("the gzip stream is cut short"));
}

TEST_F(IdxTest, MissingFile) {
  EXPECT_THAT(error(path("nowhere"), ""),
              HasSubstr("No such file or directory"));
}

TEST_F(IdxTest, FolderInsteadOfFile) {
  EXPECT_THAT(error(path(""), ""), HasSubstr("not a regular file"));
}

TEST_F(IdxTest, WrongMagic) {
  std::string bytes = images();
  bytes[2] = 0x0d;
  EXPECT_THAT(error(write("img", bytes), ""),
              HasSubstr("wrong magic number 0x00000d03, expected 0x00000803"));
}

TEST_F(IdxTest, LabelsGivenAsImages) {
  EXPECT_THAT(error(write("lab", labels()), ""),
              HasSubstr("wrong magic number 0x00000801"));
}

TEST_F(IdxTest, Truncated) {
  EXPECT_THAT(error(write("img", images().substr(0, 27)), ""),
              HasSubstr("truncated"));
  EXPECT_THAT(error(write("img", images().substr(0, 10)), ""),
              HasSubstr("truncated: the header takes 4 bytes, found 2"));
  EXPECT_THAT(error(write("img", ""), ""),
              HasSubstr("truncated: the magic number"));
}

TEST_F(IdxTest, SizesInTheHeaderAreCheckedBeforeAllocation) {
  std::string bytes = images();
  for (int i = 4; i != 16; ++i)
    bytes[i] = '\xff';
  EXPECT_THAT(error(write("img", bytes), ""), HasSubstr("overflow"));
  for (int i = 12; i != 15; ++i)
    bytes[i] = 0;
  EXPECT_THAT(error(write("img", bytes), ""), HasSubstr("overflow"));
  bytes[4] = bytes[8] = 0;
  EXPECT_THAT(error(write("img", bytes), ""),
              HasSubstr("more than the file holds"));
}

TEST_F(IdxTest, MemoryGrowsWithWhatAPackedFileHolds) {
  // 4 MB that do not compress, behind a header that promises 2 GiB.
  std::string bytes("\0\0\x08\x03\0\x20\0\0\0\0\0\x20\0\0\0\x20", 16);
  uint32_t random = 1;
  for (int i = 0; i != 4'000'000; ++i)
    bytes += static_cast<char>((random = random * 1664525 + 1013904223) >> 24);
  gzFile file = gzopen(path("img.gz").c_str(), "wb1");
  gzwrite(file, bytes.data(), bytes.size());
  gzclose(file);
  MemoryLimit limit(size_t(256) << 20);
  if (!limit.holds())
    GTEST_SKIP();
  EXPECT_THAT(error(path("img.gz"), ""),
              HasSubstr("truncated: its elements takes 2147483648 bytes, found "
                        "4000000"));
}

TEST_F(IdxTest, LargePackedFilesArriveWhole) {
  std::string bytes("\0\0\x08\x03\0\0\x9c\x40\0\0\0\x20\0\0\0\x20", 16);
  for (int i = 0; i != 40'000 * 1024; ++i)
    bytes += static_cast<char>(i % 251);
  gzFile file = gzopen(path("img.gz").c_str(), "wb1");
  gzwrite(file, bytes.data(), bytes.size());
  gzclose(file);
  auto data = readIdx(path("img.gz"), "");
  ASSERT_TRUE(data.ok()) << data.status();
  const Buffer &found = data->columns[0].bytes;
  ASSERT_EQ(found.size(), bytes.size() - 16);
  EXPECT_EQ(std::memcmp(found.data(), bytes.data() + 16, found.size()), 0);
}

TEST_F(IdxTest, LongerThanTheHeaderSays) {
  EXPECT_THAT(error(write("img", images() + "x"), ""),
              HasSubstr("longer than its header says"));
}

TEST_F(IdxTest, NoSamples) {
  EXPECT_THAT(error(write("lab", std::string("\0\0\x08\x03\0\0\0\0\0\0\0\x02"
                                             "\0\0\0\x03",
                                             16)),
                    ""),
              HasSubstr("holds no samples"));
}

TEST_F(IdxTest, DifferentCounts) {
  std::string three("\0\0\x08\x01\0\0\0\x03\x01\x02\x03", 11);
  EXPECT_THAT(
      error(write("img", images()), write("lab", three)),
      testing::AllOf(HasSubstr("holds 2 images"), HasSubstr("holds 3 labels")));
}

} // namespace
