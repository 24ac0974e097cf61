//===- Trainers.cpp - the trainers of a job, as a pserver knows them ------===//

#include "runtime/transport/Trainers.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <algorithm>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// The order of calls
//===----------------------------------------------------------------------===//

/// The rows are those of the step whose send barrier comes next or, ahead of
/// time, those up to the end of the program's second step after it. While the
/// barrier of a step is on its way, a trainer computes the next one with rows
/// that are up to date already, and asks for those of the one after that.
bool Trainer::mayPrefetch(int64_t step) const {
  if (phase == Phase::Absent || phase == Phase::Completed)
    return false;
  const int64_t next = this->step + (phase == Phase::Pulling);
  const int64_t first = next + (phase == Phase::Waiting);
  return step >= first && step / rounds.count <= next / rounds.count + 2;
}

bool Trainer::isWithinStep() const {
  if (phase == Phase::Pulling)
    return !rounds.endsStep(step);
  return phase == Phase::Waiting || round() != 0;
}

void Trainer::wait(Done done) {
  phase = Phase::Waiting;
  settled = highest;
  barrier.push_back(std::move(done));
}

void Trainer::startStep() {
  phase = Phase::Pushing;
  ++step;
  begun = false;
}

void Trainer::pushed(uint64_t sequence) {
  highest = std::max(highest, sequence);
  begun = true;
}

void Trainer::replaceBy(uint64_t newcomer) {
  // More than a handful is no restart: the oldest may try again.
  constexpr size_t most = 64;
  replaced.push_back(incarnation);
  if (replaced.size() > most)
    replaced.pop_front();
  incarnation = newcomer;
}

bool Trainer::hasReplaced(uint64_t incarnation) const {
  return std::find(replaced.begin(), replaced.end(), incarnation) !=
         replaced.end();
}

std::string Trainer::nextCalls() const {
  switch (phase) {
  case Phase::Absent:
    return "a handshake";
  case Phase::Pulling:
    return absl::StrCat("pulls or the fetch barrier of step ", nameStep());
  case Phase::Pushing:
    return absl::StrCat("pushes or the send barrier of step ", nameStep());
  case Phase::Waiting:
    return absl::StrCat("nothing but pulls and prefetches before the answer to "
                        "the send barrier of step ",
                        nameStep());
  case Phase::Completed:
    return "nothing after its completion";
  }
  return "";
}

absl::Status Trainer::outOfOrder(absl::string_view found, int64_t step) const {
  return absl::FailedPreconditionError(
      absl::StrCat("expected ", nextCalls(), " from trainer ", id, ", found a ",
                   found, " of step ", rounds.str(step)));
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

Trainers::Trainers(int count, Rounds rounds, std::string jobHash,
                   absl::Duration peerTimeout, RunOptions options)
    : jobHash(std::move(jobHash)), peerTimeout(peerTimeout),
      options(std::move(options)) {
  all.reserve(count);
  for (int i = 0; i < count; ++i) {
    all.emplace_back(i, rounds);
    liveIds.push_back(i);
  }
}

absl::Status Trainers::checkId(int id) const {
  if (id >= 0 && id < static_cast<int>(all.size()))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "trainer id ", id, " is out of range: expected 0 to ", all.size() - 1));
}

/// Keeps what a trainer has us remember, and quote, within bounds.
static absl::Status checkSizes(const Hello &hello) {
  size_t longest = 0;
  for (const auto &[name, value] : hello.options)
    longest = std::max(longest, name.size() + value.size());
  if (hello.options.size() <= maxRunOptions && longest <= maxRunOptionBytes)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected at most ", maxRunOptions, " options of at most ",
      maxRunOptionBytes, " bytes from trainer ", hello.trainerId, ", found ",
      hello.options.size(), " of up to ", longest, " bytes"));
}

/// Names the first option that has another value with the trainer than with
/// `owner`.
static absl::Status compareOptions(const Hello &hello,
                                   const RunOptions &expected,
                                   const std::string &owner) {
  for (const auto &[name, value] : expected) {
    auto found = hello.options.find(name);
    if (found != hello.options.end() && found->second != value)
      return absl::FailedPreconditionError(
          absl::StrCat("expected ", printable(name), " '", printable(value),
                       "', as ", owner, " has it, from trainer ",
                       hello.trainerId, ", found '", printable(found->second),
                       "': start all processes of a job with the same"));
  }
  return absl::OkStatus();
}

/// For a refusal; a trainer that has not been heard of may have ended.
static std::string describe(const Trainer &trainer,
                            absl::Duration peerTimeout) {
  const auto silence = absl::FromChrono(Trainer::Clock::now() - trainer.heard);
  if (silence < peerTimeout / 3)
    return absl::StrCat("trainer ", trainer.id);
  return absl::StrCat(
      "trainer ", trainer.id, " (last heard of ",
      absl::FormatDuration(absl::Trunc(silence, absl::Seconds(1))), " ago)");
}

/// A process that takes the place of another need not agree with that one.
absl::Status Trainers::checkOptions(const Hello &hello) const {
  if (absl::Status status = checkSizes(hello); !status.ok())
    return status;
  absl::Status status = compareOptions(hello, options, "this pserver");
  for (const Trainer &other : all)
    if (status.ok() && other.id != hello.trainerId &&
        other.phase != Phase::Absent)
      status =
          compareOptions(hello, other.options, describe(other, peerTimeout));
  return status;
}

absl::Status Trainers::admit(
    const Hello &hello, Answers &answers,
    absl::FunctionRef<void(Trainer &, const absl::Status &)> replaced) {
  if (hello.jobHash != jobHash)
    return absl::FailedPreconditionError(absl::StrCat(
        "trainer ", hello.trainerId, " runs another job: expected hash '",
        jobHash, "', found '", hello.jobHash, "'"));
  if (absl::Status status = checkId(hello.trainerId); !status.ok())
    return status;
  if (absl::ToInt64Milliseconds(hello.peerTimeout) !=
      absl::ToInt64Milliseconds(peerTimeout))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected --peer-timeout=", absl::FormatDuration(peerTimeout),
        ", as this pserver has it, from trainer ", hello.trainerId, ", found ",
        absl::FormatDuration(hello.peerTimeout),
        ": start all processes of a job with the same"));
  if (absl::Status status = checkOptions(hello); !status.ok())
    return status;
  Trainer &trainer = all[hello.trainerId];
  if (trainer.phase != Phase::Absent &&
      hello.incarnation != trainer.incarnation) {
    const bool started =
        trainer.phase != Phase::Pulling || trainer.step != startupStep;
    if (started || trainer.hasReplaced(hello.incarnation))
      return absl::AlreadyExistsError(absl::StrCat(
          "trainer id ", hello.trainerId, " is taken by another process",
          started ? ", which trains already" : ", which came later"));
    const absl::Status why = absl::FailedPreconditionError(
        absl::StrCat("another process took the place of trainer ", trainer.id));
    answers.add(std::exchange(trainer.heartbeat, nullptr), why);
    replaced(trainer, why);
    trainer.replaceBy(hello.incarnation);
    trainer.phase = Phase::Absent;
  }
  trainer.heard = Trainer::Clock::now();
  if (trainer.phase == Phase::Absent) {
    trainer.phase = Phase::Pulling;
    trainer.incarnation = hello.incarnation;
    trainer.options = hello.options;
  }
  return absl::OkStatus();
}

absl::StatusOr<Trainer *> Trainers::identify(Peer peer,
                                             absl::string_view what) {
  if (absl::Status status = checkId(peer.trainer); !status.ok())
    return status;
  Trainer &trainer = all[peer.trainer];
  if (trainer.phase == Phase::Absent)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a handshake of trainer ", peer.trainer,
                     " first, found a ", what,
                     ": if it has trained, this pserver was started again "
                     "since, and the job has to be started again as a whole"));
  if (peer.incarnation != trainer.incarnation)
    return absl::FailedPreconditionError(absl::StrCat(
        "another process took the place of trainer ", peer.trainer));
  trainer.heard = Trainer::Clock::now();
  return &trainer;
}

void Trainers::complete(Trainer &trainer, Answers &answers) {
  trainer.phase = Phase::Completed;
  std::erase(liveIds, trainer.id);
  answers.add(std::exchange(trainer.heartbeat, nullptr), absl::OkStatus());
}

bool Trainers::allHaveConfirmed() const {
  return std::all_of(all.begin(), all.end(), [](const Trainer &trainer) {
    return trainer.hasConfirmed;
  });
}

bool Trainers::allWait() const {
  return !liveIds.empty() &&
         std::all_of(liveIds.begin(), liveIds.end(),
                     [&](int id) { return all[id].phase == Phase::Waiting; });
}

void Trainers::endStep(Answers &answers) {
  for (int id : liveIds) {
    Trainer &trainer = all[id];
    if (trainer.phase != Phase::Waiting)
      continue;
    trainer.phase = Phase::Pulling;
    answers.add(std::exchange(trainer.barrier, {}), absl::OkStatus());
  }
}

void Trainers::cancel(const absl::Status &status, Answers &answers) {
  for (Trainer &trainer : all) {
    answers.add(std::exchange(trainer.heartbeat, nullptr), status);
    answers.add(std::exchange(trainer.barrier, {}), status);
  }
}
