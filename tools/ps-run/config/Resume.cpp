// SPDX-License-Identifier: Apache-2.0
//===- Resume.cpp - where a run with checkpoints begins -------------------===//
//
// Each process of a job chooses by itself; the handshake compares what they
// have chosen. All find the same, for nothing is saved before all are there.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/config/Resume.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "runtime/checkpoint/Safetensors.h"
#include <cstdio>

using namespace ps;
using namespace ps::runtime;

/// Whether this process writes the checkpoints of its run.
static bool isWriter(const RunConfig &config) {
  switch (config.role.value_or(RunRole::Local)) {
  case RunRole::PServer:
    return false;
  case RunRole::Trainer:
    return config.trainerId == 0;
  default:
    return true;
  }
}

absl::StatusOr<RunConfig> ps::chooseCheckpoint(RunConfig config) {
  CheckpointConfig &checkpoint = config.checkpoint;
  if (checkpoint.dir.empty())
    return config;
  const CheckpointSeries series(checkpoint.dir);
  ASSIGN_OR_RETURN(const std::vector<int64_t> steps, series.list());
  if (steps.empty())
    return config;
  if (checkpoint.resume) {
    checkpoint.resumed = series.path(steps.back());
    config.load = {checkpoint.resumed};
    fprintf(stderr, "resuming from step %lld: %s\n",
            static_cast<long long>(steps.back()), checkpoint.resumed.c_str());
    return config;
  }
  if (isWriter(config))
    return absl::FailedPreconditionError(
        absl::StrCat("--checkpoint: '", checkpoint.dir,
                     "' holds checkpoints, the newest "
                     "after step ",
                     steps.back(),
                     ": go on from it with --resume, or choose "
                     "another folder"));
  return config;
}

absl::Status ps::prepareCheckpoints(const RunConfig &config) {
  if (config.checkpoint.dir.empty() || !isWriter(config))
    return absl::OkStatus();
  RETURN_IF_ERROR(checkWritable(config.checkpoint.dir));
  return CheckpointSeries(config.checkpoint.dir).removeIncomplete();
}
