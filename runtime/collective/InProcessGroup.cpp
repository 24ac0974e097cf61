//===- InProcessGroup.cpp - the trainers of one process -------------------===//
//
// Calls of one operation meet in the group. The last to arrive does the work
// for all, on its thread and outside the lock, and ends the others' calls.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/InProcessGroup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/Timer.h"
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

using namespace ps::runtime;

namespace {

enum class Kind { AllReduce, Broadcast };

struct Key {
  Kind kind;
  int64_t step, channel;
  auto operator<=>(const Key &) const = default;

  /// "all_reduce 0 of step 3"
  std::string str() const {
    std::string name = absl::StrCat(
        kind == Kind::AllReduce ? "all_reduce " : "broadcast ", channel);
    // Before step 0 values are initial.
    return step < 0 ? absl::StrCat(name, " of the start")
                    : absl::StrCat(name, " of step ", step);
  }
};

/// One trainer's call.
struct Arrival {
  std::vector<ReducePart> parts;
  Done done;
};

/// The calls of one operation so far, by trainer.
struct Meeting {
  std::vector<std::optional<Arrival>> arrivals;
  Timer::Clock::time_point begin = Timer::Clock::now();
};

/// Calls to end, outside the lock.
using Ending = std::vector<std::pair<Done, absl::Status>>;

class Group : public std::enable_shared_from_this<Group> {
public:
  explicit Group(const GroupOptions &options)
      : timeout(absl::ToChronoNanoseconds(options.timeout)),
        live(options.trainers, true) {}

  void join(int trainer, Key key, std::vector<ReducePart> parts, Done done);
  void complete(int trainer);
  void abort(int trainer, const std::string &reason);
  bool isLive(int trainer) const {
    std::lock_guard lock(mutex);
    return live[trainer];
  }
  absl::Status health() const {
    std::lock_guard lock(mutex);
    return failure;
  }

private:
  absl::Status check(int trainer, Key key, const Meeting &meeting,
                     const std::vector<ReducePart> &parts) const;
  std::vector<int> findMissing(const Meeting &meeting) const;
  Ending failAll(absl::Status reason);
  void watch();
  void look();

  const Timer::Clock::duration timeout;
  mutable std::mutex mutex; // Guards what follows.
  std::vector<bool> live;
  std::map<Key, Meeting> meetings;
  absl::Status failure;
  bool watching = false;
};

void end(Ending ending) {
  for (auto &[done, status] : ending)
    done(std::move(status));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void reduce(const std::vector<Arrival *> &arrivals) {
  Arrival &first = *arrivals.front();
  for (size_t i = 0; i != first.parts.size(); ++i) {
    const ReducePart &part = first.parts[i];
    std::vector<const std::byte *> sources;
    for (Arrival *arrival : arrivals)
      sources.push_back(arrival->parts[i].gradient.data());
    meanOf(part.dtype, sources, part.mean.data(), 0,
           part.mean.size() / byteWidth(part.dtype));
    for (Arrival *arrival : arrivals)
      if (arrival != &first)
        std::memcpy(arrival->parts[i].mean.data(), part.mean.data(),
                    part.mean.size());
  }
}

void spread(const std::vector<Arrival *> &arrivals) {
  std::span<const std::byte> value = arrivals.front()->parts.front().gradient;
  for (Arrival *arrival : arrivals)
    if (arrival != arrivals.front())
      std::memcpy(arrival->parts.front().mean.data(), value.data(),
                  value.size());
}

/// Everybody is there, in order of ids.
void finish(Key key, Meeting meeting) {
  std::vector<Arrival *> arrivals;
  for (std::optional<Arrival> &arrival : meeting.arrivals)
    if (arrival)
      arrivals.push_back(&*arrival);
  key.kind == Kind::AllReduce ? reduce(arrivals) : spread(arrivals);
  for (Arrival *arrival : arrivals)
    arrival->done(absl::OkStatus());
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

std::vector<int> Group::findMissing(const Meeting &meeting) const {
  std::vector<int> missing;
  for (size_t i = 0; i != live.size(); ++i)
    if (live[i] && !meeting.arrivals[i])
      missing.push_back(i);
  return missing;
}

/// Whether the call of `trainer` is one that the others can be merged with.
absl::Status Group::check(int trainer, Key key, const Meeting &meeting,
                          const std::vector<ReducePart> &parts) const {
  auto refuse = [&](auto... what) {
    return absl::InvalidArgumentError(
        absl::StrCat(key.str(), ": trainer ", trainer, what...));
  };
  if (meeting.arrivals[trainer])
    return refuse(" takes part a second time");
  for (const ReducePart &part : parts)
    if (key.kind == Kind::AllReduce && !isFloat(part.dtype))
      return refuse(" brings ", std::string(dtypeName(part.dtype)),
                    ", which has no mean: expected floats");
  for (size_t i = 0; i != meeting.arrivals.size(); ++i) {
    if (!meeting.arrivals[i])
      continue;
    const std::vector<ReducePart> &others = meeting.arrivals[i]->parts;
    bool alike = others.size() == parts.size();
    for (size_t j = 0; alike && j != parts.size(); ++j)
      alike = others[j].dtype == parts[j].dtype &&
              others[j].mean.size() == parts[j].mean.size();
    if (!alike)
      return refuse(" brings other tensors than trainer ", i);
  }
  return absl::OkStatus();
}

void Group::join(int trainer, Key key, std::vector<ReducePart> parts,
                 Done done) {
  std::optional<Meeting> complete;
  absl::Status status;
  {
    std::lock_guard lock(mutex);
    auto [place, isNew] = meetings.try_emplace(key);
    if (isNew)
      place->second.arrivals.resize(live.size());
    status = failure;
    if (status.ok())
      status = check(trainer, key, place->second, parts);
    if (status.ok()) {
      place->second.arrivals[trainer] = {std::move(parts), std::move(done)};
      if (findMissing(place->second).empty()) {
        complete = std::move(place->second);
        meetings.erase(place);
      } else if (!watching) {
        watching = true;
        watch();
      }
    } else if (isNew) {
      meetings.erase(place);
    }
  }
  if (!status.ok())
    return done(std::move(status));
  if (complete)
    finish(key, *std::move(complete));
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Empties the meetings. Later calls fail with `reason` too.
Ending Group::failAll(absl::Status reason) {
  failure.Update(reason);
  Ending ending;
  for (auto &[key, meeting] : meetings)
    for (std::optional<Arrival> &arrival : meeting.arrivals)
      if (arrival)
        ending.emplace_back(
            std::move(arrival->done),
            absl::Status(reason.code(),
                         absl::StrCat(key.str(), ": ", reason.message())));
  meetings.clear();
  return ending;
}

void Group::complete(int trainer) {
  std::vector<std::pair<Key, Meeting>> complete;
  Ending ending;
  {
    std::lock_guard lock(mutex);
    live[trainer] = false;
    for (auto place = meetings.begin(); place != meetings.end();) {
      auto here = place++;
      if (here->first.kind == Kind::Broadcast && trainer == 0) {
        ending = failAll(absl::AbortedError(
            "trainer 0, whose value it is, has left the job"));
        break;
      }
      if (!findMissing(here->second).empty())
        continue;
      complete.emplace_back(here->first, std::move(here->second));
      meetings.erase(here);
    }
  }
  end(std::move(ending));
  for (auto &[key, meeting] : complete)
    finish(key, std::move(meeting));
}

void Group::abort(int trainer, const std::string &reason) {
  Ending ending;
  {
    std::lock_guard lock(mutex);
    live[trainer] = false;
    if (failure.ok())
      ending = failAll(absl::AbortedError(
          absl::StrCat("trainer ", trainer, " failed: ", reason)));
  }
  end(std::move(ending));
}

//===----------------------------------------------------------------------===//
// Deadlines
//===----------------------------------------------------------------------===//

/// One look at a time, as long as somebody waits. Called under the lock.
void Group::watch() {
  Timer::shared().after(timeout / 8,
                        [self = shared_from_this()] { self->look(); });
}

void Group::look() {
  Ending ending;
  {
    std::lock_guard lock(mutex);
    auto now = Timer::Clock::now();
    for (auto &[key, meeting] : meetings) {
      if (now - meeting.begin < timeout)
        continue;
      std::vector<int> missing = findMissing(meeting);
      ending = failAll(absl::DeadlineExceededError(absl::StrCat(
          missing.size() == 1 ? "trainer " : "trainers ",
          absl::StrJoin(missing, ", "), missing.size() == 1 ? " is" : " are",
          " missing after ",
          absl::FormatDuration(absl::FromChrono(now - meeting.begin)))));
      break;
    }
    watching = !meetings.empty();
    if (watching)
      watch();
  }
  end(std::move(ending));
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

class Member final : public Communicator {
public:
  Member(std::shared_ptr<Group> group, int trainer)
      : group(std::move(group)), trainer(trainer) {}
  ~Member() override {
    if (group->isLive(trainer))
      group->abort(trainer, "it ended early");
  }

  void allReduce(int64_t step, int64_t channel, std::vector<ReducePart> parts,
                 Done done) override {
    group->join(trainer, {Kind::AllReduce, step, channel}, std::move(parts),
                std::move(done));
  }
  void broadcast(int64_t step, int64_t channel, std::span<std::byte> value,
                 Done done) override {
    group->join(trainer, {Kind::Broadcast, step, channel},
                {{DType::UI8, value, value}}, std::move(done));
  }
  void complete() override { group->complete(trainer); }
  void abort(const std::string &reason) override {
    group->abort(trainer, reason);
  }
  absl::Status health() const override { return group->health(); }

private:
  std::shared_ptr<Group> group;
  int trainer;
};

} // namespace

std::vector<std::unique_ptr<Communicator>>
ps::runtime::makeInProcessGroup(GroupOptions options) {
  auto group = std::make_shared<Group>(options);
  std::vector<std::unique_ptr<Communicator>> members;
  for (int trainer = 0; trainer != options.trainers; ++trainer)
    members.push_back(std::make_unique<Member>(group, trainer));
  return members;
}
