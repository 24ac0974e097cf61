// SPDX-License-Identifier: Apache-2.0
//===- PassRows.cpp - rows of a pass, before its first step ---------------===//

#include "tools/ps-run/driver/PassRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/executor/FunctionNode.h"
#include <algorithm>
#include <utility>

using namespace ps;
using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<PassRows>>
PassRows::create(const TrainingOptions &options, const CompiledProgram &program,
                 const TrainingPlan &plan) {
  auto rows = std::unique_ptr<PassRows>(new PassRows(options));
  const TrainingData &data = *options.data;
  if (!data.train || data.train->isStream())
    return nullptr;
  for (const FedLookups &lookups : program.fedLookups)
    if (lookups.table->tiers())
      rows->addTable(lookups);
  if (rows->tables.empty())
    return nullptr;
  ASSIGN_OR_RETURN(rows->batches,
                   data.batches(*options.config, options.trainers,
                                options.trainer,
                                {plan.stepsPerEpoch, plan.start}));
  rows->addNodes();
  return rows;
}

PassRows::~PassRows() {
  stop.request_stop();
  if (next.valid())
    next.wait();
}

/// A table may be looked up in several places.
void PassRows::addTable(const FedLookups &lookups) {
  const size_t place =
      std::ranges::find(tables, lookups.table) - tables.begin();
  if (place == tables.size()) {
    tables.push_back(lookups.table);
    feeds.push_back(
        {.feeds = {},
         .most = static_cast<size_t>(lookups.table->spec().tiers->memoryRows)});
  }
  for (const FedLookups::Lookup &lookup : lookups.lookups)
    feeds[place].feeds.push_back({lookup.feed, lookup.padding});
}

/// As nodes of a program, they use the threads that steps do.
void PassRows::addNodes() {
  for (size_t i = 0; i < tables.size(); ++i)
    program.addNode(
        makeNode(Node::Kind::ReadRows,
                 absl::StrCat("begin pass @", tables[i]->spec().name),
                 [this, i](StepContext &context) {
                   return tables[i]->beginPass(pass[i].ids, pass[i].steps,
                                               ParallelStep{context});
                 }),
        {});
}

PassRows::Listed PassRows::list(int64_t steps) {
  return annotate(collectPass(*options.data->train->map, *batches, steps, feeds,
                              stop.get_token()),
                  "data '", options.config->data, "'");
}

/// The thread alone uses `batches` until it ends.
void PassRows::listAhead(int64_t steps) {
  next = std::async(std::launch::async, [this, steps]() -> Listed {
    nameThread("pass rows");
    Listed listed = list(steps);
    for (size_t i = 0; listed.ok() && i < tables.size(); ++i)
      tables[i]->tiers()->announcePass((*listed)[i].ids);
    return listed;
  });
}

absl::Status PassRows::begin(int64_t steps, int64_t following) {
  ASSIGN_OR_RETURN(pass, next.valid() ? next.get() : list(steps));
  RETURN_IF_ERROR(options.executor->run(program, stepsBegun));
  stepsBegun += steps;
  pass.clear();
  if (following > 0)
    listAhead(following);
  return absl::OkStatus();
}
