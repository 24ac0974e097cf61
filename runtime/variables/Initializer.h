// SPDX-License-Identifier: Apache-2.0
//===- Initializer.h - initial values by global element offset ------------===//

#ifndef PS_RUNTIME_VARIABLES_INITIALIZER_H
#define PS_RUNTIME_VARIABLES_INITIALIZER_H

#include "runtime/base/Tensor.h"
#include <cstdint>
#include <string_view>

namespace ps::runtime {

/// A distribution to draw initial values from; see the ps dialect's
/// initializers. Constant: a. Uniform: [a, b). Normal and TruncatedNormal:
/// mean a, standard deviation b; TruncatedNormal is cut at two deviations.
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

/// Makes rows of a table in any order: row `id` of a table of some name and
/// width holds what row `id` of a variable of that name and width would, and
/// the rows of ids that no variable can have (negative ones, say) go on in
/// both directions without repeating. Immutable, so thread-safe.
class RowInitializer {
public:
  /// Rows of `width` elements of a float type.
  RowInitializer(const InitialValue &value, DType dtype, int64_t width,
                 uint64_t seed, std::string_view name);
  void operator()(std::byte *row, int64_t id) const;

private:
  InitialValue value;
  DType dtype;
  int64_t width;
  uint64_t seed, stream;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_VARIABLES_INITIALIZER_H
