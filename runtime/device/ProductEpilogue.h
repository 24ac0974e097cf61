// SPDX-License-Identifier: Apache-2.0
//===- ProductEpilogue.h - what a product does besides multiplying --------===//
//
// The formulas that kernels have, which an epilogue must match: the emulated
// device computes them, and a GPU's library is compared with them before it is
// trusted with an epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_PRODUCTEPILOGUE_H
#define PS_RUNTIME_DEVICE_PRODUCTEPILOGUE_H

#include <cmath>
#include <string_view>

namespace ps::runtime {

enum class Epilogue { None, Bias, Relu, BiasRelu, Gelu, BiasGelu };

constexpr bool addsBias(Epilogue epilogue) {
  return epilogue == Epilogue::Bias || epilogue == Epilogue::BiasRelu ||
         epilogue == Epilogue::BiasGelu;
}

constexpr std::string_view epilogueName(Epilogue epilogue) {
  constexpr std::string_view names[] = {"none",      "bias", "relu",
                                        "bias_relu", "gelu", "bias_gelu"};
  return names[static_cast<int>(epilogue)];
}

/// The activation of `x`, an element of a product plus its bias. The maximum of
/// NaN and 0 is NaN.
inline float activate(Epilogue epilogue, float x) {
  switch (epilogue) {
  case Epilogue::Relu:
  case Epilogue::BiasRelu:
    return x > 0 || std::isnan(x) ? x : 0;
  case Epilogue::Gelu:
  case Epilogue::BiasGelu:
    return x * 0.5f *
           (1 + std::tanh(0.797884583f * (x + 0.044715f * (x * x * x))));
  default:
    return x;
  }
}

/// An operand whose columns a product sums over k beside multiplying it: the
/// gradient of a bias.
enum class SummedOperand { None, A, B };

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_PRODUCTEPILOGUE_H
