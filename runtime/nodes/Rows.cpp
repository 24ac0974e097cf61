// SPDX-License-Identifier: Apache-2.0
//===- Rows.cpp - lookups of table rows and their gradients ---------------===//
//
// A bag is summed on one task unless it is long: then in chunks of a fixed
// size, whose sums are added in double precision. Gradients are grouped by
// row, so that each row is written by one task, in the order of its ids.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/Rows.h"
#include "absl/strings/str_cat.h"
#include "runtime/rows/RowGather.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ps::runtime;

namespace {
/// What a piece of work moves at least, as for other kernels.
constexpr int64_t kPieceBytes = 256 << 10;

int64_t grain(int64_t bytesPerItem) {
  return std::max<int64_t>(1, kPieceBytes / std::max<int64_t>(1, bytesPerItem));
}

int64_t bagEnd(const Bags &bags, size_t bag, size_t ids) {
  return bag + 1 < bags.offsets.size() ? bags.offsets[bag + 1]
                                       : static_cast<int64_t>(ids);
}

/// What the sum over ids [begin, end) is multiplied with.
template <typename T>
double bagScale(Pooling pooling, std::span<const int32_t> places,
                const T *weights, int64_t begin, int64_t end) {
  if (pooling == Pooling::Sum)
    return 1;
  double divisor = 0;
  for (int64_t i = begin; i != end; ++i) {
    if (places[i] < 0)
      continue;
    double weight = weights ? static_cast<double>(weights[i]) : 1;
    divisor += pooling == Pooling::Mean ? weight : weight * weight;
  }
  if (divisor == 0)
    return 0;
  return 1 / (pooling == Pooling::Mean ? divisor : std::sqrt(divisor));
}

template <typename T>
class BagSums {
public:
  BagSums(const RowAddresses &rows, std::span<const int32_t> places,
          const Bags &bags, T *result)
      : width(rows.width), rows(rows.as<T>()), places(places), bags(bags),
        weights(reinterpret_cast<const T *>(bags.weights)), result(result) {}

  void run(StepContext &context) {
    int64_t count = static_cast<int64_t>(bags.offsets.size());
    int64_t perBag =
        1 + static_cast<int64_t>(places.size()) / std::max<int64_t>(1, count);
    context.parallelRows(count, grain(perBag * width * int64_t(sizeof(T))),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t bag = begin; bag != end; ++bag)
                             if (!isLong(bag))
                               sumBag(bag);
                         });
    for (int64_t bag = 0; bag != count; ++bag)
      if (isLong(bag))
        sumLongBag(context, bag);
  }

private:
  int64_t end(int64_t bag) const { return bagEnd(bags, bag, places.size()); }
  bool isLong(int64_t bag) const {
    return end(bag) - bags.offsets[bag] > kLongBag;
  }

  /// Sets `sum` to the weighted sum of the rows of ids [begin, end).
  void sumIds(int64_t begin, int64_t end, T *__restrict sum) const {
    sumRows(rows, places.subspan(begin, end - begin),
            weights ? weights + begin : nullptr, width, sum);
  }

  void sumBag(int64_t bag) const {
    T *sum = result + bag * width;
    sumIds(bags.offsets[bag], end(bag), sum);
    double scale = scaleOf(bag);
    if (scale == 1)
      return;
    for (int64_t j = 0; j != width; ++j)
      sum[j] = static_cast<T>(sum[j] * scale);
  }

  // The chunks have a fixed size, so the sum does not depend on the number of
  // threads.
  void sumLongBag(StepContext &context, int64_t bag) const {
    const int64_t begin = bags.offsets[bag], last = end(bag);
    const int64_t chunks = (last - begin + kLongBag - 1) / kLongBag;
    std::vector<T> partial(chunks * width);
    context.parallelRows(chunks, grain(kLongBag * width * int64_t(sizeof(T))),
                         [&](int64_t from, int64_t to) {
                           for (int64_t chunk = from; chunk != to; ++chunk)
                             sumIds(
                                 begin + chunk * kLongBag,
                                 std::min(last, begin + (chunk + 1) * kLongBag),
                                 partial.data() + chunk * width);
                         });
    double scale = scaleOf(bag);
    for (int64_t j = 0; j != width; ++j) {
      double sum = 0;
      for (int64_t chunk = 0; chunk != chunks; ++chunk)
        sum += partial[chunk * width + j];
      result[bag * width + j] = static_cast<T>(sum * scale);
    }
  }

  double scaleOf(int64_t bag) const {
    return bagScale(bags.pooling, places, weights, bags.offsets[bag], end(bag));
  }

  const int64_t width;
  const T *const *rows;
  std::span<const int32_t> places;
  const Bags &bags;
  const T *weights;
  T *result;
};

/// Starts to load what the next few rows have, unless they are many.
void fetchRows(const RowAddresses &rows, std::span<const int32_t> places) {
  constexpr size_t kFetched = 16 << 10;
  const size_t bytes = rows.width * byteWidth(rows.dtype);
  if (bytes == 0 || places.size() * bytes > kFetched)
    return;
  for (int32_t place : places)
    if (place >= 0)
      prefetchRow(rows.data[place], bytes);
}

/// Padding has no place and reads as zeros.
template <typename T>
void copyAll(StepContext &context, const RowAddresses &rows,
             std::span<const int32_t> places, T *result) {
  context.parallelRows(
      static_cast<int64_t>(places.size()),
      grain(rows.width * int64_t(sizeof(T))), [&](int64_t begin, int64_t end) {
        copyRows(rows.as<T>(), places.subspan(begin, end - begin), rows.width,
                 result + begin * rows.width);
      });
}
} // namespace

/// Offsets come from the user's data: they must start at 0, not decrease, and
/// stay within the ids.
absl::Status ps::runtime::checkBags(std::span<const int64_t> offsets,
                                    int64_t ids, const std::string &feed) {
  if (offsets.empty() && ids != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("feed '", feed, "' has no offsets for ", ids, " ids"));
  for (size_t i = 0; i != offsets.size(); ++i) {
    int64_t least = i == 0 ? 0 : offsets[i - 1];
    int64_t most = i == 0 ? 0 : ids;
    if (offsets[i] < least || offsets[i] > most)
      return absl::InvalidArgumentError(
          absl::StrCat("feed '", feed, "': expected offset ", i,
                       least == most ? absl::StrCat(" to be ", least)
                                     : absl::StrCat(" in ", least, "..", most),
                       ", found ", offsets[i]));
  }
  return absl::OkStatus();
}

void ps::runtime::lookUpRows(StepContext &context, const RowAddresses &rows,
                             std::span<const int32_t> places, const Bags &bags,
                             std::byte *result) {
  auto lookUp = [&]<typename T>(T *to) {
    if (bags.pooling == Pooling::None)
      copyAll(context, rows, places, to);
    else
      BagSums<T>(rows, places, bags, to).run(context);
  };
  if (rows.dtype == DType::F32)
    lookUp(reinterpret_cast<float *>(result));
  else
    lookUp(reinterpret_cast<double *>(result));
}

void ps::runtime::dotRowsWith(StepContext &context, const RowAddresses &rows,
                              std::span<const int32_t> places,
                              const RowVectors &vectors, int64_t perVector,
                              float *dots) {
  const int64_t width = rows.width;
  context.parallelRows(
      static_cast<int64_t>(places.size()) / perVector,
      grain(perVector * width * int64_t(sizeof(float))),
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i != end; ++i) {
          if (i + 1 != end)
            fetchRows(rows, places.subspan((i + 1) * perVector, perVector));
          dotRows(rows.as<float>(), places.subspan(i * perVector, perVector),
                  vectors.at<float>(i, width), width, dots + i * perVector);
        }
      });
}

//===----------------------------------------------------------------------===//
// RowGradientAdder
//===----------------------------------------------------------------------===//

/// Sorts positions by the row of their place, by counting.
void RowGradientAdder::group(std::span<const int32_t> places, int64_t rows) {
  begins.assign(rows + 2, 0);
  // Shifted by two: after the second loop begins[r + 1] is where row r ends.
  for (int32_t place : places)
    if (place >= 0)
      ++begins[place + 2];
  for (int64_t row = 2; row < rows + 2; ++row)
    begins[row] += begins[row - 1];
  positions.resize(begins.back());
  for (size_t i = 0; i != places.size(); ++i)
    if (places[i] >= 0)
      positions[begins[places[i] + 1]++] = static_cast<int32_t>(i);
}

/// For pooled lookups: the bag of each id, and the factor of each bag.
template <typename T>
void RowGradientAdder::scaleBags(std::span<const int32_t> places,
                                 const Bags &bags, const T *weights) {
  bagOf.resize(places.size());
  scales.resize(bags.offsets.size());
  for (size_t bag = 0; bag != bags.offsets.size(); ++bag) {
    int64_t begin = bags.offsets[bag], end = bagEnd(bags, bag, places.size());
    std::fill(bagOf.begin() + begin, bagOf.begin() + end,
              static_cast<int32_t>(bag));
    scales[bag] = bagScale(bags.pooling, places, weights, begin, end);
  }
}

void RowGradientAdder::prepareBags(DType dtype, std::span<const int32_t> places,
                                   const Bags &bags) {
  bagOf.clear();
  if (bags.pooling == Pooling::None)
    return;
  if (dtype == DType::F32)
    scaleBags(places, bags, reinterpret_cast<const float *>(bags.weights));
  else
    scaleBags(places, bags, reinterpret_cast<const double *>(bags.weights));
}

/// Adds to `to` what the ids at `run` of a row get, in order. Ids that follow
/// each other in one bag get multiples of the same gradient, which is added
/// once. `terms` is scratch memory.
template <typename T, typename Use>
void RowGradientAdder::forEachTerm(std::span<const int32_t> run,
                                   const T *weights, Use use) const {
  const bool pooled = !bagOf.empty();
  auto source = [&](int32_t position) {
    return static_cast<int64_t>(pooled ? bagOf[position] : position);
  };
  for (size_t at = 0; at != run.size();) {
    const int64_t bag = source(run[at]);
    double factor = 0;
    do {
      factor += weights ? static_cast<double>(weights[run[at]]) : 1;
      ++at;
    } while (pooled && at != run.size() && source(run[at]) == bag);
    if (pooled)
      factor *= scales[bag];
    use(bag, factor);
  }
}

template <typename T>
void RowGradientAdder::addRow(std::span<const int32_t> run,
                              const RowVectors &gradient, const T *weights,
                              int64_t width, std::vector<ScaledRow<T>> &terms,
                              T *to) const {
  terms.clear();
  forEachTerm(run, weights, [&](int64_t bag, double factor) {
    terms.push_back({gradient.at<T>(bag, width), factor});
  });
  addScaledRows(terms, width, to);
}

/// A row belongs to one task, so no two tasks add to the same memory.
template <typename T>
void RowGradientAdder::addTyped(StepContext &context,
                                const RowVectors &gradient, const Bags &bags,
                                const TensorRef &rowGradients) {
  const int64_t rows = rowGradients.type.shape[0];
  const int64_t width = rowGradients.type.shape[1];
  const T *weights = reinterpret_cast<const T *>(bags.weights);
  const int64_t perRow =
      1 + static_cast<int64_t>(positions.size()) / std::max<int64_t>(1, rows);
  context.parallelRows(rows, grain(perRow * width * int64_t(sizeof(T))),
                       [&](int64_t first, int64_t last) {
                         std::vector<ScaledRow<T>> terms;
                         for (int64_t row = first; row != last; ++row)
                           if (!runOf(row).empty())
                             addRow(runOf(row), gradient, weights, width, terms,
                                    rowGradients.as<T>() + row * width);
                       });
}

void RowGradientAdder::add(StepContext &context, const std::byte *gradient,
                           std::span<const int32_t> places, const Bags &bags,
                           const TensorRef &rowGradients) {
  group(places, rowGradients.type.shape[0]);
  prepareBags(rowGradients.type.dtype, places, bags);
  if (rowGradients.type.dtype == DType::F32)
    addTyped<float>(context, {gradient}, bags, rowGradients);
  else
    addTyped<double>(context, {gradient}, bags, rowGradients);
}

void RowGradientAdder::prepare(const RowAddresses &like,
                               std::span<const int32_t> places,
                               const Bags &bags, int64_t rows) {
  group(places, rows);
  prepareBags(like.dtype, places, bags);
}

template <typename T>
void RowGradientAdder::forEachTyped(
    int64_t width, const RowVectors &gradient, const Bags &bags, int64_t begin,
    int64_t end, absl::FunctionRef<void(int64_t, std::byte *)> use) const {
  constexpr size_t kLine = 64;
  std::vector<ScaledRow<T>> terms;
  // Begins with a line, for the kernels that read it.
  std::vector<T> memory(width + kLine / sizeof(T));
  const size_t offset = reinterpret_cast<uintptr_t>(memory.data()) % kLine;
  T *sum = memory.data() + (kLine - offset) % kLine / sizeof(T);
  for (int64_t row = begin; row != end; ++row) {
    std::fill_n(sum, width, T(0));
    if (!runOf(row).empty())
      addRow(runOf(row), gradient, reinterpret_cast<const T *>(bags.weights),
             width, terms, sum);
    use(row, reinterpret_cast<std::byte *>(sum));
  }
}

void RowGradientAdder::forEachRow(
    const RowAddresses &like, const RowVectors &gradient, const Bags &bags,
    int64_t begin, int64_t end,
    absl::FunctionRef<void(int64_t row, std::byte *gradient)> use) const {
  if (like.dtype == DType::F32)
    forEachTyped<float>(like.width, gradient, bags, begin, end, use);
  else
    forEachTyped<double>(like.width, gradient, bags, begin, end, use);
}
