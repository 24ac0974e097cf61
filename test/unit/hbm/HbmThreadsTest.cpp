// SPDX-License-Identifier: Apache-2.0
//===- HbmThreadsTest.cpp - device functions by threads at the same time --===//
//
// The emulated device runs the threads of a launch one after the other, a GPU
// does not. Here threads of the host run them at the same time, on memory of
// the host: claims of entries meet.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/RowFunctions.h"
#include "test/unit/hbm/HbmTesting.h"
#include <atomic>
#include <map>
#include <thread>

using namespace ps::runtime;

namespace {

/// Runs `count` threads of a function, by four threads of the host that take
/// turns with them.
template <typename... Values>
void runTogether(std::string_view name, int64_t count, Values... values) {
  constexpr int64_t kWorkers = 4;
  const GridCode *code = findRowFunction(name);
  ASSERT_NE(code, nullptr) << name;
  void *given[] = {deviceValue(values)...};
  std::atomic<int64_t> waiting = kWorkers;
  std::vector<std::thread> workers;
  for (int64_t worker = 0; worker < kWorkers; ++worker)
    workers.emplace_back([&, worker] {
      // All begin at once.
      for (--waiting; waiting != 0;)
        std::this_thread::yield();
      for (int64_t i = worker; i < count; i += kWorkers) {
        GridThread thread;
        thread.block = i / kRowFunctionThreads;
        thread.thread = i % kRowFunctionThreads;
        code->function(given, count, reinterpret_cast<int64_t>(&thread));
      }
    });
  for (std::thread &worker : workers)
    worker.join();
}

TEST(HbmThreads, ClaimTheFirstPositionOfEachId) {
  std::mt19937_64 random(1);
  for (int64_t distinct : {1, 3, 100, 5000})
    for (int64_t size : {5, 3000}) {
      std::vector<int64_t> ids(size);
      for (int64_t &id : ids)
        id = drawId(random, distinct);
      std::vector<int32_t> places(size);
      const int64_t mask = 8191;
      std::vector<uint32_t> claims(mask + 1, UINT32_MAX);
      runTogether("psClaimIds", size, ids.data(), places.data(), claims.data(),
                  mask, int64_t{7});
      std::map<int64_t, uint32_t> first;
      for (int64_t i = 0; i < size; ++i) {
        first.try_emplace(ids[i], uint32_t(i));
        ASSERT_EQ(claims[places[i]], first.at(ids[i])) << ids[i];
      }
    }
}

/// Buckets end up full, or nearly so.
TEST(HbmThreads, InsertEachIdOnce) {
  for (int64_t seed = 0; seed < 50; ++seed) {
    const int64_t buckets = 64, size = buckets * kIndexBucketEntries - seed;
    std::vector<int64_t> ids(size);
    std::vector<uint32_t> slots(size), found(size);
    for (int64_t i = 0; i < size; ++i) {
      ids[i] = (i - size / 2) * 0x100000001;
      slots[i] = uint32_t(i + seed);
    }
    std::vector<std::byte> memory((buckets + 1) * kIndexBucketBytes);
    void *index = memory.data();
    size_t space = memory.size();
    std::align(kIndexBucketBytes, 1, index, space);
    runTogether("psInsertSlots", size, index, buckets, seed, ids.data(),
                slots.data(), nullptr, /*use=*/int64_t{1});
    // Each has an entry of its own, where a search finds it.
    for (int64_t i = 0; i < size; ++i) {
      GridThread thread;
      thread.thread = i;
      void *given[] = {index,
                       deviceValue(buckets),
                       deviceValue(seed),
                       deviceValue(ids.data()),
                       nullptr,
                       deviceValue(int64_t{2}),
                       deviceValue(int64_t{0}),
                       deviceValue(found.data()),
                       nullptr,
                       nullptr,
                       nullptr};
      findRowFunction("psFindSlots")
          ->function(given, size, reinterpret_cast<int64_t>(&thread));
    }
    ASSERT_EQ(found, slots) << seed;
  }
}

} // namespace
