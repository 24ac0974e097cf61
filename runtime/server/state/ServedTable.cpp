// SPDX-License-Identifier: Apache-2.0
//===- ServedTable.cpp - a table as a server serves it --------------------===//
//
// A table with its update, and how its rows are read for trainers. Every size
// in a message's header is checked against the table and the payload before
// memory is allocated for it.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/ServedTable.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Ranges.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// Fails if a row does not fit into a message, or if the update takes other
/// rows than the table has.
absl::StatusOr<std::unique_ptr<ServedTable>>
ServedTable::create(const TableBlock &spec, int unit, int rounds) {
  Table &table = *spec.table;
  std::unique_ptr<ServedTable> served(new ServedTable(spec, unit));
  if (rowsPerMessage(served->pushBytes()) == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "a row of table '", table.spec().name, "' with its id must fit into ",
        chunkBytes, " bytes, found rows of ", table.spec().width, " x ",
        std::string(dtypeName(table.spec().dtype))));
  if (!canTravelAs(table.spec().dtype, table.spec().wireType()))
    return absl::InvalidArgumentError(
        absl::StrCat("rows of ", std::string(dtypeName(table.spec().dtype)),
                     " of table '", table.spec().name, "' cannot travel as ",
                     std::string(dtypeName(table.spec().wireType()))));
  if (spec.round < 0 || spec.round >= rounds)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.spec().name, "' is updated in round ",
                     spec.round, ", expected 0 to ", rounds - 1));
  const size_t stateBytes = table.layout().stateBytes;
  if (table.spec().tracksLastWriter && rowsPerMessage(stateBytes) == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("a row of table '", table.spec().name,
                     "' with its id and slots must fit into ", chunkBytes,
                     " bytes for trainers to keep copies of it "
                     "(cache_rows), found ",
                     stateBytes));
  served->updateProgram = spec.update;
  if (!spec.update)
    return served;
  auto feed = spec.update->rowFeeds.find("grad");
  if (feed == spec.update->rowFeeds.end())
    return absl::InvalidArgumentError(
        absl::StrCat("the update of table '", table.spec().name,
                     "' has no feed 'grad' of rows"));
  served->rowFeed = feed->second;
  if (served->rowFeed->dtype() != table.spec().dtype ||
      served->rowFeed->width() != table.spec().width)
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of table '", table.spec().name, "' takes rows of ",
        served->rowFeed->width(), " x ",
        std::string(dtypeName(served->rowFeed->dtype())), ", expected ",
        table.spec().width, " x ", std::string(dtypeName(table.spec().dtype))));
  return served;
}

/// A trainer chooses how the rows that it asks for travel: what it evaluates
/// and saves has all bits.
absl::Status ServedTable::checkType(const wire::Rows &rows, bool push) const {
  const int64_t width = push ? pushWidth() : table.spec().width;
  const DType found = toDType(rows.dtype()), wire = table.spec().wireType();
  const bool isWhole = !push && found == table.spec().dtype;
  if ((found == wire || isWhole) &&
      rows.width() == static_cast<uint64_t>(width))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected rows of ", width, " x ", std::string(dtypeName(wire)),
      " of table '", name(), "', found ", rows.width(), " x ",
      std::string(dtypeName(found))));
}

/// The header decides where ids, values and states lie in the payload, and
/// which rows the message is of: it is checked before any of them is used.
absl::Status ServedTable::checkRows(const wire::Rows &rows, bool push,
                                    size_t payloadBytes) const {
  RETURN_IF_ERROR(checkType(rows, push));
  // With admission most of a step's ids may have no rows.
  if (push && table.spec().admission.kind == Admission::Kind::All &&
      rows.total() > static_cast<uint64_t>(table.spec().maxRows))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected gradients of at most ", table.spec().maxRows,
        " rows, all that table '", name(), "' may have, found ", rows.total()));
  const size_t rowBytes =
      (push ? pushCodec() : codec(toDType(rows.dtype()))).wireBytes();
  const size_t stateBytes = table.layout().stateBytes;
  if (rows.state_bytes() != 0 && (push || !table.spec().tracksLastWriter ||
                                  rows.state_bytes() != stateBytes))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", push || !table.spec().tracksLastWriter ? 0 : stateBytes,
        " bytes for a copy of a row of table '", name(), "', found ",
        rows.state_bytes()));
  const size_t perMessage =
      rowsPerMessage(std::max<size_t>(rowBytes, rows.state_bytes()));
  if (rows.offset() % perMessage != 0 || rows.offset() > rows.total() ||
      rows.count() !=
          std::min<uint64_t>(perMessage, rows.total() - rows.offset()) ||
      (rows.count() == 0 && rows.total() != 0))
    return absl::InvalidArgumentError(
        absl::StrCat("expected messages of ", perMessage, " rows of table '",
                     name(), "', the last one shorter, found ", rows.count(),
                     " at ", rows.offset(), " of ", rows.total()));
  const size_t each =
      sizeof(int64_t) + (push ? rowBytes : 0) + (rows.state_bytes() != 0);
  if (payloadBytes != rows.count() * each)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", rows.count() * each, " bytes for ", rows.count(),
        " rows of table '", name(), "', found ", payloadBytes));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Reading rows
//===----------------------------------------------------------------------===//

/// The answer to a prefetch, which keeps its `bytes`.
Response ServedTable::answerWith(std::shared_ptr<const std::byte[]> bytes,
                                 size_t size) const {
  Response response{.payload = {Piece(bytes.get(), size)},
                    .owner = std::move(bytes)};
  response.header.set_table_rows(static_cast<uint64_t>(table.size()));
  return response;
}

/// What is evaluated or kept as a copy is read here instead, after the rows
/// that the device has changed have come back.
absl::Status ServedTable::accessOnDevice(std::span<const int64_t> ids,
                                         std::byte *values,
                                         ParallelRows parallel) {
  std::vector<const std::byte *> absent(ids.size());
  RETURN_IF_ERROR(table.accessOnDevice(ids, values, absent, parallel));
  return onDevice->read(ids, absent, values, parallel);
}

absl::StatusOr<Response> ServedTable::prefetch(std::span<const int64_t> ids,
                                               bool frozen, DType wire,
                                               ParallelRows parallel) {
  const size_t size = ids.size() * table.valueBytes();
  auto values = std::make_shared_for_overwrite<std::byte[]>(size);
  RETURN_IF_ERROR(
      frozen     ? table.lookup(ids, /*create=*/false, values.get(), parallel)
      : onDevice ? accessOnDevice(ids, values.get(), parallel)
                 : table.access(ids, values.get(), /*rows=*/{}, parallel));
  const RowCodec codec = this->codec(wire);
  if (codec.isPlain())
    return answerWith(std::move(values), size);
  const size_t encodedSize = ids.size() * codec.wireBytes();
  auto encoded = std::make_shared_for_overwrite<std::byte[]>(encodedSize);
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    codec.encode(values.get() + begin * codec.rowBytes(), end - begin,
                 encoded.get() + begin * codec.wireBytes());
  });
  return answerWith(std::move(encoded), encodedSize);
}

absl::StatusOr<Response> ServedTable::refresh(int trainer,
                                              std::span<const int64_t> ids,
                                              std::span<const uint8_t> held,
                                              ParallelRows parallel) {
  const size_t valueBytes = table.valueBytes();
  const size_t stateBytes = table.layout().stateBytes;
  std::vector<std::byte> values(ids.size() * valueBytes);
  std::vector<const std::byte *> rows(ids.size());
  RETURN_IF_ERROR(table.access(ids, values.data(), rows, parallel));

  std::vector<RowAnswer> answers(ids.size(), RowAnswer::Value);
  size_t size = ids.size();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (rows[i] && table.format().lastWriter(rows[i]) == trainer)
      answers[i] = held[i] ? RowAnswer::Kept : RowAnswer::State;
    if (answers[i] != RowAnswer::Kept)
      size += answers[i] == RowAnswer::State ? stateBytes : valueBytes;
  }

  auto payload = std::make_shared_for_overwrite<std::byte[]>(size);
  std::byte *to = payload.get();
  auto append = [&](const void *from, size_t bytes) {
    to = std::copy_n(static_cast<const std::byte *>(from), bytes, to);
  };
  append(answers.data(), answers.size());
  for (size_t i = 0; i < ids.size(); ++i)
    if (answers[i] == RowAnswer::State)
      append(rows[i], stateBytes);
    else if (answers[i] == RowAnswer::Value)
      append(values.data() + i * valueBytes, valueBytes);
  return answerWith(std::move(payload), size);
}

absl::StatusOr<Response> ServedTable::pullChanges(int trainer, uint64_t number,
                                                  ParallelRows parallel) {
  const size_t valueBytes = table.valueBytes();
  ASSIGN_OR_RETURN(ChangedRows::Taken taken,
                   changed.take(trainer, number, rowsPerMessage(valueBytes)));
  const size_t idBytes = taken.ids.size_bytes();
  const size_t size = idBytes + taken.ids.size() * valueBytes;
  auto payload = std::make_shared_for_overwrite<std::byte[]>(size);
  std::ranges::copy(std::as_bytes(taken.ids), payload.get());
  RETURN_IF_ERROR(table.lookup(taken.ids, /*create=*/false,
                               payload.get() + idBytes, parallel));
  Response response = answerWith(std::move(payload), size);
  response.header.set_changes_left(taken.left);
  return response;
}

/// Once per step, whichever of the update and the step's end comes first:
/// admission, eviction and decay count steps.
void ServedTable::advance(int64_t step) {
  if (endedStep >= step)
    return;
  endedStep = step;
  table.advance();
}
