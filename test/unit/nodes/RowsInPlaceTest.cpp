// SPDX-License-Identifier: Apache-2.0
//===- RowsInPlaceTest.cpp - nodes that work on rows where they are -------===//
//
// Beside the nodes that they replace, which copy rows and keep gradients: the
// results are the same bytes.
//
//===----------------------------------------------------------------------===//

#include "runtime/kernels/Kernels.h"
#include "runtime/nodes/RowNodes.h"
#include "test/unit/RuntimeTesting.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace ps::runtime;

namespace {
constexpr int64_t kSamples = 37, kPerSample = 5;
constexpr int64_t kPadding = 4;

/// buffers: a row, its gradient, the learning rate; not linear in the gradient.
template <typename T>
void descend(void *const *buffers, int64_t begin, int64_t end) {
  T *row = static_cast<T *>(buffers[0]);
  const T *gradient = static_cast<T *>(buffers[1]);
  for (int64_t j = begin; j != end; ++j)
    row[j] -= *static_cast<float *>(buffers[2]) * gradient[j] /
              (1 + std::abs(gradient[j]));
}

template <typename T>
constexpr DType dtypeOf = sizeof(T) == 4 ? DType::F32 : DType::F64;

template <typename T>
TensorRef ref(std::vector<T> &numbers, std::vector<int64_t> shape) {
  const DType dtype = std::is_same_v<T, int64_t> ? DType::I64 : dtypeOf<T>;
  return {{dtype, std::move(shape)},
          reinterpret_cast<std::byte *>(numbers.data())};
}

/// A table of vectors, one per sample, and one of rows, several per sample.
/// Ids repeat, and some are padding.
template <typename T>
struct Pairs {
  Pairs(int64_t width, uint64_t seed)
      : width(width), vectors(program.ownRows(dtypeOf<T>, width)),
        rows(program.ownRows(dtypeOf<T>, width)),
        vectorTable(makeTable("vectors")), rowTable(makeTable("rows")),
        vectorIds(kSamples), rowIds(kSamples * kPerSample),
        weights(rowIds.size()), copies(kSamples * width),
        rowCopies(rowIds.size() * width) {
    std::mt19937_64 random(seed);
    for (int64_t &id : vectorIds)
      id = int64_t(random() % 9);
    for (int64_t &id : rowIds)
      id = int64_t(random() % 60);
    for (T &weight : weights)
      weight = T(random() % 2001) / 1000 - 1;
    for (int64_t i = 0; i < kSamples; ++i)
      offsets.push_back(i * kPerSample);
    prefetch(vectors, *vectorTable, vectorIds);
    prefetch(rows, *rowTable, rowIds);
  }

  std::unique_ptr<Table> makeTable(std::string name) {
    TableSpec spec;
    spec.name = std::move(name);
    spec.dtype = dtypeOf<T>;
    spec.width = width;
    spec.maxRows = 100;
    spec.initial = {InitialValue::Kind::Uniform, -1, 1};
    auto table = Table::create(std::move(spec), 1);
    EXPECT_TRUE(table.ok()) << table.status();
    return *std::move(table);
  }

  void add(std::unique_ptr<Node> node) {
    std::vector<NodeId> after;
    if (program.size() != 0)
      after.push_back(static_cast<NodeId>(program.size()) - 1);
    program.addNode(std::move(node), after);
  }
  void prefetch(RowBatch &batch, Table &table, std::vector<int64_t> &ids) {
    PrefetchCall call;
    call.rows = &batch;
    call.table = table.spec().name;
    call.ids = {{ref(ids, {int64_t(ids.size())}), nullptr, "ids"}};
    call.paddings = {kPadding};
    add(makeReadRowsNode(std::move(call), table));
  }
  LookupCall lookup(RowBatch &batch, TensorRef values) {
    LookupCall call;
    call.rows = &batch;
    call.table = "rows";
    call.values = std::move(values);
    return call;
  }
  void copyVectors() {
    add(makeLookupNode(lookup(vectors, ref(copies, {kSamples, width}))));
  }
  /// The gradient of products: of each sample's vector times weights.
  LookupCall gradient() {
    LookupCall call = lookup(rows, ref(copies, {kSamples, width}));
    call.pooling = Pooling::Sum;
    call.offsets.tensor = ref(offsets, {kSamples});
    call.weights.tensor = ref(weights, {kSamples, kPerSample});
    return call;
  }
  RowUpdateCall update() {
    std::vector<std::byte> row(rowTable->layout().bytes);
    std::vector<T> values(width);
    RowStep step;
    step.kernel.function = descend<T>;
    step.kernel.rows = width;
    step.kernel.buffers = {row.data(), values.data(), &rate};
    auto made = RowUpdate::create(
        {&step, 1},
        {row, std::as_writable_bytes(std::span(values)), /*scratch=*/{}});
    EXPECT_TRUE(made.ok());
    RowUpdateCall call;
    call.rows = &rows;
    call.update = std::make_shared<RowUpdate>(*std::move(made));
    return call;
  }
  VectorsRef inPlace() { return {{}, &vectors, 0}; }
  VectorsRef copied() { return {ref(copies, {kSamples, width})}; }

  std::vector<T> trainedRows() {
    std::vector<int64_t> ids;
    for (int64_t id = 0; id < 60; ++id)
      ids.push_back(id);
    std::vector<T> values(ids.size() * width);
    EXPECT_OK(rowTable->lookup(ids, /*create=*/false,
                               reinterpret_cast<std::byte *>(values.data())));
    return values;
  }

  const int64_t width;
  Program program;
  RowBatch &vectors, &rows;
  std::unique_ptr<Table> vectorTable, rowTable;
  std::vector<int64_t> vectorIds, rowIds, offsets;
  std::vector<T> weights, copies, rowCopies;
  float rate = 0.5f;
};

template <typename T>
bool sameBytes(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Two steps with the rows' gradients kept, or used right away.
template <typename T>
void compareUpdates(int64_t width, bool isPooled, bool readsInPlace) {
  SCOPED_TRACE(testing::Message() << "width " << width << ", pooled "
                                  << isPooled << ", in place " << readsInPlace);
  Pairs<T> slow(width, 7), fast(width, 7);
  auto gradientOf = [&](Pairs<T> &pairs) {
    if (isPooled)
      return pairs.gradient();
    return pairs.lookup(pairs.vectors, ref(pairs.copies, {kSamples, width}));
  };
  // Without pooling the table of vectors is trained by its own copies.
  auto trained = [&](Pairs<T> &pairs) -> Table & {
    return isPooled ? *pairs.rowTable : *pairs.vectorTable;
  };
  for (Pairs<T> *pairs : {&slow, &fast}) {
    pairs->copyVectors();
    RowUpdateCall call = pairs->update();
    call.rows = isPooled ? &pairs->rows : &pairs->vectors;
    if (pairs == &slow) {
      pairs->add(makeLookupGradientNode(gradientOf(*pairs)));
      pairs->add(makeUpdateRowsNode(std::move(call), trained(*pairs), true));
    } else {
      pairs->add(makeLookupUpdateNode(
          gradientOf(*pairs), readsInPlace ? pairs->inPlace() : pairs->copied(),
          std::move(call), trained(*pairs), true));
    }
    auto executor = makeExecutor(2);
    EXPECT_OK(executor->run(pairs->program, 0));
    EXPECT_OK(executor->run(pairs->program, 1));
    EXPECT_EQ(trained(*pairs).time(), 2);
  }
  EXPECT_TRUE(sameBytes(slow.trainedRows(), fast.trainedRows()));
  EXPECT_TRUE(sameBytes(slow.copies, fast.copies));
}
} // namespace

TEST(RowsInPlace, ProductsEqualThoseOfCopies) {
  for (int64_t width : {1, 7, 16, 21, 32, 100, 300}) {
    SCOPED_TRACE(width);
    Pairs<float> pairs(width, 3);
    std::vector<float> expected(kSamples * kPerSample), ofCopies(expected),
        inPlace(expected);
    pairs.copyVectors();
    pairs.add(makeLookupNode(pairs.lookup(
        pairs.rows, ref(pairs.rowCopies, {kSamples, kPerSample, width}))));
    GemmCall gemm;
    gemm.batch = kSamples;
    gemm.m = kPerSample;
    gemm.n = 1;
    gemm.k = width;
    gemm.a = pairs.rowCopies.data();
    gemm.b = pairs.copies.data();
    gemm.c = expected.data();
    pairs.add(makeGemmNode("gemm", gemm));
    pairs.add(makeLookupDotNode({&pairs.rows, "rows", 0, pairs.copied(),
                                 ref(ofCopies, {kSamples, kPerSample})}));
    pairs.add(makeLookupDotNode({&pairs.rows, "rows", 0, pairs.inPlace(),
                                 ref(inPlace, {kSamples, kPerSample})}));
    EXPECT_OK(makeExecutor(2)->run(pairs.program, 0));
    EXPECT_TRUE(sameBytes(expected, ofCopies));
    EXPECT_TRUE(sameBytes(expected, inPlace));
  }
}

TEST(RowsInPlace, UpdatesEqualThoseWithGradientsKept) {
  for (int64_t width : {1, 7, 16, 21, 32, 100, 300})
    for (bool readsInPlace : {false, true}) {
      compareUpdates<float>(width, /*isPooled=*/true, readsInPlace);
      compareUpdates<double>(width, /*isPooled=*/true, readsInPlace);
    }
  for (int64_t width : {1, 21, 300}) {
    compareUpdates<float>(width, /*isPooled=*/false, /*readsInPlace=*/false);
    compareUpdates<double>(width, /*isPooled=*/false, /*readsInPlace=*/false);
  }
}

TEST(RowsInPlace, ProductsOfOtherShapesFail) {
  Pairs<float> pairs(3, 1);
  std::vector<float> dots(kSamples);
  pairs.add(makeLookupDotNode(
      {&pairs.rows, "rows", 0, pairs.inPlace(), ref(dots, {kSamples})}));
  EXPECT_TRUE(failsWith(makeExecutor(1)->run(pairs.program, 0),
                        absl::StatusCode::kInternal,
                        "expected as many ids for each of 37 vectors"));
}
