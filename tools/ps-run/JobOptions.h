// SPDX-License-Identifier: Apache-2.0
//===- JobOptions.h - what the processes of a job agree on ----------------===//
//
// Processes that are started by hand may get different flags. Those on which
// the result depends go with the handshake (runtime/transport/Trainers.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_JOBOPTIONS_H
#define PS_TOOLS_PS_RUN_JOBOPTIONS_H

#include "runtime/transport/Service.h"
#include "tools/ps-run/Process.h"
#include "tools/ps-run/RunConfig.h"
#include "tools/ps-run/TrainingData.h"

namespace ps {

/// What all processes of a job agree on: the checkpoint they start from, which
/// `process` has loaded, and the seed.
runtime::RunOptions jobOptions(const RunConfig &config, const Process &process);

/// What trainer `id` agrees on, with pservers and other trainers. Together they
/// then take the samples that one process takes with their batches together.
runtime::RunOptions trainerOptions(const RunConfig &config,
                                   const Process &process,
                                   const TrainingData &data, int id);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_JOBOPTIONS_H
