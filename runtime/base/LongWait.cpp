// SPDX-License-Identifier: Apache-2.0
//===- LongWait.cpp - what the waits of a thread are for ------------------===//

#include "runtime/base/LongWait.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

static thread_local WaitReason *innermost = nullptr;
/// The wait of this thread that is no part of another.
static thread_local ThreadWait *current = nullptr;

/// How soon a wait that has no name yet is looked at again.
static constexpr absl::Duration lookAgain = absl::Seconds(1);

WaitReason::WaitReason(Options given)
    : options(std::move(given)), outer(innermost) {
  innermost = this;
}

WaitReason::WaitReason(std::string purpose)
    : WaitReason(
          {.describe = [purpose = std::move(purpose)] { return purpose; },
           .log = innermost ? innermost->options.log : Log(),
           .clock = innermost ? innermost->options.clock : &Clock::steady()}) {}

WaitReason::~WaitReason() { innermost = outer; }

std::string WaitReason::describe() const {
  std::string text = options.describe();
  if (!outer)
    return text;
  const std::string cause = outer->describe();
  absl::StrAppend(&text, text.empty() || cause.empty() ? "" : ": ", cause);
  return text;
}

ThreadWait::ThreadWait() : reason(innermost), whole(current) {
  if (!reason)
    return;
  const Clock &clock = *reason->options.clock;
  if (!whole) {
    current = this;
    wait.emplace(reason->options.log, clock);
  }
  nextLook = clock.now() + clockDuration(noticeableWait);
}

ThreadWait::~ThreadWait() {
  if (current == this)
    current = nullptr;
}

void ThreadWait::sleep(CondVar &changed, Mutex &mutex, MutexLock &lock) {
  if (!reason)
    return changed.wait(lock);
  const Clock &clock = *reason->options.clock;
  clock.waitUntil(changed, lock, nextLook);
  if (clock.now() < nextLook)
    return;
  // What describes it has locks of its own, and may be about to notify.
  MutexUnlock unlocked(mutex);
  look();
}

void ThreadWait::look() {
  if (!reason)
    return;
  const Clock &clock = *reason->options.clock;
  if (clock.now() < nextLook)
    return;
  nextLook = clock.now() + clockDuration(lookAgain);
  LongWait &log = whole ? *whole->wait : *wait;
  if (!log.isDue())
    return;
  if (std::string text = reason->describe(); !text.empty())
    log.name(std::move(text));
}
