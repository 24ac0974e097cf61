// SPDX-License-Identifier: Apache-2.0
//===- SortGradients.cpp - derivatives of sort and top_k ------------------===//
//
// The elements move, and their gradients move back. A sort does not return
// where its elements come from: it is done once more with their numbers.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradients.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

/// Adds `gradient` to zeros in the shape of `operand`: each element where it
/// comes from, which `indices` hold along dimension `dim`.
static Value moveBack(Emitter &e, Value operand, Value indices, Value gradient,
                      int64_t dim) {
  int64_t rank = typeOf(operand).getRank();
  SmallVector<int64_t> others = dimensionsWithout(rank, dim);
  auto numbers = ScatterDimensionNumbersAttr::get(
      operand.getContext(), /*update_window_dims=*/{},
      /*inserted_window_dims=*/{dim}, others, others,
      /*scatter_dims_to_operand_dims=*/{dim}, /*index_vector_dim=*/rank);
  return e.scatterAdd(e.like(operand, 0), indices, gradient, numbers);
}

/// Where the elements of the results of `op` come from, along its dimension.
static Value emitOrder(OpBuilder &builder, SortOp op) {
  Type i32 = builder.getI32Type();
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<Type> types(op->getResultTypes());
  types.push_back(typeOf(inputs.front()).clone(i32));
  inputs.push_back(
      builder.create<IotaOp>(op.getLoc(), types.back(), op.getSortedDim()));
  auto sort = builder.create<SortOp>(op.getLoc(), types, inputs,
                                     op.getDimension(), /*is_stable=*/true);
  IRMapping none;
  op.getComparator().cloneInto(&sort.getComparator(), none);
  auto scalar = RankedTensorType::get({}, i32);
  sort.getComparator().addArguments({scalar, scalar},
                                    {op.getLoc(), op.getLoc()});
  return sort->getResults().back();
}

namespace {

struct SortModel : DifferentiableOpInterface::ExternalModel<SortModel, SortOp> {
  FailureOr<SmallVector<Value>>
  buildGradient(Operation *op, OpBuilder &builder, ValueRange resultGrads,
                function_ref<InFlightDiagnostic()>) const {
    auto sort = cast<SortOp>(op);
    Emitter e(builder, op->getLoc());
    Value order = emitOrder(builder, sort);
    SmallVector<Value> gradients;
    for (auto [input, gradient] : llvm::zip(sort.getInputs(), resultGrads))
      gradients.push_back(
          gradient ? moveBack(e, input, order, gradient, sort.getSortedDim())
                   : Value());
    return gradients;
  }
};

struct TopKModel
    : DifferentiableOpInterface::ExternalModel<TopKModel, chlo::TopKOp> {
  FailureOr<SmallVector<Value>>
  buildGradient(Operation *op, OpBuilder &builder, ValueRange resultGrads,
                function_ref<InFlightDiagnostic()>) const {
    auto top = cast<chlo::TopKOp>(op);
    Emitter e(builder, op->getLoc());
    return SmallVector<Value>{moveBack(e, top.getOperand(), top.getIndices(),
                                       resultGrads[0],
                                       typeOf(top.getOperand()).getRank() - 1)};
  }
};

} // namespace

void ps::registerSortGradients(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, StablehloDialect *) {
    SortOp::attachInterface<SortModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, chlo::ChloDialect *) {
    chlo::TopKOp::attachInterface<TopKModel>(*context);
  });
}
