// SPDX-License-Identifier: Apache-2.0
//===- AlgorithmTrial.h - what algorithms of a product compute --*- C++ -*-===//

#ifndef PS_RUNTIME_DEVICE_CUDA_ALGORITHMTRIAL_H
#define PS_RUNTIME_DEVICE_CUDA_ALGORITHMTRIAL_H

#include "runtime/device/ProductTrial.h"
#include "runtime/device/cuda/Trials.h"
#include <cstring>
#include <cublasLt.h>
#include <random>

namespace ps::runtime {

/// Runs algorithms of a product on random operands. Not thread-safe; every call
/// is about the GPU that is the calling thread's.
class AlgorithmTrial {
public:
  using Queue = absl::FunctionRef<bool(const DeviceProduct &product,
                                       const cublasLtMatmulAlgo_t &algorithm)>;
  /// `queue` queues the product on `stream`, and outlives this.
  AlgorithmTrial(const DeviceProduct &product, cudaStream_t stream, Queue queue)
      : stream(stream), queue(queue), product(product),
        a(product.batch * product.m * product.k *
          operandBytes(product.precision)),
        b(product.batch * product.k * product.n *
          operandBytes(product.precision)),
        c(product.batch * product.m * product.n * sizeof(float)),
        vector(std::max(product.m, product.n) * sizeof(float)), drawn(draw()),
        packed(ProductTrial::pack(drawn, product.precision)) {
    this->product.a = a.data();
    this->product.b = b.data();
    this->product.c = c.floats();
    this->product.bias = this->product.sums = vector.floats();
    const std::span<const std::byte> fromThird =
        std::span(packed).subspan(2 * operandBytes(product.precision));
    hasOperands = a.write(packed, stream) == cudaSuccess &&
                  b.write(fromThird, stream) == cudaSuccess;
  }

  /// C and the vector of the epilogue.
  struct Result {
    std::vector<float> c, vector;
    /// Whether the bits are equal: those of NaN may be.
    bool operator==(const Result &other) const {
      auto areEqual = [](const std::vector<float> &x,
                         const std::vector<float> &y) {
        return x.size() == y.size() &&
               std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
      };
      return areEqual(c, other.c) && areEqual(vector, other.vector);
    }
  };
  /// Sets `result`; false if there is none.
  bool run(const cublasLtMatmulAlgo_t &algorithm, Result &result) {
    // What an algorithm does not write is not what another one has written.
    return hasOperands && c.clear(stream) == cudaSuccess &&
           vector.write(drawn, stream) == cudaSuccess &&
           queue(product, algorithm) &&
           c.read(result.c, stream) == cudaSuccess &&
           vector.read(result.vector, stream) == cudaSuccess;
  }

  /// Milliseconds of one of `calls` in a row, as algorithms differ in how they
  /// begin. After run().
  float time(const cublasLtMatmulAlgo_t &algorithm, int calls) const {
    const float all = clock.time(stream, [&] {
      bool runs = true;
      for (int call = 0; call < calls; ++call)
        runs = runs && queue(product, algorithm);
      return runs;
    });
    return all / static_cast<float>(calls);
  }

private:
  /// Uniform over (-1, 1). Their number is prime, and without the first two
  /// not even, so rows of a matrix differ.
  static std::vector<float> draw() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> distribution(-1, 1);
    std::vector<float> values(1000003);
    for (float &value : values)
      value = distribution(random);
    return values;
  }

  cudaStream_t stream;
  Queue queue;
  DeviceProduct product;
  TrialMemory a, b, c, vector;
  const TrialClock clock;
  const std::vector<float> drawn;
  /// The same as elements of operands.
  const std::vector<std::byte> packed;
  bool hasOperands = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_ALGORITHMTRIAL_H
