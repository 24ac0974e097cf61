//===- Ranges.h - checks of the ranges that trainers send -----------------===//

#ifndef PS_RUNTIME_TRANSPORT_RANGES_H
#define PS_RUNTIME_TRANSPORT_RANGES_H

#include "runtime/transport/Service.h"

namespace ps::runtime {

// Errors are INVALID_ARGUMENT and name the trainer. `what` is the call: "push"
// or "pull".

/// Checks that there are some ranges and not too many.
absl::Status checkCount(Ranges ranges, absl::string_view what, int trainer);
/// Checks that `range` is one chunk of a tensor of `type`.
absl::Status checkRange(const Range &range, const TensorType &type,
                        absl::string_view what, int trainer);
/// "found a push of unknown block 'w'".
absl::Status unknownBlock(const Range &range, absl::string_view what,
                          int trainer);

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_RANGES_H
