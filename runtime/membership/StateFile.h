// SPDX-License-Identifier: Apache-2.0
//===- StateFile.h - the record of a job on a disk ------------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_STATEFILE_H
#define PS_RUNTIME_MEMBERSHIP_STATEFILE_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/membership/membership.pb.h"
#include <optional>
#include <string>

namespace ps::runtime {

/// Keeps other schedulers from the file, as long as the result lives, and
/// removes what they have left beside it. FAILED_PRECONDITION when another one
/// has it.
absl::StatusOr<Descriptor> lockStateFile(const std::string &path);

/// Nothing if there is no file; DATA_LOSS if it holds something else.
absl::StatusOr<std::optional<wire::JobRecord>>
readStateFile(const std::string &path);

/// Replaces the file in one step, and makes it durable.
absl::Status writeStateFile(const std::string &path,
                            const wire::JobRecord &record);

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_STATEFILE_H
