// SPDX-License-Identifier: Apache-2.0
//===- SafetensorsTest.cpp - reading, writing and refusing files ----------===//

#include "runtime/checkpoint/Safetensors.h"
#include "absl/strings/str_cat.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/checkpoint/CheckpointTesting.h"
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
template <typename T>
NamedTensor named(std::string name, DType dtype, std::vector<int64_t> shape,
                  std::vector<T> &values) {
  return {std::move(name),
          {{dtype, std::move(shape)},
           reinterpret_cast<std::byte *>(values.data())}};
}

std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A file of the given header and bytes, opened.
absl::Status openFile(const std::string &header, size_t dataBytes,
                      int64_t claimed = -1) {
  TemporaryDirectory dir;
  uint64_t length = claimed < 0 ? header.size() : uint64_t(claimed);
  std::string text(reinterpret_cast<char *>(&length), 8);
  writeText(dir / "m.safetensors", text + header + std::string(dataBytes, 'x'));
  return SafetensorsFile::open(dir / "m.safetensors").status();
}

std::unique_ptr<Store> makeStore(std::vector<VariableSpec> specs) {
  return *Store::create(std::move(specs), 0);
}

VariableSpec variable(std::string name, std::vector<int64_t> shape,
                      DType dtype = DType::F32) {
  return {name, {dtype, std::move(shape)}, {}, name, 0, ""};
}
} // namespace

TEST(Safetensors, RoundTripsEveryType) {
  TemporaryDirectory dir;
  std::vector<NamedTensor> tensors;
  std::vector<std::vector<uint8_t>> values;
  values.reserve(20);
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i) {
    DType dtype = static_cast<DType>(i);
    std::vector<uint8_t> &bytes =
        values.emplace_back(6 * byteWidth(dtype), dtype == DType::I1);
    if (dtype != DType::I1)
      for (size_t b = 0; b < bytes.size(); ++b)
        bytes[b] = static_cast<uint8_t>(17 * i + b);
    tensors.push_back(named(absl::StrCat("t", i), dtype, {2, 3}, bytes));
  }
  EXPECT_OK(writeSafetensors(dir / "m", tensors,
                             {{"format", "pt"}, {"note", "\"x\"\n"}}));

  auto file = SafetensorsFile::open(dir / "m");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->tensors().size(), tensors.size());
  EXPECT_EQ((*file)->metadata().at("note"), "\"x\"\n");
  for (const NamedTensor &tensor : tensors) {
    std::vector<uint8_t> out(tensor.tensor.type.bytes());
    TensorRef target{tensor.tensor.type,
                     reinterpret_cast<std::byte *>(out.data())};
    EXPECT_OK((*file)->read(tensor.name, target));
    EXPECT_EQ(std::memcmp(out.data(), tensor.tensor.data, out.size()), 0)
        << tensor.name;
  }
}

TEST(Safetensors, BytesAreExactlyAsSpecified) {
  TemporaryDirectory dir;
  std::vector<float> w = {1.0f, -2.0f};
  std::vector<double> d = {0.5};
  std::vector<NamedTensor> tensors = {named("w", DType::F32, {2, 1}, w),
                                      named("d", DType::F64, {}, d)};
  EXPECT_OK(writeSafetensors(dir / "m", tensors));
  std::string header =
      "{\"d\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,8]},"
      "\"w\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[8,16]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  uint64_t length = header.size();
  std::string expected(reinterpret_cast<char *>(&length), 8);
  expected += header;
  expected.append(reinterpret_cast<char *>(d.data()), 8);
  expected.append(reinterpret_cast<char *>(w.data()), 8);
  EXPECT_EQ(readText(dir / "m"), expected);
}

TEST(Safetensors, EmptyTensorsAndEmptyFiles) {
  TemporaryDirectory dir;
  EXPECT_OK(writeSafetensors(dir / "none", {}));
  EXPECT_TRUE((*SafetensorsFile::open(dir / "none"))->tensors().empty());
  std::vector<float> none;
  std::vector<NamedTensor> tensors = {named("e", DType::F32, {0, 4}, none)};
  EXPECT_OK(writeSafetensors(dir / "empty", tensors));
  auto file = *SafetensorsFile::open(dir / "empty");
  EXPECT_EQ(file->tensors().at("e").str(), "0x4xf32");
  EXPECT_OK(file->read("e", tensors[0].tensor));
}

TEST(Safetensors, ReadsRowsOfATensor) {
  TemporaryDirectory dir;
  std::vector<float> w = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<NamedTensor> tensors = {named("w", DType::F32, {4, 2}, w)};
  EXPECT_OK(writeSafetensors(dir / "m", tensors));
  auto file = *SafetensorsFile::open(dir / "m");
  std::vector<float> rows(4);
  TensorRef target = named("", DType::F32, {2, 2}, rows).tensor;
  EXPECT_OK(file->read("w", target, /*rowOffset=*/2));
  EXPECT_EQ(rows, (std::vector<float>{4, 5, 6, 7}));
  EXPECT_TRUE(failsWith(file->read("w", target, 3), Code::kInvalidArgument,
                        "tensor 'w': expected rows from 3 for 2x2xf32, found "
                        "4x2xf32"));
  EXPECT_TRUE(
      failsWith(file->read("v", target), Code::kNotFound, "no tensor 'v'"));
}

TEST(Safetensors, BooleansAreNormalized) {
  TemporaryDirectory dir;
  std::string header =
      "{\"b\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[0,2]}}";
  uint64_t length = header.size();
  writeText(dir / "m", std::string(reinterpret_cast<char *>(&length), 8) +
                           header + std::string("\xff\0", 2));
  std::vector<uint8_t> out(2, 9);
  auto file = *SafetensorsFile::open(dir / "m");
  EXPECT_OK(file->read("b", named("", DType::I1, {2}, out).tensor));
  EXPECT_EQ(out, (std::vector<uint8_t>{1, 0}));
}

TEST(Safetensors, WritingReplacesAtomically) {
  TemporaryDirectory dir;
  std::vector<float> w = {1};
  std::vector<NamedTensor> tensors = {named("w", DType::F32, {1}, w)};
  writeText(dir / "m", "old");
  EXPECT_OK(writeSafetensors(dir / "m", tensors));
  EXPECT_TRUE(SafetensorsFile::open(dir / "m").ok());
  // No temporary file stays, not even after a failure.
  std::filesystem::create_directory(dir / "occupied");
  writeText(dir / "occupied/file", "");
  EXPECT_TRUE(failsWith(writeSafetensors(dir / "occupied", tensors),
                        Code::kFailedPrecondition, "cannot replace") ||
              !writeSafetensors(dir / "occupied", tensors).ok());
  int entries = 0;
  for ([[maybe_unused]] auto &entry :
       std::filesystem::directory_iterator(dir.path))
    ++entries;
  EXPECT_EQ(entries, 2);
}

TEST(Safetensors, BadNamesAreRefused) {
  TemporaryDirectory dir;
  std::vector<float> w = {1};
  auto write = [&](std::vector<NamedTensor> tensors) {
    return writeSafetensors(dir / "m", tensors);
  };
  NamedTensor tensor = named("w", DType::F32, {1}, w);
  EXPECT_TRUE(failsWith(write({tensor, tensor}), Code::kInvalidArgument,
                        "tensor name 'w' is used twice"));
  tensor.name = "__metadata__";
  EXPECT_TRUE(failsWith(write({tensor}), Code::kInvalidArgument,
                        "tensor name '__metadata__' is reserved"));
  tensor.name = "\xff";
  EXPECT_TRUE(
      failsWith(write({tensor}), Code::kInvalidArgument, "not valid UTF-8"));
  EXPECT_FALSE(std::filesystem::exists(dir / "m"));
}

TEST(Safetensors, FilesThatAreNoneAreRefused) {
  TemporaryDirectory dir;
  EXPECT_TRUE(failsWith(SafetensorsFile::open(dir / "m").status(),
                        Code::kNotFound, "cannot open"));
  EXPECT_TRUE(failsWith(SafetensorsFile::open(dir.path).status(),
                        Code::kDataLoss, "not a regular file"));
  writeText(dir / "m", "short");
  EXPECT_TRUE(failsWith(SafetensorsFile::open(dir / "m").status(),
                        Code::kDataLoss, "expected at least 8 bytes"));
  writeText(dir / "m", "this is not a safetensors file");
  EXPECT_TRUE(failsWith(SafetensorsFile::open(dir / "m").status(),
                        Code::kDataLoss, "does not fit in a file of 30"));
}

TEST(Safetensors, MalformedHeadersAreRefused) {
  struct Case {
    const char *header;
    const char *message;
    size_t dataBytes = 8;
  };
  const Case cases[] = {
      {"", "header does not begin with '{'"},
      {" {}", "header does not begin with '{'", 0},
      {"[]", "header does not begin with '{'"},
      {"{\"w\":", "header is not valid JSON"},
      {"{} x", "header is not valid JSON", 0},
      {"{\"\xff\":{}}", "header is not valid JSON"},
      {"{\"w\":1}", "tensor 'w': expected an object, found the number 1"},
      {"{\"w\":null}", "tensor 'w': expected an object, found null"},
      {"{\"w\":[[[[[[[[", "tensor 'w': expected an object, found an array"},
      {"{\"w\":{}}", "tensor 'w': 'dtype' is missing"},
      {"{\"w\":{\"dtype\":\"F32\"}}", "tensor 'w': 'shape' is missing"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2]}}",
       "tensor 'w': 'data_offsets' is missing"},
      {"{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}",
       "tensor 'w' holds 'dtype' twice"},
      {"{\"w\":{\"color\":\"red\"}}", "tensor 'w': unknown key 'color'"},
      {"{\"w\":{\"dtype\":7}}",
       "tensor 'w': expected a string, found the number 7"},
      {"{\"w\":{\"shape\":[-1]}}",
       "tensor 'w': expected numbers >= 0, found the number -1"},
      {"{\"w\":{\"shape\":[1.5]}}",
       "tensor 'w': expected numbers >= 0, found the number 1.5"},
      {"{\"w\":{\"shape\":[true]}}",
       "tensor 'w': expected numbers >= 0, found a boolean"},
      {"{\"w\":{\"shape\":[[1]]}}",
       "tensor 'w': expected numbers >= 0, found an array"},
      {"{\"w\":{\"shape\":\"2\"}}",
       "tensor 'w': expected an array, found a string"},
      {"{\"w\":{\"dtype\":\"F31\",\"shape\":[2],\"data_offsets\":[0,8]}}",
       "tensor 'w': unknown dtype 'F31'"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}",
       "tensor 'w': expected 2 data_offsets, found 1"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9]}}",
       "tensor 'w': data_offsets [0, 9] do not lie within the file's 8 bytes"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}",
       "data_offsets [8, 0] do not lie"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}",
       "tensor 'w': expected 4 bytes for 1xf32, found 8"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],"
       "\"data_offsets\":[0,8]}}",
       "is too large"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[18446744073709551615],"
       "\"data_offsets\":[0,8]}}",
       "dimension 18446744073709551615 is too large"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
       "\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
       "header holds 'w' twice"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
       "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
       "tensor 'b': expected data to begin at 8, found 4 (overlap)"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
       "tensor 'a': expected data to begin at 0, found 4 (hole)"},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
       "tensors use 4 of 8 bytes of data"},
      {"{\"__metadata__\":{\"a\":1}}",
       "'__metadata__': expected a string, found the number 1", 0},
      {"{\"__metadata__\":{\"a\":\"x\",\"a\":\"y\"}}",
       "'__metadata__' holds 'a' twice", 0},
      {"{\"__metadata__\":[]}", "'__metadata__': expected an object", 0},
  };
  for (const Case &test : cases)
    EXPECT_TRUE(failsWith(openFile(test.header, test.dataBytes),
                          Code::kDataLoss, test.message))
        << test.header;
}

TEST(Safetensors, HeaderLengthIsCheckedBeforeAllocation) {
  EXPECT_TRUE(failsWith(openFile("{}", 0, INT64_MAX), Code::kDataLoss,
                        "does not fit in a file of 10"));
  EXPECT_TRUE(failsWith(openFile("{}", 0, 3), Code::kDataLoss, "does not fit"));
}

// Whatever happens to a file, opening and reading it ends in a status.
TEST(Safetensors, DamagedFilesNeverCrash) {
  TemporaryDirectory dir;
  std::vector<float> w(6, 1.0f);
  std::vector<double> d(2, 2.0);
  std::vector<NamedTensor> tensors = {named("w", DType::F32, {2, 3}, w),
                                      named("d", DType::F64, {2}, d)};
  EXPECT_OK(writeSafetensors(dir / "m", tensors, {{"a", "b"}}));
  const std::string good = readText(dir / "m");
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const std::string letters = "{}[]\",:0123456789-e. \\\xff";
  for (int round = 0; round < 1000; ++round) {
    std::string bad = good;
    for (int edit = random() % 4; edit >= 0; --edit) {
      const size_t at = random() % bad.size();
      if (random() % 4 == 0)
        bad.erase(at, 1 + random() % 8);
      else
        bad[at] = letters[random() % letters.size()];
    }
    writeText(dir / "bad", bad);
    auto file = SafetensorsFile::open(dir / "bad");
    if (file.ok())
      for (const NamedTensor &tensor : tensors)
        (void)(*file)->read(tensor.name, tensor.tensor);
  }
}

TEST(Model, SavesAndLoadsAStore) {
  TemporaryDirectory dir;
  auto store = makeStore({variable("w", {2, 2}), variable("b", {2})});
  for (int i = 0; i < 4; ++i)
    store->find("w")->as<float>()[i] = float(i);
  std::vector<NamedTensor> tensors = {{"w", *store->find("w")},
                                      {"b", *store->find("b")}};
  const std::string model = dir / "new/model";
  EXPECT_OK(checkWritable(model));
  EXPECT_OK(writeSafetensors(modelPath(model), tensors));
  EXPECT_TRUE(std::filesystem::exists(modelPath(model)));

  auto again = makeStore({variable("w", {2, 2}), variable("b", {2})});
  auto file = *SafetensorsFile::open(modelPath(model));
  EXPECT_OK(loadModel(*file, *again, {}));
  EXPECT_EQ(again->find("w")->as<float>()[3], 3);

  // A pserver's slice and its optimizer state.
  VariableSpec slice = variable("w.block1", {1, 2});
  slice.origin = "w";
  slice.rowOffset = 1;
  VariableSpec slot = slice;
  slot.name = "w.block1.velocity";
  slot.slotOf = "w.block1";
  auto server = makeStore({slice, slot});
  EXPECT_OK(loadModel(*file, *server, {.allowsExtra = true}));
  EXPECT_EQ(server->find("w.block1")->as<float>()[0], 2);
  EXPECT_EQ(server->find("w.block1.velocity")->as<float>()[0], 0);
}

TEST(Model, MismatchesAreNamed) {
  TemporaryDirectory dir;
  auto store = makeStore({variable("w", {2, 2}), variable("b", {2})});
  std::vector<NamedTensor> tensors = {{"w", *store->find("w")},
                                      {"b", *store->find("b")}};
  EXPECT_OK(writeSafetensors(modelPath(dir.path), tensors));
  auto model = *SafetensorsFile::open(modelPath(dir.path));
  auto load = [&](std::vector<VariableSpec> specs) {
    return loadModel(*model, *makeStore(std::move(specs)), {});
  };
  EXPECT_TRUE(failsWith(load({variable("w", {2, 2}), variable("c", {2})}),
                        Code::kNotFound, "no tensor 'c'"));
  EXPECT_TRUE(failsWith(load({variable("w", {2, 2})}), Code::kInvalidArgument,
                        "tensor 'b' is not a variable of the program"));
  EXPECT_TRUE(failsWith(load({variable("w", {1, 2}), variable("b", {2})}),
                        Code::kInvalidArgument,
                        "tensor 'w': expected 1x2xf32, found 2x2xf32"));
  EXPECT_TRUE(failsWith(
      load({variable("w", {2, 2}, DType::F64), variable("b", {2})}),
      Code::kInvalidArgument, "tensor 'w': expected 2x2xf64, found 2x2xf32"));
  EXPECT_TRUE(failsWith(CheckpointFolder::open(dir / "none")->model().status(),
                        Code::kNotFound,
                        "none/model.safetensors': cannot open"));
}

TEST(Model, UnwritableDirectoriesAreFound) {
  TemporaryDirectory dir;
  writeText(dir / "file", "");
  EXPECT_TRUE(failsWith(checkWritable(dir / "file/model"),
                        Code::kFailedPrecondition,
                        "cannot create the directory") ||
              !checkWritable(dir / "file/model").ok());
  EXPECT_FALSE(checkWritable("/proc/nowhere").ok());
  std::filesystem::create_directories(dir / "d/model.safetensors");
  EXPECT_TRUE(failsWith(checkWritable(dir / "d"), Code::kFailedPrecondition,
                        "cannot replace"));
}
