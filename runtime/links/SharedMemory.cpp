// SPDX-License-Identifier: Apache-2.0
//===- SharedMemory.cpp - byte streams between processes of one host ------===//
//
// A ring has one producer and one consumer. Each keeps its own position in
// private memory and publishes it in the shared one; a peer's position that is
// impossible ends the connection, and no other value of a peer is trusted.
//
// An end that has nothing to do spins briefly, then sleeps on its bell, a
// futex. The peer rings it after publishing a position that the end may wait
// for. Both sides write first and look second, in one total order: either the
// sleeper sees the new position, or the peer sees that the bell is wanted.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/SharedMemory.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/executor/ThreadSanitizer.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

using namespace ps::runtime;

namespace {
constexpr size_t cacheLine = 64;
/// Holds the messages of a step of a small model, and stays in the cache:
/// larger messages pass through in parts.
constexpr size_t ringBytes = size_t(1) << 20;

struct Bell {
  /// Counts the wakeups, so that one between looking and sleeping is not
  /// missed.
  alignas(cacheLine) std::atomic<uint32_t> wakeups;
  std::atomic<uint32_t> isWanted;
  /// Its end is closed.
  std::atomic<uint32_t> isGone;
};

struct Positions {
  /// Bytes that were ever written and read.
  alignas(cacheLine) std::atomic<uint64_t> written;
  alignas(cacheLine) std::atomic<uint64_t> read;
  /// The producer waits for room.
  std::atomic<uint32_t> wantsRoom;
};

/// The front of the shared memory; ring i follows at ringOffset(i). End i
/// sleeps on bell i and writes to ring i.
struct Control {
  uint64_t magic, bytesPerRing;
  std::array<Bell, 2> bells;
  std::array<Positions, 2> rings;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);
constexpr uint64_t magic = 0x31676e6972737001;
/// Where a ring may begin, whatever the size of pages.
constexpr size_t controlBytes = 64 << 10;
static_assert(sizeof(Control) <= controlBytes);

constexpr size_t ringOffset(int ring) {
  return controlBytes + ring * ringBytes;
}
constexpr size_t totalSize = controlBytes + 2 * ringBytes;

/// Shared memory, mapped. Each ring is there twice, one behind the other, so
/// that bytes that go around its end are in one run.
class Mapping {
public:
  static absl::StatusOr<Mapping> map(const Descriptor &memory) {
    void *base = ::mmap(nullptr, mappedSize, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
      return failure();
    Mapping mapping(static_cast<std::byte *>(base));
    auto show = [&](std::byte *at, size_t size, size_t offset) {
      return ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    memory.get(), static_cast<off_t>(offset)) != MAP_FAILED;
    };
    if (!show(mapping.base, controlBytes, 0))
      return failure();
    for (int i = 0; i < 2; ++i)
      if (!show(mapping.ring(i), ringBytes, ringOffset(i)) ||
          !show(mapping.ring(i) + ringBytes, ringBytes, ringOffset(i)))
        return failure();
    return mapping;
  }
  Mapping(Mapping &&other) noexcept
      : base(std::exchange(other.base, nullptr)) {}
  ~Mapping() {
    if (base)
      ::munmap(base, mappedSize);
  }

  Control &control() const { return *reinterpret_cast<Control *>(base); }
  /// Two times ringBytes.
  std::byte *ring(int index) const {
    return base + controlBytes + index * 2 * ringBytes;
  }

private:
  static constexpr size_t mappedSize = controlBytes + 4 * ringBytes;
  static absl::Status failure() {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot map shared memory: ", std::strerror(errno)));
  }
  explicit Mapping(std::byte *base) : base(base) {}
  std::byte *base;
};

class SharedMemoryStream final : public ByteStream {
public:
  SharedMemoryStream(Mapping mapping, Descriptor socket, int end)
      : mapping(std::move(mapping)), socket(std::move(socket)), end(end) {}
  ~SharedMemoryStream() override { shutdown(); }

  absl::StatusOr<size_t> read(std::byte *to, size_t most) override;
  const std::byte *peek(size_t size) override;
  void skip(size_t size) override;
  absl::StatusOr<size_t> write(Pieces pieces) override;
  absl::Status wait(Interest interest) override;
  void wake() override;
  void shutdown() override {
    ownBell().isGone.store(1, std::memory_order_seq_cst);
    ringPeer();
  }
  std::string kind() const override { return "shared memory"; }

private:
  Bell &ownBell() const { return mapping.control().bells[end]; }
  Bell &peersBell() const { return mapping.control().bells[1 - end]; }
  Positions &outgoing() const { return mapping.control().rings[end]; }
  Positions &incoming() const { return mapping.control().rings[1 - end]; }
  void ringPeer() const;
  bool isDue(Interest interest);
  void sleep(Interest interest);

  const Mapping mapping;
  const Descriptor socket;
  const int end;
  /// The positions that this end publishes.
  uint64_t bytesRead = 0;
  std::atomic<uint64_t> bytesWritten{0};
  std::atomic<bool> woken{false};
  bool isSocketClosed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

static absl::Status impossiblePosition() {
  return absl::InternalError("the peer broke the shared memory: expected a "
                             "position inside the ring");
}

/// What ThreadSanitizer takes for the memory that both ends share: it knows the
/// two mappings as different memory. It treats all sockets alike, too.
static char sharedMemoryTag;

absl::StatusOr<size_t> SharedMemoryStream::read(std::byte *to, size_t most) {
  Positions &positions = incoming();
  const uint64_t available =
      positions.written.load(std::memory_order_acquire) - bytesRead;
  if (available > ringBytes)
    return impossiblePosition();
  const size_t size = std::min<size_t>(available, most);
  if (size == 0)
    return 0;
  __tsan_acquire(&sharedMemoryTag);
  std::memcpy(to, mapping.ring(1 - end) + bytesRead % ringBytes, size);
  skip(size);
  return size;
}

const std::byte *SharedMemoryStream::peek(size_t size) {
  const uint64_t available =
      incoming().written.load(std::memory_order_acquire) - bytesRead;
  if (available > ringBytes || available < size)
    return nullptr;
  __tsan_acquire(&sharedMemoryTag);
  return mapping.ring(1 - end) + bytesRead % ringBytes;
}

void SharedMemoryStream::skip(size_t size) {
  Positions &positions = incoming();
  bytesRead += size;
  positions.read.store(bytesRead, std::memory_order_seq_cst);
  if (positions.wantsRoom.load(std::memory_order_seq_cst) != 0)
    ringPeer();
}

absl::StatusOr<size_t> SharedMemoryStream::write(Pieces pieces) {
  Positions &positions = outgoing();
  uint64_t position = bytesWritten.load(std::memory_order_relaxed);
  const uint64_t used =
      position - positions.read.load(std::memory_order_acquire);
  if (used > ringBytes)
    return impossiblePosition();
  const uint64_t begin = position, limit = position + (ringBytes - used);
  std::byte *ring = mapping.ring(end);
  for (Piece piece : pieces) {
    const size_t size = std::min<size_t>(piece.size(), limit - position);
    if (size != 0)
      std::memcpy(ring + position % ringBytes, piece.data(), size);
    position += size;
    if (size < piece.size())
      break;
  }
  if (position == begin)
    return 0;
  bytesWritten.store(position, std::memory_order_relaxed);
  __tsan_release(&sharedMemoryTag);
  positions.written.store(position, std::memory_order_seq_cst);
  ringPeer();
  return position - begin;
}

//===----------------------------------------------------------------------===//
// Sleeping and waking
//===----------------------------------------------------------------------===//

static void wakeSleeper(Bell &bell) {
  if (bell.isWanted.load(std::memory_order_seq_cst) == 0)
    return;
  bell.wakeups.fetch_add(1, std::memory_order_seq_cst);
  ::syscall(SYS_futex, reinterpret_cast<uint32_t *>(&bell.wakeups), FUTEX_WAKE,
            1, nullptr, nullptr, 0);
}

void SharedMemoryStream::ringPeer() const { wakeSleeper(peersBell()); }

void SharedMemoryStream::wake() {
  woken.store(true, std::memory_order_seq_cst);
  wakeSleeper(ownBell());
}

bool SharedMemoryStream::isDue(Interest interest) {
  if (interest != Interest::Room &&
      incoming().written.load(std::memory_order_seq_cst) != bytesRead)
    return true;
  if (interest != Interest::Data &&
      bytesWritten.load(std::memory_order_relaxed) -
              outgoing().read.load(std::memory_order_seq_cst) !=
          ringBytes)
    return true;
  if (peersBell().isGone.load(std::memory_order_seq_cst) != 0)
    return true;
  return woken.exchange(false, std::memory_order_seq_cst);
}

/// Whether the other end of `socket` is closed: its process may have ended
/// without a word.
static bool isClosed(const Descriptor &socket) {
  pollfd entry = {socket.get(), POLLIN | POLLRDHUP, 0};
  return ::poll(&entry, 1, 0) > 0;
}

/// Sleeps on the bell, no longer than a tenth of a second: then it looks
/// whether the peer is alive.
void SharedMemoryStream::sleep(Interest interest) {
  Bell &bell = ownBell();
  outgoing().wantsRoom.store(interest != Interest::Data,
                             std::memory_order_seq_cst);
  bell.isWanted.store(1, std::memory_order_seq_cst);
  const uint32_t wakeups = bell.wakeups.load(std::memory_order_seq_cst);
  if (!isDue(interest)) {
    const timespec limit = {0, 100'000'000};
    const long result =
        ::syscall(SYS_futex, reinterpret_cast<uint32_t *>(&bell.wakeups),
                  FUTEX_WAIT, wakeups, &limit, nullptr, 0);
    if (result != 0 && errno == ETIMEDOUT)
      isSocketClosed = isClosed(socket);
  }
  bell.isWanted.store(0, std::memory_order_relaxed);
  outgoing().wantsRoom.store(0, std::memory_order_relaxed);
}

absl::Status SharedMemoryStream::wait(Interest interest) {
  // About a microsecond: less than the system needs to put a thread to sleep.
  // Longer would take the core from the process that is waited for where there
  // are fewer cores than processes.
  constexpr int spins = 30;
  bool isReady = isDue(interest);
  for (int i = 0; i < spins && !isReady; ++i) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    isReady = isDue(interest);
  }
  if (!isReady)
    sleep(interest);
  if (isSocketClosed || peersBell().isGone.load(std::memory_order_seq_cst) != 0)
    return absl::UnavailableError("the peer has closed the connection");
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Making the memory known to both
//===----------------------------------------------------------------------===//

/// Sealed: a peer that made the file shorter would end this process with
/// SIGBUS. Filled, because so does memory that is not there at its first use.
static absl::StatusOr<Descriptor> makeMemory() {
  Descriptor memory(::memfd_create("ps-mlir", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory)
    return systemError("cannot make shared memory");
  int error;
  do
    error = ::posix_fallocate(memory.get(), 0, totalSize);
  while (error == EINTR);
  if (error != 0) {
    errno = error;
    return systemError("no room for shared memory");
  }
  if (::fcntl(memory.get(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return systemError("cannot seal shared memory");
  return memory;
}

static absl::Status sendDescriptor(const Descriptor &socket,
                                   const Descriptor &file) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr *control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = file.get();
  std::memcpy(CMSG_DATA(control), &number, sizeof number);
  if (::sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
    return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot send shared memory: ", std::strerror(errno)));
}

static absl::StatusOr<Descriptor> receiveDescriptor(const Descriptor &socket) {
  const timeval limit = {1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  char byte;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))];
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  ssize_t received;
  do
    received = ::recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0)
    return absl::UnavailableError(
        absl::StrCat("no shared memory comes: ", std::strerror(errno)));
  const cmsghdr *control = CMSG_FIRSTHDR(&message);
  if (received != 1 || !control || control->cmsg_level != SOL_SOCKET ||
      control->cmsg_type != SCM_RIGHTS ||
      control->cmsg_len != CMSG_LEN(sizeof(int)))
    return absl::UnavailableError("the peer refused shared memory");
  int number;
  std::memcpy(&number, CMSG_DATA(control), sizeof number);
  return Descriptor(number);
}

absl::StatusOr<std::unique_ptr<ByteStream>>
ps::runtime::offerSharedMemory(Descriptor socket) {
  ASSIGN_OR_RETURN(Descriptor memory, makeMemory());
  ASSIGN_OR_RETURN(Mapping mapping, Mapping::map(memory));
  Control *control = new (&mapping.control()) Control();
  control->magic = magic;
  control->bytesPerRing = ringBytes;
  RETURN_IF_ERROR(sendDescriptor(socket, memory));
  return std::make_unique<SharedMemoryStream>(std::move(mapping),
                                              std::move(socket), /*end=*/0);
}

absl::StatusOr<std::unique_ptr<ByteStream>>
ps::runtime::attachSharedMemory(Descriptor socket) {
  ASSIGN_OR_RETURN(Descriptor memory, receiveDescriptor(socket));
  struct stat info;
  const int seals = ::fcntl(memory.get(), F_GET_SEALS);
  if (::fstat(memory.get(), &info) != 0 ||
      static_cast<size_t>(info.st_size) != totalSize || seals < 0 ||
      (seals & F_SEAL_SHRINK) == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("expected sealed shared memory of ", totalSize, " bytes"));
  ASSIGN_OR_RETURN(Mapping mapping, Mapping::map(memory));
  if (mapping.control().magic != magic ||
      mapping.control().bytesPerRing != ringBytes)
    return absl::InvalidArgumentError(
        "the peer's shared memory is of another version");
  return std::make_unique<SharedMemoryStream>(std::move(mapping),
                                              std::move(socket), /*end=*/1);
}
