// SPDX-License-Identifier: Apache-2.0
//===- NpzTest.cpp - archives of arrays that NumPy saved ------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <zlib.h>

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

template <typename... T>
std::string bytes(T... values) {
  std::string text;
  (text.append(reinterpret_cast<const char *>(&values), sizeof(values)), ...);
  return text;
}

/// Three samples of two floats.
std::string array(const std::string &elements, const std::string &shape) {
  const std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\0", 8) + bytes(uint16_t(header.size())) +
         header + elements;
}
const std::string kX = array(bytes(1.f, 2.f, 3.f, 4.f, 5.f, 6.f), "(3, 2)");
const std::string kY = array(bytes(7.f, 8.f, 9.f), "(3,)");

std::string deflate(const std::string &text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = packed.size();
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// What a member differs in from what it should be.
struct MemberOptions {
  bool packed = false;
  uint16_t flags = 0;
  int64_t moreBytes = 0;
  uint32_t otherChecksum = 0;
};

/// Writes archives as their directories say.
class Archive {
public:
  Archive &add(const std::string &name, const std::string &text,
               const MemberOptions &options = {}) {
    const std::string stored = options.packed ? deflate(text) : text;
    const uint32_t checksum =
        crc32(0, reinterpret_cast<const Bytef *>(text.data()), text.size()) ^
        options.otherChecksum;
    const std::string shared =
        bytes(options.flags, uint16_t(options.packed ? 8 : 0), uint32_t(0),
              checksum, uint32_t(stored.size()),
              uint32_t(text.size() + options.moreBytes), uint16_t(name.size()));
    directory += bytes(uint32_t(0x02014b50), uint16_t(20), uint16_t(20)) +
                 shared + std::string(12, '\0') + bytes(uint32_t(file.size())) +
                 name;
    // Extra fields of its own, as those of NumPy.
    file += bytes(uint32_t(0x04034b50), uint16_t(20)) + shared +
            bytes(uint16_t(20)) + name + std::string(20, '\0') + stored;
    ++members;
    return *this;
  }
  std::string str(const std::string &comment = "") const {
    return file + directory +
           bytes(uint32_t(0x06054b50), uint32_t(0), members, members,
                 uint32_t(directory.size()), uint32_t(file.size()),
                 uint16_t(comment.size())) +
           comment;
  }

private:
  std::string file, directory;
  uint16_t members = 0;
};

class NpzTest : public DatasetTest {
protected:
  absl::StatusOr<Dataset> read(const std::string &text) {
    return Dataset::open("npz:" + write("a.npz", text));
  }
  std::string error(const std::string &text) {
    return std::string(read(text).status().message());
  }
};

TEST_F(NpzTest, StoredAndDeflatedMembersAreColumns) {
  for (bool packed : {false, true}) {
    const MemberOptions options{.packed = packed};
    auto data = read(Archive()
                         .add("x.npy", kX, options)
                         .add("y.npy", kY, options)
                         .str("a comment"));
    ASSERT_TRUE(data.ok()) << data.status();
    ASSERT_EQ(data->size, 3);
    ASSERT_EQ(data->columns.size(), 2u);
    EXPECT_EQ(data->columns[0].name, "x");
    EXPECT_EQ(data->columns[0].at(2, 1), 6);
    EXPECT_EQ(data->columns[1].at(2, 0), 9);
  }
}

TEST_F(NpzTest, MalformedArchivesAreRefused) {
  EXPECT_THAT(error(""), HasSubstr("expected a zip archive"));
  EXPECT_THAT(error(kX), HasSubstr("a.npz': expected a zip archive, as "
                                   "numpy.savez() writes it"));
  EXPECT_THAT(error(Archive().str()), HasSubstr("a.npz': holds no arrays"));
  EXPECT_THAT(error(Archive().add("x.txt", kX).str()),
              HasSubstr("a.npz:x.txt': expected arrays 'COLUMN.npy'"));
  EXPECT_THAT(error(Archive().add("x.npy", kX).add("x.npy", kX).str()),
              HasSubstr("the archive has two members of this name"));
  EXPECT_THAT(
      error(Archive().add("x.npy", kX).add("y.npy", array("", "(0,)")).str()),
      HasSubstr("a.npz:y.npy': holds no samples"));
  EXPECT_THAT(error(Archive()
                        .add("x.npy", kX)
                        .add("y.npy", array(bytes(1.f), "(1,)"))
                        .str()),
              HasSubstr("x.npy' holds 3 samples, but '"));
  EXPECT_THAT(error(Archive().add("x.npy", kX, {.flags = 1}).str()),
              HasSubstr("member 'x.npy' is encrypted"));
  EXPECT_THAT(error(Archive().add("x\n.npy", kX).str()),
              HasSubstr("expected the name of a member, found 'x\\x0a.npy'"));
}

TEST_F(NpzTest, DamagedMembersAreRefused) {
  EXPECT_THAT(error(Archive().add("x.npy", kX, {.otherChecksum = 1}).str()),
              HasSubstr("a.npz:x.npy': is damaged: its checksum differs"));
  EXPECT_THAT(error(Archive().add("x.npy", kX, {.moreBytes = 1}).str()),
              HasSubstr(" bytes, but has "));
  EXPECT_THAT(
      error(Archive().add("x.npy", kX, {.packed = true, .moreBytes = 1}).str()),
      HasSubstr("x.npy': expected "));
  EXPECT_THAT(
      error(Archive()
                .add("x.npy", kX, {.packed = true, .moreBytes = 1 << 30})
                .str()),
      HasSubstr("x.npy': cannot be "));
}

/// Whatever is cut off or changed is an error, or the same numbers.
TEST_F(NpzTest, AnyDamageIsAnErrorOrTheSameNumbers) {
  const std::string whole =
      Archive().add("x.npy", kX, {.packed = true}).add("y.npy", kY).str();
  for (size_t size = 0; size != whole.size(); ++size)
    EXPECT_NE(error(whole.substr(0, size)), "") << size;
  for (size_t i = 0; i != whole.size(); ++i)
    for (int change : {1, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      auto data = read(damaged);
      if (data.ok() && data->columns.size() == 2) {
        EXPECT_EQ(data->columns[0].at(2, 1), 6) << i;
        EXPECT_EQ(data->columns[1].at(2, 0), 9) << i;
      }
    }
}

} // namespace
