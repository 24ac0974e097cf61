// SPDX-License-Identifier: Apache-2.0
//===- Rows.h - lookups of table rows and their gradients -----------------===//
//
// Results do not depend on the number of threads: what is cut for them is cut
// at fixed places.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_ROWS_H
#define PS_RUNTIME_NODES_ROWS_H

#include "absl/functional/function_ref.h"
#include "runtime/executor/Program.h"
#include "runtime/kernels/RowKernels.h"
#include <span>

namespace ps::runtime {

/// What becomes of a bag of rows e with weights w: sum(w e), or that over
/// sum(w) or sqrt(sum(w^2)), and zeros where the divisor is 0.
enum class Pooling { None, Sum, Mean, SqrtN };

/// The bags of a pooled lookup.
struct Bags {
  Pooling pooling = Pooling::None;
  /// Where each bag begins among the ids; checkBags() holds.
  std::span<const int64_t> offsets;
  /// One per id, of the rows' type; null for ones.
  const std::byte *weights = nullptr;
};

/// Vectors as wide as rows: in memory, or rows of some places, which are read
/// where they are.
struct RowVectors {
  const std::byte *data = nullptr;
  /// Without `data`; `zeros` are what negative places read as.
  const std::byte *const *rows = nullptr;
  std::span<const int32_t> places = {};
  const std::byte *zeros = nullptr;

  template <typename T>
  const T *at(int64_t i, int64_t width) const {
    if (data)
      return reinterpret_cast<const T *>(data) + i * width;
    return reinterpret_cast<const T *>(places[i] < 0 ? zeros : rows[places[i]]);
  }
};

/// INVALID_ARGUMENT unless `offsets` begin at 0, do not decrease and stay
/// within `ids` ids. Without bags there must be no ids. `feed` names them.
absl::Status checkBags(std::span<const int64_t> offsets, int64_t ids,
                       const std::string &feed);

/// Bags of more ids are summed by so many ids at a time.
inline constexpr int64_t kLongBag = 1024;

/// Writes a row to `result` per place, or with bags per bag. Row i of `rows`
/// (F32 or F64) belongs to place i; negative places stand for padding: zeros,
/// no part of a bag. `result` has the type of `rows`.
void lookUpRows(StepContext &context, const RowAddresses &rows,
                std::span<const int32_t> places, const Bags &bags,
                std::byte *result);

/// Sets `dots` to the products of the rows, F32, of `places` with the vectors:
/// vector i belongs to the `perVector` places from i * `perVector` on.
void dotRowsWith(StepContext &context, const RowAddresses &rows,
                 std::span<const int32_t> places, const RowVectors &vectors,
                 int64_t perVector, float *dots);

/// Adds to row gradients what a lookup's result passes on to them. Keeps
/// scratch memory from step to step. Thread-compatible.
class RowGradientAdder {
public:
  /// `gradient` is that of what lookUpRows wrote; `rowGradients` has the shape
  /// of its rows.
  void add(StepContext &context, const std::byte *gradient,
           std::span<const int32_t> places, const Bags &bags,
           const TensorRef &rowGradients);

  /// For forEachRow(): a lookup's `places` among the rows of `like`.
  void prepare(const RowAddresses &like, std::span<const int32_t> places,
               const Bags &bags, int64_t rows);
  /// As add() to zeros, but one row after the other, of [begin, end): `use` is
  /// called with each row's gradient, which it may overwrite. Thread-safe.
  void forEachRow(
      const RowAddresses &like, const RowVectors &gradient, const Bags &bags,
      int64_t begin, int64_t end,
      absl::FunctionRef<void(int64_t row, std::byte *gradient)> use) const;

private:
  void group(std::span<const int32_t> places, int64_t rows);
  std::span<const int32_t> runOf(int64_t row) const {
    return std::span(positions).subspan(begins[row],
                                        begins[row + 1] - begins[row]);
  }
  void prepareBags(DType dtype, std::span<const int32_t> places,
                   const Bags &bags);
  template <typename T>
  void scaleBags(std::span<const int32_t> places, const Bags &bags,
                 const T *weights);
  template <typename T>
  void addTyped(StepContext &context, const RowVectors &gradient,
                const Bags &bags, const TensorRef &rowGradients);
  template <typename T>
  void forEachTyped(int64_t width, const RowVectors &gradient, const Bags &bags,
                    int64_t begin, int64_t end,
                    absl::FunctionRef<void(int64_t, std::byte *)> use) const;
  template <typename T, typename Use>
  void forEachTerm(std::span<const int32_t> run, const T *weights,
                   Use use) const;
  template <typename T>
  void addRow(std::span<const int32_t> run, const RowVectors &gradient,
              const T *weights, int64_t width, std::vector<ScaledRow<T>> &terms,
              T *to) const;

  /// The positions of each row's ids among places, in order: those of row r
  /// lie in [begins[r], begins[r + 1]).
  std::vector<int32_t> begins, positions;
  /// For a pooled lookup: the bag of each position, and what its sum was
  /// multiplied with.
  std::vector<int32_t> bagOf;
  std::vector<double> scales;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_ROWS_H
