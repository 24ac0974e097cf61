//===- Initializer.h - initial values by global element offset ------------===//

#ifndef PS_RUNTIME_STORE_INITIALIZER_H
#define PS_RUNTIME_STORE_INITIALIZER_H

#include "runtime/Tensor.h"
#include <string_view>

namespace ps::runtime {

/// A distribution to draw initial values from; see the ps dialect's
/// initializers. Constant: a. Uniform: [a, b). Normal and TruncatedNormal:
/// mean a, standard deviation b, the latter cut at two deviations.
struct InitialValue {
  enum class Kind { Constant, Uniform, Normal, TruncatedNormal };
  Kind kind = Kind::Constant;
  double a = 0, b = 0;
};

/// Fills `tensor` (a float type; for Constant any type) with elements
/// [`offset`, ..) of the sequence that `seed` and `name` determine
/// (Philox4x32-10, Salmon et al., 2011): any split of a variable gives the
/// values that the whole would have, and element types differ by rounding only.
void initialize(const TensorRef &tensor, const InitialValue &value,
                uint64_t seed, std::string_view name, uint64_t offset);

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_INITIALIZER_H
