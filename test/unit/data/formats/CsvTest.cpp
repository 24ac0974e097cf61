// SPDX-License-Identifier: Apache-2.0
//===- CsvTest.cpp --------------------------------------------------------===//

#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

class CsvTest : public DatasetTest {
protected:
  absl::StatusOr<Dataset> read(std::string_view text, CsvOptions options = {}) {
    return readCsv(write("t.csv", text), options);
  }
  std::string error(std::string_view text, CsvOptions options = {}) {
    return std::string(read(text, options).status().message());
  }
};

TEST_F(CsvTest, TheLastColumnIsTheLabel) {
  auto data = read("1,2,3\n4,5,6\n");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 2);
  EXPECT_EQ(data->columns[0].width, 2);
  EXPECT_EQ(data->columns[0].at(1, 0), 4);
  EXPECT_EQ(data->columns[1].at(1, 0), 6);
}

TEST_F(CsvTest, DetectsAHeader) {
  auto data = read("a,b\n1,2\n");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 1);
}

TEST_F(CsvTest, ARowWithoutNamesIsNoHeader) {
  EXPECT_THAT(error("nan,inf\n1,2\n"),
              EndsWith("t.csv:1:1: 'nan' is not a number"));
  EXPECT_THAT(error("a,-inf\n1,2\n"),
              EndsWith("t.csv:1:1: 'a' is not a number"));
  EXPECT_THAT(error(", \n1,2\n"), EndsWith("t.csv:1:1: '' is not a number"));
  // The names of rows have none themselves.
  auto data = read(",b\n1,2\n");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 1);
}

TEST_F(CsvTest, SkipsAByteOrderMark) {
  auto numbers = read("\xef\xbb\xbf"
                      "1,2\n3,4\n");
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(numbers->size, 2);
  auto names = read("\xef\xbb\xbfy,x\n3,4\n", {.label = "y"});
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(names->columns[1].at(0, 0), 3);
}

TEST_F(CsvTest, OutOfMemory) {
  std::string text;
  for (int i = 0; i != 1 << 22; ++i)
    text += "1,2\n";
  std::string spec = "csv:" + write("big.csv", text);
  text = {};
  MemoryLimit limit(size_t(64) << 20);
  if (!limit.holds())
    GTEST_SKIP();
  absl::Status status = Dataset::open(spec).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  // Whoever asks for memory first says so.
  EXPECT_THAT(std::string(status.message()),
              AnyOf("data '" + spec + "': out of memory",
                    HasSubstr("data '" + spec + "': cannot allocate ")));
}

TEST_F(CsvTest, HeaderAndNoheader) {
  auto data = read("1,2\n3,4\n", {.header = CsvOptions::Header::Yes});
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->size, 1);
  EXPECT_THAT(error("a,b\n3,4\n", {.header = CsvOptions::Header::No}),
              EndsWith("t.csv:1:1: 'a' is not a number"));
}

TEST_F(CsvTest, LabelByNameAndIndex) {
  for (const char *label : {"y", "1", "-2"}) {
    auto data = read("x,y,z\n1,2,3\n", {.label = label});
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(data->columns[1].at(0, 0), 2);
    EXPECT_EQ(data->columns[0].at(0, 1), 3);
  }
}

TEST_F(CsvTest, NoLabel) {
  auto data = read("1,2\n", {.label = "none"});
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->columns.size(), 1u);
  EXPECT_EQ(data->columns[0].width, 2);
}

TEST_F(CsvTest, QuotesBlanksAndLineEnds) {
  auto data =
      read("\"a, b\" , c\r\n \"1\" , -2.5e1\r\n\r\n", {.label = "a, b"});
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns[0].at(0, 0), -25);
  EXPECT_EQ(data->columns[1].at(0, 0), 1);
}

TEST_F(CsvTest, AFileWithoutALastLineEnd) {
  auto data = read("1,2\n3,4");
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->size, 2);
}

TEST_F(CsvTest, MissingLabel) {
  EXPECT_THAT(error("x,y\n1,2\n", {.label = "w"}),
              EndsWith("has no column 'w', only x, y"));
  EXPECT_THAT(error("1,2\n", {.label = "w"}),
              EndsWith("has no column 'w': it has no header"));
  EXPECT_THAT(error("1,2\n", {.label = "2"}),
              EndsWith("has no column 2, only 0 to 1"));
}

TEST_F(CsvTest, NonNumericCellsAreNamedByFileLineAndColumn) {
  EXPECT_THAT(error("a,b\n1,2\n3,x\n"), EndsWith("t.csv:3:2: 'x' is not a "
                                                 "number"));
  EXPECT_THAT(error("1,2\n,4\n"), EndsWith("t.csv:2:1: '' is not a number"));
  EXPECT_THAT(error("1,2\nnan,4\n"),
              EndsWith("t.csv:2:1: 'nan' is not a number"));
  EXPECT_THAT(error("1,x\n1,2\n"), EndsWith("t.csv:1:2: 'x' is not a number"));
}

TEST_F(CsvTest, RaggedRows) {
  EXPECT_THAT(error("1,2\n1,2,3\n"),
              EndsWith("t.csv:2:3: expected 2 columns, found 3"));
  EXPECT_THAT(error("1,2\n\n1\n"),
              EndsWith("t.csv:3:2: expected 2 columns, found 1"));
}

TEST_F(CsvTest, Empty) {
  EXPECT_THAT(error(""), EndsWith("holds no samples"));
  EXPECT_THAT(error("a,b\n"), EndsWith("holds no samples"));
  EXPECT_THAT(error("\n\n"), EndsWith("holds no samples"));
}

} // namespace
