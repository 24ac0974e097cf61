//===- Compare.cpp - how far two saved models are apart -------------------===//

#include "tools/ps-run/Compare.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/store/Safetensors.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

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
  if (type.dtype != DType::F32 && type.dtype != DType::F64)
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
  return type.dtype == DType::F32
             ? relativeDifference<float>(tensors[0], tensors[1])
             : relativeDifference<double>(tensors[0], tensors[1]);
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
  double largest = 0;
  std::string where;
  for (const auto &[name, type] : (*left)->tensors()) {
    absl::StatusOr<double> difference =
        compareVariable(**left, **right, name, type);
    if (!difference.ok())
      return difference.status();
    if (where.empty() || *difference > largest) {
      largest = *difference;
      where = name;
    }
  }
  printf("max relative difference %.3g (%s) over %zu variables\n", largest,
         where.c_str(), (*left)->tensors().size());
  if (largest > config.tolerance)
    return absl::FailedPreconditionError(
        absl::StrFormat("'%s' differs by %.3g, more than the tolerance %.3g",
                        where, largest, config.tolerance));
  return absl::OkStatus();
}
