// SPDX-License-Identifier: Apache-2.0
//===- Status.h - what errors gain on their way up ------------------------===//

#ifndef PS_RUNTIME_BASE_STATUS_H
#define PS_RUNTIME_BASE_STATUS_H

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include <string>

namespace ps::runtime {

/// `status` with the text of `parts` and ": " before its message, without
/// payloads; OK stays OK.
template <typename... Parts>
absl::Status annotate(const absl::Status &status, const Parts &...parts) {
  if (status.ok())
    return status;
  return absl::Status(status.code(),
                      absl::StrCat(parts..., ": ", status.message()));
}
template <typename T, typename... Parts>
absl::StatusOr<T> annotate(absl::StatusOr<T> value, const Parts &...parts) {
  if (value.ok())
    return value;
  return annotate(value.status(), parts...);
}

/// `text` from a peer, as one line that changes no terminal: control
/// characters, and bytes that are no UTF-8, as "\x1b".
std::string printable(absl::string_view text);

/// "a, b, c and 4 more": the first of `count` things, as `name` gives them.
std::string nameSome(size_t count, absl::FunctionRef<std::string(size_t)> name);

} // namespace ps::runtime

/// Returns from the function with the status of an expression, an absl::Status,
/// unless it is OK. Variadic, for the commas of template arguments.
#define RETURN_IF_ERROR(...)                                                   \
  do {                                                                         \
    if (absl::Status status_ = (__VA_ARGS__); !status_.ok())                   \
      return status_;                                                          \
  } while (false)

#define PS_STATUS_CONCAT_(a, b) a##b
#define PS_STATUS_NAME_(line) PS_STATUS_CONCAT_(statusOr_, line)
#define PS_ASSIGN_OR_RETURN_(result, target, ...)                              \
  auto result = (__VA_ARGS__);                                                 \
  if (!result.ok())                                                            \
    return std::move(result).status();                                         \
  target = *std::move(result)

/// Assigns the value of an expression, an absl::StatusOr, to `target`, which
/// may be a declaration; returns from the function with its status if there is
/// none.
#define ASSIGN_OR_RETURN(target, ...)                                          \
  PS_ASSIGN_OR_RETURN_(PS_STATUS_NAME_(__LINE__), target, __VA_ARGS__)

#endif // PS_RUNTIME_BASE_STATUS_H
