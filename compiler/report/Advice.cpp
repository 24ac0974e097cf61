// SPDX-License-Identifier: Apache-2.0
//===- Advice.cpp - what a report recommends to change --------------------===//
//
// Each rule names what it saw, and the option of --ps-transpile that changes
// it. Rules are silent about jobs so small that nothing would be won.
//
//===----------------------------------------------------------------------===//

#include "compiler/report/Report.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ps;

namespace {

/// Below it a pserver's memory and a step's traffic do not matter.
constexpr double smallBytes = 1 << 20;
/// Messages of more than this are not worth joining.
constexpr double smallMessage = 64 << 10;
constexpr double manyMessages = 32;
/// Traffic that is worth fewer bits on the network.
constexpr double largeTraffic = 64 << 20;

using Advice = std::vector<std::string>;

/// The part of what `server` holds that belongs to one variable, of the
/// variable with the most.
std::pair<llvm::StringRef, double> findLargest(const Report::Program &server) {
  llvm::MapVector<llvm::StringRef, double> bytesOf;
  for (const Report::Block &block : server.blocks)
    bytesOf[block.slice.getOrigin().getValue()] +=
        block.bytes + block.stateBytes;
  auto largest = llvm::max_element(bytesOf, llvm::less_second());
  return {largest->first, largest->second / server.getHeldBytes()};
}

void adviseOnImbalance(const Report &report, Advice &advice) {
  if (report.getImbalance() < 1.5)
    return;
  const Report::Program &fullest = *llvm::max_element(
      report.servers, [](const Report::Program &a, const Report::Program &b) {
        return a.getHeldBytes() < b.getHeldBytes();
      });
  if (fullest.getHeldBytes() < smallBytes)
    return;
  std::string holds =
      llvm::formatv("{0} holds {1:F0} % of the bytes", fullest.name,
                    100 * report.getShare(fullest));
  auto [name, part] = findLargest(fullest);
  if (part < 0.5)
    advice.push_back(holds + ": place blocks by their bytes "
                             "(split-method=SizeBalanced)");
  else
    advice.push_back(holds + ", most of them of '" + name.str() +
                     "': cut it into smaller blocks (slice-var-up=true, a "
                     "smaller min-block-size)");
}

void adviseOnEmptyServers(const Report &report, Advice &advice) {
  std::vector<std::string> empty;
  for (const Report::Program &server : report.servers) {
    auto isThere = [&](const Report::Table &table) {
      return llvm::is_contained(table.places, server.name);
    };
    if (server.blocks.empty() && llvm::none_of(report.tables, isThere))
      empty.push_back(server.name);
  }
  if (!empty.empty())
    advice.push_back(llvm::formatv(
        "{0} of {1} pservers hold nothing ({2}): use fewer pservers, or cut "
        "variables into smaller blocks (a smaller min-block-size)",
        empty.size(), report.servers.size(),
        empty.size() == 1 ? empty[0] : empty[0] + ", .."));
}

void adviseOnMessages(const Report &report, Advice &advice) {
  if (report.cluster.getBucketBytes() > 0)
    return;
  auto busy = llvm::find_if(report.edges, [](const Report::Edge &edge) {
    return edge.sentMessages >= manyMessages && edge.sentBytes >= smallBytes &&
           edge.sentBytes / edge.sentMessages <= smallMessage;
  });
  if (busy == report.edges.end())
    return;
  advice.push_back(llvm::formatv(
      "a trainer sends {0} messages a step to {1}, of {2} on average: "
      "bucket-bytes={3} sends small blocks together",
      static_cast<int64_t>(busy->sentMessages), busy->server,
      formatBytes(busy->sentBytes / busy->sentMessages),
      static_cast<int64_t>(16 * smallMessage)));
}

void adviseOnTraffic(const Report &report, Advice &advice) {
  double bytes = 0;
  for (const Report::Edge &edge : report.edges)
    bytes += edge.sentBytes + edge.receivedBytes;
  if (bytes < largeTraffic || report.cluster.getWire() != Wire::F32)
    return;
  advice.push_back(llvm::formatv(
      "a trainer exchanges {0} a step: wire=bf16 halves that and rounds what "
      "travels, accumulate=K exchanges after K batches only",
      formatBytes(bytes)));
}

} // namespace

std::vector<std::string> ps::makeAdvice(const Report &report) {
  Advice advice;
  adviseOnImbalance(report, advice);
  adviseOnEmptyServers(report, advice);
  adviseOnMessages(report, advice);
  adviseOnTraffic(report, advice);
  return advice;
}
