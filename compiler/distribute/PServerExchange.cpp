// SPDX-License-Identifier: Apache-2.0
//===- PServerExchange.cpp - gradients to pservers, values back -----------===//
//
// 1. setRounds: whether the norm of all gradients must be known before the
//    updates. Then a step has two rounds.
// 2. createServers: each block with its update, on the pserver it is placed on;
//    of each table a shard with its update, on every pserver.
// 3. createStartup: the trainers' pull of initial values.
// 4. createStep: rows of tables come from the pservers, and their gradients are
//    pushed. Sends for updates, then barrier, pulls and barrier; without
//    the barriers in the asynchronous modes. With two rounds the first pulls
//    the squares of the gradients, and the second begins with the send of
//    their norm.
//    Where the network carries fewer bits, gradients are narrowed, or their
//    largest elements taken, before they are sent, variables are received
//    beside their own place and widened into it, and @pull_model gets the
//    values as the pservers have them.
//
// All steps walk one list of blocks, so the two ends of a transfer cannot
// differ.
//
// The steps depend on what earlier ones leave in the plan: the trainer's parts
// need the names of the blocks for norm and count, which the servers choose,
// and the pull at the start needs buckets, as every transfer does.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/PServerExchange.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/TensorSize.h"

namespace ps {

using namespace mlir;
using stablehlo::Emitter;

//===----------------------------------------------------------------------===//
// 1: rounds
//===----------------------------------------------------------------------===//

PServerExchange::PServerExchange(PartitionPlan &plan) : plan(plan) {
  for (PlacedBlock &block : plan.blocks)
    block.clipped = block.update.needsGlobalNorm();
  setRounds();
}

void PServerExchange::setRounds() {
  bool clipped = llvm::any_of(
      plan.blocks, [](const PlacedBlock &entry) { return entry.clipped; });
  plan.cluster = plan.cluster.withRounds(clipped ? 2 : 1);
  plan.trainer.setClusterAttr(plan.cluster);
  for (ProgramOp server : plan.servers)
    server.setClusterAttr(plan.cluster);
}

/// The element type in which the network carries `variable`; null for its own.
Type PServerExchange::getWireType(VariableOp variable) const {
  Type own = variable.getTensorType().getElementType();
  Type wire = plan.cluster.getWireType(own);
  return wire == own ? Type() : wire;
}

//===----------------------------------------------------------------------===//
// 2: servers
//===----------------------------------------------------------------------===//

/// Declares all slices and shards before the first update: updates declare
/// further variables, whose names must not take those.
void PServerExchange::createServers() {
  SmallVector<ServerBuilder> builders = createServing(plan);
  for (const PlacedBlock &block : plan.blocks)
    createSlice(builders[block.placement.getServer()], block);
  for (const TableUpdate &update : plan.tables)
    for (auto [index, builder] : llvm::enumerate(builders))
      createShard(builder, update.table, index, builders.size());
  SmallVector<ServerProgram, 0> servers;
  for (auto [program, builder] : llvm::zip_equal(plan.servers, builders))
    servers.emplace_back(program, builder, plan.takenNames);
  for (PlacedBlock &entry : plan.blocks) {
    ServerProgram &server = servers[entry.placement.getServer()];
    Type wireType = getWireType(entry.update.variable);
    if (entry.clipped)
      server.addClippedUpdate(entry, wireType);
    else
      server.addUpdate(entry, wireType);
    if (entry.clipped)
      normBlocks[plan.getServer(entry)] = server.getNormBlock();
  }
  for (const TableUpdate &update : plan.tables)
    for (ServerProgram &server : servers)
      server.addTableUpdate(update);
  // The update of any block or table may have been the first to need a count.
  for (auto [program, server] : llvm::zip_equal(plan.servers, servers))
    if (StringAttr count = server.getCountBlock())
      countBlocks[program.getSymNameAttr()] = count;
}

//===----------------------------------------------------------------------===//
// 3, 4: what the trainer holds
//===----------------------------------------------------------------------===//

/// Companions in the trainer for what is not in the variable's own type or
/// shape: values on a narrow wire, what has not been sent, the batch count,
/// squares and the norm.
void PServerExchange::declareVariables() {
  int64_t clipped = 0;
  VariableOp firstClipped;
  llvm::DenseMap<VariableOp, VariableOp> narrow, unsent;
  for (PlacedBlock &entry : plan.blocks) {
    VariableOp variable = entry.update.variable;
    if (entry.clipped && clipped++ == 0)
      firstClipped = variable;
    if (entry.getLargest() != 0) {
      VariableOp &rest = unsent[variable];
      if (!rest)
        rest =
            createCompanion(plan, variable, variable.getSymName() + ".unsent",
                            variable.getTensorType());
      entry.unsent = rest;
    }
    Type wireType = getWireType(variable);
    if (!wireType)
      continue;
    VariableOp &companion = narrow[variable];
    if (!companion)
      companion =
          createCompanion(plan, variable, variable.getSymName() + ".wire",
                          variable.getTensorType().clone(wireType));
    entry.narrow = companion;
  }
  if (!countBlocks.empty()) {
    Operation *first = plan.tables.empty() ? nullptr : plan.tables[0].table;
    if (!plan.blocks.empty())
      first = plan.blocks.front().update.variable;
    Type i64 = IntegerType::get(first->getContext(), 64);
    batches = createCompanion(plan, first, globalStepName,
                              RankedTensorType::get({}, i64));
  }
  if (clipped == 0)
    return;
  Type f64 = Float64Type::get(firstClipped.getContext());
  squares = createCompanion(plan, firstClipped, globalNormName + ".squares",
                            RankedTensorType::get({clipped}, f64));
  norm = createCompanion(plan, firstClipped, globalNormName,
                         RankedTensorType::get({}, f64));
}

/// Blocks that are small enough travel together, in the order in which their
/// gradients are computed, up to that many bytes.
void PServerExchange::fillBuckets() {
  struct Bucket {
    int64_t number = -1, bytes = 0;
    SmallVector<PlacedBlock *> members;
  };
  int64_t limit = plan.cluster.getBucketBytes();
  SmallVector<PlacedBlock *> order;
  for (PlacedBlock &entry : plan.blocks)
    order.push_back(&entry);
  // Stable: the results of one op, and arguments, stay in name order.
  llvm::stable_sort(order, [](PlacedBlock *a, PlacedBlock *b) {
    return isComputedBefore(a->update.apply.getGradient(),
                            b->update.apply.getGradient());
  });
  llvm::MapVector<StringAttr, Bucket> open; // of each pserver
  auto close = [&](Bucket &bucket) {
    if (bucket.members.size() > 1)
      for (PlacedBlock *member : bucket.members)
        member->bucket = IntegerAttr::get(
            IntegerType::get(plan.cluster.getContext(), 64), bucket.number);
    else
      --bucket.number;
    bucket.members.clear();
    bucket.bytes = 0;
  };
  for (PlacedBlock *entry : order) {
    int64_t bytes = *stablehlo::countBytes(getSentType(*entry));
    if (bytes > limit)
      continue;
    Bucket &bucket = open[plan.getServer(*entry)];
    if (!bucket.members.empty() && bucket.bytes > limit - bytes)
      close(bucket);
    if (bucket.members.empty())
      ++bucket.number;
    bucket.members.push_back(entry);
    bucket.bytes += bytes;
  }
  for (auto &[name, bucket] : open)
    if (!bucket.members.empty())
      close(bucket);
}

//===----------------------------------------------------------------------===//
// 3, 4: transfers
//===----------------------------------------------------------------------===//

/// Pulls every block; where the network carries fewer bits, the values as the
/// pservers have them (`masters`) or those for the network. `after` gives what
/// the pull of the i-th block waits for.
SmallVector<Value>
PServerExchange::createRecvs(OpBuilder &builder, bool masters, int64_t round,
                             function_ref<ValueRange(size_t)> after) {
  Tokens done;
  for (auto [i, entry] : llvm::enumerate(plan.blocks)) {
    bool narrow = entry.narrow && !masters;
    done.push_back(createRecv(
        plan, builder, entry, narrow ? entry.narrow : entry.update.variable,
        narrow ? entry.wire : entry.placement.getBlock(), round, after(i)));
  }
  return done;
}

Value PServerExchange::createSendBarrier(OpBuilder &builder, const Tokens &sent,
                                         int64_t round) {
  return builder.create<SendBarrierOp>(plan.step.getLoc(),
                                       builder.getType<TokenType>(), sent,
                                       plan.cluster.getPservers(), round);
}

void PServerExchange::createFetchBarrier(OpBuilder &builder,
                                         const Tokens &received,
                                         int64_t round) {
  builder.create<FetchBarrierOp>(plan.step.getLoc(),
                                 builder.getType<TokenType>(), received,
                                 plan.cluster.getPservers(), round);
}

void PServerExchange::createStartup(OpBuilder &startup) {
  declareVariables();
  fillBuckets();
  Tokens received = createRecvs(startup, /*masters=*/true, /*round=*/0,
                                [](size_t) { return ValueRange(); });
  if (keepsStep())
    createFetchBarrier(startup, received, /*round=*/0);
}

/// In what the gradient of `block` travels: its largest elements, or as the
/// network has the type of the variable.
RankedTensorType PServerExchange::getSentType(const PlacedBlock &block) const {
  RankedTensorType type = block.getType();
  if (block.getLargest() != 0)
    return getLargestType(type.getContext(), block.getLargest());
  Type wireType = getWireType(block.update.variable);
  return wireType ? type.clone(wireType) : type;
}

/// What the trainer sends for each variable, as the network carries it.
void PServerExchange::narrowGradients() {
  llvm::DenseMap<VariableOp, Value> narrow;
  for (PlacedBlock &entry : plan.blocks) {
    auto [variable, apply] = entry.update;
    entry.sent = apply.getGradient();
    Type wireType = getWireType(variable);
    if (!wireType || entry.getLargest() != 0)
      continue;
    Value &converted = narrow[variable];
    if (!converted) {
      OpBuilder builder(apply);
      builder.setInsertionPointAfterValue(entry.sent);
      converted =
          Emitter(builder, apply.getLoc()).convert(entry.sent, wireType);
    }
    entry.sent = converted;
  }
}

/// Makes the ops that take the largest elements of some blocks' gradients to
/// send, and keep the rest for later steps: in the order of the blocks, right
/// after each gradient.
void PServerExchange::takeLargest() {
  llvm::DenseMap<Value, Operation *> last;
  for (PlacedBlock &entry : plan.blocks) {
    if (!entry.unsent)
      continue;
    ApplyOp apply = entry.update.apply;
    Operation *&previous = last[entry.sent];
    OpBuilder builder(apply);
    if (previous)
      builder.setInsertionPointAfter(previous);
    else
      builder.setInsertionPointAfterValue(entry.sent);
    auto take = builder.create<TakeLargestOp>(
        apply.getLoc(), getSentType(entry), entry.unsent.getSymName(),
        entry.placement.getRowOffset(), entry.placement.getRows(), entry.sent);
    previous = take;
    entry.sent = take.getLargest();
  }
}

/// Each send comes right after the op that makes its gradient, so that it
/// leaves while the backward pass continues; sends of one op keep their order.
SmallVector<Value> PServerExchange::createSends() {
  Tokens done;
  llvm::DenseMap<Operation *, Operation *> lastSend;
  func::FuncOp step = plan.step;
  OpBuilder builder(step.getContext());
  for (PlacedBlock &entry : plan.blocks) {
    ApplyOp apply = entry.update.apply;
    Value gradient = entry.sent;
    Operation *producer = gradient.getDefiningOp();
    Operation *&last = lastSend[producer];
    if (Operation *previous = last ? last : producer)
      builder.setInsertionPointAfter(previous);
    else
      builder.setInsertionPointToStart(&step.getBody().front());
    done.push_back(createSend(plan, builder, apply.getLoc(), entry, gradient));
    last = done.back().getDefiningOp();
  }
  return done;
}

/// Rows leave, too, as soon as they are all there.
SmallVector<Value> PServerExchange::createPushes() {
  Tokens done;
  for (auto [table, apply] : plan.tables) {
    OpBuilder builder(apply);
    builder.setInsertionPointAfterValue(apply.getGradient());
    done.push_back(builder.create<PushRowsOp>(
        apply.getLoc(), builder.getType<TokenType>(), apply.getTableAttr(),
        apply.getGradient(), plan.cluster.getPservers()));
  }
  return done;
}

/// The rows of a table that is trained are with the pservers, whichever
/// function looks them up.
void PServerExchange::fetchFromServers() {
  llvm::DenseSet<Attribute> tables;
  for (const TableUpdate &update : plan.tables)
    tables.insert(ApplyRowsOp(update.apply).getTableAttr());
  plan.trainer.walk([&](PrefetchOp prefetch) {
    if (tables.contains(prefetch.getTableAttr()))
      prefetch.setServersAttr(plan.cluster.getPservers());
  });
}

//===----------------------------------------------------------------------===//
// 4: the norm
//===----------------------------------------------------------------------===//

/// The squares of a pserver come in one message.
SmallVector<Value> PServerExchange::createSquareRecvs(OpBuilder &builder,
                                                      Value after) {
  Tokens done;
  int64_t row = 0;
  for (PlacedBlock &entry : plan.blocks)
    if (entry.clipped)
      done.push_back(builder.create<RecvOp>(
          squares.getLoc(), builder.getType<TokenType>(), squares.getSymName(),
          row++, /*rows=*/1, plan.getServer(entry), entry.squares,
          /*round=*/0, /*bucket=*/builder.getI64IntegerAttr(0), after));
  return done;
}

/// Sums the squares in the order of the blocks, then those of the gradients
/// that the trainers have merged themselves, whose updates get the norm too.
Value PServerExchange::createNorm(OpBuilder &builder) {
  Location loc = plan.step.getLoc();
  Emitter emit(builder, loc);
  Value found = builder.create<ReadOp>(loc, squares.getTensorType(),
                                       squares.getSymName());
  Value sum = emit.sumAll(found);
  SmallVector<ApplyOp> waiting;
  for (Update update : plan.reduced)
    if (update.needsGlobalNorm())
      waiting.push_back(update.apply);
  for (ApplyOp apply : waiting)
    sum = emit.add(
        sum, buildSquareSum(builder, apply.getLoc(), apply.getGradient()));
  Value result = emit.sqrt(sum);
  for (ApplyOp apply : waiting) {
    auto type = cast<RankedTensorType>(apply.getGradient().getType());
    apply->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    OpBuilder before(apply);
    apply.getNormMutable().assign(
        Emitter(before, apply.getLoc())
            .convert(result, getUpdateType(type).getElementType()));
  }
  return result;
}

/// Ends the first round, which `sent` says all have reached, and sends the norm
/// in the second; returns what says that the updates are done.
Value PServerExchange::relayNorm(OpBuilder &builder, Value sent) {
  createFetchBarrier(builder, createSquareRecvs(builder, sent), /*round=*/0);
  Value value = createNorm(builder);
  Tokens done;
  for (auto [name, block] : normBlocks)
    done.push_back(builder.create<SendOp>(
        norm.getLoc(), builder.getType<TokenType>(), norm.getSymName(),
        /*row_offset=*/0, /*rows=*/1, value, name, block,
        /*round=*/1,
        /*bucket=*/IntegerAttr(), /*after=*/ValueRange()));
  return createSendBarrier(builder, done, /*round=*/1);
}

//===----------------------------------------------------------------------===//
// 4: the step
//===----------------------------------------------------------------------===//

/// Gives the variables the values that came for them.
void PServerExchange::widenVariables(OpBuilder &builder) {
  llvm::DenseSet<VariableOp> widened;
  for (PlacedBlock &entry : plan.blocks) {
    VariableOp variable = entry.update.variable;
    if (!entry.narrow || !widened.insert(variable).second)
      continue;
    Location loc = variable.getLoc();
    RankedTensorType type = variable.getTensorType();
    Value value = builder.create<ReadOp>(loc, entry.narrow.getTensorType(),
                                         entry.narrow.getSymName());
    builder.create<AssignOp>(
        loc, variable.getSymName(),
        Emitter(builder, loc).convert(value, type.getElementType()));
  }
}

/// The trainer's copies have lost bits: what is saved must not have.
void PServerExchange::createPullOfModel() {
  if (llvm::none_of(plan.blocks,
                    [](const PlacedBlock &entry) { return entry.narrow; }))
    return;
  OpBuilder builder = createFunction(plan, pullModelName);
  Tokens received = createRecvs(builder, /*masters=*/true, getLastRound(),
                                [](size_t) { return ValueRange(); });
  if (keepsStep())
    createFetchBarrier(builder, received, getLastRound());
}

/// Reports to the pservers whose rates follow a schedule that a batch is done.
/// A pserver answers a push that it has applied, so a count that waits for the
/// gradients of its batch there is not in the rate of their updates. Gradients
/// of the next step wait for the count: that step's exchange begins when this
/// one's has ended.
void PServerExchange::sendCounts(OpBuilder &builder, ArrayRef<Value> sent,
                                 ArrayRef<Value> pushed) {
  if (countBlocks.empty())
    return;
  Location loc = batches.getLoc();
  Value one = Emitter(builder, loc).splat(batches.getTensorType(), 1);
  for (auto [name, block] : countBlocks) {
    Tokens gradients;
    for (auto [entry, token] : llvm::zip_equal(plan.blocks, sent))
      if (plan.getServer(entry) == name)
        gradients.push_back(token);
    llvm::append_range(gradients, pushed);
    builder.create<SendOp>(loc, builder.getType<TokenType>(),
                           batches.getSymName(), /*row_offset=*/0, /*rows=*/1,
                           one, name, block, /*round=*/0,
                           /*bucket=*/IntegerAttr(), gradients);
  }
}

/// In modes with a common step, two barriers enclose the pulls; otherwise each
/// pull follows the send of its block, so that a trainer sees its own update.
/// Gradients get the form in which they travel before any is sent: a send is
/// placed right after what it sends.
void PServerExchange::createStep() {
  fetchFromServers();
  narrowGradients();
  takeLargest();
  Tokens sent = createSends();
  OpBuilder builder(plan.syncPoint);
  Tokens pushed = createPushes();
  if (keepsStep()) {
    llvm::append_range(sent, pushed);
    Value updated = createSendBarrier(builder, sent, /*round=*/0);
    if (squares)
      updated = relayNorm(builder, updated);
    Tokens received = createRecvs(builder, /*masters=*/false, getLastRound(),
                                  [&](size_t) { return ValueRange(updated); });
    // Where there are tables only, nothing is pulled.
    if (received.empty())
      received.push_back(updated);
    createFetchBarrier(builder, received, getLastRound());
  } else {
    sendCounts(builder, sent, pushed);
    createRecvs(builder, /*masters=*/false, getLastRound(),
                [&](size_t i) { return ValueRange(sent[i]); });
  }
  widenVariables(builder);
  createPullOfModel();
}

} // namespace ps
