// SPDX-License-Identifier: Apache-2.0
//===- EtcdCoordinator.cpp - the record of a job in etcd ------------------===//
//
// A change reads the record, applies the rules, and replaces it if no other
// process has changed it meanwhile; else it begins again after a pause, as many
// processes may join at once. The revision of the record is that of its key.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/EtcdCoordinator.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Event.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Backoff.h"
#include "runtime/membership/Etcd.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "runtime/protocol/ProcessId.h"
#include "runtime/protocol/Service.h"
#include <algorithm>

using namespace ps::runtime;

/// How often a change is tried: with these pauses for more than half a minute.
static constexpr int mostTries = 48;
static constexpr absl::Duration firstPause = absl::Milliseconds(10);

namespace {
class EtcdCoordinator final : public Coordinator {
public:
  explicit EtcdCoordinator(EtcdOptions given)
      : options(std::move(given)),
        etcd(options.endpoints,
             std::max(absl::Seconds(1), options.peerTimeout / 8),
             options.certificates),
        prefix(absl::StrCat("/ps/", options.job, "/")) {}

  absl::StatusOr<wire::JobRecord> change(const wire::Change &change) override;
  absl::StatusOr<wire::JobRecord> read() override;
  absl::StatusOr<wire::JobRecord> watch(uint64_t revision) override;
  void disconnect() override {
    closing.notify();
    etcd.disconnect();
  }
  std::string name() const override {
    return absl::StrCat("etcd at ", absl::StrJoin(options.endpoints, ", "));
  }

private:
  /// The job's keys at one moment.
  struct State {
    std::optional<wire::JobRecord> record;
    /// The names of the keys of processes that are there.
    absl::flat_hash_set<std::string> alive;
    int64_t revision = 0;
  };
  absl::StatusOr<State> readState();
  bool isLost(const State &state, const wire::Member &member) const;
  void dropLost(const State &state, wire::JobRecord &record) const;
  absl::Status checkEnd(const wire::Change &change,
                        const wire::JobRecord &record) const;
  absl::StatusOr<wire::JobRecord>
  makeRecord(const wire::Change::Join &join) const;
  absl::StatusOr<int64_t> ownLease();
  absl::StatusOr<bool> write(const State &state, wire::JobRecord record,
                             bool announces);
  absl::Status noJob() const {
    return absl::NotFoundError(
        absl::StrCat("etcd has no job '", options.job, "'"));
  }
  std::string recordKey() const { return prefix + "record"; }
  std::string aliveKey(const wire::Member &member) const {
    return absl::StrCat(prefix, "alive/", member.machine(), ":", member.pid(),
                        ":", member.start_time(), ":", member.host());
  }

  const EtcdOptions options;
  Etcd etcd;
  const std::string prefix;
  Event closing;
  Mutex mutex;
  /// 0 before there is one.
  int64_t lease ABSL_GUARDED_BY(mutex) = 0;
};
} // namespace

absl::StatusOr<EtcdCoordinator::State> EtcdCoordinator::readState() {
  ASSIGN_OR_RETURN(EtcdSnapshot snapshot, etcd.read(prefix));
  State state;
  state.revision = snapshot.revision;
  for (const EtcdValue &value : snapshot.values) {
    if (value.key != recordKey()) {
      state.alive.insert(value.key);
      continue;
    }
    wire::JobRecord record;
    if (!record.ParseFromString(value.value))
      return absl::DataLossError(
          absl::StrCat("etcd: '", recordKey(), "' is not the record of a job"));
    record.set_revision(static_cast<uint64_t>(value.revision));
    state.record = std::move(record);
  }
  return state;
}

/// The lease of a process that was killed lasts a while; a process of this
/// machine can be looked for.
bool EtcdCoordinator::isLost(const State &state,
                             const wire::Member &member) const {
  return !isSame(member, options.self) &&
         (!state.alive.contains(aliveKey(member)) ||
          findProcess({member.host(), member.pid(), member.start_time()}) ==
              ProcessState::Ended);
}

void EtcdCoordinator::dropLost(const State &state,
                               wire::JobRecord &record) const {
  std::vector<wire::Change> losses;
  for (const wire::Member &member : membersOf(record))
    if (isLost(state, member)) {
      wire::Change &change = losses.emplace_back();
      *change.mutable_member() = member;
      change.mutable_lose();
    }
  for (const wire::Change &change : losses)
    (void)applyChange(change, record); // A loss is never refused.
}

absl::StatusOr<int64_t> EtcdCoordinator::ownLease() {
  int64_t held;
  {
    MutexLock lock(mutex);
    held = lease;
  }
  if (held != 0) {
    ASSIGN_OR_RETURN(bool isHeld, etcd.keepAlive(held));
    if (isHeld)
      return held;
  }
  ASSIGN_OR_RETURN(held, etcd.grantLease(options.peerTimeout));
  MutexLock lock(mutex);
  lease = held;
  return held;
}

/// Whether it was the record of `state` that was replaced; with it the process
/// shows that it is there, if it `announces` itself.
absl::StatusOr<bool> EtcdCoordinator::write(const State &state,
                                            wire::JobRecord record,
                                            bool announces) {
  const auto revision =
      static_cast<int64_t>(state.record ? state.record->revision() : 0);
  record.clear_revision();
  std::vector<Etcd::Put> puts = {{recordKey(), record.SerializeAsString(), 0}};
  if (announces) {
    ASSIGN_OR_RETURN(int64_t held, ownLease());
    puts.push_back({aliveKey(options.self), "", held});
  }
  return etcd.replace(recordKey(), revision, puts);
}

/// The first record of a job.
absl::StatusOr<wire::JobRecord>
EtcdCoordinator::makeRecord(const wire::Change::Join &join) const {
  if (join.trainers() != 0)
    return makeJobRecord(join.pservers(), join.trainers(), options.maxRestarts);
  if (!options.pservers || !options.trainers)
    return absl::InvalidArgumentError(
        absl::StrCat("etcd has no job '", options.job,
                     "' yet: expected --pservers and --trainers, the size that "
                     "it begins with"));
  const JobSize size = {*options.pservers, *options.trainers};
  if (size.pservers > mostOfARole || size.trainers < 1 ||
      size.trainers > mostOfARole)
    return absl::InvalidArgumentError(
        absl::StrCat("etcd's job '", options.job, "': expected 1 to ",
                     mostOfARole, " trainers and up to ", mostOfARole,
                     " pservers, found ", nameSize(size)));
  return makeJobRecord(size.pservers, size.trainers, options.maxRestarts);
}

/// The failure may be that of an earlier run with the same name.
absl::Status EtcdCoordinator::checkEnd(const wire::Change &change,
                                       const wire::JobRecord &record) const {
  if (!change.has_join() || record.failure().empty() ||
      findSeat(record, change.member()))
    return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("etcd's job '", options.job,
                                         "' has failed: ", record.failure(),
                                         ": another run needs another name"));
}

absl::StatusOr<wire::JobRecord>
EtcdCoordinator::change(const wire::Change &given) {
  wire::Change change = given;
  if (change.has_join())
    change.mutable_join()->set_max_restarts(options.maxRestarts);
  const wire::Change::Join &join = change.join();
  Backoff backoff(firstPause);
  for (int tries = 1;; ++tries) {
    ASSIGN_OR_RETURN(State state, readState());
    if (!state.record && !change.has_join())
      return noJob();
    wire::JobRecord record;
    if (state.record) {
      record = *state.record;
    } else {
      ASSIGN_OR_RETURN(record, makeRecord(join));
    }
    dropLost(state, record);
    RETURN_IF_ERROR(checkEnd(change, record));
    RETURN_IF_ERROR(applyChange(change, record));
    if (record.completed() && change.has_join())
      return record;
    const bool announces =
        change.has_join() && !state.alive.contains(aliveKey(options.self));
    if (!announces && state.record &&
        record.SerializeAsString() == state.record->SerializeAsString()) {
      if (change.has_join()) // It waits, and shows that it is there.
        RETURN_IF_ERROR(ownLease().status());
      return record;
    }
    ASSIGN_OR_RETURN(bool isDone, write(state, record, change.has_join()));
    if (isDone) {
      ASSIGN_OR_RETURN(State after, readState());
      if (after.record)
        return *std::move(after.record);
    }
    if (tries == mostTries)
      return absl::UnavailableError(
          absl::StrCat(name(), ": '", recordKey(),
                       "' was changed by other processes each "
                       "of the ",
                       mostTries,
                       " times that this one tried to: is another "
                       "program writing to it?"));
    if (closing.waitFor(backoff.next()))
      return absl::CancelledError("interrupted");
  }
}

absl::StatusOr<wire::JobRecord> EtcdCoordinator::read() {
  ASSIGN_OR_RETURN(State state, readState());
  if (!state.record)
    return noJob();
  return *std::move(state.record);
}

/// Also keeps the lease, and notes those that have ended.
absl::StatusOr<wire::JobRecord> EtcdCoordinator::watch(uint64_t revision) {
  const absl::Duration limit = std::clamp(
      options.peerTimeout / 4, absl::Milliseconds(250), absl::Seconds(5));
  Backoff backoff(firstPause);
  for (bool hasWaited = false;; hasWaited = true) {
    ASSIGN_OR_RETURN(int64_t held, ownLease());
    ASSIGN_OR_RETURN(State state, readState());
    if (!state.record) {
      // As another job's: this one is not known any more.
      wire::JobRecord none;
      return none;
    }
    if (!state.alive.contains(aliveKey(options.self))) {
      // The lease had ended, while this process was suspended for example.
      RETURN_IF_ERROR(
          etcd.replace(recordKey(),
                       static_cast<int64_t>(state.record->revision()),
                       {{aliveKey(options.self), "", held}})
              .status());
    }
    wire::JobRecord record = *state.record;
    if (!record.completed() && record.failure().empty())
      dropLost(state, record);
    if (record.SerializeAsString() != state.record->SerializeAsString()) {
      ASSIGN_OR_RETURN(bool isDone, write(state, record, /*announces=*/false));
      if (!isDone && closing.waitFor(backoff.next()))
        return absl::CancelledError("interrupted");
      continue;
    }
    if (record.revision() != revision || hasWaited)
      return record;
    RETURN_IF_ERROR(etcd.awaitChange(prefix, state.revision, limit));
  }
}

std::unique_ptr<Coordinator> ps::runtime::connectEtcd(EtcdOptions options) {
  return std::make_unique<EtcdCoordinator>(std::move(options));
}
