// SPDX-License-Identifier: Apache-2.0
//===- RowNodes.cpp - nodes that work with rows of tables -----------------===//
//
// Rows of a table in a step: the rows of all its distinct ids are read (from a
// table in the process) or prefetched (from pservers) into a RowBatch; lookups
// take their values from it and add their gradients to it; what has come
// together is pushed or updates the table. The pserver runs the same update
// node.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/RowNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"
#include <condition_variable>
#include <cstring>

using namespace ps::runtime;

/// Names the table in an error.
template <typename Result>
static Result inTable(Result result, const std::string &table) {
  return annotate(std::move(result), "table '@", table, "'");
}

namespace {

/// Gradients that are worth a task.
constexpr int64_t kScaledRows = 4096;

/// The ids of a step, which `listOf` finds.
template <typename ListOf>
std::vector<RowLookup> listLookups(const PrefetchCall &call, ListOf listOf) {
  std::vector<RowLookup> lookups;
  for (size_t i = 0; i != call.ids.size(); ++i) {
    const ListRef list = listOf(call.ids[i]);
    lookups.push_back(
        {{reinterpret_cast<const int64_t *>(list.data()),
          static_cast<size_t>(list.size())},
         i < call.paddings.size() ? call.paddings[i] : std::nullopt});
  }
  return lookups;
}

/// What the feed `list` is going to hold.
ListRef comingList(const ListRef &list, const ComingFeeds &coming) {
  if (list.ragged)
    return {{}, &coming.ragged.at(list.feed), list.feed};
  return {coming.feeds.at(list.feed), nullptr, list.feed};
}

} // namespace

std::vector<RowLookup> ps::runtime::listLookups(const PrefetchCall &call) {
  return ::listLookups(call, [](const ListRef &list) { return list; });
}

absl::Status ps::runtime::assignIds(const PrefetchCall &call) {
  return inTable(call.rows->assign(listLookups(call)), call.table);
}

absl::StatusOr<Bags> ps::runtime::getBags(const LookupCall &call, int64_t ids) {
  Bags bags;
  bags.pooling = call.pooling;
  if (call.pooling == Pooling::None)
    return bags;
  bags.offsets = {reinterpret_cast<const int64_t *>(call.offsets.data()),
                  static_cast<size_t>(call.offsets.size())};
  RETURN_IF_ERROR(
      inTable(checkBags(bags.offsets, ids, call.offsets.feed), call.table));
  bags.weights = call.weights.data();
  if (bags.weights && call.weights.size() != ids)
    return absl::InvalidArgumentError(absl::StrCat(
        "table '@", call.table, "': feed '", call.weights.feed, "' holds ",
        call.weights.size(), " weights for ", ids, " ids"));
  return bags;
}

absl::Status ps::runtime::scaleByShows(RowBatch &batch, const Table &table,
                                       StepContext &context) {
  const std::optional<ClickAccessor> &clicks = table.spec().clicks;
  if (!clicks || !clicks->showScale || !batch.hasClicks())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(RowBatch::Clicks counts, batch.clicks());
  ASSIGN_OR_RETURN(TensorRef gradients, batch.gradients());
  auto scale = [&](auto *values, int64_t begin, int64_t end) {
    const int64_t width = batch.width();
    for (int64_t i = begin; i < end; ++i)
      if (const float shows = counts.shows[i]; shows > 0)
        for (int64_t j = 0; j < width; ++j)
          values[i * width + j] /= shows;
  };
  context.parallelRows(batch.size(), kScaledRows,
                       [&](int64_t begin, int64_t end) {
                         if (gradients.type.dtype == DType::F64)
                           scale(gradients.as<double>(), begin, end);
                         else
                           scale(gradients.as<float>(), begin, end);
                       });
  return absl::OkStatus();
}

absl::Status ps::runtime::finishUpdate(absl::Status status, Table &table,
                                       bool endsStep, StepContext &context) {
  // After the update, so that the rows of this step are fresh.
  if (status.ok())
    status = table.endDay(ParallelStep{context});
  if (endsStep)
    table.advance();
  return status;
}

namespace {

int64_t countIds(const LookupCall &call) {
  return static_cast<int64_t>(call.rows->places(call.lookup).size());
}

/// Rows that were asked for before their step. The answer may outlive the node.
struct EarlyRows {
  explicit EarlyRows(const RowBatch &like) : rows(like.dtype(), like.width()) {}

  Mutex mutex;
  std::condition_variable_any taken; // Waits that a stop request ends.
  /// The step of the rows, until they are taken over.
  std::optional<int64_t> step ABSL_GUARDED_BY(mutex);
  std::optional<absl::Status> answer ABSL_GUARDED_BY(mutex);
  /// Set by a node that waits for the answer.
  Done waiting ABSL_GUARDED_BY(mutex);
  /// The transport's between begin() and the answer, then the node's.
  RowBatch rows;
};

/// Two batches of rows in turn: while a step uses *call.rows, begin() may
/// already fill early->rows for the next one, and start() swaps the two. A step
/// that was not begun early is prefetched by start() itself.
class PrefetchNode : public EarlyNode {
public:
  PrefetchNode(PrefetchCall call, RowSource &source, Exchange exchange)
      : EarlyNode(Kind::Prefetch, absl::StrCat("prefetch @", call.table)),
        call(std::move(call)), source(source), exchange(exchange),
        early(std::make_shared<EarlyRows>(*this->call.rows)) {}

  // Called on the feeder's thread; start() and the answer come on others.
  void begin(int64_t step, const ComingFeeds &coming,
             const std::stop_token &stop) override {
    {
      MutexLock lock(early->mutex);
      auto isTaken = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return !early->step; // Called with the lock.
      };
      if (!early->taken.wait(lock, stop, isTaken))
        return;
      early->step = step;
      early->answer.reset();
    }
    const std::vector<RowLookup> lookups = ::listLookups(
        call, [&](const ListRef &list) { return comingList(list, coming); });
    absl::Status status = inTable(early->rows.assign(lookups), call.table);
    if (!status.ok())
      return answerWith(*early, std::move(status));
    source.prefetch(exchange.at(step), requestFor(early->rows),
                    [early = early](absl::Status status) {
                      answerWith(*early, std::move(status));
                    });
  }

  void start(StepContext &context, Done done) override {
    bool isEarly;
    std::optional<absl::Status> answer;
    {
      MutexLock lock(early->mutex);
      isEarly = early->step == context.step();
      if (isEarly && !early->answer) {
        // The answer that arrives later finishes the node.
        early->waiting = [this,
                          done = std::move(done)](absl::Status status) mutable {
          takeOver();
          done(std::move(status));
        };
        return;
      }
      if (isEarly)
        answer = *early->answer;
    }
    if (isEarly) {
      takeOver();
      return done(*std::move(answer));
    }
    if (absl::Status status = assignIds(call); !status.ok())
      return done(std::move(status));
    source.prefetch(exchange.at(context.step()), requestFor(*call.rows),
                    std::move(done));
  }

private:
  RowRequest requestFor(RowBatch &rows) const {
    return {{call.table, rows.dtype(), static_cast<uint64_t>(rows.width()),
             rows.ids()},
            rows.values().data,
            /*places=*/{},
            /*frozen=*/!call.create};
  }

  static void answerWith(EarlyRows &early, absl::Status status) {
    Done waiting;
    {
      MutexLock lock(early.mutex);
      early.answer = status;
      waiting = std::exchange(early.waiting, nullptr);
    }
    if (waiting)
      waiting(std::move(status));
  }

  /// Makes the rows those of the step. What the step before had goes back to
  /// begin(): its gradients are pushed, or this node had not started.
  void takeOver() {
    {
      MutexLock lock(early->mutex);
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

absl::Status lookUp(const LookupCall &call, StepContext &context) {
  ASSIGN_OR_RETURN(Bags bags, getBags(call, countIds(call)));
  lookUpRows(context, call.rows->rows(), call.rows->places(call.lookup), bags,
             call.values.data);
  return absl::OkStatus();
}

absl::Status addGradients(const LookupCall &call, RowGradientAdder &adder,
                          StepContext &context) {
  ASSIGN_OR_RETURN(Bags bags, getBags(call, countIds(call)));
  ASSIGN_OR_RETURN(TensorRef gradients,
                   inTable(call.rows->gradients(), call.table));
  adder.add(context, call.values.data, call.rows->places(call.lookup), bags,
            gradients);
  return absl::OkStatus();
}

/// The vectors of `call`, of rows like those of `rows`; `zeros` is memory for
/// what padding reads as.
RowVectors getVectors(const VectorsRef &call, const RowBatch &rows,
                      std::vector<std::byte> &zeros) {
  if (call.values.data)
    return {call.values.data};
  zeros.resize(rows.rowBytes());
  return {nullptr, call.rows->rows().data, call.rows->places(call.lookup),
          zeros.data()};
}

/// The number of vectors of `call`, which have `width` elements.
int64_t countVectors(const VectorsRef &call, int64_t width) {
  return call.values.data
             ? call.values.type.numElements() / width
             : static_cast<int64_t>(call.rows->places(call.lookup).size());
}

absl::Status dotRowsOf(const LookupDotCall &call, std::vector<std::byte> &zeros,
                       StepContext &context) {
  const std::span<const int32_t> places = call.rows->places(call.lookup);
  const auto ids = static_cast<int64_t>(places.size());
  const int64_t vectors = countVectors(call.vectors, call.rows->width());
  if (vectors == 0 || ids % vectors != 0 || ids != call.dots.type.numElements())
    return absl::InternalError(absl::StrCat(
        "table '@", call.table, "': expected as many ids for each of ", vectors,
        " vectors, ", call.dots.type.numElements(), " in all, found ", ids));
  dotRowsWith(context, call.rows->rows(), places,
              getVectors(call.vectors, *call.rows, zeros), ids / vectors,
              call.dots.as<float>());
  return absl::OkStatus();
}

/// What `sample` adds to the clicks.
float clickAt(const TensorRef &clicks, int64_t sample) {
  switch (clicks.type.dtype) {
  case DType::F64:
    return static_cast<float>(clicks.as<double>()[sample]);
  case DType::I64:
    return static_cast<float>(clicks.as<int64_t>()[sample]);
  case DType::I32:
    return static_cast<float>(clicks.as<int32_t>()[sample]);
  default:
    return clicks.as<float>()[sample];
  }
}

absl::Status addClicks(const LookupCall &call) {
  ASSIGN_OR_RETURN(Bags bags, getBags(call, countIds(call)));
  ASSIGN_OR_RETURN(RowBatch::Clicks counts,
                   inTable(call.rows->clicks(), call.table));
  const std::span<const int32_t> places = call.rows->places(call.lookup);
  const auto ids = static_cast<int64_t>(places.size());
  const int64_t samples = call.values.type.numElements();
  // Without bags every sample has as many ids.
  auto begin = [&](int64_t sample) {
    if (bags.pooling == Pooling::None)
      return ids / samples * sample;
    return sample < samples ? bags.offsets[sample] : ids;
  };
  for (int64_t sample = 0; sample < samples; ++sample) {
    const float click = clickAt(call.values, sample);
    for (int64_t i = begin(sample); i < begin(sample + 1); ++i) {
      if (places[i] == RowBatch::noPlace)
        continue;
      counts.shows[places[i]] += 1;
      counts.clicks[places[i]] += click;
    }
  }
  return absl::OkStatus();
}

/// The node `what` of a lookup.
template <typename Function>
std::unique_ptr<Node> makeNodeOfLookup(Node::Kind kind, const char *what,
                                       const LookupCall &call,
                                       Function function) {
  return makeNode(kind, absl::StrCat(what, " @", call.table, " ", call.lookup),
                  std::move(function));
}

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
      return done(inTable(gradients.status(), table));
    const uint64_t width = static_cast<uint64_t>(gradients->type.shape[1]);
    const uint64_t counts = width - static_cast<uint64_t>(rows.width());
    source.push(exchange.at(context.step()),
                {{table, rows.dtype(), width, rows.ids(), /*wire=*/{}, counts},
                 {gradients->data, gradients->type.bytes()}},
                std::move(done));
  }

private:
  /// Gradients, each followed by its row's shows and clicks.
  absl::StatusOr<TensorRef> joinClicks() {
    ASSIGN_OR_RETURN(TensorRef gradients, rows.gradients());
    ASSIGN_OR_RETURN(RowBatch::Clicks counts, rows.clicks());
    const TensorType type{rows.dtype(), {rows.size(), rows.width() + 2}};
    if (type.bytes() > joined.size()) {
      ASSIGN_OR_RETURN(joined, Buffer::allocate(type.bytes()));
    }
    if (rows.dtype() == DType::F64)
      join<double>(gradients.data, counts);
    else
      join<float>(gradients.data, counts);
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
  UpdateRowsNode(RowUpdateCall call, Table &table, bool endsStep,
                 ExchangedTable *exchanged)
      : Node(Kind::UpdateRows,
             absl::StrCat("update rows @", table.spec().name)),
        call(std::move(call)), table(table), endsStep(endsStep),
        exchanged(exchanged) {}

  void start(StepContext &context, Done done) override {
    done(update(context));
  }

private:
  absl::Status update(StepContext &context) {
    ASSIGN_OR_RETURN(TensorRef gradients,
                     inTable(call.rows->gradients(), table.spec().name));
    RETURN_IF_ERROR(scaleByShows(*call.rows, table, context));
    call.setRate();
    absl::Status status = table.update(call.rows->ids(), gradients.data,
                                       *call.update, ParallelStep{context});
    if (status.ok() && exchanged)
      status = exchanged->noteUpdate(call.rows->ids());
    if (status.ok() && call.rows->hasClicks())
      status = recordClicks(context);
    return finishUpdate(std::move(status), table, endsStep, context);
  }

  absl::Status recordClicks(StepContext &context) {
    absl::StatusOr<RowBatch::Clicks> counts = call.rows->clicks();
    if (!counts.ok())
      return counts.status();
    return table.recordClicks(call.rows->ids(), counts->shows, counts->clicks,
                              ParallelStep{context});
  }

  RowUpdateCall call;
  Table &table;
  const bool endsStep;
  ExchangedTable *const exchanged;
};

class LookupUpdateNode : public Node {
public:
  LookupUpdateNode(LookupCall lookup, VectorsRef vectors, RowUpdateCall call,
                   Table &table, bool endsStep, ExchangedTable *exchanged)
      : Node(Kind::UpdateRows,
             absl::StrCat("lookup update @", lookup.table, " ", lookup.lookup)),
        lookup(std::move(lookup)), vectors(std::move(vectors)),
        call(std::move(call)), table(table), endsStep(endsStep),
        exchanged(exchanged) {}

  void start(StepContext &context, Done done) override {
    done(finishUpdate(update(context), table, endsStep, context));
  }

private:
  absl::Status update(StepContext &context) {
    ASSIGN_OR_RETURN(Bags bags, getBags(lookup, countIds(lookup)));
    RowBatch &rows = *lookup.rows;
    adder.prepare(rows.rows(), rows.places(lookup.lookup), bags, rows.size());
    const RowVectors gradient = getVectors(vectors, rows, zeros);
    call.setRate();
    RETURN_IF_ERROR(table.update(
        rows.ids(),
        [&](int64_t begin, int64_t end, UseGradient use) {
          adder.forEachRow(rows.rows(), gradient, bags, begin, end, use);
        },
        *call.update, ParallelStep{context}));
    return exchanged ? exchanged->noteUpdate(rows.ids()) : absl::OkStatus();
  }

  const LookupCall lookup;
  const VectorsRef vectors;
  RowUpdateCall call;
  Table &table;
  const bool endsStep;
  ExchangedTable *const exchanged;
  RowGradientAdder adder;
  std::vector<std::byte> zeros;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeReadRowsNode(PrefetchCall call,
                                                    Table &table) {
  std::string name = absl::StrCat("read rows @", call.table);
  return makeNode(Node::Kind::ReadRows, std::move(name),
                  [call = std::move(call), &table](StepContext &context) {
                    RETURN_IF_ERROR(assignIds(call));
                    return table.locate(
                        call.rows->ids(), call.create, call.rows->values().data,
                        call.rows->rowAddresses(), ParallelStep{context});
                  });
}

namespace {
/// Announces the rows of the next step while this one runs.
class ReadTieredRowsNode : public EarlyNode {
public:
  ReadTieredRowsNode(PrefetchCall call, Table &table)
      : EarlyNode(Kind::ReadRows, absl::StrCat("read rows @", call.table)),
        call(call), table(table), node(makeReadRowsNode(call, table)) {}

  void begin(int64_t, const ComingFeeds &coming,
             const std::stop_token &) override {
    table.tiers()->readAhead().announce(collectIds(call, coming));
  }
  void start(StepContext &context, Done done) override {
    node->start(context, std::move(done));
  }

private:
  PrefetchCall call;
  Table &table;
  std::unique_ptr<Node> node;
};
} // namespace

std::vector<int64_t> ps::runtime::collectIds(const PrefetchCall &call,
                                             const ComingFeeds &coming) {
  std::vector<int64_t> ids;
  for (const ListRef &list : call.ids) {
    const ListRef from = comingList(list, coming);
    const auto *begin = reinterpret_cast<const int64_t *>(from.data());
    ids.insert(ids.end(), begin, begin + from.size());
  }
  return ids;
}

std::unique_ptr<EarlyNode>
ps::runtime::makeReadTieredRowsNode(PrefetchCall call, Table &table) {
  return std::make_unique<ReadTieredRowsNode>(std::move(call), table);
}

std::unique_ptr<EarlyNode> ps::runtime::makePrefetchNode(PrefetchCall call,
                                                         RowSource &source,
                                                         Exchange exchange) {
  return std::make_unique<PrefetchNode>(std::move(call), source, exchange);
}

std::unique_ptr<Node> ps::runtime::makeLookupNode(const LookupCall &call) {
  return makeNodeOfLookup(
      Node::Kind::Lookup, "lookup", call,
      [call](StepContext &context) { return lookUp(call, context); });
}

std::unique_ptr<Node>
ps::runtime::makeLookupGradientNode(const LookupCall &call) {
  return makeNodeOfLookup(
      Node::Kind::LookupGradient, "lookup gradient", call,
      [call, adder = RowGradientAdder()](StepContext &context) mutable {
        return addGradients(call, adder, context);
      });
}

std::unique_ptr<Node>
ps::runtime::makeLookupDotNode(const LookupDotCall &call) {
  return makeNode(
      Node::Kind::Lookup,
      absl::StrCat("lookup dot @", call.table, " ", call.lookup),
      [call, zeros = std::vector<std::byte>()](StepContext &context) mutable {
        return dotRowsOf(call, zeros, context);
      });
}

std::unique_ptr<Node>
ps::runtime::makeLookupClicksNode(const LookupCall &call) {
  return makeNodeOfLookup(Node::Kind::LookupClicks, "lookup clicks", call,
                          [call](StepContext &) { return addClicks(call); });
}

std::unique_ptr<Node> ps::runtime::makePushRowsNode(RowBatch &rows,
                                                    std::string table,
                                                    RowSource &source,
                                                    Exchange exchange) {
  return std::make_unique<PushRowsNode>(rows, std::move(table), source,
                                        exchange);
}

std::unique_ptr<Node>
ps::runtime::makeUpdateRowsNode(RowUpdateCall call, Table &table, bool endsStep,
                                ExchangedTable *exchanged) {
  return std::make_unique<UpdateRowsNode>(std::move(call), table, endsStep,
                                          exchanged);
}

std::unique_ptr<Node>
ps::runtime::makeLookupUpdateNode(LookupCall lookup, VectorsRef vectors,
                                  RowUpdateCall call, Table &table,
                                  bool endsStep, ExchangedTable *exchanged) {
  return std::make_unique<LookupUpdateNode>(
      std::move(lookup), vectors, std::move(call), table, endsStep, exchanged);
}
