// SPDX-License-Identifier: Apache-2.0
//===- QueuedPush.cpp - a push that waits for its turn --------------------===//

#include "runtime/client/QueuedPush.h"
#include "absl/container/flat_hash_map.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
/// target += source, both `bytes` of `dtype`.
void addTo(std::byte *target, const std::byte *source, DType dtype,
           size_t bytes) {
  const std::byte *const both[] = {target, source};
  sumOf(dtype, both, target, 0, static_cast<int64_t>(bytes / byteWidth(dtype)));
}

/// Where a part of `bytes` ends, aligned for the elements of the next one.
constexpr size_t endOfPart(size_t bytes) { return (bytes + 7) / 8 * 8; }

class QueuedBlocks final : public QueuedPush {
public:
  static absl::StatusOr<std::shared_ptr<QueuedPush>>
  copy(int64_t step, std::span<const SendPart> parts) {
    size_t bytes = 0;
    for (const SendPart &part : parts)
      bytes += endOfPart(part.rows.size());
    auto copy = std::make_shared<QueuedBlocks>();
    copy->pushStep = step;
    ASSIGN_OR_RETURN(copy->memory, Buffer::allocate(bytes));
    std::byte *to = copy->memory.data();
    for (const SendPart &part : parts) {
      std::copy(part.rows.begin(), part.rows.end(), to);
      copy->parts.push_back({part.block, part.dtype, {to, part.rows.size()}});
      to += endOfPart(part.rows.size());
    }
    return copy;
  }
  int64_t step() const override { return pushStep; }
  void send(Client &client, Done done) override {
    client.push(pushStep, parts, std::move(done));
  }
  bool add(const QueuedPush &later) override {
    const auto &other = static_cast<const QueuedBlocks &>(later);
    // Blocks that share messages always do.
    if (other.memory.size() != memory.size())
      return false;
    std::byte *to = memory.data();
    for (const SendPart &part : other.parts) {
      addTo(to, part.rows.data(), part.dtype, part.rows.size());
      to += endOfPart(part.rows.size());
    }
    pushStep = other.pushStep;
    return true;
  }

private:
  int64_t pushStep = 0;
  Buffer memory;
  std::vector<SendPart> parts;
};

class QueuedRows final : public QueuedPush {
public:
  static absl::StatusOr<std::shared_ptr<QueuedPush>> copy(int64_t step,
                                                          RowGradients rows) {
    auto copy = std::make_shared<QueuedRows>();
    copy->pushStep = step;
    ASSIGN_OR_RETURN(copy->memory, Buffer::allocate(rows.gradients.size()));
    std::copy(rows.gradients.begin(), rows.gradients.end(),
              copy->memory.data());
    copy->ids.assign(rows.ids.begin(), rows.ids.end());
    rows.gradients = {copy->memory.data(), rows.gradients.size()};
    rows.ids = copy->ids;
    copy->rows = std::move(rows);
    return copy;
  }
  int64_t step() const override { return pushStep; }
  void send(Client &client, Done done) override {
    client.pushRows(pushStep, rows, std::move(done));
  }
  /// Rows of both are added up.
  bool add(const QueuedPush &later) override {
    const auto &other = static_cast<const QueuedRows &>(later);
    absl::flat_hash_map<int64_t, size_t> places;
    for (size_t i = 0; i < ids.size(); ++i)
      places[ids[i]] = i;
    std::vector<int64_t> all = ids;
    for (int64_t id : other.ids)
      if (places.try_emplace(id, all.size()).second)
        all.push_back(id);
    const size_t row = rows.rowBytes();
    absl::StatusOr<Buffer> sums = Buffer::allocate(all.size() * row);
    if (!sums.ok())
      return false;
    std::copy_n(memory.data(), ids.size() * row, sums->data());
    for (size_t i = 0; i < other.ids.size(); ++i) {
      const std::byte *from = other.memory.data() + i * row;
      const size_t place = places[other.ids[i]];
      std::byte *to = sums->data() + place * row;
      if (place < ids.size())
        addTo(to, from, rows.dtype, row);
      else
        std::copy_n(from, row, to);
    }
    ids = std::move(all);
    memory = *std::move(sums);
    rows.ids = ids;
    rows.gradients = {memory.data(), ids.size() * row};
    pushStep = other.pushStep;
    return true;
  }

private:
  int64_t pushStep = 0;
  Buffer memory;
  std::vector<int64_t> ids;
  RowGradients rows;
};
} // namespace

absl::StatusOr<std::shared_ptr<QueuedPush>>
ps::runtime::copyPush(int64_t step, std::span<const SendPart> parts) {
  return QueuedBlocks::copy(step, parts);
}

absl::StatusOr<std::shared_ptr<QueuedPush>>
ps::runtime::copyPush(int64_t step, const RowGradients &rows) {
  return QueuedRows::copy(step, rows);
}
