// SPDX-License-Identifier: Apache-2.0
//===- SyncUnit.h - a block or a table in a synchronous step --------------===//

#ifndef PS_RUNTIME_SERVER_MODE_SYNCUNIT_H
#define PS_RUNTIME_SERVER_MODE_SYNCUNIT_H

#include "runtime/server/state/ParameterState.h"

namespace ps::runtime {

struct SyncUnit {
  explicit SyncUnit(const ParameterState::Unit &held,
                    PushedGradients *pushed = nullptr)
      : held(held), pushed(pushed) {}

  /// In the state; outlives this.
  const ParameterState::Unit &held;
  /// Null where nothing updates it; outlives this.
  PushedGradients *pushed = nullptr;
  /// Waits for its update.
  bool due = false;
  /// The last step, the protocol's, in which it was updated.
  int64_t updated = startupStep;
  /// The last step that has ended for its rows; the next one starts from them.
  int64_t ended = startupStep;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_SYNCUNIT_H
