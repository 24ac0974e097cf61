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

/// Through a ring that both threads see: copied in by one and out by the other,
/// which begins when a part is there. One thread sends.
class MemoryCopy {
public:
  explicit MemoryCopy(size_t bytes)
      : bytes(bytes), ring(std::min(bytes, kSlots * kPart)),
        thread([this] { receive(); }) {}
  ~MemoryCopy() {
    sent = kEnd;
    sent.notify_one();
    thread.join();
  }

  void send(const std::byte *data) {
    for (size_t at = 0; at < bytes; at += kPart) {
      // The slot's last part is out.
      waitUntil(received, parts < kSlots ? 0 : parts - kSlots + 1);
      std::memcpy(slot(parts, at), data + at, std::min(kPart, bytes - at));
      sent.store(++parts, std::memory_order_release);
      sent.notify_one();
    }
    waitUntil(received, parts);
  }

private:
  /// The fastest of some sizes: the ring stays in the cache.
  static constexpr size_t kPart = 256 << 10, kSlots = 16;
  static constexpr uint64_t kEnd = ~uint64_t(0);

  /// A message that is smaller than the ring has one slot, at its beginning.
  std::byte *slot(uint64_t part, size_t at) {
    return ring.data() + (bytes < kSlots * kPart ? at : part % kSlots * kPart);
  }

  static uint64_t waitUntil(std::atomic<uint64_t> &count, uint64_t least) {
    uint64_t seen;
    while ((seen = count.load(std::memory_order_acquire)) < least)
      count.wait(seen);
    return seen;
  }

  void receive() {
    std::vector<std::byte> target(bytes);
    for (uint64_t count = 0;;) {
      for (size_t at = 0; at < bytes; at += kPart) {
        if (waitUntil(sent, count + 1) == kEnd)
          return;
        std::memcpy(target.data() + at, slot(count, at),
                    std::min(kPart, bytes - at));
        received.store(++count, std::memory_order_release);
        received.notify_one();
      }
    }
  }

  const size_t bytes;
  std::vector<std::byte> ring;
  uint64_t parts = 0;
  std::atomic<uint64_t> sent{0}, received{0};
  std::thread thread;
};

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_RAWCOPY_H
