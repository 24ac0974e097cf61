// SPDX-License-Identifier: Apache-2.0
//===- Idx.cpp - reads the file format of the MNIST digits ----------------===//
//
// A file is a magic number (two zero bytes, the element type, the rank), one
// big-endian 32-bit size per dimension, then the elements. Only unsigned bytes
// (type 8) are read.
//
//===----------------------------------------------------------------------===//

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/File.h"

using namespace ps::runtime;

namespace {

struct IdxHeader {
  std::vector<int64_t> shape;
  int64_t elements = 1;

  size_t bytes() const { return 4 + 4 * shape.size(); }
};

} // namespace

/// Reads and checks everything before the elements: the size that the header
/// claims must fit into the file before memory is allocated for it.
static absl::StatusOr<IdxHeader> readHeader(File &file, unsigned rank) {
  unsigned char word[4];
  RETURN_IF_ERROR(file.readExactly(word, 4, "the magic number"));
  if (word[0] || word[1] || word[2] != 0x08 || word[3] != rank)
    return file.error(
        absl::StrFormat("wrong magic number 0x%02x%02x%02x%02x, expected "
                        "0x000008%02x (unsigned bytes, %u dimensions)",
                        word[0], word[1], word[2], word[3], rank, rank));
  IdxHeader header;
  for (unsigned i = 0; i != rank; ++i) {
    RETURN_IF_ERROR(file.readExactly(word, 4, "the header"));
    int64_t size =
        int64_t(word[0]) << 24 | word[1] << 16 | word[2] << 8 | word[3];
    header.shape.push_back(size);
    if (__builtin_mul_overflow(header.elements, size, &header.elements))
      return file.error("the sizes in the header overflow");
  }
  if (header.elements == 0)
    return file.error("holds no samples");
  if (header.bytes() + uint64_t(header.elements) > file.maxBytes())
    return file.error(absl::StrCat("truncated: the header promises ",
                                   header.elements,
                                   " elements, more than the file holds"));
  return header;
}

static absl::StatusOr<Dataset> readImages(const std::string &path) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, File::open(path));
  ASSIGN_OR_RETURN(IdxHeader header, readHeader(*file, 3));
  Dataset data;
  data.size = header.shape[0];
  data.columns.push_back({.name = "features",
                          .width = header.shape[1] * header.shape[2],
                          .dtype = DType::UI8,
                          .scale = 1.0 / 255,
                          .bytes = {}});
  RETURN_IF_ERROR(file->readRest(header.elements, data.columns[0].bytes));
  return data;
}

static absl::Status addLabels(Dataset &data, const std::string &images,
                              const std::string &path) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, File::open(path));
  ASSIGN_OR_RETURN(IdxHeader header, readHeader(*file, 1));
  if (header.shape[0] != data.size)
    return absl::DataLossError(absl::StrCat("'", images, "' holds ", data.size,
                                            " images, but '", path, "' holds ",
                                            header.shape[0], " labels"));
  data.columns.push_back(
      {.name = "label", .width = 1, .dtype = DType::UI8, .bytes = {}});
  return file->readRest(header.elements, data.columns[1].bytes);
}

absl::StatusOr<Dataset> ps::runtime::readIdx(const std::string &images,
                                             const std::string &labels) {
  absl::StatusOr<Dataset> data = readImages(images);
  if (data.ok() && !labels.empty())
    RETURN_IF_ERROR(addLabels(*data, images, labels));
  return data;
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static absl::StatusOr<Dataset> readSpec(DataSpec &spec, const DataOptions &) {
  std::vector<std::string> files = absl::StrSplit(spec.source, ',');
  if (files.size() > 2 || files[0].empty())
    return spec.error("expected idx:IMAGES,LABELS");
  return readIdx(files[0], files.size() == 2 ? files[1] : "");
}

const DataFormat formats::idx = {.name = "idx",
                                 .source = "IMAGES,LABELS",
                                 .help =
                                     "files in the format of the MNIST digits",
                                 .read = readSpec};
