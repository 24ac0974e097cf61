// SPDX-License-Identifier: Apache-2.0
//===- RunningOperation.cpp - the collective operation under way ----------===//
//
// Sums are of all members in the order of their ids, whoever computes them: the
// same bits as those of an InProcessGroup.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/RunningOperation.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Reduce.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

RunningOperation::RunningOperation(CollectiveCall given, int self, int trainers,
                                   uint64_t directBytes)
    : call(std::move(given)), self(self), layout(call.parts),
      direct(layout.bytes() <= directBytes), hash(layout.signature()),
      values(trainers) {
  for (const ReducePart &part : call.parts)
    valueBytes += part.mean.size();
  std::vector<std::byte> &own = values[self].emplace();
  if (direct && contributes(self))
    for (const ReducePart &part : call.parts)
      own.insert(own.end(), part.gradient.begin(), part.gradient.end());
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

absl::Status RunningOperation::join(int trainer,
                                    std::vector<std::byte> brought) {
  const size_t expected = direct && contributes(trainer) ? valueBytes : 0;
  if (brought.size() != expected)
    return absl::InvalidArgumentError(
        absl::StrCat("trainer ", trainer, " announces ", key().str(), " with ",
                     brought.size(), " bytes: expected ", expected));
  values[trainer] = std::move(brought);
  return absl::OkStatus();
}

void RunningOperation::open(std::vector<int> trainers, uint64_t cutBytes) {
  members = std::move(trainers);
  rank = std::find(members.begin(), members.end(), self) - members.begin();
  remaining = 0;
  if (direct) {
    remaining = 1;
    return;
  }
  for (const Cut &cut :
       layout.divide(static_cast<int>(members.size()), cutBytes)) {
    CutState &state = cuts.emplace_back(CutState{cut});
    if (cut.owner == rank)
      state.contributions.resize(members.size());
    state.done = cut.owner == rank ? false : !needsResults(self);
    remaining += !state.done;
  }
}

std::vector<int> RunningOperation::missing() const {
  std::vector<bool> lacks(values.size(), !isOpen());
  if (!isOpen())
    for (size_t i = 0; i != values.size(); ++i)
      lacks[i] = !values[i];
  for (const CutState &state : cuts) {
    if (state.done)
      continue;
    for (size_t i = 0; i != members.size(); ++i)
      if (state.cut.owner == rank
              ? contributes(members[i]) && !state.contributions[i]
              : state.cut.owner == static_cast<int>(i))
        lacks[members[i]] = true;
  }
  std::vector<int> trainers;
  for (size_t i = 0; i != lacks.size(); ++i)
    if (lacks[i] && static_cast<int>(i) != self)
      trainers.push_back(i);
  return trainers;
}

//===----------------------------------------------------------------------===//
// Sending
//===----------------------------------------------------------------------===//

std::vector<RunningOperation::Outgoing> RunningOperation::firstSends() const {
  std::vector<Outgoing> sends;
  if (!contributes(self) || direct)
    return sends;
  const size_t count = members.size();
  for (size_t i = 1; i < count; ++i) {
    const int peer = (rank + i) % count;
    for (const CutState &state : cuts)
      if (state.cut.owner == peer)
        sends.push_back({members[peer], state.cut, /*isResult=*/false});
  }
  return sends;
}

std::vector<Piece> RunningOperation::payloadOf(const Outgoing &outgoing) const {
  return outgoing.isResult ? layout.means(outgoing.cut)
                           : layout.gradients(outgoing.cut);
}

std::vector<RunningOperation::Outgoing>
RunningOperation::resultsOf(size_t cut) const {
  std::vector<Outgoing> sends;
  const size_t count = members.size();
  for (size_t i = 1; i < count; ++i) {
    const int peer = members[(rank + i) % count];
    if (needsResults(peer))
      sends.push_back({peer, cuts[cut].cut, /*isResult=*/true});
  }
  return sends;
}

//===----------------------------------------------------------------------===//
// Receiving
//===----------------------------------------------------------------------===//

absl::StatusOr<size_t> RunningOperation::accept(IncomingCut &incoming) {
  const Cut &cut = incoming.cut;
  auto place = std::lower_bound(
      cuts.begin(), cuts.end(), cut.offset,
      [](const CutState &a, uint64_t offset) { return a.cut.offset < offset; });
  auto refuse = [&](auto... why) {
    return absl::InvalidArgumentError(
        absl::StrCat(key().str(), ": trainer ", incoming.from, " sends bytes ",
                     cut.offset, " to ", cut.offset + cut.size, why...));
  };
  if (place == cuts.end() || place->cut.offset != cut.offset ||
      place->cut.size != cut.size)
    return refuse(", which are no part of it");
  const auto found = std::find(members.begin(), members.end(), incoming.from);
  const int from = static_cast<int>(found - members.begin());
  const bool isExpected =
      found != members.end() && from != rank &&
      (incoming.isResult
           ? place->cut.owner == from && !place->done
           : place->cut.owner == rank && contributes(incoming.from) &&
                 !place->done && !place->contributions[from]);
  if (!isExpected)
    return refuse(", which it was not to send");
  const size_t expected = layout.payloadBytes(cut);
  if (const size_t bytes = totalBytes(incoming.payload); bytes != expected)
    return refuse(" with ", bytes, " bytes of payload: expected ", expected);
  if (incoming.isResult)
    place->done = true; // Once.
  else
    place->contributions[from] = std::move(incoming);
  return place - cuts.begin();
}

bool RunningOperation::beginReduce(size_t cut) {
  CutState &state = cuts[cut];
  if (state.cut.owner != rank || state.done || state.reducing)
    return false;
  for (size_t i = 0; i != members.size(); ++i)
    if (static_cast<int>(i) != rank && contributes(members[i]) &&
        !state.contributions[i])
      return false;
  state.reducing = true;
  return true;
}

void RunningOperation::copyResult(size_t cut, Pieces payload) const {
  PayloadCursor cursor(payload);
  layout.forEach(cuts[cut].cut,
                 [&](const ReducePart &part, size_t begin, size_t bytes) {
                   // accept() has compared the sizes.
                   (void)cursor.read(part.mean.data() + begin, bytes);
                 });
}

void RunningOperation::reduce(size_t index) {
  const CutState &state = cuts[index];
  if (key().kind == OperationKind::Broadcast) {
    // Trainer 0 is the first of all members.
    if (rank != 0)
      copyResult(index, state.contributions[0]->payload);
    return;
  }
  const std::vector<Piece> own = layout.gradients(state.cut);
  std::vector<PayloadCursor> sources;
  for (size_t i = 0; i != members.size(); ++i)
    if (contributes(members[i]))
      sources.emplace_back(static_cast<int>(i) == rank
                               ? Pieces(own)
                               : state.contributions[i]->payload);
  layout.forEach(state.cut,
                 [&](const ReducePart &part, size_t begin, size_t bytes) {
                   reducePieces(part.dtype, sources, part.mean.data() + begin,
                                bytes, divides());
                 });
}

void RunningOperation::reduceDirect() {
  if (key().kind == OperationKind::Broadcast) {
    if (self != 0)
      std::memcpy(call.parts.front().mean.data(), values[0]->data(),
                  valueBytes);
    return;
  }
  std::vector<Piece> pieces;
  for (int member : members)
    if (contributes(member))
      pieces.emplace_back(*values[member]);
  std::vector<PayloadCursor> sources;
  for (const Piece &piece : pieces)
    sources.emplace_back(Pieces(&piece, 1));
  for (const ReducePart &part : call.parts)
    reducePieces(part.dtype, sources, part.mean.data(), part.mean.size(),
                 divides());
}

std::vector<Respond> RunningOperation::finishCut(size_t cut) {
  std::vector<Respond> answers;
  for (std::optional<IncomingCut> &held : cuts[cut].contributions)
    if (held)
      answers.push_back(std::move(held->done));
  cuts[cut].contributions.clear();
  cuts[cut].done = true;
  --remaining;
  return answers;
}

std::vector<Respond> RunningOperation::takeHeld() {
  std::vector<Respond> answers;
  for (IncomingCut &held : early)
    answers.push_back(std::move(held.done));
  early.clear();
  for (CutState &state : cuts) {
    if (state.reducing)
      continue;
    for (std::optional<IncomingCut> &held : state.contributions)
      if (held)
        answers.push_back(std::move(held->done));
    state.contributions.clear();
  }
  return answers;
}
