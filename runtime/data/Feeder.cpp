//===- Feeder.cpp - from samples to the feeds of a program ----------------===//

#include "runtime/data/Feeder.h"
#include "absl/strings/str_cat.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Calls `body` with a value of the C++ type that stores `type`.
template <typename Body>
static auto withType(DType type, Body body) {
  switch (type) {
  case DType::I1:
  case DType::UI8:
    return body(uint8_t());
  case DType::I8:
    return body(int8_t());
  case DType::I16:
    return body(int16_t());
  case DType::I32:
    return body(int32_t());
  case DType::I64:
    return body(int64_t());
  case DType::UI16:
    return body(uint16_t());
  case DType::UI32:
    return body(uint32_t());
  case DType::UI64:
    return body(uint64_t());
  case DType::BF16:
    return body(BFloat16());
  case DType::F16:
    return body(_Float16(0));
  case DType::F32:
    return body(float());
  case DType::F64:
    return body(double());
  }
  __builtin_unreachable();
}

/// Converts the rows of `samples`, which are stored as `From`.
template <typename From, typename To>
static void convertRows(const Column &column, double scale,
                        std::span<const int64_t> samples, To *to) {
  const From *from = reinterpret_cast<const From *>(column.bytes.data());
  for (int64_t sample : samples) {
    const From *row = from + sample * column.width;
    for (int64_t i = 0; i != column.width; ++i)
      *to++ = static_cast<To>(row[i] * scale);
  }
}

/// Whether a feed of `type` can hold `value`: an integer one exactly, a
/// floating-point one as a finite number.
static bool fits(double value, DType type) {
  if (type == DType::I1)
    return value == 0 || value == 1;
  return withType(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      // The upper end, a power of two, is exact as a double; the largest T
      // may not be.
      return std::trunc(value) == value &&
             value >= static_cast<double>(std::numeric_limits<T>::min()) &&
             value < std::ldexp(1.0, std::numeric_limits<T>::digits);
    else
      return std::isfinite(static_cast<double>(static_cast<T>(value)));
  });
}

//===----------------------------------------------------------------------===//
// FeedMap
//===----------------------------------------------------------------------===//

static std::string show(const TensorType &type) {
  std::string text;
  for (int64_t size : type.shape)
    absl::StrAppend(&text, size < 0 ? "?" : absl::StrCat(size), "x");
  return text.append(dtypeName(type.dtype));
}

static absl::Status check(const Dataset &data, const Column &column,
                          const FeedSpec &feed) {
  auto error = [&](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("feed '", feed.name, "' is ", show(feed.type), ", ", why,
                     " in data '", data.spec, "'"));
  };
  if (feed.type.shape.empty())
    return error(
        absl::StrCat("it has no batch dimension to hold the ", column.name));
  int64_t width = 1;
  for (size_t i = 1; i != feed.type.shape.size(); ++i)
    width *= feed.type.shape[i];
  if (width != column.width)
    return error(absl::StrCat("expected ", width, " ", column.name,
                              " per sample, found ", column.width));
  // Bytes are in the range of every floating-point type.
  if (isFloat(feed.type.dtype) && column.dtype == DType::UI8)
    return absl::OkStatus();
  for (int64_t sample = 0; sample != data.size; ++sample)
    for (int64_t i = 0; i != column.width; ++i)
      if (double value = column.at(sample, i); !fits(value, feed.type.dtype))
        return error(absl::StrCat("it cannot hold ", column.name, " ", value,
                                  " of sample ", sample));
  return absl::OkStatus();
}

absl::StatusOr<FeedMap> FeedMap::create(const Dataset &data,
                                        std::span<const FeedSpec> feeds) {
  // A graph without a label may use data that has one, never the reverse.
  if (feeds.empty() || feeds.size() > data.columns.size())
    return absl::InvalidArgumentError(
        absl::StrCat("the graph takes ", feeds.size(), " feeds, data '",
                     data.spec, "' has ", data.columns.size(), " columns"));
  std::vector<const Column *> chosen(feeds.size());
  std::vector<const Column *> left;
  for (const Column &column : data.columns) {
    auto named =
        std::find_if(feeds.begin(), feeds.end(), [&](const FeedSpec &feed) {
          return feed.name == column.name;
        });
    if (named == feeds.end())
      left.push_back(&column);
    else
      chosen[named - feeds.begin()] = &column;
  }
  FeedMap map;
  auto nextLeft = left.begin();
  for (size_t i = 0; i != feeds.size(); ++i) {
    const Column *column = chosen[i] ? chosen[i] : *nextLeft++;
    if (absl::Status status = check(data, *column, feeds[i]); !status.ok())
      return status;
    map.entries.push_back({feeds[i].name, column});
  }
  return map;
}

void FeedMap::gather(std::span<const int64_t> samples,
                     const std::map<std::string, TensorRef> &feeds) const {
  for (const Entry &entry : entries) {
    const TensorRef &to = feeds.at(entry.feed);
    double scale = isFloat(to.type.dtype) ? entry.column->scale : 1;
    withType(to.type.dtype, [&](auto zero) {
      using T = decltype(zero);
      if (entry.column->dtype == DType::UI8)
        convertRows<uint8_t>(*entry.column, scale, samples, to.as<T>());
      else
        convertRows<double>(*entry.column, scale, samples, to.as<T>());
    });
  }
}

//===----------------------------------------------------------------------===//
// Feeder
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<Feeder>>
Feeder::create(FeedMap map, Sampler sampler,
               const std::map<std::string, TensorRef> &feeds) {
  auto feeder =
      std::unique_ptr<Feeder>(new Feeder(std::move(map), std::move(sampler)));
  feeder->feeds = feeds;
  for (const auto &[name, feed] : feeds) {
    absl::StatusOr<Buffer> memory = Buffer::allocate(feed.type.bytes());
    if (!memory.ok())
      return memory.status();
    feeder->staged[name] = {feed.type, memory->data()};
    feeder->memory.push_back(std::move(*memory));
    feeder->batchSize = feed.type.rows();
  }
  feeder->thread = std::thread([f = feeder.get()] { f->prepareBatches(); });
  return feeder;
}

Feeder::~Feeder() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Feeder::prepareBatches() {
  std::vector<int64_t> samples(batchSize);
  for (int64_t step = 0;; ++step) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return stopping || !ready; });
      if (stopping)
        return;
    }
    sampler.batch(step / sampler.stepsPerEpoch(),
                  step % sampler.stepsPerEpoch(), samples);
    map.gather(samples, staged);
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_all();
  }
}

void Feeder::next() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ready; });
  for (const auto &[name, to] : feeds)
    std::memcpy(to.data, staged.at(name).data, to.type.bytes());
  ready = false;
  lock.unlock();
  changed.notify_all();
}
