// SPDX-License-Identifier: Apache-2.0
//===- PushPull.cpp - gradients and new values in one message each way ----===//
//
//  1. collect: find for each recv of the step the sends of its rows. Where the
//     exchange is anything else, or too large, the program stays as it is.
//  2. group: the pairs of a pserver that share a message: small ones, as far as
//     they go well together.
//  3. combine: a push_pull takes the place of the first recv of its group. So a
//     push moves down to it, past nodes that must not write what it sends, and
//     a pull up, past nodes that must not touch what it brings: tokens do not
//     order memory yet.
//  4. The barriers go. The carries of ps-overlap-steps keep the order of steps:
//     every push_pull of a step comes after all of the one before.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ps {
#define GEN_PASS_DEF_PUSHPULL
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// What a pserver may have to keep of a trainer until it can answer: less than
/// the window of a client's pushes, in less messages than may wait there.
constexpr int64_t maxBytesPerServer = int64_t{8} << 20;
constexpr size_t maxBlocksPerServer = 1024;
/// The most that small blocks of a message have: as much as leaves in one go.
constexpr int64_t maxBytesOfGroup = 256 << 10;

/// A part of a send.
struct Pushed {
  exec::SendOp send;
  unsigned index = 0;

  int64_t rowOffset() { return send.getRowOffsets()[index]; }
  int64_t rows() { return send.getRows()[index]; }
  Value gradient() { return send.getBuffers()[index]; }
};

/// A recv, and for each of its parts what is pushed of it.
struct Pair {
  exec::RecvOp recv;
  SmallVector<Pushed, 1> parts;
  int64_t bytes = 0;
};

/// The exchange of a step, if it consists of pairs.
struct StepExchange {
  SmallVector<exec::SendOp> sends;
  SmallVector<exec::RecvOp> recvs;
  SmallVector<Pair> pairs;
  exec::SendBarrierOp sendBarrier;
  exec::FetchBarrierOp fetchBarrier;
};

struct PushPull : public ps::impl::PushPullBase<PushPull> {
  using PushPullBase::PushPullBase;
  void runOnOperation() override;
};

/// What is pushed, by block.
using PushedBlocks = llvm::DenseMap<Attribute, Pushed>;

/// Takes what `recv` pulls from `pushed`; nothing unless all of it is there, to
/// the same pserver and of the same rows and types.
std::optional<Pair> pairUp(exec::RecvOp recv, PushedBlocks &pushed) {
  Pair pair{recv, {}, 0};
  for (auto [block, buffer, offset, rows] :
       llvm::zip_equal(recv.getBlocks(), recv.getBuffers(),
                       recv.getRowOffsets(), recv.getRows())) {
    auto found = pushed.find(block);
    if (found == pushed.end())
      return std::nullopt;
    Pushed part = found->second;
    if (part.send.getServer() != recv.getServer() ||
        part.rowOffset() != offset || part.rows() != rows ||
        part.gradient().getType() != buffer.getType())
      return std::nullopt;
    pushed.erase(found);
    pair.parts.push_back(part);
  }
  for (const exec::Access &access : recv.getAccesses())
    pair.bytes += access.end - access.begin;
  return pair;
}

/// The ops of the exchange; false if one is of another kind or round.
bool findTransfers(exec::ProgramOp program, StepExchange &exchange) {
  for (auto node : program.getBody().getOps<exec::NodeOpInterface>()) {
    if (!node->hasTrait<exec::InExchange>())
      continue;
    if (auto send = dyn_cast<exec::SendOp>(*node); send && !send.getRound())
      exchange.sends.push_back(send);
    else if (auto recv = dyn_cast<exec::RecvOp>(*node);
             recv && !recv.getRound())
      exchange.recvs.push_back(recv);
    else if (auto barrier = dyn_cast<exec::SendBarrierOp>(*node);
             barrier && !barrier.getRound() && !exchange.sendBarrier)
      exchange.sendBarrier = barrier;
    else if (auto barrier = dyn_cast<exec::FetchBarrierOp>(*node);
             barrier && !barrier.getRound() && !exchange.fetchBarrier)
      exchange.fetchBarrier = barrier;
    else
      return false;
  }
  return exchange.sendBarrier && exchange.fetchBarrier;
}

/// Whether nothing but the exchange waits for its pushes and its barriers.
bool isClosed(StepExchange &exchange) {
  auto isOfExchange = [&](Operation *user) {
    return isa<exec::RecvOp>(user) || user == exchange.sendBarrier ||
           user == exchange.fetchBarrier;
  };
  return llvm::all_of(exchange.sends,
                      [&](exec::SendOp send) {
                        return llvm::all_of(send.getDone().getUsers(),
                                            isOfExchange);
                      }) &&
         llvm::all_of(exchange.sendBarrier.getDone().getUsers(),
                      isOfExchange) &&
         exchange.fetchBarrier.getDone().use_empty();
}

/// Whether each of the barriers' pservers has some of the exchange, and none
/// too much: one that has nothing would not know where steps end.
bool servesAll(StepExchange &exchange) {
  struct Load {
    int64_t bytes = 0;
    size_t blocks = 0;
  };
  llvm::MapVector<Attribute, Load> loads;
  for (Pair &pair : exchange.pairs) {
    Load &load = loads[pair.recv.getServerAttr()];
    load.bytes += pair.bytes;
    load.blocks += pair.parts.size();
  }
  for (ArrayAttr servers :
       {exchange.sendBarrier.getServers(), exchange.fetchBarrier.getServers()})
    for (Attribute server : servers)
      if (!loads.contains(server))
        return false;
  return llvm::all_of(loads, [](const auto &each) {
    return each.second.bytes <= maxBytesPerServer &&
           each.second.blocks <= maxBlocksPerServer;
  });
}

/// Which nodes besides those of the exchange touch a piece of memory, by their
/// places in the program.
class UsesOutsideExchange {
public:
  explicit UsesOutsideExchange(exec::ProgramOp program) {
    unsigned place = 0;
    for (Operation &op : program.getBody().getOps()) {
      places[&op] = place++;
      auto node = dyn_cast<exec::NodeOpInterface>(op);
      if (!node || node->hasTrait<exec::InExchange>())
        continue;
      for (const Span &span : getSpans(node)) {
        touched[span.piece].push_back(places[&op]);
        if (span.write)
          lastWritten[span.piece] = places[&op];
      }
    }
  }

  /// Whether a node behind `op` writes what `op` touches.
  bool writesBehind(exec::NodeOpInterface op) const {
    return llvm::any_of(getSpans(op), [&](const Span &span) {
      auto last = lastWritten.find(span.piece);
      return last != lastWritten.end() && last->second > places.lookup(op);
    });
  }
  /// Whether a node between `begin` and `op` touches what `op` does.
  bool touchesBetween(Operation *begin, exec::NodeOpInterface op) const {
    return llvm::any_of(getSpans(op), [&](const Span &span) {
      auto uses = touched.find(span.piece);
      if (uses == touched.end())
        return false;
      auto next = llvm::upper_bound(uses->second, places.lookup(begin));
      return next != uses->second.end() && *next < places.lookup(op);
    });
  }

private:
  DenseMap<Operation *, unsigned> places;
  /// In ascending order.
  DenseMap<void *, SmallVector<unsigned, 2>> touched;
  DenseMap<void *, unsigned> lastWritten;
};

/// Whether what `pair` pushes is the same at the place of its recv.
bool mayPushLater(const Pair &pair, const UsesOutsideExchange &others) {
  return llvm::all_of(pair.parts, [&](Pushed part) {
    // What the caller or another pull changes is pushed at its own time.
    return isa<exec::BufferOp>(getStorage(part.gradient())) &&
           !others.writesBehind(part.send);
  });
}

std::optional<StepExchange> collect(exec::ProgramOp program,
                                    const UsesOutsideExchange &others) {
  StepExchange exchange;
  if (program.getEvery() || program.getThen() ||
      !findTransfers(program, exchange))
    return std::nullopt;
  PushedBlocks pushed;
  for (exec::SendOp send : exchange.sends)
    for (auto [i, block] : llvm::enumerate(send.getBlocks()))
      pushed[block] = {send, static_cast<unsigned>(i)};
  for (exec::RecvOp recv : exchange.recvs) {
    std::optional<Pair> pair = pairUp(recv, pushed);
    if (!pair || !mayPushLater(*pair, others))
      return std::nullopt;
    exchange.pairs.push_back(*std::move(pair));
  }
  if (!pushed.empty() || !isClosed(exchange) || !servesAll(exchange))
    return std::nullopt;
  return exchange;
}

/// What the push_pull of `pair` comes after: nodes outside of the exchange, and
/// other pulls.
void addTokens(const Pair &pair, llvm::SetVector<Value> &tokens) {
  for (Pushed part : pair.parts)
    tokens.insert(part.send.getAfter().begin(), part.send.getAfter().end());
  for (Value token : exec::RecvOp(pair.recv).getAfter())
    if (!isa<exec::SendOp, exec::SendBarrierOp>(token.getDefiningOp()))
      tokens.insert(token);
}

void combine(ArrayRef<Pair> group) {
  SmallVector<int64_t> offsets, rows;
  SmallVector<Value> gradients, variables;
  SmallVector<Attribute> blocks;
  llvm::SetVector<Value> tokens;
  for (Pair pair : group) {
    for (Pushed part : pair.parts)
      gradients.push_back(part.gradient());
    llvm::append_range(offsets, pair.recv.getRowOffsets());
    llvm::append_range(rows, pair.recv.getRows());
    llvm::append_range(variables, pair.recv.getBuffers());
    llvm::append_range(blocks, pair.recv.getBlocks());
    addTokens(pair, tokens);
  }
  exec::RecvOp first = group.front().recv;
  OpBuilder builder(first);
  auto combined = builder.create<exec::PushPullOp>(
      first.getLoc(), first.getDone().getType(), offsets, rows, gradients,
      variables, first.getServer(), builder.getArrayAttr(blocks),
      tokens.getArrayRef());
  for (Pair pair : group)
    pair.recv.getDone().replaceAllUsesWith(combined.getDone());
}

/// Whether all that `pair` comes after is there at `place`, and no node between
/// that and its own place touches what it pulls.
bool mayPullAt(Operation *place, const Pair &pair,
               const UsesOutsideExchange &others) {
  llvm::SetVector<Value> tokens;
  addTokens(pair, tokens);
  exec::NodeOpInterface recv = exec::RecvOp(pair.recv);
  return llvm::all_of(tokens,
                      [&](Value token) {
                        return token.getDefiningOp()->isBeforeInBlock(place);
                      }) &&
         !others.touchesBetween(place, recv);
}

/// Pairs that become one op.
struct Group {
  SmallVector<Pair> pairs;
  int64_t bytes = 0;

  bool mayTake(const Pair &pair, const UsesOutsideExchange &others) const {
    return bytes + pair.bytes <= maxBytesOfGroup &&
           mayPullAt(exec::RecvOp(pairs.front().recv), pair, others);
  }
};

SmallVector<Group> group(const StepExchange &exchange, int64_t small,
                         const UsesOutsideExchange &others) {
  SmallVector<Group> groups;
  /// The group of each pserver that takes small blocks.
  llvm::DenseMap<Attribute, size_t> open;
  for (Pair pair : exchange.pairs) {
    const bool shares = pair.bytes <= small;
    Attribute server = pair.recv.getServerAttr();
    auto found = open.find(server);
    if (shares && found != open.end() &&
        groups[found->second].mayTake(pair, others)) {
      groups[found->second].bytes += pair.bytes;
      groups[found->second].pairs.push_back(std::move(pair));
      continue;
    }
    if (shares)
      open[server] = groups.size();
    const int64_t bytes = pair.bytes;
    groups.push_back({{std::move(pair)}, bytes});
  }
  return groups;
}

void PushPull::runOnOperation() {
  const UsesOutsideExchange others(getOperation());
  std::optional<StepExchange> exchange = collect(getOperation(), others);
  if (!exchange)
    return;
  for (const Group &each : group(*exchange, small, others))
    combine(each.pairs);
  exchange->fetchBarrier.erase();
  for (exec::RecvOp recv : exchange->recvs)
    recv.erase();
  exchange->sendBarrier.erase();
  for (exec::SendOp send : exchange->sends)
    send.erase();
}

} // namespace
