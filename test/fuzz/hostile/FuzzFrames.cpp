// SPDX-License-Identifier: Apache-2.0
//===- FuzzFrames.cpp - any bytes from the peer of a connection -----------===//

#include "runtime/links/FrameConnection.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace ps::runtime;

namespace {
/// What a peer has sent before it closed its end. The first byte says in pieces
/// of how many bytes it arrives.
class InputStream final : public ByteStream {
public:
  InputStream(const uint8_t *data, size_t size)
      : rest(reinterpret_cast<const std::byte *>(data), size) {
    if (rest.empty())
      return;
    pieces = 1 + static_cast<size_t>(rest.front());
    rest = rest.subspan(1);
  }
  absl::StatusOr<size_t> read(std::byte *to, size_t most) override {
    if (rest.empty())
      return absl::UnavailableError("the peer has closed the connection");
    const size_t count = std::min({most, pieces, rest.size()});
    std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
    return count;
  }
  absl::StatusOr<size_t> write(Pieces pieces) override {
    return totalBytes(pieces);
  }
  absl::Status wait(Interest) override { return absl::OkStatus(); }
  void wake() override {}
  void shutdown() override {}
  std::string kind() const override { return "input"; }

private:
  std::span<const std::byte> rest;
  size_t pieces = 1;
};
} // namespace

/// Every frame that is accepted is answered, as a pserver does.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto connection = std::make_shared<FrameConnection>(
      std::make_unique<InputStream>(data, size), maxMessageBytes);
  bool closed = false;
  connection->run(
      {.receive =
           [&](Frame frame) {
             if (frame.header.size() + frame.payload.size() > size)
               std::abort();
             wire::Request request;
             (void)request.ParseFromArray(
                 frame.header.data(), static_cast<int>(frame.header.size()));
             connection->sendAnswer(frame.call, wire::Reply(), {}, frame.bytes);
           },
       .closed =
           [&](const absl::Status &reason) {
             if (reason.ok() || closed)
               std::abort();
             closed = true;
           }});
  if (!closed)
    std::abort();
  return 0;
}
