// SPDX-License-Identifier: Apache-2.0
//===- Predictions.cpp - what an evaluation fetches, sample by sample -----===//
//
// A row per sample, as CSV or as JSON lines. The file is staged and gets its
// name when all rows are there: a run that fails leaves no part of it. Floats
// have as many digits as it takes to read the same value back (9 and 17).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/output/Predictions.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/output/Metrics.h"
#include <algorithm>
#include <cmath>
#include <span>

using namespace ps;
using namespace ps::runtime;

bool ps::isScalar(const FetchInfo &fetch) {
  return std::ranges::all_of(fetch.type.shape,
                             [](int64_t size) { return size == 1; });
}

bool ps::hasRows(const FetchInfo &fetch, int64_t batchSize) {
  const std::vector<int64_t> &shape = fetch.type.shape;
  return !shape.empty() && (shape[0] == -1 || shape[0] == batchSize) &&
         std::none_of(shape.begin() + 1, shape.end(),
                      [](int64_t size) { return size == -1; });
}

bool ps::isPredictionsFile(const std::string &path) {
  return absl::EndsWith(path, ".csv") || absl::EndsWith(path, ".jsonl");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void appendFloat(double value, int digits, bool json,
                        std::string &text) {
  if (json && !std::isfinite(value))
    text += "null";
  else
    absl::StrAppendFormat(&text, "%.*g", digits, value);
}

static void appendElement(const TensorRef &tensor, int64_t i, bool json,
                          std::string &text) {
  switch (tensor.type.dtype) {
  case DType::I1:
  case DType::UI8:
    return absl::StrAppend(&text, tensor.as<uint8_t>()[i]);
  case DType::I8:
    return absl::StrAppend(&text, tensor.as<int8_t>()[i]);
  case DType::I16:
    return absl::StrAppend(&text, tensor.as<int16_t>()[i]);
  case DType::I32:
    return absl::StrAppend(&text, tensor.as<int32_t>()[i]);
  case DType::I64:
    return absl::StrAppend(&text, tensor.as<int64_t>()[i]);
  case DType::UI16:
    return absl::StrAppend(&text, tensor.as<uint16_t>()[i]);
  case DType::UI32:
    return absl::StrAppend(&text, tensor.as<uint32_t>()[i]);
  case DType::UI64:
    return absl::StrAppend(&text, tensor.as<uint64_t>()[i]);
  case DType::BF16:
    return appendFloat(static_cast<float>(tensor.as<BFloat16>()[i]), 9, json,
                       text);
  case DType::F16:
    return appendFloat(static_cast<float>(tensor.as<_Float16>()[i]), 9, json,
                       text);
  case DType::F32:
    return appendFloat(tensor.as<float>()[i], 9, json, text);
  case DType::F64:
    return appendFloat(tensor.as<double>()[i], 17, json, text);
  }
}

static int64_t countElements(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// The elements of `tensor` from `first` on as lists nested by `shape`.
static void appendNested(const TensorRef &tensor, int64_t first,
                         std::span<const int64_t> shape, std::string &text) {
  if (shape.empty())
    return appendElement(tensor, first, /*json=*/true, text);
  const int64_t stride = countElements(shape.subspan(1));
  text += '[';
  for (int64_t i = 0; i != shape[0]; ++i) {
    if (i != 0)
      text += ',';
    appendNested(tensor, first + i * stride, shape.subspan(1), text);
  }
  text += ']';
}

/// "name" where a row is one element, else "name[0]", "name[1]", .., or
/// "name[0][0]", .. where a row has more dimensions.
static void appendColumns(const FetchInfo &fetch, std::string &text) {
  std::span<const int64_t> shape(fetch.type.shape.begin() + 1,
                                 fetch.type.shape.end());
  const int64_t elements = countElements(shape);
  for (int64_t i = 0; i != elements; ++i) {
    std::string name = fetch.name;
    for (size_t d = 0; d != shape.size() && elements != 1; ++d)
      absl::StrAppend(&name, "[",
                      i / countElements(shape.subspan(d + 1)) % shape[d], "]");
    if (name.find_first_of(",\"\r\n") != std::string::npos)
      name =
          absl::StrCat("\"", absl::StrReplaceAll(name, {{"\"", "\"\""}}), "\"");
    absl::StrAppend(&text, text.empty() ? "" : ",", name);
  }
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static absl::Status annotateWrite(const absl::Status &status) {
  return annotate(status, "cannot write predictions");
}

absl::StatusOr<std::unique_ptr<Predictions>>
Predictions::open(const std::string &path, std::vector<FetchInfo> fetches) {
  absl::StatusOr<std::unique_ptr<StagedFile>> file = StagedFile::create(path);
  if (!file.ok())
    return annotateWrite(file.status());
  std::unique_ptr<Predictions> made(new Predictions(
      *std::move(file), absl::EndsWith(path, ".jsonl"), std::move(fetches)));
  if (!made->json)
    made->appendHeader();
  return made;
}

void Predictions::appendHeader() {
  for (const FetchInfo &fetch : fetches)
    appendColumns(fetch, text);
  text += '\n';
}

void Predictions::appendRow(const std::vector<TensorRef> &tensors,
                            int64_t row) {
  text += json ? "{" : "";
  const size_t begin = text.size();
  for (size_t i = 0; i != tensors.size(); ++i) {
    std::span<const int64_t> shape(tensors[i].type.shape.begin() + 1,
                                   tensors[i].type.shape.end());
    const int64_t elements = countElements(shape), first = row * elements;
    if (json) {
      absl::StrAppend(&text, text.size() == begin ? "" : ",",
                      quoteJson(fetches[i].name), ":");
      appendNested(tensors[i], first, shape, text);
      continue;
    }
    for (int64_t j = 0; j != elements; ++j) {
      text += text.size() == begin ? "" : ",";
      appendElement(tensors[i], first + j, /*json=*/false, text);
    }
  }
  text += json ? "}\n" : "\n";
}

absl::Status Predictions::write(const Program &program, int64_t rows) {
  std::vector<TensorRef> tensors;
  for (const FetchInfo &fetch : fetches) {
    auto found = program.fetches.find(fetch.name);
    if (found == program.fetches.end() || found->second.type.shape.empty() ||
        found->second.type.shape[0] < rows)
      return absl::InternalError(
          absl::StrCat("fetch '", fetch.name, "' has no row per sample"));
    tensors.push_back(found->second);
  }
  for (int64_t row = 0; row != rows; ++row)
    appendRow(tensors, row);
  return writeText();
}

absl::Status Predictions::writeText() {
  absl::Status status = file->write(text.data(), text.size(), written);
  written += text.size();
  text.clear();
  return annotateWrite(status);
}

absl::Status Predictions::close() {
  absl::Status status = writeText();
  return status.ok() ? annotateWrite(file->publish()) : status;
}
