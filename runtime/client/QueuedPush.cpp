// SPDX-License-Identifier: Apache-2.0
//===- QueuedPush.cpp - a push that waits for its turn --------------------===//

#include "runtime/client/QueuedPush.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
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
  size_t addAll(std::span<const std::shared_ptr<QueuedPush>> later) override {
    size_t count = 0;
    while (count < later.size() && isLike(blocksOf(*later[count])))
      ++count;
    later = later.first(count);
    if (later.empty())
      return 0;
    std::byte *to = memory.data();
    for (size_t i = 0; i < parts.size(); ++i) {
      const size_t bytes = parts[i].rows.size();
      std::vector<const std::byte *> sources = {to};
      for (const std::shared_ptr<QueuedPush> &each : later)
        sources.push_back(blocksOf(*each).parts[i].rows.data());
      sumOf(parts[i].dtype, sources, to, 0,
            static_cast<int64_t>(bytes / byteWidth(parts[i].dtype)));
      to += endOfPart(bytes);
    }
    pushStep = later.back()->step();
    return count;
  }

private:
  static const QueuedBlocks &blocksOf(const QueuedPush &push) {
    return static_cast<const QueuedBlocks &>(push);
  }
  bool isLike(const QueuedBlocks &other) const {
    return std::ranges::equal(
        parts, other.parts, [](const SendPart &a, const SendPart &b) {
          return a.block == b.block && a.dtype == b.dtype &&
                 a.rows.size() == b.rows.size() &&
                 (isFloat(a.dtype) || a.dtype == DType::I64);
        });
  }

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
  /// Rows of all are added up.
  size_t addAll(std::span<const std::shared_ptr<QueuedPush>> later) override {
    try {
      return addRows(later);
    } catch (const std::bad_alloc &) {
      return 0;
    }
  }

private:
  static const QueuedRows &rowsOf(const QueuedPush &push) {
    return static_cast<const QueuedRows &>(push);
  }

  size_t addRows(std::span<const std::shared_ptr<QueuedPush>> later) {
    absl::flat_hash_map<int64_t, size_t> places;
    std::vector<int64_t> all;
    std::vector<absl::InlinedVector<const std::byte *, 4>> sources;
    const size_t row = rows.rowBytes();
    auto gather = [&](const QueuedRows &push) {
      for (size_t i = 0; i < push.ids.size(); ++i) {
        const auto [place, isNew] = places.try_emplace(push.ids[i], all.size());
        if (isNew) {
          all.push_back(push.ids[i]);
          sources.emplace_back();
        }
        sources[place->second].push_back(push.memory.data() + i * row);
      }
    };
    gather(*this);
    for (const std::shared_ptr<QueuedPush> &each : later)
      gather(rowsOf(*each));
    absl::StatusOr<Buffer> sums = Buffer::allocate(all.size() * row);
    if (!sums.ok())
      return 0;
    for (size_t i = 0; i < all.size(); ++i)
      sumOf(rows.dtype, sources[i], sums->data() + i * row, 0,
            static_cast<int64_t>(rows.width));
    ids = std::move(all);
    memory = *std::move(sums);
    rows.ids = ids;
    rows.gradients = {memory.data(), ids.size() * row};
    pushStep = later.empty() ? pushStep : later.back()->step();
    return later.size();
  }

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
