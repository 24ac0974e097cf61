//===- RowNodes.cpp - nodes that work with rows of tables -----------------===//

#include "runtime/executor/RowNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

using namespace ps::runtime;

namespace {

/// Gradients that are worth a task.
constexpr int64_t kScaledRows = 4096;

/// "table '@emb'", for errors.
std::string describe(const std::string &table) {
  return absl::StrCat("table '@", table, "'");
}

/// Gives `rows` the ids of a step, which `listOf` finds.
template <typename ListOf>
absl::Status assignIds(const PrefetchCall &call, RowBatch &rows,
                       ListOf listOf) {
  std::vector<RowLookup> lookups;
  for (size_t i = 0; i != call.ids.size(); ++i) {
    const ListRef list = listOf(call.ids[i]);
    lookups.push_back(
        {{reinterpret_cast<const int64_t *>(list.data()),
          static_cast<size_t>(list.size())},
         i < call.paddings.size() ? call.paddings[i] : std::nullopt});
  }
  return annotate(rows.assign(lookups), describe(call.table));
}

/// Those of the step that runs.
absl::Status assignIds(const PrefetchCall &call) {
  return assignIds(call, *call.rows, [](const ListRef &list) { return list; });
}

class ReadRowsNode : public Node {
public:
  ReadRowsNode(PrefetchCall call, Table &table)
      : Node(Kind::ReadRows, absl::StrCat("read rows @", call.table)),
        call(std::move(call)), table(table) {}

  void start(StepContext &context, Done done) override {
    absl::Status status = assignIds(call);
    if (status.ok())
      status = table.lookup(call.rows->ids(), call.create,
                            call.rows->values().data, ParallelStep{context});
    done(std::move(status));
  }

private:
  PrefetchCall call;
  Table &table;
};

/// Rows that were asked for before their step. The answer may outlive the node.
struct EarlyRows {
  explicit EarlyRows(const RowBatch &like) : rows(like.dtype(), like.width()) {}

  std::mutex mutex; // Guards what follows.
  std::condition_variable_any taken;
  /// Of the rows, until they are taken over.
  std::optional<int64_t> step;
  std::optional<absl::Status> answer;
  /// Who waits for the answer.
  Done waiting;
  /// Between begin() and the answer, of the transport.
  RowBatch rows;
};

class PrefetchNode : public EarlyNode {
public:
  PrefetchNode(PrefetchCall call, RowSource &source, Exchange exchange)
      : EarlyNode(Kind::Prefetch, absl::StrCat("prefetch @", call.table)),
        call(std::move(call)), source(source), exchange(exchange),
        early(std::make_shared<EarlyRows>(*this->call.rows)) {}

  void begin(int64_t step, const ComingFeeds &coming,
             const std::stop_token &stop) override {
    {
      std::unique_lock<std::mutex> lock(early->mutex);
      if (!early->taken.wait(lock, stop, [&] { return !early->step; }))
        return;
      early->step = step;
      early->answer.reset();
    }
    absl::Status status =
        assignIds(call, early->rows, [&](const ListRef &list) -> ListRef {
          if (list.ragged)
            return {{}, &coming.ragged.at(list.feed), list.feed};
          return {coming.feeds.at(list.feed), nullptr, list.feed};
        });
    if (!status.ok())
      return answerWith(*early, std::move(status));
    source.prefetch(exchange.at(step), call.table, early->rows.ids(),
                    call.create, early->rows.values(),
                    [early = early](absl::Status status) {
                      answerWith(*early, std::move(status));
                    });
  }

  void start(StepContext &context, Done done) override {
    std::unique_lock<std::mutex> lock(early->mutex);
    if (early->step != context.step()) {
      lock.unlock();
      if (absl::Status status = assignIds(call); !status.ok())
        return done(std::move(status));
      return source.prefetch(exchange.at(context.step()), call.table,
                             call.rows->ids(), call.create, call.rows->values(),
                             std::move(done));
    }
    early->waiting = [this,
                      done = std::move(done)](absl::Status status) mutable {
      takeOver();
      done(std::move(status));
    };
    if (early->answer)
      wake(*early, lock);
  }

private:
  static void answerWith(EarlyRows &early, absl::Status status) {
    std::unique_lock<std::mutex> lock(early.mutex);
    early.answer = std::move(status);
    if (early.waiting)
      wake(early, lock);
  }

  /// Gives the answer to who waits for it, without the lock.
  static void wake(EarlyRows &early, std::unique_lock<std::mutex> &lock) {
    Done waiting = std::exchange(early.waiting, nullptr);
    absl::Status answer = *early.answer;
    lock.unlock();
    waiting(std::move(answer));
  }

  /// Makes the rows those of the step. What the step before had goes back to
  /// begin(): its gradients are pushed, or this node had not started.
  void takeOver() {
    {
      std::lock_guard<std::mutex> lock(early->mutex);
      std::swap(*call.rows, early->rows);
      early->step.reset();
    }
    early->taken.notify_all();
  }

  PrefetchCall call;
  RowSource &source;
  Exchange exchange;
  std::shared_ptr<EarlyRows> early;
};

/// The bags of a lookup, or why feeds do not describe bags of its ids.
absl::StatusOr<Bags> getBags(const LookupCall &call) {
  Bags bags;
  bags.pooling = call.pooling;
  if (call.pooling == Pooling::None)
    return bags;
  const int64_t ids =
      static_cast<int64_t>(call.rows->places(call.lookup).size());
  bags.offsets = {reinterpret_cast<const int64_t *>(call.offsets.data()),
                  static_cast<size_t>(call.offsets.size())};
  if (absl::Status status = checkBags(bags.offsets, ids, call.offsets.feed);
      !status.ok())
    return annotate(status, describe(call.table));
  bags.weights = call.weights.data();
  if (bags.weights && call.weights.size() != ids)
    return absl::InvalidArgumentError(absl::StrCat(
        describe(call.table), ": feed '", call.weights.feed, "' holds ",
        call.weights.size(), " weights for ", ids, " ids"));
  return bags;
}

class LookupNode : public Node {
public:
  explicit LookupNode(LookupCall call)
      : Node(Kind::Lookup,
             absl::StrCat("lookup @", call.table, " ", call.lookup)),
        call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<Bags> bags = getBags(call);
    if (!bags.ok())
      return done(bags.status());
    lookUpRows(context, call.rows->values(), call.rows->places(call.lookup),
               *bags, call.values.data);
    done(absl::OkStatus());
  }

private:
  LookupCall call;
};

class LookupGradientNode : public Node {
public:
  explicit LookupGradientNode(LookupCall call)
      : Node(Kind::LookupGradient,
             absl::StrCat("lookup gradient @", call.table, " ", call.lookup)),
        call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<Bags> bags = getBags(call);
    if (!bags.ok())
      return done(bags.status());
    absl::StatusOr<TensorRef> gradients = call.rows->gradients();
    if (!gradients.ok())
      return done(annotate(gradients.status(), describe(call.table)));
    adder.add(context, call.values.data, call.rows->places(call.lookup), *bags,
              *gradients);
    done(absl::OkStatus());
  }

private:
  LookupCall call;
  RowGradientAdder adder;
};

/// What `sample` adds to the clicks.
float clickAt(const TensorRef &clicks, int64_t sample) {
  switch (clicks.type.dtype) {
  case DType::F64:
    return static_cast<float>(clicks.as<double>()[sample]);
  case DType::I64:
    return static_cast<float>(clicks.as<int64_t>()[sample]);
  default:
    return clicks.as<float>()[sample];
  }
}

class LookupClicksNode : public Node {
public:
  explicit LookupClicksNode(LookupCall call)
      : Node(Kind::LookupClicks,
             absl::StrCat("lookup clicks @", call.table, " ", call.lookup)),
        call(std::move(call)) {}

  void start(StepContext &, Done done) override {
    absl::StatusOr<Bags> bags = getBags(call);
    if (!bags.ok())
      return done(bags.status());
    absl::StatusOr<RowBatch::Clicks> counts = call.rows->clicks();
    if (!counts.ok())
      return done(annotate(counts.status(), describe(call.table)));
    const std::span<const int32_t> places = call.rows->places(call.lookup);
    const auto ids = static_cast<int64_t>(places.size());
    const int64_t samples = call.values.type.numElements();
    // Without bags every sample has as many ids.
    auto begin = [&](int64_t sample) {
      if (bags->pooling == Pooling::None)
        return ids / samples * sample;
      return sample < samples ? bags->offsets[sample] : ids;
    };
    for (int64_t sample = 0; sample < samples; ++sample) {
      const float click = clickAt(call.values, sample);
      for (int64_t i = begin(sample); i < begin(sample + 1); ++i) {
        if (places[i] == RowBatch::noPlace)
          continue;
        counts->shows[places[i]] += 1;
        counts->clicks[places[i]] += click;
      }
    }
    done(absl::OkStatus());
  }

private:
  LookupCall call;
};

class PushRowsNode : public Node {
public:
  PushRowsNode(RowBatch &rows, std::string table, RowSource &source,
               Exchange exchange)
      : Node(Kind::PushRows, absl::StrCat("push rows @", table)), rows(rows),
        table(std::move(table)), source(source), exchange(exchange) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<TensorRef> gradients =
        rows.hasClicks() ? joinClicks() : rows.gradients();
    if (!gradients.ok())
      return done(annotate(gradients.status(), describe(table)));
    source.push(exchange.at(context.step()), table, rows.ids(), *gradients,
                std::move(done));
  }

private:
  /// Gradients, each followed by its row's shows and clicks.
  absl::StatusOr<TensorRef> joinClicks() {
    absl::StatusOr<TensorRef> gradients = rows.gradients();
    if (!gradients.ok())
      return gradients.status();
    absl::StatusOr<RowBatch::Clicks> counts = rows.clicks();
    if (!counts.ok())
      return counts.status();
    const TensorType type{rows.dtype(), {rows.size(), rows.width() + 2}};
    if (type.bytes() > joined.size()) {
      absl::StatusOr<Buffer> larger = Buffer::allocate(type.bytes());
      if (!larger.ok())
        return larger.status();
      joined = *std::move(larger);
    }
    if (rows.dtype() == DType::F64)
      join<double>(gradients->data, *counts);
    else
      join<float>(gradients->data, *counts);
    return TensorRef{type, joined.data()};
  }

  template <typename T>
  void join(const std::byte *gradients, const RowBatch::Clicks &counts) {
    std::byte *to = joined.data();
    for (int64_t i = 0; i < rows.size(); ++i) {
      std::memcpy(to, gradients + i * rows.rowBytes(), rows.rowBytes());
      const T known[] = {T(counts.shows[i]), T(counts.clicks[i])};
      std::memcpy(to + rows.rowBytes(), known, sizeof(known));
      to += rows.rowBytes() + sizeof(known);
    }
  }

  RowBatch &rows;
  std::string table;
  RowSource &source;
  Exchange exchange;
  Buffer joined;
};

class UpdateRowsNode : public Node {
public:
  explicit UpdateRowsNode(UpdateRowsCall call)
      : Node(Kind::UpdateRows,
             absl::StrCat("update rows @", call.table->spec().name)),
        call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<TensorRef> gradients = call.rows->gradients();
    if (!gradients.ok())
      return done(
          annotate(gradients.status(), describe(call.table->spec().name)));
    if (absl::Status scaled = scaleByShows(context, *gradients); !scaled.ok())
      return done(std::move(scaled));
    if (call.rate.data)
      std::memcpy(call.rateInput.data, call.rate.data, call.rate.type.bytes());
    Table &table = *call.table;
    absl::Status status = table.update(call.rows->ids(), gradients->data,
                                       *call.update, ParallelStep{context});
    if (status.ok() && call.rows->hasClicks())
      status = recordClicks(context);
    const std::optional<int64_t> &every = table.spec().eviction.every;
    if (status.ok() && every && (table.time() + 1) % *every == 0)
      status = table.shrink(ParallelStep{context});
    if (call.endsStep)
      table.advance();
    done(std::move(status));
  }

private:
  /// Divides each gradient by its row's shows, if the table is such a one.
  absl::Status scaleByShows(StepContext &context, const TensorRef &gradients) {
    const std::optional<ClickAccessor> &clicks = call.table->spec().clicks;
    if (!clicks || !clicks->showScale || !call.rows->hasClicks())
      return absl::OkStatus();
    absl::StatusOr<RowBatch::Clicks> counts = call.rows->clicks();
    if (!counts.ok())
      return counts.status();
    auto scale = [&](auto *values, int64_t begin, int64_t end) {
      const int64_t width = call.rows->width();
      for (int64_t i = begin; i < end; ++i)
        if (const float shows = counts->shows[i]; shows > 0)
          for (int64_t j = 0; j < width; ++j)
            values[i * width + j] /= shows;
    };
    context.parallelRows(call.rows->size(), kScaledRows,
                         [&](int64_t begin, int64_t end) {
                           if (gradients.type.dtype == DType::F64)
                             scale(gradients.as<double>(), begin, end);
                           else
                             scale(gradients.as<float>(), begin, end);
                         });
    return absl::OkStatus();
  }

  absl::Status recordClicks(StepContext &context) {
    absl::StatusOr<RowBatch::Clicks> counts = call.rows->clicks();
    if (counts.ok())
      call.table->recordClicks(call.rows->ids(), counts->shows, counts->clicks,
                               ParallelStep{context});
    return counts.status();
  }

  UpdateRowsCall call;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeReadRowsNode(PrefetchCall call,
                                                    Table &table) {
  return std::make_unique<ReadRowsNode>(std::move(call), table);
}

bool ps::runtime::mayBeginEarly(const PrefetchCall &call) {
  return std::ranges::none_of(
      call.ids, [](const ListRef &list) { return list.feed.empty(); });
}

std::unique_ptr<EarlyNode> ps::runtime::makePrefetchNode(PrefetchCall call,
                                                         RowSource &source,
                                                         Exchange exchange) {
  return std::make_unique<PrefetchNode>(std::move(call), source, exchange);
}

std::unique_ptr<Node> ps::runtime::makeLookupNode(LookupCall call) {
  return std::make_unique<LookupNode>(std::move(call));
}

std::unique_ptr<Node> ps::runtime::makeLookupGradientNode(LookupCall call) {
  return std::make_unique<LookupGradientNode>(std::move(call));
}

std::unique_ptr<Node> ps::runtime::makeLookupClicksNode(LookupCall call) {
  return std::make_unique<LookupClicksNode>(std::move(call));
}

std::unique_ptr<Node> ps::runtime::makePushRowsNode(RowBatch &rows,
                                                    std::string table,
                                                    RowSource &source,
                                                    Exchange exchange) {
  return std::make_unique<PushRowsNode>(rows, std::move(table), source,
                                        exchange);
}

std::unique_ptr<Node> ps::runtime::makeUpdateRowsNode(UpdateRowsCall call) {
  return std::make_unique<UpdateRowsNode>(std::move(call));
}
