// SPDX-License-Identifier: Apache-2.0
//===- EventFile.cpp - what a run measured, as TensorBoard reads it -------===//
//
// A file is a sequence of records: the length of an event in 8 bytes, a
// checksum of these, the event, and a checksum of it. An event is a protocol
// buffer, of which few fields are needed:
//
//   message Event { double wall_time = 1; int64 step = 2;
//                   string file_version = 3; Summary summary = 5; }
//   message Summary { repeated Value value = 1; }
//   message Value { string tag = 1; float simple_value = 2; }
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/output/EventFile.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace ps;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// The remainders of the reversed polynomial, one for each next byte.
static constexpr std::array<uint32_t, 256> makeCrcTable() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t i = 0; i != table.size(); ++i) {
    uint32_t rest = i;
    for (int bit = 0; bit != 8; ++bit)
      rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78 : 0);
    table[i] = rest;
  }
  return table;
}

uint32_t ps::crc32c(absl::string_view bytes) {
  static constexpr std::array<uint32_t, 256> table = makeCrcTable();
  uint32_t crc = ~uint32_t(0);
  for (unsigned char byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ byte) & 0xff];
  return ~crc;
}

/// Checksums of what holds checksums itself are rotated, and a constant added.
static uint32_t maskedCrc(absl::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8;
}

template <typename T>
static std::string littleEndian(T number) {
  std::string text(sizeof(T), '\0');
  std::memcpy(text.data(), &number, sizeof(T));
  return text;
}

//===----------------------------------------------------------------------===//
// Protocol buffers
//===----------------------------------------------------------------------===//

namespace {
enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
} // namespace

static std::string varint(uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7)
    text += static_cast<char>(number | 0x80);
  return text + static_cast<char>(number);
}

static std::string field(int number, WireType type, const std::string &value) {
  return absl::StrCat(varint(number << 3 | type),
                      type == Bytes ? varint(value.size()) : "", value);
}

//===----------------------------------------------------------------------===//
// EventFile
//===----------------------------------------------------------------------===//

static std::string wallTime(absl::Time time) {
  return field(1, Fixed64,
               littleEndian(absl::ToDoubleSeconds(time - absl::UnixEpoch())));
}

static absl::Status failure(const std::string &path, int error) {
  return absl::UnavailableError(absl::StrCat("cannot write events to '", path,
                                             "': ", std::strerror(error)));
}

absl::StatusOr<std::unique_ptr<EventFile>>
EventFile::create(const std::string &dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error)
    return failure(dir, error.value());
  char host[256] = {};
  ::gethostname(host, sizeof(host) - 1);
  const absl::Time now = absl::Now();
  // TensorBoard looks for "tfevents", and sorts by the name.
  const std::string name = absl::StrFormat(
      "events.out.tfevents.%010d.%s.%d.%d", absl::ToUnixSeconds(now), host,
      ::getpid(), absl::ToUnixMicros(now) % 1000000);
  std::unique_ptr<EventFile> events(
      new EventFile((std::filesystem::path(dir) / name).string()));
  events->file.reset(std::fopen(events->path.c_str(), "wxe"));
  if (!events->file)
    return failure(events->path, errno);
  events->write(wallTime(now) + field(3, Bytes, "brain.Event:2"));
  events->flush();
  return events;
}

void EventFile::write(const std::string &event) {
  const std::string length = littleEndian(uint64_t(event.size()));
  const std::string record =
      absl::StrCat(length, littleEndian(maskedCrc(length)), event,
                   littleEndian(maskedCrc(event)));
  if (file &&
      std::fwrite(record.data(), 1, record.size(), file.get()) !=
          record.size() &&
      error == 0)
    error = errno;
}

void EventFile::add(absl::Time time, int64_t step,
                    const std::vector<std::pair<std::string, double>> &values) {
  std::string summary;
  for (const auto &[tag, value] : values)
    summary +=
        field(1, Bytes,
              field(1, Bytes, tag) +
                  field(2, Fixed32, littleEndian(static_cast<float>(value))));
  write(absl::StrCat(wallTime(time), field(2, Varint, varint(step)),
                     field(5, Bytes, summary)));
}

void EventFile::flush() {
  if (file && std::fflush(file.get()) != 0 && error == 0)
    error = errno;
}

absl::Status EventFile::close() {
  if (file && std::fclose(file.release()) != 0 && error == 0)
    error = errno;
  return error ? failure(path, error) : absl::OkStatus();
}
