//===- FaultyLink.h - a link that loses, repeats and delays ---------------===//

#ifndef PS_TEST_UNIT_FAULTYLINK_H
#define PS_TEST_UNIT_FAULTYLINK_H

#include "runtime/transport/Service.h"
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace ps::runtime {

enum class Op {
  Handshake,
  Heartbeat,
  Push,
  Pull,
  Prefetch,
  PushRows,
  SendBarrier,
  FetchBarrier,
  MergeMetric,
  Save,
  Complete,
  ConfirmCompletion,
  Abort
};

/// What happens to calls. Thread-safe; shared by the test and the link.
class FaultPlan {
public:
  enum class Kind {
    None,
    /// The call does not arrive.
    DropRequest,
    /// The call arrives, its answer does not.
    DropAnswer,
    /// The call arrives twice.
    Duplicate,
    /// The call arrives when the test says release().
    Hold
  };

  /// Strikes the `nth` call of this kind (from 0), counting attempts.
  void strike(Op op, int nth, Kind kind) {
    std::lock_guard<std::mutex> lock(mutex);
    single[{op, nth}] = kind;
  }
  /// Strikes every `period`-th call of this kind.
  void strikeEvery(Op op, int period, Kind kind) {
    std::lock_guard<std::mutex> lock(mutex);
    periodic[op] = {period, kind};
  }
  int count(Op op) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = calls.find(op);
    return found == calls.end() ? 0 : found->second;
  }
  Kind next(Op op) {
    std::lock_guard<std::mutex> lock(mutex);
    const int number = calls[op]++;
    if (auto found = single.find({op, number}); found != single.end())
      return found->second;
    auto found = periodic.find(op);
    if (found != periodic.end() && number % found->second.first == 0)
      return found->second.second;
    return Kind::None;
  }
  void hold(absl::AnyInvocable<void()> call) {
    std::lock_guard<std::mutex> lock(mutex);
    held.push_back(std::move(call));
  }
  /// Lets the calls that are held arrive, in order.
  void release() {
    std::deque<absl::AnyInvocable<void()>> list;
    {
      std::lock_guard<std::mutex> lock(mutex);
      list.swap(held);
    }
    for (absl::AnyInvocable<void()> &call : list)
      call();
  }

private:
  mutable std::mutex mutex; // Guards what follows.
  std::map<std::pair<Op, int>, Kind> single;
  std::map<Op, std::pair<int, Kind>> periodic;
  std::map<Op, int> calls;
  std::deque<absl::AnyInvocable<void()>> held;
};

/// A decorator that treats each call as the plan says.
class FaultyLink final : public Link {
public:
  FaultyLink(std::unique_ptr<Link> link, std::shared_ptr<FaultPlan> plan)
      : link(std::move(link)), plan(std::move(plan)) {}

  void handshake(const Hello &hello, Done done) override {
    apply(Op::Handshake, std::move(done), [this, hello](Done done) {
      link->handshake(hello, std::move(done));
    });
  }
  void heartbeat(Peer peer, Done done) override {
    apply(Op::Heartbeat, std::move(done),
          [this, peer](Done done) { link->heartbeat(peer, std::move(done)); });
  }
  void push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
            Done done) override {
    std::vector<Range> own(ranges.begin(), ranges.end());
    apply(Op::Push, std::move(done), [=, this](Done done) {
      link->push(peer, sequence, own, payload, std::move(done));
    });
  }
  void pull(Peer peer, Ranges ranges, Receive receive) override {
    std::vector<Range> own(ranges.begin(), ranges.end());
    // Kept, because the link's bytes are gone when the answer is due.
    struct Copy {
      std::mutex mutex; // Two deliveries may arrive at once.
      std::vector<std::byte> bytes;
    };
    auto copy = std::make_shared<Copy>();
    apply(
        Op::Pull,
        [copy, receive = std::move(receive)](absl::Status status) mutable {
          if (!status.ok())
            return receive(std::move(status));
          Piece piece(copy->bytes);
          receive(Pieces(&piece, 1));
        },
        [=, this](Done done) {
          link->pull(peer, own,
                     [copy, done = std::move(done)](
                         absl::StatusOr<Pieces> pieces) mutable {
                       if (!pieces.ok())
                         return done(pieces.status());
                       {
                         std::lock_guard<std::mutex> lock(copy->mutex);
                         copy->bytes.clear();
                         for (Piece piece : *pieces)
                           copy->bytes.insert(copy->bytes.end(), piece.begin(),
                                              piece.end());
                       }
                       done(absl::OkStatus());
                     });
        });
  }
  void prefetch(Peer peer, const RowRange &rows, bool frozen, Pieces ids,
                ReceiveRows receive) override {
    // As in pull.
    struct Copy {
      std::mutex mutex;
      std::vector<std::byte> bytes;
      uint64_t tableRows = 0;
    };
    auto copy = std::make_shared<Copy>();
    apply(
        Op::Prefetch,
        [copy, receive = std::move(receive)](absl::Status status) mutable {
          if (!status.ok())
            return receive(std::move(status));
          Piece piece(copy->bytes);
          receive(FetchedRows{Pieces(&piece, 1), nullptr, copy->tableRows});
        },
        [=, this](Done done) {
          link->prefetch(peer, rows, frozen, ids,
                         [copy, done = std::move(done)](
                             absl::StatusOr<FetchedRows> fetched) mutable {
                           if (!fetched.ok())
                             return done(fetched.status());
                           {
                             std::lock_guard<std::mutex> lock(copy->mutex);
                             copy->bytes.clear();
                             for (Piece piece : fetched->values)
                               copy->bytes.insert(copy->bytes.end(),
                                                  piece.begin(), piece.end());
                             copy->tableRows = fetched->tableRows;
                           }
                           done(absl::OkStatus());
                         });
        });
  }
  void pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                Pieces payload, Done done) override {
    std::vector<Piece> own(payload.begin(), payload.end());
    apply(Op::PushRows, std::move(done), [=, this](Done done) {
      link->pushRows(peer, sequence, rows, own, std::move(done));
    });
  }
  void sendBarrier(Peer peer, int64_t step, Done done) override {
    apply(Op::SendBarrier, std::move(done), [=, this](Done done) {
      link->sendBarrier(peer, step, std::move(done));
    });
  }
  void fetchBarrier(Peer peer, int64_t step, Done done) override {
    apply(Op::FetchBarrier, std::move(done), [=, this](Done done) {
      link->fetchBarrier(peer, step, std::move(done));
    });
  }
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, ReceiveTotal receive) override {
    std::vector<Piece> own(sums.begin(), sums.end());
    struct Copy {
      std::mutex mutex; // Two deliveries may arrive at once.
      MetricTotal total;
    };
    auto copy = std::make_shared<Copy>();
    apply(
        Op::MergeMetric,
        [copy, receive = std::move(receive)](absl::Status status) mutable {
          if (status.ok())
            receive(copy->total);
          else
            receive(std::move(status));
        },
        [=, this](Done done) {
          link->mergeMetric(peer, metric, epoch, own,
                            [copy, done = std::move(done)](
                                absl::StatusOr<MetricTotal> total) mutable {
                              if (total.ok()) {
                                std::lock_guard<std::mutex> lock(copy->mutex);
                                copy->total = *total;
                              }
                              done(total.status());
                            });
        });
  }
  void save(Peer peer, const SaveRequest &request,
            ReceiveSaved receive) override {
    struct Copy {
      std::mutex mutex; // Two deliveries may arrive at once.
      SavedPart part;
    };
    auto copy = std::make_shared<Copy>();
    apply(
        Op::Save,
        [copy, receive = std::move(receive)](absl::Status status) mutable {
          if (status.ok())
            receive(copy->part);
          else
            receive(std::move(status));
        },
        [=, this](Done done) {
          link->save(peer, request,
                     [copy, done = std::move(done)](
                         absl::StatusOr<SavedPart> part) mutable {
                       if (part.ok()) {
                         std::lock_guard<std::mutex> lock(copy->mutex);
                         copy->part = *part;
                       }
                       done(part.status());
                     });
        });
  }
  void complete(Peer peer, Done done) override {
    apply(Op::Complete, std::move(done),
          [=, this](Done done) { link->complete(peer, std::move(done)); });
  }
  void confirmCompletion(Peer peer, Done done) override {
    apply(Op::ConfirmCompletion, std::move(done), [=, this](Done done) {
      link->confirmCompletion(peer, std::move(done));
    });
  }
  void abort(Peer peer, const std::string &reason, Done done) override {
    apply(Op::Abort, std::move(done),
          [=, this](Done done) { link->abort(peer, reason, std::move(done)); });
  }
  void disconnect() override {
    link->disconnect();
    plan->release();
  }

private:
  static absl::Status lost() {
    return linkFailure(absl::StatusCode::kUnavailable, "lost by the test");
  }

  template <typename Deliver>
  void apply(Op op, Done done, Deliver deliver) {
    switch (plan->next(op)) {
    case FaultPlan::Kind::None:
      return deliver(std::move(done));
    case FaultPlan::Kind::DropRequest:
      return done(lost());
    case FaultPlan::Kind::DropAnswer:
      return deliver(
          [done = std::move(done)](absl::Status) mutable { done(lost()); });
    case FaultPlan::Kind::Hold:
      return plan->hold([deliver, done = std::move(done)]() mutable {
        deliver(std::move(done));
      });
    case FaultPlan::Kind::Duplicate: {
      // The caller's memory must outlive both.
      struct Both {
        std::atomic<int> left{2};
        Done done;
      };
      auto both = std::make_shared<Both>();
      both->done = std::move(done);
      for (int i = 0; i < 2; ++i)
        deliver([both](absl::Status status) {
          if (--both->left == 0)
            both->done(std::move(status));
        });
      return;
    }
    }
  }

  std::unique_ptr<Link> link;
  std::shared_ptr<FaultPlan> plan;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_FAULTYLINK_H
