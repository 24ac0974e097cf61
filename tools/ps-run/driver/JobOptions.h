// SPDX-License-Identifier: Apache-2.0
//===- JobOptions.h - what the processes of a job agree on ----------------===//
//
// Processes that are started by hand may get different flags. Those on which
// the result depends go with the handshake
// (runtime/server/sessions/Sessions.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_JOBOPTIONS_H
#define PS_TOOLS_PS_RUN_DRIVER_JOBOPTIONS_H

#include "runtime/protocol/Service.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/data/TrainingData.h"
#include "tools/ps-run/driver/Process.h"

namespace ps {

/// What all processes of a job agree on: the checkpoint they start from, which
/// `process` has loaded, the seed, and what the loss of a process does.
runtime::RunOptions jobOptions(const RunConfig &config, const Process &process);

/// A usage error unless --trainer-id is one of the job's.
absl::Status checkTrainerId(const RunConfig &config, const ModuleInfo &module);

/// A usage error where trainers of these programs have no queue of pushes,
/// though --send-queue asks for it.
absl::Status checkSendQueue(const RunConfig &config, const ModuleInfo &module);

/// A usage error where no process can take the place of a trainer, or the job
/// cannot go on without one, though --on-trainer-loss asks for it.
absl::Status checkTrainerLoss(const RunConfig &config,
                              const ModuleInfo &module);

/// What trainer `id` of `trainers` agrees on, with pservers and other trainers.
/// Together they then take the samples that one process takes with their
/// batches together.
runtime::RunOptions trainerOptions(const RunConfig &config,
                                   const Process &process,
                                   const TrainingData &data, int trainers,
                                   int id);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_JOBOPTIONS_H
