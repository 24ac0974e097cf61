// SPDX-License-Identifier: Apache-2.0
//===- ReduceLayout.h - how tensors are divided among members -------------===//
//
// The tensors of an operation lie one after the other in a space of their own,
// each at a multiple of 8, so that a cut at such a multiple splits no element.
// Each member owns a run of that space; messages carry cuts of it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_REDUCELAYOUT_H
#define PS_RUNTIME_COLLECTIVE_REDUCELAYOUT_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Pieces.h"
#include "runtime/collective/Communicator.h"
#include <cstdint>
#include <span>
#include <vector>

namespace ps::runtime {

/// Bytes [offset, offset + size) of the space; `owner` counts the members of
/// the step, not the trainers.
struct Cut {
  uint64_t offset = 0, size = 0;
  int owner = 0;
};

/// Thread-compatible.
class ReduceLayout {
public:
  /// What the tensors of `parts` occupy, which the caller keeps.
  explicit ReduceLayout(std::span<const ReducePart> parts);

  /// The size of the space.
  uint64_t bytes() const { return end; }
  /// A hash of types and sizes: differs where tensors differ.
  uint64_t signature() const;

  /// Divides the space evenly among `owners`, in cuts of at most `cutBytes`,
  /// those of an owner in ascending order.
  std::vector<Cut> divide(int owners, uint64_t cutBytes) const;
  /// The gradients of a cut, where they lie.
  std::vector<Piece> gradients(const Cut &cut) const;
  /// The means of a cut, where they lie.
  std::vector<Piece> means(const Cut &cut) const;
  /// What messages carry of a cut: without the gaps between tensors.
  size_t payloadBytes(const Cut &cut) const;

  /// Calls `body` with what a cut holds of each part: bytes
  /// [begin, begin + bytes) of it.
  void forEach(const Cut &cut,
               absl::FunctionRef<void(const ReducePart &part, size_t begin,
                                      size_t bytes)>
                   body) const;

private:
  std::span<const ReducePart> parts;
  std::vector<uint64_t> begins;
  uint64_t end = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_REDUCELAYOUT_H
