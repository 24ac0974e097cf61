// SPDX-License-Identifier: Apache-2.0
//===- Report.h - what a transpiled job costs -----------------------------===//
//
// Figures of a job that can be read off its programs: which program holds what,
// what crosses the network, what a step waits for. The order of everything
// follows the module.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_REPORT_REPORT_H
#define PS_COMPILER_REPORT_REPORT_H

#include "dialects/ps/PSDialect.h"

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace ps {

struct Report {
  /// A block of a pserver.
  struct Block {
    std::string name;
    SliceAttr slice;
    /// Bytes of the value.
    int64_t bytes;
    /// Bytes of the optimizer's slots and other state beside the value.
    int64_t stateBytes;
    std::string reason;

    /// "[0, 3)"
    std::string formatRows() const;
  };

  /// One program. Its memory is that of variables, of the state beside them,
  /// and of one copy of each gradient that it sends, receives or applies.
  /// Tables are not counted: see there. Activations, which depend on the batch
  /// size, and the buffers of the network are not counted.
  struct Program {
    std::string name;
    /// The blocks of a pserver; empty for the trainer.
    /// Empty where it is known at run time only.
    std::string endpoint;
    int64_t variableBytes = 0, stateBytes = 0, gradientBytes = 0;
    std::vector<Block> blocks;

    int64_t getHeldBytes() const { return variableBytes + stateBytes; }
    int64_t getPeakBytes() const { return getHeldBytes() + gradientBytes; }
  };

  /// What one trainer exchanges with a pserver in a step, on average where an
  /// exchange takes place after some steps only.
  struct Edge {
    std::string server;
    double sentBytes = 0, sentMessages = 0;
    double receivedBytes = 0, receivedMessages = 0;
  };

  /// What a trainer puts into all-reduces in a step.
  struct AllReduce {
    double bytes = 0, calls = 0;
  };

  /// A variable of the graph.
  struct Variable {
    std::string name, type;
    int64_t bytes;
    /// Programs, without repetition, and the reason of each block.
    std::vector<std::string> places, reasons;
  };

  /// A table of the graph. What it costs depends on the ids that training
  /// brings: only the bytes of a row are known.
  struct Table {
    std::string name, type, partition;
    /// The most rows, over all shards.
    int64_t maxRows;
    /// Bytes of a row's values, and of the optimizer's slots beside them.
    int64_t rowBytes, stateBytes;
    /// Programs that hold shards, in order.
    std::vector<std::string> places;
  };

  /// Ops of one program that wait for each other: `count` of them, the last
  /// one being `op`.
  struct Link {
    std::string program, op;
    int64_t count;
  };

  /// The module's symbol, or else the name of its file without the ending;
  /// empty where it has neither.
  std::string model;
  ClusterAttr cluster;
  Program trainer;
  std::vector<Program> servers;
  std::vector<Edge> edges; // one per server
  AllReduce allReduce;
  std::vector<Variable> variables;
  std::vector<Table> tables;
  /// The longest chain of ops of which each needs the one before.
  std::vector<Link> chain;

  /// The bytes that all pservers hold.
  int64_t getServedBytes() const;
  /// The part of them that `server` holds, from 0 to 1.
  double getShare(const Program &server) const;
  /// What the fullest pserver holds, over the mean; 1 is even. 0 without
  /// pservers.
  double getImbalance() const;
  int64_t getChainLength() const;
};

/// Reads the figures off `module`, which holds the programs of one job.
/// Fails, with a diagnostic, where there is no trainer.
mlir::FailureOr<Report> makeReport(mlir::ModuleOp module);

/// A sentence for each thing that an option of --ps-transpile would improve.
std::vector<std::string> makeAdvice(const Report &report);

void printText(const Report &report, llvm::raw_ostream &os);
/// As docs/Report.md describes it.
void printJson(const Report &report, llvm::raw_ostream &os);
/// One page that needs no other file.
void printHtml(const Report &report, llvm::raw_ostream &os);

/// `bytes` as people read them: "1.5 MiB".
std::string formatBytes(double bytes);

} // namespace ps

#endif // PS_COMPILER_REPORT_REPORT_H
