//===- Interrupt.h - a clean end on Ctrl-C --------------------------------===//

#ifndef PS_RUNTIME_INTERRUPT_H
#define PS_RUNTIME_INTERRUPT_H

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include <memory>

namespace ps::runtime {

/// Turns the first SIGINT or SIGTERM of the process into a request that a
/// training loop looks at between steps; the second ends the process the
/// usual way. At most one exists at a time. For main(), before it starts
/// threads.
class Interrupt {
public:
  /// `onRequest` runs once, on a thread of its own, at the first signal: what
  /// must not wait for the end of a step, like PServer::stop(). May be null.
  static absl::StatusOr<std::unique_ptr<Interrupt>>
  create(absl::AnyInvocable<void()> onRequest = nullptr);
  /// Puts the former signal handling back.
  virtual ~Interrupt() = default;

  /// Whether to stop. Cheap and thread-safe.
  virtual bool requested() const = 0;
  /// The signal that asked, or 0.
  virtual int signal() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_INTERRUPT_H
