// SPDX-License-Identifier: Apache-2.0
//===- HbmTesting.h - what the tests of rows on a device share ------------===//

#ifndef PS_TEST_UNIT_HBM_HBMTESTING_H
#define PS_TEST_UNIT_HBM_HBMTESTING_H

#include "runtime/base/Join.h"
#include "runtime/hbm/DeviceArray.h"
#include "runtime/hbm/RowFunctions.h"
#include "runtime/nodes/RowNodes.h"
#include "runtime/table/TableSpec.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/device/DeviceUnderTest.h"
#include <limits>
#include <random>
#include <vector>

namespace ps::runtime {

inline const RowFunctions &rowFunctions() {
  static const RowFunctions functions = *RowFunctions::load(deviceUnderTest());
  return functions;
}

/// A table "emb" of uniform initial values, without slots.
inline TableSpec uniformTable(DType dtype, int64_t width) {
  TableSpec spec;
  spec.name = "emb";
  spec.dtype = dtype;
  spec.width = width;
  spec.maxRows = 10000;
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  return spec;
}

/// A call for the rows of `ids`, the only lookup of table "emb".
inline PrefetchCall prefetchOf(std::vector<int64_t> &ids, RowBatch &rows) {
  PrefetchCall call;
  call.rows = &rows;
  call.table = "emb";
  call.ids = {{{{DType::I64, {int64_t(ids.size())}},
                reinterpret_cast<std::byte *>(ids.data())},
               nullptr,
               "ids"}};
  return call;
}

/// Values in the memory of the device under test.
template <typename T>
class OnDevice {
public:
  explicit OnDevice(const std::vector<T> &values)
      : size(values.size()), array(deviceUnderTest()) {
    EXPECT_OK(await([&](Done done) {
      array.fill(std::span<const T>(values), std::move(done));
    }));
  }
  explicit OnDevice(size_t size) : OnDevice(std::vector<T>(size)) {}

  T *data() const { return array.as<T>(); }
  std::vector<T> read() { return readDevice(data(), size); }

  static std::vector<T> readDevice(const T *data, size_t size) {
    std::vector<T> values(size);
    const TensorType type = {DType::UI8, {int64_t(size * sizeof(T))}};
    EXPECT_OK(
        copyAndWait(deviceUnderTest(),
                    {type, reinterpret_cast<std::byte *>(const_cast<T *>(data)),
                     MemorySpace::Device},
                    {type, reinterpret_cast<std::byte *>(values.data())}));
    return values;
  }

private:
  const size_t size;
  DeviceArray array;
};

/// Few ids, so that they repeat, among them the extreme ones.
inline int64_t drawId(std::mt19937_64 &random, int64_t ids) {
  constexpr int64_t extremes[] = {0, -1, std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()};
  const auto drawn = static_cast<int64_t>(random() % uint64_t(ids + 4));
  return drawn < 4 ? extremes[drawn] : (drawn - ids / 2) * 0x100000001;
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_HBM_HBMTESTING_H
