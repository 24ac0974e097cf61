// SPDX-License-Identifier: Apache-2.0
//===- Wire.cpp - messages as byte buffers --------------------------------===//
//
// A message is the length of its header (4 bytes, little-endian), the header as
// a protobuf and the payload. The payload is not part of the protobuf so that
// it is neither copied when it is sent nor when it is received: slices refer to
// the tensor's memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/Wire.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

static constexpr size_t lengthBytes = 4;

grpc::ByteBuffer
ps::runtime::encode(const google::protobuf::MessageLite &header, Pieces payload,
                    void (*released)(void *), void *context) {
  const size_t headerBytes = header.ByteSizeLong();
  grpc::Slice front(lengthBytes + headerBytes);
  auto *to = const_cast<uint8_t *>(front.begin());
  for (size_t i = 0; i < lengthBytes; ++i)
    to[i] = static_cast<uint8_t>(headerBytes >> (8 * i));
  header.SerializeWithCachedSizesToArray(to + lengthBytes);
  std::vector<grpc::Slice> slices;
  slices.reserve(1 + payload.size());
  slices.push_back(std::move(front));
  for (Piece piece : payload) {
    if (piece.empty()) {
      if (released)
        released(context);
      continue;
    }
    void *bytes = const_cast<std::byte *>(piece.data());
    slices.push_back(
        released ? grpc::Slice(bytes, piece.size(), released, context)
                 : grpc::Slice(bytes, piece.size(), grpc::Slice::STATIC_SLICE));
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

static absl::Status malformed(const std::string &what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed message: ", what));
}

absl::Status Message::decode(grpc::ByteBuffer &buffer,
                             google::protobuf::MessageLite &header) {
  slices.clear();
  pieces.clear();
  if (!buffer.Valid() || !buffer.Dump(&slices).ok())
    return malformed("it is not valid");
  std::vector<Piece> whole;
  whole.reserve(slices.size());
  for (const grpc::Slice &slice : slices)
    whole.emplace_back(reinterpret_cast<const std::byte *>(slice.begin()),
                       slice.size());
  PayloadCursor cursor(whole);
  uint8_t length[lengthBytes];
  if (!cursor.read(length, lengthBytes))
    return malformed("expected 4 bytes of length");
  size_t headerBytes = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    headerBytes |= static_cast<size_t>(length[i]) << (8 * i);
  if (headerBytes > maxHeaderBytes)
    return malformed(absl::StrCat("expected a header of at most ",
                                  maxHeaderBytes, " bytes, found ",
                                  headerBytes));
  std::string bytes(headerBytes, '\0');
  if (!cursor.read(bytes.data(), headerBytes))
    return malformed(
        absl::StrCat("expected a header of ", headerBytes, " bytes"));
  if (!header.ParseFromString(bytes))
    return malformed("its header does not parse");
  pieces = cursor.rest();
  return absl::OkStatus();
}

Response ps::runtime::toReply(absl::StatusOr<Response> response) {
  if (response.ok())
    return *std::move(response);
  constexpr size_t maxMessage = 32 << 10; // It travels in the header.
  Response reply;
  reply.header.set_code(static_cast<int>(response.status().code()));
  reply.header.set_message(
      std::string(response.status().message().substr(0, maxMessage)));
  return reply;
}

absl::StatusOr<Response> ps::runtime::fromReply(Response reply) {
  const auto code = static_cast<absl::StatusCode>(reply.header.code());
  if (code != absl::StatusCode::kOk)
    return absl::Status(code, printable(reply.header.message()));
  return reply;
}
