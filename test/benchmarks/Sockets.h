// SPDX-License-Identifier: Apache-2.0
//===- Sockets.h - raw TCP for floors of benchmarks -----------------------===//
//
// Blocking sockets on loopback. A benchmark whose sockets fail has no figure:
// every failure ends the process with 1.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_BENCHMARKS_SOCKETS_H
#define PS_TEST_BENCHMARKS_SOCKETS_H

#include <arpa/inet.h>
#include <cstdlib>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ps::bench {

inline void writeAll(int fd, const void *data, size_t bytes) {
  for (const char *at = static_cast<const char *>(data); bytes > 0;) {
    const ssize_t done = send(fd, at, bytes, MSG_NOSIGNAL);
    if (done <= 0)
      std::exit(1);
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

inline void readAll(int fd, void *data, size_t bytes) {
  for (char *at = static_cast<char *>(data); bytes > 0;) {
    const ssize_t done = read(fd, at, bytes);
    if (done <= 0)
      std::exit(1);
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

/// A listener at a free port of loopback.
inline int listenOn(int &port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  if (bind(fd, reinterpret_cast<sockaddr *>(&address), length) != 0 ||
      listen(fd, 4) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length) != 0)
    std::exit(1);
  port = ntohs(address.sin_port);
  return fd;
}

inline void sendAtOnce(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

inline int connectTo(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0)
    std::exit(1);
  sendAtOnce(fd);
  return fd;
}

inline int acceptFrom(int listener) {
  const int fd = accept(listener, nullptr, nullptr);
  if (fd < 0)
    std::exit(1);
  sendAtOnce(fd);
  return fd;
}

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_SOCKETS_H
