// SPDX-License-Identifier: Apache-2.0
//===- ReportText.cpp - a report as text and as JSON ----------------------===//
//
// The text rounds for people; the JSON gives bytes and counts as they are.
//
//===----------------------------------------------------------------------===//

#include "compiler/report/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace ps;

static std::string describeJob(const Report &report) {
  ClusterAttr cluster = report.cluster;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto plural = [&](int64_t count, llvm::StringRef what) {
    os << ", " << count << " " << what << (count == 1 ? "" : "s");
  };
  os << "mode " << stringifyMode(cluster.getMode());
  plural(cluster.getTrainers(), "trainer");
  plural(report.servers.size(), "pserver");
  if (cluster.getAccumulate() > 1)
    os << ", accumulate " << cluster.getAccumulate();
  if (cluster.getGeoSteps() > 0)
    os << ", geo-steps " << cluster.getGeoSteps();
  if (cluster.getBucketBytes() > 0)
    os << ", bucket-bytes " << cluster.getBucketBytes();
  os << ", wire " << stringifyWire(cluster.getWire());
  return os.str();
}

static void printMemory(const Report::Program &program, llvm::raw_ostream &os) {
  os << "  " << program.name << ": " << formatBytes(program.getPeakBytes())
     << " = variables " << formatBytes(program.variableBytes) << " + state "
     << formatBytes(program.stateBytes) << " + gradients "
     << formatBytes(program.gradientBytes) << "\n";
}

void ps::printText(const Report &report, llvm::raw_ostream &os) {
  os << "job: ";
  if (!report.model.empty())
    os << report.model << ", ";
  os << describeJob(report) << "\n";
  for (const std::string &advice : makeAdvice(report))
    os << "advice: " << advice << "\n";

  if (!report.servers.empty())
    os << "\npservers: " << formatBytes(report.getServedBytes())
       << " of values and state, the fullest holds "
       << llvm::format("%.2f", report.getImbalance()) << " times the mean\n";
  for (const Report::Program &server : report.servers) {
    os << "  " << server.name << (server.endpoint.empty() ? "" : " ")
       << server.endpoint << ": " << server.blocks.size() << " blocks, "
       << formatBytes(server.getHeldBytes()) << ", "
       << llvm::format("%.1f", 100 * report.getShare(server)) << " %\n";
    for (const Report::Block &block : server.blocks)
      os << "    " << block.name << " rows " << block.formatRows() << " "
         << formatBytes(block.bytes) << " + " << formatBytes(block.stateBytes)
         << "\n";
  }

  os << "\ntraffic of a trainer in a step, without barriers:\n";
  for (const Report::Edge &edge : report.edges)
    os << "  " << edge.server << ": sends " << formatBytes(edge.sentBytes)
       << " in " << llvm::format("%g", edge.sentMessages) << " messages, gets "
       << formatBytes(edge.receivedBytes) << " in "
       << llvm::format("%g", edge.receivedMessages) << "\n";
  if (report.allReduce.calls > 0)
    os << "  all_reduce: " << formatBytes(report.allReduce.bytes) << " in "
       << llvm::format("%g", report.allReduce.calls) << " calls\n";

  os << "\npeak memory, without activations and buffers of the network:\n";
  printMemory(report.trainer, os);
  for (const Report::Program &server : report.servers)
    printMemory(server, os);

  os << "\nlongest chain: " << report.getChainLength() << " ops\n";
  for (const Report::Link &link : report.chain) {
    os << "  " << link.program << ": ";
    if (link.count > 1)
      os << link.count << " ops, to ";
    os << link.op << "\n";
  }

  os << "\nvariables:\n";
  for (const Report::Variable &variable : report.variables) {
    os << "  " << variable.name << " " << variable.type << " on ";
    llvm::interleaveComma(variable.places, os);
    os << "\n";
    for (const std::string &reason : variable.reasons)
      os << "    " << reason << "\n";
  }
  if (report.tables.empty())
    return;
  os << "\ntables, whose memory and traffic depend on the ids and are not "
        "counted above:\n";
  for (const Report::Table &table : report.tables) {
    os << "  " << table.name << " " << table.type << " on ";
    llvm::interleaveComma(table.places, os);
    os << "\n    " << formatBytes(table.rowBytes) << " + "
       << formatBytes(table.stateBytes) << " per row, at most " << table.maxRows
       << " rows, ids by " << table.partition << "\n";
  }
}

static void writeMemory(const Report::Program &program,
                        llvm::json::OStream &json) {
  json.attributeObject("peak_memory", [&] {
    json.attribute("variables", program.variableBytes);
    json.attribute("state", program.stateBytes);
    json.attribute("gradients", program.gradientBytes);
    json.attribute("total", program.getPeakBytes());
  });
}

static void writeServer(const Report &report, size_t index,
                        llvm::json::OStream &json) {
  const Report::Program &server = report.servers[index];
  const Report::Edge &edge = report.edges[index];
  json.attribute("name", server.name);
  json.attribute("endpoint", server.endpoint);
  json.attribute("bytes", server.getHeldBytes());
  json.attribute("share", report.getShare(server));
  writeMemory(server, json);
  json.attributeObject("per_step_and_trainer", [&] {
    json.attribute("sent_bytes", edge.sentBytes);
    json.attribute("sent_messages", edge.sentMessages);
    json.attribute("received_bytes", edge.receivedBytes);
    json.attribute("received_messages", edge.receivedMessages);
  });
  json.attributeArray("blocks", [&] {
    for (const Report::Block &block : server.blocks)
      json.object([&] {
        json.attribute("name", block.name);
        json.attribute("variable", block.slice.getOrigin().getValue());
        json.attribute("row_offset", block.slice.getRowOffset());
        json.attribute("rows", block.slice.getRows());
        json.attribute("bytes", block.bytes);
        json.attribute("state_bytes", block.stateBytes);
        json.attribute("reason", block.reason);
      });
  });
}

static void writeJob(const Report &report, llvm::json::OStream &json) {
  ClusterAttr cluster = report.cluster;
  json.attribute("model", report.model);
  json.attribute("mode", stringifyMode(cluster.getMode()));
  json.attribute("trainers", cluster.getTrainers());
  json.attribute("accumulate", cluster.getAccumulate());
  json.attribute("geo_steps", cluster.getGeoSteps());
  json.attribute("bucket_bytes", cluster.getBucketBytes());
  json.attribute("wire", stringifyWire(cluster.getWire()));
  json.attribute("hash", cluster.getHash().getValue());
}

static void writeVariable(const Report::Variable &variable,
                          llvm::json::OStream &json) {
  json.attribute("name", variable.name);
  json.attribute("type", variable.type);
  json.attribute("bytes", variable.bytes);
  json.attribute("places", llvm::json::Array(variable.places));
  json.attribute("reasons", llvm::json::Array(variable.reasons));
}

static void writeTable(const Report::Table &table, llvm::json::OStream &json) {
  json.attribute("name", table.name);
  json.attribute("type", table.type);
  json.attribute("partition", table.partition);
  json.attribute("max_rows", table.maxRows);
  json.attribute("row_bytes", table.rowBytes);
  json.attribute("row_state_bytes", table.stateBytes);
  json.attribute("places", llvm::json::Array(table.places));
}

void ps::printJson(const Report &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeObject("job", [&] { writeJob(report, json); });
    json.attribute("advice", llvm::json::Array(makeAdvice(report)));
    json.attribute("imbalance", report.getImbalance());
    json.attributeObject("trainer", [&] { writeMemory(report.trainer, json); });
    json.attributeArray("pservers", [&] {
      for (size_t i = 0; i < report.servers.size(); ++i)
        json.object([&] { writeServer(report, i, json); });
    });
    json.attributeObject("all_reduce_per_step", [&] {
      json.attribute("bytes", report.allReduce.bytes);
      json.attribute("calls", report.allReduce.calls);
    });
    json.attributeObject("longest_chain", [&] {
      json.attribute("ops", report.getChainLength());
      json.attributeArray("links", [&] {
        for (const Report::Link &link : report.chain)
          json.object([&] {
            json.attribute("program", link.program);
            json.attribute("ops", link.count);
            json.attribute("last", link.op);
          });
      });
    });
    json.attributeArray("variables", [&] {
      for (const Report::Variable &variable : report.variables)
        json.object([&] { writeVariable(variable, json); });
    });
    json.attributeArray("tables", [&] {
      for (const Report::Table &table : report.tables)
        json.object([&] { writeTable(table, json); });
    });
  });
  os << "\n";
}
