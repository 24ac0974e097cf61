// SPDX-License-Identifier: Apache-2.0
//===- TableSpec.cpp - the description of an embedding table --------------===//

#include "runtime/table/TableSpec.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

absl::Status ps::runtime::checkSpec(const TableSpec &spec) {
  if (spec.dtype != DType::F32 && spec.dtype != DType::F64)
    return absl::InvalidArgumentError(
        absl::StrCat("expected rows of f32 or f64, found ",
                     std::string(dtypeName(spec.dtype))));
  if (spec.width < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a width >= 1, found ", spec.width));
  if (spec.maxRows < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a row limit >= 1, found ", spec.maxRows));
  const Admission &admission = spec.admission;
  if (admission.count < 1 || admission.count >= int64_t{1} << 31)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected admission from an access between 1 and 2147483647 on, found ",
        admission.count));
  if (!(admission.probability > 0 && admission.probability <= 1))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected admission with a probability greater than 0 and at most 1, "
        "found ",
        admission.probability));
  if (spec.eviction.maxAge && *spec.eviction.maxAge < 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an age of at least 1 step, found ", *spec.eviction.maxAge));
  if (spec.tiers && spec.tiers->memoryRows < 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 1 row in memory, found ", spec.tiers->memoryRows));
  if (spec.tiers && spec.eviction.leastRecentlyUsed)
    return absl::InvalidArgumentError(
        "expected a table that drops the rows that were used the longest time "
        "ago, or one that keeps them on an SSD, found both");
  if (spec.clicks && spec.clicks->embedxFrom &&
      (*spec.clicks->embedxFrom < 1 || *spec.clicks->embedxFrom >= spec.width))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected columns that may be absent to begin between 1 and ",
        spec.width - 1, ", found ", *spec.clicks->embedxFrom));
  return absl::OkStatus();
}
