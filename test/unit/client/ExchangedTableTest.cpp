// SPDX-License-Identifier: Apache-2.0
//===- ExchangedTableTest.cpp - a table that trainers hold and exchange ---===//
//
// Trainers against a pserver that is a table and its list of changes, in random
// orders. All numbers are multiples of powers of two, so sums are exact.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ExchangedTable.h"
#include "runtime/server/state/ChangedRows.h"
#include "test/unit/client/FakeClient.h"
#include "test/unit/table/TableTesting.h"
#include <gmock/gmock.h>
#include <map>
#include <random>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

namespace {

using Ids = std::vector<int64_t>;
constexpr auto outOfOrder = absl::StatusCode::kFailedPrecondition;

TableSpec exactTable() {
  TableSpec spec;
  spec.name = "emb";
  spec.dtype = DType::F64;
  spec.width = 2;
  spec.maxRows = 1000;
  spec.initial = {InitialValue::Kind::Constant, 8, 0};
  return spec;
}

/// A row of `table`, which is created if need be.
double *rowOf(Table &table, int64_t id) {
  double unused[2];
  EXPECT_OK(table.lookup({&id, 1}, /*create=*/true,
                         reinterpret_cast<std::byte *>(unused)));
  return reinterpret_cast<double *>(table.find(id));
}

/// The pserver. Messages hold three rows, and every other answer is lost once.
class Holder {
public:
  std::unique_ptr<Table> table = *Table::create(exactTable(), /*seed=*/1);
  ChangedRows changed{table->rows()};

  void push(int trainer, RowBatch &rows) {
    const auto *gradients = rows.gradients()->as<double>();
    for (int64_t i = 0; i < rows.size(); ++i)
      for (int j = 0; j < 2; ++j)
        rowOf(*table, rows.ids()[i])[j] -= gradients[2 * i + j];
    changed.note(trainer, rows.ids());
  }

  absl::StatusOr<RowChanges> pull(int trainer, uint64_t number) {
    auto taken = changed.take(trainer, number, /*most=*/3);
    if (taken.ok() && number % 2 == 0)
      taken = changed.take(trainer, number, /*most=*/3);
    if (!taken.ok())
      return taken.status();
    RowChanges changes;
    changes.ids.assign(taken->ids.begin(), taken->ids.end());
    changes.values.resize(changes.ids.size() * table->valueBytes());
    EXPECT_OK(
        table->lookup(changes.ids, /*create=*/false, changes.values.data()));
    changes.left = taken->left;
    return changes;
  }
};

/// A connection of one trainer, which only pulls.
class PullingClient final : public FakeClient {
public:
  PullingClient(Holder &holder, int trainer)
      : holder(holder), trainer(trainer) {}

  void pullChanges(int64_t, const TableRows &, uint64_t number,
                   ReceiveChanges done) override {
    done(holder.pull(trainer, number));
  }

private:
  Holder &holder;
  const int trainer;
};

class TrainerOfTable {
public:
  TrainerOfTable(Holder &holder, int id)
      : holder(holder), id(id), client(holder, id),
        table(*ExchangedTable::create(
            {.spec = exactTable(), .seed = 1, .shards = {&client}})) {
    exchange(/*parts=*/1);
  }

  void train(const Ids &ids, double step) {
    for (int64_t id : ids)
      rowOf(table->rows(), id)[0] += step;
    EXPECT_OK(table->noteUpdate(ids));
  }
  Ids push(double parts) {
    EXPECT_OK(table->collect(parts, batch, serialRows));
    holder.push(id, batch);
    return {batch.ids().begin(), batch.ids().end()};
  }
  void pull() {
    absl::Status status = absl::UnknownError("no answer");
    table->pull(0, [&](absl::Status done) { status = done; });
    EXPECT_OK(status);
  }
  void merge() { EXPECT_OK(table->merge(serialRows)); }
  void exchange(double parts) {
    push(parts);
    pull();
    merge();
  }
  double at(int64_t row) { return rowOf(table->rows(), row)[0]; }

  Holder &holder;
  const int id;
  PullingClient client;
  std::unique_ptr<ExchangedTable> table;
  RowBatch batch{DType::F64, 2};
};

TEST(ExchangedTableTest, PushesWhatWasUpdatedOnceAndInParts) {
  Holder holder;
  TrainerOfTable trainer(holder, 0);
  trainer.train({5, 3}, 4);
  trainer.train({5}, 4);
  trainer.train({9}, 0);
  EXPECT_THAT(trainer.push(/*parts=*/2), ElementsAre(5, 3));
  EXPECT_EQ(rowOf(*holder.table, 5)[0], 8 + 4);
  EXPECT_THAT(trainer.push(/*parts=*/2), ElementsAre());
  // The rest of a row that nothing has updated since.
  trainer.train({3}, 2);
  EXPECT_THAT(trainer.push(/*parts=*/1), UnorderedElementsAre(5, 3));
  EXPECT_EQ(rowOf(*holder.table, 5)[0], 8 + 8);
  EXPECT_EQ(rowOf(*holder.table, 3)[0], 8 + 6);
}

TEST(ExchangedTableTest, PullsWhatOthersHaveChanged) {
  Holder holder;
  TrainerOfTable first(holder, 0), second(holder, 1);
  first.train({1, 2, 3, 4, 5}, 2);
  first.exchange(1);
  second.train({5}, 16);
  second.exchange(1);
  EXPECT_EQ(second.at(1), 10);
  EXPECT_EQ(second.at(5), 26);
  EXPECT_EQ(first.at(5), 10);
  first.exchange(1);
  EXPECT_EQ(first.at(5), 26);
  TrainerOfTable late(holder, 2);
  EXPECT_EQ(late.at(4), 10);
  EXPECT_EQ(late.at(5), 26);
}

TEST(ExchangedTableTest, KeepsWhatIsTrainedBetweenPullAndMerge) {
  Holder holder;
  TrainerOfTable first(holder, 0), second(holder, 1);
  first.train({1}, 2);
  first.push(1);
  second.train({1}, 4);
  second.push(2);
  first.pull();
  first.train({1}, 8);
  first.merge();
  EXPECT_EQ(first.at(1), 8 + 2 + 2 + 8);
  first.exchange(1);
  second.exchange(1);
  EXPECT_EQ(second.at(1), 8 + 2 + 4 + 8);
}

TEST(ExchangedTableTest, LosesNothingInAnyOrder) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  Holder holder;
  std::vector<std::unique_ptr<TrainerOfTable>> trainers;
  for (int i = 0; i < 3; ++i)
    trainers.push_back(std::make_unique<TrainerOfTable>(holder, i));
  std::map<int64_t, double> total;
  std::vector<int> phases(3);
  for (int i = 0; i < 400; ++i) {
    const size_t who = random() % 3;
    if (random() % 2) {
      const int64_t id = static_cast<int64_t>(random() % 40) - 20;
      const double step = static_cast<double>(random() % 8) * 1024;
      trainers[who]->train({id}, step);
      total[id] += step;
      continue;
    }
    switch (phases[who]++ % 3) {
    case 0:
      trainers[who]->push(/*parts=*/2);
      break;
    case 1:
      trainers[who]->pull();
      break;
    case 2:
      trainers[who]->merge();
    }
  }
  for (const auto &trainer : trainers) {
    trainer->pull();
    trainer->merge();
    trainer->exchange(1);
  }
  for (const auto &trainer : trainers)
    trainer->exchange(1);
  for (const auto &[id, sum] : total) {
    EXPECT_EQ(rowOf(*holder.table, id)[0], 8 + sum) << id;
    for (const auto &trainer : trainers)
      EXPECT_EQ(trainer->at(id), 8 + sum) << id;
  }
}

TEST(ChangedRowsTest, RepeatsAnAnswerAndRefusesOtherNumbers) {
  Holder holder;
  for (int64_t id : {1, 2, 3, 4})
    rowOf(*holder.table, id);
  const auto first = holder.changed.take(0, 1, 3);
  ASSERT_OK(first.status());
  const Ids sent(first->ids.begin(), first->ids.end());
  EXPECT_EQ(sent.size(), 3u);
  EXPECT_EQ(first->left, 1u);
  const auto again = holder.changed.take(0, 1, 3);
  ASSERT_OK(again.status());
  EXPECT_EQ(Ids(again->ids.begin(), again->ids.end()), sent);
  EXPECT_EQ(holder.changed.take(0, 3, 3).status().code(), outOfOrder);
  ASSERT_OK(holder.changed.take(0, 2, 3).status());
  EXPECT_EQ(holder.changed.take(1, 5, 3).status().code(), outOfOrder);
}

TEST(ChangedRowsTest, ARowThatChangesAgainComesAgain) {
  Holder holder;
  ASSERT_OK(holder.changed.take(0, 1, 3).status());
  rowOf(*holder.table, 7);
  const Ids ids = {7};
  holder.changed.note(/*trainer=*/1, ids);
  holder.changed.note(/*trainer=*/2, ids);
  EXPECT_THAT(holder.changed.take(0, 2, 3)->ids, ElementsAre(7));
  holder.changed.note(/*trainer=*/1, ids);
  EXPECT_THAT(holder.changed.take(0, 3, 3)->ids, ElementsAre(7));
  holder.changed.note(/*trainer=*/0, ids);
  EXPECT_THAT(holder.changed.take(0, 4, 3)->ids, ElementsAre());
}

} // namespace
