// SPDX-License-Identifier: Apache-2.0
//===- PulledCopies.h - whether a block that was pulled is of one moment --===//
//
// Where trainers do not keep step, the chunks of a block are of one copy, which
// the pserver keeps until all of them have been asked for. When a connection is
// cut, the last ones may be asked for again: then they are of another copy, and
// the block is pulled anew. So pservers need not keep copies for trainers that
// have received everything.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_PULLEDCOPIES_H
#define PS_RUNTIME_CLIENT_PULLEDCOPIES_H

#include "runtime/base/Mutex.h"
#include "runtime/client/Client.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// The copies that the chunks of a pull have come from. Thread-safe.
class PulledCopies {
public:
  explicit PulledCopies(std::span<const RecvPart> parts) {
    for (const RecvPart &part : parts)
      if (numChunks(part.rows.size()) > 1)
        blocks[part.block].part = part;
  }

  /// A chunk of `block` has come from `copy`, if the pserver names one.
  void note(const std::string &block, uint64_t copy) {
    MutexLock lock(mutex);
    auto found = blocks.find(block);
    if (found == blocks.end() || copy == 0)
      return;
    Block &state = found->second;
    state.isMixed |= state.copy != 0 && state.copy != copy;
    state.copy = copy;
  }
  /// The blocks whose chunks are of several copies.
  std::vector<RecvPart> findMixed() const {
    std::vector<RecvPart> mixed;
    MutexLock lock(mutex);
    for (const auto &[name, block] : blocks)
      if (block.isMixed)
        mixed.push_back(block.part);
    return mixed;
  }

private:
  struct Block {
    RecvPart part;
    uint64_t copy = 0;
    bool isMixed = false;
  };

  mutable Mutex mutex;
  std::map<std::string, Block> blocks ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_PULLEDCOPIES_H
