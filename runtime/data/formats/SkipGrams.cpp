// SPDX-License-Identifier: Apache-2.0
//===- SkipGrams.cpp - words of a text and the words around them ----------===//
//
// 1. Words are runs of letters, digits, apostrophes and bytes beyond ASCII, of
//    which ASCII letters are lowered. The `vocabulary` most frequent ones are
//    numbered from 0 by falling frequency, equals by their bytes; the others
//    are left out.
// 2. Around the word at place p are those up to w places away, w drawn from
//    1 to `window`; each makes a sample with the word as its center.
// 3. Negative words are drawn with probabilities proportional to their
//    frequency to the power 3/4, never the positive one.
//
//===----------------------------------------------------------------------===//

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/File.h"
#include "runtime/data/Query.h"
#include "runtime/data/Random.h"
#include <algorithm>
#include <cmath>

using namespace ps::runtime;

namespace {

struct Words {
  /// The text, as numbers of words.
  std::vector<int32_t> text;
  /// Indexed by number.
  std::vector<int64_t> frequency;
};

/// Numbers by weight. A table of where to begin makes a draw a step or two
/// instead of a search through memory.
class WeightedDraw {
public:
  explicit WeightedDraw(std::vector<double> weightSums)
      : sums(std::move(weightSums)), starts(4 * sums.size()),
        perWeight(static_cast<double>(starts.size()) / sums.back()) {
    for (size_t i = 0; i != starts.size(); ++i)
      starts[i] = static_cast<int32_t>(
          std::upper_bound(sums.begin(), sums.end() - 1,
                           static_cast<double>(i) / perWeight) -
          sums.begin());
  }

  double total() const { return sums.back(); }
  /// The weight of all numbers below `number`.
  double below(int64_t number) const {
    return number == 0 ? 0 : sums[number - 1];
  }
  double upTo(int64_t number) const { return sums[number]; }

  /// The first number whose weight and those below sum to more than `at`; the
  /// last one if none does.
  int64_t find(double at) const {
    const auto place = static_cast<size_t>(at * perWeight);
    int64_t number = starts[std::min(place, starts.size() - 1)];
    const auto last = static_cast<int64_t>(sums.size()) - 1;
    while (number < last && sums[number] <= at)
      ++number;
    // Rounding may have begun too far.
    while (number > 0 && sums[number - 1] > at)
      --number;
    return number;
  }

private:
  /// Sums of the weights of each number and those below.
  std::vector<double> sums;
  std::vector<int32_t> starts;
  double perWeight;
};

} // namespace

static std::vector<std::string> splitWords(absl::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text) {
    // Letters beyond ASCII are bytes with the highest bit.
    if (absl::ascii_isalnum(c) || c == '\'' || static_cast<signed char>(c) < 0)
      word += absl::ascii_tolower(c);
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  if (!word.empty())
    words.push_back(std::move(word));
  return words;
}

static Words numberWords(const std::vector<std::string> &words,
                         int64_t vocabulary) {
  absl::flat_hash_map<std::string, int64_t> counts;
  for (const std::string &word : words)
    ++counts[word];
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto &[word, count] : counts)
    order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());
  order.resize(std::min<size_t>(order.size(), vocabulary));
  Words result;
  absl::flat_hash_map<std::string, int32_t> numbers;
  for (const auto &[count, word] : order) {
    numbers.emplace(word, result.frequency.size());
    result.frequency.push_back(-count);
  }
  for (const std::string &word : words)
    if (auto number = numbers.find(word); number != numbers.end())
      result.text.push_back(number->second);
  return result;
}

absl::StatusOr<Dataset>
ps::runtime::readSkipGrams(const std::string &file,
                           const SkipGramOptions &options) {
  ASSIGN_OR_RETURN(std::string text, readWholeFile(file));
  Words words = numberWords(splitWords(text), options.vocabulary);
  if (words.frequency.size() < 2)
    return absl::DataLossError(
        absl::StrCat("'", file, "': holds fewer than two different words"));
  std::vector<double> sums;
  for (int64_t count : words.frequency)
    sums.push_back((sums.empty() ? 0 : sums.back()) + std::pow(count, 0.75));
  const WeightedDraw draw(std::move(sums));
  // Leaving the weight of `positive` out takes one draw however much of the
  // text that word is.
  auto drawOther = [&](Random &random, int64_t positive) -> int64_t {
    double begin = draw.below(positive);
    double weight = draw.upTo(positive) - begin;
    double at = random.uniform(0, draw.total() - weight);
    if (at >= begin)
      at += weight;
    int64_t word = draw.find(at);
    // Rounding may have moved a draw by one.
    return word != positive ? word : positive == 0 ? 1 : positive - 1;
  };
  std::vector<int64_t> centers, contexts;
  int64_t places = words.text.size();
  for (int64_t p = 0; p != places; ++p) {
    Random random(options.seed, p);
    int64_t reach = 1 + static_cast<int64_t>(random.below(options.window));
    for (int64_t q = std::max<int64_t>(p - reach, 0);
         q <= std::min(p + reach, places - 1); ++q) {
      if (q == p)
        continue;
      centers.push_back(words.text[p]);
      contexts.push_back(words.text[q]);
      for (int64_t i = 0; i != options.negatives; ++i)
        contexts.push_back(drawOther(random, words.text[q]));
    }
  }
  Dataset data;
  data.size = centers.size();
  for (auto [name, values] :
       {std::pair("center", &centers), std::pair("context", &contexts)}) {
    Column &column = data.columns.emplace_back(
        Column{.name = name,
               .width = static_cast<int64_t>(values->size()) / data.size,
               .dtype = DType::I64,
               .bytes = {}});
    RETURN_IF_ERROR(column.bytes.resize(values->size() * sizeof(int64_t)));
    std::copy(values->begin(), values->end(),
              reinterpret_cast<int64_t *>(column.bytes.data()));
  }
  data.notes.push_back(absl::StrCat(data.size, " samples of ", places,
                                    " words, ids 0 to ",
                                    words.frequency.size() - 1));
  return data;
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static absl::StatusOr<Dataset> readSpec(DataSpec &spec, const DataOptions &) {
  SkipGramOptions grams;
  ASSIGN_OR_RETURN(
      std::string file,
      parseQuery(spec, {{{"window", &grams.window, 1, 1000},
                         {"negatives", &grams.negatives, 0, 1000},
                         {"vocabulary", &grams.vocabulary, 2, 1 << 30},
                         {"seed", &grams.seed, 0, maxSeed}}}));
  return readSkipGrams(file, grams);
}

const DataFormat formats::text = {
    .name = "text",
    .source = "FILE",
    .help = "skip-grams of a text, with negative samples: feeds\n"
            "center, context; add ?window=5&negatives=5\n"
            "&vocabulary=10000&seed=0",
    .hasQuery = true,
    .read = readSpec};
