// SPDX-License-Identifier: Apache-2.0
//===- LearningRates.cpp - what the updates of a module learn with --------===//
//
// A schedule is known by the ops that it emits. They are emitted once, into a
// block of their own, and read as a list of instructions on f64, which costs
// less than a microsecond a step and is the only formula that there is.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/LearningRates.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace ps;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

namespace {

using Compute = double (*)(double, double, double);

/// A number that depends on the step. Thread-compatible.
class Formula {
public:
  /// Nothing for a schedule with ops that no schedule of ours emits.
  static std::optional<Formula> create(ScheduleAttrInterface schedule);
  double at(int64_t step) const;

private:
  struct Instruction {
    Compute compute;
    std::array<unsigned, 3> operands;
  };
  bool add(Operation &op, llvm::DenseMap<Value, unsigned> &places);

  /// The step, constants and what instructions compute, in the order of the
  /// ops; all but constants are set by at().
  llvm::SmallVector<double, 32> values = {0};
  std::vector<std::pair<unsigned, Instruction>> instructions;
  unsigned result = 0;
};

} // namespace

/// Null for ops that are not known.
static Compute findCompute(Operation &op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, Compute>(&op)
      .Case([](AddOp) {
        return [](double a, double b, double) { return a + b; };
      })
      .Case([](SubtractOp) {
        return [](double a, double b, double) { return a - b; };
      })
      .Case([](MulOp) {
        return [](double a, double b, double) { return a * b; };
      })
      .Case([](DivOp) {
        return [](double a, double b, double) { return a / b; };
      })
      .Case([](PowOp) {
        return [](double a, double b, double) { return std::pow(a, b); };
      })
      .Case([](MinOp) {
        return [](double a, double b, double) { return std::min(a, b); };
      })
      .Case([](MaxOp) {
        return [](double a, double b, double) { return std::max(a, b); };
      })
      .Case([](FloorOp) {
        return [](double a, double, double) { return std::floor(a); };
      })
      .Case([](CeilOp) {
        return [](double a, double, double) { return std::ceil(a); };
      })
      .Case([](ExpOp) {
        return [](double a, double, double) { return std::exp(a); };
      })
      .Case([](CosineOp) {
        return [](double a, double, double) { return std::cos(a); };
      })
      .Case([](SqrtOp) {
        return [](double a, double, double) { return std::sqrt(a); };
      })
      .Case(
          [](ConvertOp) { return [](double a, double, double) { return a; }; })
      .Case([](CompareOp compare) -> Compute {
        if (compare.getComparisonDirection() != ComparisonDirection::LT)
          return nullptr;
        return [](double a, double b, double) { return double(a < b); };
      })
      .Case([](SelectOp) {
        return [](double a, double b, double c) { return a != 0 ? b : c; };
      })
      .Default(Compute(nullptr));
}

bool Formula::add(Operation &op, llvm::DenseMap<Value, unsigned> &places) {
  if (op.getNumResults() != 1 || op.getNumOperands() > 3)
    return false;
  const unsigned place = values.size();
  places[op.getResult(0)] = place;
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      return false;
    auto number = elements.getSplatValue<Attribute>();
    auto real = dyn_cast<FloatAttr>(number);
    auto integer = dyn_cast<IntegerAttr>(number);
    if (!real && !integer)
      return false;
    values.push_back(real ? real.getValueAsDouble()
                          : static_cast<double>(integer.getInt()));
    return true;
  }
  values.push_back(0);
  Instruction instruction{findCompute(op), {}};
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    instruction.operands[index] = places.lookup(operand);
  instructions.emplace_back(place, instruction);
  return instruction.compute != nullptr;
}

std::optional<Formula> Formula::create(ScheduleAttrInterface schedule) {
  MLIRContext *context = schedule.getContext();
  const Location loc = UnknownLoc::get(context);
  Block block;
  context->getOrLoadDialect<stablehlo::StablehloDialect>();
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  const Value step =
      block.addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
  const Value rate =
      schedule.buildLearningRate(builder, loc, step, builder.getF64Type());
  Formula formula;
  llvm::DenseMap<Value, unsigned> places = {{step, 0}};
  for (Operation &op : block)
    if (!formula.add(op, places))
      return std::nullopt;
  formula.result = places.lookup(rate);
  return formula;
}

double Formula::at(int64_t step) const {
  llvm::SmallVector<double, 32> all = values;
  all[0] = static_cast<double>(step);
  for (const auto &[place, instruction] : instructions) {
    const auto &[a, b, c] = instruction.operands;
    all[place] = instruction.compute(all[a], all[b], all[c]);
  }
  return all[result];
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// The variables that an update of `optimizer` by `op` changes: a slice has the
/// name of the whole, and ps.minimize all that no other update names.
static std::vector<std::string> findUpdated(Operation *op, ModuleOp module) {
  std::vector<std::string> names;
  if (auto rows = dyn_cast<ApplyRowsOp>(op))
    return {rows.getTable().str()};
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
        op, apply.getVariableAttr());
    if (SliceAttr slice = variable ? variable.getSliceAttr() : SliceAttr())
      return {slice.getOrigin().getValue().str()};
    return {apply.getVariable().str()};
  }
  std::set<std::string> others;
  module.walk([&](ApplyOp apply) { others.insert(apply.getVariable().str()); });
  for (auto variable : module.getOps<VariableOp>())
    if (variable.getTrainable() &&
        !others.contains(variable.getSymName().str()))
      names.push_back(variable.getSymName().str());
  for (auto table : module.getOps<TableOp>())
    names.push_back(table.getSymName().str());
  return names;
}

/// Whether a graph computes the rate of `op` itself, in place of its schedule.
static bool hasOwnRate(Operation *op) {
  if (auto apply = dyn_cast<ApplyOp>(op))
    return apply.getRate() != nullptr;
  auto rows = dyn_cast<ApplyRowsOp>(op);
  return rows && rows.getRate();
}

/// What a schedule of `op` counts. Of several functions of a graph that have
/// schedules each would count the steps of all.
static LearningRate::Counts findCounts(Operation *op) {
  using Counts = LearningRate::Counts;
  auto function = op->getParentOfType<func::FuncOp>();
  const bool isPeriodic =
      function && function->hasAttr(PSDialect::everyAttrName);
  auto program = op->getParentOfType<ProgramOp>();
  if (!program)
    return isPeriodic || hasOwnRate(op) ? Counts::Unknown : Counts::Steps;
  const Mode mode = program.getCluster().getMode();
  if (program.getRole() != Role::PServer)
    return mode == Mode::Geo ? Counts::Steps : Counts::Exchanges;
  return keepsStep(mode) ? Counts::Exchanges : Counts::Unknown;
}

/// Null for a schedule that is no list of numbers, and for no rate.
static std::function<double(int64_t)> makeRate(Attribute rate) {
  if (!rate)
    return nullptr;
  if (auto number = dyn_cast<FloatAttr>(rate))
    return [value = number.getValueAsDouble()](int64_t) { return value; };
  std::optional<Formula> formula;
  if (auto schedule = dyn_cast<ScheduleAttrInterface>(rate))
    formula = Formula::create(schedule);
  if (!formula)
    return nullptr;
  return [formula = *std::move(formula)](int64_t step) {
    return formula.at(step);
  };
}

/// Null where the update is a function, which may compute its rate itself:
/// those of optax have one of 1.
static Attribute findRate(OptimizerAttrInterface optimizer) {
  return isa<CustomAttr>(optimizer) ? Attribute() : optimizer.getLearningRate();
}

std::vector<LearningRate> ps::findLearningRates(ModuleOp module) {
  using Counts = LearningRate::Counts;
  llvm::MapVector<std::pair<Attribute, int>, LearningRate> rates;
  bool isAmbiguous = false;
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs()) {
      auto optimizer = dyn_cast<OptimizerAttrInterface>(attribute.getValue());
      if (!optimizer)
        continue;
      const Attribute rate = findRate(optimizer);
      const Counts counts =
          !rate || isa<FloatAttr>(rate) ? Counts::Nothing : findCounts(op);
      isAmbiguous |= counts == Counts::Unknown;
      const auto [place, isNew] = rates.insert(
          {{rate, static_cast<int>(counts)},
           LearningRate{.name = "", .counts = counts, .at = nullptr}});
      if (isNew)
        place->second.at = makeRate(rate);
      std::string &name = place->second.name;
      for (std::string &updated : findUpdated(op, module))
        if (name.empty() || updated < name)
          name = std::move(updated);
    }
  });
  std::vector<LearningRate> result;
  for (auto &[key, rate] : rates) {
    if (isAmbiguous && rate.counts != Counts::Nothing)
      rate.at = nullptr;
    result.push_back(std::move(rate));
  }
  std::ranges::sort(result, {}, &LearningRate::name);
  return result;
}
