// SPDX-License-Identifier: Apache-2.0
//===- VerifyTables.cpp - prove that the ends of tables fit together ------===//
//
// Each id of a table belongs to one shard, by its hash or range. What is
// checked: all pservers hold a shard of the same table with the same update,
// the trainer names them in order, pushes to each exactly once, and updates
// copies of rows as the pservers update the rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/VerifyTables.h"

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

static StringAttr getPartitionName(TableOp table) {
  return StringAttr::get(table.getContext(),
                         stringifyIdPartition(table.getPartition()));
}

static StringAttr getWireName(TableOp table) {
  return StringAttr::get(
      table.getContext(),
      stringifyRowWire(table.getWire().value_or(RowWire::F32)));
}

/// A row is the same, comes and goes, travels and learns alike, whichever shard
/// holds it.
LogicalResult TableVerifier::checkShard(TableOp whole, HeldShard held,
                                        int64_t index) {
  TableOp table = held.table;
  int64_t count = trainer.getCluster().getPservers().size();
  ShardAttr shard = table.getShardAttr();
  if (shard.getIndex() != index || shard.getCount() != count)
    return table.emitOpError() << "is on pserver " << index << " of " << count
                               << ", so expects shard " << index << " of "
                               << count << ", found shard " << shard.getIndex()
                               << " of " << shard.getCount();
  for (StringAttr name :
       {table.getAccessorAttrName(), table.getAdmitCountAttrName(),
        table.getAdmitProbabilityAttrName(), table.getEvictAgeAttrName(),
        table.getCacheRowsAttrName(), table.getEvictEveryAttrName(),
        table.getEvictLruAttrName(), table.getRecoveredAttrName(),
        table.getTiersAttrName()})
    if (failed(checkSame(table, name, table->getAttr(name), whole,
                         whole->getAttr(name))))
      return failure();
  HeldShard first = shardsOf[table.getSymNameAttr()].front();
  if (failed(checkSame(table, "type", table.getTypeAttr(), whole,
                       whole.getTypeAttr())) ||
      failed(checkSame(table, "partition", getPartitionName(table), whole,
                       getPartitionName(whole))) ||
      failed(checkSame(table, "wire", getWireName(table), whole,
                       getWireName(whole))) ||
      failed(checkSame(table, "initial value", table.getInit(), whole,
                       whole.getInit())))
    return failure();
  // In mode geo rates are the trainers' (ServerUpdates.cpp).
  if (!isGeo() && failed(checkSame(table, "learning_rate_scale",
                                   table.getLearningRateScaleAttr(), whole,
                                   whole.getLearningRateScaleAttr())))
    return failure();
  return checkSameUpdate(held.apply, first.table, first.apply);
}

/// Whether `update` does what `expected` does to `table`.
LogicalResult TableVerifier::checkSameUpdate(ApplyRowsOp update, TableOp table,
                                             ApplyRowsOp expected) {
  if (failed(checkSame(update, "optimizer", update.getOptimizer(), table,
                       expected.getOptimizer())) ||
      failed(checkSame(update, "clip", update.getClipAttr(), table,
                       expected.getClipAttr())))
    return failure();
  return checkSame(update, "regularizer", update.getRegularizeAttr(), table,
                   expected.getRegularizeAttr());
}

LogicalResult
TableVerifier::checkShards(ProgramOp program,
                           llvm::MapVector<StringAttr, Server> &servers) {
  trainer = program;
  ArrayAttr names = trainer.getCluster().getPservers();
  for (auto server : names.getAsRange<FlatSymbolRefAttr>())
    for (auto &[name, held] : servers[server.getAttr()].tables)
      shardsOf[name].push_back(held);
  llvm::DenseMap<StringAttr, TableOp> tables;
  for (auto table : trainer.getOps<TableOp>())
    tables[table.getSymNameAttr()] = table;
  for (auto &[name, shards] : shardsOf) {
    TableOp whole = tables.lookup(name);
    if (!whole)
      return shards.front().table.emitOpError()
             << "is a shard of a table that '@" << trainer.getSymName()
             << "' does not declare";
    for (auto &[program, server] : servers) {
      if (server.tables.contains(name))
        continue;
      InFlightDiagnostic diag = whole.emitOpError()
                                << "has no shard on pserver '@"
                                << program.getValue()
                                << "', but others hold shards of it";
      diag.attachNote(shards.front().table.getLoc()) << "one is here";
      return diag;
    }
    for (auto [index, held] : llvm::enumerate(shards))
      if (failed(checkShard(whole, held, index)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The shard that has an id is known by its number among those of `op`.
template <typename TransferOp>
LogicalResult TableVerifier::checkShardsNamed(TransferOp op,
                                              StringRef preposition) {
  auto shards = shardsOf.find(op.getTableAttr().getAttr());
  if (shards == shardsOf.end())
    return op.emitOpError() << "names pservers, but none holds a shard of '"
                            << op.getTableAttr() << "'";
  ArrayAttr expected = trainer.getCluster().getPservers();
  if (op.getServersAttr() == expected)
    return success();
  InFlightDiagnostic diag = op.emitOpError()
                            << "expects the shards of '" << op.getTableAttr()
                            << "' in order, " << preposition << "(" << expected
                            << "), found " << op.getServersAttr();
  diag.attachNote(shards->second.front().table.getLoc())
      << "the first one is here";
  return diag;
}

LogicalResult TableVerifier::checkPrefetch(PrefetchOp prefetch) {
  auto shards = shardsOf.find(prefetch.getTableAttr().getAttr());
  if (isGeo() && prefetch.getServers())
    return prefetch.emitOpError()
           << "fetches rows of '" << prefetch.getTableAttr()
           << "' from pservers, but in mode=geo the trainer holds them";
  if (prefetch.getServers())
    return checkShardsNamed(prefetch, "from");
  if (isGeo() || shards == shardsOf.end())
    return success();
  InFlightDiagnostic diag = prefetch.emitOpError()
                            << "fetches rows of '" << prefetch.getTableAttr()
                            << "' from the trainer, but pservers hold them";
  diag.attachNote(shards->second.front().table.getLoc())
      << "the first shard is here";
  return diag;
}

/// Every table is fetched from and pushed to where it is, and pushed once.
LogicalResult TableVerifier::checkTransfers(ArrayRef<PrefetchOp> prefetches,
                                            ArrayRef<PushRowsOp> pushes) {
  for (PrefetchOp prefetch : prefetches)
    if (failed(checkPrefetch(prefetch)))
      return failure();
  llvm::DenseMap<StringAttr, PushRowsOp> pushed;
  for (PushRowsOp push : pushes) {
    if (failed(checkShardsNamed(push, "to")))
      return failure();
    auto [entry, inserted] =
        pushed.try_emplace(push.getTableAttr().getAttr(), push);
    if (inserted)
      continue;
    InFlightDiagnostic diag = push.emitOpError()
                              << "is the second gradient of a step for '"
                              << push.getTableAttr() << "'";
    diag.attachNote(entry->second.getLoc()) << "the first one is here";
    return diag;
  }
  for (auto &[name, shards] : shardsOf)
    if (!pushed.contains(name))
      return shards.front().update.emitOpError()
             << "gets no rows and would deadlock: no ps.push_rows of '@"
             << trainer.getSymName() << "' names its table";
  return success();
}

/// A trainer that keeps copies of rows (cache_rows) updates them with its own
/// gradient; the pservers do the same with all trainers'.
LogicalResult TableVerifier::checkCopies(ArrayRef<ApplyRowsOp> updates,
                                         ArrayRef<PushRowsOp> pushes) {
  if (isGeo()) // The rows are its own.
    return success();
  llvm::DenseMap<StringAttr, PushRowsOp> pushed;
  for (PushRowsOp push : pushes)
    pushed[push.getTableAttr().getAttr()] = push;
  llvm::DenseSet<StringAttr> updated;
  for (ApplyRowsOp update : updates) {
    StringAttr name = update.getTableAttr().getAttr();
    auto shards = shardsOf.find(name);
    HeldShard held =
        shards == shardsOf.end() ? HeldShard() : shards->second.front();
    if (!held.table || !held.table.getCacheRows())
      return update.emitOpError()
             << "belongs in a pserver program, found it in '@"
             << trainer.getSymName()
             << "', which keeps no copies of the table's rows (cache_rows)";
    PushRowsOp push = pushed.lookup(name);
    if (!push || push.getGradient() != update.getGradient() ||
        push->getBlock() != update->getBlock() || !updated.insert(name).second)
      return update.emitOpError()
             << "expects to update the copies of rows of '"
             << update.getTableAttr()
             << "' once, with the gradient that its ps.push_rows pushes";
    if (update.getRate())
      return update.emitOpError()
             << "has a rate, but the pservers follow the optimizer's schedule: "
                "expected none, so that the copies of rows of '"
             << update.getTableAttr() << "' do the same";
    if (failed(checkSameUpdate(update, held.table, held.apply)))
      return failure();
  }
  for (auto &[name, shards] : shardsOf)
    if (shards.front().table.getCacheRows() && !updated.contains(name))
      return pushed.lookup(name).emitOpError()
             << "pushes rows of which '@" << trainer.getSymName()
             << "' keeps copies (cache_rows), but no ps.apply_rows updates "
                "these";
  return success();
}
