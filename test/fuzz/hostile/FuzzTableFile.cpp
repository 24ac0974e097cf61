// SPDX-License-Identifier: Apache-2.0
//===- FuzzTableFile.cpp - any bytes as the file of a table ---------------===//

#include "runtime/checkpoint/TableFile.h"
#include "test/fuzz/hostile/InputFile.h"
#include "test/unit/table/TableTesting.h"
#include <fstream>

using namespace ps::runtime;

/// Writes a file with the rows 1 and 2 for inputs to complete that say so; the
/// seed two-changes does.
static void writeBase(const std::string &path) {
  std::string header =
      R"({"__metadata__":{"checkpoint":"0123456789abcdef0123456789abcdef",)"
      R"("rows":"all"},"ids":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},)"
      R"("values":{"dtype":"F32","shape":[2,3],"data_offsets":[16,40]},)"
      R"("moment":{"dtype":"F32","shape":[2,3],"data_offsets":[40,64]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t size = header.size();
  const int64_t ids[] = {1, 2};
  const float values[12] = {};
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(&size), sizeof(size))
      .write(header.data(), static_cast<std::streamsize>(size))
      .write(reinterpret_cast<const char *>(ids), sizeof(ids))
      .write(reinterpret_cast<const char *>(values), sizeof(values));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const TemporaryDirectory dir;
  static const std::string path = [] {
    std::string file = tablePath(dir.path, "emb", 0, 1);
    writeBase(basePath(file));
    return file;
  }();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(data),
             static_cast<std::streamsize>(size));
  auto folder = CheckpointFolder::open(dir.path);
  if (!folder.ok())
    return 0;
  std::vector<CheckpointFolder> folders;
  folders.push_back(*std::move(folder));
  const auto table = Table::create(adagradTable(3, 1000), /*seed=*/1);
  if (!table.ok())
    std::abort();
  if (loadTable(folders, **table, {}).ok() && (*table)->size() > 1000)
    std::abort();
  return 0;
}
