// SPDX-License-Identifier: Apache-2.0
//===- Npy.cpp - arrays that NumPy saved, a file or an archive of them ----===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/arrays/NpyArray.h"
#include "runtime/data/arrays/ZipArchive.h"

using namespace ps::runtime;

static absl::StatusOr<Dataset> readFiles(DataSpec &spec, const DataOptions &) {
  Dataset data;
  std::string first;
  for (absl::string_view item : absl::StrSplit(spec.source, ',')) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    const auto &[name, path] = parts;
    if (name.empty() || path.empty())
      return spec.error("expected npy:COLUMN=FILE,COLUMN=FILE,..");
    if (hasColumn(data, name))
      return spec.error(absl::StrCat("column '", name, "' is given twice"));
    ASSIGN_OR_RETURN(std::unique_ptr<File> file, File::open(path));
    RETURN_IF_ERROR(addNpyArray(*file, name, first, data));
  }
  return data;
}

/// NumPy names the members of an archive "COLUMN.npy".
static absl::StatusOr<Dataset> readArchive(DataSpec &spec,
                                           const DataOptions &) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ZipArchive> archive,
                   ZipArchive::open(spec.source));
  Dataset data;
  std::string first;
  for (const ZipArchive::Member &member : archive->members()) {
    ASSIGN_OR_RETURN(std::unique_ptr<File> file, archive->read(member));
    absl::string_view name = member.name;
    if (!absl::ConsumeSuffix(&name, ".npy") || name.empty())
      return file->error("expected arrays 'COLUMN.npy'");
    if (hasColumn(data, name))
      return file->error("the archive has two members of this name");
    RETURN_IF_ERROR(addNpyArray(*file, std::string(name), first, data));
  }
  if (data.columns.empty())
    return absl::DataLossError(
        absl::StrCat("'", spec.source, "': holds no arrays"));
  return data;
}

const DataFormat formats::npy = {
    .name = "npy",
    .source = "COLUMN=FILE,..",
    .help = "arrays that numpy.save() wrote, a sample per row: as\n"
            "npy:features=X.npy,label=y.npy",
    .read = readFiles};

const DataFormat formats::npz = {
    .name = "npz",
    .source = "FILE",
    .help = "arrays of one file that numpy.savez() or\n"
            "savez_compressed() wrote; its keys are the columns",
    .read = readArchive};
