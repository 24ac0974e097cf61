// SPDX-License-Identifier: Apache-2.0
//===- Placement.cpp - which pserver holds which block --------------------===//
//
// The dispatchers that users choose by split-method, and the registry in which
// plugins add their own. A dispatcher sees the blocks in a fixed order and is
// deterministic, so every process that transpiles a graph gets the same
// placement.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/Placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace ps {
namespace {

/// The k-th block goes to server k mod S.
class RoundRobin : public Dispatcher {
  void assign(llvm::MutableArrayRef<PlacedRows> blocks,
              llvm::ArrayRef<int64_t> pinned) const override {
    for (auto [turn, block] : llvm::enumerate(blocks)) {
      block.server = turn % pinned.size();
      block.reason = "turn " + std::to_string(turn);
    }
  }
};

/// A block goes where its name says, whatever other blocks there are.
class HashName : public Dispatcher {
  void assign(llvm::MutableArrayRef<PlacedRows> blocks,
              llvm::ArrayRef<int64_t> pinned) const override {
    for (PlacedRows &block : blocks) {
      block.server = hash(block) % pinned.size();
      block.reason = "by name and block " + std::to_string(block.index);
    }
  }

  static uint64_t hash(const PlacedRows &block) {
    char index[sizeof(uint64_t)];
    llvm::support::endian::write64le(index, block.index);
    llvm::SmallString<64> key(block.variable);
    key.append(std::begin(index), std::end(index));
    return llvm::xxHash64(key);
  }
};

/// Largest block first, each to the server that holds the fewest bytes. Equal
/// blocks keep their order, by name; equal servers are taken from the first.
class SizeBalanced : public Dispatcher {
  void assign(llvm::MutableArrayRef<PlacedRows> blocks,
              llvm::ArrayRef<int64_t> pinned) const override {
    llvm::SmallVector<int64_t> order(blocks.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return std::pair(-blocks[a].bytes, a) < std::pair(-blocks[b].bytes, b);
    });

    // A heap of (bytes held, server), least first.
    using Load = std::pair<uint64_t, int64_t>;
    std::vector<Load> loads;
    for (auto [server, bytes] : llvm::enumerate(pinned))
      loads.push_back({bytes, server});
    std::make_heap(loads.begin(), loads.end(), std::greater<>());

    for (int64_t position : order) {
      std::pop_heap(loads.begin(), loads.end(), std::greater<>());
      auto &[held, server] = loads.back();
      blocks[position].server = server;
      blocks[position].reason = "beside " + std::to_string(held) + " bytes";
      held = llvm::SaturatingAdd<uint64_t>(held, blocks[position].bytes);
      std::push_heap(loads.begin(), loads.end(), std::greater<>());
    }
  }
};

} // namespace

template <typename T>
static std::unique_ptr<Dispatcher> make() {
  return std::make_unique<T>();
}

static std::map<std::string, DispatcherFactory> &getFactories() {
  static std::map<std::string, DispatcherFactory> factories = {
      {"HashName", make<HashName>},
      {"RoundRobin", make<RoundRobin>},
      {"SizeBalanced", make<SizeBalanced>}};
  return factories;
}

void registerDispatcher(llvm::StringRef name, DispatcherFactory factory) {
  getFactories()[name.str()] = std::move(factory);
}

std::unique_ptr<Dispatcher> createDispatcher(llvm::StringRef name) {
  auto found = getFactories().find(name.str());
  return found == getFactories().end() ? nullptr : found->second();
}

llvm::SmallVector<std::string> getDispatcherNames() {
  llvm::SmallVector<std::string> names;
  for (const auto &[name, factory] : getFactories())
    names.push_back(name);
  return names;
}

} // namespace ps
