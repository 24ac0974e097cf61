// SPDX-License-Identifier: Apache-2.0
//===- SuccessorClient.h - goes on where another process ended ------------===//

#ifndef PS_RUNTIME_CLIENT_SUCCESSORCLIENT_H
#define PS_RUNTIME_CLIENT_SUCCESSORCLIENT_H

#include "runtime/client/Client.h"
#include <memory>

namespace ps::runtime {

/// A client of a process that repeats the last steps of the one whose place it
/// has taken: over `client`, except that it leaves out what the pserver has
/// already got, block by block and table by table. Such a push is done at once.
std::unique_ptr<Client> makeSuccessorClient(std::unique_ptr<Client> client);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_SUCCESSORCLIENT_H
