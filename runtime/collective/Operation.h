// SPDX-License-Identifier: Apache-2.0
//===- Operation.h - which collective operation a call is about -----------===//

#ifndef PS_RUNTIME_COLLECTIVE_OPERATION_H
#define PS_RUNTIME_COLLECTIVE_OPERATION_H

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/base/Status.h"
#include "runtime/collective/Communicator.h"
#include <compare>
#include <optional>
#include <string>

namespace ps::runtime {

/// A sum comes after the all-reduces and broadcasts of its step.
enum class OperationKind : uint8_t { AllReduce, Broadcast, Sum };

/// In the order in which a trainer issues operations.
struct OperationKey {
  int64_t step = 0, channel = 0;
  OperationKind kind = OperationKind::AllReduce;

  bool isSum() const { return kind == OperationKind::Sum; }
  std::strong_ordering operator<=>(const OperationKey &other) const {
    if (auto order = step <=> other.step; order != 0)
      return order;
    if (auto order = isSum() <=> other.isSum(); order != 0)
      return order;
    if (auto order = channel <=> other.channel; order != 0)
      return order;
    return kind <=> other.kind;
  }
  bool operator==(const OperationKey &other) const = default;

  /// "all_reduce 0 of step 3"
  std::string str() const {
    std::string name =
        absl::StrCat(kind == OperationKind::AllReduce   ? "all_reduce "
                     : kind == OperationKind::Broadcast ? "broadcast "
                                                        : "sum ",
                     channel);
    // Before step 0 values are initial.
    return step < 0 ? absl::StrCat(name, " of the start")
                    : absl::StrCat(name, " of step ", step);
  }
};

/// INVALID_ARGUMENT: "all_reduce 0 of step 3: trainer 1 ..".
template <typename... Parts>
absl::Status refuseOperation(const OperationKey &key, int trainer,
                             const Parts &...what) {
  return absl::InvalidArgumentError(
      absl::StrCat(key.str(), ": trainer ", trainer, what...));
}

/// Whether a trainer that has issued `last` may issue `key`.
absl::Status checkAscending(const OperationKey &key,
                            const std::optional<OperationKey> &last,
                            int trainer);
/// Whether the parts of `trainer` have a mean.
absl::Status checkTypes(const OperationKey &key, int trainer,
                        std::span<const ReducePart> parts);
/// What an operation waits for: "trainers 1, 3, all_reduce 0 of step 3".
std::string describeMissing(const OperationKey &key,
                            const std::vector<int> &missing);
/// "trainers 1, 3 are missing after 50ms"
absl::Status missingTrainers(const std::vector<int> &missing,
                             absl::Duration after);

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_OPERATION_H
