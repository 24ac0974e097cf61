// SPDX-License-Identifier: Apache-2.0
//===- RaceDetector.h - races of the threads of a grid --------------------===//

#ifndef PS_TEST_PTX_RACEDETECTOR_H
#define PS_TEST_PTX_RACEDETECTOR_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ps {

/// Who accesses memory: a thread that has passed `epoch` barriers of its block.
struct PtxAccessor {
  int64_t block, thread, epoch;
};

/// Finds accesses of two threads to a byte, of which one writes, that no
/// barrier of their block separates: which comes first is not known.
class RaceDetector {
public:
  /// Whether the access is the second one of a race.
  bool access(uintptr_t address, size_t bytes, bool isWrite,
              const PtxAccessor &by);
  void clear() { places.clear(); }

private:
  /// Accesses that no barrier separates from those to come.
  struct Accesses {
    PtxAccessor last = {-1, 0, 0};
    bool ofThreads = false, ofBlocks = false;

    bool races(const PtxAccessor &by) const;
    void add(const PtxAccessor &by);
  };
  struct Place {
    Accesses reads, writes;
  };

  std::unordered_map<uintptr_t, Place> places;
};

} // namespace ps

#endif // PS_TEST_PTX_RACEDETECTOR_H
