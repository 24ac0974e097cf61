// SPDX-License-Identifier: Apache-2.0
//===- SetParameters.cpp - parameters of optimizers -----------------------===//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/SetParameters.h"
#include "dialects/ps/PSDialect.h"

using namespace ps;
using namespace mlir;

std::optional<double> ps::findLearningRate(ModuleOp module) {
  std::optional<double> rate;
  bool differs = false;
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (auto optimizer =
              dyn_cast<OptimizerAttrInterface>(attribute.getValue())) {
        auto number = dyn_cast<FloatAttr>(optimizer.getLearningRate());
        const double value = number ? number.getValueAsDouble() : 0;
        differs = differs || !number || rate.value_or(value) != value;
        rate = value;
      }
  });
  return differs ? std::nullopt : rate;
}
