// SPDX-License-Identifier: Apache-2.0
//===- Report.cpp - what a transpiled job costs ---------------------------===//
//
// 1. addServer: blocks and memory of each pserver.
// 2. addTrainer: its memory.
// 3. addTransfers: bytes and messages of each function that runs in a step.
// 4. addVariables: where each went, and why. addTables: what a row takes.
// 5. addChain: the longest path through a step, from op to op and through the
//    block of a pserver that answers a send.
//
//===----------------------------------------------------------------------===//

#include "compiler/report/Report.h"
#include "compiler/distribute/PartitionPlan.h"
#include "dialects/stablehlo/TensorSize.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ps;

std::string Report::Block::formatRows() const {
  int64_t first = slice.getRowOffset();
  return llvm::formatv("[{0}, {1})", first, first + slice.getRows());
}

int64_t Report::getServedBytes() const {
  int64_t bytes = 0;
  for (const Program &server : servers)
    bytes += server.getHeldBytes();
  return bytes;
}

double Report::getShare(const Program &server) const {
  int64_t all = getServedBytes();
  return all == 0 ? 0 : static_cast<double>(server.getHeldBytes()) / all;
}

double Report::getImbalance() const {
  double most = 0;
  for (const Program &server : servers)
    most = std::max(most, getShare(server));
  return most * servers.size();
}

int64_t Report::getChainLength() const {
  int64_t length = 0;
  for (const Link &link : chain)
    length += link.count;
  return length;
}

std::string ps::formatBytes(double bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  std::string text;
  llvm::raw_string_ostream os(text);
  bool whole = bytes == static_cast<int64_t>(bytes) || bytes >= 100;
  os << llvm::format(whole ? "%.0f" : "%.1f", bytes) << " " << units[unit];
  return os.str();
}

namespace {

int64_t countBytes(Type type) {
  return *stablehlo::countBytes(cast<RankedTensorType>(type)); // was verified
}

/// Bytes of `rows` rows of `type`.
int64_t countRowBytes(Type type, int64_t rows) {
  auto ranked = cast<RankedTensorType>(type);
  return countBytes(ranked) / getRowCount(ranked) * rows;
}

int64_t countBytes(ArrayRef<OptimizerSlot> slots) {
  int64_t bytes = 0;
  for (const OptimizerSlot &slot : slots)
    bytes += countBytes(slot.type);
  return bytes;
}

int64_t countSlotBytes(ApplyOp apply) {
  auto type = cast<RankedTensorType>(apply.getGradient().getType());
  return countBytes(apply.getOptimizer().getSlots(getUpdateType(type)));
}

/// How many ops a path has that ends with an op, and the op before it.
struct Depth {
  int64_t length = 0;
  Operation *previous = nullptr;
  /// The pserver's block between the two ops.
  OptimizeBlockOp through;
};

class ReportBuilder {
public:
  explicit ReportBuilder(ModuleOp module) : module(module) {}

  FailureOr<Report> build();

private:
  void addServer(ProgramOp server);
  void addTrainer();
  SmallVector<func::FuncOp> getStepFunctions();
  void addTransfers(func::FuncOp function);
  void addVariables();
  void addTables();
  void addChain();
  Depth findDepth(Operation *op, const llvm::StringMap<Operation *> &writers);
  Operation *findLongestPath(func::FuncOp function);
  void addLink(ProgramOp program, Operation *op, int64_t count);

  ModuleOp module;
  ProgramOp trainer;
  Report report;
  llvm::StringMap<size_t> serverOfName;
  /// The block that takes a gradient, by pserver and name.
  llvm::DenseMap<std::pair<StringAttr, StringAttr>, OptimizeBlockOp> blockOf;
  llvm::DenseMap<Operation *, Depth> depths;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1, 2: programs
//===----------------------------------------------------------------------===//

void ReportBuilder::addServer(ProgramOp server) {
  Report::Program program;
  program.name = server.getSymName();
  // Optimizer state is in the update (ps.apply) before it is expanded, and in
  // variables that name their owner afterwards.
  program.endpoint = server.getEndpoint().value_or("");
  serverOfName[program.name] = report.servers.size();

  llvm::StringMap<int64_t> stateOf;
  server.walk([&](ApplyOp apply) {
    stateOf[apply.getVariable()] += countSlotBytes(apply);
  });
  for (auto variable : server.getOps<VariableOp>())
    if (auto owner = variable.getSlotOf())
      stateOf[*owner] += countBytes(variable.getType());
  server.walk([&](OptimizeBlockOp block) {
    Type gradient = block.getBody().getArgument(0).getType();
    if (!isa<RowsType>(gradient))
      program.gradientBytes += countBytes(gradient);
    // What it was when each trainer pulled it, and the one that is compared.
    if (Value pulled = block.getPulled())
      stateOf[block.getVariable()] += (server.getCluster().getTrainers() + 1) *
                                      countBytes(pulled.getType());
    blockOf[{server.getSymNameAttr(), block.getVariableAttr().getAttr()}] =
        block;
  });
  for (auto variable : server.getOps<VariableOp>()) {
    SliceAttr slice = variable.getSliceAttr();
    if (!slice)
      continue;
    int64_t bytes = countBytes(variable.getType());
    int64_t state = stateOf.lookup(variable.getSymName());
    program.variableBytes += bytes;
    program.stateBytes += state;
    program.blocks.push_back({variable.getSymName().str(), slice, bytes, state,
                              variable.getReason().value_or("").str()});
  }
  report.edges.push_back({program.name});
  report.servers.push_back(std::move(program));
}

void ReportBuilder::addTrainer() {
  Report::Program &program = report.trainer;
  program.name = trainer.getSymName();
  for (auto variable : trainer.getOps<VariableOp>())
    (variable.isOptimizerState() ? program.stateBytes
                                 : program.variableBytes) +=
        countBytes(variable.getType());
  // A gradient that is sent in several parts is held once.
  llvm::SetVector<Value> gradients;
  trainer.walk([&](Operation *op) {
    if (auto send = dyn_cast<SendOp>(op))
      gradients.insert(send.getGradient());
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      gradients.insert(reduce.getGradients().begin(),
                       reduce.getGradients().end());
    if (auto apply = dyn_cast<ApplyOp>(op)) {
      gradients.insert(apply.getGradient());
      program.stateBytes += countSlotBytes(apply);
    }
  });
  for (Value gradient : gradients)
    program.gradientBytes += countBytes(gradient.getType());
}

//===----------------------------------------------------------------------===//
// 3: transfers
//===----------------------------------------------------------------------===//

/// Those that training runs: not the ones at its beginning and end.
SmallVector<func::FuncOp> ReportBuilder::getStepFunctions() {
  SmallVector<func::FuncOp> functions;
  for (auto function : trainer.getOps<func::FuncOp>())
    if (function.getSymName() != startupName &&
        function.getSymName() != pullModelName)
      functions.push_back(function);
  return functions;
}

void ReportBuilder::addTransfers(func::FuncOp function) {
  auto every = function->getAttrOfType<IntegerAttr>(PSDialect::everyAttrName);
  // What runs every N batches counts as an Nth of a step.
  double perStep = every ? 1.0 / every.getInt() : 1;
  // What shares a bucket is one message.
  llvm::DenseSet<std::tuple<int, StringAttr, int64_t, Attribute>> buckets;
  auto isNewMessage = [&](auto transfer, bool sent) {
    IntegerAttr bucket = transfer.getBucketAttr();
    return !bucket || buckets
                          .insert({sent, transfer.getServerAttr().getAttr(),
                                   transfer.getRound(), bucket})
                          .second;
  };
  SymbolTable symbols(trainer);
  function.walk([&](Operation *op) {
    if (auto send = dyn_cast<SendOp>(op)) {
      Report::Edge &edge = report.edges[serverOfName.lookup(send.getServer())];
      edge.sentBytes += perStep * countRowBytes(send.getGradient().getType(),
                                                send.getSentRows());
      edge.sentMessages += perStep * isNewMessage(send, /*sent=*/true);
    }
    if (auto recv = dyn_cast<RecvOp>(op)) {
      Report::Edge &edge = report.edges[serverOfName.lookup(recv.getServer())];
      auto variable = symbols.lookup<VariableOp>(recv.getVariable());
      edge.receivedBytes +=
          perStep * countRowBytes(variable.getType(), recv.getRows());
      edge.receivedMessages += perStep * isNewMessage(recv, /*sent=*/false);
    }
    if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      report.allReduce.calls += perStep;
      for (Value gradient : reduce.getGradients())
        report.allReduce.bytes += perStep * countBytes(gradient.getType());
    }
  });
}

//===----------------------------------------------------------------------===//
// 4: variables
//===----------------------------------------------------------------------===//

void ReportBuilder::addVariables() {
  llvm::StringMap<size_t> numbers;
  llvm::DenseSet<StringAttr> applied;
  trainer.walk([&](ApplyOp apply) {
    applied.insert(apply.getVariableAttr().getAttr());
  });
  for (auto variable : trainer.getOps<VariableOp>()) {
    if (variable.isOptimizerState())
      continue;
    numbers[variable.getSymName()] = report.variables.size();
    std::string type = debugString(variable.getType());
    report.variables.push_back({variable.getSymName().str(),
                                type,
                                countBytes(variable.getType()),
                                {},
                                {}});
  }
  // Blocks in row order, wherever they are.
  using Place = std::tuple<size_t, int64_t, size_t, size_t>;
  std::vector<Place> places;
  for (auto [i, server] : llvm::enumerate(report.servers))
    for (auto [j, block] : llvm::enumerate(server.blocks))
      if (auto found = numbers.find(block.slice.getOrigin());
          found != numbers.end())
        places.push_back({found->second, block.slice.getRowOffset(), i, j});
  llvm::sort(places);
  for (auto [number, row, i, j] : places) {
    const Report::Program &server = report.servers[i];
    const Report::Block &block = server.blocks[j];
    Report::Variable &variable = report.variables[number];
    if (!llvm::is_contained(variable.places, server.name))
      variable.places.push_back(server.name);
    variable.reasons.push_back(block.name + ": " + block.reason);
  }
  for (Report::Variable &variable : report.variables) {
    if (!variable.places.empty())
      continue;
    auto name = StringAttr::get(module.getContext(), variable.name);
    variable.places.push_back(report.trainer.name);
    variable.reasons.push_back(applied.contains(name)
                                   ? "the trainers reduce its gradient"
                                   : "no trainer updates it");
  }
}

void ReportBuilder::addTables() {
  llvm::StringMap<std::vector<std::string>> holders;
  llvm::StringMap<int64_t> stateOf;
  module.walk([&](ApplyRowsOp apply) {
    RowsType rows = apply.getGradient().getType();
    auto type = RankedTensorType::get({rows.getWidth()}, rows.getElementType());
    stateOf[apply.getTable()] =
        countBytes(apply.getOptimizer().getRowSlots(getUpdateType(type)));
  });
  for (auto program : module.getOps<ProgramOp>())
    for (auto table : program.getOps<TableOp>())
      if (table.getShard())
        holders[table.getSymName()].push_back(program.getSymName().str());
  for (auto table : trainer.getOps<TableOp>()) {
    std::string type = debugString(table.getType());
    std::vector<std::string> places = holders.lookup(table.getSymName());
    if (places.empty())
      places.push_back(report.trainer.name);
    report.tables.push_back(
        {table.getSymName().str(), type,
         stringifyIdPartition(table.getPartition()).str(),
         table.getTensorType().getDimSize(0), countBytes(table.getRowType()),
         stateOf.lookup(table.getSymName()), std::move(places)});
  }
}

//===----------------------------------------------------------------------===//
// 5: the longest chain
//===----------------------------------------------------------------------===//

/// `writers`: the last op before `op` that gave a variable a value.
Depth ReportBuilder::findDepth(Operation *op,
                               const llvm::StringMap<Operation *> &writers) {
  Depth best;
  auto consider = [&](Operation *previous, OptimizeBlockOp through) {
    int64_t length = depths.lookup(previous).length;
    if (through)
      length += depths.lookup(through).length;
    if (length > best.length)
      best = {length, previous, through};
  };
  // Only these wait until the pserver has run the block.
  bool isAnswered = isa<SendBarrierOp, RecvOp>(op);
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer)
      continue;
    auto send = dyn_cast<SendOp>(producer);
    OptimizeBlockOp through;
    if (send && isAnswered)
      through =
          blockOf.lookup({send.getServerAttr().getAttr(), send.getBlockAttr()});
    // All shards do the same.
    auto push = dyn_cast<PushRowsOp>(producer);
    if (push && isAnswered && !push.getServers().empty())
      through = blockOf.lookup(
          {cast<FlatSymbolRefAttr>(push.getServers()[0]).getAttr(),
           push.getTableAttr().getAttr()});
    consider(producer, through);
  }
  if (auto read = dyn_cast<ReadOp>(op))
    if (Operation *writer = writers.lookup(read.getVariable()))
      consider(writer, {});
  // Constants and terminators do no work.
  bool counts = !op->hasTrait<OpTrait::ConstantLike>() &&
                !op->hasTrait<OpTrait::IsTerminator>();
  best.length += counts;
  return best;
}

/// Gives each op of `function` its depth and returns the deepest one.
Operation *ReportBuilder::findLongestPath(func::FuncOp function) {
  llvm::StringMap<Operation *> writers;
  Operation *deepest = nullptr;
  for (Operation &op : function.getBody().front()) {
    Depth depth = depths[&op] = findDepth(&op, writers);
    if (!deepest || depth.length > depths.lookup(deepest).length)
      deepest = &op;
    if (auto recv = dyn_cast<RecvOp>(op))
      writers[recv.getVariable()] = &op;
    if (auto assign = dyn_cast<AssignOp>(op))
      writers[assign.getVariable()] = &op;
    if (auto apply = dyn_cast<ApplyOp>(op))
      writers[apply.getVariable()] = &op;
  }
  return deepest;
}

/// Links are found from the last to the first. Ops between transfers are one.
void ReportBuilder::addLink(ProgramOp program, Operation *op, int64_t count) {
  bool isTransfer = isa<SendOp, RecvOp, PrefetchOp, PushRowsOp, SendBarrierOp,
                        FetchBarrierOp, AllReduceOp, OptimizeBlockOp>(op);
  std::string text = op->getName().getStringRef().str();
  if (auto send = dyn_cast<SendOp>(op))
    text += " @" + send.getBlock().str();
  if (auto recv = dyn_cast<RecvOp>(op))
    text += " @" + recv.getBlock().str();
  if (auto prefetch = dyn_cast<PrefetchOp>(op))
    text += " @" + prefetch.getTable().str();
  if (auto push = dyn_cast<PushRowsOp>(op))
    text += " @" + push.getTable().str();
  if (auto block = dyn_cast<OptimizeBlockOp>(op))
    text += " @" + block.getVariable().str();
  std::vector<Report::Link> &chain = report.chain;
  // Hundreds of arithmetic ops would hide the few transfers.
  bool joins = !chain.empty() && !isTransfer &&
               !StringRef(chain.back().op).starts_with("ps.") &&
               chain.back().program == program.getSymName() &&
               !StringRef(text).starts_with("ps.");
  if (joins)
    chain.back().count += count;
  else
    chain.push_back({program.getSymName().str(), text, count});
}

void ReportBuilder::addChain() {
  for (auto &[key, block] : blockOf) {
    // The ops of a block, one after the other where they need each other.
    llvm::StringMap<Operation *> writers;
    int64_t length = 1;
    for (Operation &op : block.getBody().front()) {
      depths[&op] = findDepth(&op, writers);
      length = std::max(length, depths[&op].length);
    }
    depths[block] = {length, nullptr, {}};
  }
  Operation *deepest = nullptr;
  for (func::FuncOp function : getStepFunctions())
    if (Operation *op = findLongestPath(function);
        !deepest || depths.lookup(op).length > depths.lookup(deepest).length)
      deepest = op;
  for (Operation *op = deepest; op;) {
    Depth depth = depths.lookup(op);
    int64_t before = depth.previous ? depths.lookup(depth.previous).length : 0;
    int64_t within = depth.through ? depths.lookup(depth.through).length : 0;
    if (int64_t own = depth.length - before - within)
      addLink(trainer, op, own);
    if (depth.through)
      addLink(depth.through->getParentOfType<ProgramOp>(), depth.through,
              within);
    op = depth.previous;
  }
  std::reverse(report.chain.begin(), report.chain.end());
}

static std::string getModelName(ModuleOp module) {
  if (std::optional<StringRef> name = module.getSymName())
    return name->str();
  auto file = module.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!file || file.getFilename() == "-" || file.getFilename() == "<stdin>")
    return "";
  return llvm::sys::path::stem(file.getFilename().getValue()).str();
}

FailureOr<Report> ReportBuilder::build() {
  for (auto program : module.getOps<ProgramOp>())
    if (program.getRole() == Role::Trainer)
      trainer = program;
  if (!trainer)
    return module.emitError() << "holds no trainer program to report on: "
                                 "expected what --ps-transpile makes";
  report.model = getModelName(module);
  report.cluster = trainer.getCluster();
  for (auto program : module.getOps<ProgramOp>())
    if (program.getRole() == Role::PServer)
      addServer(program);
  addTrainer();
  for (func::FuncOp function : getStepFunctions())
    addTransfers(function);
  addVariables();
  addTables();
  addChain();
  return std::move(report);
}

FailureOr<Report> ps::makeReport(ModuleOp module) {
  return ReportBuilder(module).build();
}
