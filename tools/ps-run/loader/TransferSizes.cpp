// SPDX-License-Identifier: Apache-2.0
//===- TransferSizes.cpp - how many bytes transfers carry -----------------===//
//
// For traces. Of dense blocks it is known when the program is built; how many
// rows a step has, only when they are sent. Headers, and what a link makes of
// the bytes, are not counted.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/ProgramBuilder.h"

using namespace mlir;
using namespace ps;

using runtime::TransferSize;

/// The ids and the values of all rows.
static int64_t countIds(const runtime::RowBatch &rows) {
  return rows.size() * static_cast<int64_t>(sizeof(int64_t));
}
static int64_t countValues(const runtime::RowBatch &rows) {
  return rows.size() * static_cast<int64_t>(rows.rowBytes());
}

void ProgramBuilder::measure(Operation *op, const runtime::Node &node) {
  auto sum = [&](auto transfer, ValueRange buffers) {
    int64_t bytes = 0;
    for (auto [buffer, offset, rows] :
         llvm::zip_equal(buffers, transfer.getRowOffsets(), transfer.getRows()))
      bytes += static_cast<int64_t>(getRows(buffer, offset, rows).size());
    return bytes;
  };
  auto note = [&](TransferSize size) {
    binding.trace->measure(&node, [size] { return size; });
  };
  if (auto send = dyn_cast<exec::SendOp>(op))
    note({.sent = sum(send, send.getBuffers())});
  else if (auto recv = dyn_cast<exec::RecvOp>(op))
    note({.received = sum(recv, recv.getBuffers())});
  else if (auto both = dyn_cast<exec::PushPullOp>(op))
    note({sum(both, both.getGradients()), sum(both, both.getVariables())});
  if (auto prefetch = dyn_cast<exec::PrefetchOp>(op);
      prefetch && prefetch.getServers())
    binding.trace->measure(&node, [rows = batches.lookup(prefetch.getRows())] {
      return TransferSize{countIds(*rows), countValues(*rows)};
    });
  else if (auto push = dyn_cast<exec::PushRowsOp>(op))
    binding.trace->measure(&node, [rows = batches.lookup(push.getRows())] {
      return TransferSize{countIds(*rows) + countValues(*rows), 0};
    });
}
