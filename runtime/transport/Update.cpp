//===- Update.cpp - what a pserver updates when ---------------------------===//

#include "runtime/transport/Update.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

namespace {
/// Stands for a node of a part in the whole.
class ForwardNode final : public Node {
public:
  explicit ForwardNode(Node &node)
      : Node(node.kind(), node.name()), node(node) {}
  void start(StepContext &context, Done done) override {
    node.start(context, std::move(done));
  }

private:
  Node &node;
};
} // namespace

/// Adds the nodes of `part`, which outlives `whole`, to it, after `after`;
/// returns the last ones. Only one of the two runs at a time.
static std::vector<NodeId> append(Program &part, Program &whole,
                                  std::span<const NodeId> after) {
  std::vector<std::vector<NodeId>> before(part.size());
  std::vector<NodeId> last;
  for (size_t i = 0; i < part.size(); ++i) {
    NodeId from = static_cast<NodeId>(i);
    if (part.numPredecessors(from) == 0)
      before[i].assign(after.begin(), after.end());
    NodeId id = whole.addNode(std::make_unique<ForwardNode>(part.node(from)),
                              before[i]);
    for (NodeId successor : part.successors(from))
      before[successor].push_back(id);
    if (part.successors(from).empty())
      last.push_back(id);
  }
  return last;
}

void StepUpdates::add(UpdateUnit &unit, Program &update) {
  const NodeId first = unit.program.addNode(unit.makeMean(contributors), {});
  append(update, unit.program, std::span(&first, 1));
  units.push_back(&unit);
}

void StepUpdates::updateIfComplete(UpdateUnit &unit,
                                   std::span<const int> live) {
  if (rounds.count != 1 || unit.due || unit.updated > ended ||
      !unit.hasAll(live))
    return;
  unit.due = true;
  due.push_back(&unit);
}

void StepUpdates::updateComplete(std::span<const int> live) {
  for (UpdateUnit *unit : units)
    updateIfComplete(*unit, live);
}

bool StepUpdates::hasPushed(int trainer) const {
  return std::any_of(units.begin(), units.end(), [&](const UpdateUnit *unit) {
    return unit->hasPushed(trainer);
  });
}

StepUpdates::Batch StepUpdates::take(std::span<const int> live) {
  Batch batch;
  batch.step = ended + 1;
  batch.endsStep = std::exchange(ending, false);
  batch.units = std::exchange(due, {});
  const int round = rounds.roundOf(batch.step);
  if (batch.endsStep) {
    batch.units.clear();
    for (UpdateUnit *unit : units)
      if (unit->round() == round && unit->updated < batch.step)
        batch.units.push_back(unit);
  }
  batch.schedules = schedule && round == 0 && scheduled < batch.step;
  contributors.assign(live.begin(), live.end());
  return batch;
}

absl::Status StepUpdates::run(const Batch &batch, Executor &executor) const {
  Program program;
  std::vector<NodeId> after;
  if (batch.schedules)
    after = append(*schedule, program, {});
  for (UpdateUnit *unit : batch.units)
    append(unit->program, program, after);
  return program.size() == 0 ? absl::OkStatus()
                             : executor.run(program, batch.step / rounds.count);
}

void StepUpdates::updated(const Batch &batch) {
  scheduled = batch.step;
  for (UpdateUnit *unit : batch.units) {
    unit->updated = batch.step;
    unit->due = false;
  }
  if (batch.endsStep)
    ended = batch.step;
}
