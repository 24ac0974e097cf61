// SPDX-License-Identifier: Apache-2.0
//===- Wire.h - messages as byte buffers ----------------------------------===//
//
// length (u32, little endian) | header (ps.proto) | payload
//
// Encoding refers to the payload where it lies; decoding, to the slices that
// arrived. Neither copies it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_WIRE_H
#define PS_RUNTIME_PROTOCOL_WIRE_H

#include "runtime/protocol/Service.h"
#include <google/protobuf/message_lite.h>
#include <grpcpp/support/byte_buffer.h>
#include <vector>

namespace ps::runtime {

inline constexpr uint32_t wireVersion = 18;
/// What a peer may make us hold for one message.
inline constexpr size_t maxHeaderBytes = 64 << 10;
inline constexpr size_t maxMessageBytes = 2 * chunkBytes;

/// What `payload` points at must stay where it is until `released` has been
/// called with `context` once for each piece, when the last reference to it is
/// gone; null for payloads that outlive the transport. Empty pieces are
/// released at once.
grpc::ByteBuffer encode(const google::protobuf::MessageLite &header,
                        Pieces payload = {}, void (*released)(void *) = nullptr,
                        void *context = nullptr);

/// A message that arrived.
class Message {
public:
  /// INVALID_ARGUMENT when `buffer` does not hold a header of the type of
  /// `header`.
  absl::Status decode(grpc::ByteBuffer &buffer,
                      google::protobuf::MessageLite &header);
  /// Valid while this object lives.
  Pieces payload() const { return pieces; }
  /// The same, once.
  std::vector<Piece> takePayload() { return std::move(pieces); }

private:
  std::vector<grpc::Slice> slices;
  std::vector<Piece> pieces;
};

/// The message that answers a call with `response`: on the wire errors are
/// headers without a payload.
Response toReply(absl::StatusOr<Response> response);
/// What a caller gets of such a message.
absl::StatusOr<Response> fromReply(Response reply);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_WIRE_H
