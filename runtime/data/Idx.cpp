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
#include "runtime/data/Dataset.h"
#include "runtime/data/File.h"
#include <algorithm>

using namespace ps::runtime;

namespace {

struct IdxHeader {
  std::vector<int64_t> shape;
  int64_t elements = 1;

  size_t bytes() const { return 4 + 4 * shape.size(); }
};

} // namespace

static absl::Status broken(const File &file, absl::string_view why) {
  return absl::DataLossError(absl::StrCat("'", file.path(), "': ", why));
}

static absl::Status truncated(const File &file, absl::string_view what,
                              size_t expected, size_t found) {
  return broken(file, absl::StrCat("truncated: ", what, " takes ", expected,
                                   " bytes, found ", found));
}

static absl::Status readExactly(File &file, void *to, size_t size,
                                absl::string_view what) {
  absl::StatusOr<size_t> got = file.read(to, size);
  if (!got.ok())
    return got.status();
  if (*got != size)
    return truncated(file, what, size, *got);
  return absl::OkStatus();
}

/// Reads and checks everything before the elements: the size that the header
/// claims must fit into the file before anybody allocates it.
static absl::StatusOr<IdxHeader> readHeader(File &file, unsigned rank) {
  unsigned char word[4];
  if (absl::Status s = readExactly(file, word, 4, "the magic number"); !s.ok())
    return s;
  if (word[0] || word[1] || word[2] != 0x08 || word[3] != rank)
    return broken(
        file, absl::StrFormat("wrong magic number 0x%02x%02x%02x%02x, expected "
                              "0x000008%02x (unsigned bytes, %u dimensions)",
                              word[0], word[1], word[2], word[3], rank, rank));
  IdxHeader header;
  for (unsigned i = 0; i != rank; ++i) {
    if (absl::Status s = readExactly(file, word, 4, "the header"); !s.ok())
      return s;
    int64_t size =
        int64_t(word[0]) << 24 | word[1] << 16 | word[2] << 8 | word[3];
    header.shape.push_back(size);
    if (__builtin_mul_overflow(header.elements, size, &header.elements))
      return broken(file, "the sizes in the header overflow");
  }
  if (header.elements == 0)
    return broken(file, "holds no samples");
  if (header.bytes() + uint64_t(header.elements) > file.maxBytes())
    return broken(file, absl::StrCat("truncated: the header promises ",
                                     header.elements,
                                     " elements, more than the file holds"));
  return header;
}

/// Memory grows with what arrives: the header of a packed file may promise a
/// thousand times what it holds.
static absl::Status readElements(File &file, const IdxHeader &header,
                                 Buffer &bytes) {
  constexpr size_t firstPiece = 1 << 24;
  const size_t promised = header.elements;
  for (size_t used = 0; used != promised;) {
    size_t piece = promised - used;
    if (!file.plain())
      piece = std::min(piece, std::max(used, firstPiece));
    if (absl::Status s = bytes.resize(used + piece); !s.ok())
      return s;
    absl::StatusOr<size_t> got = file.read(bytes.data() + used, piece);
    if (!got.ok())
      return got.status();
    used += *got;
    if (*got != piece)
      return truncated(file, "its elements", promised, used);
  }
  char extra;
  absl::StatusOr<size_t> more = file.read(&extra, 1);
  if (!more.ok())
    return more.status();
  if (*more)
    return broken(file, "is longer than its header says");
  return absl::OkStatus();
}

static absl::StatusOr<Dataset> readImages(const std::string &path) {
  absl::StatusOr<std::unique_ptr<File>> file = File::open(path);
  if (!file.ok())
    return file.status();
  absl::StatusOr<IdxHeader> header = readHeader(**file, 3);
  if (!header.ok())
    return header.status();
  Dataset data;
  data.size = header->shape[0];
  data.columns.push_back({.name = "features",
                          .width = header->shape[1] * header->shape[2],
                          .dtype = DType::UI8,
                          .scale = 1.0 / 255,
                          .bytes = {}});
  if (absl::Status s = readElements(**file, *header, data.columns[0].bytes);
      !s.ok())
    return s;
  return data;
}

static absl::Status addLabels(Dataset &data, const std::string &images,
                              const std::string &path) {
  absl::StatusOr<std::unique_ptr<File>> file = File::open(path);
  if (!file.ok())
    return file.status();
  absl::StatusOr<IdxHeader> header = readHeader(**file, 1);
  if (!header.ok())
    return header.status();
  if (header->shape[0] != data.size)
    return absl::DataLossError(absl::StrCat("'", images, "' holds ", data.size,
                                            " images, but '", path, "' holds ",
                                            header->shape[0], " labels"));
  data.columns.push_back(
      {.name = "label", .width = 1, .dtype = DType::UI8, .bytes = {}});
  return readElements(**file, *header, data.columns[1].bytes);
}

absl::StatusOr<Dataset> ps::runtime::readIdx(const std::string &images,
                                             const std::string &labels) {
  absl::StatusOr<Dataset> data = readImages(images);
  if (data.ok() && !labels.empty())
    if (absl::Status s = addLabels(*data, images, labels); !s.ok())
      return s;
  return data;
}
