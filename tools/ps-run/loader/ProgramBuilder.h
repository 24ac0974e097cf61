// SPDX-License-Identifier: Apache-2.0
//===- ProgramBuilder.h - from an exec.program to runtime nodes -----------===//
//
// Inside of the loader.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_PROGRAMBUILDER_H
#define PS_TOOLS_PS_RUN_LOADER_PROGRAMBUILDER_H

#include "compiler/kernels/Jit.h"
#include "dialects/exec/ExecDialect.h"
#include "runtime/nodes/DeviceNodes.h"
#include "runtime/nodes/HbmNodes.h"
#include "runtime/nodes/RowNodes.h"
#include "runtime/nodes/TransferNodes.h"
#include "tools/ps-run/loader/Loader.h"
#include <map>
#include <string>

namespace ps {

/// A kernel's code, and its type before it was lowered.
struct LoadedKernel {
  /// For the host, or for the device that its launches run on.
  CompiledKernel code;
  std::shared_ptr<const runtime::DeviceKernel> deviceCode;
  /// For rows of tables that the device has: see ps-index-gpu-rows.
  std::shared_ptr<const runtime::DeviceKernel> rowCode;
  mlir::FunctionType type;
};
using KernelMap = std::map<std::string, LoadedKernel>;

/// The update of one row, with the memory that it uses on all rows.
struct LoadedRowUpdate {
  std::unique_ptr<runtime::Program> memory;
  std::optional<runtime::RowUpdate> update;
  /// Where it reads the learning rate; no data if it needs none.
  runtime::TensorRef rate;
};

/// The update of rows that a device has, with the memory that it uses there.
struct LoadedHbmUpdate {
  /// Where it reads the learning rate; null if it needs none.
  std::shared_ptr<runtime::DeviceArray> rate;
  std::vector<std::shared_ptr<runtime::DeviceArray>> constants;
  /// What its steps run.
  std::vector<std::shared_ptr<const runtime::DeviceKernel>> kernels;
  std::unique_ptr<runtime::HbmUpdate> update;
  /// While it is built.
  const runtime::RowFunctions *functions = nullptr;
  size_t scratchBytes = 0;
};

/// The name under which the caller fills `feed`.
template <typename FeedOp>
std::string nameFeed(FeedOp feed) {
  return runtime::nameFeed(feed.getFeed().str(), feed.getWorker().value_or(0));
}

/// Builds what runs one exec.program; used once.
class ProgramBuilder {
public:
  ProgramBuilder(exec::ProgramOp op, const KernelMap &kernels,
                 const Binding &binding)
      : op(op), kernels(kernels), binding(binding),
        program(std::make_unique<runtime::Program>(*binding.device)) {}

  absl::StatusOr<CompiledProgram> build();
  /// For a program that updates one row of a table.
  absl::StatusOr<LoadedRowUpdate>
  buildRowUpdate(const runtime::TableSpec &table);
  /// As buildRowUpdate(), for rows that a device has.
  absl::StatusOr<LoadedHbmUpdate> buildHbmUpdate(runtime::HbmRows &rows);

private:
  absl::Status placeArenas();
  absl::Status checkSpaces(exec::NodeOpInterface node);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  trace(exec::NodeOpInterface node,
        absl::StatusOr<std::unique_ptr<runtime::Node>> made);
  /// Has the trace show how much `node`, made for `op`, carries.
  void measure(mlir::Operation *op, const runtime::Node &node);
  absl::Status place(mlir::Operation *memory);
  absl::Status placeVariable(exec::VariableOp variable);
  absl::Status placeInRow(exec::VariableOp variable);
  absl::Status placeConstant(exec::ConstantOp constant);
  absl::Status placeFeed(exec::FeedOp feed);
  absl::Status placeFeed(exec::RaggedFeedOp feed);
  template <typename FeedOp>
  absl::StatusOr<std::string> takeName(FeedOp feed);
  absl::StatusOr<std::byte *> own(mlir::Value buffer);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeNode(mlir::Operation *node);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeTransfer(mlir::Operation *node);
  absl::StatusOr<runtime::KernelCall> makeCall(llvm::StringRef kernel,
                                               std::optional<int64_t> rows,
                                               mlir::ValueRange inputs,
                                               mlir::ValueRange outputs);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeLaunch(exec::LaunchOp launch);
  absl::StatusOr<runtime::DeviceCall> makeDeviceCall(llvm::StringRef kernel,
                                                     int64_t rows,
                                                     mlir::ValueRange inputs,
                                                     mlir::ValueRange outputs);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeDeviceLaunch(exec::LaunchOp launch);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeDeviceProduct(exec::GemmOp gemm);
  absl::StatusOr<std::unique_ptr<runtime::Node>> makeGemm(exec::GemmOp gemm);
  std::unique_ptr<runtime::Node> makeConvolution(exec::ConvolutionOp op);
  std::unique_ptr<runtime::Node> makeCheck(exec::CheckOp check);
  std::unique_ptr<runtime::Node> makeMetric(exec::MetricOp metric);
  absl::StatusOr<runtime::Client *> findClient(llvm::StringRef server);
  absl::StatusOr<std::vector<runtime::Client *>>
  findClients(mlir::ArrayAttr servers);
  runtime::TensorRef getRef(mlir::Value buffer) const;
  absl::Status placeRows(exec::RowsOp rows);
  absl::Status placeHbmRows(exec::RowsOp rows);
  /// Null where the rows are on the host.
  std::shared_ptr<runtime::HbmBatch> findHbmBatch(mlir::Value rows) const;
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeHbmUpdate(exec::UpdateRowsOp update);
  absl::Status bindRowImage(const runtime::TableSpec &table);
  absl::StatusOr<runtime::HbmBuffer> bindInRow(mlir::Value value,
                                               LoadedHbmUpdate &update);
  absl::Status addHbmSteps(mlir::Operation *node, LoadedHbmUpdate &update,
                           std::vector<runtime::HbmStep> &steps);
  runtime::ListRef getList(mlir::Value list) const;
  absl::StatusOr<runtime::Table *> findTable(llvm::StringRef name);
  absl::StatusOr<runtime::RowSource *> findRowSource();
  absl::StatusOr<runtime::ExchangedTable *> findExchanged(llvm::StringRef name);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeExchange(mlir::Operation *node);
  void noteFedLookups(exec::PrefetchOp prefetch,
                      const runtime::PrefetchCall &call);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makePrefetch(exec::PrefetchOp prefetch);
  std::unique_ptr<runtime::Node> makeLookup(exec::LookupOp op);
  std::unique_ptr<runtime::Node> makeLookup(exec::LookupGradientOp op);
  std::unique_ptr<runtime::Node> makeLookup(exec::LookupClicksOp op);
  template <typename LookupOp>
  runtime::LookupCall makeLookupCall(LookupOp op);
  template <typename VectorsOp>
  runtime::VectorsRef getVectors(VectorsOp op);
  std::unique_ptr<runtime::Node> makeLookupDot(exec::LookupDotOp op);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeLookupUpdate(exec::LookupUpdateOp update);
  runtime::ExchangedTable *exchangedOrNull(const std::string &name) const;
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makePushRows(exec::PushRowsOp push);
  absl::StatusOr<std::unique_ptr<runtime::Node>>
  makeUpdateRows(exec::UpdateRowsOp update);
  absl::StatusOr<std::shared_ptr<LoadedRowUpdate>>
  loadRowUpdate(llvm::StringRef function, const runtime::TableSpec &table);
  absl::StatusOr<runtime::RowStep> makeRowStep(mlir::Operation *node);
  /// The bytes of some rows of `buffer`.
  std::span<std::byte> getRows(mlir::Value buffer, int64_t offset,
                               int64_t rows);
  template <typename Part, typename TransferOp>
  std::vector<Part> getParts(TransferOp op, mlir::ValueRange buffers);
  absl::StatusOr<runtime::Communicator *> findCommunicator();
  /// All bytes of `buffer`.
  std::span<std::byte> getBytes(mlir::Value buffer);
  std::vector<runtime::ReducePart> getReduceParts(exec::AllReduceOp op);
  runtime::Exchange getExchange(int64_t round) const {
    return {binding.rounds, static_cast<int>(round)};
  }
  /// Whether `copy` reaches from one memory space to another.
  static bool isTransfer(exec::CopyOp copy);
  bool leavesWorkQueued(exec::NodeOpInterface node) const;
  void findPlaces();
  void findPlaces(exec::CopyOp transfer);
  std::unique_ptr<runtime::Node> makeTransfer(exec::CopyOp copy);
  absl::StatusOr<std::vector<std::unique_ptr<runtime::Node>>>
  makeNodes(mlir::ArrayRef<exec::NodeOpInterface> ops);
  absl::Status addNode(mlir::ArrayRef<exec::NodeOpInterface> ops);
  void carryLate();
  MemoryPlan describeMemory();

  exec::ProgramOp op;
  const KernelMap &kernels;
  const Binding &binding;
  std::unique_ptr<runtime::Program> program;
  std::vector<FedLookups> fedLookups;
  std::map<exec::MemorySpace, std::byte *> arenas;
  llvm::DenseMap<mlir::Value, std::byte *> memory;
  llvm::DenseMap<mlir::Value, runtime::RowBatch *> batches; // of exec.rows
  llvm::DenseMap<mlir::Value, std::shared_ptr<runtime::HbmBatch>> hbmBatches;
  /// Temporaries besides the arena.
  std::vector<std::span<std::byte>> scratches;
  /// Where a row's update is built: the row that it is bound to.
  const runtime::TableSpec *rowTable = nullptr;
  runtime::RowLayout rowLayout;
  std::byte *row = nullptr;
  llvm::DenseMap<mlir::Value, runtime::NodeId> makers; // of tokens
  /// The graphs of a device's nodes, and their nodes.
  llvm::DenseMap<mlir::Operation *, exec::GraphOp> graphs;
  llvm::DenseMap<mlir::Operation *, std::vector<exec::NodeOpInterface>> members;
  /// Where nodes are in the device's queue, by the first node of a graph; and
  /// for each transfer the places that it comes after.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<runtime::Moment>> places;
  llvm::DenseMap<mlir::Operation *,
                 std::vector<std::shared_ptr<const runtime::Moment>>>
      placesBefore;
};

/// Builds the nodes of `program` and allocates their memory. The code in
/// `kernels` outlives the result.
absl::StatusOr<CompiledProgram> buildProgram(exec::ProgramOp program,
                                             const KernelMap &kernels,
                                             const Binding &binding);

/// The runtime's element type for an element type of tensors.
runtime::DType getDType(mlir::Type elementType);
/// A `?` becomes -1.
runtime::TensorType getTensorType(mlir::ShapedType type);
/// "file:line:column", or what else is known.
std::string formatLocation(mlir::Location location);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_PROGRAMBUILDER_H
