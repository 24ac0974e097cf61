// SPDX-License-Identifier: Apache-2.0
//===- EmulatedCollective.cpp - groups of emulated devices ----------------===//
//
// All ranks send their gradients to rank 0, which adds them up in the order of
// the ranks and sends the means back. The socket's name, in the abstract
// namespace of Linux, is the id.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/EmulatedCollective.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include <cerrno>
#include <cstring>
#include <deque>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {

/// A socket; -1 is none.
class Socket {
public:
  explicit Socket(int fd = -1) : fd(fd) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }

private:
  int fd;
};

absl::Status failed(absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(
      "group of emulated devices: ", what, ": ", std::strerror(errno)));
}

absl::Status transfer(const Socket &socket, std::byte *data, size_t bytes,
                      bool sends) {
  while (bytes > 0) {
    const ssize_t moved = sends
                              ? ::send(socket.get(), data, bytes, MSG_NOSIGNAL)
                              : ::recv(socket.get(), data, bytes, 0);
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved == 0)
      return absl::UnavailableError(
          "group of emulated devices: another rank has gone");
    if (moved < 0)
      return failed(sends ? "send" : "receive");
    data += moved;
    bytes -= moved;
  }
  return absl::OkStatus();
}

absl::Status sendAll(const Socket &socket, const void *data, size_t bytes) {
  return transfer(socket,
                  const_cast<std::byte *>(static_cast<const std::byte *>(data)),
                  bytes, /*sends=*/true);
}
absl::Status receiveAll(const Socket &socket, void *data, size_t bytes) {
  return transfer(socket, static_cast<std::byte *>(data), bytes,
                  /*sends=*/false);
}

/// The address that is `id`: its first byte is zero.
std::pair<sockaddr_un, socklen_t> addressOf(const std::string &id) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const size_t length = std::min(id.size(), sizeof(address.sun_path) - 1);
  std::memcpy(address.sun_path + 1, id.data(), length);
  return {address, offsetof(sockaddr_un, sun_path) + 1 + length};
}

/// The sockets of groups that have not formed yet, by their ids.
struct Listeners {
  Mutex mutex;
  absl::flat_hash_map<std::string, Socket> byId ABSL_GUARDED_BY(mutex);
};
Listeners &listeners() {
  static Listeners &all = *new Listeners;
  return all;
}

class EmulatedCollective final : public DeviceCollective {
public:
  EmulatedCollective(int rank, std::vector<Socket> others, AfterWork afterWork)
      : state(std::make_shared<State>(rank, std::move(others))),
        afterWork(std::move(afterWork)),
        worker([state = state] { state->work(); }) {}
  ~EmulatedCollective() override {
    state->abort(/*ends=*/true);
    worker.join();
  }

  /// Ranks do not wait for each other to abort.
  void allReduce(std::vector<DevicePart> parts, Done /*failing*/,
                 Done done) override {
    afterWork([state = state, parts = std::move(parts),
               done = std::move(done)]() mutable {
      state->enqueue({std::move(parts), std::move(done)});
    });
  }
  void abort() override { state->abort(/*ends=*/false); }

private:
  struct Operation {
    std::vector<DevicePart> parts;
    Done done;
  };

  /// Outlives the group where the device still has work for it.
  struct State {
    State(int rank, std::vector<Socket> others)
        : rank(rank), others(std::move(others)) {}

    void enqueue(Operation operation);
    void abort(bool ends);
    void work();
    absl::Status reduce(const std::vector<DevicePart> &parts);
    absl::Status reduceHere(const std::vector<DevicePart> &parts);

    const int rank;
    /// Rank 0 has all others, from rank 1 on; any other has rank 0.
    const std::vector<Socket> others;
    Mutex mutex;
    CondVar changed;
    std::deque<Operation> queue ABSL_GUARDED_BY(mutex);
    bool isAborted ABSL_GUARDED_BY(mutex) = false;
    bool isOver ABSL_GUARDED_BY(mutex) = false;
  };

  const std::shared_ptr<State> state;
  const AfterWork afterWork;
  std::thread worker;
};

} // namespace

static absl::Status aborted() {
  return absl::AbortedError("group of emulated devices: it was aborted");
}

void EmulatedCollective::State::enqueue(Operation operation) {
  {
    MutexLock lock(mutex);
    if (!isOver) {
      queue.push_back(std::move(operation));
      changed.notifyAll();
      return;
    }
  }
  operation.done(aborted());
}

/// A socket that is shut down ends what waits for it.
void EmulatedCollective::State::abort(bool ends) {
  MutexLock lock(mutex);
  isAborted = true;
  isOver = isOver || ends;
  for (const Socket &socket : others)
    ::shutdown(socket.get(), SHUT_RDWR);
  changed.notifyAll();
}

void EmulatedCollective::State::work() {
  MutexLock lock(mutex);
  while (true) {
    while (queue.empty() && !isOver)
      changed.wait(lock);
    if (queue.empty())
      return;
    Operation next = std::move(queue.front());
    queue.pop_front();
    MutexUnlock unlock(mutex);
    absl::Status status = reduce(next.parts);
    {
      MutexLock again(mutex);
      if (isAborted)
        status = aborted();
    }
    next.done(std::move(status));
  }
}

absl::Status
EmulatedCollective::State::reduce(const std::vector<DevicePart> &parts) {
  if (rank == 0)
    return reduceHere(parts);
  for (const DevicePart &part : parts)
    RETURN_IF_ERROR(sendAll(others.front(), part.gradient, part.bytes));
  for (const DevicePart &part : parts)
    RETURN_IF_ERROR(receiveAll(others.front(), part.mean, part.bytes));
  return absl::OkStatus();
}

/// Everything is received before anything is sent, as the other ranks do not
/// receive while they send.
absl::Status
EmulatedCollective::State::reduceHere(const std::vector<DevicePart> &parts) {
  for (const DevicePart &part : parts) {
    std::vector<std::vector<std::byte>> received(
        others.size(), std::vector<std::byte>(part.bytes));
    std::vector<const std::byte *> sources = {part.gradient};
    for (size_t i = 0; i != others.size(); ++i) {
      RETURN_IF_ERROR(receiveAll(others[i], received[i].data(), part.bytes));
      sources.push_back(received[i].data());
    }
    meanOf(part.dtype, sources, part.mean, 0,
           part.bytes / byteWidth(part.dtype));
  }
  for (const Socket &socket : others)
    for (const DevicePart &part : parts)
      RETURN_IF_ERROR(sendAll(socket, part.mean, part.bytes));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// How a group forms
//===----------------------------------------------------------------------===//

absl::StatusOr<std::string> ps::runtime::makeEmulatedGroupId() {
  std::string id = absl::StrCat("ps-emulated-", absl::Hex(randomBits()), "-",
                                absl::Hex(randomBits()));
  id.resize(deviceGroupIdBytes);
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto [address, length] = addressOf(id);
  if (socket.get() < 0 ||
      ::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address),
             length) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0)
    return failed("listen");
  MutexLock lock(listeners().mutex);
  listeners().byId.emplace(id, std::move(socket));
  return id;
}

static absl::StatusOr<Socket> connectToRank0(const DeviceGroupPlace &place) {
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto [address, length] = addressOf(place.id);
  if (socket.get() < 0 ||
      ::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address),
                length) != 0)
    return failed("connect");
  const int32_t rank = place.rank;
  RETURN_IF_ERROR(sendAll(socket, &rank, sizeof(rank)));
  return socket;
}

static absl::StatusOr<std::vector<Socket>>
acceptOthers(const DeviceGroupPlace &place,
             absl::FunctionRef<absl::Status()> goOn) {
  Socket listener;
  {
    MutexLock lock(listeners().mutex);
    auto found = listeners().byId.find(place.id);
    if (found == listeners().byId.end())
      return absl::InvalidArgumentError(
          "group of emulated devices: expected an id that rank 0 made");
    listener = std::move(found->second);
    listeners().byId.erase(found);
  }
  std::vector<Socket> others(place.ranks - 1);
  for (int missing = place.ranks - 1; missing != 0;) {
    RETURN_IF_ERROR(goOn());
    pollfd waited = {.fd = listener.get(), .events = POLLIN, .revents = 0};
    if (::poll(&waited, 1, /*milliseconds=*/20) <= 0)
      continue;
    Socket socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    int32_t rank = 0;
    RETURN_IF_ERROR(receiveAll(socket, &rank, sizeof(rank)));
    if (rank < 1 || rank >= place.ranks || others[rank - 1].get() >= 0)
      return absl::InvalidArgumentError(
          absl::StrCat("group of emulated devices: unexpected rank ", rank));
    others[rank - 1] = std::move(socket);
    --missing;
  }
  return others;
}

absl::StatusOr<std::unique_ptr<DeviceCollective>>
ps::runtime::joinEmulatedGroup(const DeviceGroupPlace &place,
                               absl::FunctionRef<absl::Status()> goOn,
                               AfterWork afterWork) {
  std::vector<Socket> others;
  if (place.rank == 0) {
    ASSIGN_OR_RETURN(others, acceptOthers(place, goOn));
  } else {
    ASSIGN_OR_RETURN(Socket socket, connectToRank0(place));
    others.push_back(std::move(socket));
  }
  return std::make_unique<EmulatedCollective>(place.rank, std::move(others),
                                              std::move(afterWork));
}
