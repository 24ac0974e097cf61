//===- SyncLoop.cpp - the sync loop of a pserver --------------------------===//

#include "runtime/transport/SyncLoop.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/Status.h"
#include <algorithm>
#include <new>
#include <system_error>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// For waiting: an infinite duration would overflow the clock.
static std::chrono::steady_clock::duration limitOf(absl::Duration duration) {
  return absl::ToChronoNanoseconds(
      std::clamp(duration, absl::ZeroDuration(), absl::Hours(24 * 365)));
}

SyncLoop::SyncLoop(Options given)
    : options(std::move(given)),
      trainers(options.trainers, options.rounds, options.jobHash,
               options.peerTimeout, options.runOptions),
      blocks(options.trainers, options.rounds), tables(options.rounds),
      updates(options.rounds, options.schedule),
      pulls(*options.store, options.trainers, options.rounds),
      prefetches(options.rounds),
      silenceLimit(limitOf(options.peerTimeout * 0.75)),
      connectLimit(limitOf(options.connectTimeout)),
      stepLimit(limitOf(options.stepTimeout)) {}

absl::Status SyncLoop::init() {
  for (const OptimizeBlock &spec : options.blocks) {
    absl::StatusOr<ServedBlock *> block = blocks.add(spec, options);
    if (!block.ok())
      return block.status();
    pulls.setUnit(spec.block, **block);
    updates.add(**block, *spec.update);
  }
  for (const TableBlock &spec : options.tables) {
    absl::StatusOr<ServedTable *> table = tables.add(spec, options);
    if (!table.ok())
      return table.status();
    if (spec.update)
      updates.add(**table, *spec.update);
  }
  try {
    stepThread = std::thread([this] { serveOrFail(); });
  } catch (const std::system_error &error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot start a thread: ", error.what()));
  }
  return absl::OkStatus();
}

SyncLoop::~SyncLoop() {
  stop(absl::CancelledError("the pserver is gone"));
  if (stepThread.joinable())
    stepThread.join();
}

//===----------------------------------------------------------------------===//
// The end of the job
//===----------------------------------------------------------------------===//

void SyncLoop::finish(absl::Status status, Answers &answers) {
  if (ended)
    return;
  ended = true;
  result = std::move(status);
  trainers.cancel(result, answers);
  prefetches.cancel(overStatus(), answers);
  pulls.cancel(overStatus(), answers);
  metrics.cancel(overStatus(), answers);
  saves.cancel(overStatus(), answers);
  wake.notify_all();
  over.notify_all();
}

void SyncLoop::stop(absl::Status reason) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  stopped = true;
  confirmed.notify_all();
  finish(reason.ok() ? absl::CancelledError("the pserver was stopped")
                     : std::move(reason),
         answers);
}

absl::Status SyncLoop::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  over.wait(lock, [&] { return ended && !working; });
  if (result.ok() || options.endpoint.empty())
    return result;
  // What trainers get is named by their clients.
  return annotate(result, absl::StrCat("pserver ", options.endpoint));
}

void SyncLoop::awaitConfirmations() {
  std::unique_lock<std::mutex> lock(mutex);
  // As long as a trainer tries: a call that gets no answer, then others.
  confirmed.wait_for(lock, silenceLimit, [&] {
    return stopped || !ended || !result.ok() || trainers.allHaveConfirmed();
  });
}

int64_t SyncLoop::updatedStep() const {
  std::lock_guard<std::mutex> lock(mutex);
  // A step is done with its last round.
  return (updates.endedStep() + 1) / options.rounds.count - 1;
}

void SyncLoop::dropParked(const Trainer &trainer, const absl::Status &status,
                          Answers &answers) {
  prefetches.drop(trainer.id, status, answers);
  pulls.drop(trainer.id, status, answers);
}

//===----------------------------------------------------------------------===//
// The step thread
//===----------------------------------------------------------------------===//

void SyncLoop::updateIfDue(UpdateUnit &unit) {
  updates.updateIfComplete(unit, trainers.live());
  if (updates.anyDue())
    wake.notify_all();
}

void SyncLoop::endStepIfDue() {
  if (!trainers.allWait())
    return;
  updates.endStep();
  wake.notify_all();
}

void SyncLoop::serveOrFail() {
  try {
    return serve();
  } catch (const std::bad_alloc &) {
    Answers answers;
    std::lock_guard<std::mutex> lock(mutex);
    finish(absl::ResourceExhaustedError("no memory to update or to read rows"),
           answers);
    stopWorking();
  }
}

void SyncLoop::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended) {
    if (updates.anyDue())
      runUpdate(lock);
    // Before the next prefetches: whoever asks for rows all the time must not
    // keep silence from being noticed.
    Answers answers;
    const Clock::time_point next = checkPeers(answers);
    if (ended) {
      lock.unlock();
      return;
    }
    if (saves.isDue())
      runSave(lock);
    else if (prefetches.anyReady())
      readRows(lock);
    else if (!updates.anyDue())
      wake.wait_until(lock, next);
  }
}

void SyncLoop::stopWorking() {
  working = false;
  if (ended)
    over.notify_all();
}

/// Answers the prefetches that have come.
void SyncLoop::readRows(std::unique_lock<std::mutex> &lock) {
  Answers late;
  std::deque<Prefetch> ready = prefetches.takeReady(late);
  const int64_t step = updates.endedStep() + 1;
  working = true;
  lock.unlock();
  late.give();
  Prefetches::read(std::move(ready), *options.executor,
                   step / options.rounds.count);
  lock.lock();
  stopWorking();
}

/// Saves as trainer 0 has asked for.
void SyncLoop::runSave(std::unique_lock<std::mutex> &lock) {
  const SaveRequest request = saves.take();
  working = true;
  lock.unlock();
  absl::StatusOr<SavedPart> part = Saves::run(request, *options.saver);
  Answers answers;
  lock.lock();
  stopWorking();
  saves.finish(std::move(part), answers);
  lock.unlock();
  answers.give();
  lock.lock();
}

/// Updates the units that are due, all that are left if the step is to end.
void SyncLoop::runUpdate(std::unique_lock<std::mutex> &lock) {
  const StepUpdates::Batch batch = updates.take(trainers.live());
  working = true;
  lock.unlock();
  const absl::Status status = updates.run(batch, *options.executor);
  lock.lock();
  stopWorking();

  Answers answers;
  std::vector<std::vector<ServedTable::Push>> settled;
  if (!status.ok()) {
    finish(annotate(status,
                    absl::StrCat("the update of step ",
                                 options.rounds.str(batch.step), " failed")),
           answers);
  } else if (!ended) {
    updates.updated(batch);
    tables.updated(batch.step, batch.endsStep);
    if (batch.endsStep) {
      waitBegan.reset();
      blocks.endStep();
      settled = tables.takePushes();
      trainers.endStep(answers);
    }
    prefetches.release(updates.endedStep());
    pulls.release(updates.endedStep(), answers);
  }
  lock.unlock();
  answers.give();
  settled.clear();
  lock.lock();
}

//===----------------------------------------------------------------------===//
// Who is overdue
//===----------------------------------------------------------------------===//

std::string SyncLoop::nameAllBlocks() const {
  if (tables.empty())
    return blocks.names();
  return blocks.empty() ? tables.names()
                        : absl::StrCat(blocks.names(), " and ", tables.names());
}

std::string SyncLoop::whatIsMissing(const Trainer &trainer) const {
  std::string missing;
  switch (trainer.phase) {
  case Phase::Absent:
    return "it has not connected";
  case Phase::Completed:
    return "it has completed";
  case Phase::Waiting:
    return absl::StrCat("it had pushed every block of step ",
                        trainer.nameStep());
  case Phase::Pulling:
    missing = pulls.whatIsMissing(trainer);
    if (missing.empty())
      return absl::StrCat("it had not sent the fetch barrier of step ",
                          trainer.nameStep(), " for ", nameAllBlocks());
    break;
  case Phase::Pushing:
    if (const MetricMerge *metric = metrics.missingFrom(trainer.id))
      return absl::StrCat("it had not sent ", metric->str());
    missing = blocks.whatIsMissing(trainer.id, trainer.round());
    if (missing.empty())
      missing = tables.whatIsMissing(trainer.id);
    if (missing.empty())
      return absl::StrCat("it had not sent the send barrier of step ",
                          trainer.nameStep(), " for ", nameAllBlocks());
    break;
  }
  return absl::StrCat(missing, " at step ", trainer.nameStep());
}

/// Ends the job if somebody is overdue; else returns when to look again.
SyncLoop::Clock::time_point SyncLoop::checkPeers(Answers &answers) {
  Clock::time_point next = Clock::now() + std::chrono::hours(1);
  noteGap(next);
  checkTrainers(next, answers);
  checkStep(next, answers);
  checkMetrics(next, answers);
  return next;
}

/// Looks often enough to see that this process, or the whole machine, stood
/// still: trainers are not silent because nobody listened. A long update looks
/// the same, and gives trainers that are silent some more time.
void SyncLoop::noteGap(Clock::time_point &next) {
  const Clock::time_point now = Clock::now();
  if (now - lastLook > silenceLimit / 3) {
    stoodStill = now - lastLook;
    watchedSince = now;
  }
  lastLook = now;
  next = std::min(next, now + silenceLimit / 6);
}

/// Who is silent, or has never come. `next` becomes no later than the time to
/// look again, as in the two after this.
void SyncLoop::checkTrainers(Clock::time_point &next, Answers &answers) {
  const Clock::time_point now = Clock::now();
  std::vector<int> absent;
  for (int id : trainers.live()) {
    const Trainer &trainer = trainers[id];
    if (trainer.phase == Phase::Absent) {
      absent.push_back(id);
      continue;
    }
    const Clock::time_point limit =
        std::max(trainer.heard, watchedSince) + silenceLimit;
    next = std::min(next, limit);
    if (now < limit)
      continue;
    std::string why;
    if (watchedSince != born && now - watchedSince < 2 * silenceLimit)
      why = absl::StrCat(
          ", after this pserver had stood still for ",
          absl::FormatDuration(absl::Trunc(absl::FromChrono(stoodStill),
                                           absl::Milliseconds(100))));
    return finish(absl::AbortedError(absl::StrCat(
                      "trainer ", id, " has been silent for ",
                      absl::FormatDuration(absl::FromChrono(silenceLimit)), why,
                      ": ", whatIsMissing(trainer))),
                  answers);
  }
  if (absent.empty())
    return;
  next = std::min(next, born + connectLimit);
  if (now >= born + connectLimit)
    finish(absl::DeadlineExceededError(absl::StrCat(
               absent.size() > 1 ? "trainers " : "trainer ",
               absl::StrJoin(absent, ", "), " did not connect within ",
               absl::FormatDuration(options.connectTimeout))),
           answers);
}

/// Who has others wait at the send barrier.
void SyncLoop::checkStep(Clock::time_point &next, Answers &answers) {
  const std::vector<int> &live = trainers.live();
  auto late = std::find_if(live.begin(), live.end(), [&](int id) {
    const Phase phase = trainers[id].phase;
    return phase == Phase::Pulling || phase == Phase::Pushing;
  });
  if (!waitBegan || late == live.end())
    return;
  const Clock::time_point limit = *waitBegan + stepLimit;
  next = std::min(next, limit);
  if (Clock::now() >= limit)
    finish(absl::DeadlineExceededError(
               absl::StrCat("the step took longer than ",
                            absl::FormatDuration(options.stepTimeout),
                            ": it waits for trainer ", *late, ", ",
                            whatIsMissing(trainers[*late]))),
           answers);
}

/// Who has others wait for its part of a metric.
void SyncLoop::checkMetrics(Clock::time_point &next, Answers &answers) {
  const MetricMerge *metric = metrics.oldest();
  if (!metric)
    return;
  const Clock::time_point limit = metric->since() + stepLimit;
  next = std::min(next, limit);
  if (Clock::now() < limit)
    return;
  const std::vector<int> &live = trainers.live();
  const Trainer &late = trainers[*std::find_if(
      live.begin(), live.end(), [&](int id) { return !metric->has(id); })];
  finish(absl::DeadlineExceededError(absl::StrCat(
             "the merging of ", metric->str(), " took longer than ",
             absl::FormatDuration(options.stepTimeout),
             ": it waits for trainer ", late.id, ", ", whatIsMissing(late))),
         answers);
}
