// SPDX-License-Identifier: Apache-2.0
//===- StagedGroup.cpp - gradients go by way of the host ------------------===//
//
// An operation waits until its gradients are on the host. What was issued after
// it waits, too, as communicators take operations in order.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/collective/DeviceGroup.h"
#include <deque>
#include <map>

using namespace ps::runtime;

namespace {

class StagedGroup final : public Communicator {
public:
  StagedGroup(std::unique_ptr<Communicator> host, Device &device)
      : host(std::move(host)), device(device) {}
  /// The host's communicator ends what is open; copies back end by themselves.
  ~StagedGroup() override {
    {
      MutexLock lock(mutex);
      while (!queue.empty() || isIssuing)
        changed.wait(lock);
    }
    host.reset();
    device.drain();
    MutexLock lock(mutex);
    while (open != 0)
      changed.wait(lock);
  }

  void allReduce(int64_t step, int64_t channel, std::vector<ReducePart> parts,
                 Done done) override;
  void broadcast(int64_t step, int64_t channel, std::span<std::byte> value,
                 Done done) override {
    issue([this, step, channel, value, done = std::move(done)]() mutable {
      host->broadcast(step, channel, value, std::move(done));
    });
  }
  void sum(int64_t step, int64_t index, std::span<double> values,
           Done done) override {
    issue([this, step, index, values, done = std::move(done)]() mutable {
      host->sum(step, index, values, std::move(done));
    });
  }
  void proposeStop(std::span<double> proposals, Done done) override {
    host->proposeStop(proposals, std::move(done));
  }
  void complete() override { host->complete(); }
  void abort(const std::string &reason) override { host->abort(reason); }
  absl::Status health() const override { return host->health(); }
  std::string describePending() const override {
    return host->describePending();
  }

private:
  using Issue = absl::AnyInvocable<void()>;
  struct Entry {
    bool isReady = false;
    Issue issue;
  };
  /// An operation's gradients on the host, which become its means.
  struct Staged {
    int64_t step = 0, channel = 0;
    std::vector<ReducePart> parts;
    std::vector<Buffer> buffers;
    Done done;
  };

  static TensorRef onDevice(const ReducePart &part, std::byte *data) {
    const size_t width = byteWidth(part.dtype);
    return {{part.dtype, {int64_t(part.mean.size() / width)}},
            data,
            MemorySpace::Device};
  }
  TensorRef staged(const Staged &operation, size_t i) const {
    return {onDevice(operation.parts[i], nullptr).type,
            operation.buffers[i].data()};
  }

  std::shared_ptr<Entry> append(bool isReady, Issue issue);
  void issue(Issue call) {
    append(/*isReady=*/true, std::move(call));
    issueReady();
  }
  void issueReady();
  absl::Status makeBuffers(Staged &operation);
  void reduce(std::shared_ptr<Staged> operation);
  void copyBack(std::shared_ptr<Staged> operation);
  void finish(Staged &operation, absl::Status status);

  std::unique_ptr<Communicator> host;
  Device &device;
  Mutex mutex;
  CondVar changed;
  std::deque<std::shared_ptr<Entry>> queue ABSL_GUARDED_BY(mutex);
  bool isIssuing ABSL_GUARDED_BY(mutex) = false;
  /// Operations that have not called `done`.
  int open ABSL_GUARDED_BY(mutex) = 0;
  /// Those that no operation uses, by size.
  std::multimap<size_t, Buffer> unused ABSL_GUARDED_BY(mutex);
};

} // namespace

std::shared_ptr<StagedGroup::Entry> StagedGroup::append(bool isReady,
                                                        Issue issue) {
  auto entry = std::make_shared<Entry>();
  entry->isReady = isReady;
  entry->issue = std::move(issue);
  MutexLock lock(mutex);
  queue.push_back(entry);
  return entry;
}

/// One thread at a time, so that the order is kept; not under the lock, as an
/// operation may end at once.
void StagedGroup::issueReady() {
  MutexLock lock(mutex);
  if (isIssuing)
    return;
  isIssuing = true;
  while (!queue.empty() && queue.front()->isReady) {
    std::shared_ptr<Entry> next = std::move(queue.front());
    queue.pop_front();
    MutexUnlock unlock(mutex);
    next->issue();
  }
  isIssuing = false;
  changed.notifyAll();
}

absl::Status StagedGroup::makeBuffers(Staged &operation) {
  for (const ReducePart &part : operation.parts) {
    {
      MutexLock lock(mutex);
      if (auto found = unused.find(part.mean.size()); found != unused.end()) {
        operation.buffers.push_back(std::move(found->second));
        unused.erase(found);
        continue;
      }
    }
    ASSIGN_OR_RETURN(Buffer buffer,
                     device.allocate(MemorySpace::Host, part.mean.size()));
    operation.buffers.push_back(std::move(buffer));
  }
  return absl::OkStatus();
}

void StagedGroup::allReduce(int64_t step, int64_t channel,
                            std::vector<ReducePart> parts, Done done) {
  if (parts.empty() || parts.front().space == MemorySpace::Host)
    return issue([this, step, channel, parts = std::move(parts),
                  done = std::move(done)]() mutable {
      host->allReduce(step, channel, std::move(parts), std::move(done));
    });
  auto operation = std::make_shared<Staged>();
  *operation = {step, channel, std::move(parts), {}, std::move(done)};
  {
    MutexLock lock(mutex);
    ++open;
  }
  if (absl::Status status = makeBuffers(*operation); !status.ok())
    return finish(*operation, std::move(status));
  auto copied = std::make_shared<absl::Status>();
  std::shared_ptr<Entry> entry =
      append(/*isReady=*/false, [this, operation, copied] {
        if (copied->ok())
          reduce(operation);
        else
          finish(*operation, *copied);
      });
  auto join = Join::create(operation->parts.size(),
                           [this, entry, copied](absl::Status status) {
                             *copied = std::move(status);
                             {
                               MutexLock lock(mutex);
                               entry->isReady = true;
                             }
                             issueReady();
                           });
  for (size_t i = 0; i != operation->parts.size(); ++i) {
    const ReducePart &part = operation->parts[i];
    transferBeside(
        device, onDevice(part, const_cast<std::byte *>(part.gradient.data())),
        staged(*operation, i), join->part());
  }
}

void StagedGroup::reduce(std::shared_ptr<Staged> operation) {
  std::vector<ReducePart> parts;
  for (size_t i = 0; i != operation->parts.size(); ++i) {
    const ReducePart &part = operation->parts[i];
    std::span<std::byte> bytes(operation->buffers[i].data(), part.mean.size());
    parts.push_back({part.dtype, bytes, bytes});
  }
  host->allReduce(operation->step, operation->channel, std::move(parts),
                  [this, operation](absl::Status status) {
                    if (status.ok())
                      copyBack(operation);
                    else
                      finish(*operation, std::move(status));
                  });
}

void StagedGroup::copyBack(std::shared_ptr<Staged> operation) {
  auto join = Join::create(operation->parts.size(),
                           [this, operation](absl::Status status) {
                             finish(*operation, std::move(status));
                           });
  for (size_t i = 0; i != operation->parts.size(); ++i)
    transferBeside(
        device, staged(*operation, i),
        onDevice(operation->parts[i], operation->parts[i].mean.data()),
        join->part());
}

void StagedGroup::finish(Staged &operation, absl::Status status) {
  Done done = std::move(operation.done);
  {
    MutexLock lock(mutex);
    for (Buffer &buffer : operation.buffers) {
      const size_t bytes = buffer.size();
      unused.emplace(bytes, std::move(buffer));
    }
    operation.buffers.clear();
  }
  done(std::move(status));
  MutexLock lock(mutex);
  --open;
  changed.notifyAll();
}

std::unique_ptr<Communicator>
ps::runtime::makeStagedGroup(std::unique_ptr<Communicator> host,
                             Device &device) {
  return std::make_unique<StagedGroup>(std::move(host), device);
}
