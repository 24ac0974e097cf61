//===- Client.h - a trainer's view of one pserver -------------------------===//
//
// The seam between programs and the network. Implementations: in-process
// (InProcess.h), which calls a PServer in the same process, and gRPC (Grpc.h).
// One conformance test runs on both.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_CLIENT_H
#define PS_RUNTIME_TRANSPORT_CLIENT_H

#include "runtime/executor/Program.h"
#include "runtime/transport/PServer.h"
#include <span>
#include <string>

namespace ps::runtime {

/// Talks to one pserver on behalf of one trainer. Thread-safe. Calls return at
/// once; `done` runs on a thread of the transport and must not block. Every
/// call ends within the peer timeout: UNAVAILABLE or DEADLINE_EXCEEDED name the
/// endpoint, the block and the step. Retries are the transport's business; the
/// pserver sees each push once.
class Client {
public:
  virtual ~Client() = default;
  virtual const std::string &endpoint() const = 0;

  /// Introduces the trainer; first call of all. FAILED_PRECONDITION when the
  /// pserver runs another job.
  virtual void handshake(const Hello &hello, Done done) = 0;
  /// Sends a gradient for `block`. The bytes are sent from where they lie: the
  /// caller keeps them unchanged until `done`.
  virtual void push(int64_t step, const std::string &block, DType dtype,
                    std::span<const std::byte> rows, Done done) = 0;
  /// Reads `block` into `rows`, whose size must be the block's.
  virtual void pull(int64_t step, const std::string &block, DType dtype,
                    std::span<std::byte> rows, Done done) = 0;
  /// All pushes of the step are sent. Done when the pserver has updated its
  /// blocks.
  virtual void sendBarrier(int64_t step, Done done) = 0;
  /// All pulls of the step have arrived.
  virtual void fetchBarrier(int64_t step, Done done) = 0;
  /// The trainer has finished its last step and leaves. Idempotent.
  virtual void complete(Done done) = 0;
  /// The trainer failed: the pserver ends the job for everybody, quoting
  /// `reason`.
  virtual void abort(const std::string &reason, Done done) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_CLIENT_H
