//===- TableNodes.cpp - runtime nodes for the rows of tables --------------===//
//
// The part of the program builder that is about tables. The program that
// updates one row becomes no nodes, but a list of kernels bound to an image of
// a row.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "compiler/Storage.h"
#include "tools/ps-run/ProgramBuilder.h"

using namespace mlir;
using namespace ps;

/// The name under which the caller fills `buffer`, or "".
static std::string getFeedName(Value buffer) {
  if (auto feed = buffer.getDefiningOp<exec::FeedOp>())
    return feed.getFeed().str();
  if (auto feed = buffer.getDefiningOp<exec::RaggedFeedOp>())
    return feed.getFeed().str();
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

absl::StatusOr<runtime::Table *> ProgramBuilder::findTable(StringRef name) {
  auto table = binding.tables.find(name.str());
  if (table == binding.tables.end())
    return absl::InternalError(
        absl::StrCat("no table '@", name.str(), "' in this process"));
  return table->second;
}

absl::StatusOr<runtime::CachedRows *> ProgramBuilder::findRowSource() {
  if (!binding.rowSource)
    return absl::InternalError("no connection to the holders of tables");
  return binding.rowSource;
}

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
  if (!prefetch.getEndpoints()) {
    absl::StatusOr<runtime::Table *> table = findTable(call.table);
    if (!table.ok())
      return table.status();
    return runtime::makeReadRowsNode(std::move(call), **table);
  }
  absl::StatusOr<runtime::CachedRows *> source = findRowSource();
  if (!source.ok())
    return source.status();
  const bool early = call.create && mayBeginEarly(call);
  auto node = runtime::makePrefetchNode(std::move(call), **source,
                                        getExchange(/*round=*/0));
  if (early)
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
  call.values = getRef(op.getValues());
  return call;
}

std::unique_ptr<runtime::Node> ProgramBuilder::makeLookup(exec::LookupOp op) {
  return runtime::makeLookupNode(makeLookupCall(op));
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeLookup(exec::LookupGradientOp op) {
  return runtime::makeLookupGradientNode(makeLookupCall(op));
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeLookup(exec::LookupClicksOp op) {
  return runtime::makeLookupClicksNode(makeLookupCall(op));
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makePushRows(exec::PushRowsOp push) {
  absl::StatusOr<runtime::CachedRows *> source = findRowSource();
  if (!source.ok())
    return source.status();
  return runtime::makePushRowsNode(*batches.lookup(push.getRows()),
                                   getTableName(push.getRows()), **source,
                                   getExchange(/*round=*/0));
}

absl::StatusOr<std::shared_ptr<LoadedRowUpdate>>
ProgramBuilder::loadRowUpdate(exec::UpdateRowsOp update,
                              const runtime::TableSpec &table) {
  auto function = op->getParentOfType<ModuleOp>().lookupSymbol<exec::ProgramOp>(
      update.getFunction());
  absl::StatusOr<LoadedRowUpdate> built =
      ProgramBuilder(function, kernels, binding).buildRowUpdate(table);
  if (!built.ok())
    return built.status();
  return std::make_shared<LoadedRowUpdate>(*std::move(built));
}

/// Makes `call` run `update`, which it keeps.
template <typename UpdateCall>
static void setUpdate(UpdateCall &call,
                      const std::shared_ptr<LoadedRowUpdate> &update) {
  call.update =
      std::shared_ptr<const runtime::RowUpdate>(update, &*update->update);
  if (call.rate.data)
    call.rateInput = update->rate;
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeUpdateRows(exec::UpdateRowsOp update) {
  const std::string name = getTableName(update.getRows());
  runtime::RowBatch *rows = batches.lookup(update.getRows());
  runtime::TensorRef rate;
  if (update.getRate())
    rate = getRef(update.getRate());
  if (const runtime::TableSpec *copied =
          binding.rowSource ? binding.rowSource->findSpec(name) : nullptr) {
    auto loaded = loadRowUpdate(update, *copied);
    if (!loaded.ok())
      return loaded.status();
    runtime::UpdateCopiesCall call{rows, name, {}, rate, {}};
    setUpdate(call, *loaded);
    return binding.rowSource->makeUpdateNode(std::move(call));
  }
  absl::StatusOr<runtime::Table *> table = findTable(name);
  if (!table.ok())
    return table.status();
  auto loaded = loadRowUpdate(update, (*table)->spec());
  if (!loaded.ok())
    return loaded.status();
  runtime::UpdateRowsCall call;
  call.rows = rows;
  call.table = *table;
  // A pserver ends the steps of the rows that it is fed.
  call.endsStep = !update.getRows().getDefiningOp<exec::RowsOp>().getFeed();
  call.rate = rate;
  setUpdate(call, *loaded);
  return runtime::makeUpdateRowsNode(std::move(call));
}

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
  absl::StatusOr<runtime::KernelCall> call = makeCall(
      launch.getKernel(), rows, launch.getInputs(), launch.getOutputs());
  if (!call.ok())
    return call.status();
  step.kernel = *std::move(call);
  return step;
}

absl::StatusOr<LoadedRowUpdate>
ProgramBuilder::buildRowUpdate(const runtime::TableSpec &table) {
  absl::StatusOr<runtime::RowLayout> layout = layoutOf(table);
  if (!layout.ok())
    return layout.status();
  rowLayout = *std::move(layout);
  const size_t arenaBytes = op.getArena().value_or(0);
  absl::StatusOr<std::byte *> temporaries = program->ownMemory(arenaBytes);
  absl::StatusOr<std::byte *> image = program->ownMemory(rowLayout.bytes);
  for (const absl::Status &status : {temporaries.status(), image.status()})
    if (!status.ok())
      return status;
  arena = *temporaries;
  rowTable = &table;
  row = *image;
  scratches.push_back({arena, arenaBytes});
  std::vector<runtime::RowStep> steps;
  for (Operation &child : op.getBody().front()) {
    if (absl::Status status = place(&child); !status.ok())
      return status;
    if (!isa<exec::NodeOpInterface>(child))
      continue;
    absl::StatusOr<runtime::RowStep> step = makeRowStep(&child);
    if (!step.ok())
      return step.status();
    steps.push_back(*std::move(step));
  }
  runtime::TensorRef gradient = program->feeds.at("grad");
  absl::StatusOr<runtime::RowUpdate> update = runtime::RowUpdate::create(
      steps, {.row = {row, rowLayout.bytes},
              .gradient = {gradient.data, gradient.type.bytes()},
              .scratch = std::move(scratches)});
  if (!update.ok())
    return update.status();
  LoadedRowUpdate result;
  result.update = *std::move(update);
  if (auto rate = program->feeds.find("rate"); rate != program->feeds.end())
    result.rate = rate->second;
  result.memory = std::move(program);
  return result;
}
