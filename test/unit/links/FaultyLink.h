// SPDX-License-Identifier: Apache-2.0
//===- FaultyLink.h - a link that loses, repeats and delays ---------------===//

#ifndef PS_TEST_UNIT_LINKS_FAULTYLINK_H
#define PS_TEST_UNIT_LINKS_FAULTYLINK_H

#include "runtime/protocol/Service.h"
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace ps::runtime {

/// Which call of ps.proto.
using Op = wire::Request::CallCase;

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

  void call(const wire::Request &request, Pieces payload,
            Respond respond) override {
    auto kept = std::make_shared<Kept>();
    std::vector<Piece> pieces(payload.begin(), payload.end());
    apply(
        request.call_case(),
        [kept, respond = std::move(respond)](absl::Status status) mutable {
          if (!status.ok())
            return respond(std::move(status));
          respond(Response{kept->header, {Piece(kept->payload)}});
        },
        [=, this](Done done) {
          link->call(request, pieces,
                     [kept, done = std::move(done)](
                         const absl::StatusOr<Response> &response) mutable {
                       if (response.ok())
                         kept->keep(*response);
                       done(response.status());
                     });
        });
  }
  void disconnect() override {
    link->disconnect();
    plan->release();
  }

private:
  /// An answer, whose own bytes are gone when it is due.
  struct Kept {
    void keep(const Response &response) {
      std::lock_guard<std::mutex> lock(mutex);
      header = response.header;
      payload.clear();
      for (Piece piece : response.payload)
        payload.insert(payload.end(), piece.begin(), piece.end());
    }

    std::mutex mutex; // Two deliveries may arrive at once.
    wire::Reply header;
    std::vector<std::byte> payload;
  };

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

#endif // PS_TEST_UNIT_LINKS_FAULTYLINK_H
