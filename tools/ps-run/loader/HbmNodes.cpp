// SPDX-License-Identifier: Apache-2.0
//===- HbmNodes.cpp - nodes for rows that a device has --------------------===//
//
// The program that updates one row is bound to an image of a row, as for rows
// on the host; where its buffers lie in the image is what the device's
// functions are given, to find them in every row.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmNodes.h"
#include "absl/strings/str_cat.h"
#include "compiler/exec/Storage.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/nodes/HbmFedNodes.h"
#include "tools/ps-run/loader/ProgramBuilder.h"

using namespace mlir;
using namespace ps;
using runtime::HbmBuffer;

std::shared_ptr<runtime::HbmBatch>
ProgramBuilder::findHbmBatch(Value rows) const {
  return hbmBatches.lookup(rows);
}

absl::Status ProgramBuilder::placeHbmRows(exec::RowsOp rows) {
  auto found = binding.hbm.find(rows.getTable().str());
  if (found == binding.hbm.end())
    return absl::InternalError(
        absl::StrCat(formatLocation(rows.getLoc()), ": device '",
                     std::string(program->device().name()),
                     "' has no rows of table '@", rows.getTable().str(), "'"));
  hbmBatches[rows] = std::make_shared<runtime::HbmBatch>(*batches.lookup(rows),
                                                         *found->second);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeHbmUpdate(exec::UpdateRowsOp update) {
  std::shared_ptr<runtime::HbmBatch> batch = findHbmBatch(update.getRows());
  auto function = op->getParentOfType<ModuleOp>().lookupSymbol<exec::ProgramOp>(
      update.getFunction());
  ASSIGN_OR_RETURN(
      LoadedHbmUpdate built,
      ProgramBuilder(function, kernels, binding).buildHbmUpdate(batch->rows));
  runtime::HbmUpdateCall call;
  if (update.getRate())
    call.rate = getRef(update.getRate());
  // The update reads what the others of `built` have.
  auto held = std::make_shared<LoadedHbmUpdate>(std::move(built));
  call.update = std::shared_ptr<runtime::HbmUpdate>(held, held->update.get());
  if (call.rate.data)
    call.rateInput = held->rate;
  if (batch->rows.table().clicks().isKept()) {
    ASSIGN_OR_RETURN(call.clicks, runtime::HbmClicks::create(batch->rows));
  }
  // A pserver is fed the gradients of rows.
  if (update.getRows().getDefiningOp<exec::RowsOp>().getFeed())
    return runtime::makeHbmFedUpdateNode(std::move(call), batch->batch,
                                         batch->rows);
  return runtime::makeHbmUpdateNode(std::move(call), std::move(batch));
}

/// How far `pointer` is from the begin of `memory`, if it points into it.
static std::optional<size_t> offsetIn(std::span<const std::byte> memory,
                                      const std::byte *pointer) {
  if (pointer < memory.data() || pointer >= memory.data() + memory.size())
    return std::nullopt;
  return static_cast<size_t>(pointer - memory.data());
}

/// What is neither a row's own nor fed for each row is copied to the device.
absl::StatusOr<HbmBuffer> ProgramBuilder::bindInRow(Value value,
                                                    LoadedHbmUpdate &update) {
  const runtime::TensorRef ref = getRef(value);
  if (auto offset = offsetIn({row, rowLayout.bytes}, ref.data))
    return HbmBuffer{HbmBuffer::Kind::Row, *offset, nullptr};
  const runtime::TensorRef &gradient = program->feeds.at("grad");
  if (auto offset = offsetIn({gradient.data, gradient.type.bytes()}, ref.data))
    return HbmBuffer{HbmBuffer::Kind::Gradient, *offset, nullptr};
  if (auto offset = offsetIn(scratches.front(), ref.data))
    return HbmBuffer{HbmBuffer::Kind::Scratch, *offset, nullptr};
  auto array = std::make_shared<runtime::DeviceArray>(program->device());
  RETURN_IF_ERROR(runtime::await([&](runtime::Done done) {
    array->fill(std::span<const std::byte>(ref.data, ref.type.bytes()),
                std::move(done));
  }));
  auto rate = program->feeds.find("rate");
  if (rate != program->feeds.end() && rate->second.data == ref.data) {
    if (!update.rate)
      update.rate = array;
    return HbmBuffer{HbmBuffer::Kind::Shared, 0, update.rate->data()};
  }
  update.constants.push_back(array);
  return HbmBuffer{HbmBuffer::Kind::Shared, 0, array->data()};
}

/// As `function`, which works on `rows` rows of its buffers, with a point for
/// each thread that a row of the table needs: whole blocks, unless a thread
/// does no more than a point of its own.
static runtime::DeviceFunction
getFunctionOfRow(const runtime::DeviceFunction &function, int64_t rows) {
  const int64_t points = function.points * (function.perRow ? rows : 1);
  const bool isAlone =
      function.pointsPerBlock >= function.threads && points <= function.threads;
  runtime::DeviceFunction ofRow = function;
  ofRow.points = isAlone ? points : function.numBlocks(rows) * function.threads;
  ofRow.perRow = true;
  ofRow.pointsPerBlock = function.threads;
  return ofRow;
}

absl::Status ProgramBuilder::addHbmSteps(Operation *node,
                                         LoadedHbmUpdate &update,
                                         std::vector<runtime::HbmStep> &steps) {
  if (auto copy = dyn_cast<exec::CopyOp>(node)) {
    ASSIGN_OR_RETURN(HbmBuffer to, bindInRow(copy.getTarget(), update));
    ASSIGN_OR_RETURN(HbmBuffer from, bindInRow(copy.getSource(), update));
    steps.push_back(runtime::makeCopyInRows(
        *update.functions, to, from,
        exec::getByteSize(cast<ShapedType>(copy.getSource().getType()))));
    return absl::OkStatus();
  }
  auto launch = dyn_cast<exec::LaunchOp>(node);
  if (!launch)
    return absl::UnimplementedError(
        absl::StrCat(formatLocation(node->getLoc()), ": '",
                     node->getName().getStringRef().str(),
                     "' cannot be part of the update of a row"));
  const int64_t rows = launch.getRows().value_or(1);
  update.kernels.push_back(kernels.at(launch.getKernel().str()).rowCode);
  const runtime::DeviceKernel &kernel = *update.kernels.back();
  std::vector<HbmBuffer> buffers;
  for (ValueRange values :
       {ValueRange(launch.getInputs()), ValueRange(launch.getOutputs())})
    for (Value value : values) {
      ASSIGN_OR_RETURN(HbmBuffer bound, bindInRow(value, update));
      buffers.push_back(bound);
    }
  for (int64_t bytes : kernel.scratchBytes) {
    buffers.push_back({HbmBuffer::Kind::Scratch, update.scratchBytes, nullptr});
    update.scratchBytes += llvm::alignTo(bytes * rows, 64);
  }
  for (const runtime::DeviceFunction &function : kernel.functions)
    steps.push_back({getFunctionOfRow(function, rows), buffers, rows});
  return absl::OkStatus();
}

absl::StatusOr<LoadedHbmUpdate>
ProgramBuilder::buildHbmUpdate(runtime::HbmRows &rows) {
  RETURN_IF_ERROR(bindRowImage(rows.table().spec()));
  LoadedHbmUpdate update;
  update.functions = &rows.functions();
  update.scratchBytes = llvm::alignTo(scratches.front().size(), 64);
  std::vector<runtime::HbmStep> steps;
  for (Operation &child : op.getBody().front()) {
    RETURN_IF_ERROR(place(&child));
    if (isa<exec::NodeOpInterface>(child))
      RETURN_IF_ERROR(addHbmSteps(&child, update, steps));
  }
  const size_t gradientBytes = program->feeds.at("grad").type.bytes();
  ASSIGN_OR_RETURN(update.update, runtime::HbmUpdate::create(
                                      rows, std::move(steps), gradientBytes,
                                      update.scratchBytes));
  return update;
}
