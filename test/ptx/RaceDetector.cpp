// SPDX-License-Identifier: Apache-2.0
//===- RaceDetector.cpp - races of the threads of a grid ------------------===//

#include "test/ptx/RaceDetector.h"

using namespace ps;

/// Nothing separates blocks.
bool RaceDetector::Accesses::races(const PtxAccessor &by) const {
  if (last.block < 0)
    return false;
  if (ofBlocks || last.block != by.block)
    return true;
  return last.epoch == by.epoch && (ofThreads || last.thread != by.thread);
}

void RaceDetector::Accesses::add(const PtxAccessor &by) {
  const bool isFirst = last.block < 0;
  ofBlocks |= !isFirst && last.block != by.block;
  ofThreads = !isFirst && last.epoch == by.epoch &&
              (ofThreads || last.thread != by.thread);
  last = by;
}

bool RaceDetector::access(uintptr_t address, size_t bytes, bool isWrite,
                          const PtxAccessor &by) {
  bool isRace = false;
  for (uintptr_t each = address; each < address + bytes; ++each) {
    Place &place = places[each];
    isRace |= place.writes.races(by) || (isWrite && place.reads.races(by));
    (isWrite ? place.writes : place.reads).add(by);
  }
  return isRace;
}
