// SPDX-License-Identifier: Apache-2.0
//===- RestartAlone.cpp - one process of a job is started again -----------===//
//
// While the others go on, or wait for it: a trainer that another process may
// take the place of, and a pserver that goes on from its log. After any other
// failure the whole job is started again (Launch.cpp).
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/driver/Membership.h"
#include "tools/ps-run/launch/Job.h"
#include <algorithm>

using namespace ps;
using runtime::JobFailure;
using runtime::Restarts;

/// Starts another process in the place of `child`, as one of the job's
/// restarts.
absl::Status Job::restartAlone(ChildProcess &child, const std::string &address,
                               const JobFailure &failure, Restarts &restarts) {
  const auto index = static_cast<int>(&child - children.data());
  const bool isTrainer = index >= config.pservers;
  const int id = isTrainer ? index - config.pservers : index;
  ASSIGN_OR_RETURN(std::optional<int64_t> step, newestCheckpoint(config.run));
  JobFailure own = failure;
  own.alone = child.name();
  ASSIGN_OR_RETURN(int number, restarts.next(own, step));
  runtime::logWarning(absl::StrCat(failure.what, "; restart ", number, " of ",
                                   config.maxRestarts, ", of ", own.alone,
                                   " alone"));
  ASSIGN_OR_RETURN(
      ChildProcess again,
      makeLocal(
          isTrainer, id,
          runtime::formatLog(runtime::LogLevel::Info,
                             absl::StrCat("--- process ", ++startedAlone + 1,
                                          " of ", own.alone, " ---")),
          address));
  child = std::move(again);
  return absl::OkStatus();
}

absl::StatusOr<bool> Job::replaceTrainer(ChildProcess &trainer,
                                         const JobFailure &failure,
                                         Restarts &restarts) {
  if (!replacesTrainers || !isExpendable(trainer) || failure.isUsageError)
    return false;
  RETURN_IF_ERROR(restartAlone(trainer, /*address=*/"", failure, restarts));
  ++replaced;
  return true;
}

bool Job::haveTrainersEnded() {
  return std::all_of(children.begin() + config.pservers, children.end(),
                     [](ChildProcess &child) { return child.poll() == 0; });
}

absl::StatusOr<bool> Job::recoverPServer(ChildProcess &pserver,
                                         const JobFailure &failure,
                                         Restarts &restarts) {
  const auto id = static_cast<int>(&pserver - children.data());
  if (id >= config.pservers || pserverNames.empty())
    return false;
  // One that has failed has told the others, and so has a trainer.
  for (size_t i = 0; i != children.size(); ++i)
    if (std::optional<int> code = children[i].poll();
        code && (i < pserverNames.size() ? *code > 0 : *code != 0))
      return false;
  if (pserver.poll().value_or(0) >= 0)
    return false;
  // Trainers end when the model is saved: this one was about to exit.
  if (haveTrainersEnded()) {
    lost.insert(&pserver);
    return true;
  }
  // No process knows one that has not listened yet.
  std::string address = readAddressFile(path("addresses"), pserverNames)[id];
  if (address.empty())
    address = anyPort;
  RETURN_IF_ERROR(restartAlone(pserver, address, failure, restarts));
  return true;
}
