// SPDX-License-Identifier: Apache-2.0
//===- NpyTest.cpp - arrays that NumPy saved ------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <cstring>
#include <vector>

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

/// A file of version `major`.0 with `dictionary` as its header.
std::string npy(const std::string &dictionary, const std::string &elements,
                char major = 1) {
  const size_t length = dictionary.size() + 1;
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  file += static_cast<char>(length & 0xff);
  file += static_cast<char>(length >> 8);
  if (major > 1)
    file.append(2, '\0');
  return file + dictionary + "\n" + elements;
}

std::string header(const std::string &descr, const std::string &shape,
                   const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

template <typename T>
std::string bytes(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

class NpyTest : public DatasetTest {
protected:
  absl::StatusOr<Dataset> read(const std::string &file) {
    return Dataset::open("npy:x=" + write("x.npy", file));
  }
  std::string error(const std::string &file) {
    return std::string(read(file).status().message());
  }
};

TEST_F(NpyTest, ColumnsOfSeveralFiles) {
  const std::string x = write(
      "x.npy", npy(header("<f4", "(3, 2)"), bytes<float>({1, 2, 3, 4, 5, .5})));
  const std::string y =
      write("y.npy", npy(header("<i8", "(3,)"), bytes<int64_t>({7, -8, 9}), 2));
  auto data = Dataset::open("npy:features=" + x + ",label=" + y + "#1-3");
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->size, 2);
  ASSERT_EQ(data->columns.size(), 2u);
  EXPECT_EQ(data->columns[0].name, "features");
  EXPECT_EQ(data->columns[0].width, 2);
  EXPECT_EQ(data->columns[0].at(1, 1), .5);
  EXPECT_EQ(data->columns[1].name, "label");
  EXPECT_EQ(data->columns[1].at(0, 0), -8);
}

TEST_F(NpyTest, ReadsEveryTypeWithoutLoss) {
  auto last = [&](const std::string &descr, const std::string &elements) {
    auto data = read(npy(header(descr, "(2,)"), elements));
    EXPECT_TRUE(data.ok()) << data.status();
    return data.ok() ? data->columns[0].at(1, 0) : 0;
  };
  EXPECT_EQ(last("<f8", bytes<double>({0, 1.1})), 1.1);
  EXPECT_EQ(last("<f4", bytes<float>({0, 1.5f})), 1.5);
  EXPECT_EQ(last("<f2", bytes<_Float16>({0, _Float16(-2.25)})), -2.25);
  EXPECT_EQ(last("|b1", bytes<uint8_t>({0, 1})), 1);
  EXPECT_EQ(last("|u1", bytes<uint8_t>({0, 255})), 255);
  EXPECT_EQ(last("|i1", bytes<int8_t>({0, -128})), -128);
  EXPECT_EQ(last("<i2", bytes<int16_t>({0, -32768})), -32768);
  EXPECT_EQ(last("<u2", bytes<uint16_t>({0, 65535})), 65535);
  EXPECT_EQ(last("<i4", bytes<int32_t>({0, INT32_MIN})), INT32_MIN);
  EXPECT_EQ(last("<u4", bytes<uint32_t>({0, UINT32_MAX})), UINT32_MAX);
  EXPECT_EQ(last("<i8", bytes<int64_t>({0, int64_t{1} << 40})), 0x1p40);
}

TEST_F(NpyTest, RowsOfSeveralDimensionsAreFlattened) {
  auto data = read(npy(header("|u1", "(2, 2, 3)"),
                       bytes<uint8_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->size, 2);
  EXPECT_EQ(data->columns[0].width, 6);
  EXPECT_EQ(data->columns[0].at(1, 5), 11);
}

TEST_F(NpyTest, MalformedFilesAreRefusedByFileAndPlace) {
  const std::string two = bytes<float>({1, 2});
  for (const auto &[file, expected] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "magic number and version takes 8 bytes, found 0"},
           {"PK\3\4 a zip of arrays", "byte 0: expected the magic number"},
           {npy(header("<f4", "(2,)"), two, 9), "found 9.0"},
           {npy(header("<f4", "(2,)"), two.substr(1)), "truncated"},
           {npy(header("<f4", "(2,)"), two + "x"), "longer than its header"},
           {npy(header("<f4", "(0, 4)"), ""), "holds no samples"},
           {npy(header("<f4", "()"), two), "found a scalar"},
           {npy(header("<f4", "(2, 1)", "True"), two), "found Fortran order"},
           {npy(header(">f4", "(2,)"), two), "found '>f4'"},
           {npy(header("|O", "(2,)"), two), "found '|O'"},
           {npy(header("<f4", "(4611686018427387904, 4)"), two), "overflow"},
           {npy(header("<f4", "(1000000000000,)"), two),
            "promises 1000000000000 elements"},
           {npy(header("<f4", "(99999999999999999999,)"), two), "below 2^63"},
           {npy(header("<f4", "(-2,)"), two), "the size of a dimension"},
           {npy("{'descr': '<f4', 'shape': (2,), }", two),
            "'fortran_order' and 'shape'"},
           {npy("{'descr': [('a', '<f4')]}", two), "byte 20 of the header"}}) {
    const std::string message = error(file);
    EXPECT_THAT(message, HasSubstr(expected));
    EXPECT_THAT(message, HasSubstr("x.npy'"));
  }
}

TEST_F(NpyTest, BadSpecsAreRefused) {
  const std::string x =
      write("a.npy", npy(header("<f4", "(2,)"), bytes<float>({1, 2})));
  const std::string y =
      write("b.npy", npy(header("<f4", "(1,)"), bytes<float>({1})));
  auto error = [](const std::string &spec) {
    return std::string(Dataset::open(spec).status().message());
  };
  EXPECT_THAT(error("npy:" + x), HasSubstr("expected npy:COLUMN=FILE"));
  EXPECT_THAT(error("npy:a=" + x + ",a=" + y), HasSubstr("given twice"));
  EXPECT_THAT(error("npy:a=" + x + ",b=" + y),
              HasSubstr("holds 2 samples, but"));
  EXPECT_THAT(error("npi:a=" + x),
              HasSubstr("; did you mean 'npy:COLUMN=FILE,..'?"));
}

TEST_F(NpyTest, AnyDamageIsAnErrorOrOtherNumbers) {
  const std::string whole =
      npy(header("<f4", "(2, 3)"), bytes<float>({1, 2, 3, 4, 5, 6}));
  for (size_t size = 0; size != whole.size(); ++size)
    EXPECT_THAT(error(whole.substr(0, size)), HasSubstr("x.npy'")) << size;
  for (size_t at = 0; at != whole.size(); ++at)
    for (unsigned char flip : {0x01, 0x10, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] ^= flip;
      auto data = read(damaged);
      if (data.ok())
        EXPECT_EQ(data->size * data->columns[0].width, 6) << at;
      else
        EXPECT_THAT(std::string(data.status().message()), HasSubstr("x.npy'"))
            << at;
    }
}

} // namespace
