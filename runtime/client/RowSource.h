// SPDX-License-Identifier: Apache-2.0
//===- RowSource.h - the rows of tables that pservers hold ----------------===//
//
// The seam between a step's table nodes and the tables: the clients of all
// pservers, or a cache before them.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_ROWSOURCE_H
#define PS_RUNTIME_CLIENT_ROWSOURCE_H

#include "runtime/client/Client.h"

namespace ps::runtime {

/// Thread-safe. Calls return at once; `done` runs exactly once, perhaps before
/// the call returns, on any thread, and must not block. Every call ends, with
/// an error that names the table, the step and the peer if need be. Steps are
/// the protocol's, as a Client's. The caller keeps ids, rows and copies where
/// they are until `done`.
class RowSource {
public:
  virtual ~RowSource() = default;

  /// Reads rows as `step` finds them; `request` has no places. Unless it is
  /// frozen, at most two program steps early, and unknown ids get rows with
  /// initial values. With copies only what is not right in them is brought.
  virtual void prefetch(int64_t step, const RowRequest &request, Done done) = 0;
  /// Sends the rows' gradients for the update of `step`. With no ids, too: the
  /// pservers update the table when every trainer has sent its own.
  virtual void push(int64_t step, const RowGradients &rows, Done done) = 0;
  /// Fails with RESOURCE_EXHAUSTED when one of the tables in which this source
  /// had rows created has more rows than it may. Before what a job has trained
  /// is saved: rows of its last step may not have been counted since.
  virtual void checkLimits(int64_t step, Done done) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_ROWSOURCE_H
