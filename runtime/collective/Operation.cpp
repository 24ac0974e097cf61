// SPDX-License-Identifier: Apache-2.0
//===- Operation.cpp - checks that all communicators make -----------------===//

#include "runtime/collective/Operation.h"
#include "absl/strings/str_join.h"

using namespace ps::runtime;

absl::Status
ps::runtime::checkAscending(const OperationKey &key,
                            const std::optional<OperationKey> &last,
                            int trainer) {
  if (last == key)
    return refuseOperation(key, trainer, " takes part a second time");
  if (key < last)
    return refuseOperation(key, trainer, " issues it after ", last->str(),
                           ": expected ascending steps and channels");
  return absl::OkStatus();
}

absl::Status ps::runtime::checkTypes(const OperationKey &key, int trainer,
                                     std::span<const ReducePart> parts) {
  for (const ReducePart &part : parts)
    if (key.kind == OperationKind::AllReduce && !isFloat(part.dtype))
      return refuseOperation(key, trainer, " brings ",
                             std::string(dtypeName(part.dtype)),
                             ", which has no mean: expected floats");
  return absl::OkStatus();
}

/// "trainers 1, 3"
static std::string nameTrainers(const std::vector<int> &trainers) {
  return absl::StrCat(trainers.size() == 1 ? "trainer " : "trainers ",
                      absl::StrJoin(trainers, ", "));
}

/// Once all parts are there, values may still be on their way to others.
std::string ps::runtime::describeMissing(const OperationKey &key,
                                         const std::vector<int> &missing) {
  return absl::StrCat(missing.empty() ? "the other trainers"
                                      : nameTrainers(missing),
                      ", ", key.str());
}

absl::Status ps::runtime::missingTrainers(const std::vector<int> &missing,
                                          absl::Duration after) {
  return absl::DeadlineExceededError(
      absl::StrCat(nameTrainers(missing), missing.size() == 1 ? " is" : " are",
                   " missing after ", absl::FormatDuration(after)));
}
