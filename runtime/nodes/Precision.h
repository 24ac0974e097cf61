// SPDX-License-Identifier: Apache-2.0
//===- Precision.h - what matrix products multiply ------------------------===//

#ifndef PS_RUNTIME_NODES_PRECISION_H
#define PS_RUNTIME_NODES_PRECISION_H

namespace ps::runtime {

/// f32, or bf16 that products round f32 to. Sums are in f32 either way.
enum class Precision { F32, BF16 };

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_PRECISION_H
