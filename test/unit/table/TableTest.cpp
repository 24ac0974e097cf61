// SPDX-License-Identifier: Apache-2.0
//===- TableTest.cpp - rows that are created, read and updated ------------===//

#include "runtime/table/Table.h"
#include "absl/strings/str_cat.h"
#include "runtime/table/TableScan.h"
#include "test/unit/table/TableTesting.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <thread>

using namespace ps::runtime;
using Code = absl::StatusCode;
using ::testing::ElementsAre;

namespace {
const std::vector<int64_t> kOddIds = {
    0, -1, INT64_MIN, INT64_MAX, int64_t{1} << 40, -2, 1, 2};

std::vector<float> lookup(Table &table, const std::vector<int64_t> &ids,
                          bool create = true) {
  std::vector<float> values(ids.size() * size_t(table.spec().width), -7);
  EXPECT_OK(table.lookup(ids, create, bytesOf(values)));
  return values;
}
} // namespace

TEST(PagePool, PiecesAreZeroedAndIndependent) {
  PagePool pool;
  std::vector<PagePool::Piece> pieces;
  for (size_t bytes : {1, 5000, 4096, 3 << 20, 300 << 20}) {
    auto piece = pool.allocate(bytes);
    ASSERT_TRUE(piece.ok()) << piece.status();
    EXPECT_GE(piece->size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece->data()) % 4096, 0u);
    for (size_t i = 0; i < bytes; i += 1000)
      ASSERT_EQ(piece->data()[i], std::byte{0});
    std::memset(piece->data(), 1, std::min<size_t>(bytes, 4 << 20));
    pieces.push_back(*std::move(piece));
  }
  pieces.erase(pieces.begin() + 1);
  EXPECT_EQ(pieces[0].data()[0], std::byte{1});
  EXPECT_EQ(pieces[1].data()[4095], std::byte{1});
  EXPECT_TRUE(failsWith(pool.allocate(SIZE_MAX - 1).status(),
                        Code::kResourceExhausted, "cannot use"));
}

TEST(RowIndex, AnyIdIsAKey) {
  PagePool pool;
  const IdHash hash;
  RowIndex index;
  for (int64_t id : kOddIds)
    EXPECT_EQ(index.find(id, hash(id)), RowIndex::kNone);
  EXPECT_OK(index.reserve(kOddIds.size(), hash, pool));
  uint32_t number = 0;
  for (int64_t id : kOddIds)
    index.insert(id, hash(id), number++);
  EXPECT_EQ(index.size(), kOddIds.size());
  number = 0;
  for (int64_t id : kOddIds)
    EXPECT_EQ(index.find(id, hash(id)), number++) << id;
  EXPECT_EQ(index.find(3, hash(3)), RowIndex::kNone);
}

TEST(RowIndex, GrowsAndDropsIds) {
  PagePool pool;
  const IdHash hash;
  RowIndex index;
  const int64_t count = 100000;
  for (int64_t id = 0; id < count; ++id) {
    EXPECT_OK(index.reserve(index.size() + 1, hash, pool));
    index.insert(id, hash(id), static_cast<uint32_t>(id));
  }
  // Between 56 % and 70 % of the places are used.
  EXPECT_LT(index.bytes(), size_t(count) * 23);
  const size_t bytes = index.bytes();
  EXPECT_OK(index.filter(
      [](int64_t id, uint32_t &number) {
        number += 1;
        return id % 3 == 0;
      },
      hash, pool));
  EXPECT_EQ(index.size(), size_t(count + 2) / 3);
  EXPECT_EQ(index.bytes(), bytes);
  for (int64_t id = 0; id < count; ++id)
    ASSERT_EQ(index.find(id, hash(id)),
              id % 3 == 0 ? uint32_t(id + 1) : RowIndex::kNone);
}

TEST(RowIndex, ForgetsErasedIds) {
  // Small ones, in which every bucket has been full, and a large one.
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (size_t count : {size_t{1}, size_t{14}, size_t{40}, size_t{3000}}) {
    PagePool pool;
    const IdHash hash;
    RowIndex index;
    std::map<int64_t, uint32_t> expected;
    // 0 among them, and more than have room.
    auto draw = [&] { return int64_t(random() % (count + count / 2 + 2)); };
    for (size_t i = 0; i < 20000; ++i) {
      const int64_t id = draw();
      if (expected.erase(id)) {
        index.erase(id, hash);
      } else if (expected.size() < count) {
        EXPECT_OK(index.reserve(expected.size() + 1, hash, pool));
        index.insert(id, hash(id), uint32_t(i));
        expected[id] = uint32_t(i);
      }
      for (int64_t other : {int64_t{0}, id, draw(), draw()}) {
        const auto found = expected.find(other);
        ASSERT_EQ(index.find(other, hash(other)),
                  found == expected.end() ? RowIndex::kNone : found->second)
            << other << " of " << count;
      }
    }
    ASSERT_EQ(index.size(), expected.size());
    size_t visited = 0;
    index.forEach([&](int64_t id, uint32_t number) {
      EXPECT_EQ(expected.at(id), number);
      ++visited;
    });
    EXPECT_EQ(visited, expected.size());
  }
}

/// How far ids are from home, all together, depends on which ones are there,
/// not on those that have come and gone.
TEST(RowIndex, SearchesAreThoseOfANewIndex) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  constexpr uint32_t kIds = 10'000, kAll = 4 * kIds;
  PagePool pool;
  const IdHash hash;
  RowIndex index, fresh;
  ASSERT_OK(index.reserve(kIds, hash, pool));
  ASSERT_OK(fresh.reserve(kIds, hash, pool));
  std::vector<int64_t> held;
  std::set<int64_t> isHeld;
  for (uint32_t i = 0; i < 20 * kIds; ++i) {
    if (held.size() == kIds) {
      std::swap(held[random() % kIds], held.back());
      index.erase(held.back(), hash);
      isHeld.erase(held.back());
      held.pop_back();
    }
    const auto id = int64_t(random() % kAll);
    if (!isHeld.insert(id).second)
      continue;
    index.insert(id, hash(id), uint32_t(id));
    held.push_back(id);
  }
  for (int64_t id : held)
    fresh.insert(id, hash(id), uint32_t(id));
  size_t visited = 0, expected = 0;
  for (int64_t id = 0; id < kAll; ++id) {
    EXPECT_EQ(index.find(id, hash(id)),
              isHeld.contains(id) ? uint32_t(id) : RowIndex::kNone);
    visited += index.searchLength(id, hash(id));
    expected += fresh.searchLength(id, hash(id));
  }
  EXPECT_EQ(visited, expected);
}

TEST(RowIndex, FindsManyIdsAsItFindsOne) {
  // Ids that are there, most of them in a bucket that others filled, and ids
  // that are not, 0 among them.
  PagePool pool;
  const IdHash hash;
  std::vector<RowIndex> indices(4);
  for (RowIndex &index : indices)
    EXPECT_OK(index.reserve(150, hash, pool));
  for (int64_t id = 1; id <= 500; ++id)
    indices[hash(id) >> 62].insert(id, hash(id), static_cast<uint32_t>(id));
  std::vector<int64_t> ids(RowIndex::kMostIds);
  std::iota(ids.begin(), ids.end(), -100);
  for (size_t size : {size_t{0}, size_t{1}, size_t{17}, ids.size()}) {
    std::vector<uint32_t> numbers(size);
    RowIndex::findAll(indices.data(), 62, hash, std::span(ids).first(size),
                      numbers.data());
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(numbers[i], ids[i] > 0 && ids[i] <= 500 ? uint32_t(ids[i])
                                                        : RowIndex::kNone)
          << ids[i];
  }
}

TEST(RowGather, CopiesRowsOfAnySize) {
  std::vector<std::byte> memory(64 * 700);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<std::byte>(i % 251);
  const std::vector<uint32_t> numbers = {3,  0,  49, 7,  7,  50,         1,  2,
                                         4,  5,  6,  8,  9,  10,         11, 12,
                                         13, 14, 15, 16, 17, UINT32_MAX, 18};
  for (size_t bytes : {4, 16, 32, 36, 64, 128, 132, 300})
    for (size_t stride : {bytes, bytes + 4, (bytes + 63) / 64 * 64})
      for (size_t count : {size_t{0}, size_t{5}, numbers.size()}) {
        const RowSlab slab = {memory.data(), stride, 50};
        std::vector<std::byte> copies(count * bytes + 1, std::byte{255});
        EXPECT_EQ(gatherRows(slab, std::span(numbers).first(count), bytes,
                             stride, copies.data()),
                  count > 5);
        for (size_t i = 0; i < count * bytes; ++i) {
          const uint32_t number = numbers[i / bytes];
          ASSERT_EQ(copies[i], number < 50 ? memory[number * stride + i % bytes]
                                           : std::byte{0})
              << bytes << " " << stride << " " << i;
        }
        EXPECT_EQ(copies.back(), std::byte{255});
      }
}

TEST(RowUpdate, RunsOnOtherRows) {
  // y = x + g through scratch memory, then a copy of x beside it.
  std::vector<float> image(4), gradient(2), scratch(2);
  KernelFunction add = [](void *const *buffers, int64_t, int64_t rows) {
    auto *a = static_cast<float *>(buffers[0]);
    auto *b = static_cast<float *>(buffers[1]);
    auto *c = static_cast<float *>(buffers[2]);
    for (int64_t i = 0; i < rows; ++i)
      c[i] = a[i] + b[i];
  };
  std::vector<RowStep> steps(3);
  steps[0].kernel = {add, {&image[0], &gradient[0], &scratch[0]}, 2};
  steps[1].copy = {&image[2], &image[0], 8};
  steps[2].copy = {&image[0], &scratch[0], 8};
  RowMemory memory;
  memory.row = bytesSpan(image);
  memory.gradient = bytesSpan(gradient);
  memory.scratch = {bytesSpan(scratch)};
  auto update = RowUpdate::create(steps, memory);
  ASSERT_TRUE(update.ok()) << update.status();

  std::vector<float> row = {1, 2, 0, 0}, grad = {10, 20};
  RowUpdate::Runner(*update).apply(bytesOf(row), bytesOf(grad));
  EXPECT_EQ(row, (std::vector<float>{11, 22, 1, 2}));
  EXPECT_EQ(image, std::vector<float>(4));
  EXPECT_EQ(scratch, std::vector<float>(2));

  steps[1].copy.bytes = 12;
  EXPECT_TRUE(failsWith(RowUpdate::create(steps, memory).status(),
                        Code::kInvalidArgument,
                        "a copy in a row's update leaves the memory"));
  steps[0].kernel.function = nullptr;
  EXPECT_TRUE(failsWith(RowUpdate::create(steps, memory).status(),
                        Code::kInvalidArgument,
                        "a kernel in a row's update is not compiled"));
}

TEST(Table, LaysRowsOut) {
  TableSpec spec = adagradTable(3, 10);
  spec.slots.push_back({"steps", {DType::I64, {}}, 5});
  spec.slots.push_back({"flag", {DType::I1, {}}, 1});
  auto table = *Table::create(spec, 0);
  EXPECT_EQ(table->layout().slots, (std::vector<size_t>{12, 24, 32}));
  EXPECT_EQ(table->layout().bytes, 40u);
  lookup(*table, {4});
  const std::byte *row = table->find(4);
  EXPECT_EQ(reinterpret_cast<const float *>(row)[4], 0.5f);
  EXPECT_EQ(reinterpret_cast<const int64_t *>(row)[3], 5);
  EXPECT_EQ(row[32], std::byte{1});
}

TEST(Table, StateIsParametersAndSlots) {
  auto layout = [](std::vector<TensorType> slots, auto change) {
    TableSpec spec = adagradTable(3, 10);
    spec.slots.clear();
    for (const TensorType &type : slots)
      spec.slots.push_back({absl::StrCat("s", spec.slots.size()), type, 0});
    change(spec);
    RowLayout made = *layoutOf(spec);
    // As the table has it.
    const RowLayout held = (*Table::create(spec, 0))->layout();
    EXPECT_EQ(made.bytes, held.bytes);
    EXPECT_EQ(made.stateBytes, held.stateBytes);
    EXPECT_EQ(made.slots, held.slots);
    return made;
  };
  const std::vector<std::pair<std::vector<TensorType>, size_t>> cases = {
      {{}, 12},
      {{{DType::F32, {3}}}, 24},
      {{{DType::F64, {}}}, 24},
      {{{DType::I1, {}}}, 13},
      {{{DType::F64, {}}, {DType::I1, {}}}, 25},
      {{{DType::I1, {}}, {DType::BF16, {3}}}, 20},
      {{{DType::I1, {5}}, {DType::I64, {}}, {DType::I1, {3}}}, 35}};
  for (const auto &[slots, end] : cases) {
    EXPECT_EQ(layout(slots, [](TableSpec &) {}).stateBytes, end);
    // What tells of the row's use is not part of it.
    RowLayout aged = layout(slots, [](TableSpec &s) { s.eviction.maxAge = 1; });
    EXPECT_EQ(aged.stateBytes, end);
    EXPECT_GE(aged.bytes, end + 4);
    RowLayout judged = layout(slots, [](TableSpec &s) {
      s.clicks.emplace().embedxFrom = 1;
      s.eviction.maxAge = 1;
      s.tracksLastWriter = true;
    });
    EXPECT_EQ(judged.stateBytes, end);
    EXPECT_GE(judged.bytes, end + 4 + sizeof(RowClicks) + 4 + sizeof(Writer));
    EXPECT_EQ(judged.bytes % 4, 0u);
  }
}

TEST(Table, RowsStartAsTheDenseVariable) {
  for (auto kind : {InitialValue::Kind::Constant, InitialValue::Kind::Uniform,
                    InitialValue::Kind::Normal})
    for (int64_t width : {1, 3, 16}) {
      TableSpec spec = adagradTable(width, 1000);
      spec.initial = {kind, -0.1, 0.1};
      auto table = *Table::create(spec, 42);
      std::vector<float> dense(50 * size_t(width));
      initialize({{DType::F32, {50, width}}, bytesOf(dense)}, spec.initial, 42,
                 "emb", 0);
      // Whatever the order.
      std::vector<int64_t> ids(50);
      std::iota(ids.rbegin(), ids.rend(), 0);
      lookup(*table, ids);
      std::sort(ids.begin(), ids.end());
      EXPECT_EQ(lookup(*table, ids), dense);
    }
}

TEST(Table, AnyIdIsARow) {
  TableSpec spec = adagradTable(4, 100);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  auto table = *Table::create(spec, 7);
  std::vector<float> first = lookup(*table, kOddIds);
  EXPECT_EQ(table->size(), int64_t(kOddIds.size()));
  EXPECT_EQ(lookup(*table, kOddIds), first);
  std::sort(first.begin(), first.end());
  // No two ids share a random number.
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
  EXPECT_EQ(table->counters().admitted, int64_t(kOddIds.size()));
}

TEST(Table, RepeatedIdsShareARow) {
  auto table = *Table::create(adagradTable(2, 2), 0);
  std::vector<float> values = lookup(*table, {5, 9, 5, 5, 9});
  EXPECT_EQ(table->size(), 2);
  EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + 2),
            std::vector<float>(values.begin() + 4, values.begin() + 6));
}

TEST(Table, ThreadsTakeEachNumberOnce) {
  TableSpec spec = adagradTable(2, 1 << 20);
  // A thread does not know how many it will need.
  spec.admission = {Admission::Kind::Probability, 1, 0.25};
  auto table = *Table::create(spec, 1);
  std::set<uint32_t> taken;
  onThreads(4, [&](ParallelRows parallel) {
    for (int64_t call = 0; call < 10; ++call) {
      std::vector<int64_t> ids(20000);
      std::iota(ids.begin(), ids.end(), call * 20000);
      std::vector<uint32_t> numbers(ids.size());
      EXPECT_OK(table->findRows(ids, true, numbers, parallel));
      std::ranges::copy_if(numbers, std::inserter(taken, taken.end()),
                           RowStore::isRow);
      // What threads have left over is used next.
      EXPECT_LE(table->rows().numbersUsed(), table->size() + 64 * 32);
    }
  });
  EXPECT_EQ(int64_t(taken.size()), table->size());
  EXPECT_NEAR(table->size(), 50000, 1000);
}

TEST(Table, RepeatedIdsTakeTheLastRow) {
  auto table = *Table::create(adagradTable(2, 10), 1);
  lookup(*table, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  lookup(*table, {10, 10, 10, 10, 10, 10});
  EXPECT_EQ(table->rows().numbersUsed(), 10);
}

TEST(Table, ReadingCreatesNothing) {
  auto table = *Table::create(adagradTable(2, 10), 0);
  lookup(*table, {1});
  std::vector<float> values = lookup(*table, {2, 1}, /*create=*/false);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 0);
  EXPECT_NE(values[2], 0);
  EXPECT_EQ(table->size(), 1);
  EXPECT_EQ(table->find(2), nullptr);
}

TEST(Table, UpdatesRowsInPlace) {
  auto table = *Table::create(adagradTable(2, 10), 0);
  std::vector<float> before = lookup(*table, {3});
  AdagradRow adagrad(*table);
  // Row 8 is created by its first update.
  std::vector<float> gradients = {1, -2, 3, 0};
  EXPECT_OK(table->update(std::vector<int64_t>{3, 8}, bytesOf(gradients),
                          adagrad.update()));
  std::vector<float> after = lookup(*table, {3, 8}, /*create=*/false);
  EXPECT_FLOAT_EQ(after[0], before[0] - 0.1f * 1 / std::sqrt(0.5f + 1));
  EXPECT_FLOAT_EQ(after[1], before[1] + 0.1f * 2 / std::sqrt(0.5f + 4));
  EXPECT_EQ(reinterpret_cast<float *>(table->find(8))[2], 9.5f);
  EXPECT_EQ(table->size(), 2);
}

TEST(Table, AnUpdateOfOtherRowsIsRefused) {
  auto table = *Table::create(adagradTable(2, 10), 0);
  auto other = *Table::create(adagradTable(3, 10), 0);
  std::vector<float> gradient = {1, 1};
  EXPECT_TRUE(failsWith(
      table->update(std::vector<int64_t>{3}, bytesOf(gradient),
                    AdagradRow(*other).update()),
      Code::kInvalidArgument,
      "table '@emb': expected an update of rows of 16 bytes with gradients of "
      "8, found one of 24 with 12"));
}

TEST(Table, AFullTableSaysSoAndStaysAsItWas) {
  auto table = *Table::create(adagradTable(2, 3), 0);
  lookup(*table, {1, 2});
  std::vector<float> values(8);
  std::vector<int64_t> ids = {1, 3, 4, 3};
  EXPECT_TRUE(failsWith(
      table->lookup(ids, true, bytesOf(values)), Code::kResourceExhausted,
      "table '@emb' is full: 2 more rows are needed, 2 of at most 3 are held; "
      "raise the row limit, dimension 0 of the table's type"));
  EXPECT_EQ(table->size(), 2);
  EXPECT_EQ(table->find(3), nullptr);
  EXPECT_EQ(table->counters().refusedFull, 2);
  // An update that cannot have its rows updates none.
  std::vector<float> before = lookup(*table, {1});
  AdagradRow adagrad(*table);
  EXPECT_EQ(table
                ->update(std::vector<int64_t>{1, 3, 4}, bytesOf(values),
                         adagrad.update())
                .code(),
            Code::kResourceExhausted);
  EXPECT_EQ(lookup(*table, {1}), before);
  // The last place is still there, for an id that is asked for often.
  lookup(*table, {1, 3, 3, 3, 3});
  EXPECT_EQ(table->size(), 3);
}

TEST(Table, ThreadsChangeNothing) {
  const int64_t count = 60000;
  std::vector<int64_t> ids(count);
  for (int64_t i = 0; i < count; ++i)
    ids[i] = static_cast<int64_t>(mixId(i % (count / 2)));
  std::vector<int64_t> unique(ids.begin(), ids.begin() + count / 2);
  std::vector<float> gradients(count / 2 * 4);
  for (size_t i = 0; i < gradients.size(); ++i)
    gradients[i] = float(i % 13) - 6;

  TableSpec spec = adagradTable(4, count);
  spec.initial = {InitialValue::Kind::Normal, 0, 1};
  std::vector<std::vector<float>> results;
  for (int threads : {1, 4}) {
    auto table = *Table::create(spec, 3);
    AdagradRow adagrad(*table);
    std::vector<float> values(count * 4);
    onThreads(threads, [&](ParallelRows parallel) {
      EXPECT_OK(table->lookup(ids, true, bytesOf(values), parallel));
      EXPECT_OK(table->update(unique, bytesOf(gradients), adagrad.update(),
                              parallel));
      EXPECT_OK(table->lookup(ids, false, bytesOf(values), parallel));
    });
    EXPECT_EQ(table->size(), count / 2);
    results.push_back(std::move(values));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Table, AnAccessBringsValuesAndPlacesAtOnce) {
  TableSpec spec = adagradTable(2, 100);
  spec.admission = {Admission::Kind::Count, 2};
  auto table = *Table::create(spec, 0);
  lookup(*table, {5, 7});
  lookup(*table, {5});
  const std::vector<int64_t> ids = {7, 5, 8, 7, 9};
  std::vector<float> values(ids.size() * 2, -7);
  std::vector<const std::byte *> rows(ids.size(), bytesOf(values));
  EXPECT_OK(table->access(std::vector<int64_t>{9}, bytesOf(values),
                          /*rows=*/{}));
  // 7 is admitted now, at both places; 9 was accessed before in this step.
  EXPECT_OK(table->access(ids, bytesOf(values), rows));
  EXPECT_THAT(rows, ElementsAre(table->find(7), table->find(5), nullptr,
                                table->find(7), nullptr));
  EXPECT_NE(rows[0], nullptr);
  EXPECT_EQ(values, (std::vector<float>{0.25, 0.25, 0.25, 0.25, 0, 0, 0.25,
                                        0.25, 0, 0}));
  EXPECT_EQ(table->policy().numCandidates(), 2);
}

TEST(Table, VisitsRowsInTheOrderOfIds) {
  auto table = *Table::create(adagradTable(1, 30000), 0);
  std::vector<int64_t> ids = kOddIds;
  for (int64_t i = 3; i < 20000; ++i)
    ids.push_back(static_cast<int64_t>(mixId(i)));
  lookup(*table, ids);
  std::sort(ids.begin(), ids.end());
  for (size_t atATime : {size_t{1} << 20, ids.size(), size_t{777}}) {
    std::vector<int64_t> visited;
    EXPECT_OK(scanRows(
        *table,
        [&](std::span<const int64_t> some,
            std::span<const std::byte *const> rows) {
          for (size_t i = 0; i < some.size(); ++i) {
            EXPECT_EQ(rows[i], table->find(some[i]));
            visited.push_back(some[i]);
          }
          return absl::OkStatus();
        },
        atATime));
    EXPECT_EQ(visited, ids);
  }
  EXPECT_EQ(scanRows(
                *table, [](auto, auto) { return absl::AbortedError(""); }, 100)
                .code(),
            Code::kAborted);
}

/// A ParallelRows of two threads.
static void twoThreads(int64_t rows, int64_t,
                       absl::FunctionRef<void(int64_t, int64_t)> body) {
  std::thread other([&] { body(rows / 2, rows); });
  body(0, rows / 2);
  other.join();
}

TEST(Table, ThreadsVisitEachRowOnce) {
  auto table = *Table::create(adagradTable(1, 200000), 0);
  std::vector<int64_t> ids = kOddIds;
  // Some are close to each other.
  for (int64_t i = 3; i < 90000; ++i)
    ids.push_back(i % 2 ? i : static_cast<int64_t>(mixId(i)));
  lookup(*table, ids);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (size_t atATime : {size_t{1} << 20, size_t{40000}, size_t{20000}}) {
    std::vector<int64_t> visited(ids.size());
    EXPECT_OK(scanRowsInParallel(
        *table,
        [&](int64_t first, std::span<const int64_t> some,
            std::span<const std::byte *const> rows) {
          for (size_t i = 0; i < some.size(); ++i) {
            EXPECT_EQ(rows[i], table->find(some[i]));
            visited.at(size_t(first) + i) = some[i];
          }
          return absl::OkStatus();
        },
        atATime, twoThreads));
    EXPECT_EQ(visited, ids);
  }
  EXPECT_EQ(scanRowsInParallel(
                *table,
                [](int64_t first, auto, auto) {
                  return first == 0 ? absl::OkStatus() : absl::AbortedError("");
                },
                40000, twoThreads)
                .code(),
            Code::kAborted);
}

TEST(Table, InsertsRowsForTheCallerToFill) {
  auto table = *Table::create(adagradTable(2, 3), 0);
  lookup(*table, {4});
  std::vector<std::byte *> rows(2);
  EXPECT_OK(table->insert(std::vector<int64_t>{7, -3}, rows));
  reinterpret_cast<float *>(rows[1])[1] = 2;
  EXPECT_EQ(lookup(*table, {-3})[1], 2);
  EXPECT_TRUE(failsWith(table->insert(std::vector<int64_t>{9, 4}, rows),
                        Code::kAlreadyExists,
                        "table '@emb': two rows of id 4 are given"));
  EXPECT_TRUE(failsWith(table->insert(std::vector<int64_t>{9, 9}, rows),
                        Code::kAlreadyExists, "two rows of id 9"));
  EXPECT_EQ(table->insert(std::vector<int64_t>{9, 10}, rows).code(),
            Code::kResourceExhausted);
  EXPECT_EQ(table->size(), 3);
}

TEST(Admission, ByCount) {
  TableSpec spec = adagradTable(2, 10);
  spec.admission = {Admission::Kind::Count, 3};
  auto table = *Table::create(spec, 0);
  AdagradRow adagrad(*table);
  std::vector<float> gradient = {1, 1};
  const std::vector<int64_t> five = {5};
  const std::vector<float> zeros = {0, 0}, initial = {0.25, 0.25};
  // However often a look-up holds the id, it is one access.
  lookup(*table, {5, 5, 5, 5});
  // Neither evaluation nor updates are accesses.
  EXPECT_EQ(lookup(*table, five, /*create=*/false), zeros);
  EXPECT_OK(table->update(five, bytesOf(gradient), adagrad.update()));
  EXPECT_EQ(lookup(*table, five), zeros);
  EXPECT_EQ(table->size(), 0);
  EXPECT_EQ(table->policy().numCandidates(), 1);
  EXPECT_EQ(table->counters().refusedByCount, 2);
  EXPECT_EQ(lookup(*table, five), initial);
  EXPECT_EQ(table->size(), 1);
  EXPECT_EQ(table->policy().numCandidates(), 0);
  EXPECT_OK(table->update(five, bytesOf(gradient), adagrad.update()));
  EXPECT_NE(lookup(*table, five), initial);
}

// A job that is interrupted has asked for the rows of the step that it will go
// on with.
TEST(Admission, WhatWaitsIsAsTheLastStepLeftIt) {
  TableSpec spec = adagradTable(1, 10);
  spec.admission = {Admission::Kind::Count, 4};
  auto table = *Table::create(spec, 0);
  auto access = [&](const std::vector<int64_t> &ids) {
    std::vector<float> values(ids.size());
    EXPECT_OK(table->access(ids, bytesOf(values), /*rows=*/{}));
  };
  auto waiting = [&] {
    std::map<int64_t, uint32_t> counts;
    for (const Candidate &candidate : table->policy().waiting())
      counts[candidate.id] = candidate.accesses;
    return counts;
  };
  using Counts = std::map<int64_t, uint32_t>;
  access({5});
  EXPECT_EQ(waiting(), Counts());
  table->advance();
  EXPECT_EQ(waiting(), (Counts{{5, 1}}));
  access({5, 6});
  access({6, 5});
  EXPECT_EQ(waiting(), (Counts{{5, 1}}));
  table->advance();
  EXPECT_EQ(waiting(), (Counts{{5, 2}, {6, 1}}));
}

TEST(Admission, CandidatesAreBounded) {
  TableSpec spec = adagradTable(1, 100);
  spec.admission = {Admission::Kind::Count, 5};
  auto table = *Table::create(spec, 0);
  for (int i = 0; i < 3; ++i)
    lookup(*table, {-1});
  for (int64_t id = 0; id < 5000; ++id) {
    table->advance();
    lookup(*table, {id});
  }
  // Those of the last step are not counted yet.
  EXPECT_LE(table->policy().numCandidates(), 1025);
  EXPECT_EQ(table->counters().forgotten + table->policy().numCandidates(),
            5001);
}

TEST(Admission, IdsOfEveryStepAreAdmittedAmongManyOthers) {
  TableSpec spec = adagradTable(1, 1600);
  spec.admission = {Admission::Kind::Count, 5};
  auto table = *Table::create(spec, 0);
  std::vector<int64_t> always(1500);
  std::iota(always.begin(), always.end(), 0);
  for (int64_t step = 1; step <= 5; ++step) {
    EXPECT_EQ(table->size(), 0);
    // As of two trainers.
    std::vector<int64_t> others(2000);
    std::iota(others.begin(), others.end(), 10000 * step);
    lookup(*table, always);
    lookup(*table, others);
    table->advance();
  }
  EXPECT_EQ(table->size(), 1500);
  EXPECT_LE(table->policy().numCandidates(), 3 * 2000);
}

TEST(Admission, ByProbability) {
  TableSpec spec = adagradTable(1, 20000);
  spec.admission = {Admission::Kind::Probability, 1, 0.25};
  std::vector<int64_t> ids(20000);
  std::iota(ids.begin(), ids.end(), -10000);
  auto table = *Table::create(spec, 0);
  std::vector<float> first = lookup(*table, ids);
  EXPECT_NEAR(table->size(), 5000, 300);
  // Once and for all, for every seed.
  EXPECT_EQ(lookup(*table, ids), first);
  EXPECT_EQ(lookup(**Table::create(spec, 5), ids), first);
  EXPECT_EQ(table->counters().refusedByProbability,
            2 * (20000 - table->size()));
  std::vector<float> gradients(ids.size(), 1);
  AdagradRow adagrad(*table);
  EXPECT_OK(table->update(ids, bytesOf(gradients), adagrad.update()));
  EXPECT_EQ(table->counters().refusedByProbability,
            2 * (20000 - table->size()));
  std::vector<float> after = lookup(*table, ids, /*create=*/false);
  for (size_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(after[i] == 0, first[i] == 0);
}

TEST(Admission, RowsThatAreNotAdmittedTakeNoRoom) {
  TableSpec spec = adagradTable(1, 2);
  spec.admission = {Admission::Kind::Count, 2};
  auto table = *Table::create(spec, 0);
  std::vector<float> values(3);
  const std::vector<int64_t> ids = {1, 2, 3};
  lookup(*table, {1, 2});
  // 1 and 2 are admitted now, 3 not yet.
  lookup(*table, ids);
  EXPECT_EQ(table->size(), 2);
  lookup(*table, {1, 2});
  EXPECT_EQ(table->lookup(ids, true, bytesOf(values)).code(),
            Code::kResourceExhausted);
}

TEST(Eviction, ByAge) {
  TableSpec spec = adagradTable(1, 10);
  spec.eviction.maxAge = 2;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1, 2, 3});
  std::vector<std::byte *> memory = {table->find(1), table->find(3)};
  table->advance(2);
  lookup(*table, {2});
  lookup(*table, {3}, /*create=*/false);
  EXPECT_OK(table->shrink());
  EXPECT_EQ(table->size(), 3);
  table->advance();
  EXPECT_OK(table->shrink());
  EXPECT_EQ(table->size(), 1);
  EXPECT_NE(table->find(2), nullptr);
  EXPECT_EQ(table->counters().evictedByAge, 2);
  // Their memory is used again, from the beginning.
  for (std::byte *row : memory)
    reinterpret_cast<float *>(row)[1] = 77;
  EXPECT_EQ(lookup(*table, {7, 1}), (std::vector<float>{0.25, 0.25}));
  EXPECT_THAT(memory,
              testing::UnorderedElementsAre(table->find(7), table->find(1)));
  EXPECT_EQ(reinterpret_cast<float *>(table->find(7))[1], 0.5f);
}

TEST(Eviction, ByCapacity) {
  TableSpec spec = adagradTable(1, 64);
  spec.eviction.leastRecentlyUsed = true;
  auto table = *Table::create(spec, 0);
  std::vector<int64_t> ids(64);
  std::iota(ids.begin(), ids.end(), 0);
  for (int64_t id : ids) {
    lookup(*table, {id});
    table->advance();
  }
  lookup(*table, {0, 1});
  // A sixteenth of the rows goes, the oldest first: 2, 3, 4 and 5.
  lookup(*table, {100});
  EXPECT_EQ(table->size(), 61);
  EXPECT_EQ(table->counters().evictedByCapacity, 4);
  for (int64_t id : {0, 1, 6, 100})
    EXPECT_NE(table->find(id), nullptr) << id;
  for (int64_t id : {2, 5})
    EXPECT_EQ(table->find(id), nullptr) << id;
}

TEST(Eviction, RowsInUseStay) {
  TableSpec spec = adagradTable(1, 4);
  spec.eviction.leastRecentlyUsed = true;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1, 2, 3, 4});
  table->advance();
  lookup(*table, {1, 2, 3});
  lookup(*table, {5});
  EXPECT_EQ(table->find(4), nullptr);
  std::vector<float> values(1);
  EXPECT_TRUE(failsWith(
      table->lookup(std::vector<int64_t>{6}, true, bytesOf(values)),
      Code::kResourceExhausted,
      "1 more rows are needed, 4 of at most 4 are held, too many of them in "
      "use; raise the row limit"));
  // An update brings back a row that went, and keeps those it is about.
  table->advance();
  AdagradRow adagrad(*table);
  std::vector<float> gradients = {1, 1, 1};
  EXPECT_OK(table->update(std::vector<int64_t>{4, 1, 2}, bytesOf(gradients),
                          adagrad.update()));
  EXPECT_LT(lookup(*table, {4})[0], 0.25f);
  EXPECT_LT(lookup(*table, {1})[0], 0.25f);
}

TEST(ClickAccessor, JudgesRows) {
  ClickAccessor accessor;
  EXPECT_DOUBLE_EQ(accessor.score(10, 2), 8 * 0.1 + 2);
  TableSpec spec = adagradTable(1, 10);
  spec.clicks = accessor;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1, 2, 3});
  const std::vector<float> shows = {9, 5, 300}, clicks = {0, 2, 100};
  table->clicks().record(std::vector<int64_t>{1, 2, 3}, shows, clicks);
  table->clicks().record(std::vector<int64_t>{4}, shows, clicks);
  EXPECT_EQ(table->size(), 3);
  RowClicks *row = table->format().clicks(table->find(2));
  EXPECT_EQ(row->show, 5);
  EXPECT_EQ(row->click, 2);
  // 9 * 0.98^6 * 0.1 < 0.8
  for (int day = 0; day < 6; ++day) {
    EXPECT_NE(table->find(1), nullptr) << day;
    EXPECT_OK(table->shrink());
  }
  EXPECT_EQ(table->find(1), nullptr);
  EXPECT_EQ(table->counters().evictedByScore, 1);
  EXPECT_NEAR(table->format().clicks(table->find(2))->show,
              5 * std::pow(0.98, 6), 1e-5);
  EXPECT_EQ(table->format().clicks(table->find(3))->unseenDays, 6);
  // An update is a day's sign of life, more are not needed.
  AdagradRow adagrad(*table);
  std::vector<float> gradient = {1};
  for (int day = 0; day < 25; ++day)
    EXPECT_OK(table->shrink());
  EXPECT_NE(table->find(3), nullptr);
  EXPECT_OK(table->shrink());
  EXPECT_EQ(table->find(3), nullptr);
  EXPECT_EQ(table->counters().evictedUnseen, 2);
}

TEST(ClickAccessor, HasTheUsualDefaults) {
  const ClickAccessor accessor;
  // 0.1 (7 - 3) + 1 x 3
  EXPECT_DOUBLE_EQ(accessor.score(7, 3), 3.4);
  EXPECT_EQ(accessor.decay, 0.98);
  EXPECT_EQ(accessor.deleteThreshold, 0.8);
  EXPECT_EQ(accessor.deleteAfterUnseenDays, 30);
  EXPECT_EQ(accessor.embedxThreshold, 10);
  EXPECT_EQ(accessor.baseThreshold, 1.5);
  EXPECT_EQ(accessor.deltaThreshold, 0.25);
  EXPECT_EQ(accessor.deltaKeepDays, 16);
  EXPECT_FALSE(accessor.embedxFrom);
  EXPECT_FALSE(accessor.showScale);
}

TEST(ClickAccessor, DropsRowsByTheScoreAfterDecay) {
  TableSpec spec = adagradTable(1, 10);
  spec.clicks.emplace().decay = 0.5;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1, 2});
  // Scores of 1.6 and 1.5; half of them is 0.8 and 0.75.
  const std::vector<float> shows = {7, 15}, clicks = {1, 0};
  table->clicks().record(std::vector<int64_t>{1, 2}, shows, clicks);
  EXPECT_OK(table->shrink());
  ASSERT_NE(table->find(1), nullptr);
  EXPECT_EQ(table->format().clicks(table->find(1))->show, 3.5f);
  EXPECT_EQ(table->format().clicks(table->find(1))->click, 0.5f);
  EXPECT_EQ(table->find(2), nullptr);
  EXPECT_EQ(table->counters().evictedByScore, 1);
}

TEST(ClickAccessor, DaysUnseenAreThoseWithoutAnUpdate) {
  TableSpec spec = adagradTable(1, 10);
  spec.clicks.emplace().deleteAfterUnseenDays = 1;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1, 2});
  const std::vector<float> shows = {1, 1}, clicks = {9, 9};
  table->clicks().record(std::vector<int64_t>{1, 2}, shows, clicks);
  // The day of the update, and one without.
  EXPECT_OK(table->shrink());
  EXPECT_OK(table->shrink());
  EXPECT_EQ(table->format().clicks(table->find(1))->unseenDays, 2);
  AdagradRow adagrad(*table);
  std::vector<float> gradient = {1};
  EXPECT_OK(table->update(std::vector<int64_t>{2}, bytesOf(gradient),
                          adagrad.update()));
  EXPECT_EQ(table->format().clicks(table->find(2))->unseenDays, 0);
  EXPECT_OK(table->shrink());
  EXPECT_EQ(table->find(1), nullptr);
  EXPECT_NE(table->find(2), nullptr);
  EXPECT_EQ(table->counters().evictedUnseen, 1);
}

/// Shows of a row that is halved at the end of each day of ten steps.
struct TableDays : testing::Test {
  TableDays() {
    TableSpec spec = adagradTable(1, 10);
    spec.clicks.emplace().decay = 0.5;
    spec.eviction.every = 10;
    table = *Table::create(spec, 0);
    lookup(*table, {1});
    const std::vector<float> shows = {64}, clicks = {64};
    table->clicks().record(std::vector<int64_t>{1}, shows, clicks);
  }

  float endDay() {
    EXPECT_OK(table->endDay());
    return table->format().clicks(table->find(1))->show;
  }

  std::unique_ptr<Table> table;
};

TEST_F(TableDays, ADayEndsWithItsLastStepOnce) {
  table->advance(8);
  EXPECT_EQ(endDay(), 64);
  table->advance();
  EXPECT_EQ(endDay(), 32);
  EXPECT_EQ(endDay(), 32) << "another trainer's update at the same time";
  table->advance();
  EXPECT_EQ(endDay(), 32);
  table->advance(9);
  EXPECT_EQ(endDay(), 16);
}

TEST_F(TableDays, ADayEndsThoughNoUpdateSawItsLastStep) {
  table->advance(8);
  EXPECT_EQ(endDay(), 64);
  table->advance(2);
  EXPECT_EQ(endDay(), 32);
  EXPECT_EQ(endDay(), 32);
}

TEST_F(TableDays, ALoadedTableHasEndedTheDaysBefore) {
  table->resumeAt(30);
  EXPECT_EQ(endDay(), 64);
  table->advance(9);
  EXPECT_EQ(endDay(), 32);
}

TEST_F(TableDays, ASnapshotKnowsThem) {
  table->advance(9);
  EXPECT_EQ(endDay(), 32);
  table->policy().setProgress(table->policy().progress());
  EXPECT_EQ(endDay(), 32);
}

TEST(ClickAccessor, SelectsRowsToSave) {
  ClickAccessor accessor;
  auto selected = [&](RowClicks known) {
    std::string kinds;
    for (auto [rows, kind] : {std::pair(RowSelection::All, 'a'),
                              {RowSelection::Base, 'b'},
                              {RowSelection::Delta, 'd'}})
      if (accessor.selects(known, rows))
        kinds += kind;
    return kinds;
  };
  // Show, click, delta score, days unseen.
  EXPECT_EQ(selected({6, 1, 0.25, 16}), "abd");
  EXPECT_EQ(selected({6, 1, 0.2, 16}), "ab");
  EXPECT_EQ(selected({5, 1, 9, 0}), "a");
  EXPECT_EQ(selected({60, 10, 9, 17}), "a");
}

TEST(ClickAccessor, AddsUpWhatChangedSinceItWasSaved) {
  TableSpec spec = adagradTable(1, 10);
  spec.clicks.emplace().decay = 0.5;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1});
  const std::vector<float> shows = {6}, clicks = {1};
  for (int step = 0; step < 2; ++step)
    table->clicks().record(std::vector<int64_t>{1}, shows, clicks);
  EXPECT_OK(table->shrink());
  // 2 x (0.5 + 1), whatever has decayed.
  EXPECT_EQ(table->format().clicks(table->find(1))->deltaScore, 3);
}

TEST(Embedx, IsAbsentUntilTheScoreIsReached) {
  TableSpec whole = adagradTable(3, 10);
  whole.initial = {InitialValue::Kind::Normal, 0, 1};
  TableSpec lazy = whole;
  lazy.clicks.emplace();
  lazy.clicks->embedxFrom = 1;
  lazy.clicks->embedxThreshold = 2.5;
  auto expected = *Table::create(whole, 4);
  auto table = *Table::create(lazy, 4);
  const std::vector<int64_t> ids = {-7};
  const std::vector<float> initial = lookup(*expected, ids);
  EXPECT_EQ(lookup(*table, ids), (std::vector<float>{initial[0], 0, 0}));

  // 0.1 x 5 + 1 x 1, twice; the second time is enough, after the update.
  const std::vector<float> shows = {6}, clicks = {1};
  std::vector<float> gradient = {1, 1, NAN};
  AdagradRow adagrad(*table), others(*expected);
  float first = initial[0], moment = 0.5f;
  for (int step = 0; step < 2; ++step) {
    EXPECT_EQ(lookup(*table, ids), (std::vector<float>{first, 0, 0}));
    EXPECT_OK(table->update(ids, bytesOf(gradient), adagrad.update()));
    table->clicks().record(ids, shows, clicks);
    moment += 1;
    first -= 0.1f / std::sqrt(moment);
  }
  const std::vector<float> created = {first, initial[1], initial[2]};
  EXPECT_EQ(lookup(*table, ids), created);

  // From here on as in any table, also when the score is lower again.
  for (int day = 0; day < 10; ++day)
    EXPECT_OK(table->shrink());
  EXPECT_LT(table->format().clicks(table->find(-7))->show, 10);
  gradient = {0, 2, 0};
  EXPECT_OK(table->update(ids, bytesOf(gradient), adagrad.update()));
  EXPECT_FLOAT_EQ(lookup(*table, ids)[1], initial[1] - 0.2f / std::sqrt(4.5f));
}

TEST(Embedx, OfNoThresholdIsThereAtOnce) {
  TableSpec spec = adagradTable(3, 10);
  spec.clicks.emplace();
  spec.clicks->embedxFrom = 2;
  spec.clicks->embedxThreshold = 0;
  auto table = *Table::create(spec, 0);
  EXPECT_EQ(lookup(*table, {1}), (std::vector<float>{0.25, 0.25, 0.25}));
}

TEST(Table, OfAVariableReadsInitialValues) {
  TableSpec spec = adagradTable(2, 10);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  spec.isVariable = true;
  auto table = *Table::create(spec, 3);
  const std::vector<float> frozen = lookup(*table, {5, 9}, /*create=*/false);
  EXPECT_EQ(table->size(), 0);
  EXPECT_EQ(lookup(*table, {5, 9}), frozen);
  EXPECT_NE(frozen[0], 0);
}

TEST(Updaters, AreTheLastOfEachRow) {
  // With and without statistics beside them.
  TableSpec plain = adagradTable(3, 100), judged = plain;
  plain.slots.push_back({"flag", {DType::I1, {}}, 1});
  judged.eviction.maxAge = 5;
  judged.clicks.emplace().embedxFrom = 1;
  for (TableSpec spec : {plain, judged}) {
    spec.tracksLastWriter = true;
    auto table = *Table::create(spec, 0);
    const std::vector<float> values = lookup(*table, kOddIds);
    for (int64_t id : kOddIds)
      EXPECT_EQ(table->format().lastWriter(table->find(id)), noWriter);
    const RowLayout &layout = table->layout();
    const std::vector<std::byte> before(table->find(-1),
                                        table->find(-1) + layout.bytes);
    // Ids without rows are passed over.
    const std::vector<int64_t> ids = {-1, 77, INT64_MIN, INT64_MAX};
    table->setLastWriters(ids, std::vector<Writer>{3, 4, multipleWriters, 0});
    EXPECT_EQ(table->size(), int64_t(kOddIds.size()));
    EXPECT_EQ(table->find(77), nullptr);
    EXPECT_EQ(table->format().lastWriter(table->find(-1)), 3);
    EXPECT_EQ(table->format().lastWriter(table->find(INT64_MIN)),
              multipleWriters);
    EXPECT_EQ(table->format().lastWriter(table->find(INT64_MAX)), 0);
    EXPECT_EQ(table->format().lastWriter(table->find(0)), noWriter);
    table->setLastWriters(std::vector<int64_t>{-1}, std::vector<Writer>{1});
    EXPECT_EQ(table->format().lastWriter(table->find(-1)), 1);
    // Nothing else of the row has changed, and updates do not tell.
    table->setLastWriters(std::vector<int64_t>{-1},
                          std::vector<Writer>{noWriter});
    EXPECT_EQ(std::memcmp(before.data(), table->find(-1), layout.bytes), 0);
    table->setLastWriters(std::vector<int64_t>{-1}, std::vector<Writer>{1});
    AdagradRow adagrad(*table);
    std::vector<float> gradient = {1, 1, 1};
    EXPECT_OK(table->update(std::vector<int64_t>{-1}, bytesOf(gradient),
                            adagrad.update()));
    EXPECT_EQ(table->format().lastWriter(table->find(-1)), 1);
    EXPECT_EQ(table->format().lastWriter(table->find(-2)), noWriter);
  }
}

TEST(Updaters, OfManyRowsAreToldByManyThreads) {
  TableSpec spec = adagradTable(1, 30000);
  spec.tracksLastWriter = true;
  auto table = *Table::create(spec, 0);
  std::vector<int64_t> ids(30000);
  std::iota(ids.begin(), ids.end(), -15000);
  lookup(*table, ids);
  std::vector<Writer> writers(ids.size());
  std::iota(writers.begin(), writers.end(), 0);
  onThreads(4, [&](ParallelRows parallel) {
    table->setLastWriters(ids, writers, parallel);
  });
  for (size_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(table->format().lastWriter(table->find(ids[i])), writers[i]);
}

TEST(Updaters, AreForgottenWithTheirRows) {
  TableSpec spec = adagradTable(1, 10);
  spec.eviction.maxAge = 1;
  spec.tracksLastWriter = true;
  auto table = *Table::create(spec, 0);
  lookup(*table, {1});
  table->setLastWriters(std::vector<int64_t>{1}, std::vector<Writer>{5});
  const std::byte *place = table->find(1);
  table->advance(2);
  EXPECT_OK(table->shrink());
  ASSERT_EQ(table->find(1), nullptr);
  lookup(*table, {1});
  // In the same memory.
  ASSERT_EQ(table->find(1), place);
  EXPECT_EQ(table->format().lastWriter(place), noWriter);
  // Loaded rows have none either.
  table->setLastWriters(std::vector<int64_t>{1}, std::vector<Writer>{5});
  table->advance(2);
  EXPECT_OK(table->shrink());
  std::vector<std::byte *> rows(1);
  EXPECT_OK(table->insert(std::vector<int64_t>{2}, rows));
  ASSERT_EQ(rows[0], place);
  EXPECT_EQ(table->format().lastWriter(place), noWriter);
}

TEST(Updaters, AreNotSaved) {
  TableSpec spec = adagradTable(2, 10);
  spec.eviction.maxAge = 1;
  auto without = *Table::create(spec, 0);
  spec.tracksLastWriter = true;
  auto table = *Table::create(spec, 0);
  std::vector<std::string> names, expected;
  for (const RowColumn &column : table->columns())
    names.push_back(column.name);
  for (const RowColumn &column : without->columns())
    expected.push_back(column.name);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(names, (std::vector<std::string>{"values", "moment", "last_use"}));
}

TEST(Table, BadSpecsAreRefused) {
  auto create = [](auto change) {
    TableSpec spec = adagradTable(2, 10);
    change(spec);
    return Table::create(spec, 0).status();
  };
  EXPECT_TRUE(failsWith(create([](TableSpec &s) { s.dtype = DType::BF16; }),
                        Code::kInvalidArgument,
                        "table '@emb': expected rows of f32 or f64, found "
                        "bf16"));
  EXPECT_TRUE(failsWith(create([](TableSpec &s) { s.width = 0; }),
                        Code::kInvalidArgument, "expected a width >= 1"));
  EXPECT_TRUE(failsWith(create([](TableSpec &s) { s.width = INT64_MAX; }),
                        Code::kInvalidArgument, "is too large"));
  EXPECT_TRUE(failsWith(create([](TableSpec &s) { s.maxRows = 0; }),
                        Code::kInvalidArgument, "expected a row limit >= 1"));
  EXPECT_TRUE(failsWith(
      create([](TableSpec &s) { s.clicks.emplace().embedxFrom = 2; }),
      Code::kInvalidArgument,
      "expected columns that may be absent to begin between 1 and 1, found "
      "2"));
  EXPECT_TRUE(failsWith(
      create([](TableSpec &s) { s.slots.push_back(s.slots[0]); }),
      Code::kInvalidArgument, "rows have two parts that are called 'moment'"));
  EXPECT_TRUE(
      failsWith(create([](TableSpec &s) { s.slots[0].type.shape = {-1}; }),
                Code::kInvalidArgument, "slot 'moment': negative dimension"));
  EXPECT_TRUE(failsWith(create([](TableSpec &s) {
                          s.width = int64_t{1} << 40;
                          s.maxRows = INT64_MAX;
                        }),
                        Code::kResourceExhausted,
                        "table '@emb': cannot reserve addresses for"));
}
