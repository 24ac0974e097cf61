// SPDX-License-Identifier: Apache-2.0
//===- FuzzTableFile.cpp - any bytes as the file of a table ---------------===//

#include "runtime/checkpoint/TableFile.h"
#include "test/fuzz/hostile/InputFile.h"
#include "test/unit/table/TableTesting.h"
#include <fstream>

using namespace ps::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const TemporaryDirectory dir;
  const std::string path = tablePath(dir.path, "emb", 0, 1);
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
