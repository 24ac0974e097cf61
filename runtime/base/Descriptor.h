// SPDX-License-Identifier: Apache-2.0
//===- Descriptor.h - a file descriptor that closes itself ----------------===//

#ifndef PS_RUNTIME_BASE_DESCRIPTOR_H
#define PS_RUNTIME_BASE_DESCRIPTOR_H

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace ps::runtime {

/// Owns a file descriptor, or none (-1).
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept
      : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }

  int get() const { return number; }
  explicit operator bool() const { return number >= 0; }

private:
  int number = -1;
};

/// Makes what was created, renamed or removed in `folder` durable; "" is the
/// current one. Returns false and sets `errno` where that fails, except on file
/// systems that sync no folders.
inline bool syncFolder(const std::string &folder) {
  const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(),
                                 O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened && (::fsync(opened.get()) == 0 || errno == EINVAL ||
                    errno == EBADF || errno == EOPNOTSUPP || errno == ENOSYS);
}

/// RESOURCE_EXHAUSTED, for what the system did not give: "cannot seal shared
/// memory: Operation not permitted", with what `errno` says.
inline absl::Status systemError(const char *what) {
  return absl::ResourceExhaustedError(
      absl::StrCat(what, ": ", std::strerror(errno)));
}

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_DESCRIPTOR_H
