//===- Status.h - what errors gain on their way up ------------------------===//

#ifndef PS_RUNTIME_STATUS_H
#define PS_RUNTIME_STATUS_H

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include <string>

namespace ps::runtime {

/// `status` with "`prefix`: " before its message, without payloads; OK stays
/// OK.
inline absl::Status annotate(const absl::Status &status,
                             absl::string_view prefix) {
  if (status.ok())
    return status;
  return absl::Status(status.code(),
                      absl::StrCat(prefix, ": ", status.message()));
}

/// `text` from a peer, as one line that changes no terminal: control
/// characters, and bytes that are no UTF-8, as "\x1b".
std::string printable(absl::string_view text);

} // namespace ps::runtime

#endif // PS_RUNTIME_STATUS_H
