//===- LowerToExec.cpp - turns functions into exec programs ---------------===//
//
// For every function:
//  1. Choose epilogues: a row kernel that reads the rows of a matrix product
//     runs in the product's node, at the kernel's place.
//  2. Choose what is computed in place: the producer of a variable's new value
//     writes it straight into the variable, if nobody needs the old value
//     after the producer has begun.
//  3. Collect buckets: their transfers become one node, which stands where the
//     last of them stands.
//  4. Emit memory and nodes in program order. Before a variable changes, the
//     values that live in it and are still needed are copied out.
//
//===----------------------------------------------------------------------===//

#include "compiler/Buckets.h"
#include "compiler/KernelAnalysis.h"
#include "compiler/Passes.h"
#include "dialects/exec/ExecDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ps {
#define GEN_PASS_DEF_LOWERTOEXEC
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), builder(function) {}

  LogicalResult run();

private:
  using Position = size_t;

  void chooseEpilogues();
  bool isEpilogue(exec::CallOp call, stablehlo::DotGeneralOp dot);
  void choosePlaces();
  bool mayWriteInPlace(Operation *producer, Value result, AssignOp assign);
  bool emit(Operation *op);

  // Memory.
  LogicalResult emitFeeds();
  Value emitFeed(BlockArgument argument, StringAttr name);
  Value getVariable(StringRef name, RankedTensorType type, Location loc);
  Value getBuffer(Value value);
  SmallVector<Value> getBuffers(ValueRange values);
  Value createBuffer(Value value);
  void emitView(stablehlo::ReshapeOp op);
  void beforeWrite(StringRef variable, Operation *writer);
  void copyOut(StringRef variable, Value value, Operation *writer);
  void rebindViews(Value value, Value buffer);

  // Rows of tables.
  bool emitTableOp(Operation *op);
  void emitPrefetch(PrefetchOp op);
  void emitLookup(LookupOp op);
  bool emitLookupGradient(LookupGradientOp op);
  void emitLookupClicks(LookupGradientOp op);
  void emitUpdateRows(UpdateRowsOp op);
  Value emitPushRows(PushRowsOp op);

  // Nodes.
  void emitCall(exec::CallOp op);
  void emitProduct(stablehlo::DotGeneralOp dot);
  void emitGemm(stablehlo::DotGeneralOp dot, exec::CallOp epilogue);
  void emitRead(ReadOp op);
  void emitAssign(AssignOp op);
  void emitCheck(Operation *op);
  Value getConstant(ElementsAttr value, Location loc);
  LogicalResult collectBuckets();
  template <typename TransferOp>
  ArrayRef<Operation *> getMembers(TransferOp op);
  void emitTransfer(Operation *op);
  Value emitSend(SendOp op);
  void emitAllReduce(AllReduceOp op);
  Value emitBroadcast(BroadcastOp op);
  Value emitRecv(RecvOp op);
  void emitFetches(func::ReturnOp op);
  SmallVector<Value> getTokens(ValueRange tokens);
  SmallVector<Value> getEndOfRound(int64_t round);
  func::FuncOp getKernel(exec::CallOp call) {
    return symbols.lookup<func::FuncOp>(call.getKernel());
  }

  // Uses, at the positions where they will be emitted, through views.
  Position getPosition(Operation *op) const;
  void forEachUse(Value value, llvm::function_ref<void(Operation *)> visit);
  bool isUsedAfter(Value value, Position position, Operation *except);

  func::FuncOp function;
  SymbolTable &symbols;
  OpBuilder builder;
  Type token = builder.getType<TokenType>();
  DenseMap<Operation *, Position> positions;
  DenseMap<Operation *, stablehlo::DotGeneralOp> productOf; // by epilogue
  DenseMap<Operation *, Operation *> epilogueOf;            // by product
  DenseMap<Value, AssignOp> places; // by root value, assigned in place
  DenseMap<Operation *, Operation *> inPlace; // assign -> producer
  DenseMap<Value, Value> buffers, tokens;
  /// The fetch barriers so far with their rounds: a round begins after those of
  /// the one before.
  SmallVector<std::pair<int64_t, Value>, 2> fetchBarriers;
  llvm::MapVector<StringRef, Value> variables;
  DenseMap<Attribute, Value> constants;
  /// The transfers of each bucket, in program order, by the last one.
  DenseMap<Operation *, Bucket> buckets;
  /// Transfers that travel with a later one.
  DenseSet<Operation *> carried;
  /// The values that live in a variable's memory now.
  llvm::StringMap<SmallVector<Value>> residents;
};

/// The value whose memory `value` shows.
Value getRoot(Value value) {
  while (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

FunctionLowering::Position FunctionLowering::getPosition(Operation *op) const {
  auto epilogue = epilogueOf.find(op);
  return positions.lookup(epilogue == epilogueOf.end() ? op : epilogue->second);
}

void FunctionLowering::forEachUse(Value value,
                                  llvm::function_ref<void(Operation *)> visit) {
  for (Operation *user : value.getUsers()) {
    if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(user))
      forEachUse(reshape.getResult(), visit);
    else
      visit(user);
  }
}

/// Whether a node after `position` touches `value`, `except` apart.
bool FunctionLowering::isUsedAfter(Value value, Position position,
                                   Operation *except) {
  bool used = false;
  forEachUse(value, [&](Operation *user) {
    used |= user != except && getPosition(user) > position;
  });
  return used;
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

void FunctionLowering::chooseEpilogues() {
  function.walk([&](exec::CallOp call) {
    if (!exec::isRowKernel(getKernel(call)))
      return;
    // The last product is the one whose rows are in cache.
    stablehlo::DotGeneralOp last;
    for (Value input : call.getInputs()) {
      auto dot = input.getDefiningOp<stablehlo::DotGeneralOp>();
      if (dot && isEpilogue(call, dot) &&
          (!last || positions[last] < positions[dot]))
        last = dot;
    }
    if (!last)
      return;
    productOf[call] = last;
    epilogueOf[last] = call;
  });
}

/// Whether `call` works on the rows of `dot` and is its first user.
bool FunctionLowering::isEpilogue(exec::CallOp call,
                                  stablehlo::DotGeneralOp dot) {
  std::optional<GemmShape> shape = matchGemm(dot);
  if (!shape || epilogueOf.contains(dot) || dot.getType().getRank() == 0 ||
      getRows(call.getResult(0)) != shape->batch * shape->m ||
      getRows(dot.getResult()) != shape->batch * shape->m)
    return false;
  FunctionType kernel = getKernel(call).getFunctionType();
  for (auto [i, input] : llvm::enumerate(call.getInputs()))
    if (input == dot.getResult() &&
        cast<RankedTensorType>(kernel.getInput(i)).hasStaticShape())
      return false;
  bool isFirst = true;
  forEachUse(dot.getResult(), [&](Operation *user) {
    isFirst &= positions[user] >= positions[call];
  });
  return isFirst;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void FunctionLowering::choosePlaces() {
  function.walk([&](AssignOp assign) {
    Value root = getRoot(assign.getValue());
    Operation *producer = root.getDefiningOp();
    if (!isa_and_nonnull<exec::CallOp, stablehlo::DotGeneralOp>(producer) ||
        places.contains(root) || !mayWriteInPlace(producer, root, assign))
      return;
    places[root] = assign;
    inPlace[assign] = producer;
  });
}

bool FunctionLowering::mayWriteInPlace(Operation *producer, Value result,
                                       AssignOp assign) {
  StringRef variable = assign.getVariable();
  Position begin = getPosition(producer), end = positions[assign];
  // Nobody may see the new value early or write in between, and nobody but the
  // producer may still need the old one.
  bool legal = true;
  function.walk([&](Operation *op) {
    Position position = positions.lookup(op);
    if (auto read = dyn_cast<ReadOp>(op);
        read && read.getVariable() == variable) {
      legal &= position < begin || position > end;
      if (position < begin)
        legal &= !isUsedAfter(read, begin, producer);
    }
    if (auto other = dyn_cast<AssignOp>(op);
        other && other != assign && other.getVariable() == variable)
      legal &= position < begin || position > end;
    if (auto recv = dyn_cast<RecvOp>(op);
        recv && recv.getVariable() == variable)
      legal &= position < begin || position > end;
  });
  if (!legal)
    return false;

  // The producer itself may read the old value only where it writes the new.
  auto readsVariable = [&](Value input) {
    auto read = getRoot(input).getDefiningOp<ReadOp>();
    if (read && read.getVariable() == variable)
      return true;
    auto place = places.find(getRoot(input));
    return place != places.end() && place->second.getVariable() == variable;
  };
  auto call = dyn_cast<exec::CallOp>(producer);
  if (!call)
    return llvm::none_of(producer->getOperands(), readsVariable);
  if (stablehlo::DotGeneralOp dot = productOf.lookup(call))
    if (llvm::any_of(dot->getOperands(), readsVariable))
      return false;
  unsigned resultIndex = cast<OpResult>(result).getResultNumber();
  for (auto [i, input] : llvm::enumerate(call.getInputs()))
    if (readsVariable(input) &&
        !mayShareMemory(getKernel(call), i, resultIndex))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The table whose update takes the rows `argument`; null for other arguments.
static FlatSymbolRefAttr getUpdatedTable(BlockArgument argument) {
  for (Operation *user : argument.getUsers())
    if (auto update = dyn_cast<UpdateRowsOp>(user))
      return update.getTableAttr();
  return {};
}

/// Null for an argument that nobody can feed.
Value FunctionLowering::emitFeed(BlockArgument argument, StringAttr name) {
  Location loc = argument.getLoc();
  Type type = argument.getType();
  if (auto rows = dyn_cast<RowsType>(type)) {
    FlatSymbolRefAttr table = getUpdatedTable(argument);
    if (!table)
      return {};
    return builder.create<exec::RowsOp>(loc, rows, table.getValue(),
                                        /*lookups=*/0, name);
  }
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.hasStaticShape())
    return builder.create<exec::FeedOp>(loc, exec::getBufferType(tensor), name);
  return builder.create<exec::RaggedFeedOp>(loc, exec::getBufferType(tensor),
                                            name);
}

LogicalResult FunctionLowering::emitFeeds() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto name =
        function.getArgAttrOfType<StringAttr>(i, PSDialect::feedAttrName);
    if (!name)
      return emitError(argument.getLoc(), "argument ")
             << i << " of '@" << function.getSymName()
             << "' has no ps.feed name";
    buffers[argument] = emitFeed(argument, name);
    if (!buffers[argument])
      return emitError(argument.getLoc(), "argument ")
             << i << " of '@" << function.getSymName()
             << "' holds rows that update no table";
  }
  return success();
}

Value FunctionLowering::getVariable(StringRef name, RankedTensorType type,
                                    Location loc) {
  Value &variable = variables[name];
  if (!variable)
    variable =
        builder.create<exec::VariableOp>(loc, exec::getBufferType(type), name);
  return variable;
}

SmallVector<Value> FunctionLowering::getBuffers(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    result.push_back(getBuffer(value));
  return result;
}

/// The memory that the producer of `value` writes: the variable's, where it
/// works in place, which first gives up its old value.
Value FunctionLowering::createBuffer(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  auto place = places.find(value);
  if (place == places.end())
    return buffers[value] = builder.create<exec::BufferOp>(
               loc, exec::getBufferType(type), IntegerAttr());
  AssignOp assign = place->second;
  StringRef name = assign.getVariable();
  beforeWrite(name, value.getDefiningOp());
  residents[name].push_back(value);
  Value variable = getVariable(
      name, cast<RankedTensorType>(assign.getValue().getType()), loc);
  if (assign.getValue().getType() != type)
    variable =
        builder.create<exec::ViewOp>(loc, exec::getBufferType(type), variable);
  return buffers[value] = variable;
}

/// Where `value` is. A view of a product that is computed with its epilogue
/// stands before both and is made on its first use.
Value FunctionLowering::getBuffer(Value value) {
  auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>();
  if (reshape && !buffers.contains(value))
    emitView(reshape);
  return buffers.lookup(value);
}

void FunctionLowering::emitView(stablehlo::ReshapeOp op) {
  buffers[op.getResult()] = builder.create<exec::ViewOp>(
      op.getLoc(), exec::getBufferType(cast<RankedTensorType>(op.getType())),
      getBuffer(op.getOperand()));
}

void FunctionLowering::beforeWrite(StringRef variable, Operation *writer) {
  for (Value value : residents[variable])
    copyOut(variable, value, writer);
  residents[variable].clear();
}

/// Gives `value`, which lives in `variable`, memory of its own if somebody
/// needs it after `writer`.
void FunctionLowering::copyOut(StringRef variable, Value value,
                               Operation *writer) {
  if (!isUsedAfter(value, getPosition(writer), writer))
    return;
  Location loc = writer->getLoc();
  Value old = getBuffer(value);
  Value copy = builder.create<exec::BufferOp>(
      loc, cast<MemRefType>(old.getType()), IntegerAttr());
  builder.create<exec::CopyOp>(loc, token, old, copy, ValueRange());
  buffers[value] = copy;
  rebindViews(value, copy);
}

void FunctionLowering::rebindViews(Value value, Value buffer) {
  for (Operation *user : value.getUsers()) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(user);
    if (!reshape || !buffers.contains(reshape.getResult()))
      continue;
    emitView(reshape);
    rebindViews(reshape.getResult(), getBuffer(reshape.getResult()));
  }
}

Value FunctionLowering::getConstant(ElementsAttr value, Location loc) {
  Value &constant = constants[value];
  if (!constant)
    constant = builder.create<exec::ConstantOp>(
        loc, exec::getBufferType(cast<RankedTensorType>(value.getShapedType())),
        value);
  return constant;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void FunctionLowering::emitCall(exec::CallOp op) {
  if (stablehlo::DotGeneralOp dot = productOf.lookup(op))
    return emitGemm(dot, op);
  SmallVector<Value> outputs;
  // Old values are copied out before arguments are looked up.
  for (Value output : op.getOutputs())
    outputs.push_back(createBuffer(output));
  IntegerAttr rows;
  if (exec::isRowKernel(getKernel(op)))
    rows = builder.getI64IntegerAttr(getRows(op.getResult(0)));
  builder.create<exec::LaunchOp>(op.getLoc(), token, op.getKernelAttr(), rows,
                                 getBuffers(op.getInputs()), outputs,
                                 ValueRange());
}

/// An epilogue brings its product along.
void FunctionLowering::emitProduct(stablehlo::DotGeneralOp dot) {
  if (!epilogueOf.contains(dot))
    emitGemm(dot, {});
}

void FunctionLowering::emitGemm(stablehlo::DotGeneralOp dot,
                                exec::CallOp epilogue) {
  Value c = createBuffer(dot.getResult());
  SmallVector<Value> inputs, outputs;
  FlatSymbolRefAttr kernel;
  if (epilogue) {
    kernel = epilogue.getKernelAttr();
    for (Value output : epilogue.getOutputs())
      outputs.push_back(createBuffer(output));
    inputs = getBuffers(epilogue.getInputs());
  }
  GemmShape shape = *matchGemm(dot);
  builder.create<exec::GemmOp>(
      dot.getLoc(), token, shape.batch, shape.m, shape.n, shape.k,
      shape.transposeA, shape.transposeB, getBuffer(dot.getLhs()),
      getBuffer(dot.getRhs()), c, kernel, inputs, outputs, ValueRange());
}

void FunctionLowering::emitRead(ReadOp op) {
  buffers[op] = getVariable(op.getVariable(),
                            cast<RankedTensorType>(op.getType()), op.getLoc());
  residents[op.getVariable()].push_back(op);
}

void FunctionLowering::emitAssign(AssignOp op) {
  if (inPlace.contains(op))
    return;
  beforeWrite(op.getVariable(), op);
  Value variable =
      getVariable(op.getVariable(),
                  cast<RankedTensorType>(op.getValue().getType()), op.getLoc());
  Value source = getBuffer(op.getValue());
  if (source != variable)
    builder.create<exec::CopyOp>(op.getLoc(), token, source, variable,
                                 ValueRange());
}

void FunctionLowering::emitCheck(Operation *op) {
  using exec::Comparison;
  constexpr double tolerance = 1e-4;
  constexpr uint64_t maxUlps = 3;
  Location loc = op->getLoc();
  auto emit = [&](Comparison comparison, Value actual, Value expected,
                  double tolerance, uint64_t minUlps, uint64_t maxUlps) {
    builder.create<exec::CheckOp>(loc, token, comparison, actual, expected,
                                  ValueRange(), llvm::APFloat(tolerance),
                                  minUlps, maxUlps);
  };
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) {
    // The op's verifier knows no other targets.
    auto comparison = llvm::StringSwitch<Comparison>(call.getCallTargetName())
                          .Case("check.expect_eq", Comparison::Eq)
                          .Case("check.expect_almost_eq", Comparison::AlmostEq)
                          .Default(Comparison::Close);
    return emit(comparison, getBuffer(call.getInputs()[0]),
                getBuffer(call.getInputs()[1]), tolerance, 0, maxUlps);
  }
  if (auto check = dyn_cast<stablehlo::check::ExpectEqOp>(op))
    return emit(Comparison::Eq, getBuffer(check.getLhs()),
                getBuffer(check.getRhs()), tolerance, 0, maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectEqConstOp>(op))
    return emit(Comparison::Eq, getBuffer(check.getLhs()),
                getConstant(check.getValue(), loc), tolerance, 0, maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectAlmostEqOp>(op))
    return emit(Comparison::AlmostEq, getBuffer(check.getLhs()),
                getBuffer(check.getRhs()),
                check.getTolerance().convertToDouble(), 0, maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectAlmostEqConstOp>(op))
    return emit(Comparison::AlmostEq, getBuffer(check.getLhs()),
                getConstant(check.getValue(), loc),
                check.getTolerance().convertToDouble(), 0, maxUlps);
  auto check = cast<stablehlo::check::ExpectCloseOp>(op);
  emit(Comparison::Close, getBuffer(check.getActual()),
       getBuffer(check.getExpected()), tolerance, check.getMinUlpDifference(),
       check.getMaxUlpDifference());
}

/// Transfers of a bucket have one token.
SmallVector<Value> FunctionLowering::getTokens(ValueRange values) {
  llvm::SetVector<Value> result;
  for (Value value : values)
    result.insert(tokens.lookup(value));
  return result.takeVector();
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// The fetch barriers of `round` before this place.
SmallVector<Value> FunctionLowering::getEndOfRound(int64_t round) {
  SmallVector<Value> result;
  for (auto [ended, barrier] : fetchBarriers)
    if (ended == round)
      result.push_back(barrier);
  return result;
}

/// One node does what a bucket does, where the last of it stands.
LogicalResult FunctionLowering::collectBuckets() {
  FailureOr<SmallVector<Bucket>> found = ps::collectBuckets(function.front());
  if (failed(found))
    return failure();
  for (const Bucket &bucket : *found) {
    Operation *last = bucket.back();
    for (Operation *member : ArrayRef(bucket).drop_back()) {
      carried.insert(member);
      positions[member] = positions[last];
    }
    buckets[last] = bucket;
  }
  return success();
}

/// The transfers that travel with `op`, which is the last of them or alone.
template <typename TransferOp>
ArrayRef<Operation *> FunctionLowering::getMembers(TransferOp op) {
  Bucket &members = buckets[op];
  if (members.empty())
    members.push_back(op);
  return members;
}

Value FunctionLowering::emitSend(SendOp op) {
  SmallVector<int64_t> offsets, rows;
  SmallVector<Value> gradients;
  SmallVector<Attribute> blocks;
  for (Operation *member : getMembers(op)) {
    auto send = cast<SendOp>(member);
    offsets.push_back(send.getRowOffset());
    rows.push_back(send.getRows());
    gradients.push_back(getBuffer(send.getGradient()));
    blocks.push_back(send.getBlockAttr());
  }
  return builder.create<exec::SendOp>(
      op.getLoc(), token, offsets, rows, gradients, op.getEndpoint(),
      builder.getArrayAttr(blocks), op.getRound(),
      getEndOfRound(static_cast<int64_t>(op.getRound()) - 1));
}

Value FunctionLowering::emitRecv(RecvOp op) {
  SmallVector<int64_t> offsets, rows;
  SmallVector<Value> targets;
  SmallVector<Attribute> blocks;
  llvm::SetVector<Value> after;
  for (Operation *member : getMembers(op)) {
    auto recv = cast<RecvOp>(member);
    beforeWrite(recv.getVariable(), op);
    auto declaration = symbols.lookup<VariableOp>(recv.getVariable());
    targets.push_back(getVariable(recv.getVariable(),
                                  declaration.getTensorType(), recv.getLoc()));
    offsets.push_back(recv.getRowOffset());
    rows.push_back(recv.getRows());
    blocks.push_back(recv.getBlockAttr());
    SmallVector<Value> awaited = getTokens(recv.getAfter());
    after.insert(awaited.begin(), awaited.end());
  }
  return builder.create<exec::RecvOp>(
      op.getLoc(), token, offsets, rows, targets, op.getEndpoint(),
      builder.getArrayAttr(blocks), op.getRound(), after.getArrayRef());
}

/// What works with a mean waits for it by its memory, so there is no token.
void FunctionLowering::emitAllReduce(AllReduceOp op) {
  SmallVector<Value> means;
  for (Value mean : op.getMeans())
    means.push_back(createBuffer(mean));
  builder.create<exec::AllReduceOp>(op.getLoc(), token, op.getChannel(),
                                    getBuffers(op.getGradients()), means,
                                    ValueRange());
}

Value FunctionLowering::emitBroadcast(BroadcastOp op) {
  beforeWrite(op.getVariable(), op);
  auto declaration = symbols.lookup<VariableOp>(op.getVariable());
  Value variable =
      getVariable(op.getVariable(), declaration.getTensorType(), op.getLoc());
  return builder.create<exec::BroadcastOp>(op.getLoc(), token, op.getChannel(),
                                           variable, ValueRange());
}

void FunctionLowering::emitTransfer(Operation *op) {
  if (carried.contains(op))
    return;
  Location loc = op->getLoc();
  Value done =
      TypeSwitch<Operation *, Value>(op)
          .Case([&](SendOp op) { return emitSend(op); })
          .Case([&](PushRowsOp op) { return emitPushRows(op); })
          .Case([&](RecvOp op) { return emitRecv(op); })
          .Case([&](SendBarrierOp op) {
            SmallVector<Value> after = getTokens(op.getAfter());
            llvm::append_range(
                after, getEndOfRound(static_cast<int64_t>(op.getRound()) - 1));
            return builder.create<exec::SendBarrierOp>(
                loc, token, op.getEndpoints(), op.getRound(), after);
          })
          .Case([&](FetchBarrierOp op) {
            Value barrier = builder.create<exec::FetchBarrierOp>(
                loc, token, op.getEndpoints(), op.getRound(),
                getTokens(op.getAfter()));
            fetchBarriers.emplace_back(op.getRound(), barrier);
            return barrier;
          })
          .Case([&](BroadcastOp op) { return emitBroadcast(op); });
  tokens[op->getResult(0)] = done;
  auto bucket = buckets.find(op);
  if (bucket != buckets.end())
    for (Operation *member : bucket->second)
      tokens[member->getResult(0)] = done;
}

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

/// A gradient that is added more often than this is a mistake.
static constexpr unsigned maxMerged = 4096;

/// How many times the update takes the gradient `rows`: merging adds equal ones
/// up. No more than `maxMerged` + 1. Who pushes a gradient and updates copies
/// takes it once for both.
static unsigned countMerged(Value rows) {
  unsigned count = 0, taken = 0;
  for (OpOperand &use : rows.getUses()) {
    if (auto merge = dyn_cast<MergeRowsOp>(use.getOwner()))
      count += countMerged(merge);
    else
      taken = 1;
    if (count > maxMerged)
      return maxMerged + 1;
  }
  return count + taken;
}

void FunctionLowering::emitPrefetch(PrefetchOp op) {
  Value rows = builder.create<exec::RowsOp>(op.getLoc(), op.getType(),
                                            op.getTable(), op.getIds().size(),
                                            /*feed=*/StringAttr());
  buffers[op.getRows()] = rows;
  builder.create<exec::PrefetchOp>(
      op.getLoc(), token, rows, getBuffers(op.getIds()), op.getEndpointsAttr(),
      op.getPaddingsAttr(), op.getFrozen(), ValueRange());
}

/// What fetches the rows that `op` looks up; null where nothing does.
template <typename LookupOp>
static PrefetchOp getPrefetch(LookupOp op) {
  return op && op.getRows() ? op.getRows().template getDefiningOp<PrefetchOp>()
                            : PrefetchOp();
}

/// The number of the list that `op` looks up.
template <typename LookupOp>
static unsigned getList(LookupOp op) {
  return getPrefetch(op).findList(op.getIds(), op.getPaddingIdxAttr());
}

void FunctionLowering::emitLookup(LookupOp op) {
  Value result = createBuffer(op.getResult());
  builder.create<exec::LookupOp>(
      op.getLoc(), token, getBuffer(op.getRows()), getList(op),
      op.getPoolAttr(), op.getOffsets() ? getBuffer(op.getOffsets()) : Value(),
      op.getWeights() ? getBuffer(op.getWeights()) : Value(), result,
      ValueRange());
}

/// Gradients add up in the rows, so merging them costs nothing.
bool FunctionLowering::emitLookupGradient(LookupGradientOp op) {
  unsigned count = countMerged(op.getResult());
  if (count > maxMerged)
    return false;
  Value rows = getBuffer(op.getRows());
  buffers[op.getResult()] = rows;
  for (unsigned i = 0; i < count; ++i)
    builder.create<exec::LookupGradientOp>(
        op.getLoc(), token, rows, getList(op), op.getPoolAttr(),
        op.getOffsets() ? getBuffer(op.getOffsets()) : Value(),
        op.getWeights() ? getBuffer(op.getWeights()) : Value(),
        getBuffer(op.getGradient()), ValueRange());
  emitLookupClicks(op);
  return true;
}

/// Where the table judges rows by clicks.
void FunctionLowering::emitLookupClicks(LookupGradientOp op) {
  auto table =
      SymbolTable::lookupNearestSymbolFrom<TableOp>(op, op.getTableAttr());
  if (CtrAttr accessor = table.getAccessorAttr())
    builder.create<exec::LookupClicksOp>(
        op.getLoc(), token, getBuffer(op.getRows()), getList(op),
        op.getPoolAttr(),
        op.getOffsets() ? getBuffer(op.getOffsets()) : Value(),
        /*weights=*/Value(), getBuffer(getClicks(op, accessor)), ValueRange());
}

void FunctionLowering::emitUpdateRows(UpdateRowsOp op) {
  builder.create<exec::UpdateRowsOp>(
      op.getLoc(), token, getBuffer(op.getGradient()),
      op.getRate() ? getBuffer(op.getRate()) : Value(), op.getFunctionAttr(),
      ValueRange());
}

Value FunctionLowering::emitPushRows(PushRowsOp op) {
  return builder.create<exec::PushRowsOp>(op.getLoc(), token,
                                          getBuffer(op.getGradient()),
                                          op.getEndpoints(), ValueRange());
}

/// Whether `op` is one on tables whose rows are known.
bool FunctionLowering::emitTableOp(Operation *op) {
  if (auto prefetch = dyn_cast<PrefetchOp>(op)) {
    emitPrefetch(prefetch);
  } else if (auto lookup = dyn_cast<LookupOp>(op); getPrefetch(lookup)) {
    emitLookup(lookup);
  } else if (auto gradient = dyn_cast<LookupGradientOp>(op);
             getPrefetch(gradient)) {
    return emitLookupGradient(gradient);
  } else if (auto merge = dyn_cast<MergeRowsOp>(op)) {
    buffers[merge.getResult()] = getBuffer(merge.getGradients().front());
  } else if (auto update = dyn_cast<UpdateRowsOp>(op)) {
    emitUpdateRows(update);
  } else {
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A result without a name cannot be asked for, so it is not kept.
void FunctionLowering::emitFetches(func::ReturnOp op) {
  for (auto [i, value] : llvm::enumerate(op.getOperands()))
    if (auto name = function.getResultAttrOfType<StringAttr>(
            i, PSDialect::fetchAttrName))
      builder.create<exec::FetchOp>(op.getLoc(), name, getBuffer(value));
}

/// Whether `op` is one that kernels and nodes are made of.
bool FunctionLowering::emit(Operation *op) {
  if (isa<SendOp, PushRowsOp, RecvOp, SendBarrierOp, FetchBarrierOp,
          BroadcastOp>(op))
    emitTransfer(op);
  else if (auto reduce = dyn_cast<AllReduceOp>(op))
    emitAllReduce(reduce);
  else if (isa<stablehlo::CustomCallOp>(op) ||
           isa_and_nonnull<stablehlo::check::CheckDialect>(op->getDialect()))
    emitCheck(op);
  else if (auto metric = dyn_cast<MetricOp>(op))
    builder.create<exec::MetricOp>(
        op->getLoc(), token, metric.getKind(), metric.getName(),
        getBuffers(metric->getOperands()), metric.getBins(), ValueRange());
  else if (auto read = dyn_cast<ReadOp>(op))
    emitRead(read);
  else if (auto assign = dyn_cast<AssignOp>(op))
    emitAssign(assign);
  else if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    buffers[constant] =
        getConstant(cast<ElementsAttr>(constant.getValue()), op->getLoc());
  else if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    if (buffers.contains(getRoot(reshape)))
      getBuffer(reshape);
  } else if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
             dot && matchGemm(dot))
    emitProduct(dot);
  else if (auto call = dyn_cast<exec::CallOp>(op))
    emitCall(call);
  else if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    emitFetches(returnOp);
  else
    return emitTableOp(op);
  return true;
}

LogicalResult FunctionLowering::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block");
  Position position = 0;
  for (Operation &op : function.front())
    positions[&op] = position++;
  if (failed(collectBuckets()))
    return failure();
  chooseEpilogues();
  choosePlaces();

  auto program = builder.create<exec::ProgramOp>(
      function.getLoc(), function.getSymName(),
      function->getAttrOfType<FlatSymbolRefAttr>(PSDialect::rowOfAttrName),
      IntegerAttr());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  if (failed(emitFeeds()))
    return failure();
  for (Operation &op : function.front())
    if (!emit(&op))
      return op.emitError("'") << op.getName() << "' cannot be compiled";
  return success();
}

struct LowerToExec : public ps::impl::LowerToExecBase<LowerToExec> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!exec::isKernel(function) && !function.isDeclaration())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      if (failed(FunctionLowering(function, symbols).run()))
        return signalPassFailure();
      symbols.erase(function);
    }
  }
};

} // namespace
