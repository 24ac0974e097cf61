// SPDX-License-Identifier: Apache-2.0
//===- DatasetSpecTest.cpp - the --data string ----------------------------===//

#include "runtime/data/DataSpec.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

class DatasetSpecTest : public DatasetTest {
protected:
  std::string error(const std::string &spec) {
    return std::string(Dataset::open(spec).status().message());
  }
};

TEST_F(DatasetSpecTest, Range) {
  auto all = Dataset::open("synthetic:digits?n=10&seed=2");
  auto some = Dataset::open("synthetic:digits?n=10&seed=2#3-7");
  ASSERT_TRUE(some.ok()) << some.status();
  EXPECT_EQ(some->size, 4);
  EXPECT_EQ(some->spec, "synthetic:digits?n=10&seed=2#3-7");
  for (int i = 0; i != 4; ++i) {
    EXPECT_EQ(some->columns[1].at(i, 0), all->columns[1].at(i + 3, 0));
    EXPECT_EQ(some->columns[0].at(i, 400), all->columns[0].at(i + 3, 400));
  }
}

TEST_F(DatasetSpecTest, WithoutFiles) {
  for (auto [text, left] :
       {std::pair("csv:a/b.csv", "csv"),
        {"csv:a/b.csv#label=y#0-8", "csv#label=y#0-8"},
        {"multislot:day-?.txt#slots=s:f", "multislot#slots=s:f"},
        {"text:a.txt?window=2&seed=1#-9", "text?window=2&seed=1#-9"},
        {"text:a.txt#-9", "text#-9"},
        {"synthetic:digits?n=10#3-7", "synthetic:digits?n=10#3-7"}}) {
    auto spec = DataSpec::parse(text);
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_EQ(spec->withoutFiles(), left);
  }
}

TEST_F(DatasetSpecTest, RangesThatAreOpen) {
  for (std::string kind : {"digits", "ctr"}) {
    const std::string all = "synthetic:" + kind + "?n=10";
    auto behind = Dataset::open(all + "#7-"),
         before = Dataset::open(all + "#-7");
    ASSERT_TRUE(behind.ok()) << behind.status();
    ASSERT_TRUE(before.ok()) << before.status();
    EXPECT_EQ(behind->size, 3);
    EXPECT_EQ(before->size, 7);
  }
}

TEST_F(DatasetSpecTest, SuffixesCombine) {
  auto data = Dataset::open("csv:" + write("t.csv", "1,2\n3,4\n5,6\n7,8\n") +
                            "#label=0#1-3");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 2);
  EXPECT_EQ(data->columns[1].at(0, 0), 3);
}

TEST_F(DatasetSpecTest, BadRanges) {
  for (const char *range : {"#3-3", "#5-3", "#-0"})
    EXPECT_THAT(error(std::string("synthetic:digits?n=10") + range),
                HasSubstr(std::string(": ") + range + " is empty"));
  for (const char *range : {"#0-11", "#10-", "#-11"})
    EXPECT_THAT(error(std::string("synthetic:digits?n=10") + range),
                HasSubstr("is not within its 10 samples"));
  EXPECT_THAT(error("synthetic:digits#x-3"), HasSubstr("'#x-3' is none of"));
  EXPECT_THAT(error("synthetic:digits#"), HasSubstr("'#' is none of"));
  EXPECT_THAT(error("synthetic:digits#-"), HasSubstr("'#-' is none of"));
}

TEST_F(DatasetSpecTest, BadSpecs) {
  EXPECT_THAT(error("png:x"), HasSubstr("expected idx:IMAGES,LABELS, csv:FILE, "
                                        "table:GLOB"));
  EXPECT_THAT(error(""), HasSubstr("expected idx:"));
  EXPECT_THAT(error("idx:a,b,c"), HasSubstr("expected idx:IMAGES,LABELS"));
  EXPECT_THAT(error("multislot:#slots=a"),
              HasSubstr("expected a source after 'multislot:'"));
  EXPECT_THAT(error("multislot:a,,b#slots=a"),
              HasSubstr("expected a name on both sides of each comma"));
  EXPECT_THAT(error("synthetic:letters"),
              HasSubstr("there is no generator 'letters'"));
  EXPECT_THAT(error("synthetic:digits?n=x"),
              HasSubstr("'n=x': expected an integer from 1 to 1e+07"));
  EXPECT_THAT(error("synthetic:digits#label=1"),
              HasSubstr("for csv files only"));
}

} // namespace
