//===- PServer.h - serves the blocks of one pserver program ---------------===//
//
// The sync loop of a pserver, free of any wire: transports translate messages
// to these calls. A step: one gradient per block from each live trainer, the
// mean over the trainers that contributed, every optimize block, then pulls.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_PSERVER_H
#define PS_RUNTIME_TRANSPORT_PSERVER_H

#include "absl/time/time.h"
#include "runtime/executor/Executor.h"
#include "runtime/store/Store.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// How a trainer introduces itself.
struct Hello {
  int trainerId = 0;
  /// Differs between two lives of the same trainer.
  uint64_t incarnation = 0;
  /// The job's hash; must equal the pserver's.
  std::string jobHash;
};

/// One block and the compiled update that its merged gradient feeds.
struct OptimizeBlock {
  /// "fc_w.block0": a variable of the store.
  std::string block;
  /// Has the feed "grad", of the block's type. Outlives the server.
  Program *update = nullptr;
};

class PServer {
public:
  struct Options {
    std::string endpoint;
    std::string jobHash;
    int trainers = 1;
    /// A trainer silent for longer ends the job.
    absl::Duration peerTimeout = absl::Seconds(30);
    /// Trainers that have not introduced themselves by then end the job.
    absl::Duration connectTimeout = absl::Seconds(300);
    /// Outlive the server.
    Store *store = nullptr;
    Executor *executor = nullptr;
    std::vector<OptimizeBlock> blocks;
  };
  static absl::StatusOr<std::unique_ptr<PServer>> create(Options options);
  virtual ~PServer() = default;

  // The calls of a trainer. Thread-safe; none blocks. `done` may run before
  // the call returns or later from another thread.
  virtual void handshake(const Hello &hello, Done done) = 0;
  /// A sign of life; also what an idle trainer sends.
  virtual void heartbeat(int trainer, Done done) = 0;
  /// `rows` stays valid until `done`. `sequence` numbers the pushes of one
  /// incarnation: a repeated one is acknowledged and ignored.
  virtual void push(int trainer, uint64_t incarnation, uint64_t sequence,
                    int64_t step, const std::string &block, DType dtype,
                    std::span<const std::byte> rows, Done done) = 0;
  /// Gives the block's bytes, valid until the trainer's fetch barrier.
  virtual void
  pull(int trainer, int64_t step, const std::string &block,
       absl::AnyInvocable<void(absl::StatusOr<TensorRef>)> done) = 0;
  virtual void sendBarrier(int trainer, int64_t step, Done done) = 0;
  virtual void fetchBarrier(int trainer, int64_t step, Done done) = 0;
  virtual void complete(int trainer, Done done) = 0;
  virtual void abort(int trainer, const std::string &reason) = 0;

  /// Waits until every trainer has completed (OK), one failed or fell silent
  /// (an error that names trainer, block and step), or stop() was called.
  virtual absl::Status wait() = 0;
  /// Ends the service: every waiting call fails with CANCELLED. Idempotent,
  /// safe from a signal-handling thread.
  virtual void stop(absl::Status reason) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_PSERVER_H
