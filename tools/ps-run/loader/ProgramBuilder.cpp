// SPDX-License-Identifier: Apache-2.0
//===- ProgramBuilder.cpp - from an exec.program to runtime nodes ---------===//
//
//  1. Give every buffer its memory: the store's for variables, the program's
//     own for the arena, feeds and constants.
//  2. Make one node of each node op, in order, after the nodes whose tokens it
//     takes.
//  3. Describe the memory plan (MemoryPlan.cpp).
//
// What is about tables is in TableNodes.cpp, what a device with a queue
// computes in DeviceNodes.cpp.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/ProgramBuilder.h"
#include "absl/strings/str_cat.h"
#include "compiler/exec/Storage.h"
#include "runtime/base/Status.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/TakeLargest.h"
#include "runtime/nodes/Check.h"
#include "runtime/nodes/CollectiveNodes.h"
#include "runtime/nodes/Metric.h"
#include "runtime/nodes/RowNodes.h"
#include "runtime/nodes/TransferNodes.h"
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

static runtime::MemorySpace getSpace(Value buffer) {
  return exec::getMemorySpace(cast<BaseMemRefType>(buffer.getType())) ==
                 exec::MemorySpace::Host
             ? runtime::MemorySpace::Host
             : runtime::MemorySpace::Device;
}

static int64_t byteSize(Value buffer) {
  return exec::getByteSize(cast<ShapedType>(buffer.getType()));
}

/// Writes the elements of `value` as the runtime lays them out.
static void unpack(DenseElementsAttr value, std::byte *target) {
  int64_t count = value.getNumElements();
  if (value.getElementType().isInteger(1)) {
    for (bool element : value.getValues<bool>())
      *target++ = std::byte(element);
    return;
  }
  ArrayRef<char> raw = value.getRawData();
  size_t width = exec::getByteWidth(value.getElementType());
  if (count == 0)
    return; // Neither side has any memory.
  if (!value.isSplat())
    return void(std::memcpy(target, raw.data(), count * width));
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * width, raw.data(), width);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

absl::StatusOr<std::byte *> ProgramBuilder::own(Value buffer) {
  absl::StatusOr<std::byte *> bytes =
      program->ownMemory(byteSize(buffer), getSpace(buffer));
  if (!bytes.ok())
    return runtime::annotate(bytes.status(), formatLocation(buffer.getLoc()));
  return memory[buffer] = *bytes;
}

absl::Status ProgramBuilder::placeVariable(exec::VariableOp variable) {
  if (rowTable)
    return placeInRow(variable);
  std::string name = variable.getVariable().str();
  if (!binding.store)
    return absl::InternalError(
        absl::StrCat("no store holds variable '@", name, "'"));
  // What trainers pull is in both memories.
  const bool isMirror = variable->hasAttr(pulledAttrName) &&
                        getSpace(variable) == runtime::MemorySpace::Host;
  absl::StatusOr<runtime::TensorRef> tensor =
      isMirror ? binding.store->findOnHost(name) : binding.store->find(name);
  if (!tensor.ok())
    return tensor.status();
  runtime::TensorType expected = getTensorType(variable.getType());
  if (tensor->type != expected)
    return absl::InternalError(absl::StrCat("the store holds ",
                                            tensor->type.str(), " for '@", name,
                                            "', expected ", expected.str()));
  if (tensor->space != getSpace(variable))
    return absl::InternalError(absl::StrCat(
        "the store holds '@", name, "' in another memory space than ",
        formatLocation(variable.getLoc()), " expects"));
  memory[variable] = tensor->data;
  return absl::OkStatus();
}

absl::Status ProgramBuilder::placeInRow(exec::VariableOp variable) {
  StringRef name = variable.getVariable();
  if (name == rowTable->name) {
    memory[variable] = row;
    return absl::OkStatus();
  }
  for (auto [slot, offset] : llvm::zip_equal(rowTable->slots, rowLayout.slots))
    if (name == slot.name) {
      memory[variable] = row + offset;
      return absl::OkStatus();
    }
  return absl::InternalError(absl::StrCat("rows of table '@", rowTable->name,
                                          "' have no '@", name.str(), "'"));
}

absl::Status ProgramBuilder::placeConstant(exec::ConstantOp constant) {
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!value)
    return absl::UnimplementedError(
        absl::StrCat(formatLocation(constant.getLoc()),
                     ": only dense constants can be loaded"));
  RETURN_IF_ERROR(own(constant).status());
  const runtime::TensorRef target = getRef(constant);
  if (target.space == runtime::MemorySpace::Host) {
    unpack(value, target.data);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(runtime::Buffer host,
                   program->device().allocate(runtime::MemorySpace::Host,
                                              target.type.bytes()));
  unpack(value, host.data());
  return copyAndWait(program->device(), {target.type, host.data()}, target);
}

/// Counts the workers whose batches are fed. A user may have named a feed as
/// that of another worker is named.
template <typename FeedOp>
absl::StatusOr<std::string> ProgramBuilder::takeName(FeedOp feed) {
  std::string name = nameFeed(feed);
  const bool isOnHost = getSpace(feed) == runtime::MemorySpace::Host;
  if ((isOnHost && program->feeds.contains(name)) ||
      (!isOnHost && program->deviceFeeds.contains(name)) ||
      program->ragged.contains(name))
    return absl::InvalidArgumentError(
        absl::StrCat(formatLocation(feed.getLoc()), ": two feeds are named '",
                     name, "': expected another name"));
  const int worker = static_cast<int>(feed.getWorker().value_or(0));
  program->workers = std::max(program->workers, worker + 1);
  return name;
}

absl::Status ProgramBuilder::placeFeed(exec::FeedOp feed) {
  ASSIGN_OR_RETURN(std::string name, takeName(feed));
  RETURN_IF_ERROR(own(feed).status());
  const runtime::TensorRef ref = getRef(feed);
  (ref.space == runtime::MemorySpace::Host ? program->feeds
                                           : program->deviceFeeds)[name] = ref;
  return absl::OkStatus();
}

absl::Status ProgramBuilder::placeFeed(exec::RaggedFeedOp feed) {
  ASSIGN_OR_RETURN(std::string name, takeName(feed));
  program->ragged[name].dtype = getDType(feed.getType().getElementType());
  return absl::OkStatus();
}

/// The one of the host, and that of the device if the program has one.
absl::Status ProgramBuilder::placeArenas() {
  ASSIGN_OR_RETURN(arenas[exec::MemorySpace::Host],
                   program->ownMemory(op.getArena().value_or(0)));
  if (!op.getDeviceArena())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(
      arenas[exec::MemorySpace::Device],
      runtime::annotate(program->ownMemory(*op.getDeviceArena(),
                                           runtime::MemorySpace::Device),
                        formatLocation(op.getLoc())));
  return absl::OkStatus();
}

absl::Status ProgramBuilder::placeRows(exec::RowsOp rows) {
  RowsType type = rows.getType();
  runtime::RowBatch &batch =
      program->ownRows(getDType(type.getElementType()), type.getWidth());
  batches[rows] = &batch;
  if (std::optional<StringRef> feed = rows.getFeed())
    program->rowFeeds[feed->str()] = &batch;
  return rows.getHbm() ? placeHbmRows(rows) : absl::OkStatus();
}

absl::Status ProgramBuilder::place(Operation *declared) {
  return TypeSwitch<Operation *, absl::Status>(declared)
      .Case([&](exec::VariableOp op) { return placeVariable(op); })
      .Case<exec::FeedOp, exec::RaggedFeedOp>(
          [&](auto op) { return placeFeed(op); })
      .Case([&](exec::RowsOp op) { return placeRows(op); })
      .Case([&](exec::ConstantOp op) { return placeConstant(op); })
      .Case([&](exec::BufferOp op) {
        memory[op] = arenas[exec::getMemorySpace(op.getType())] +
                     op.getOffset().value_or(0);
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
          memory.lookup(buffer), getSpace(buffer)};
}

std::span<std::byte> ProgramBuilder::getRows(Value buffer, int64_t offset,
                                             int64_t rows) {
  int64_t rowBytes = exec::getRowBytes(cast<ShapedType>(buffer.getType()));
  return {memory.lookup(buffer) + offset * rowBytes, size_t(rows * rowBytes)};
}

template <typename Part, typename TransferOp>
std::vector<Part> ProgramBuilder::getParts(TransferOp op, ValueRange buffers) {
  std::vector<Part> parts;
  for (auto [buffer, block, offset, rows] : llvm::zip_equal(
           buffers, op.getBlocks(), op.getRowOffsets(), op.getRows()))
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
ProgramBuilder::makeLaunch(exec::LaunchOp launch) {
  std::string name = "@" + launch.getKernel().str();
  std::optional<int64_t> rows;
  if (launch.getRows())
    rows = *launch.getRows();
  if (getSpace(launch.getOutputs().front()) == runtime::MemorySpace::Device)
    return makeDeviceLaunch(launch);
  ASSIGN_OR_RETURN(runtime::KernelCall call,
                   makeCall(launch.getKernel(), rows, launch.getInputs(),
                            launch.getOutputs()));
  return runtime::makeKernelNode(std::move(name), std::move(call));
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeGemm(exec::GemmOp gemm) {
  if (getSpace(gemm.getC()) == runtime::MemorySpace::Device)
    return makeDeviceProduct(gemm);
  auto floats = [&](Value buffer) {
    return reinterpret_cast<float *>(memory.lookup(buffer));
  };
  runtime::GemmCall call;
  if (binding.precision == runtime::Precision::BF16)
    call.precision = runtime::Precision::BF16; // The host has no tf32.
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

absl::StatusOr<runtime::Client *> ProgramBuilder::findClient(StringRef server) {
  auto client = binding.clients.find(server.str());
  if (client == binding.clients.end())
    return absl::InternalError(absl::StrCat("no connection to ", server.str()));
  return client->second;
}

absl::StatusOr<std::vector<runtime::Client *>>
ProgramBuilder::findClients(ArrayAttr servers) {
  std::vector<runtime::Client *> clients;
  for (auto server : servers.getAsRange<FlatSymbolRefAttr>()) {
    absl::StatusOr<runtime::Client *> client = findClient(server.getValue());
    if (!client.ok())
      return client.status();
    clients.push_back(*client);
  }
  return clients;
}

absl::StatusOr<runtime::Communicator *> ProgramBuilder::findCommunicator() {
  if (!binding.communicator)
    return absl::InternalError("no communicator for the other trainers");
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
    parts.push_back({getRef(gradient).type.dtype, getBytes(gradient),
                     getBytes(mean), getSpace(gradient)});
  return parts;
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeTransfer(Operation *node) {
  using Result = absl::StatusOr<std::unique_ptr<runtime::Node>>;
  return TypeSwitch<Operation *, Result>(node)
      .Case([&](exec::SendOp op) -> Result {
        ASSIGN_OR_RETURN(runtime::Client * client, findClient(op.getServer()));
        return runtime::makeSendNode(
            *client, getParts<runtime::SendPart>(op, op.getBuffers()),
            getExchange(op.getRound()));
      })
      .Case([&](exec::RecvOp op) -> Result {
        ASSIGN_OR_RETURN(runtime::Client * client, findClient(op.getServer()));
        return runtime::makeRecvNode(
            *client, getParts<runtime::RecvPart>(op, op.getBuffers()),
            getExchange(op.getRound()));
      })
      .Case([&](exec::PushPullOp op) -> Result {
        ASSIGN_OR_RETURN(runtime::Client * client, findClient(op.getServer()));
        return runtime::makePushPullNode(
            *client, getParts<runtime::SendPart>(op, op.getGradients()),
            getParts<runtime::RecvPart>(op, op.getVariables()),
            getExchange(/*round=*/0));
      })
      .Case<exec::SendBarrierOp, exec::FetchBarrierOp>([&](auto op) -> Result {
        const bool ofSends = isa<exec::SendBarrierOp>(*op);
        ASSIGN_OR_RETURN(auto clients, findClients(op.getServers()));
        return (ofSends ? runtime::makeSendBarrierNode
                        : runtime::makeFetchBarrierNode)(
            std::move(clients), getExchange(op.getRound()));
      })
      .Case([&](exec::AllReduceOp op) -> Result {
        ASSIGN_OR_RETURN(runtime::Communicator * others, findCommunicator());
        return runtime::makeAllReduceNode(*others, op.getChannel(),
                                          getReduceParts(op));
      })
      .Case([&](exec::BroadcastOp op) -> Result {
        ASSIGN_OR_RETURN(runtime::Communicator * others, findCommunicator());
        auto variable = op.getVariable().getDefiningOp<exec::VariableOp>();
        return runtime::makeBroadcastNode(
            *others, op.getChannel(),
            variable ? variable.getVariable().str() : "value",
            getBytes(op.getVariable()));
      });
}

//===----------------------------------------------------------------------===//
// Any node
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeNode(Operation *node) {
  using Result = absl::StatusOr<std::unique_ptr<runtime::Node>>;
  RETURN_IF_ERROR(checkSpaces(cast<exec::NodeOpInterface>(node)));
  return TypeSwitch<Operation *, Result>(node)
      .Case([&](exec::LaunchOp op) { return makeLaunch(op); })
      .Case([&](exec::GemmOp op) { return makeGemm(op); })
      .Case([&](exec::ConvolutionOp op) { return makeConvolution(op); })
      .Case([&](exec::CopyOp op) -> Result {
        if (isTransfer(op))
          return makeTransfer(op);
        return runtime::makeCopyNode("copy", program->device(),
                                     getRef(op.getSource()),
                                     getRef(op.getTarget()));
      })
      .Case([&](exec::TakeLargestOp op) -> Result {
        auto unsent = op.getUnsent().getDefiningOp<exec::VariableOp>();
        return runtime::makeTakeLargestNode(
            "take largest @" + unsent.getVariable().str(),
            {getRows(op.getGradient(), op.getRowOffset(), op.getRows()),
             getRows(op.getUnsent(), op.getRowOffset(), op.getRows()),
             getRef(op.getLargest())});
      })
      .Case([&](exec::CheckOp op) -> Result { return makeCheck(op); })
      .Case([&](exec::MetricOp op) -> Result { return makeMetric(op); })
      .Case([&](exec::PrefetchOp op) { return makePrefetch(op); })
      .Case<exec::LookupOp, exec::LookupGradientOp, exec::LookupClicksOp>(
          [&](auto op) -> Result { return makeLookup(op); })
      .Case([&](exec::PushRowsOp op) { return makePushRows(op); })
      .Case([&](exec::LookupDotOp op) -> Result { return makeLookupDot(op); })
      .Case([&](exec::UpdateRowsOp op) { return makeUpdateRows(op); })
      .Case([&](exec::LookupUpdateOp op) { return makeLookupUpdate(op); })
      .Case<exec::CollectChangesOp, exec::PullChangesOp, exec::MergeChangesOp>(
          [&](auto op) { return makeExchange(op); })
      .Case<exec::SendOp, exec::RecvOp, exec::PushPullOp, exec::SendBarrierOp,
            exec::FetchBarrierOp, exec::AllReduceOp, exec::BroadcastOp>(
          [&](auto op) { return makeTransfer(op); });
}

void ProgramBuilder::carryLate() {
  for (auto carry : op.getBody().getOps<exec::CarryOp>()) {
    std::vector<runtime::NodeId> before;
    for (Value token : carry.getBefore())
      before.push_back(makers.lookup(token));
    program->carry(makers.lookup(carry.getLate()), std::move(before));
  }
}

absl::StatusOr<std::vector<std::unique_ptr<runtime::Node>>>
ProgramBuilder::makeNodes(ArrayRef<exec::NodeOpInterface> ops) {
  std::vector<std::unique_ptr<runtime::Node>> nodes;
  for (exec::NodeOpInterface op : ops) {
    ASSIGN_OR_RETURN(std::unique_ptr<runtime::Node> node,
                     trace(op, makeNode(op)));
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// Adds a node, or those of a graph as one at the place of the first of them.
absl::Status ProgramBuilder::addNode(ArrayRef<exec::NodeOpInterface> ops) {
  std::vector<runtime::NodeId> after;
  for (exec::NodeOpInterface op : ops)
    for (OpOperand &token : op.getAfterMutable())
      if (!llvm::is_contained(ops, token.get().getDefiningOp()))
        after.push_back(makers.lookup(token.get()));
  ASSIGN_OR_RETURN(auto nodes, makeNodes(ops));
  std::unique_ptr<runtime::Node> node =
      nodes.size() == 1
          ? std::move(nodes.front())
          : runtime::makeGraphNode(program->device(), std::move(nodes));
  if (auto place = places.find(ops.front()); place != places.end())
    node =
        runtime::leavePlace(std::move(node), program->device(), place->second);
  const runtime::NodeId id = program->addNode(std::move(node), after);
  for (exec::NodeOpInterface op : ops)
    makers[op.getDone()] = id;
  return absl::OkStatus();
}

absl::StatusOr<CompiledProgram> ProgramBuilder::build() {
  RETURN_IF_ERROR(placeArenas());
  for (Operation &child : op.getBody().front())
    RETURN_IF_ERROR(place(&child));
  findPlaces();
  for (auto node : op.getBody().getOps<exec::NodeOpInterface>()) {
    ArrayRef<exec::NodeOpInterface> group(node);
    if (exec::GraphOp graph = graphs.lookup(node))
      group = members[graph];
    if (group.front() == node)
      RETURN_IF_ERROR(addNode(group));
  }
  carryLate();
  CompiledProgram result;
  result.memory = describeMemory();
  result.program = std::move(program);
  result.fedLookups = std::move(fedLookups);
  return result;
}

absl::StatusOr<CompiledProgram> ps::buildProgram(exec::ProgramOp program,
                                                 const KernelMap &kernels,
                                                 const Binding &binding) {
  return ProgramBuilder(program, kernels, binding).build();
}
