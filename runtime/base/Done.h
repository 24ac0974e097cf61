// SPDX-License-Identifier: Apache-2.0
//===- Done.h - the callback of work that ends later ----------------------===//

#ifndef PS_RUNTIME_BASE_DONE_H
#define PS_RUNTIME_BASE_DONE_H

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"

namespace ps::runtime {

/// Called exactly once, from any thread, when the work it was given to is done
/// or has failed. Must not block.
using Done = absl::AnyInvocable<void(absl::Status)>;

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_DONE_H
