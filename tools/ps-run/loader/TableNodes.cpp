// SPDX-License-Identifier: Apache-2.0
//===- TableNodes.cpp - runtime nodes for the rows of tables --------------===//
//
// The part of the program builder that builds nodes for tables. The program
// that updates one row becomes no nodes, but a list of kernels bound to an
// image of a row.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "compiler/exec/Storage.h"
#include "runtime/base/Status.h"
#include "runtime/nodes/ExchangeNodes.h"
#include "tools/ps-run/loader/ProgramBuilder.h"
#include <algorithm>

using namespace mlir;
using namespace ps;

/// The name under which the caller fills `buffer`, or "".
static std::string getFeedName(Value buffer) {
  if (auto feed = buffer.getDefiningOp<exec::FeedOp>())
    return nameFeed(feed);
  if (auto feed = buffer.getDefiningOp<exec::RaggedFeedOp>())
    return nameFeed(feed);
  return "";
}

/// The name of the feed that `list` is, without the worker, or "".
static StringRef getDeclaredName(Value list) {
  if (auto feed = list.getDefiningOp<exec::FeedOp>())
    return feed.getFeed();
  if (auto feed = list.getDefiningOp<exec::RaggedFeedOp>())
    return feed.getFeed();
  return "";
}

/// The name of the table whose rows `rows` are.
static std::string getTableName(Value rows) {
  return rows.getDefiningOp<exec::RowsOp>().getTable().str();
}

/// `list` is null for a list that is not given.
runtime::ListRef ProgramBuilder::getList(Value list) const {
  if (!list)
    return {};
  std::string feed = getFeedName(list);
  if (list.getDefiningOp<exec::RaggedFeedOp>())
    return {{}, &program->ragged.at(feed), feed};
  return {getRef(list), nullptr, feed};
}

/// Whether the caller knows what `list` is before the step begins.
static bool isFed(const runtime::ListRef &list) { return !list.feed.empty(); }

absl::StatusOr<runtime::Table *> ProgramBuilder::findTable(StringRef name) {
  auto table = binding.tables.find(name.str());
  if (table == binding.tables.end())
    return absl::InternalError(
        absl::StrCat("no table '@", name.str(), "' in this process"));
  return table->second;
}

absl::StatusOr<runtime::RowSource *> ProgramBuilder::findRowSource() {
  if (!binding.rowSource)
    return absl::InternalError("no connection to the holders of tables");
  return binding.rowSource;
}

absl::StatusOr<runtime::ExchangedTable *>
ProgramBuilder::findExchanged(StringRef name) {
  auto table = binding.exchanged.find(name.str());
  if (table == binding.exchanged.end())
    return absl::InternalError(
        absl::StrCat("no table '@", name.str(), "' that is exchanged"));
  return table->second;
}

/// What exchanges rows that this trainer holds.
absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeExchange(Operation *node) {
  if (auto collect = dyn_cast<exec::CollectChangesOp>(node)) {
    ASSIGN_OR_RETURN(runtime::ExchangedTable * table,
                     findExchanged(getTableName(collect.getRows())));
    return runtime::makeCollectChangesNode(*batches.lookup(collect.getRows()),
                                           *table, getRef(collect.getParts()));
  }
  if (auto pull = dyn_cast<exec::PullChangesOp>(node)) {
    ASSIGN_OR_RETURN(runtime::ExchangedTable * table,
                     findExchanged(pull.getTable()));
    return runtime::makePullChangesNode(*table, getExchange(/*round=*/0));
  }
  ASSIGN_OR_RETURN(runtime::ExchangedTable * table,
                   findExchanged(cast<exec::MergeChangesOp>(node).getTable()));
  return runtime::makeMergeChangesNode(*table);
}

void ProgramBuilder::noteFedLookups(exec::PrefetchOp prefetch,
                                    const runtime::PrefetchCall &call) {
  auto table = binding.tables.find(call.table);
  if (!call.create || prefetch.getServers() || table == binding.tables.end())
    return;
  FedLookups noted{.table = table->second, .hbm = nullptr, .lookups = {}};
  if (auto batch = findHbmBatch(prefetch.getRows()))
    noted.hbm = &batch->rows;
  for (auto [i, ids] : llvm::enumerate(prefetch.getIds()))
    if (StringRef feed = getDeclaredName(ids); !feed.empty())
      noted.lookups.push_back({feed.str(), i < call.paddings.size()
                                               ? call.paddings[i]
                                               : std::nullopt});
  if (!noted.lookups.empty())
    fedLookups.push_back(std::move(noted));
}

/// Reads this process's table, or asks the pservers.
absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makePrefetch(exec::PrefetchOp prefetch) {
  runtime::PrefetchCall call;
  call.rows = batches.lookup(prefetch.getRows());
  call.table = getTableName(prefetch.getRows());
  call.create = !prefetch.getFrozen();
  for (Value ids : prefetch.getIds())
    call.ids.push_back(getList(ids));
  if (std::optional<ArrayAttr> paddings = prefetch.getPaddings())
    for (Attribute padding : *paddings) {
      auto id = dyn_cast<IntegerAttr>(padding);
      call.paddings.push_back(id ? std::optional(id.getInt()) : std::nullopt);
    }
  noteFedLookups(prefetch, call);
  if (auto batch = findHbmBatch(prefetch.getRows()))
    return runtime::makeHbmReadRowsNode(std::move(call), std::move(batch));
  if (!prefetch.getServers()) {
    ASSIGN_OR_RETURN(runtime::Table * table, findTable(call.table));
    // Ids that are computed are known when they are needed.
    if (!table->tiers() || !std::ranges::all_of(call.ids, isFed))
      return runtime::makeReadRowsNode(std::move(call), *table);
    auto node = runtime::makeReadTieredRowsNode(std::move(call), *table);
    program->early.push_back(node.get());
    return node;
  }
  ASSIGN_OR_RETURN(runtime::RowSource * source, findRowSource());
  auto node = runtime::makePrefetchNode(std::move(call), *source,
                                        getExchange(/*round=*/0));
  if (prefetch.getEarly() && binding.prefetchesEarly)
    program->early.push_back(node.get());
  return node;
}

static runtime::Pooling getPooling(std::optional<Pool> pool) {
  if (!pool)
    return runtime::Pooling::None;
  switch (*pool) {
  case Pool::Sum:
    return runtime::Pooling::Sum;
  case Pool::Mean:
    return runtime::Pooling::Mean;
  case Pool::SqrtN:
    return runtime::Pooling::SqrtN;
  }
  llvm_unreachable("unknown pooling");
}

template <typename LookupOp>
runtime::LookupCall ProgramBuilder::makeLookupCall(LookupOp op) {
  runtime::LookupCall call;
  call.rows = batches.lookup(op.getRows());
  call.table = getTableName(op.getRows());
  call.lookup = op.getLookup();
  call.pooling = getPooling(op.getPool());
  call.offsets = getList(op.getOffsets());
  call.weights = getList(op.getWeights());
  if constexpr (!std::is_same_v<LookupOp, exec::LookupUpdateOp>)
    call.values = getRef(op.getValues());
  return call;
}

std::unique_ptr<runtime::Node> ProgramBuilder::makeLookup(exec::LookupOp op) {
  if (auto batch = findHbmBatch(op.getRows()))
    return runtime::makeHbmLookupNode(makeLookupCall(op), std::move(batch));
  return runtime::makeLookupNode(makeLookupCall(op));
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeLookup(exec::LookupGradientOp op) {
  if (auto batch = findHbmBatch(op.getRows()))
    return runtime::makeHbmLookupGradientNode(makeLookupCall(op),
                                              std::move(batch));
  return runtime::makeLookupGradientNode(makeLookupCall(op));
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeLookup(exec::LookupClicksOp op) {
  return runtime::makeLookupClicksNode(makeLookupCall(op));
}

template <typename VectorsOp>
runtime::VectorsRef ProgramBuilder::getVectors(VectorsOp op) {
  if (op.getVectors())
    return {getRef(op.getVectors())};
  return {{},
          batches.lookup(op.getVectorRows()),
          static_cast<size_t>(op.getVectorLookup())};
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeLookupDot(exec::LookupDotOp op) {
  return runtime::makeLookupDotNode({batches.lookup(op.getRows()),
                                     getTableName(op.getRows()), op.getLookup(),
                                     getVectors(op), getRef(op.getDots())});
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makePushRows(exec::PushRowsOp push) {
  ASSIGN_OR_RETURN(runtime::RowSource * source, findRowSource());
  return runtime::makePushRowsNode(*batches.lookup(push.getRows()),
                                   getTableName(push.getRows()), *source,
                                   getExchange(/*round=*/0));
}

/// Built once per update; all rows share the kernels.
absl::StatusOr<std::shared_ptr<LoadedRowUpdate>>
ProgramBuilder::loadRowUpdate(StringRef name, const runtime::TableSpec &table) {
  auto function =
      op->getParentOfType<ModuleOp>().lookupSymbol<exec::ProgramOp>(name);
  ASSIGN_OR_RETURN(
      LoadedRowUpdate built,
      ProgramBuilder(function, kernels, binding).buildRowUpdate(table));
  return std::make_shared<LoadedRowUpdate>(std::move(built));
}

/// Makes `call` run `update`, which it keeps.
static void setUpdate(runtime::RowUpdateCall &call,
                      const std::shared_ptr<LoadedRowUpdate> &update) {
  call.update =
      std::shared_ptr<const runtime::RowUpdate>(update, &*update->update);
  if (call.rate.data)
    call.rateInput = update->rate;
}

/// Updates the rows of a table of this process or, in a trainer that caches
/// rows, its copies.
absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeUpdateRows(exec::UpdateRowsOp update) {
  if (findHbmBatch(update.getRows()))
    return makeHbmUpdate(update);
  const std::string name = getTableName(update.getRows());
  runtime::RowUpdateCall call;
  call.rows = batches.lookup(update.getRows());
  if (update.getRate())
    call.rate = getRef(update.getRate());
  if (const runtime::TableSpec *copied =
          binding.copies ? binding.copies->findSpec(name) : nullptr) {
    ASSIGN_OR_RETURN(auto loaded, loadRowUpdate(update.getFunction(), *copied));
    setUpdate(call, loaded);
    return binding.copies->makeUpdateNode(name, std::move(call));
  }
  ASSIGN_OR_RETURN(runtime::Table * table, findTable(name));
  ASSIGN_OR_RETURN(auto loaded,
                   loadRowUpdate(update.getFunction(), table->spec()));
  setUpdate(call, loaded);
  // A pserver ends the steps of the rows that it is fed.
  bool endsStep = !update.getRows().getDefiningOp<exec::RowsOp>().getFeed();
  return runtime::makeUpdateRowsNode(std::move(call), *table, endsStep,
                                     exchangedOrNull(name));
}

/// Null for tables that trainers do not exchange.
runtime::ExchangedTable *
ProgramBuilder::exchangedOrNull(const std::string &name) const {
  auto found = binding.exchanged.find(name);
  return found == binding.exchanged.end() ? nullptr : found->second;
}

/// The compiler makes these for tables of this process only.
absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeLookupUpdate(exec::LookupUpdateOp update) {
  runtime::RowUpdateCall call;
  call.rows = batches.lookup(update.getRows());
  if (update.getRate())
    call.rate = getRef(update.getRate());
  const std::string name = getTableName(update.getRows());
  ASSIGN_OR_RETURN(runtime::Table * table, findTable(name));
  ASSIGN_OR_RETURN(auto loaded,
                   loadRowUpdate(update.getFunction(), table->spec()));
  setUpdate(call, loaded);
  return runtime::makeLookupUpdateNode(
      makeLookupCall(update), getVectors(update), std::move(call), *table,
      /*endsStep=*/true, exchangedOrNull(name));
}

/// Only kernels and copies can be part of the update of a row; the compiler
/// makes nothing else.
absl::StatusOr<runtime::RowStep> ProgramBuilder::makeRowStep(Operation *node) {
  runtime::RowStep step;
  if (auto copy = dyn_cast<exec::CopyOp>(node)) {
    step.copy = {memory.lookup(copy.getTarget()),
                 memory.lookup(copy.getSource()),
                 static_cast<size_t>(exec::getByteSize(
                     cast<ShapedType>(copy.getSource().getType())))};
    return step;
  }
  auto launch = dyn_cast<exec::LaunchOp>(node);
  if (!launch)
    return absl::UnimplementedError(
        absl::StrCat(formatLocation(node->getLoc()), ": '",
                     node->getName().getStringRef().str(),
                     "' cannot be part of the update of a row"));
  std::optional<int64_t> rows;
  if (launch.getRows())
    rows = *launch.getRows();
  ASSIGN_OR_RETURN(step.kernel,
                   makeCall(launch.getKernel(), rows, launch.getInputs(),
                            launch.getOutputs()));
  return step;
}

/// Variables are in an image of a row then; the arena is the first scratch.
absl::Status ProgramBuilder::bindRowImage(const runtime::TableSpec &table) {
  ASSIGN_OR_RETURN(rowLayout, layoutOf(table));
  RETURN_IF_ERROR(placeArenas());
  ASSIGN_OR_RETURN(row, program->ownMemory(rowLayout.bytes));
  rowTable = &table;
  constexpr auto host = exec::MemorySpace::Host;
  scratches.push_back(
      {arenas[host], static_cast<size_t>(op.getArenaBytes(host))});
  return absl::OkStatus();
}

/// Binds the program to an image of one row; RowUpdate then finds the pointers
/// into the image and moves them from row to row.
absl::StatusOr<LoadedRowUpdate>
ProgramBuilder::buildRowUpdate(const runtime::TableSpec &table) {
  RETURN_IF_ERROR(bindRowImage(table));
  std::vector<runtime::RowStep> steps;
  for (Operation &child : op.getBody().front()) {
    RETURN_IF_ERROR(place(&child));
    if (!isa<exec::NodeOpInterface>(child))
      continue;
    ASSIGN_OR_RETURN(runtime::RowStep step, makeRowStep(&child));
    steps.push_back(std::move(step));
  }
  runtime::TensorRef gradient = program->feeds.at("grad");
  LoadedRowUpdate result;
  ASSIGN_OR_RETURN(
      result.update,
      runtime::RowUpdate::create(
          steps, {.row = {row, rowLayout.bytes},
                  .gradient = {gradient.data, gradient.type.bytes()},
                  .scratch = std::move(scratches)}));
  if (auto rate = program->feeds.find("rate"); rate != program->feeds.end())
    result.rate = rate->second;
  result.memory = std::move(program);
  return result;
}
