// SPDX-License-Identifier: Apache-2.0
//===- ClicksTest.cpp - drawn clicks, and words around words --------------===//

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <map>
#include <set>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

const Column &find(const Dataset &data, const std::string &name) {
  for (const Column &column : data.columns)
    if (column.name == name)
      return column;
  ADD_FAILURE() << "no column " << name;
  return data.columns[0];
}

std::string contents(const Column &column, const Dataset &data) {
  return {reinterpret_cast<const char *>(column.bytes.data()),
          column.begin(data.size) * byteWidth(column.dtype)};
}

class ClicksTest : public DatasetTest {
protected:
  static Dataset open(const std::string &query, int threads = 1) {
    auto data = Dataset::open("synthetic:ctr?" + query,
                              {.feeds = {}, .threads = threads});
    EXPECT_TRUE(data.ok()) << data.status();
    return data.ok() ? *std::move(data) : Dataset{.columns = {}};
  }
  static std::string error(const std::string &spec) {
    return std::string(Dataset::open(spec).status().message());
  }
  static double bestArea(const Dataset &data) {
    absl::string_view note = data.notes.at(0);
    double area = 0;
    EXPECT_TRUE(absl::ConsumePrefix(&note, "the best possible AUC is "));
    EXPECT_TRUE(absl::SimpleAtod(note, &area));
    return area;
  }
};

TEST_F(ClicksTest, Columns) {
  Dataset data = open("n=1000&fields=3&ids=50&dense=2");
  EXPECT_EQ(data.size, 1000);
  EXPECT_EQ(find(data, "dense").width, 2);
  const Column &sparse = find(data, "sparse");
  EXPECT_EQ(sparse.width, 3);
  ASSERT_EQ(data.aliases.size(), 3u);
  EXPECT_EQ(data.aliases[2].name, "C3");
  double clicks = 0;
  for (int64_t i = 0; i != data.size; ++i) {
    clicks += find(data, "label").at(i, 0);
    for (int64_t f = 0; f != 3; ++f) {
      EXPECT_GE(sparse.at(i, f), f * 50);
      EXPECT_LT(sparse.at(i, f), f * 50 + 50);
    }
  }
  EXPECT_GT(clicks, 200);
  EXPECT_LT(clicks, 600);
}

TEST_F(ClicksTest, RanksFollowZipfsLaw) {
  for (double exponent : {0.0, 0.5, 1.0, 1.05, 2.0}) {
    constexpr int64_t samples = 100000, ids = 20;
    Dataset data = open("n=100000&fields=1&ids=20&dense=0&zipf=" +
                        std::to_string(exponent));
    std::map<int64_t, double> counts;
    for (int64_t i = 0; i != samples; ++i)
      ++counts[find(data, "sparse").at(i, 0)];
    double total = 0;
    for (int64_t rank = 1; rank <= ids; ++rank)
      total += std::pow(rank, -exponent);
    for (int64_t rank = 1; rank <= ids; ++rank) {
      double expected = samples * std::pow(rank, -exponent) / total;
      EXPECT_NEAR(counts[rank - 1], expected, 5 * std::sqrt(expected));
    }
  }
}

TEST_F(ClicksTest, SamplesDependOnTheirNumberOnly) {
  Dataset all = open("n=1000&seed=3", 1), threads = open("n=1000&seed=3", 5);
  Dataset some = open("n=1000&seed=3#100-102"), other = open("n=1000&seed=4");
  for (const char *name : {"label", "dense", "sparse"})
    EXPECT_EQ(contents(find(all, name), all),
              contents(find(threads, name), threads));
  EXPECT_NE(contents(find(all, "sparse"), all),
            contents(find(other, "sparse"), other));
  EXPECT_EQ(some.size, 2);
  for (int64_t f = 0; f != 26; ++f)
    EXPECT_EQ(find(some, "sparse").at(1, f), find(all, "sparse").at(101, f));
  EXPECT_EQ(all.notes, threads.notes);
}

TEST_F(ClicksTest, TheTeacherStaysWhereTheSamplesChange) {
  // The same ids, other labels.
  Dataset one = open("n=2000&seed=3&teacher=1"),
          other = open("n=2000&seed=3&teacher=2");
  EXPECT_EQ(contents(find(one, "sparse"), one),
            contents(find(other, "sparse"), other));
  EXPECT_NE(contents(find(one, "label"), one),
            contents(find(other, "label"), other));
  EXPECT_GT(bestArea(one), 0.75);
  EXPECT_LT(bestArea(one), 0.95);
}

TEST_F(ClicksTest, BadQueries) {
  EXPECT_THAT(error("synthetic:ctr?m=1"),
              EndsWith("'m=1' is none of n=, fields=, ids=, zipf=, dense=, "
                       "seed=, teacher="));
  EXPECT_THAT(error("synthetic:ctr?fields=0"),
              EndsWith("'fields=0': expected an integer from 1 to 10000"));
  EXPECT_THAT(error("synthetic:ctr?ids=1.5"),
              EndsWith("'ids=1.5': expected an integer from 1 to 1e+14"));
  EXPECT_THAT(error("synthetic:ctr?zipf=nan"),
              EndsWith("'zipf=nan': expected a number from 0 to 10"));
  EXPECT_THAT(error("synthetic:ctrl"), HasSubstr("no generator 'ctrl'"));
  EXPECT_THAT(error("synthetic:ctr?n=10#5-11"),
              HasSubstr("range #5-11 is not within its 10 samples"));
  EXPECT_THAT(error("synthetic:ctr?n=1e12"), HasSubstr("cannot allocate"));
}

//===----------------------------------------------------------------------===//
// text
//===----------------------------------------------------------------------===//

TEST_F(ClicksTest, WordsByFrequency) {
  std::string file = write("t", "The cat, the dog; THE cat -- it's\n");
  auto data = Dataset::open("text:" + file + "?window=1&negatives=0");
  ASSERT_TRUE(data.ok()) << data.status();
  // the 0, cat 1, dog 2, it's 3
  EXPECT_EQ(data->size, 12);
  std::multiset<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i != data->size; ++i)
    pairs.emplace(data->columns[0].at(i, 0), data->columns[1].at(i, 0));
  EXPECT_THAT(pairs,
              ElementsAre(std::pair(0, 1), std::pair(0, 1), std::pair(0, 1),
                          std::pair(0, 2), std::pair(0, 2), std::pair(1, 0),
                          std::pair(1, 0), std::pair(1, 0), std::pair(1, 3),
                          std::pair(2, 0), std::pair(2, 0), std::pair(3, 1)));
  EXPECT_THAT(data->notes, ElementsAre("12 samples of 7 words, ids 0 to 3"));
  data = Dataset::open("text:" + file + "?vocabulary=2&window=1");
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT(data->notes, ElementsAre("8 samples of 5 words, ids 0 to 1"));
}

TEST_F(ClicksTest, NegativesAreNeverThePositive) {
  std::string text;
  for (int i = 0; i != 500; ++i)
    text += "a b a c a d ";
  std::string spec = "text:" + write("t", text) + "?negatives=4&seed=";
  auto data = Dataset::open(spec + "1"), same = Dataset::open(spec + "1"),
       other = Dataset::open(spec + "2");
  ASSERT_TRUE(data.ok()) << data.status();
  const Column &context = data->columns[1];
  EXPECT_EQ(context.width, 5);
  for (int64_t i = 0; i != data->size; ++i)
    for (int64_t j = 1; j != 5; ++j)
      EXPECT_NE(context.at(i, j), context.at(i, 0));
  EXPECT_EQ(contents(context, *data), contents(same->columns[1], *same));
  EXPECT_NE(contents(context, *data), contents(other->columns[1], *other));
}

TEST_F(ClicksTest, NegativesOfAWordThatIsNearlyAllOfTheText) {
  std::string text = "b ";
  for (int i = 0; i != 100000; ++i)
    text += "a ";
  // Drawing until another word than 'a' comes would take minutes.
  auto data =
      Dataset::open("text:" + write("t", text) + "?window=1&negatives=50");
  ASSERT_TRUE(data.ok()) << data.status();
  const Column &context = data->columns[1];
  for (int64_t i = 0; i != data->size; ++i)
    ASSERT_EQ(context.at(i, 1), 1 - context.at(i, 0));
}

TEST_F(ClicksTest, NegativesAreDrawnByFrequency) {
  std::string text;
  for (int i = 0; i != 4000; ++i)
    text += i % 4 == 0 ? "b a c a a a a a a a a a a a a a " : "c b ";
  // Beside 'a', 'b' stands 4,000 and 'c' 4,000 times.
  auto data = Dataset::open("text:" + write("t", text) + "?negatives=1");
  ASSERT_TRUE(data.ok()) << data.status();
  const Column &context = data->columns[1];
  int64_t counts[3] = {};
  for (int64_t i = 0; i != data->size; ++i)
    if (context.at(i, 0) == 0)
      ++counts[int64_t(context.at(i, 1))];
  EXPECT_EQ(counts[0], 0);
  EXPECT_NEAR(double(counts[1]) / (counts[1] + counts[2]), 0.5, 0.02);
}

TEST_F(ClicksTest, TooFewWords) {
  EXPECT_THAT(error("text:" + write("t", "a a a")),
              EndsWith("holds fewer than two different words"));
  EXPECT_THAT(error("text:" + path("t") + "?windows=5"),
              HasSubstr("'windows=5' is none of window=, negatives=, "
                        "vocabulary=, seed="));
}

} // namespace
