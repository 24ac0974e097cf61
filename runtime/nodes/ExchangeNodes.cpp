// SPDX-License-Identifier: Apache-2.0
//===- ExchangeNodes.cpp - nodes that exchange rows trainers hold ---------===//

#include "runtime/nodes/ExchangeNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/executor/FunctionNode.h"

using namespace ps::runtime;

static std::string nameNode(const char *what, ExchangedTable &table) {
  return absl::StrCat(what, " @", table.rows().spec().name);
}

std::unique_ptr<Node> ps::runtime::makeCollectChangesNode(RowBatch &rows,
                                                          ExchangedTable &table,
                                                          TensorRef parts) {
  return makeNode(Node::Kind::ReadRows, nameNode("collect changes", table),
                  [&rows, &table, parts](StepContext &context) {
                    const double number = parts.type.dtype == DType::F64
                                              ? *parts.as<double>()
                                              : *parts.as<float>();
                    return table.collect(number, rows, ParallelStep{context});
                  });
}

std::unique_ptr<Node> ps::runtime::makePullChangesNode(ExchangedTable &table,
                                                       Exchange exchange) {
  return makeNode(Node::Kind::Prefetch, nameNode("pull changes", table),
                  [&table, exchange](StepContext &context, Done done) {
                    table.pull(exchange.at(context.step()), std::move(done));
                  });
}

std::unique_ptr<Node> ps::runtime::makeMergeChangesNode(ExchangedTable &table) {
  return makeNode(Node::Kind::UpdateRows, nameNode("merge changes", table),
                  [&table](StepContext &context) {
                    return table.merge(ParallelStep{context});
                  });
}
