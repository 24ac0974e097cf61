// SPDX-License-Identifier: Apache-2.0
//===- Program.cpp - a compiled program as a graph of nodes ---------------===//

#include "runtime/executor/Program.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace ps::runtime;

std::string ps::runtime::nameFeed(const std::string &feed, int worker) {
  return worker == 0 ? feed : absl::StrCat(feed, " (worker ", worker, ")");
}

bool ps::runtime::isTransfer(Node::Kind kind) {
  switch (kind) {
  case Node::Kind::Send:
  case Node::Kind::SendBarrier:
  case Node::Kind::Recv:
  case Node::Kind::FetchBarrier:
  case Node::Kind::PushPull:
  case Node::Kind::AllReduce:
  case Node::Kind::Broadcast:
  case Node::Kind::Prefetch:
  case Node::Kind::PushRows:
    return true;
  case Node::Kind::Kernel:
  case Node::Kind::Gemm:
  case Node::Kind::Check:
  case Node::Kind::ReadRows:
  case Node::Kind::Lookup:
  case Node::Kind::LookupGradient:
  case Node::Kind::LookupClicks:
  case Node::Kind::UpdateRows:
  case Node::Kind::Metric:
    return false;
  }
  return false;
}

std::string_view ps::runtime::kindName(Node::Kind kind) {
  switch (kind) {
  case Node::Kind::Kernel:
    return "kernel";
  case Node::Kind::Gemm:
    return "gemm";
  case Node::Kind::Send:
    return "send";
  case Node::Kind::SendBarrier:
    return "send_barrier";
  case Node::Kind::Recv:
    return "recv";
  case Node::Kind::FetchBarrier:
    return "fetch_barrier";
  case Node::Kind::PushPull:
    return "push_pull";
  case Node::Kind::AllReduce:
    return "all_reduce";
  case Node::Kind::Broadcast:
    return "broadcast";
  case Node::Kind::Check:
    return "check";
  case Node::Kind::ReadRows:
    return "read_rows";
  case Node::Kind::Prefetch:
    return "prefetch";
  case Node::Kind::Lookup:
    return "lookup";
  case Node::Kind::LookupGradient:
    return "lookup_gradient";
  case Node::Kind::LookupClicks:
    return "lookup_clicks";
  case Node::Kind::PushRows:
    return "push_rows";
  case Node::Kind::UpdateRows:
    return "update_rows";
  case Node::Kind::Metric:
    return "metric";
  }
  return "node";
}

std::shared_ptr<const Moment> Program::began() {
  if (!beginning)
    beginning = std::make_shared<Moment>();
  return beginning;
}

absl::Status Program::begin() {
  if (!beginning)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(*beginning, memoryDevice.moment());
  return absl::OkStatus();
}

NodeId Program::addNode(std::unique_ptr<Node> node,
                        std::span<const NodeId> after) {
  NodeId id = static_cast<NodeId>(nodes.size());
  nodes.push_back(std::move(node));
  next.emplace_back();
  pending.push_back(0);
  for (NodeId predecessor : after) {
    assert(predecessor >= 0 && predecessor < id && "node ids ascend");
    std::vector<NodeId> &successors = next[predecessor];
    if (!successors.empty() && successors.back() == id)
      continue;
    successors.push_back(id);
    ++pending[id];
  }
  return id;
}

void Program::carry(NodeId id, std::vector<NodeId> before) {
  assert(isTransfer(node(id).kind()) && "only transfers are late");
  carried.resize(size());
  assert(carried[id].empty() && "a node is carried once");
  if (std::ranges::find(before, id) == before.end())
    before.push_back(id);
  carried[id] = std::move(before);
  ++late;
}

absl::StatusOr<std::byte *> Program::ownMemory(size_t bytes,
                                               MemorySpace space) {
  ASSIGN_OR_RETURN(Buffer buffer, memoryDevice.allocate(space, bytes));
  memory.push_back(std::move(buffer));
  return memory.back().data();
}

RowBatch &Program::ownRows(DType dtype, int64_t width) {
  rows.push_back(std::make_unique<RowBatch>(dtype, width));
  return *rows.back();
}
