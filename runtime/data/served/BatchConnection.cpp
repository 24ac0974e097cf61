// SPDX-License-Identifier: Apache-2.0
//===- BatchConnection.cpp - the connection to a batch server -------------===//
//
// The client sends two frames whose text is JSON: who it is and how it takes
// samples, which the server answers with its columns; then, when the trainer
// knows how far its run has come, where to begin.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/served/BatchConnection.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

using namespace ps::runtime;

/// The path of an address "unix:PATH".
static absl::StatusOr<std::string> parseAddress(const DataSpec &spec) {
  absl::string_view path = spec.source;
  if (!absl::ConsumePrefix(&path, "unix:") || path.empty())
    return spec.error("expected batches:unix:PATH");
  if (const size_t most = sizeof(sockaddr_un::sun_path) - 1; path.size() > most)
    return spec.error(absl::StrCat("expected a path of at most ", most,
                                   " bytes, found ", path.size()));
  return std::string(path);
}

static std::string describe(const ServedOptions &options) {
  if (options.all)
    return R"({"version":1,"all":true})";
  return absl::StrCat(R"({"version":1,"all":false,"trainers":)",
                      options.trainers, R"(,"trainer":)", options.trainer,
                      R"(,"batch":)", options.batchSize, R"(,"pad":)",
                      options.pad ? "true" : "false", "}");
}

absl::StatusOr<std::unique_ptr<BatchConnection>>
BatchConnection::connect(const ServedOptions &options) {
  ASSIGN_OR_RETURN(const std::string path, parseAddress(options.spec));
  Descriptor socket(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket)
    return systemError("cannot make a local socket");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  if (::connect(socket.get(), reinterpret_cast<sockaddr *>(&address),
                sizeof(address)) != 0)
    return absl::UnavailableError(absl::StrCat("data '", options.spec.text,
                                               "': no process serves '", path,
                                               "': ", std::strerror(errno)));
  std::unique_ptr<BatchConnection> connection(
      new BatchConnection(std::move(socket), path));
  connection->reader = std::make_unique<BatchFrames>(
      options.spec.text, [c = connection.get()](void *to, size_t size) {
        return c->read(to, size);
      });
  RETURN_IF_ERROR(annotate(connection->send(kHelloFrame, describe(options)),
                           "data '", options.spec.text, "'"));
  return connection;
}

absl::Status BatchConnection::start(const ServedRange &range) {
  return send(kStartFrame,
              absl::StrCat(R"({"epoch":)", range.epoch, R"(,"step":)",
                           range.step, R"(,"end":)", range.endEpoch, "}"));
}

absl::Status BatchConnection::connectionError(absl::string_view why) const {
  return absl::UnavailableError(
      absl::StrCat("the server at '", path, "' ", why));
}

/// Waits until the socket may be used, or stop() was called.
absl::Status BatchConnection::wait(short events) const {
  constexpr int interval = 50; // milliseconds between looks at `stopped`
  ThreadWait named;
  for (;;) {
    if (stopped)
      return absl::CancelledError("stopped");
    pollfd entry{.fd = socket.get(), .events = events, .revents = 0};
    if (::poll(&entry, 1, interval) > 0)
      return absl::OkStatus();
    named.look();
  }
}

absl::Status BatchConnection::read(void *to, size_t size) {
  auto *next = static_cast<char *>(to);
  while (size != 0) {
    const ssize_t got = ::recv(socket.get(), next, size, 0);
    if (got > 0) {
      next += got;
      size -= got;
    } else if (got == 0) {
      return connectionError("has closed the connection");
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      RETURN_IF_ERROR(wait(POLLIN));
    } else if (errno != EINTR) {
      return connectionError(absl::StrCat("is lost: ", std::strerror(errno)));
    }
  }
  return stopped ? absl::CancelledError("stopped") : absl::OkStatus();
}

/// Not more than a socket holds at once: a server that does not read it is
/// noticed by its silence.
absl::Status BatchConnection::send(absl::string_view kind,
                                   const std::string &text) {
  FrameHeader header{.kind = {}, .bytes = text.size()};
  kind.copy(header.kind, sizeof(header.kind));
  std::string frame(reinterpret_cast<const char *>(&header), sizeof(header));
  frame += text;
  for (absl::string_view left = frame; !left.empty();) {
    const ssize_t sent =
        ::send(socket.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent > 0)
      left.remove_prefix(sent);
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      RETURN_IF_ERROR(wait(POLLOUT));
    else if (errno == EPIPE || errno == ECONNRESET)
      // What it has sent before says why.
      return absl::OkStatus();
    else if (errno != EINTR)
      return connectionError(absl::StrCat("is lost: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}
