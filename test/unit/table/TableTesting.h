// SPDX-License-Identifier: Apache-2.0
//===- TableTesting.h - tables, and updates of their rows, for tests ------===//

#ifndef PS_TEST_UNIT_TABLE_TABLETESTING_H
#define PS_TEST_UNIT_TABLE_TABLETESTING_H

#include "runtime/table/Table.h"
#include "test/unit/RuntimeTesting.h"
#include <cmath>

namespace ps::runtime {

template <typename T>
std::byte *bytesOf(std::vector<T> &values) {
  return reinterpret_cast<std::byte *>(values.data());
}

template <typename T>
std::span<std::byte> bytesSpan(std::vector<T> &values) {
  return {bytesOf(values), values.size() * sizeof(T)};
}

/// Table '@emb' of F32, values 0.25, with a slot "moment" that starts at 0.5.
inline TableSpec adagradTable(int64_t width, int64_t maxRows) {
  TableSpec spec;
  spec.name = "emb";
  spec.width = width;
  spec.maxRows = maxRows;
  spec.initial = {InitialValue::Kind::Constant, 0.25, 0};
  spec.slots = {{"moment", {DType::F32, {width}}, 0.5}};
  return spec;
}

/// Adagrad on the first slot of a table, learning rate 0.1. Outlives its
/// update's use.
class AdagradRow {
public:
  explicit AdagradRow(const Table &table)
      : image(table.layout().bytes), gradient(table.valueBytes()) {
    RowStep step;
    step.kernel.function = [](void *const *buffers, int64_t, int64_t rows) {
      auto *value = static_cast<float *>(buffers[0]);
      auto *moment = static_cast<float *>(buffers[1]);
      const auto *gradient = static_cast<const float *>(buffers[2]);
      const float rate = *static_cast<const float *>(buffers[3]);
      for (int64_t i = 0; i < rows; ++i) {
        moment[i] += gradient[i] * gradient[i];
        value[i] -= rate * gradient[i] / std::sqrt(moment[i]);
      }
    };
    step.kernel.buffers = {image.data(), image.data() + table.layout().slots[0],
                           gradient.data(), &rate};
    step.kernel.rows = table.spec().width;
    RowMemory memory;
    memory.row = image;
    memory.gradient = gradient;
    compiled = *RowUpdate::create(std::span(&step, 1), memory);
  }
  const RowUpdate &update() const { return compiled; }

private:
  std::vector<std::byte> image, gradient;
  float rate = 0.1f;
  RowUpdate compiled;
};

/// Calls `body` with a ParallelRows of an executor of `threads` threads.
inline void onThreads(int threads, std::function<void(ParallelRows)> body) {
  EXPECT_OK(
      runNode(makeNode(Node::Kind::Kernel, "table",
                       [&](StepContext &context, Done done) {
                         body([&](int64_t rows, int64_t grain, auto piece) {
                           context.parallelRows(rows, grain, piece);
                         });
                         done(absl::OkStatus());
                       }),
              threads));
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_TABLE_TABLETESTING_H
