//===- Compare.cpp - how far two saved models are apart -------------------===//

#include "tools/ps-run/Compare.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/store/Safetensors.h"
#include "runtime/store/TableFile.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

using namespace ps;
using namespace ps::runtime;

static absl::StatusOr<std::unique_ptr<SafetensorsFile>>
openModel(const std::string &path) {
  return SafetensorsFile::open(
      std::filesystem::is_directory(path) ? modelPath(path) : path);
}

/// The largest |a - b| over the largest |a| or |b|; infinity where one is not
/// a number.
template <typename T>
static double relativeDifference(const TensorRef &left,
                                 const TensorRef &right) {
  double difference = 0, magnitude = 0;
  for (int64_t i = 0; i != left.type.numElements(); ++i) {
    double a = left.as<T>()[i], b = right.as<T>()[i];
    if (!std::isfinite(a) || !std::isfinite(b))
      return INFINITY;
    difference = std::max(difference, std::abs(a - b));
    magnitude = std::max({magnitude, std::abs(a), std::abs(b)});
  }
  return difference == 0 ? 0 : difference / magnitude;
}

static absl::StatusOr<double> compareVariable(const SafetensorsFile &left,
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
    absl::StatusOr<Buffer> buffer = Buffer::allocate(type.bytes());
    if (!buffer.ok())
      return buffer.status();
    memory[side] = std::move(*buffer);
    tensors[side].data = memory[side].data();
    if (absl::Status s = (side ? right : left).read(name, tensors[side]);
        !s.ok())
      return s;
  }
  // Counts and ids are equal or not.
  if (!isFloat(type.dtype))
    return std::equal(tensors[0].data, tensors[0].data + type.bytes(),
                      tensors[1].data)
               ? 0
               : INFINITY;
  return type.dtype == DType::F32
             ? relativeDifference<float>(tensors[0], tensors[1])
             : relativeDifference<double>(tensors[0], tensors[1]);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The files of each table of a model; none where it is a file.
static absl::StatusOr<std::map<std::string, TableFiles>>
findTables(const std::string &path) {
  if (!std::filesystem::is_directory(path))
    return std::map<std::string, TableFiles>();
  return listTables(path);
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
  absl::StatusOr<Buffer> buffer = Buffer::allocate(type.bytes());
  if (!buffer.ok())
    return buffer.status();
  if (absl::Status s = file.read(name, {type, buffer->data()}); !s.ok())
    return s;
  return buffer;
}

static absl::Status readRows(const std::string &path, SavedRows &table) {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(path);
  if (!file.ok())
    return file.status();
  auto values = (*file)->tensors().find("values");
  if (values == (*file)->tensors().end() || values->second.shape.size() != 2 ||
      (values->second.dtype != DType::F32 &&
       values->second.dtype != DType::F64))
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "' holds no rows of a table"));
  const TensorType &type = values->second;
  TensorType row{type.dtype, {type.shape[1]}};
  if (!table.memory.empty() && table.type != row)
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "' has rows of ", row.str(),
                     ", other files of the table of ", table.type.str()));
  table.type = row;
  absl::StatusOr<Buffer> ids =
      readWhole(**file, "ids", {DType::I64, {type.shape[0]}});
  if (!ids.ok())
    return ids.status();
  absl::StatusOr<Buffer> rows = readWhole(**file, "values", type);
  if (!rows.ok())
    return rows.status();
  for (int64_t i = 0; i != type.shape[0]; ++i)
    table.rows[reinterpret_cast<int64_t *>(ids->data())[i]] =
        rows->data() + i * row.bytes();
  table.memory.push_back(std::move(*rows));
  return absl::OkStatus();
}

template <typename T>
static double relativeDifference(const SavedRows &left,
                                 const SavedRows &right) {
  double difference = 0, magnitude = 0;
  for (const auto &[id, row] : left.rows)
    for (int64_t j = 0; j != left.type.numElements(); ++j) {
      double a = reinterpret_cast<const T *>(row)[j];
      double b = reinterpret_cast<const T *>(right.rows.at(id))[j];
      if (!std::isfinite(a) || !std::isfinite(b))
        return INFINITY;
      difference = std::max(difference, std::abs(a - b));
      magnitude = std::max({magnitude, std::abs(a), std::abs(b)});
    }
  return difference == 0 ? 0 : difference / magnitude;
}

static absl::StatusOr<double> compareTable(const CompareConfig &config,
                                           const std::string &name,
                                           const TableFiles &left,
                                           const TableFiles &right) {
  SavedRows sides[2];
  for (int side : {0, 1})
    for (const auto &[holders, path] : side ? right : left)
      if (absl::Status s = readRows(path, sides[side]); !s.ok())
        return s;
  if (sides[0].type != sides[1].type)
    return absl::InvalidArgumentError(
        absl::StrCat("rows of table '", name, "' are ", sides[0].type.str(),
                     " in '", config.left, "' and ", sides[1].type.str(),
                     " in '", config.right, "'"));
  for (int side : {0, 1})
    for (const auto &[id, row] : sides[side].rows)
      if (!sides[1 - side].rows.contains(id))
        return absl::NotFoundError(
            absl::StrCat("'", side ? config.left : config.right,
                         "' has no row ", id, " of table '", name, "'"));
  return sides[0].type.dtype == DType::F64
             ? relativeDifference<double>(sides[0], sides[1])
             : relativeDifference<float>(sides[0], sides[1]);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// The largest difference, and whose it is.
struct Largest {
  double difference = 0;
  std::string where;

  void add(double other, const std::string &name) {
    if (!where.empty() && other <= difference)
      return;
    difference = other;
    where = name;
  }
};
} // namespace

/// Adds the differences of the tables; gives their number.
static absl::StatusOr<size_t> compareTables(const CompareConfig &config,
                                            Largest &largest) {
  auto left = findTables(config.left), right = findTables(config.right);
  for (const auto *side : {&left, &right})
    if (!side->ok())
      return side->status();
  for (const auto &[name, files] : *right)
    if (!left->contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", config.left, "' has no table '", name, "'"));
  for (const auto &[name, files] : *left) {
    if (!right->contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", config.right, "' has no table '", name, "'"));
    absl::StatusOr<double> difference =
        compareTable(config, name, files, (*right)[name]);
    if (!difference.ok())
      return difference.status();
    largest.add(*difference, name);
  }
  return left->size();
}

absl::Status ps::compareModels(const CompareConfig &config) {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> left =
      openModel(config.left);
  if (!left.ok())
    return left.status();
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> right =
      openModel(config.right);
  if (!right.ok())
    return right.status();
  for (const auto &[name, type] : (*right)->tensors())
    if (!(*left)->tensors().contains(name))
      return absl::NotFoundError(
          absl::StrCat("'", config.left, "' has no variable '", name, "'"));
  Largest largest;
  for (const auto &[name, type] : (*left)->tensors()) {
    absl::StatusOr<double> difference =
        compareVariable(**left, **right, name, type);
    if (!difference.ok())
      return difference.status();
    largest.add(*difference, name);
  }
  absl::StatusOr<size_t> tables = compareTables(config, largest);
  if (!tables.ok())
    return tables.status();
  const size_t variables = (*left)->tensors().size();
  if (variables + *tables == 0)
    return absl::FailedPreconditionError(
        absl::StrCat("neither '", config.left, "' nor '", config.right,
                     "' holds a variable or a table"));
  std::string shown =
      absl::StrCat(variables, variables == 1 ? " variable" : " variables");
  if (*tables)
    absl::StrAppend(&shown, " and ", *tables,
                    *tables == 1 ? " table" : " tables");
  printf("max relative difference %.3g (%s) over %s\n", largest.difference,
         largest.where.c_str(), shown.c_str());
  if (largest.difference > config.tolerance)
    return absl::FailedPreconditionError(
        absl::StrFormat("'%s' differs by %.3g, more than the tolerance %.3g",
                        largest.where, largest.difference, config.tolerance));
  return absl::OkStatus();
}
