// SPDX-License-Identifier: Apache-2.0
//===- PtxOps.h - what instructions of PTX compute ------------------------===//

#ifndef PS_TEST_PTX_PTXOPS_H
#define PS_TEST_PTX_PTXOPS_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ps {

/// Computes the bits of a result from those of operands, of which the lowest
/// count. Integers with fewer bits are extended by their sign, if they have
/// one. `carry` is the condition code of additions in several words.
using PtxCompute = uint64_t (*)(const uint64_t *operands, bool &carry);

/// How many of them an instruction has at most.
constexpr size_t mostPtxOperands = 4;

/// What `opcode` computes, e.g. "fma.rn.f32"; null where that is not known: the
/// table has what LLVM emits for the kernels of tests. Approximations
/// (rcp.approx) are exact, or as exact as the host's functions.
PtxCompute findPtxCompute(const std::string &opcode);

} // namespace ps

#endif // PS_TEST_PTX_PTXOPS_H
