// SPDX-License-Identifier: Apache-2.0
//===- TcpStream.cpp - byte streams between processes of two hosts --------===//
//
// A socket that does not block. What is read in small parts passes through a
// buffer, so that a small message takes one call of the system, and a large one
// goes to its place without a copy.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/TcpStream.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/links/Wakeup.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <openssl/crypto.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace ps::runtime;

namespace {
using Time = std::chrono::steady_clock;

class TcpStream final : public ByteStream {
public:
  TcpStream(Descriptor socket, Wakeup wakeup)
      : socket(std::move(socket)), wakeup(std::move(wakeup)) {}

  /// Reads nothing before the token has come.
  void expect(const StreamToken &expected) {
    token = expected;
    trusted = false;
    tokenDeadline = Time::now() + std::chrono::seconds(5);
  }

  absl::StatusOr<size_t> read(std::byte *to, size_t most) override;
  absl::StatusOr<size_t> write(Pieces pieces) override;
  absl::Status wait(Interest interest) override;
  void wake() override { wakeup.notify(); }
  void shutdown() override { ::shutdown(socket.get(), SHUT_RDWR); }
  bool isTrusted() const override { return trusted; }
  std::string kind() const override { return "TCP"; }

private:
  absl::StatusOr<size_t> receive(std::byte *to, size_t most);
  absl::StatusOr<size_t> fillBuffer();
  absl::Status checkToken();

  const Descriptor socket;
  Wakeup wakeup;
  std::array<std::byte, 64 << 10> buffer;
  /// What of the buffer is not read yet.
  size_t begin = 0, end = 0;
  /// Still to come.
  std::optional<StreamToken> token;
  std::atomic<bool> trusted{true};
  Time::time_point tokenDeadline;
};

/// Answers a token.
constexpr char welcome[] = "ps-mlir stream 1";
constexpr size_t welcomeBytes = sizeof welcome - 1;
} // namespace

/// Errors that say that there is nothing to do now.
static bool isTemporary(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static absl::Status lost(const char *reason) {
  return absl::UnavailableError(
      absl::StrCat("the connection is lost: ", reason));
}

absl::StatusOr<size_t> TcpStream::receive(std::byte *to, size_t most) {
  const ssize_t count = ::recv(socket.get(), to, most, 0);
  if (count > 0)
    return static_cast<size_t>(count);
  if (count == 0)
    return absl::UnavailableError("the peer has closed the connection");
  if (isTemporary(errno))
    return 0;
  return lost(std::strerror(errno));
}

/// Receives behind what is in the buffer, which leaves room; returns how many
/// bytes.
absl::StatusOr<size_t> TcpStream::fillBuffer() {
  if (begin == end)
    begin = end = 0;
  ASSIGN_OR_RETURN(const size_t count,
                   receive(buffer.data() + end, buffer.size() - end));
  end += count;
  return count;
}

absl::Status TcpStream::checkToken() {
  if (end - begin < token->size())
    RETURN_IF_ERROR(fillBuffer().status());
  if (end - begin < token->size())
    return absl::OkStatus();
  if (CRYPTO_memcmp(token->data(), buffer.data() + begin, token->size()) != 0)
    return absl::PermissionDeniedError("it was not introduced over gRPC");
  begin += token->size();
  token.reset();
  trusted = true;
  // The socket's buffer is empty: there is room.
  const Piece answer = std::as_bytes(std::span(welcome, welcomeBytes));
  ASSIGN_OR_RETURN(const size_t sent, write(Pieces(&answer, 1)));
  return sent == welcomeBytes ? absl::OkStatus() : lost("no room");
}

absl::StatusOr<size_t> TcpStream::read(std::byte *to, size_t most) {
  if (token) {
    RETURN_IF_ERROR(checkToken());
    if (token)
      return 0;
  }
  if (begin == end) {
    if (most >= buffer.size())
      return receive(to, most);
    RETURN_IF_ERROR(fillBuffer().status());
  }
  const size_t count = std::min(most, end - begin);
  std::copy_n(buffer.begin() + begin, count, to);
  begin += count;
  return count;
}

absl::StatusOr<size_t> TcpStream::write(Pieces pieces) {
  // A front and the ranges of a message.
  std::array<iovec, maxRanges + 1> parts;
  size_t count = 0;
  for (Piece piece : pieces)
    if (!piece.empty() && count < parts.size())
      parts[count++] = {const_cast<std::byte *>(piece.data()), piece.size()};
  msghdr message = {};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  const ssize_t sent =
      ::sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0)
    return static_cast<size_t>(sent);
  if (isTemporary(errno))
    return 0;
  return lost(std::strerror(errno));
}

absl::Status TcpStream::wait(Interest interest) {
  const bool forData = interest != Interest::Room;
  if (forData && begin != end && !token)
    return absl::OkStatus();
  const int events =
      (forData ? POLLIN : 0) | (interest != Interest::Data ? POLLOUT : 0);
  pollfd entries[] = {{socket.get(), static_cast<short>(events), 0},
                      wakeup.entry()};
  ::poll(entries, 2, /*timeout=*/1000);
  if (entries[1].revents != 0)
    wakeup.clear();
  if (token && Time::now() > tokenDeadline)
    return absl::PermissionDeniedError("no token came");
  return absl::OkStatus();
}

static absl::StatusOr<std::unique_ptr<TcpStream>>
makeStream(Descriptor socket) {
  ASSIGN_OR_RETURN(Wakeup wakeup, Wakeup::open());
  return std::make_unique<TcpStream>(std::move(socket), std::move(wakeup));
}

absl::StatusOr<std::unique_ptr<ByteStream>>
ps::runtime::acceptTcpStream(Descriptor socket, const StreamToken &token) {
  ASSIGN_OR_RETURN(std::unique_ptr<TcpStream> stream,
                   makeStream(std::move(socket)));
  stream->expect(token);
  return stream;
}

absl::StatusOr<std::unique_ptr<ByteStream>>
ps::runtime::openTcpStream(Descriptor socket, const StreamToken &token,
                           absl::Duration timeout) {
  pollfd entry = {socket.get(), POLLIN, 0};
  ASSIGN_OR_RETURN(std::unique_ptr<TcpStream> stream,
                   makeStream(std::move(socket)));
  const Piece piece = token;
  ASSIGN_OR_RETURN(const size_t sent, stream->write(Pieces(&piece, 1)));
  std::array<char, welcomeBytes> answer;
  size_t received = 0;
  const int limit = static_cast<int>(absl::ToInt64Milliseconds(timeout));
  if (sent == token.size() && ::poll(&entry, 1, limit) > 0) {
    ASSIGN_OR_RETURN(received,
                     stream->read(reinterpret_cast<std::byte *>(answer.data()),
                                  answer.size()));
  }
  if (received != welcomeBytes ||
      !std::equal(answer.begin(), answer.end(), welcome))
    return absl::UnavailableError("no pserver answers on its port for TCP");
  return stream;
}
