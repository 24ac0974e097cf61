//===- InitializersTest.cpp - fans and distributions ----------------------===//

#include "dialects/ps/PSDialect.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ps {
namespace {

using Kind = InitialDistribution::Kind;

class Initializers : public testing::Test {
protected:
  Initializers() { context.loadDialect<PSDialect>(); }
  mlir::RankedTensorType type(std::vector<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, mlir::Float32Type::get(&context));
  }
  mlir::MLIRContext context;
};

void expectDistribution(InitialDistribution actual, Kind kind, double a,
                        double b) {
  EXPECT_EQ(actual.kind, kind);
  EXPECT_DOUBLE_EQ(actual.a, a);
  EXPECT_DOUBLE_EQ(actual.b, b);
}

TEST_F(Initializers, FixedParametersDoNotDependOnTheShape) {
  auto number = [](double value) { return llvm::APFloat(value); };
  expectDistribution(ConstantInitAttr::get(&context, number(0.5))
                         .getDistribution(type({3, 4})),
                     Kind::Constant, 0.5, 0);
  expectDistribution(UniformInitAttr::get(&context, number(-1), number(2))
                         .getDistribution(type({3, 4})),
                     Kind::Uniform, -1, 2);
  expectDistribution(NormalInitAttr::get(&context, number(1), number(2))
                         .getDistribution(type({})),
                     Kind::Normal, 1, 2);
  expectDistribution(
      TruncatedNormalInitAttr::get(&context, number(1), number(2))
          .getDistribution(type({})),
      Kind::TruncatedNormal, 1, 2);
}

TEST_F(Initializers, MatrixIsInByOut) {
  double limit = std::sqrt(6.0 / (30 + 20));
  expectDistribution(
      XavierUniformInitAttr::get(&context).getDistribution(type({30, 20})),
      Kind::Uniform, -limit, limit);
  expectDistribution(
      XavierNormalInitAttr::get(&context).getDistribution(type({30, 20})),
      Kind::Normal, 0, std::sqrt(2.0 / (30 + 20)));
  limit = std::sqrt(6.0 / 30);
  expectDistribution(
      HeUniformInitAttr::get(&context).getDistribution(type({30, 20})),
      Kind::Uniform, -limit, limit);
  expectDistribution(
      HeNormalInitAttr::get(&context).getDistribution(type({30, 20})),
      Kind::Normal, 0, std::sqrt(2.0 / 30));
}

TEST_F(Initializers, OuterDimensionsOfAKernelCountForBothFans) {
  expectDistribution(
      XavierNormalInitAttr::get(&context).getDistribution(type({3, 3, 16, 32})),
      Kind::Normal, 0, std::sqrt(2.0 / (9 * 16 + 9 * 32)));
}

TEST_F(Initializers, VectorIsItsOwnFanAndScalarHasFanOne) {
  auto he = HeNormalInitAttr::get(&context);
  expectDistribution(he.getDistribution(type({8})), Kind::Normal, 0, 0.5);
  expectDistribution(he.getDistribution(type({})), Kind::Normal, 0,
                     std::sqrt(2.0));
}

} // namespace
} // namespace ps
