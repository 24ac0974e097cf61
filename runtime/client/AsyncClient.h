// SPDX-License-Identifier: Apache-2.0
//===- AsyncClient.h - pushes and pulls behind training -------------------===//
//
// In mode async a trainer computes on while what it pushes and pulls is on its
// way:
//
//   push    copies the gradient into the queue of its block, which a full queue
//           delays, so nothing is dropped. One push of a queue is with the
//           pserver at a time; those that wait for it may be added up and go as
//           one.
//   pull    takes what the pserver has sent last. Values come in the
//           background, all of a pserver at once, whenever a push of a later
//           step than before has been applied; a step sees one such set.
//
// Everything else goes to the pserver directly, except that a send barrier, the
// merging of a metric and the completion wait until all queues are empty.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_ASYNCCLIENT_H
#define PS_RUNTIME_CLIENT_ASYNCCLIENT_H

#include "runtime/client/Client.h"
#include <memory>

namespace ps::runtime {

struct AsyncClientOptions {
  /// At least 1: how many pushes of a block, or of a table, may be under way or
  /// wait.
  size_t queueLength = 1;
  /// At least 1: how many of those that wait are sent as one, which is their
  /// sum. An update is not divided by how many there are.
  size_t maxMerge = 1;
};

/// A client of a job of mode async over `client`. A pull of startupStep, and
/// the first of a block, go to the pserver; after a send barrier the former
/// brings the final values. A push that fails makes later calls fail, and
/// health().
std::unique_ptr<Client> makeAsyncClient(std::unique_ptr<Client> client,
                                        AsyncClientOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_ASYNCCLIENT_H
