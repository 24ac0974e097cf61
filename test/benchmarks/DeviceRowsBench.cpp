// SPDX-License-Identifier: Apache-2.0
//===- DeviceRowsBench.cpp - rows of tables in a device's memory ----------===//
//
// What finding rows by their ids costs beside copies of the same rows whose
// places are known.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Hash.h"
#include "runtime/base/Join.h"
#include "runtime/hbm/DeviceBatch.h"
#include "test/benchmarks/DeviceTime.h"
#include "test/benchmarks/Table.h"
#include <numeric>
#include <random>

using namespace ps::bench;
using namespace ps::runtime;

namespace {

constexpr int64_t kWidth = 64, kRowBytes = kWidth * 4;

template <typename T>
void fill(DeviceArray &array, const std::vector<T> &values) {
  check(await([&](Done done) {
    array.fill(std::span<const T>(values), std::move(done));
  }));
}

/// Table `slots` rows, all of which the index has, and a step's `used` ones.
class RowsBench {
public:
  RowsBench(Device &device, int64_t slots, int64_t used)
      : device(device), functions(check(RowFunctions::load(device))),
        slots(slots), used(used),
        index(check(
            HbmIndex::create(device, functions, HbmIndex::bucketsFor(slots)))) {
    check(slab.reserve(size_t(slots * kRowBytes)));
    check(result.reserve(size_t(used * kRowBytes)));
    check(foundSlots.reserve(size_t(used) * 4));
    insertAll();
    // A step's rows are anywhere.
    std::vector<uint32_t> order(slots);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    order.resize(used);
    for (uint32_t slot : order)
      usedIds.push_back(idOf(slot));
    fill(stepSlots, order);
    fill(stepIds, usedIds);
  }

  void measureFind() {
    const double gather =
        deviceSeconds(device, [&] { queueGather(stepSlots); });
    auto secondsOf = [&](bool marks) {
      return deviceSeconds(
          device,
          [&] {
            queueFind(marks);
            queueGather(foundSlots);
          },
          2 * (kTolerance + 1));
    };
    const double find = secondsOf(/*marks=*/false);
    row("plain gather of rows, dim 64", used / gather / 1e9, "Grows/s");
    row("hbm find, dim 64", used / find / 1e9, "Grows/s", ">= 6 Grows/s");
    row("hbm find, dim 64, of a plain gather", 100 * gather / find, "%",
        ">= 70 %");
    row("hbm find, uses marked, dim 64, of a plain gather",
        100 * gather / secondsOf(/*marks=*/true), "%", ">= 70 %");
  }

  /// An eighth of the rows is new.
  void measureUpdate() {
    const double scatter = deviceSeconds(device, [&] { queueScatter(); });
    const int64_t added = used / 8;
    const double update = deviceSeconds(device, [&] {
      check(index->erase(stepIds.as<int64_t>(), added));
      queueFind(/*marks=*/true);
      check(index->insert(stepIds.as<int64_t>(), stepSlots.as<uint32_t>(),
                          nullptr, use, added));
      queueScatter();
    });
    row("plain scatter of rows, dim 64", used / scatter / 1e9, "Grows/s");
    row("hbm insert or update, dim 64", used / update / 1e9, "Grows/s");
    row("hbm insert or update, dim 64, of a plain scatter",
        100 * scatter / update, "%", ">= 40 %");
  }

  /// As training does it: four ids of a row on average, whose gradients are
  /// added up.
  void measureBatch() {
    std::vector<int64_t> ids(used);
    std::mt19937_64 random(2);
    for (int64_t &id : ids)
      id = usedIds[random() % uint64_t(std::max<int64_t>(1, used / 4))];
    const RowLookup lookup = {ids, std::nullopt};
    DeviceBatch batch(device, functions);
    PositionsByPlace positions(device, functions);
    DeviceBatch::Missing missing;
    const double find = deviceSeconds(device, [&] {
      check(batch.find(std::span(&lookup, 1), *index, HbmIndex::Use{++use},
                       missing));
    });
    row("hbm ids brought together and found", used / find / 1e9, "Gids/s");
    const int64_t laneBits = laneBitsOf(kRowBytes / 16);
    const double merge = deviceSeconds(device, [&] {
      check(positions.sort(batch.places(0), used, batch.size()));
      check(launchThreads(
          device, functions.sumGradientsF32, batch.size() << laneBits,
          result.data(), positions.begins(), positions.positions(),
          static_cast<int32_t *>(nullptr), static_cast<float *>(nullptr),
          static_cast<double *>(nullptr), slab.data(), kWidth, laneBits,
          int64_t{1}, int64_t{0}));
    });
    row("hbm gradients merged, dim 64", used / merge / 1e9, "Grows/s");
  }

private:
  /// As where room is made every 128 steps: one in 17 writes marks.
  static constexpr int kTolerance = 128 / 8;

  static int64_t idOf(uint32_t slot) {
    return static_cast<int64_t>(mixBits(slot));
  }
  void insertAll() {
    constexpr int64_t piece = 1 << 20;
    DeviceArray ids(device), places(device);
    for (int64_t begin = 0; begin < slots; begin += piece) {
      std::vector<uint32_t> some(std::min(piece, slots - begin));
      std::iota(some.begin(), some.end(), static_cast<uint32_t>(begin));
      std::vector<int64_t> named;
      for (uint32_t slot : some)
        named.push_back(idOf(slot));
      fill(ids, named);
      fill(places, some);
      check(index->insert(ids.as<int64_t>(), places.as<uint32_t>(), nullptr,
                          use, int64_t(some.size())));
    }
    device.drain();
  }
  /// Uses are marked once few slots of a table are free.
  void queueFind(bool marks) {
    ++use;
    check(index->find(stepIds.as<int64_t>(), nullptr, used,
                      marks ? std::optional(HbmIndex::Use{use, kTolerance})
                            : std::nullopt,
                      foundSlots.as<uint32_t>(), HbmIndex::Missing()));
  }
  void queueGather(const DeviceArray &from) {
    check(gatherRows(device, functions, {slab.data(), kRowBytes}, nullptr,
                     from.as<uint32_t>(), result.data(), kRowBytes, used));
  }
  void queueScatter() {
    check(scatterRows(device, functions, {slab.data(), kRowBytes},
                      stepSlots.as<uint32_t>(), result.data(), kRowBytes,
                      used));
  }

  Device &device;
  const RowFunctions functions;
  const int64_t slots, used;
  uint32_t use = 1;
  std::unique_ptr<HbmIndex> index;
  std::vector<int64_t> usedIds;
  DeviceArray slab{device}, result{device}, foundSlots{device},
      stepSlots{device}, stepIds{device};
};

} // namespace

void ps::bench::measureRows(Device &device, int64_t slots, int64_t used) {
  RowsBench bench(device, slots, used);
  bench.measureFind();
  bench.measureUpdate();
  bench.measureBatch();
}
