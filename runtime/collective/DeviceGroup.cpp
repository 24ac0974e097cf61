// SPDX-License-Identifier: Apache-2.0
//===- DeviceGroup.cpp - trainers whose devices add up --------------------===//
//
// Agreeing on an operation is an all-reduce of the host's communicator, of the
// same step and channel, in which each trainer writes to numbers of its own: so
// all see which of them take part, and what each has. The host's communicator
// thereby checks the order, waits, names trainers that are missing and ends for
// all what one ends.
//
// A group of devices has fixed members. When trainers leave, which they do when
// they have trained enough, the others form another one, by the id that its
// first trainer has sent along.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/DeviceGroup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Hash.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/collective/Operation.h"
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <thread>

using namespace ps::runtime;

namespace {

/// What a number of an agreement holds: a mean of few of them is exact.
constexpr size_t bytesPerNumber = 6;
constexpr size_t idNumbers =
    (deviceGroupIdBytes + bytesPerNumber - 1) / bytesPerNumber;
/// How long the host's communicator has to find out why a device has failed.
constexpr auto longestDoubt = std::chrono::seconds(2);

/// What trainers exchange about an operation.
struct Entry {
  /// A hash of the parts, or of the device's unique name.
  uint64_t fingerprint = 0;
  /// That of the group in which this trainer would be the first.
  std::string id;
};

/// An entry per trainer, as numbers that are all-reduced: 1, the fingerprint,
/// the id.
class Agreement {
public:
  static constexpr size_t width = 2 + idNumbers;

  Agreement(int trainers, int self, const Entry &own)
      : numbers(trainers * width) {
    double *place = &numbers[self * width];
    place[0] = 1;
    place[1] = static_cast<double>(own.fingerprint & mask);
    for (size_t i = 0; i != own.id.size(); ++i)
      place[2 + i / bytesPerNumber] +=
          std::ldexp(static_cast<unsigned char>(own.id[i]),
                     8 * static_cast<int>(i % bytesPerNumber));
  }

  ReducePart part() {
    auto bytes = std::as_writable_bytes(std::span(numbers));
    return {DType::F64, bytes, bytes};
  }
  /// Once it is reduced: the trainers that take part, in ascending order.
  std::vector<int> members() const {
    std::vector<int> found;
    for (size_t t = 0; t * width != numbers.size(); ++t)
      if (numbers[t * width] != 0)
        found.push_back(static_cast<int>(t));
    return found;
  }
  Entry entryOf(int trainer) const {
    const double count = std::round(1 / numbers[trainer * width]);
    auto number = [&](size_t i) {
      return static_cast<uint64_t>(
          std::llround(numbers[trainer * width + i] * count));
    };
    Entry entry{number(1), std::string(deviceGroupIdBytes, '\0')};
    for (size_t i = 0; i != deviceGroupIdBytes; ++i)
      entry.id[i] = static_cast<char>(number(2 + i / bytesPerNumber) >>
                                      8 * (i % bytesPerNumber));
    return entry;
  }

  static constexpr uint64_t mask = (uint64_t(1) << 8 * bytesPerNumber) - 1;

private:
  std::vector<double> numbers;
};

uint64_t fingerprintOf(std::string_view text) {
  uint64_t bits = text.size();
  for (char c : text)
    bits = mixBits(bits ^ static_cast<unsigned char>(c));
  return bits & Agreement::mask;
}

uint64_t fingerprintOf(const std::vector<ReducePart> &parts) {
  std::string text;
  for (const ReducePart &part : parts)
    absl::StrAppend(&text, static_cast<int>(part.dtype), ":", part.mean.size(),
                    " ");
  return fingerprintOf(text);
}

class DeviceGroup final : public Communicator {
public:
  DeviceGroup(std::unique_ptr<Communicator> host, Device &device,
              const DeviceGroupOptions &options, std::string id)
      : self(options.trainer), trainers(options.trainers), device(device),
        host(std::move(host)), ownId(std::move(id)) {
    worker = std::thread([this] { work(); });
  }
  ~DeviceGroup() override;

  void allReduce(int64_t step, int64_t channel, std::vector<ReducePart> parts,
                 Done done) override;
  void broadcast(int64_t step, int64_t channel, std::span<std::byte> value,
                 Done done) override {
    host->broadcast(step, channel, value, std::move(done));
  }
  void sum(int64_t step, int64_t index, std::span<double> values,
           Done done) override {
    host->sum(step, index, values, std::move(done));
  }
  void proposeStop(std::span<double> proposals, Done done) override {
    host->proposeStop(proposals, std::move(done));
  }
  void complete() override {
    hasCompleted = true;
    host->complete();
    MutexLock lock(mutex);
    changed.notifyAll();
  }
  void abort(const std::string &reason) override { host->abort(reason); }
  absl::Status health() const override { return host->health(); }
  std::string describePending() const override {
    return host->describePending();
  }

private:
  struct Operation {
    Operation(const OperationKey &key, std::vector<ReducePart> parts, Done done,
              Agreement agreement)
        : key(key), parts(std::move(parts)), done(std::move(done)),
          agreement(std::move(agreement)) {}
    const OperationKey key;
    const std::vector<ReducePart> parts;
    Done done;
    /// The host's while it agrees.
    Agreement agreement;
    // The mutex guards these.
    bool isAgreed = false, hasFailed = false, hasEnded = false;
  };
  using OperationPointer = std::shared_ptr<Operation>;
  /// One that the devices could not do, until it is known why, and they no
  /// longer work with its parts.
  struct Failure {
    OperationPointer operation;
    absl::Status status;
    Clock::TimePoint deadline;
    bool isExplained = false;
  };

  void endAgreement(const OperationPointer &operation, absl::Status status);
  void work();
  void watch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void takeLeft() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status start(const OperationPointer &operation);
  absl::Status join(const Operation &operation, std::vector<int> members);
  void noteFailure(const OperationPointer &operation, absl::Status status);
  void endOnDevices(const OperationPointer &operation, absl::Status status);
  bool hasEnded(const Operation &operation) const;
  void explain(Failure &failure);
  void finish(const OperationPointer &operation, absl::Status status);

  const int self, trainers;
  Device &device;
  std::unique_ptr<Communicator> host;
  std::atomic<bool> hasCompleted = false;

  mutable Mutex mutex;
  CondVar changed;
  /// What the host has not agreed on, or the devices have not begun.
  std::deque<OperationPointer> queue ABSL_GUARDED_BY(mutex);
  /// Operations that the devices are at.
  int running ABSL_GUARDED_BY(mutex) = 0;
  bool isOver ABSL_GUARDED_BY(mutex) = false;
  /// Operations that end are no longer the worker's to finish.
  bool workerHasEnded ABSL_GUARDED_BY(mutex) = false;
  std::deque<Failure> failures ABSL_GUARDED_BY(mutex);
  /// That of the next group in which this trainer is the first.
  std::string ownId ABSL_GUARDED_BY(mutex);

  // The worker's own.
  std::vector<int> members;
  std::unique_ptr<DeviceCollective> collective;
  /// Ids of groups that have formed.
  std::set<std::string> used;
  std::thread worker;
};

} // namespace

static absl::Status endedEarly() {
  return absl::AbortedError("the trainer ended early");
}

/// What is open ends with the host's communicator.
DeviceGroup::~DeviceGroup() {
  if (!hasCompleted)
    host->abort("it ended early");
  {
    MutexLock lock(mutex);
    isOver = true;
    changed.notifyAll();
  }
  worker.join();
  collective.reset();
  host.reset();
  MutexLock lock(mutex);
  while (running != 0 || !queue.empty())
    changed.wait(lock);
}

void DeviceGroup::allReduce(int64_t step, int64_t channel,
                            std::vector<ReducePart> parts, Done done) {
  if (parts.empty() || parts.front().space == MemorySpace::Host)
    return host->allReduce(step, channel, std::move(parts), std::move(done));
  const OperationKey key = {step, channel, OperationKind::AllReduce};
  if (absl::Status status = checkTypes(key, self, parts); !status.ok())
    return done(std::move(status));
  OperationPointer operation;
  {
    MutexLock lock(mutex);
    Agreement agreement(trainers, self, {fingerprintOf(parts), ownId});
    operation = std::make_shared<Operation>(
        key, std::move(parts), std::move(done), std::move(agreement));
    queue.push_back(operation);
  }
  host->allReduce(step, channel, {operation->agreement.part()},
                  [this, operation](absl::Status status) {
                    endAgreement(operation, std::move(status));
                  });
}

/// The host's communicator says what is wrong with an operation, if anything
/// is: then it is no operation.
void DeviceGroup::endAgreement(const OperationPointer &operation,
                               absl::Status status) {
  Done done;
  {
    MutexLock lock(mutex);
    if (status.ok() && isOver)
      status = endedEarly();
    if (status.ok())
      operation->isAgreed = true;
    else
      std::erase(queue, operation);
    if (!status.ok())
      done = std::move(operation->done);
    changed.notifyAll();
  }
  if (done)
    done(std::move(status));
}

/// Starts the operations that were agreed on. While devices are at work, polls
/// the health of the host's communicator: a device whose peer is gone would
/// never return.
void DeviceGroup::work() {
  constexpr auto interval = std::chrono::milliseconds(20);
  MutexLock lock(mutex);
  while (!isOver) {
    if (!queue.empty() && queue.front()->isAgreed) {
      OperationPointer next = std::move(queue.front());
      queue.pop_front();
      ++running;
      MutexUnlock unlock(mutex);
      if (absl::Status status = start(next); !status.ok()) {
        Failure failure = {next, std::move(status), Clock::TimePoint::min()};
        explain(failure);
        finish(next, std::move(failure.status));
      }
    } else if (running == 0 && hasCompleted && collective) {
      // Trainers that go on leave the group, too, which they cannot do alone.
      MutexUnlock unlock(mutex);
      members.clear();
      collective.reset();
    } else if (running == 0) {
      changed.wait(lock);
    } else {
      changed.waitUntil(lock, Clock::steady().now() + interval);
      watch();
    }
  }
  takeLeft();
}

/// Ends what devices are at where the job is lost. Failures are explained while
/// devices may still wait for each other: that ends it.
void DeviceGroup::watch() {
  std::deque<Failure> open = std::exchange(failures, {});
  MutexUnlock unlock(mutex);
  const bool isLost = !host->health().ok();
  if (isLost && collective)
    collective->abort();
  for (Failure &failure : open) {
    if (!failure.isExplained &&
        (isLost || failure.deadline <= Clock::steady().now()))
      explain(failure);
    if (failure.isExplained && hasEnded(*failure.operation)) {
      finish(failure.operation, std::move(failure.status));
      continue;
    }
    MutexLock again(mutex);
    failures.push_back(std::move(failure));
  }
}

/// What was agreed on and not begun, and what has failed. What devices still
/// work with ends in endOnDevices().
void DeviceGroup::takeLeft() {
  workerHasEnded = true;
  std::deque<Failure> ending = std::exchange(failures, {});
  std::erase_if(ending, [](const Failure &failure) {
    return !failure.operation->hasEnded;
  });
  for (const OperationPointer &operation : queue)
    if (operation->isAgreed) {
      ending.push_back({operation, endedEarly(), Clock::TimePoint::min()});
      ++running;
    }
  std::erase_if(queue, [](const OperationPointer &operation) {
    return operation->isAgreed;
  });
  MutexUnlock unlock(mutex);
  for (Failure &failure : ending)
    finish(failure.operation, std::move(failure.status));
}

absl::Status DeviceGroup::start(const OperationPointer &operation) {
  std::vector<int> taking = operation->agreement.members();
  const uint64_t first =
      operation->agreement.entryOf(taking.front()).fingerprint;
  for (int trainer : taking)
    if (operation->agreement.entryOf(trainer).fingerprint != first)
      return refuseOperation(operation->key, trainer,
                             " has other tensors than trainer ",
                             taking.front());
  if (taking != members)
    RETURN_IF_ERROR(join(*operation, std::move(taking)));
  std::vector<DevicePart> parts;
  for (const ReducePart &part : operation->parts)
    parts.push_back(
        {part.dtype, part.gradient.data(), part.mean.data(), part.mean.size()});
  collective->allReduce(
      std::move(parts),
      [this, operation](absl::Status status) {
        noteFailure(operation, std::move(status));
      },
      [this, operation](absl::Status status) {
        endOnDevices(operation, std::move(status));
      });
  return absl::OkStatus();
}

/// Every id is good for one group. All that take part know which groups there
/// were, since trainers that leave do not come back.
absl::Status DeviceGroup::join(const Operation &operation,
                               std::vector<int> taking) {
  const std::string id = operation.agreement.entryOf(taking.front()).id;
  if (!used.insert(id).second)
    return absl::AbortedError(
        absl::StrCat(operation.key.str(),
                     ": trainers left in two steps that overlap: expected one "
                     "group of devices to form before the next"));
  collective.reset();
  DeviceGroupPlace place = {
      .id = id, .rank = 0, .ranks = static_cast<int>(taking.size())};
  while (taking[place.rank] != self)
    ++place.rank;
  ASSIGN_OR_RETURN(
      collective,
      annotate(device.joinGroup(place, [&] { return host->health(); }),
               operation.key.str()));
  members = std::move(taking);
  if (place.rank != 0)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::string next, device.makeGroupId());
  MutexLock lock(mutex);
  ownId = std::move(next);
  return absl::OkStatus();
}

/// A device may fail because another one has gone, and does not know which: the
/// host's communicator finds out soon.
void DeviceGroup::noteFailure(const OperationPointer &operation,
                              absl::Status status) {
  MutexLock lock(mutex);
  if (workerHasEnded || std::exchange(operation->hasFailed, true))
    return;
  failures.push_back(
      {operation, std::move(status), Clock::steady().now() + longestDoubt});
  changed.notifyAll();
}

void DeviceGroup::endOnDevices(const OperationPointer &operation,
                               absl::Status status) {
  if (!status.ok()) {
    noteFailure(operation, status);
    MutexLock lock(mutex);
    operation->hasEnded = true;
    changed.notifyAll();
    if (!workerHasEnded)
      return;
  }
  finish(operation, std::move(status));
}

bool DeviceGroup::hasEnded(const Operation &operation) const {
  MutexLock lock(mutex);
  return operation.hasEnded;
}

/// The reason of a failure is what the host's communicator knows, or else that
/// of the device, which is then reported to all: they would wait for this
/// device.
void DeviceGroup::explain(Failure &failure) {
  failure.isExplained = true;
  const std::string key = failure.operation->key.str();
  if (!absl::StartsWith(failure.status.message(), key))
    failure.status = annotate(failure.status, key);
  if (absl::Status lost = host->health(); !lost.ok())
    failure.status = annotate(lost, key);
  else
    host->abort(std::string(failure.status.message()));
}

void DeviceGroup::finish(const OperationPointer &operation,
                         absl::Status status) {
  operation->done(std::move(status));
  MutexLock lock(mutex);
  --running;
  changed.notifyAll();
}

//===----------------------------------------------------------------------===//
// Whether devices add up
//===----------------------------------------------------------------------===//

/// Why not, or OK. The agreement is the same for all, and so is the answer.
static absl::Status checkDevices(const Agreement &agreement) {
  std::set<uint64_t> found;
  for (int trainer : agreement.members()) {
    const uint64_t fingerprint = agreement.entryOf(trainer).fingerprint;
    if (fingerprint == 0)
      return absl::UnavailableError(absl::StrCat(
          "the device of trainer ", trainer, " joins no groups of devices"));
    if (!found.insert(fingerprint).second)
      return absl::UnavailableError(absl::StrCat(
          "trainer ", trainer, " has the same device as another one"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Communicator>>
ps::runtime::makeDeviceGroup(std::unique_ptr<Communicator> host, Device &device,
                             DeviceGroupOptions options) {
  auto warn = [&](const absl::Status &why) {
    if (options.warn)
      options.warn(
          absl::StrCat("gradients are added up on the host: ", why.message()));
  };
  absl::StatusOr<std::string> id = device.makeGroupId();
  const uint64_t fingerprint =
      id.ok() ? fingerprintOf(device.uniqueName()) | 1 : 0;
  Agreement agreement(options.trainers, options.trainer,
                      {fingerprint, id.ok() ? *id : ""});
  // Before the start, and before all operations.
  constexpr int64_t step = std::numeric_limits<int64_t>::min();
  RETURN_IF_ERROR(await([&](Done done) {
    host->allReduce(step, /*channel=*/0, {agreement.part()}, std::move(done));
  }));
  if (!id.ok())
    warn(id.status());
  else if (absl::Status same = checkDevices(agreement); !same.ok())
    warn(same);
  else
    return std::make_unique<DeviceGroup>(std::move(host), device, options,
                                         *std::move(id));
  return makeStagedGroup(std::move(host), device);
}
