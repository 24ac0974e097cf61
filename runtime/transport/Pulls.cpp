//===- Pulls.cpp - pulls of variables on a pserver ------------------------===//

#include "runtime/transport/Pulls.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Ranges.h"
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

void Pulls::setUnit(absl::string_view variable, const UpdateUnit &unit) {
  variables[index.find(variable)->second].unit = &unit;
}

/// Whether an update may change `variable` before the trainer's next send
/// barrier.
bool Pulls::mayChange(const Trainer &trainer, const Variable &variable) const {
  if (rounds.count != 1)
    return false;
  return variable.unit ? variable.unit->hasPushed(trainer.id) : trainer.begun;
}

/// Adds one range to a pull, with the unit that it has to wait for.
absl::Status Pulls::addRange(const Trainer &trainer, const Range &range,
                             Pull &pull) {
  const bool pushing = trainer.phase == Phase::Pushing;
  const bool early = (pushing || trainer.phase == Phase::Waiting) &&
                     range.step == trainer.step;
  const bool now =
      trainer.phase == Phase::Pulling && range.step == trainer.step;
  const bool again = pushing && range.step == trainer.step - 1;
  if (!now && !early && !again)
    return trainer.outOfOrder(absl::StrCat("pull of block '", range.block, "'"),
                              range.step);
  auto found = index.find(range.block);
  if (found == index.end())
    return unknownBlock(range, "pull", trainer.id);
  Variable &variable = variables[found->second];
  if (absl::Status status =
          checkRange(range, variable.tensor.type, "pull", trainer.id);
      !status.ok())
    return status;
  if (range.step != pull.step)
    return absl::InvalidArgumentError(
        absl::StrCat("expected one step in a pull from trainer ", trainer.id,
                     ", found steps ", rounds.str(pull.step), " and ",
                     rounds.str(range.step)));
  if (again && mayChange(trainer, variable))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected pulls of block '", range.block, "' at step ",
        rounds.str(range.step), " before the next push from trainer ",
        trainer.id, ", found one after it"));
  if (early) {
    const UpdateUnit *unit = variable.unit;
    if (!unit || unit->round() != rounds.roundOf(range.step))
      pull.whole = true;
    else if (unit->updated < range.step)
      pull.units.push_back(unit);
  }
  if (!again) {
    variable.wanted[roundAt(range.step)] = true;
    pulled[trainer.id][found->second] += range.size;
  }
  pull.bytes.push_back(Piece(variable.tensor.data + range.offset, range.size));
  return absl::OkStatus();
}

/// Whether all that `pull` asks for is updated.
bool Pulls::isReady(Pull &pull, int64_t updated) {
  if (pull.step <= updated)
    return true;
  std::erase_if(pull.units, [&](const UpdateUnit *unit) {
    return unit->updated >= pull.step;
  });
  return pull.units.empty() && !pull.whole;
}

absl::Status Pulls::add(const Trainer &trainer, Ranges ranges, int64_t updated,
                        Receive &done, Answers &answers) {
  if (absl::Status status = checkCount(ranges, "pull", trainer.id);
      !status.ok())
    return status;
  Pull pull;
  pull.trainer = trainer.id;
  pull.step = ranges.front().step;
  for (const Range &range : ranges)
    if (absl::Status status = addRange(trainer, range, pull); !status.ok())
      return status;
  if (isReady(pull, updated)) {
    answers.add(giving(std::move(done), std::move(pull.bytes)),
                absl::OkStatus());
    return absl::OkStatus();
  }
  pull.done = std::move(done);
  if (parked.add(pull))
    return absl::OkStatus();
  done = std::move(pull.done);
  return absl::ResourceExhaustedError(
      absl::StrCat("expected at most ", parked.maxOfTrainer,
                   " messages of pulls before their update from trainer ",
                   trainer.id, ", found another of block '",
                   ranges.front().block, "' at step ", rounds.str(pull.step)));
}

void Pulls::release(int64_t updated, Answers &answers) {
  for (Pull &pull :
       parked.take([&](Pull &each) { return isReady(each, updated); }))
    answers.add(giving(std::move(pull.done), std::move(pull.bytes)),
                absl::OkStatus());
}

void Pulls::startStep(int trainer) {
  std::fill(pulled[trainer].begin(), pulled[trainer].end(), 0);
}

std::string Pulls::whatIsMissing(const Trainer &trainer) const {
  const size_t round = roundAt(trainer.step);
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].wanted[round] &&
        pulled[trainer.id][i] < variables[i].tensor.type.bytes())
      return absl::StrCat("it had not pulled block '", variables[i].name, "'");
  return "";
}
