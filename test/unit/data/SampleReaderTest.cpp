// SPDX-License-Identifier: Apache-2.0
//===- SampleReaderTest.cpp - text files to samples -----------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <fstream>
#include <zlib.h>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Files whose lines are "1 I 2 I I+1" for the slots y and s.
class SampleReaderTest : public DatasetTest {
protected:
  SampleReaderTest() {
    options.feeds = {{"y", {DType::F32, {-1, 1}}},
                     {"s", {DType::I64, {-1}}, true},
                     {"s.offsets", {DType::I64, {-1}}}};
  }
  static std::string lines(int64_t first, int64_t count) {
    std::string text;
    for (int64_t i = first; i != first + count; ++i)
      absl::StrAppend(&text, "1 ", i, " 2 ", i, " ", i + 1, "\n");
    return text;
  }
  std::string error(const std::string &spec) {
    return std::string(Dataset::open(spec, options).status().message());
  }
  /// The y of all samples.
  static std::vector<int64_t> labels(const Dataset &data) {
    std::vector<int64_t> all;
    for (int64_t i = 0; i != data.size; ++i)
      all.push_back(data.columns[0].at(i, 0));
    return all;
  }
  static std::vector<int64_t> count(int64_t size) {
    std::vector<int64_t> all(size);
    for (int64_t i = 0; i != size; ++i)
      all[i] = i;
    return all;
  }

  DataOptions options;
};

TEST_F(SampleReaderTest, FilesInOrderForAnyNumberOfThreads) {
  write("a-1", lines(0, 150000)); // several blocks
  write("a-2", "");
  write("a-3", lines(150000, 10));
  write("a-4", "\n\n" + lines(150010, 90000));
  for (int threads : {1, 2, 3, 8}) {
    options.threads = threads;
    auto data = Dataset::open("multislot:" + path("a-*"), options);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(data->size, 240010);
    EXPECT_EQ(labels(*data), count(240010));
    EXPECT_FALSE(data->columns[1].ragged());
    EXPECT_EQ(data->columns[1].at(240009, 1), 240010);
  }
}

TEST_F(SampleReaderTest, ListsOfPatterns) {
  write("x", lines(2, 2));
  write("y1", lines(0, 1));
  write("y2", lines(1, 1));
  auto data =
      Dataset::open("multislot:" + path("y?") + "," + path("x"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(labels(*data), count(4));
  EXPECT_THAT(error("multislot:" + path("z*")),
              "no file matches '" + path("z*") + "'");
  EXPECT_THAT(error("multislot:" + path("z")),
              "cannot open '" + path("z") + "': No such file or directory");
}

TEST_F(SampleReaderTest, GzippedFiles) {
  gzFile file = gzopen(path("t.gz").c_str(), "wb");
  std::string text = lines(0, 1000);
  gzwrite(file, text.data(), text.size());
  gzclose(file);
  auto data = Dataset::open("multislot:" + path("t.gz"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(labels(*data), count(1000));
}

TEST_F(SampleReaderTest, SeveralGzipStreams) {
  auto pack = [&](const std::string &text) {
    gzFile file = gzopen(path("part.gz").c_str(), "wb");
    gzwrite(file, text.data(), text.size());
    gzclose(file);
    std::ifstream packed(path("part.gz"), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(packed), {});
  };
  const std::string first = pack(lines(0, 1)), second = pack(lines(1, 1));
  for (const std::string &padding : {std::string(), std::string(512, '\0')}) {
    write("t.gz", first + second + padding);
    auto data = Dataset::open("multislot:" + path("t.gz"), options);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(labels(*data), count(2));
  }
  std::string damaged = second;
  damaged[1] ^= 1;
  write("t.gz", first + damaged);
  EXPECT_THAT(error("multislot:" + path("t.gz")), HasSubstr("t.gz'"));
  write("t.gz", first + lines(1, 1));
  EXPECT_THAT(error("multislot:" + path("t.gz")),
              HasSubstr("the bytes behind the end of its gzip stream are not "
                        "gzip"));
}

TEST_F(SampleReaderTest, LineEnds) {
  write("t", "1 0 2 0 1\r\n \t\r\n1 1 2 1 2");
  auto data = Dataset::open("multislot:" + path("t"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(labels(*data), count(2));
}

TEST_F(SampleReaderTest, BagsOfDifferentSizes) {
  write("t", "1 0 1 5\n1 1 3 6 7 8\n1 2 1 9\n");
  auto data = Dataset::open("multislot:" + path("t"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT(data->columns[1].offsets, ElementsAre(0, 1, 4, 5));
  auto part = Dataset::open("multislot:" + path("t") + "#1-3", options);
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_THAT(part->columns[1].offsets, ElementsAre(0, 3, 4));
  EXPECT_EQ(part->columns[1].at(1, 0), 9);
}

TEST_F(SampleReaderTest, SlotsByName) {
  write("t", "1 7 2 1 2 1 4\n");
  auto data =
      Dataset::open("multislot:" + path("t") + "#slots=y,-,s:f", options);
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->columns.size(), 2u);
  EXPECT_EQ(data->columns[1].name, "s");
  EXPECT_EQ(data->columns[1].dtype, DType::F32);
  EXPECT_EQ(data->columns[1].at(0, 0), 4);
  // Slots that no feed takes cost no memory where every feed is named.
  data = Dataset::open("multislot:" + path("t") + "#slots=y,s,z:f", options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns.size(), 2u);
  options.feeds.clear();
  EXPECT_THAT(error("multislot:" + path("t")),
              HasSubstr("the slots are unknown: add #slots="));
}

TEST_F(SampleReaderTest, BrokenLines) {
  std::string first = write("b1", lines(0, 2) + "1 x 1 1\n" + lines(2, 1));
  std::string second = write("b2", lines(3, 1) + "\n1 4 2 1 y\n1 5 1\n");
  std::string both = "multislot:" + path("b?");
  EXPECT_EQ(error(both), first + ":3:3: slot 'y': 'x' is not a number");
  options.badLines = 2;
  EXPECT_EQ(error(both), second + ":4:6: slot 's' announces 1 values, found 0; "
                                  "2 malformed lines before it were skipped");
  for (int threads : {1, 4}) {
    options.badLines = 3;
    options.threads = threads;
    auto data = Dataset::open(both, options);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(labels(*data), count(4));
    EXPECT_THAT(data->notes, ElementsAre("skipped 3 malformed lines"));
  }
}

TEST_F(SampleReaderTest, NoSamples) {
  write("e", "\n\n");
  EXPECT_EQ(error("multislot:" + path("e")),
            "'" + path("e") + "': holds no samples");
}

TEST_F(SampleReaderTest, EmptySlotsAreNoted) {
  write("t", "y:1\ny:0\n");
  auto data = Dataset::open("slots:" + path("t"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT(data->notes, ElementsAre("slot 's' is empty in every sample"));
}

TEST_F(SampleReaderTest, PipeCommand) {
  write("t", "0\n1\n");
  options.pipeCommand = "sed 's/.*/1 & 2 & 7/'";
  auto data = Dataset::open("multislot:" + path("t"), options);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(labels(*data), count(2));
  EXPECT_EQ(data->columns[1].at(1, 1), 7);
}

TEST_F(SampleReaderTest, PipeCommandsThatFail) {
  std::string file = write("t", lines(0, 1));
  for (auto [command, why] :
       {std::pair("cat; exit 3", "exited with 3"),
        std::pair("kill -TERM $$", "was killed by signal 15"),
        std::pair("/no/such/thing 2> /dev/null", "exited with 127")}) {
    options.pipeCommand = command;
    EXPECT_EQ(
        error("multislot:" + file),
        absl::StrCat("pipe command '", command, "' on '", file, "' ", why));
  }
  options.pipeCommand = "cat";
  EXPECT_EQ(error("multislot:" + path("none")),
            "cannot open '" + path("none") + "': No such file or directory");
  EXPECT_THAT(error("csv:" + file), HasSubstr("a pipe command is for"));
}

TEST_F(SampleReaderTest, ACommandIsEndedWithTheReader) {
  write("t1", "broken\n");
  write("t2", "");
  options.pipeCommand = "cat; [ -s /dev/stdin ] || sleep 1000";
  options.threads = 2;
  EXPECT_THAT(error("multislot:" + path("t?")), HasSubstr(":1:1: expected"));
}

TEST_F(SampleReaderTest, BadSuffixes) {
  EXPECT_THAT(error("multislot:x#slots=a,,b"), HasSubstr("expected names that "
                                                         "differ"));
  EXPECT_THAT(error("multislot:x#slots=a,a"), HasSubstr("expected names that "
                                                        "differ"));
  EXPECT_THAT(error("criteo:x#ids=0"), HasSubstr("expected a number of ids"));
  EXPECT_THAT(error("criteo:x#slots=a"),
              HasSubstr("#slots is for multislot and slots files only"));
  EXPECT_THAT(error("slots:x#empty"),
              HasSubstr("#empty is for multislot files only"));
  EXPECT_THAT(error("multislot:x#empty=1"), HasSubstr("is none of"));
  EXPECT_THAT(error("parquet:x"), HasSubstr("no library for parquet files"));
  EXPECT_THAT(error("feather:x"), HasSubstr("no library for feather files"));
}

} // namespace
