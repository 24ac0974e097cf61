// SPDX-License-Identifier: Apache-2.0
//===- TableTest.cpp - tables with a header, whose names are the feeds ----===//

#include "absl/strings/str_cat.h"
#include "runtime/data/LineFormat.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

class TableTest : public DatasetTest {
protected:
  absl::StatusOr<Dataset> read(const std::string &text,
                               const std::string &suffixes = "") {
    return Dataset::open("table:" + write("t.csv", text) + suffixes,
                         {.feeds = feeds, .threads = 2, .badLines = badLines});
  }
  std::string error(const std::string &text, const std::string &suffixes = "") {
    return std::string(read(text, suffixes).status().message());
  }
  int64_t badLines = 0;
  std::vector<FeedSpec> feeds = {{"y", {DType::F32, {-1, 1}}},
                                 {"x", {DType::F32, {-1, 2}}},
                                 {"city", {DType::I64, {-1, 1}}}};
};

TEST_F(TableTest, NamesAreFeeds) {
  feeds.erase(feeds.begin() + 1);
  auto data = read("id,\"city\", y\nignored,9007199254740993,0.5\nx,-7.0,2\n");
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->columns.size(), 2u);
  EXPECT_EQ(data->columns[0].name, "y");
  EXPECT_EQ(data->columns[0].at(1, 0), 2);
  const auto *ids =
      reinterpret_cast<const int64_t *>(data->columns[1].bytes.data());
  EXPECT_EQ(ids[0], 9007199254740993);
  EXPECT_EQ(ids[1], -7);
}

TEST_F(TableTest, SeveralColumnsMakeOneFeed) {
  auto data = read("a,y,b,c\n1,2,3,4\n", "#columns=y,x=b+a,city=c");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns[1].at(0, 0), 3);
  EXPECT_EQ(data->columns[1].at(0, 1), 1);
}

TEST_F(TableTest, TextsAreHashedWithTheNamesOfTheirColumns) {
  feeds[2].type.shape[1] = 2;
  auto data =
      read("a,b,c,d,y\n1,2,Paris,\"Par\"\"is, Texas\",0\n1,2,,Paris,0\n",
           "#columns=y,x=a+b,city=c+d#hash=c+d");
  ASSERT_TRUE(data.ok()) << data.status();
  const auto *ids =
      reinterpret_cast<const int64_t *>(data->columns[2].bytes.data());
  auto id = [](const char *column, const char *text) {
    return categoryId(static_cast<uint64_t>(categoryId(0, column, 0)), text, 0);
  };
  EXPECT_EQ(ids[0], id("c", "Paris"));
  EXPECT_EQ(ids[1], id("d", "Par\"is, Texas"));
  EXPECT_EQ(ids[2], id("c", ""));
  EXPECT_EQ(ids[3], id("d", "Paris"));
  EXPECT_NE(ids[0], ids[3]);
  data = read("a,b,c,d,y\n1,2,Paris,Texas,0\n",
              "#columns=y,x=a+b,city=c+d#hash=c+d#ids=10");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_LT(data->columns[2].at(0, 1), 10);
}

TEST_F(TableTest, MissingNumbers) {
  const std::string text = "a,b,city,y\n,NA,3,1\n2,nan,,0\n";
  EXPECT_THAT(error(text, "#columns=y,x=a+b,city"),
              EndsWith("t.csv:2:1: the cell is empty: add #missing=VALUE to "
                       "put a number there"));
  auto data = read(text, "#columns=y,x=a+b,city#missing=-1");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns[1].at(0, 0), -1);
  EXPECT_EQ(data->columns[1].at(1, 1), -1);
  EXPECT_EQ(data->columns[2].at(1, 0), -1);
  EXPECT_THAT(error(text, "#columns=y,x=a+b,city#missing=0.5"),
              HasSubstr("#missing=0.5: feed 'city' expects an integer"));
  EXPECT_THAT(error(text, "#missing=much"), HasSubstr("expected a number"));
  EXPECT_THAT(error(text, "#columns=y,x=a+b,city#missing=1e300"),
              HasSubstr("#missing=1e+300: feed 'y' expects a number of f32"));
}

TEST_F(TableTest, TabsAndSeveralFiles) {
  write("u.csv", "a\tb\tcity\ty\n5\t6\t7\t8\n");
  auto data = read("a\tb\tcity\ty\n1\t\t3\t4\n",
                   "," + path("u.csv") + "#tab#columns=y,x=a+b,city#missing=0");
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->size, 2);
  EXPECT_EQ(data->columns[1].at(0, 1), 0);
  EXPECT_EQ(data->columns[1].at(1, 1), 6);
  write("u.csv", "a\tb\tid\ty\n5\t6\t7\t8\n");
  EXPECT_THAT(
      error("a\tb\tcity\ty\n1\t\t3\t4\n",
            "," + path("u.csv") + "#tab#columns=y,x=a+b,city#missing=0"),
      EndsWith("u.csv:1:1: expected the header a, b, city, y"));
}

TEST_F(TableTest, AFileWithAnotherHeaderIsNoMalformedLine) {
  feeds.erase(feeds.begin() + 1);
  write("u.csv", "\n\ny,city\n5,6\n");
  const std::string other = "," + path("u.csv");
  badLines = 5;
  auto data = read("y,city\nx,1\n2,3\n", other);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 2);
  write("u.csv", "city,y\n5,6\n");
  EXPECT_THAT(error("y,city\nx,1\n2,3\n", other),
              EndsWith("u.csv:1:1: expected the header y, city; 1 malformed "
                       "lines before it were skipped"));
}

TEST_F(TableTest, ColumnsAreOfAllFeeds) {
  EXPECT_THAT(error("a,b,y,uid\n1,2,3,16777217\n", "#columns=y,x=a+b,id=uid"),
              HasSubstr("#columns: feed 'city' is not among them: add "
                        "'city=NAME'"));
}

TEST_F(TableTest, BlankCellsAreNoBlankLine) {
  feeds.erase(feeds.begin() + 1);
  auto data = read("y\tcity\n1\t2\n\t\n\n3\t4\n", "#tab#missing=7");
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->size, 3);
  EXPECT_EQ(data->columns[0].at(1, 0), 7);
  EXPECT_EQ(data->columns[1].at(1, 0), 7);
}

TEST_F(TableTest, QuotesBetweenTabs) {
  feeds.erase(feeds.begin() + 1);
  auto data = read("\"y\"\t\"city\"\n\"1\"\t2\n\"3\" \t \"4\"\n", "#tab");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->columns[0].at(0, 0), 1);
  EXPECT_EQ(data->columns[1].at(1, 0), 4);
}

TEST_F(TableTest, MistakesAreRefusedWithTheirPlace) {
  const std::string columns = "#columns=y,x=a+b,city";
  EXPECT_THAT(error(""), HasSubstr("expected a header in the first line"));
  EXPECT_THAT(error("a,a\n"), HasSubstr("the header names 'a' twice"));
  EXPECT_THAT(error("a,y,city\n1,2,3\n"),
              HasSubstr("there is no column 'x' in the header a, y, city: say "
                        "what 'x' is made of with #columns=x=NAME+NAME,.."));
  EXPECT_THAT(error("a,y\n1,2\n", "#columns=y,x=a+z"),
              HasSubstr("there is no column 'z' in the header a, y"));
  EXPECT_THAT(error("a,y\n1,2\n", "#hash=z"),
              HasSubstr("#hash: there is no column 'z' in the header a, y"));
  EXPECT_THAT(error("a,y\n1,2\n", "#columns=y,=a"),
              HasSubstr("#columns: expected NAME or NAME=NAME+NAME"));
  EXPECT_THAT(error("a,b,city,y\n1,2,3,4\n", columns + "#hash=a"),
              HasSubstr("column 'x' is made of texts and of numbers"));
  EXPECT_THAT(error("a,b,city,y\n1,2,3\n", columns),
              EndsWith("t.csv:2:4: expected 4 cells, found 3"));
  EXPECT_THAT(error("a,b,city,y\n1,2,3,4,5\n", columns),
              EndsWith("t.csv:2:5: expected 4 cells, found 5"));
  EXPECT_THAT(error("a,b,city,y\n1,\"2,3,4\n", columns),
              EndsWith("t.csv:2:2: a quote does not end with the cell"));
  EXPECT_THAT(error("a,b,city,y\n1,2,3,many\n", columns),
              EndsWith("t.csv:2:4: 'many' is not a number"));
  EXPECT_THAT(error("a,b,city,y\n1,2,3.5,4\n", columns),
              EndsWith("t.csv:2:3: expected an integer, got '3.5'"));
  EXPECT_THAT(error("a,b,city,y\n1,2,99999999999999999999,4\n", columns),
              EndsWith("t.csv:2:3: '99999999999999999999' is beyond 64 bits"));
  feeds[2].type.dtype = DType::I8;
  EXPECT_THAT(error("a,b,city,y\n1,2,300,4\n", columns),
              EndsWith("t.csv:2:3: feed 'city' is ?x1xi8, it cannot hold city "
                       "300"));
  EXPECT_THAT(error("a,b,city,y\n1,2,Rome,4\n", columns + "#hash=city"),
              EndsWith(": add #ids=N for ids below N"));
}

} // namespace
