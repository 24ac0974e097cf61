// SPDX-License-Identifier: Apache-2.0
//===- AsyncClient.cpp - pushes and pulls behind training -----------------===//

#include "runtime/client/AsyncClient.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/client/QueuedPush.h"
#include <deque>
#include <map>
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
/// One answer of the pserver: all blocks that the trainer pulls.
struct Received {
  /// Counts answers from 1.
  uint64_t number = 0;
  std::map<std::string, Buffer, std::less<>> blocks;
};

class AsyncClient final : public Client {
public:
  AsyncClient(std::unique_ptr<Client> client, AsyncClientOptions options)
      : options(options), inner(std::move(client)) {}
  ~AsyncClient() override;

  const std::string &endpoint() const override { return inner->endpoint(); }
  void push(int64_t step, std::span<const SendPart> parts, Done done) override;
  void pull(int64_t step, std::span<const RecvPart> parts, Done done) override;
  void prefetch(int64_t step, const RowRequest &request,
                RowsDone done) override {
    inner->prefetch(step, request, std::move(done));
  }
  void pushRows(int64_t step, const RowGradients &rows, Done done) override;
  void pushPull(int64_t step, std::span<const SendPart> parts,
                std::span<const RecvPart> places, Done done) override {
    inner->pushPull(step, parts, places, std::move(done));
  }
  void pullChanges(int64_t step, const TableRows &table, uint64_t number,
                   ReceiveChanges done) override {
    inner->pullChanges(step, table, number, std::move(done));
  }
  void sendBarrier(int64_t step, Done done) override;
  void fetchBarrier(int64_t step, Done done) override {
    inner->fetchBarrier(step, std::move(done));
  }
  void mergeMetric(const std::string &metric, int64_t epoch,
                   std::span<double> sums, Done done) override {
    afterAll([this, metric, epoch, sums,
              done = std::move(done)](absl::Status status) mutable {
      if (!status.ok())
        return done(std::move(status));
      inner->mergeMetric(metric, epoch, sums, std::move(done));
    });
  }
  void save(const SaveRequest &request, ReceiveSaved done) override {
    inner->save(request, std::move(done));
  }
  void complete(Done done) override;
  void confirmCompletion(Done done) override {
    inner->confirmCompletion(std::move(done));
  }
  void abort(const std::string &reason, Done done) override {
    inner->abort(reason, std::move(done));
  }
  absl::Status health() const override;
  std::optional<PendingCall> findPending() const override {
    return inner->findPending();
  }
  const Welcome &welcome() const override { return inner->welcome(); }

private:
  using Copy =
      absl::AnyInvocable<absl::StatusOr<std::shared_ptr<QueuedPush>>()>;
  /// A push that waits for room; its memory is the caller's until `done`.
  struct Waiting {
    Copy copy;
    Done done;
  };
  struct Queue {
    /// Those under way and those that wait to be sent.
    size_t size = 0;
    bool sending = false;
    std::deque<std::shared_ptr<QueuedPush>> items;
    std::deque<Waiting> waiting;
  };

  /// Whether of a table, and the name of the block or table.
  using QueueKey = std::pair<bool, std::string>;
  void enqueue(const QueueKey &key, Copy copy, Done done);
  void fill(Queue &queue, Waiting push);
  void sendNext(Queue &queue);
  void sent(Queue &queue, int64_t step, size_t pushes,
            const absl::Status &status);
  void afterAll(Done done);
  void checkIdle();
  void fail(const absl::Status &status);
  bool isKnown(std::span<const RecvPart> parts)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void receive();
  absl::StatusOr<std::shared_ptr<Received>> takeSpare()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void received(std::shared_ptr<Received> values, const absl::Status &status);

  const AsyncClientOptions options;

  mutable Mutex mutex;
  absl::Status failure ABSL_GUARDED_BY(mutex);
  bool closing ABSL_GUARDED_BY(mutex) = false;
  /// They stay where they are.
  std::map<QueueKey, Queue> queues ABSL_GUARDED_BY(mutex);
  /// Pushes in all queues, with those that wait for room.
  size_t underWay ABSL_GUARDED_BY(mutex) = 0;
  std::vector<Done> idle ABSL_GUARDED_BY(mutex);

  /// What steps pull: block, type and size.
  std::map<std::string, std::pair<DType, size_t>, std::less<>>
      known ABSL_GUARDED_BY(mutex);
  bool receiving ABSL_GUARDED_BY(mutex) = false;
  /// The last step that was applied, and that of the last pull.
  int64_t appliedStep ABSL_GUARDED_BY(mutex) = startupStep;
  int64_t receivedStep ABSL_GUARDED_BY(mutex) = startupStep;
  /// What came last; and what the step `viewStep` sees.
  std::shared_ptr<const Received> newest ABSL_GUARDED_BY(mutex);
  std::shared_ptr<const Received> view ABSL_GUARDED_BY(mutex);
  int64_t viewStep ABSL_GUARDED_BY(mutex) = startupStep;
  /// The number of the answer that the trainer's copy of a block is of.
  std::map<std::string, uint64_t, std::less<>> taken ABSL_GUARDED_BY(mutex);
  uint64_t answers ABSL_GUARDED_BY(mutex) = 0;
  /// Memory of answers; reused once no other reference is left.
  std::vector<std::shared_ptr<Received>> memory ABSL_GUARDED_BY(mutex);
  /// Last, so destroyed first: its callbacks use the rest.
  const std::unique_ptr<Client> inner;
};
} // namespace

/// What waits here is answered; what the pserver has is answered by the client
/// that is destroyed next.
AsyncClient::~AsyncClient() {
  {
    MutexLock lock(mutex);
    closing = true;
  }
  fail(absl::CancelledError("the client was closed"));
}

absl::Status AsyncClient::health() const {
  {
    MutexLock lock(mutex);
    if (!failure.ok())
      return failure;
  }
  return inner->health();
}

/// Whatever waits gets the first failure.
void AsyncClient::fail(const absl::Status &status) {
  std::vector<Done> failed;
  {
    MutexLock lock(mutex);
    failure.Update(status);
    for (auto &[key, queue] : queues) {
      underWay -= queue.items.size() + queue.waiting.size();
      queue.size -= queue.items.size();
      queue.items.clear();
      for (Waiting &each : queue.waiting)
        failed.push_back(std::move(each.done));
      queue.waiting.clear();
    }
  }
  for (Done &done : failed)
    done(status);
  checkIdle();
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

void AsyncClient::push(int64_t step, std::span<const SendPart> parts,
                       Done done) {
  if (parts.empty())
    return done(absl::OkStatus());
  std::vector<SendPart> kept(parts.begin(), parts.end());
  const QueueKey key(/*table=*/false, kept.front().block);
  enqueue(
      key, [step, kept = std::move(kept)] { return copyPush(step, kept); },
      std::move(done));
}

/// Rows that a pserver has none of need no update of the table.
void AsyncClient::pushRows(int64_t step, const RowGradients &rows, Done done) {
  if (rows.ids.empty())
    return done(absl::OkStatus());
  enqueue(
      {/*table=*/true, rows.table},
      [step, rows] { return copyPush(step, rows); }, std::move(done));
}

/// Done once the push is copied, which a full queue delays.
void AsyncClient::enqueue(const QueueKey &key, Copy copy, Done done) {
  Queue *queue;
  absl::Status failed;
  {
    MutexLock lock(mutex);
    failed = failure;
    queue = &queues[key];
    if (failed.ok()) {
      ++underWay;
      if (queue->size == options.queueLength) {
        queue->waiting.push_back({std::move(copy), std::move(done)});
        return;
      }
      ++queue->size;
    }
  }
  if (!failed.ok())
    return done(failed);
  fill(*queue, {std::move(copy), std::move(done)});
}

/// Copies a push that has room. Without the lock: it may be megabytes.
void AsyncClient::fill(Queue &queue, Waiting push) {
  absl::StatusOr<std::shared_ptr<QueuedPush>> item = push.copy();
  absl::Status failed;
  {
    MutexLock lock(mutex);
    failure.Update(item.status());
    failed = failure;
    if (failed.ok()) {
      queue.items.push_back(*std::move(item));
    } else {
      --queue.size;
      --underWay;
    }
  }
  push.done(failed);
  if (!failed.ok())
    return fail(failed);
  sendNext(queue);
}

void AsyncClient::sendNext(Queue &queue) {
  std::vector<std::shared_ptr<QueuedPush>> items;
  {
    MutexLock lock(mutex);
    if (closing || queue.sending || queue.items.empty())
      return;
    queue.sending = true;
    while (!queue.items.empty() && items.size() < options.maxMerge) {
      items.push_back(std::move(queue.items.front()));
      queue.items.pop_front();
    }
  }
  // Without the lock: it may be megabytes.
  const std::shared_ptr<QueuedPush> sending = items.front();
  size_t pushes = 1;
  if (items.size() > 1)
    pushes += sending->addAll(std::span(items).subspan(1));
  if (pushes < items.size()) {
    MutexLock lock(mutex);
    queue.items.insert(queue.items.begin(), items.begin() + pushes,
                       items.end());
  }
  sending->send(*inner,
                [this, &queue, sending, pushes](const absl::Status &status) {
                  sent(queue, sending->step(), pushes, status);
                });
}

/// The pserver has applied what was sent as one: the next goes, and those that
/// wait for room have it.
void AsyncClient::sent(Queue &queue, int64_t step, size_t pushes,
                       const absl::Status &status) {
  std::vector<Waiting> next;
  {
    MutexLock lock(mutex);
    queue.sending = false;
    queue.size -= pushes;
    underWay -= pushes;
    appliedStep = std::max(appliedStep, step);
    while (status.ok() && !queue.waiting.empty() && next.size() < pushes) {
      next.push_back(std::move(queue.waiting.front()));
      queue.waiting.pop_front();
      ++queue.size;
    }
  }
  if (!status.ok())
    return fail(status);
  receive();
  sendNext(queue);
  for (Waiting &each : next)
    fill(queue, std::move(each));
  checkIdle();
}

//===----------------------------------------------------------------------===//
// Pulls
//===----------------------------------------------------------------------===//

/// The first pull of a block goes to the pserver; from then on it comes in the
/// background.
bool AsyncClient::isKnown(std::span<const RecvPart> parts) {
  bool all = true;
  for (const RecvPart &part : parts)
    all &= !known.insert({part.block, {part.dtype, part.rows.size()}}).second;
  if (!all)
    memory.clear();
  return all;
}

void AsyncClient::pull(int64_t step, std::span<const RecvPart> parts,
                       Done done) {
  std::shared_ptr<const Received> from;
  std::vector<RecvPart> fresh;
  absl::Status failed;
  bool direct = step == startupStep;
  {
    MutexLock lock(mutex);
    failed = failure;
    if (viewStep != step) {
      viewStep = step;
      view = newest;
    }
    from = view;
    direct = direct || !isKnown(parts);
    for (const RecvPart &part : parts)
      if (!direct && from && from->blocks.contains(part.block) &&
          std::exchange(taken[part.block], from->number) != from->number)
        fresh.push_back(part);
  }
  if (!failed.ok())
    return done(failed);
  if (direct)
    return inner->pull(step, parts, std::move(done));
  for (const RecvPart &part : fresh)
    std::copy_n(from->blocks.find(part.block)->second.data(), part.rows.size(),
                part.rows.data());
  done(absl::OkStatus());
}

/// Memory for an answer.
absl::StatusOr<std::shared_ptr<Received>> AsyncClient::takeSpare() {
  for (const std::shared_ptr<Received> &each : memory)
    if (each.use_count() == 1)
      return each;
  auto made = std::make_shared<Received>();
  for (const auto &[block, type] : known) {
    ASSIGN_OR_RETURN(made->blocks[block], Buffer::allocate(type.second));
  }
  memory.push_back(made);
  return made;
}

/// Pulls everything, if something has been applied since the last time.
void AsyncClient::receive() {
  absl::StatusOr<std::shared_ptr<Received>> to(nullptr);
  std::vector<RecvPart> parts;
  int64_t step;
  {
    MutexLock lock(mutex);
    if (closing || receiving || known.empty() || appliedStep <= receivedStep ||
        !failure.ok())
      return;
    receiving = true;
    ++underWay;
    step = receivedStep = appliedStep;
    to = takeSpare();
    if (to.ok())
      for (auto &[block, buffer] : (*to)->blocks) {
        const auto &[dtype, bytes] = known.find(block)->second;
        parts.push_back({block, dtype, {buffer.data(), bytes}});
      }
  }
  if (!to.ok())
    return received(nullptr, to.status());
  inner->pull(step, parts, [this, to = *to](const absl::Status &status) {
    received(to, status);
  });
}

void AsyncClient::received(std::shared_ptr<Received> values,
                           const absl::Status &status) {
  {
    MutexLock lock(mutex);
    receiving = false;
    --underWay;
    if (status.ok()) {
      values->number = ++answers;
      newest = std::move(values);
    }
  }
  if (!status.ok())
    return fail(status);
  receive();
  checkIdle();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void AsyncClient::checkIdle() {
  std::vector<Done> waiting;
  absl::Status status;
  {
    MutexLock lock(mutex);
    if (underWay != 0)
      return;
    waiting = std::exchange(idle, {});
    status = failure;
  }
  for (Done &done : waiting)
    done(status);
}

/// `done` when nothing is under way any more.
void AsyncClient::afterAll(Done done) {
  {
    MutexLock lock(mutex);
    idle.push_back(std::move(done));
  }
  checkIdle();
}

void AsyncClient::sendBarrier(int64_t step, Done done) {
  afterAll([this, step, done = std::move(done)](absl::Status status) mutable {
    if (!status.ok())
      return done(std::move(status));
    inner->sendBarrier(step, std::move(done));
  });
}

void AsyncClient::complete(Done done) {
  afterAll([this, done = std::move(done)](absl::Status status) mutable {
    if (!status.ok())
      return done(std::move(status));
    inner->complete(std::move(done));
  });
}

std::unique_ptr<Client>
ps::runtime::makeAsyncClient(std::unique_ptr<Client> client,
                             AsyncClientOptions options) {
  return std::make_unique<AsyncClient>(std::move(client), options);
}
