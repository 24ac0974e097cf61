// SPDX-License-Identifier: Apache-2.0
//===- Compare.cpp - how far two saved models are apart -------------------===//
//
// Models may come from runs with other numbers of processes: the rows of a
// table are brought together from all its files and compared by id. A
// difference passes when it is within the relative or the absolute tolerance.
// Files of a folder are verified as --load does, a file that is named itself is
// not.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/commands/Compare.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TableFile.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

using namespace ps;
using namespace ps::runtime;

namespace {
/// A model to compare: a folder, or else a file.
struct SavedModel {
  std::string path;
  std::optional<CheckpointFolder> folder;
  /// Where the model is no folder.
  std::unique_ptr<SafetensorsFile> file;

  static absl::StatusOr<SavedModel> open(const std::string &path);
  const SafetensorsFile &variables() const {
    return folder ? **folder->model() : *file;
  }
};
} // namespace

absl::StatusOr<SavedModel> SavedModel::open(const std::string &path) {
  SavedModel model;
  model.path = path;
  if (!std::filesystem::is_directory(path)) {
    ASSIGN_OR_RETURN(model.file, SafetensorsFile::open(path));
    return model;
  }
  ASSIGN_OR_RETURN(model.folder, CheckpointFolder::open(path));
  RETURN_IF_ERROR(model.folder->model().status());
  RETURN_IF_ERROR(model.folder->verify(model.variables()));
  return model;
}

namespace {
/// How far two variables are apart: the largest |a - b|, and that over the
/// largest |a| or |b|.
struct Difference {
  double absolute = 0, relative = 0;
};

constexpr Difference withoutLimit = {INFINITY, INFINITY};

/// Takes the elements of two variables in turn.
class DifferenceMeter {
public:
  void add(double a, double b) {
    // std::max drops a NaN: it would pass as no difference.
    finite &= std::isfinite(a) && std::isfinite(b);
    absolute = std::max(absolute, std::abs(a - b));
    magnitude = std::max({magnitude, std::abs(a), std::abs(b)});
  }
  Difference result() const {
    if (!finite)
      return withoutLimit;
    return {absolute, absolute == 0 ? 0 : absolute / magnitude};
  }

private:
  double absolute = 0, magnitude = 0;
  bool finite = true;
};
} // namespace

template <typename T>
static Difference measure(const TensorRef &left, const TensorRef &right) {
  DifferenceMeter meter;
  for (int64_t i = 0; i != left.type.numElements(); ++i)
    meter.add(left.as<T>()[i], right.as<T>()[i]);
  return meter.result();
}

static absl::StatusOr<Difference> compareVariable(const SafetensorsFile &left,
                                                  const SafetensorsFile &right,
                                                  const std::string &name,
                                                  const TensorType &type) {
  if (isFloat(type.dtype) && type.dtype != DType::F32 &&
      type.dtype != DType::F64)
    return absl::UnimplementedError(
        absl::StrCat("'", name, "' is ", type.str(), ", neither f32 nor f64"));
  TensorRef tensors[2] = {{type, nullptr}, {type, nullptr}};
  Buffer memory[2];
  for (int side : {0, 1}) {
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::allocate(type.bytes()));
    memory[side] = std::move(buffer);
    tensors[side].data = memory[side].data();
    RETURN_IF_ERROR((side ? right : left).read(name, tensors[side]));
  }
  // Counts and ids are equal or not.
  if (!isFloat(type.dtype))
    return std::equal(tensors[0].data, tensors[0].data + type.bytes(),
                      tensors[1].data)
               ? Difference()
               : withoutLimit;
  return type.dtype == DType::F32 ? measure<float>(tensors[0], tensors[1])
                                  : measure<double>(tensors[0], tensors[1]);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The files of each table of a model; none where it is a file.
static absl::StatusOr<std::map<std::string, TableFiles>>
findTables(const SavedModel &model) {
  if (!model.folder)
    return std::map<std::string, TableFiles>();
  return listTables(model.path);
}

namespace {
/// The rows that one or more processes have saved of a table.
struct SavedRows {
  /// One row.
  TensorType type;
  std::map<int64_t, const std::byte *> rows;
  std::vector<Buffer> memory;
};
} // namespace

/// Reads the whole tensor `name`.
static absl::StatusOr<Buffer> readWhole(const SafetensorsFile &file,
                                        const std::string &name,
                                        const TensorType &type) {
  ASSIGN_OR_RETURN(Buffer buffer, Buffer::allocate(type.bytes()));
  RETURN_IF_ERROR(file.read(name, {type, buffer.data()}));
  return buffer;
}

/// Adds the rows of `file`, in the place of those that the table has.
static absl::Status addRows(const SafetensorsFile &file, SavedRows &table) {
  auto values = file.tensors().find("values");
  if (values == file.tensors().end() || values->second.shape.size() != 2 ||
      (values->second.dtype != DType::F32 &&
       values->second.dtype != DType::F64))
    return absl::InvalidArgumentError(
        absl::StrCat("'", file.path(), "' holds no rows of a table"));
  const TensorType &type = values->second;
  TensorType row{type.dtype, {type.shape[1]}};
  if (!table.memory.empty() && table.type != row)
    return absl::InvalidArgumentError(
        absl::StrCat("'", file.path(), "' has rows of ", row.str(),
                     ", other files of the table of ", table.type.str()));
  table.type = row;
  ASSIGN_OR_RETURN(Buffer ids,
                   readWhole(file, "ids", {DType::I64, {type.shape[0]}}));
  ASSIGN_OR_RETURN(Buffer rows, readWhole(file, "values", type));
  for (int64_t i = 0; i != type.shape[0]; ++i)
    table.rows[reinterpret_cast<int64_t *>(ids.data())[i]] =
        rows.data() + i * row.bytes();
  table.memory.push_back(std::move(rows));
  return absl::OkStatus();
}

static absl::Status readRows(CheckpointFolder &folder, const std::string &path,
                             SavedRows &table) {
  ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsFile> file,
                   folder.openFile(path));
  RETURN_IF_ERROR(folder.check(*file));
  RETURN_IF_ERROR(folder.verify(*file));
  if (file->metadata().contains(kTierFiles))
    return absl::FailedPreconditionError(absl::StrCat(
        "'", path,
        "': its rows are on an SSD, where a pass has saved them: "
        "expected a model that a run has saved at its end, or a checkpoint"));
  if (auto id = file->metadata().find(kBaseId); id != file->metadata().end()) {
    ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsFile> base,
                     folder.openBase(basePath(path), id->second));
    RETURN_IF_ERROR(folder.verify(*base));
    RETURN_IF_ERROR(addRows(*base, table));
    ASSIGN_OR_RETURN(const std::vector<int64_t> dropped, readDropped(*file));
    for (int64_t id : dropped)
      table.rows.erase(id);
  }
  return addRows(*file, table);
}

template <typename T>
static Difference measure(const SavedRows &left, const SavedRows &right) {
  DifferenceMeter meter;
  for (const auto &[id, row] : left.rows)
    for (int64_t j = 0; j != left.type.numElements(); ++j)
      meter.add(reinterpret_cast<const T *>(row)[j],
                reinterpret_cast<const T *>(right.rows.at(id))[j]);
  return meter.result();
}

static absl::StatusOr<Difference> compareTable(const std::string &name,
                                               SavedModel &left,
                                               const TableFiles &leftFiles,
                                               SavedModel &right,
                                               const TableFiles &rightFiles) {
  SavedRows sides[2];
  for (int side : {0, 1})
    for (const auto &[holders, path] : side ? rightFiles : leftFiles)
      RETURN_IF_ERROR(
          readRows(*(side ? right : left).folder, path, sides[side]));
  if (sides[0].type != sides[1].type)
    return absl::InvalidArgumentError(absl::StrCat(
        "rows of table '", name, "' are ", sides[0].type.str(), " in '",
        left.path, "' and ", sides[1].type.str(), " in '", right.path, "'"));
  for (int side : {0, 1})
    for (const auto &[id, row] : sides[side].rows)
      if (!sides[1 - side].rows.contains(id))
        return absl::NotFoundError(absl::StrCat("'", (side ? left : right).path,
                                                "' has no row ", id,
                                                " of table '", name, "'"));
  return sides[0].type.dtype == DType::F64 ? measure<double>(sides[0], sides[1])
                                           : measure<float>(sides[0], sides[1]);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// A number, and the variable or table that has it.
struct Largest {
  double value = 0;
  std::string where;

  void add(double other, const std::string &name) {
    if (!where.empty() && other <= value)
      return;
    value = other;
    where = name;
  }
};

/// The largest differences of all, and of what exceeds both tolerances.
struct Summary {
  const CompareConfig &config;
  Largest relative, absolute, failed;

  void add(const Difference &difference, const std::string &name) {
    relative.add(difference.relative, name);
    absolute.add(difference.absolute, name);
    if (difference.relative > config.tolerance &&
        difference.absolute > config.absolute)
      failed.add(difference.relative, name);
  }
};
} // namespace

/// Adds the differences of the tables; gives their number.
static absl::StatusOr<size_t> compareTables(SavedModel &left, SavedModel &right,
                                            Summary &summary) {
  ASSIGN_OR_RETURN(auto leftTables, findTables(left));
  ASSIGN_OR_RETURN(auto rightTables, findTables(right));
  for (const auto &[name, files] : rightTables)
    if (!leftTables.contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", left.path, "' has no table '", name, "'"));
  for (const auto &[name, files] : leftTables) {
    if (!rightTables.contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", right.path, "' has no table '", name, "'"));
    ASSIGN_OR_RETURN(Difference difference,
                     compareTable(name, left, files, right, rightTables[name]));
    summary.add(difference, name);
  }
  return leftTables.size();
}

absl::Status ps::compareModels(const CompareConfig &config) {
  ASSIGN_OR_RETURN(SavedModel leftModel, SavedModel::open(config.left));
  ASSIGN_OR_RETURN(SavedModel rightModel, SavedModel::open(config.right));
  const SafetensorsFile &left = leftModel.variables(),
                        &right = rightModel.variables();
  for (const auto &[name, type] : right.tensors())
    if (!left.tensors().contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", config.left, "' has no variable '", name, "'"));
  Summary summary{config, {}, {}, {}};
  for (const auto &[name, type] : left.tensors()) {
    ASSIGN_OR_RETURN(Difference difference,
                     compareVariable(left, right, name, type));
    summary.add(difference, name);
  }
  ASSIGN_OR_RETURN(size_t tables,
                   compareTables(leftModel, rightModel, summary));
  const size_t variables = left.tensors().size();
  if (variables + tables == 0)
    return absl::FailedPreconditionError(
        absl::StrCat("neither '", config.left, "' nor '", config.right,
                     "' holds a variable or a table"));
  std::string shown =
      absl::StrCat(variables, variables == 1 ? " variable" : " variables");
  if (tables)
    absl::StrAppend(&shown, " and ", tables,
                    tables == 1 ? " table" : " tables");
  printf("max relative difference %.3g (%s)", summary.relative.value,
         summary.relative.where.c_str());
  if (config.absolute > 0)
    printf(", absolute %.3g (%s)", summary.absolute.value,
           summary.absolute.where.c_str());
  printf(" over %s\n", shown.c_str());
  if (summary.failed.where.empty())
    return absl::OkStatus();
  std::string tolerance = absl::StrFormat("%.3g", config.tolerance);
  if (config.absolute > 0)
    absl::StrAppendFormat(&tolerance, ", and absolutely by more than %.3g",
                          config.absolute);
  return absl::FailedPreconditionError(
      absl::StrFormat("'%s' differs by %.3g, more than the tolerance %s",
                      summary.failed.where, summary.failed.value, tolerance));
}
