// SPDX-License-Identifier: Apache-2.0
//===- InProcess.h - transport inside one process -------------------------===//

#ifndef PS_RUNTIME_LINKS_INPROCESS_H
#define PS_RUNTIME_LINKS_INPROCESS_H

#include "runtime/protocol/Service.h"
#include <memory>

namespace ps::runtime {

/// A link that calls `service` directly, on the caller's thread; it outlives
/// the link.
std::unique_ptr<Link> makeInProcessLink(Service &service);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_INPROCESS_H
