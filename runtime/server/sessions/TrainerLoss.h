// SPDX-License-Identifier: Apache-2.0
//===- TrainerLoss.h - what the loss of a trainer does to a job -----------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_TRAINERLOSS_H
#define PS_RUNTIME_SERVER_SESSIONS_TRAINERLOSS_H

#include <cstdint>

namespace ps::runtime {

/// What happens when a trainer other than 0 is lost or fails.
enum class TrainerLoss : uint8_t {
  Fail,    ///< the job fails
  Wait,    ///< where trainers do not keep step: the others go on, and another
           ///< process may take its place
  Continue ///< where trainers keep step: the others go on without it
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_TRAINERLOSS_H
