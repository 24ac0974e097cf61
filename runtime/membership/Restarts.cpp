// SPDX-License-Identifier: Apache-2.0
//===- Restarts.cpp - whether a job that failed is started again ----------===//
//
// A machine may fail any number of times during a long run, so only restarts
// without progress are counted: each new checkpoint sets the count to zero.
// Before the limit a job ends where another restart would repeat the failure:
// after a usage error, and after an error with the text of the one before,
// which has the step and the cause (NaN, a malformed line of data). The text
// may have come by way of another process, which puts words before it. A
// process that is started again alone repeats its own failures only.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/Restarts.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

absl::StatusOr<int> Restarts::next(const JobFailure &failure,
                                   std::optional<int64_t> checkpoint) {
  auto &[newest, count, first, last] = past;
  if (checkpoint != newest)
    count = 0;
  newest = checkpoint;
  if (count == 0)
    first = failure;
  const bool isRepeated = count != 0 && failure.alone == last.alone &&
                          !failure.error.empty() && !last.error.empty() &&
                          (absl::StrContains(failure.error, last.error) ||
                           absl::StrContains(last.error, failure.error));
  last = failure;
  if (count < most && !failure.isUsageError && !isRepeated)
    return ++count;
  if (count == 0)
    return absl::AbortedError(first.what);
  return absl::AbortedError(absl::StrCat(
      first.what, "; after ", count, count == 1 ? " restart" : " restarts",
      " without a new checkpoint: ",
      last.what == first.what ? "the same" : last.what));
}
