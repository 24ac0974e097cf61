// SPDX-License-Identifier: Apache-2.0
//===- FuzzMessages.cpp - any bytes as a message over gRPC ----------------===//

#include "runtime/protocol/Wire.h"
#include <cstdlib>
#include <grpcpp/support/slice.h>

using namespace ps::runtime;

/// A message in two slices, cut where the first byte says.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const size_t bytes = size - 1, cut = std::min<size_t>(data[0], bytes);
  const grpc::Slice slices[] = {grpc::Slice(data + 1, cut),
                                grpc::Slice(data + 1 + cut, bytes - cut)};
  grpc::ByteBuffer buffer(slices, 2);
  wire::Request request;
  Message message;
  if (!message.decode(buffer, request).ok())
    return 0;
  if (totalBytes(message.payload()) > bytes)
    std::abort();
  // An accepted message stays acceptable.
  grpc::ByteBuffer again = encode(request, message.payload());
  wire::Request same;
  if (!Message().decode(again, same).ok())
    std::abort();
  return 0;
}
