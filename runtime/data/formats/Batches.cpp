// SPDX-License-Identifier: Apache-2.0
//===- Batches.cpp - batches that another process sends -------------------===//

#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/served/BatchConnection.h"

using namespace ps::runtime;

/// For evaluation: every sample once.
static absl::StatusOr<Dataset> readAll(DataSpec &spec, const DataOptions &) {
  ASSIGN_OR_RETURN(const std::unique_ptr<BatchConnection> connection,
                   BatchConnection::connect({.spec = spec, .all = true}));
  BatchFrames &frames = connection->frames();
  RETURN_IF_ERROR(frames.readColumns());
  RETURN_IF_ERROR(connection->start({.endEpoch = 1}));
  Dataset data = frames.makeDataset();
  for (BatchFrames::End end; !end.ofData;) {
    ASSIGN_OR_RETURN(end, frames.readSamples(data));
  }
  return data;
}

const DataFormat formats::batches = {
    .name = "batches",
    .source = "unix:PATH",
    .help = "batches that a Python process sends, which listens at\n"
            "PATH: see docs/Data.md",
    .isServed = true,
    .read = readAll};
