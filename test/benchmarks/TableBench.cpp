// SPDX-License-Identifier: Apache-2.0
//===- TableBench.cpp - what embedding tables cost per row ----------------===//
//
// Creates rows of 16 floats with Adagrad's state, then looks up and updates
// random ones in batches, on one thread, beside plain loops that write rows of
// new memory, and that gather from, or read and write, random rows of the
// table's memory whose places they are told. Arguments: numbers of rows; those
// that memory does not suffice for are passed over. At the end, how the rates
// at each number compare with those at the first.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/Table.h"
#include "test/benchmarks/Table.h"
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <tuple>

using namespace ps::runtime;
namespace bench = ps::bench;

namespace {
constexpr int64_t kWidth = 16;
constexpr size_t kValueBytes = kWidth * sizeof(float);
constexpr int64_t kBatch = 32768;
constexpr int64_t kBatches = 64;
constexpr int kRepeats = 7;

using Row [[gnu::vector_size(kValueBytes), gnu::aligned(4)]] = float;

/// Adagrad of one row.
void adagrad(float *value, float *moment, const float *gradient, float rate) {
  const Row g = *reinterpret_cast<const Row *>(gradient);
  const Row m = *reinterpret_cast<Row *>(moment) + g * g;
  *reinterpret_cast<Row *>(moment) = m;
  *reinterpret_cast<Row *>(value) -= rate * g / __builtin_elementwise_sqrt(m);
}

void adagradKernel(void *const *buffers, int64_t, int64_t) {
  adagrad(static_cast<float *>(buffers[0]), static_cast<float *>(buffers[1]),
          static_cast<const float *>(buffers[2]),
          *static_cast<const float *>(buffers[3]));
}

int64_t idOf(int64_t row) { return static_cast<int64_t>(mixId(row + 12345)); }

TableSpec makeSpec(int64_t numRows) {
  TableSpec spec;
  spec.name = "emb";
  spec.width = kWidth;
  spec.maxRows = numRows;
  spec.initial = {InitialValue::Kind::Uniform, -0.1, 0.1};
  spec.slots = {{"moment", {DType::F32, {kWidth}}, 0.1}};
  return spec;
}

void fail(const absl::Status &status) {
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

/// Seconds of this thread's own time that `body` takes: what others do on the
/// machine in between does not count.
template <typename Body>
double seconds(Body &&body) {
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  body();
  return now() - begin;
}

/// Millions of rows per second of two bodies that work on the batch they are
/// given: the middle one of many, in turn, so that both meet the same load of
/// the machine.
template <typename First, typename Second>
std::pair<double, double> rates(First &&first, Second &&second) {
  std::vector<double> a, b;
  for (int64_t run = 0; run < kRepeats * kBatches; ++run) {
    // Long after the other body brought the batch to the cache.
    a.push_back(seconds([&] { first(run % kBatches); }));
    b.push_back(seconds([&] { second((run + kBatches / 2) % kBatches); }));
  }
  return {double(kBatch) * 1e-6 / bench::median(a),
          double(kBatch) * 1e-6 / bench::median(b)};
}

/// Millions of rows per second.
struct Rates {
  int64_t numRows = 0;
  double created = 0, gather = 0, lookup = 0, plainUpdate = 0, update = 0;
};

/// Writes rows of new memory, twice: what the first pass finds may never have
/// been handed out by the host of a virtual machine.
double plainlyCreated(int64_t numRows) {
  double spent = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t bytes = size_t(numRows) * 2 * kValueBytes;
    absl::StatusOr<AddressRange> memory = AddressRange::reserve(bytes);
    if (!memory.ok())
      fail(memory.status());
    if (absl::Status status = memory->grow(bytes); !status.ok())
      fail(status);
    spent = seconds([&] { std::memset(memory->data(), 1, bytes); });
  }
  return double(numRows) * 1e-6 / spent;
}

Rates measure(int64_t numRows) {
  Rates result{numRows};
  const std::string label = std::to_string(numRows / 1000) + " k rows, ";
  bench::row(label + "plain write of new rows", plainlyCreated(numRows),
             "M rows/s");
  absl::StatusOr<std::unique_ptr<Table>> made =
      Table::create(makeSpec(numRows), /*seed=*/1);
  if (!made.ok())
    fail(made.status());
  Table &table = **made;

  std::vector<int64_t> ids(kBatch);
  std::vector<std::byte> values(kBatch * kValueBytes);
  double spent = 0;
  for (int64_t row = 0; row < numRows; row += kBatch) {
    const int64_t count = std::min(kBatch, numRows - row);
    for (int64_t i = 0; i < count; ++i)
      ids[i] = idOf(row + i);
    spent += seconds([&] {
      if (absl::Status status = table.lookup(std::span(ids).first(count),
                                             /*create=*/true, values.data());
          !status.ok())
        fail(status);
    });
  }
  result.created = double(numRows) * 1e-6 / spent;
  bench::row(label + "created", result.created, "M rows/s");
  const double rowBytes = double(table.layout().bytes);
  bench::row(label + "bytes per byte of row and slots",
             double(table.rows().bytes()) / double(numRows) / rowBytes, "",
             "<= 1.25");

  // Random rows, in no batch twice, by id and by address.
  std::mt19937_64 random(7);
  std::vector<int64_t> wanted;
  std::vector<uint32_t> places;
  std::byte *base = nullptr;
  for (int64_t i = 0; i < kBatch * kBatches; ++i) {
    const auto row = static_cast<int64_t>(random() % uint64_t(numRows));
    wanted.push_back(idOf(row));
  }
  for (int64_t row = 0; row < numRows; ++row)
    if (std::byte *at = table.find(idOf(row)); !base || at < base)
      base = at;
  for (int64_t id : wanted)
    places.push_back(static_cast<uint32_t>(size_t(table.find(id) - base) /
                                           size_t(rowBytes)));

  const size_t stride = table.layout().bytes;
  std::tie(result.gather, result.lookup) = rates(
      [&](int64_t batch) {
        for (int64_t i = 0; i < kBatch; ++i)
          std::memcpy(values.data() + i * kValueBytes,
                      base + places[batch * kBatch + i] * stride, kValueBytes);
      },
      [&](int64_t batch) {
        if (absl::Status status =
                table.lookup(std::span(wanted).subspan(batch * kBatch, kBatch),
                             /*create=*/false, values.data());
            !status.ok())
          fail(status);
      });
  bench::row(label + "plain gather", result.gather, "M rows/s");
  bench::row(label + "looked up", result.lookup, "M rows/s");
  bench::row(label + "looked up, of plain gather",
             100 * result.lookup / result.gather, "%", ">= 60");

  std::vector<std::byte> image(stride), gradient(kValueBytes);
  std::vector<float> gradients(kBatch * kWidth, 0.01f);
  float rate = 0.01f;
  RowStep step;
  step.kernel.function = adagradKernel;
  step.kernel.buffers = {image.data(), image.data() + table.layout().slots[0],
                         gradient.data(), &rate};
  RowMemory memory;
  memory.row = image;
  memory.gradient = gradient;
  absl::StatusOr<RowUpdate> update =
      RowUpdate::create(std::span(&step, 1), memory);
  if (!update.ok())
    fail(update.status());
  std::tie(result.plainUpdate, result.update) = rates(
      [&](int64_t batch) {
        for (int64_t i = 0; i < kBatch; ++i) {
          auto *row = reinterpret_cast<float *>(
              base + places[batch * kBatch + i] * stride);
          adagrad(row, row + kWidth, gradients.data() + i * kWidth, rate);
        }
      },
      [&](int64_t batch) {
        if (absl::Status status = table.update(
                std::span(wanted).subspan(batch * kBatch, kBatch),
                reinterpret_cast<std::byte *>(gradients.data()), *update);
            !status.ok())
          fail(status);
      });
  bench::row(label + "plain read and write", result.plainUpdate, "M rows/s");
  bench::row(label + "updated", result.update, "M rows/s");
  bench::row(label + "updated, of plain read and write",
             100 * result.update / result.plainUpdate, "%", ">= 50");
  bench::row(label + "updated, of plain gather",
             100 * result.update / result.gather, "%");
  return result;
}

/// How flat the rates are.
void compare(const Rates &first, const Rates &other) {
  const std::string label = std::to_string(other.numRows / 1000) + " of " +
                            std::to_string(first.numRows / 1000) + " k rows, ";
  auto row = [&](const char *what, double Rates::*rate, const char *goal = "") {
    bench::row(label + what, 100 * other.*rate / (first.*rate), "%", goal);
  };
  row("created", &Rates::created, ">= 80");
  row("plain gather", &Rates::gather);
  row("looked up", &Rates::lookup, ">= 80");
  row("plain read and write", &Rates::plainUpdate);
  row("updated", &Rates::update, ">= 80");
}

/// Bytes that can be had without swapping, by the system's own estimate.
double availableBytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  double kilobytes = 0;
  while (file >> name)
    if (name == "MemAvailable:" && file >> kilobytes)
      break;
  return kilobytes * 1024;
}
} // namespace

int main(int argc, char **argv) {
  std::vector<Rates> all;
  for (int i = 1; i < argc; ++i) {
    const int64_t numRows = std::atoll(argv[i]);
    const double needed = double(numRows) * 2 * kValueBytes * 1.3;
    if (numRows < 1 || needed > availableBytes())
      std::printf("%lld rows: needs %.0f MiB of memory, passed over\n",
                  static_cast<long long>(numRows), needed / 0x1p20);
    else
      all.push_back(measure(numRows));
  }
  for (size_t i = 1; i < all.size(); ++i)
    compare(all[0], all[i]);
}
