//===- Prefetches.cpp - prefetches of rows on a pserver -------------------===//

#include "runtime/transport/Prefetches.h"
#include "absl/strings/str_cat.h"
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Whether the rows have been updated since.
static bool isLate(const Prefetch &prefetch) {
  return !prefetch.frozen && prefetch.step <= prefetch.table->ended();
}

/// Whether the table is as the prefetch's step finds it.
static bool isReady(const Prefetch &prefetch, int64_t updated) {
  return prefetch.frozen ||
         prefetch.step <= std::max(updated, prefetch.table->ended()) + 1;
}

absl::Status Prefetches::tooLate(const Prefetch &prefetch) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "expected prefetches of table '", prefetch.table->name(), "' at step ",
      rounds.str(prefetch.step), " before all of its rows are pushed, found ",
      "one of trainer ", prefetch.trainer, " after their update"));
}

absl::Status Prefetches::add(Prefetch &prefetch, int64_t updated) {
  if (isLate(prefetch))
    return tooLate(prefetch);
  if (isReady(prefetch, updated)) {
    ready.push_back(std::move(prefetch));
    return absl::OkStatus();
  }
  if (!parked.add(prefetch))
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected at most ", parked.maxOfTrainer,
        " messages of prefetches before their step from trainer ",
        prefetch.trainer, ", found another of table '", prefetch.table->name(),
        "' at step ", rounds.str(prefetch.step)));
  return absl::OkStatus();
}

void Prefetches::release(int64_t updated) {
  for (Prefetch &prefetch : parked.take(
           [&](const Prefetch &each) { return isReady(each, updated); }))
    ready.push_back(std::move(prefetch));
}

std::deque<Prefetch> Prefetches::takeReady(Answers &answers) {
  for (Prefetch &late : takeIf(ready, isLate)) {
    absl::Status status = tooLate(late);
    answers.add(giving(std::move(late.done), FetchedRows()), std::move(status));
  }
  return std::exchange(ready, {});
}

void Prefetches::cancel(const absl::Status &status, Answers &answers) {
  fail(std::exchange(ready, {}), status, answers);
  parked.cancel(status, answers);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
using Rows = std::vector<absl::StatusOr<FetchedRows>>;

class ReadRowsNode final : public Node {
public:
  ReadRowsNode(const std::deque<Prefetch> &prefetches, Rows &rows)
      : Node(Kind::ReadRows, "read rows for trainers"), prefetches(prefetches),
        rows(rows) {}

  void start(StepContext &context, Done done) override {
    const ParallelStep parallel{context};
    for (const Prefetch &each : prefetches)
      rows.push_back(
          each.held ? each.table->refresh(each.trainer, each.ids, *each.held,
                                          parallel)
                    : each.table->prefetch(each.ids, each.frozen, parallel));
    done(absl::OkStatus());
  }

private:
  const std::deque<Prefetch> &prefetches;
  Rows &rows;
};
} // namespace

void Prefetches::read(std::deque<Prefetch> prefetches, Executor &executor,
                      int64_t step) {
  Rows rows;
  Program program;
  program.addNode(std::make_unique<ReadRowsNode>(prefetches, rows), {});
  const absl::Status status = executor.run(program, step);
  for (size_t i = 0; i < prefetches.size(); ++i)
    if (status.ok())
      prefetches[i].done(std::move(rows[i]));
    else
      prefetches[i].done(status);
}
