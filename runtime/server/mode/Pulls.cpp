// SPDX-License-Identifier: Apache-2.0
//===- Pulls.cpp - pulls of variables in a sync job -----------------------===//
//
// A pull is answered from the store's memory without a copy, so its values must
// not change until the trainer has them. From the update of a block that holds
// until the trainer contributes to the next one, which needs its gradient.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/mode/Pulls.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Ranges.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

Pulls::Pulls(Store &store, int trainers, Rounds rounds) : rounds(rounds) {
  std::span<const VariableSpec> specs = store.variables();
  for (size_t i = 0; i < specs.size(); ++i) {
    index.emplace(specs[i].name, i);
    variables.push_back({specs[i].name, store.tensor(i), nullptr,
                         std::vector<bool>(1 + rounds.count)});
  }
  pulled.assign(trainers, std::vector<uint64_t>(variables.size()));
}

void Pulls::setUnit(absl::string_view variable, const SyncUnit &unit) {
  variables[index.find(variable)->second].unit = &unit;
}

/// Whether an update may change `variable` before the trainer's next send
/// barrier.
bool Pulls::mayChange(const CallOrder &order, const Variable &variable) const {
  if (rounds.count != 1)
    return false;
  return variable.unit ? variable.unit->pushed->hasPushed(order.trainer)
                       : order.hasPushed;
}

/// Adds one range to a pull, with the unit that it has to wait for.
absl::Status Pulls::addRange(const CallOrder &order, const wire::Range &range,
                             Pull &pull) {
  const bool pushing = order.phase == Phase::Pushing;
  const bool early =
      (pushing || order.phase == Phase::Waiting) && range.step() == order.step;
  const bool now = order.phase == Phase::Pulling && range.step() == order.step;
  const bool again = pushing && range.step() == order.step - 1;
  if (!now && !early && !again)
    return order.outOfOrder(absl::StrCat("pull of block '", range.block(), "'"),
                            range.step());
  auto found = index.find(range.block());
  if (found == index.end())
    return unknownBlock(range, "pull", order.trainer);
  Variable &variable = variables[found->second];
  RETURN_IF_ERROR(
      checkRange(range, variable.tensor.type, "pull", order.trainer));
  if (range.step() != pull.step)
    return absl::InvalidArgumentError(
        absl::StrCat("expected one step in a pull from trainer ", order.trainer,
                     ", found steps ", rounds.str(pull.step), " and ",
                     rounds.str(range.step())));
  if (again && mayChange(order, variable))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected pulls of block '", range.block(), "' at step ",
        rounds.str(range.step()), " before the next push from trainer ",
        order.trainer, ", found one after it"));
  // The update of a unit is all that its values wait for. What no unit stands
  // for, such as a learning rate, is final with the end of the round.
  if (early) {
    const SyncUnit *unit = variable.unit;
    if (!unit || unit->held.round != rounds.roundOf(range.step()))
      pull.whole = true;
    else if (unit->updated < range.step())
      pull.units.push_back(unit);
  }
  if (!again) {
    variable.wanted[roundAt(range.step())] = true;
    pulled[order.trainer][found->second] += range.size();
  }
  pull.response.payload.emplace_back(variable.tensor.data + range.offset(),
                                     range.size());
  return absl::OkStatus();
}

/// Whether all that `pull` asks for is updated.
bool Pulls::isReady(Pull &pull, int64_t updated) {
  if (pull.step <= updated)
    return true;
  std::erase_if(pull.units, [&](const SyncUnit *unit) {
    return unit->updated >= pull.step;
  });
  return pull.units.empty() && !pull.whole;
}

/// Moves from `done` unless it fails. Answers at once if all blocks are
/// updated; otherwise the pull waits, as one of a bounded number, because each
/// holds memory.
absl::Status Pulls::add(const CallOrder &order, const Ranges &ranges,
                        int64_t updated, Respond &done,
                        DeferredReplies &replies) {
  RETURN_IF_ERROR(checkCount(ranges, "pull", order.trainer));
  Pull pull;
  pull.trainer = order.trainer;
  pull.step = ranges[0].step();
  for (const wire::Range &range : ranges)
    RETURN_IF_ERROR(addRange(order, range, pull));
  if (isReady(pull, updated)) {
    replies.add(std::move(done), std::move(pull.response));
    return absl::OkStatus();
  }
  pull.done = std::move(done);
  if (waiting.add(pull))
    return absl::OkStatus();
  done = std::move(pull.done);
  return absl::ResourceExhaustedError(
      absl::StrCat("expected at most ", waiting.maxOfTrainer,
                   " messages of pulls before their update from trainer ",
                   order.trainer, ", found another of block '",
                   ranges[0].block(), "' at step ", rounds.str(pull.step)));
}

/// Answers the pulls whose blocks have been updated.
void Pulls::release(int64_t updated, DeferredReplies &replies) {
  for (Pull &pull :
       waiting.take([&](Pull &each) { return isReady(each, updated); }))
    replies.add(std::move(pull.done), std::move(pull.response));
}

void Pulls::startStep(int trainer) {
  std::fill(pulled[trainer].begin(), pulled[trainer].end(), 0);
}

/// Names a block that some trainer pulls in this round and this one has not;
/// empty if there is none.
std::string Pulls::describePending(const CallOrder &order) const {
  const size_t round = roundAt(order.step);
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].wanted[round] &&
        pulled[order.trainer][i] < variables[i].tensor.type.bytes())
      return absl::StrCat("it had not pulled block '", variables[i].name, "'");
  return "";
}
