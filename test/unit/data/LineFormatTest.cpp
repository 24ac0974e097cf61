// SPDX-License-Identifier: Apache-2.0
//===- LineFormatTest.cpp - samples in lines of text ----------------------===//

#include "runtime/data/LineFormat.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::FloatEq;
using testing::IsEmpty;

namespace {

/// What `format` makes of one line: the error, or nothing.
std::string parse(const LineFormat &format, const std::string &line, Rows &rows,
                  bool first = false) {
  LineError error;
  if (format.parse(line, first, rows, error) != LineFormat::Result::Broken)
    return "";
  return absl::StrCat(error.column, ": ", error.why);
}

std::string error(const LineFormat &format, const std::string &line) {
  Rows rows(format.columns);
  return parse(format, line, rows);
}

//===----------------------------------------------------------------------===//
// multislot
//===----------------------------------------------------------------------===//

class MultiSlotTest : public testing::Test {
protected:
  static std::unique_ptr<LineFormat> make(bool insId = false,
                                          bool empty = false) {
    return multiSlotFormat(
        {.slots = {{"click", DType::F32}, {"", DType::I64}, {"s1", DType::I64}},
         .insId = insId,
         .emptySlots = empty});
  }
  std::unique_ptr<LineFormat> format = make();
};

TEST_F(MultiSlotTest, SlotsInOrder) {
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "1 0.5 2 7 8 3 1 -2 3", rows), "");
  ASSERT_EQ(parse(*format, "2 1 -1e2 1 2.5 1 9  ", rows), "");
  EXPECT_EQ(rows.size, 2);
  EXPECT_THAT(rows.columns[0].numbers, ElementsAre(0.5, 1, -100));
  EXPECT_THAT(rows.columns[0].ends, ElementsAre(1, 3));
  EXPECT_THAT(rows.columns[1].ids, ElementsAre(1, -2, 3, 9));
  EXPECT_THAT(rows.columns[1].ends, ElementsAre(3, 4));
}

TEST_F(MultiSlotTest, IdsOf64Bits) {
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format,
                  "1 0 1 0 6 0 -1 9223372036854775807 -9223372036854775808 "
                  "18446744073709551615 1099511627776",
                  rows),
            "");
  EXPECT_THAT(rows.columns[1].ids,
              ElementsAre(0, -1, INT64_MAX, INT64_MIN, -1, 1ll << 40));
  EXPECT_EQ(error(*format, "1 0 1 0 1 18446744073709551616"),
            "11: slot 's1': '18446744073709551616' is beyond 64 bits");
  EXPECT_EQ(error(*format, "1 0 1 0 1 -9223372036854775809"),
            "11: slot 's1': '-9223372036854775809' is beyond 64 bits");
  EXPECT_EQ(error(*format, "1 0 1 0 1 111111111111111111111111111"),
            "11: slot 's1': '111111111111111111111111111' is beyond 64 bits");
}

TEST_F(MultiSlotTest, NumbersOf32Bits) {
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "5 1e-60 +2 -.5 3.4e38 -0 1 0 1 0", rows), "");
  EXPECT_THAT(rows.columns[0].numbers, ElementsAre(0, 2, -0.5, 3.4e38f, 0));
  EXPECT_EQ(error(*format, "1 1e39 1 0 1 0"),
            "3: slot 'click': '1e39' is beyond the range of f32");
  for (std::string word : {"nan", "inf", "-inf", "1x", "+-1", "-", "0x10"})
    EXPECT_EQ(error(*format, "1 " + word + " 1 0 1 0"),
              "3: slot 'click': '" + word + "' is not a number");
}

TEST_F(MultiSlotTest, BrokenValues) {
  EXPECT_EQ(error(*format, "1 0 1 0 1 a"),
            "11: slot 's1': expected an integer, got 'a'");
  EXPECT_EQ(error(*format, "1 0 1 0 1 1.5"),
            "11: slot 's1': expected an integer, got '1.5'");
  EXPECT_EQ(error(*format, "1 0 1 x 1 0"), "7: slot 2: 'x' is not a number");
  EXPECT_EQ(error(*format, "1 0 1 0 1 " + std::string(100, 'y')),
            "11: slot 's1': expected an integer, got '" + std::string(40, 'y') +
                "...'");
}

TEST_F(MultiSlotTest, BrokenCounts) {
  EXPECT_EQ(error(*format, "1 0"), "4: line ends before slot 2");
  EXPECT_EQ(error(*format, "1 0 1 0"), "8: line ends before slot 's1'");
  EXPECT_EQ(error(*format, "-1 0 1 0"),
            "1: expected the number of values of slot 'click', found '-1'");
  EXPECT_EQ(error(*format, "1 0 x 0"),
            "5: expected the number of values of slot 2, found 'x'");
  EXPECT_EQ(error(*format, "1 0 1 0 99999999999999999999 1"),
            "9: expected the number of values of slot 's1', found "
            "'99999999999999999999'");
  EXPECT_EQ(error(*format, "1 0 1 0 1000000000000 1 2"),
            "26: slot 's1' announces 1000000000000 values, found 2");
  EXPECT_EQ(error(*format, "1 0 1 0 1 1 2"),
            "13: '2' follows the last of 3 slots");
  EXPECT_EQ(error(*format, "1  0 1 0 1 1"),
            "2: slot 'click' announces 1 values, found 0");
}

TEST_F(MultiSlotTest, EmptySlots) {
  EXPECT_EQ(error(*format, "1 0 1 0 0"),
            "9: slot 's1' has no values: pad it with one, or add #empty");
  format = make(false, true);
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "0 0 0", rows), "");
  ASSERT_EQ(parse(*format, "1 2 0 1 3", rows), "");
  EXPECT_THAT(rows.columns[0].ends, ElementsAre(0, 1));
  EXPECT_THAT(rows.columns[1].ids, ElementsAre(3));
}

TEST_F(MultiSlotTest, InsId) {
  format = make(true);
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "1 abc-7 1 2 1 3 1 4", rows), "");
  EXPECT_THAT(rows.columns[1].ids, ElementsAre(4));
  EXPECT_EQ(error(*format, "2 a b 1 2 1 3 1 4"),
            "1: expected 1 id of the instance, found '2'");
  EXPECT_EQ(error(*format, "abc 1 2 1 3 1 4"),
            "1: expected the number of values of the instance's id, found "
            "'abc'");
}

TEST_F(MultiSlotTest, ABrokenLineLeavesNothing) {
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "1 1 1 0 1 5", rows), "");
  ASSERT_NE(parse(*format, "2 1 2 1 0 2 6 x", rows), "");
  ASSERT_EQ(parse(*format, "1 2 1 0 1 7", rows), "");
  EXPECT_EQ(rows.size, 2);
  EXPECT_THAT(rows.columns[0].numbers, ElementsAre(1, 2));
  EXPECT_THAT(rows.columns[1].ids, ElementsAre(5, 7));
  EXPECT_THAT(rows.columns[1].ends, ElementsAre(1, 2));
}

//===----------------------------------------------------------------------===//
// slots
//===----------------------------------------------------------------------===//

TEST(SlotsTest, NamesInAnyOrder) {
  auto format = slotsFormat(
      {{"click", DType::F32}, {"1", DType::I64}, {"2", DType::I64}});
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "click:1 other:x dense:0.5 1:7 1:8 2:9", rows), "");
  ASSERT_EQ(parse(*format, "2:3 1:4 2:-5\tclick:0 ", rows), "");
  EXPECT_EQ(rows.size, 2);
  EXPECT_THAT(rows.columns[0].numbers, ElementsAre(1, 0));
  EXPECT_THAT(rows.columns[1].ids, ElementsAre(7, 8, 4));
  EXPECT_THAT(rows.columns[1].ends, ElementsAre(2, 3));
  EXPECT_THAT(rows.columns[2].ids, ElementsAre(9, 3, -5));
}

TEST(SlotsTest, BrokenWords) {
  auto format = slotsFormat({{"click", DType::F32}, {"1", DType::I64}});
  EXPECT_EQ(error(*format, "click:1 1"), "9: expected slot:value, found '1'");
  EXPECT_EQ(error(*format, ":5"), "1: expected slot:value, found ':5'");
  EXPECT_EQ(error(*format, "click:1 1:"),
            "11: slot '1': expected an integer, got ''");
  EXPECT_EQ(error(*format, "click:1 1:2.5"),
            "11: slot '1': expected an integer, got '2.5'");
  EXPECT_EQ(error(*format, "click:x"), "7: slot 'click': 'x' is not a number");
}

//===----------------------------------------------------------------------===//
// libsvm
//===----------------------------------------------------------------------===//

TEST(LibsvmTest, IdsAndWeights) {
  auto format = libsvmFormat();
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "-1 3:0.5 10:2", rows), "");
  ASSERT_EQ(parse(*format, "# a comment", rows), "");
  ASSERT_EQ(parse(*format, "+1  ", rows), "");
  ASSERT_EQ(parse(*format, "1 7:-1 # another", rows), "");
  EXPECT_EQ(rows.size, 3);
  EXPECT_THAT(rows.columns[0].ids, ElementsAre(3, 10, 7));
  EXPECT_THAT(rows.columns[0].ends, ElementsAre(2, 2, 3));
  EXPECT_THAT(rows.columns[1].numbers, ElementsAre(0.5, 2, -1));
  EXPECT_THAT(rows.columns[2].numbers, ElementsAre(-1, 1, 1));
}

TEST(LibsvmTest, Broken) {
  auto format = libsvmFormat();
  EXPECT_EQ(error(*format, "x 1:2"), "1: the label 'x' is not a number");
  EXPECT_EQ(error(*format, "1 2"), "3: expected index:value, found '2'");
  EXPECT_EQ(error(*format, "1 qid:3 1:1"),
            "3: expected index:value, found 'qid:3'");
  EXPECT_EQ(error(*format, "1 1:z"), "5: 'z' is not a number");
  EXPECT_EQ(error(*format, "1 99999999999999999999:1"),
            "3: '99999999999999999999:1' is beyond 64 bits");
}

//===----------------------------------------------------------------------===//
// criteo
//===----------------------------------------------------------------------===//

/// A label, integers 0 to 12 and categories c0 to c25.
std::vector<std::string> criteoCells() {
  std::vector<std::string> cells = {"1"};
  for (int i = 0; i != 13; ++i)
    cells.push_back(absl::StrCat(i));
  for (int i = 0; i != 26; ++i)
    cells.push_back(absl::StrCat("c", i));
  return cells;
}

TEST(CriteoTest, TabsAndCommas) {
  auto format = criteoFormat(0);
  Rows tabs(format->columns), commas(format->columns);
  std::vector<std::string> cells = criteoCells();
  ASSERT_EQ(parse(*format, absl::StrJoin(cells, "\t"), tabs), "");
  ASSERT_EQ(parse(*format, "77," + absl::StrJoin(cells, ","), commas), "");
  for (const char *header : {"Id,Label", "label", "id,\"LABEL\""})
    ASSERT_EQ(parse(*format, header + std::string(39, ','), commas, true), "");
  EXPECT_EQ(tabs.size, 1);
  EXPECT_EQ(commas.size, 1);
  EXPECT_THAT(tabs.columns[0].numbers, ElementsAre(1));
  EXPECT_THAT(tabs.columns[1].numbers, testing::SizeIs(13));
  EXPECT_FLOAT_EQ(tabs.columns[1].numbers[12], std::log(13.0f));
  EXPECT_THAT(tabs.columns[2].ids, testing::SizeIs(26));
  EXPECT_EQ(tabs.columns[2].ids, commas.columns[2].ids);
  EXPECT_EQ(tabs.columns[1].numbers, commas.columns[1].numbers);
  EXPECT_EQ(format->aliases.size(), 26u);
  EXPECT_EQ(format->aliases[25].name, "C26");
}

TEST(CriteoTest, MissingCells) {
  auto format = criteoFormat(0);
  Rows rows(format->columns);
  ASSERT_EQ(parse(*format, "0" + std::string(39, '\t'), rows), "");
  EXPECT_THAT(rows.columns[1].numbers, ElementsAreArray(std::vector(13, 0.f)));
  std::vector<std::string> cells = criteoCells();
  cells[1] = "-3";
  ASSERT_EQ(parse(*format, absl::StrJoin(cells, "\t"), rows), "");
  EXPECT_EQ(rows.columns[1].numbers[13], 0);
}

TEST(CriteoTest, CategoriesOfFieldsDiffer) {
  std::vector<int64_t> ids;
  for (std::string text :
       {"", "68fd1e64", "68fd1e65", "a longer category", "a longer categorz"})
    for (uint64_t field = 0; field != 26; ++field)
      ids.push_back(categoryId(field, text, 0));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
  // Models outlive programs: ids never change.
  EXPECT_EQ(categoryId(3, "68fd1e64", 0), categoryId(3, "68fd1e64", 0));
  EXPECT_EQ(categoryId(0, "68fd1e64", 1000),
            static_cast<int64_t>(
                static_cast<uint64_t>(categoryId(0, "68fd1e64", 0)) % 1000));
}

TEST(CriteoTest, Broken) {
  auto format = criteoFormat(0);
  std::vector<std::string> cells = criteoCells();
  EXPECT_EQ(error(*format, "1\t2\t3"),
            "1: expected a label, 13 integers and 26 categories, found only 3 "
            "cells");
  EXPECT_EQ(error(*format, absl::StrJoin(cells, "\t") + "\tx\ty"),
            "1: expected a label, 13 integers and 26 categories, found more "
            "cells");
  cells[0] = "2";
  EXPECT_EQ(error(*format, absl::StrJoin(cells, "\t")),
            "1: the label is 0 or 1, not '2'");
  EXPECT_EQ(error(*format, "7," + absl::StrJoin(cells, ",")),
            "2: the label is 0 or 1, not '2'");
  cells[0] = "0";
  cells[5] = "many";
  EXPECT_EQ(error(*format, absl::StrJoin(cells, "\t")),
            "6: I5: 'many' is not a number");
  cells[5] = "1e99";
  EXPECT_EQ(error(*format, absl::StrJoin(cells, "\t")),
            "6: I5: '1e99' is beyond the range of f32");
  EXPECT_EQ(error(*format, "x"),
            "1: expected a label, 13 integers and 26 categories, found only 1 "
            "cell");
}

} // namespace
