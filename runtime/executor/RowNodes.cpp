//===- RowNodes.cpp - nodes that work with rows of tables -----------------===//

#include "runtime/executor/RowNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <cstring>

using namespace ps::runtime;

namespace {

/// "table '@emb'", for errors.
std::string describe(const std::string &table) {
  return absl::StrCat("table '@", table, "'");
}

/// The executor's threads, as a table takes them.
struct ParallelStep {
  StepContext &context;

  void operator()(int64_t rows, int64_t grain,
                  absl::FunctionRef<void(int64_t, int64_t)> body) const {
    context.parallelRows(rows, grain, body);
  }
};

/// Gives the batch of `call` the ids of the step.
absl::Status assignIds(const PrefetchCall &call) {
  std::vector<RowLookup> lookups;
  for (size_t i = 0; i != call.ids.size(); ++i)
    lookups.push_back(
        {{reinterpret_cast<const int64_t *>(call.ids[i].data()),
          static_cast<size_t>(call.ids[i].size())},
         i < call.paddings.size() ? call.paddings[i] : std::nullopt});
  return annotate(call.rows->assign(lookups), describe(call.table));
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

class PrefetchNode : public Node {
public:
  PrefetchNode(PrefetchCall call, RowSource &source, Exchange exchange)
      : Node(Kind::Prefetch, absl::StrCat("prefetch @", call.table)),
        call(std::move(call)), source(source), exchange(exchange) {}

  void start(StepContext &context, Done done) override {
    if (absl::Status status = assignIds(call); !status.ok())
      return done(std::move(status));
    source.prefetch(exchange.at(context.step()), call.table, call.rows->ids(),
                    call.create, call.rows->values(), std::move(done));
  }

private:
  PrefetchCall call;
  RowSource &source;
  Exchange exchange;
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

class PushRowsNode : public Node {
public:
  PushRowsNode(RowBatch &rows, std::string table, RowSource &source,
               Exchange exchange)
      : Node(Kind::PushRows, absl::StrCat("push rows @", table)), rows(rows),
        table(std::move(table)), source(source), exchange(exchange) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<TensorRef> gradients = rows.gradients();
    if (!gradients.ok())
      return done(annotate(gradients.status(), describe(table)));
    source.push(exchange.at(context.step()), table, rows.ids(), *gradients,
                std::move(done));
  }

private:
  RowBatch &rows;
  std::string table;
  RowSource &source;
  Exchange exchange;
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
    if (call.rate.data)
      std::memcpy(call.rateInput.data, call.rate.data, call.rate.type.bytes());
    Table &table = *call.table;
    absl::Status status = table.update(call.rows->ids(), gradients->data,
                                       *call.update, ParallelStep{context});
    const std::optional<int64_t> &every = table.spec().eviction.every;
    if (status.ok() && every && (table.time() + 1) % *every == 0)
      status = table.shrink(ParallelStep{context});
    if (call.endsStep)
      table.advance();
    done(std::move(status));
  }

private:
  UpdateRowsCall call;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeReadRowsNode(PrefetchCall call,
                                                    Table &table) {
  return std::make_unique<ReadRowsNode>(std::move(call), table);
}

std::unique_ptr<Node> ps::runtime::makePrefetchNode(PrefetchCall call,
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
