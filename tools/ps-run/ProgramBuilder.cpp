//===- ProgramBuilder.cpp - from an exec.program to runtime nodes ---------===//
//
//  1. Give every buffer its memory: the store's for variables, the program's
//     own for the arena, feeds and constants.
//  2. Make one node of each node op, in order, after the nodes whose tokens it
//     takes.
//  3. Describe the memory plan.
//
// The program that updates one row of a table becomes no nodes, but a list of
// kernels bound to an image of a row.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/ProgramBuilder.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/Storage.h"
#include "runtime/executor/CollectiveNodes.h"
#include "runtime/executor/RowNodes.h"
#include "runtime/executor/TransferNodes.h"
#include "runtime/kernels/Check.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Metric.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Types and locations
//===----------------------------------------------------------------------===//

runtime::DType ps::getDType(Type type) {
  using runtime::DType;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return DType::I1;
  case 8:
    return isUnsigned ? DType::UI8 : DType::I8;
  case 16:
    return isUnsigned ? DType::UI16 : DType::I16;
  case 32:
    return isUnsigned ? DType::UI32 : DType::I32;
  default:
    return isUnsigned ? DType::UI64 : DType::I64;
  }
}

runtime::TensorType ps::getTensorType(ShapedType type) {
  runtime::TensorType result;
  result.dtype = getDType(type.getElementType());
  for (int64_t size : type.getShape())
    result.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return result;
}

std::string ps::formatLocation(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return absl::StrCat(file.getFilename().str(), ":", file.getLine(), ":",
                        file.getColumn());
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

namespace {

int64_t byteSize(Value buffer) {
  return exec::getByteSize(cast<ShapedType>(buffer.getType()));
}

/// Writes the elements of `value` as the runtime lays them out.
void unpack(DenseElementsAttr value, std::byte *target) {
  int64_t count = value.getNumElements();
  if (value.getElementType().isInteger(1)) {
    for (bool element : value.getValues<bool>())
      *target++ = std::byte(element);
    return;
  }
  ArrayRef<char> raw = value.getRawData();
  size_t width = exec::getByteWidth(value.getElementType());
  if (!value.isSplat())
    return void(std::memcpy(target, raw.data(), count * width));
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * width, raw.data(), width);
}

/// The update of one row, with the memory that it uses on all rows.
struct LoadedRowUpdate {
  std::unique_ptr<runtime::Program> memory;
  std::optional<runtime::RowUpdate> update;
  /// Where it reads the learning rate; no data if it needs none.
  runtime::TensorRef rate;
};

class ProgramBuilder {
public:
  ProgramBuilder(exec::ProgramOp op, const KernelMap &kernels,
                 const Binding &binding)
      : op(op), kernels(kernels), binding(binding),
        program(std::make_unique<runtime::Program>()) {}

  absl::StatusOr<CompiledProgram> build();
  /// For a program that updates one row of `table`.
  absl::StatusOr<LoadedRowUpdate> buildRowUpdate(const runtime::Table &table);

private:
  absl::Status place(Operation *memory);
  absl::Status placeVariable(exec::VariableOp variable);
  absl::Status placeInRow(exec::VariableOp variable);
  absl::StatusOr<std::byte *> own(Value buffer);
  absl::StatusOr<std::unique_ptr<runtime::Node>> makeNode(Operation *node);
  absl::StatusOr<runtime::KernelCall> makeCall(StringRef kernel,
                                               std::optional<int64_t> rows,
                                               ValueRange inputs,
                                               ValueRange outputs);
  absl::StatusOr<std::unique_ptr<runtime::Node>> makeGemm(exec::GemmOp gemm);
  std::unique_ptr<runtime::Node> makeCheck(exec::CheckOp check);
  std::unique_ptr<runtime::Node> makeMetric(exec::MetricOp metric);
  absl::StatusOr<runtime::Client *> findClient(StringRef endpoint);
  absl::StatusOr<std::vector<runtime::Client *>>
  findClients(ArrayAttr endpoints);
  runtime::TensorRef getRef(Value buffer) const;
  void placeRows(exec::RowsOp rows);
  runtime::ListRef getList(Value list) const;
  absl::StatusOr<runtime::Table *> findTable(StringRef name);
  absl::StatusOr<runtime::RowSource *> findRowSource();
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makePrefetch(exec::PrefetchOp prefetch);
  template <typename LookupOp>
  runtime::LookupCall makeLookupCall(LookupOp op);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makePushRows(exec::PushRowsOp push);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeUpdateRows(exec::UpdateRowsOp update);
  absl::StatusOr<runtime::RowStep> makeRowStep(Operation *node);
  /// The bytes of some rows of `buffer`.
  std::span<std::byte> getRows(Value buffer, int64_t offset, int64_t rows);
  template <typename Part, typename TransferOp>
  std::vector<Part> getParts(TransferOp op);
  absl::StatusOr<runtime::Communicator *> findCommunicator();
  /// All bytes of `buffer`.
  std::span<std::byte> getBytes(Value buffer);
  std::vector<runtime::ReducePart> getReduceParts(exec::AllReduceOp op);
  runtime::Exchange getExchange(int64_t round) const {
    return {binding.rounds, static_cast<int>(round)};
  }
  MemoryPlan describeMemory();

  exec::ProgramOp op;
  const KernelMap &kernels;
  const Binding &binding;
  std::unique_ptr<runtime::Program> program;
  std::byte *arena = nullptr;
  DenseMap<Value, std::byte *> memory;
  DenseMap<Value, runtime::RowBatch *> batches; // of exec.rows
  /// Temporaries besides the arena.
  std::vector<std::span<std::byte>> scratches;
  /// Where a row's update is built: the row that it is bound to.
  const runtime::Table *rowTable = nullptr;
  std::byte *row = nullptr;
  DenseMap<Value, runtime::NodeId> makers; // of tokens
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

absl::StatusOr<std::byte *> ProgramBuilder::own(Value buffer) {
  absl::StatusOr<std::byte *> bytes = program->ownMemory(byteSize(buffer));
  if (bytes.ok())
    memory[buffer] = *bytes;
  return bytes;
}

absl::Status ProgramBuilder::placeVariable(exec::VariableOp variable) {
  if (rowTable)
    return placeInRow(variable);
  std::string name = variable.getVariable().str();
  if (!binding.store)
    return absl::InternalError(
        absl::StrCat("no store holds variable '@", name, "'"));
  absl::StatusOr<runtime::TensorRef> tensor = binding.store->find(name);
  if (!tensor.ok())
    return tensor.status();
  runtime::TensorType expected = getTensorType(variable.getType());
  if (tensor->type != expected)
    return absl::InternalError(absl::StrCat("the store holds ",
                                            tensor->type.str(), " for '@", name,
                                            "', expected ", expected.str()));
  memory[variable] = tensor->data;
  return absl::OkStatus();
}

absl::Status ProgramBuilder::placeInRow(exec::VariableOp variable) {
  const runtime::TableSpec &spec = rowTable->spec();
  StringRef name = variable.getVariable();
  if (name == spec.name) {
    memory[variable] = row;
    return absl::OkStatus();
  }
  for (auto [slot, offset] :
       llvm::zip_equal(spec.slots, rowTable->layout().slots))
    if (name == slot.name) {
      memory[variable] = row + offset;
      return absl::OkStatus();
    }
  return absl::InternalError(absl::StrCat("rows of table '@", spec.name,
                                          "' have no '@", name.str(), "'"));
}

void ProgramBuilder::placeRows(exec::RowsOp rows) {
  RowsType type = rows.getType();
  runtime::RowBatch &batch =
      program->ownRows(getDType(type.getElementType()), type.getWidth());
  batches[rows] = &batch;
  if (std::optional<StringRef> feed = rows.getFeed())
    program->rowFeeds[feed->str()] = &batch;
}

absl::Status ProgramBuilder::place(Operation *declared) {
  return TypeSwitch<Operation *, absl::Status>(declared)
      .Case([&](exec::VariableOp op) { return placeVariable(op); })
      .Case([&](exec::FeedOp op) {
        absl::StatusOr<std::byte *> bytes = own(op);
        if (bytes.ok())
          program->feeds[op.getFeed().str()] = getRef(op);
        return bytes.status();
      })
      .Case([&](exec::RaggedFeedOp op) {
        program->ragged[op.getFeed().str()].dtype =
            getDType(op.getType().getElementType());
        return absl::OkStatus();
      })
      .Case([&](exec::RowsOp op) {
        placeRows(op);
        return absl::OkStatus();
      })
      .Case([&](exec::ConstantOp op) -> absl::Status {
        auto value = dyn_cast<DenseElementsAttr>(op.getValue());
        if (!value)
          return absl::UnimplementedError(
              absl::StrCat(formatLocation(op.getLoc()),
                           ": only dense constants can be loaded"));
        absl::StatusOr<std::byte *> bytes = own(op);
        if (bytes.ok())
          unpack(value, *bytes);
        return bytes.status();
      })
      .Case([&](exec::BufferOp op) {
        memory[op] = arena + op.getOffset().value_or(0);
        return absl::OkStatus();
      })
      .Case([&](exec::ViewOp op) {
        memory[op] = memory.lookup(op.getSource());
        return absl::OkStatus();
      })
      .Case([&](exec::FetchOp op) {
        program->fetches[op.getFetch().str()] = getRef(op.getBuffer());
        return absl::OkStatus();
      })
      .Default([](Operation *) { return absl::OkStatus(); });
}

runtime::TensorRef ProgramBuilder::getRef(Value buffer) const {
  return {getTensorType(cast<ShapedType>(buffer.getType())),
          memory.lookup(buffer)};
}

std::span<std::byte> ProgramBuilder::getRows(Value buffer, int64_t offset,
                                             int64_t rows) {
  int64_t rowBytes = exec::getRowBytes(cast<ShapedType>(buffer.getType()));
  return {memory.lookup(buffer) + offset * rowBytes, size_t(rows * rowBytes)};
}

template <typename Part, typename TransferOp>
std::vector<Part> ProgramBuilder::getParts(TransferOp op) {
  std::vector<Part> parts;
  for (auto [buffer, block, offset, rows] : llvm::zip_equal(
           op.getBuffers(), op.getBlocks(), op.getRowOffsets(), op.getRows()))
    parts.push_back({cast<StringAttr>(block).str(), getRef(buffer).type.dtype,
                     getRows(buffer, offset, rows)});
  return parts;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

absl::StatusOr<runtime::KernelCall>
ProgramBuilder::makeCall(StringRef name, std::optional<int64_t> rows,
                         ValueRange inputs, ValueRange outputs) {
  const LoadedKernel &kernel = kernels.at(name.str());
  runtime::KernelCall call;
  call.function = kernel.code.function;
  call.rows = rows;
  auto add = [&](Value buffer, Type type) {
    call.buffers.push_back(memory.lookup(buffer));
    if (rows && *rows && !cast<ShapedType>(type).hasStaticShape())
      call.bytesPerRow += byteSize(buffer) / *rows;
  };
  for (auto [buffer, type] : llvm::zip_equal(inputs, kernel.type.getInputs()))
    add(buffer, type);
  for (auto [buffer, type] : llvm::zip_equal(outputs, kernel.type.getResults()))
    add(buffer, type);
  for (int64_t bytes : kernel.code.scratchBytes) {
    const size_t size = bytes * rows.value_or(1);
    absl::StatusOr<std::byte *> scratch = program->ownMemory(size);
    if (!scratch.ok())
      return scratch.status();
    scratches.push_back({*scratch, size});
    call.buffers.push_back(*scratch);
  }
  return call;
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeGemm(exec::GemmOp gemm) {
  auto floats = [&](Value buffer) {
    return reinterpret_cast<float *>(memory.lookup(buffer));
  };
  runtime::GemmCall call;
  call.transposeA = gemm.getTransposeA();
  call.transposeB = gemm.getTransposeB();
  call.batch = gemm.getBatch();
  call.m = gemm.getM();
  call.n = gemm.getN();
  call.k = gemm.getK();
  call.a = floats(gemm.getA());
  call.b = floats(gemm.getB());
  call.c = floats(gemm.getC());
  std::string name = absl::StrCat("gemm ", call.m, "x", call.n, "x", call.k);
  if (gemm.getEpilogue()) {
    absl::StatusOr<runtime::KernelCall> epilogue =
        makeCall(*gemm.getEpilogue(), call.batch * call.m,
                 gemm.getEpilogueInputs(), gemm.getEpilogueOutputs());
    if (!epilogue.ok())
      return epilogue.status();
    call.epilogue = *std::move(epilogue);
    absl::StrAppend(&name, " @", gemm.getEpilogue()->str());
  }
  return runtime::makeGemmNode(std::move(name), std::move(call));
}

std::unique_ptr<runtime::Node> ProgramBuilder::makeCheck(exec::CheckOp op) {
  using Comparison = runtime::Check::Comparison;
  runtime::Check check;
  switch (op.getComparison()) {
  case exec::Comparison::Eq:
    check.comparison = Comparison::Eq;
    break;
  case exec::Comparison::AlmostEq:
    check.comparison = Comparison::AlmostEq;
    break;
  case exec::Comparison::Close:
    check.comparison = Comparison::Close;
    break;
  }
  check.tolerance = op.getTolerance().convertToDouble();
  check.minUlps = op.getMinUlps();
  check.maxUlps = op.getMaxUlps();
  check.actual = getRef(op.getActual());
  check.expected = getRef(op.getExpected());
  check.location = formatLocation(op.getLoc());
  std::string name = absl::StrCat("check ", check.location);
  return runtime::makeCheckNode(std::move(name), std::move(check));
}

std::unique_ptr<runtime::Node> ProgramBuilder::makeMetric(exec::MetricOp op) {
  using Kind = runtime::Metric::Kind;
  Kind kind = Kind::Mean;
  if (op.getKind() == MetricKind::Auc)
    kind = Kind::Auc;
  if (op.getKind() == MetricKind::Accuracy)
    kind = Kind::Accuracy;
  auto metric =
      std::make_shared<runtime::Metric>(kind, op.getName().str(), op.getBins());
  program->metrics.push_back(metric);
  runtime::TensorRef prediction = getRef(op.getInputs().front());
  runtime::TensorRef label = getRef(op.getInputs().back());
  return runtime::makeMetricNode(std::move(metric), prediction, label);
}

absl::StatusOr<runtime::Client *>
ProgramBuilder::findClient(StringRef endpoint) {
  auto client = binding.clients.find(endpoint.str());
  if (client == binding.clients.end())
    return absl::InternalError(
        absl::StrCat("no connection to ", endpoint.str()));
  return client->second;
}

absl::StatusOr<std::vector<runtime::Client *>>
ProgramBuilder::findClients(ArrayAttr endpoints) {
  std::vector<runtime::Client *> clients;
  for (auto endpoint : endpoints.getAsRange<StringAttr>()) {
    absl::StatusOr<runtime::Client *> client = findClient(endpoint.getValue());
    if (!client.ok())
      return client.status();
    clients.push_back(*client);
  }
  return clients;
}

absl::StatusOr<runtime::Communicator *> ProgramBuilder::findCommunicator() {
  if (!binding.communicator)
    return absl::InternalError("no line to the other trainers");
  return binding.communicator;
}

std::span<std::byte> ProgramBuilder::getBytes(Value buffer) {
  return {memory.lookup(buffer), static_cast<size_t>(byteSize(buffer))};
}

std::vector<runtime::ReducePart>
ProgramBuilder::getReduceParts(exec::AllReduceOp op) {
  std::vector<runtime::ReducePart> parts;
  for (auto [gradient, mean] :
       llvm::zip_equal(op.getGradients(), op.getMeans()))
    parts.push_back(
        {getRef(gradient).type.dtype, getBytes(gradient), getBytes(mean)});
  return parts;
}

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

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

absl::StatusOr<runtime::RowSource *> ProgramBuilder::findRowSource() {
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
  absl::StatusOr<runtime::RowSource *> source = findRowSource();
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

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makePushRows(exec::PushRowsOp push) {
  absl::StatusOr<runtime::RowSource *> source = findRowSource();
  if (!source.ok())
    return source.status();
  return runtime::makePushRowsNode(*batches.lookup(push.getRows()),
                                   getTableName(push.getRows()), **source,
                                   getExchange(/*round=*/0));
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeUpdateRows(exec::UpdateRowsOp update) {
  absl::StatusOr<runtime::Table *> table =
      findTable(getTableName(update.getRows()));
  if (!table.ok())
    return table.status();
  auto function = op->getParentOfType<ModuleOp>().lookupSymbol<exec::ProgramOp>(
      update.getFunction());
  absl::StatusOr<LoadedRowUpdate> built =
      ProgramBuilder(function, kernels, binding).buildRowUpdate(**table);
  if (!built.ok())
    return built.status();
  auto shared = std::make_shared<LoadedRowUpdate>(*std::move(built));
  runtime::UpdateRowsCall call;
  call.rows = batches.lookup(update.getRows());
  call.table = *table;
  // A pserver ends the steps of the rows that it is fed.
  call.endsStep = !update.getRows().getDefiningOp<exec::RowsOp>().getFeed();
  call.update =
      std::shared_ptr<const runtime::RowUpdate>(shared, &*shared->update);
  if (update.getRate()) {
    call.rate = getRef(update.getRate());
    call.rateInput = shared->rate;
  }
  return runtime::makeUpdateRowsNode(std::move(call));
}

absl::StatusOr<runtime::RowStep> ProgramBuilder::makeRowStep(Operation *node) {
  runtime::RowStep step;
  if (auto copy = dyn_cast<exec::CopyOp>(node)) {
    step.copy = {memory.lookup(copy.getTarget()),
                 memory.lookup(copy.getSource()),
                 static_cast<size_t>(byteSize(copy.getSource()))};
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
ProgramBuilder::buildRowUpdate(const runtime::Table &table) {
  const size_t arenaBytes = op.getArena().value_or(0);
  absl::StatusOr<std::byte *> temporaries = program->ownMemory(arenaBytes);
  absl::StatusOr<std::byte *> image = program->ownMemory(table.layout().bytes);
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
      steps, {.row = {row, table.layout().bytes},
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

//===----------------------------------------------------------------------===//
// Any node
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeNode(Operation *node) {
  using Result = absl::StatusOr<std::unique_ptr<runtime::Node>>;
  return TypeSwitch<Operation *, Result>(node)
      .Case([&](exec::LaunchOp op) -> Result {
        std::optional<int64_t> rows;
        if (op.getRows())
          rows = *op.getRows();
        absl::StatusOr<runtime::KernelCall> call =
            makeCall(op.getKernel(), rows, op.getInputs(), op.getOutputs());
        if (!call.ok())
          return call.status();
        return runtime::makeKernelNode("@" + op.getKernel().str(),
                                       *std::move(call));
      })
      .Case([&](exec::GemmOp op) { return makeGemm(op); })
      .Case([&](exec::CopyOp op) -> Result {
        return runtime::makeCopyNode("copy", memory.lookup(op.getTarget()),
                                     memory.lookup(op.getSource()),
                                     byteSize(op.getSource()));
      })
      .Case([&](exec::CheckOp op) -> Result { return makeCheck(op); })
      .Case([&](exec::MetricOp op) -> Result { return makeMetric(op); })
      .Case([&](exec::SendOp op) -> Result {
        absl::StatusOr<runtime::Client *> client = findClient(op.getEndpoint());
        if (!client.ok())
          return client.status();
        return runtime::makeSendNode(**client, getParts<runtime::SendPart>(op),
                                     getExchange(op.getRound()));
      })
      .Case([&](exec::RecvOp op) -> Result {
        absl::StatusOr<runtime::Client *> client = findClient(op.getEndpoint());
        if (!client.ok())
          return client.status();
        return runtime::makeRecvNode(**client, getParts<runtime::RecvPart>(op),
                                     getExchange(op.getRound()));
      })
      .Case([&](exec::SendBarrierOp op) -> Result {
        auto clients = findClients(op.getEndpoints());
        if (!clients.ok())
          return clients.status();
        return runtime::makeSendBarrierNode(*std::move(clients),
                                            getExchange(op.getRound()));
      })
      .Case([&](exec::FetchBarrierOp op) -> Result {
        auto clients = findClients(op.getEndpoints());
        if (!clients.ok())
          return clients.status();
        return runtime::makeFetchBarrierNode(*std::move(clients),
                                             getExchange(op.getRound()));
      })
      .Case([&](exec::PrefetchOp op) { return makePrefetch(op); })
      .Case([&](exec::LookupOp op) -> Result {
        return runtime::makeLookupNode(makeLookupCall(op));
      })
      .Case([&](exec::LookupGradientOp op) -> Result {
        return runtime::makeLookupGradientNode(makeLookupCall(op));
      })
      .Case([&](exec::LookupClicksOp op) -> Result {
        return runtime::makeLookupClicksNode(makeLookupCall(op));
      })
      .Case([&](exec::PushRowsOp op) { return makePushRows(op); })
      .Case([&](exec::UpdateRowsOp op) { return makeUpdateRows(op); })
      .Case([&](exec::AllReduceOp op) -> Result {
        absl::StatusOr<runtime::Communicator *> others = findCommunicator();
        if (!others.ok())
          return others.status();
        return runtime::makeAllReduceNode(**others, op.getChannel(),
                                          getReduceParts(op));
      })
      .Case([&](exec::BroadcastOp op) -> Result {
        absl::StatusOr<runtime::Communicator *> others = findCommunicator();
        if (!others.ok())
          return others.status();
        auto variable = op.getVariable().getDefiningOp<exec::VariableOp>();
        return runtime::makeBroadcastNode(
            **others, op.getChannel(),
            variable ? variable.getVariable().str() : "value",
            getBytes(op.getVariable()));
      });
}

//===----------------------------------------------------------------------===//
// Memory plan
//===----------------------------------------------------------------------===//

MemoryPlan ProgramBuilder::describeMemory() {
  MemoryPlan plan;
  plan.arenaBytes = op.getArena().value_or(0);
  DenseMap<Operation *, std::pair<int, int>> uses;
  DenseMap<void *, int64_t> variables;
  int number = 0;
  for (auto node : op.getBody().getOps<exec::NodeOpInterface>()) {
    for (const exec::Access &access : node.getAccesses()) {
      Operation *storage = getStorage(access.buffer);
      auto [range, isFirst] = uses.try_emplace(storage, number, number);
      range->second.second = number;
    }
    ++number;
  }
  plan.table = "    offset      bytes  first   last  type\n";
  for (Operation &memory : op.getBody().front()) {
    if (isa<exec::ViewOp, exec::RaggedFeedOp>(memory) ||
        memory.getNumResults() != 1 ||
        !isa<MemRefType>(memory.getResult(0).getType()))
      continue;
    int64_t bytes = byteSize(memory.getResult(0));
    if (isa<exec::VariableOp>(memory))
      plan.variableBytes += bytes;
    if (isa<exec::FeedOp>(memory))
      plan.feedBytes += bytes;
    if (isa<exec::ConstantOp>(memory))
      plan.constantBytes += bytes;
    auto buffer = dyn_cast<exec::BufferOp>(memory);
    if (!buffer)
      continue;
    plan.unsharedBytes += llvm::alignTo(bytes, 64);
    std::pair<int, int> range = uses.lookup(buffer);
    absl::StrAppendFormat(&plan.table, "%10d %10d %6d %6d  %s\n",
                          buffer.getOffset().value_or(0), bytes, range.first,
                          range.second, getTensorType(buffer.getType()).str());
  }
  return plan;
}

absl::StatusOr<CompiledProgram> ProgramBuilder::build() {
  absl::StatusOr<std::byte *> bytes =
      program->ownMemory(op.getArena().value_or(0));
  if (!bytes.ok())
    return bytes.status();
  arena = *bytes;
  for (Operation &child : op.getBody().front()) {
    absl::Status status = place(&child);
    if (!status.ok())
      return status;
    auto node = dyn_cast<exec::NodeOpInterface>(child);
    if (!node)
      continue;
    absl::StatusOr<std::unique_ptr<runtime::Node>> made = makeNode(node);
    if (!made.ok())
      return made.status();
    std::vector<runtime::NodeId> after;
    for (OpOperand &token : node.getAfterMutable())
      after.push_back(makers.lookup(token.get()));
    makers[node.getDone()] = program->addNode(*std::move(made), after);
  }
  CompiledProgram result;
  result.memory = describeMemory();
  result.program = std::move(program);
  return result;
}

} // namespace

absl::StatusOr<CompiledProgram> ps::buildProgram(exec::ProgramOp program,
                                                 const KernelMap &kernels,
                                                 const Binding &binding) {
  return ProgramBuilder(program, kernels, binding).build();
}
