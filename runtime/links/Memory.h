// SPDX-License-Identifier: Apache-2.0
//===- Memory.h - process-wide memory settings ----------------------------===//

#ifndef PS_RUNTIME_LINKS_MEMORY_H
#define PS_RUNTIME_LINKS_MEMORY_H

namespace ps::runtime {

/// Makes malloc keep large blocks instead of giving them back to the system
/// after each use: page faults dominate large messages otherwise. For main(),
/// before the first large allocation; lasts for the process.
void keepLargeBlocks();

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_MEMORY_H
