// SPDX-License-Identifier: Apache-2.0
//===- StepProducts.h - the matrix products of a training step ------------===//
//
// What a step of a network of dense layers cannot do without: its matrix
// products, called in the library with nothing between them, on memory of
// their own.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_BENCHMARKS_STEPPRODUCTS_H
#define PS_TEST_BENCHMARKS_STEPPRODUCTS_H

#include <cstdint>
#include <oneapi/dnnl/dnnl.h>
#include <vector>

namespace ps::bench {

/// Not thread-safe.
class StepProducts {
public:
  /// Layers between `widths`, the first of which is the input's. Its gradient
  /// is needed where it comes from a table, as `needsInputGradient` says.
  StepProducts(int64_t batch, const std::vector<int64_t> &widths,
               bool needsInputGradient) {
    for (size_t layer = 0; layer + 1 < widths.size(); ++layer) {
      const int64_t in = widths[layer], out = widths[layer + 1];
      add('N', 'N', batch, out, in); // hidden = input weights
      add('T', 'N', in, out, batch); // d weights = input^T d hidden
      if (layer > 0 || needsInputGradient)
        add('N', 'T', batch, in, out); // d input = d hidden weights^T
    }
  }

  /// Returns whether the library computed all of them.
  [[nodiscard]] bool run() {
    for (Product &p : products)
      if (dnnl_sgemm(p.transposeA, p.transposeB, p.m, p.n, p.k, 1.0f,
                     p.a.data(), p.transposeA == 'T' ? p.m : p.k, p.b.data(),
                     p.transposeB == 'T' ? p.k : p.n, 0.0f, p.c.data(),
                     p.n) != dnnl_success)
        return false;
    return true;
  }

  double flops() const {
    double sum = 0;
    for (const Product &p : products)
      sum += 2.0 * static_cast<double>(p.m * p.n * p.k);
    return sum;
  }

private:
  struct Product {
    char transposeA, transposeB;
    int64_t m, n, k;
    std::vector<float> a, b, c;
  };
  void add(char transposeA, char transposeB, int64_t m, int64_t n, int64_t k) {
    products.push_back(
        {transposeA, transposeB, m, n, k, std::vector<float>(m * k, 0.5f),
         std::vector<float>(k * n, 0.25f), std::vector<float>(m * n)});
  }
  std::vector<Product> products;
};

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_STEPPRODUCTS_H
