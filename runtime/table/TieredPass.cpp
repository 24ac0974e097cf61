// SPDX-License-Identifier: Apache-2.0
//===- TieredPass.cpp - the rows of a pass come into memory ---------------===//
//
// A step waits for rows at random places of the SSD. Before a pass begins, all
// of its rows are known: they are read in the order of their places, and get
// the step of their first use as mark. So what is demoted while the pass trains
// are rows that it does not use, or has used; and if these are not enough,
// those that it uses the latest.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/table/TieredRows.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
/// Rows that are read and moved at a time, and how many of these pieces the
/// system is asked for ahead: an SSD reads them while others are copied.
constexpr size_t kRowsPerPiece = 2048, kPiecesAhead = 8;
} // namespace

void TieredRows::announcePass(std::vector<int64_t> wanted) {
  ahead->announcePass(std::move(wanted), size_t(spec.tiers->memoryRows / 2));
}

/// 1. chooseForPass: rows in memory that the pass uses get the mark of that
///    use; of the others the first ones are chosen, for which there is room.
/// 2. demote: other rows make room.
/// 3. insertCopies: what was read ahead comes into memory.
/// 4. bring: the others are read and inserted, piece by piece.
absl::Status TieredRows::beginPass(std::span<const int64_t> wanted,
                                   std::span<const uint32_t> steps,
                                   uint32_t time, ParallelRows parallel) {
  RETURN_IF_ERROR(settle());
  const ReadAhead::Copies copies = ahead->takePass();
  if (onlyBelow == 0)
    return absl::OkStatus();
  // Some room is left for the rows that the first steps create.
  const int64_t most = spec.tiers->memoryRows;
  const size_t held = size_t(most - rowsPerDemotion());
  const std::vector<Arrival> arrivals =
      chooseForPass(wanted.first(std::min(wanted.size(), held)), steps, time);
  // Appends rows of other ids; places stay valid.
  RETURN_IF_ERROR(demote(int64_t(arrivals.size()), time, parallel));
  ASSIGN_OR_RETURN(const std::vector<Arrival> others,
                   insertCopies(copies, arrivals, parallel));
  RETURN_IF_ERROR(bring(others, parallel));
  std::vector<uint32_t> places;
  for (const Arrival &arrival : arrivals)
    places.push_back(arrival.from.place);
  rowLog->setTaken(places, true);
  counters.promoted += int64_t(arrivals.size());
  counters.promotedForPass += int64_t(arrivals.size());
  counters.readForPass += int64_t(arrivals.size() - others.size());
  return rowLog->collect();
}

/// In the order of their places.
std::vector<TieredRows::Arrival>
TieredRows::chooseForPass(std::span<const int64_t> wanted,
                          std::span<const uint32_t> steps, uint32_t time) {
  std::vector<uint32_t> numbers(wanted.size());
  store.findAll(wanted, numbers.data());
  std::vector<int64_t> missing;
  std::vector<uint32_t> missingMarks;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const uint32_t mark = (time + steps[i]) << 1;
    if (RowStore::isRow(numbers[i])) {
      marks[numbers[i]] = mark | (marks[numbers[i]] & kChanged);
    } else {
      missing.push_back(wanted[i]);
      missingMarks.push_back(mark);
    }
  }
  int64_t room = spec.tiers->memoryRows - store.size();
  for (uint32_t number = 0; number < marks.size(); ++number)
    room += marks[number] != kFree && ageOf(number, time) > 0;
  std::vector<RowVersion> versions(missing.size());
  rowLog->findVersions(missing, versions.data(), /*skipsTaken=*/false);
  std::vector<Arrival> arrivals;
  for (size_t i = 0; i < missing.size() && int64_t(arrivals.size()) < room; ++i)
    if (versions[i].place != RowLog::kNone)
      arrivals.push_back({versions[i], missing[i], missingMarks[i]});
  std::ranges::sort(arrivals, {},
                    [](const Arrival &arrival) { return arrival.from.place; });
  return arrivals;
}

namespace {
/// Piece `piece` of a list.
template <typename List>
auto pieceOf(List &list, size_t piece) {
  const size_t begin = std::min(piece * kRowsPerPiece, list.size());
  return std::span(list).subspan(begin,
                                 std::min(kRowsPerPiece, list.size() - begin));
}
} // namespace

/// Returns the arrivals that are not among `copies`. Both are in the order of
/// their places.
absl::StatusOr<std::vector<TieredRows::Arrival>>
TieredRows::insertCopies(const ReadAhead::Copies &copies,
                         std::span<const Arrival> arrivals,
                         ParallelRows parallel) {
  const size_t rowBytes = format.layout().bytes;
  std::vector<Arrival> others;
  std::vector<int64_t> arriving;
  std::vector<uint32_t> arrivingMarks;
  std::vector<std::byte> images;
  auto insertAll = [&] {
    absl::Status status =
        insert(arriving, images.data(), arrivingMarks, parallel);
    arriving.clear();
    arrivingMarks.clear();
    images.clear();
    return status;
  };
  size_t copy = 0;
  for (const Arrival &arrival : arrivals) {
    while (copy < copies.ids.size() &&
           copies.versions[copy].place < arrival.from.place)
      ++copy;
    if (copy == copies.ids.size() || copies.versions[copy] != arrival.from ||
        copies.ids[copy] != arrival.id) {
      others.push_back(arrival);
      continue;
    }
    const auto *image = copies.rows.data() + copy * rowBytes;
    arriving.push_back(arrival.id);
    arrivingMarks.push_back(arrival.mark);
    images.insert(images.end(), image, image + rowBytes);
    if (arriving.size() == kRowsPerPiece)
      RETURN_IF_ERROR(insertAll());
  }
  RETURN_IF_ERROR(insertAll());
  return others;
}

absl::Status TieredRows::bring(std::span<const Arrival> arrivals,
                               ParallelRows parallel) {
  std::vector<int64_t> arriving;
  std::vector<uint32_t> places, arrivingMarks;
  for (const Arrival &arrival : arrivals) {
    arriving.push_back(arrival.id);
    places.push_back(arrival.from.place);
    arrivingMarks.push_back(arrival.mark);
  }
  for (size_t piece = 0; piece < kPiecesAhead; ++piece)
    rowLog->readAhead(pieceOf(arriving, piece));
  std::vector<std::byte> images(kRowsPerPiece * format.layout().bytes);
  for (size_t piece = 0; piece * kRowsPerPiece < arriving.size(); ++piece) {
    rowLog->readAhead(pieceOf(arriving, piece + kPiecesAhead));
    RETURN_IF_ERROR(rowLog->read(pieceOf(arriving, piece),
                                 pieceOf(places, piece), images.data(),
                                 parallel));
    RETURN_IF_ERROR(insert(pieceOf(arriving, piece), images.data(),
                           pieceOf(arrivingMarks, piece), parallel));
  }
  return absl::OkStatus();
}
