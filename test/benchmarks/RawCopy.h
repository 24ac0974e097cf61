// SPDX-License-Identifier: Apache-2.0
//===- RawCopy.h - the least that moving bytes to another thread takes ----===//
//
// What transports are compared with: the bytes of a message, from the memory of
// one thread into that of another, and an answer when all are there. No header,
// no queue, no sum.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_BENCHMARKS_RAWCOPY_H
#define PS_TEST_BENCHMARKS_RAWCOPY_H

#include "test/benchmarks/Sockets.h"
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

namespace ps::bench {

/// Over a socket. One thread sends.
class TcpCopy {
public:
  explicit TcpCopy(size_t bytes) : bytes(bytes) {
    int port = 0;
    const int listener = listenOn(port);
    sender = connectTo(port);
    receiver = acceptFrom(listener);
    close(listener);
    thread = std::thread([this] { receive(); });
  }
  ~TcpCopy() {
    close(sender);
    thread.join();
    close(receiver);
  }

  void send(const std::byte *data) {
    writeAll(sender, data, bytes);
    char answer;
    readAll(sender, &answer, 1);
  }

private:
  void receive() {
    std::vector<std::byte> target(bytes);
    while (true) {
      for (size_t at = 0; at < bytes;) {
        const ssize_t part = read(receiver, target.data() + at, bytes - at);
        if (part <= 0)
          return;
        at += static_cast<size_t>(part);
      }
      writeAll(receiver, "", 1);
    }
  }

  const size_t bytes;
  int sender, receiver;
  std::thread thread;
};

/// Through memory that both threads see, as through a ring: copied in by one
/// thread and out by the other, which begins when a part is there. One thread
/// sends.
class MemoryCopy {
public:
  explicit MemoryCopy(size_t bytes)
      : bytes(bytes), between(bytes), thread([this] { receive(); }) {}
  ~MemoryCopy() {
    sent = kEnd;
    sent.notify_one();
    thread.join();
  }

  void send(const std::byte *data) {
    // The receiver has all of the message before.
    for (size_t at = 0; at < bytes;) {
      const size_t part = std::min(kPart, bytes - at);
      std::memcpy(between.data() + at, data + at, part);
      at += part;
      sent.store(++parts, std::memory_order_release);
      sent.notify_one();
    }
    for (uint64_t seen; (seen = received.load()) != parts;)
      received.wait(seen);
  }

private:
  static constexpr size_t kPart = 256 << 10;
  static constexpr uint64_t kEnd = ~uint64_t(0);

  void receive() {
    std::vector<std::byte> target(bytes);
    uint64_t count = 0;
    while (true) {
      for (size_t at = 0; at < bytes; at += std::min(kPart, bytes - at)) {
        uint64_t seen;
        while ((seen = sent.load(std::memory_order_acquire)) == count)
          sent.wait(seen);
        if (seen == kEnd)
          return;
        std::memcpy(target.data() + at, between.data() + at,
                    std::min(kPart, bytes - at));
        ++count;
      }
      received = count;
      received.notify_one();
    }
  }

  const size_t bytes;
  std::vector<std::byte> between;
  uint64_t parts = 0;
  std::atomic<uint64_t> sent{0}, received{0};
  std::thread thread;
};

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_RAWCOPY_H
