//===- RowSource.h - the rows of tables that others hold ------------------===//
//
// The seam between a step's table nodes and who holds the tables: the clients
// of all pservers, or a cache before them.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_ROWSOURCE_H
#define PS_RUNTIME_TRANSPORT_ROWSOURCE_H

#include "runtime/executor/Program.h"
#include "runtime/transport/Client.h"
#include <span>
#include <string>

namespace ps::runtime {

/// Thread-safe. Calls return at once; `done` runs exactly once, perhaps before
/// the call returns, on any thread, and must not block. Every call ends, with
/// an error that names the table, the step and the peer if need be. Steps are
/// the protocol's, as a Client's. Ids come each once, in any order; the caller
/// keeps them and the rows where they are until `done`.
class RowSource {
public:
  virtual ~RowSource() = default;

  /// Reads the rows of `ids` as `step` finds them into `values`, whose row i is
  /// that of id i. Where rows are created, at most two program steps early.
  /// With `create` unknown ids get rows with initial values; otherwise they
  /// read as zeros and the table stays as it is.
  virtual void prefetch(int64_t step, const std::string &table,
                        std::span<const int64_t> ids, bool create,
                        const TensorRef &values, Done done) = 0;
  /// Sends the rows' gradients for the update of `step`. With no ids, too:
  /// holders update the table when they have heard of all trainers.
  virtual void push(int64_t step, const std::string &table,
                    std::span<const int64_t> ids, const TensorRef &gradients,
                    Done done) = 0;
  /// Fails with RESOURCE_EXHAUSTED when one of the tables in which this source
  /// had rows created has more rows than it may. Before what a job has trained
  /// is saved: rows of its last step may not have been counted since.
  virtual void checkLimits(int64_t step, Done done) = 0;
};

/// The holders themselves, for a source that keeps copies of their rows.
class RowHolders : public RowSource {
public:
  /// As prefetch() with `create`, but brings only what is not right in copies
  /// that the caller keeps. Rows are `copies.stateBytes` apart, whatever the
  /// type of `values` says. The caller keeps what `copies` points at until
  /// `done`.
  virtual void refresh(int64_t step, const std::string &table,
                       std::span<const int64_t> ids, const TensorRef &values,
                       const RowCopies &copies, Done done) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_ROWSOURCE_H
