//===- Placement.cpp - which pserver holds which block --------------------===//

#include "compiler/Placement.h"

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
  llvm::SmallVector<BlockPlace>
  dispatch(llvm::ArrayRef<BlockToPlace> blocks,
           llvm::ArrayRef<int64_t> pinned) const override {
    llvm::SmallVector<BlockPlace> places;
    for (size_t turn = 0; turn < blocks.size(); ++turn)
      places.push_back({static_cast<int64_t>(turn % pinned.size()),
                        "turn " + std::to_string(turn)});
    return places;
  }
};

/// A block goes where its name says, whatever other blocks there are.
class HashName : public Dispatcher {
  llvm::SmallVector<BlockPlace>
  dispatch(llvm::ArrayRef<BlockToPlace> blocks,
           llvm::ArrayRef<int64_t> pinned) const override {
    llvm::SmallVector<BlockPlace> places;
    for (const BlockToPlace &block : blocks)
      places.push_back({static_cast<int64_t>(hash(block) % pinned.size()),
                        "by name and block " + std::to_string(block.index)});
    return places;
  }

  static uint64_t hash(const BlockToPlace &block) {
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
  llvm::SmallVector<BlockPlace>
  dispatch(llvm::ArrayRef<BlockToPlace> blocks,
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

    llvm::SmallVector<BlockPlace> places(blocks.size());
    for (int64_t position : order) {
      std::pop_heap(loads.begin(), loads.end(), std::greater<>());
      auto &[held, server] = loads.back();
      places[position] = {server, "beside " + std::to_string(held) + " bytes"};
      held = llvm::SaturatingAdd<uint64_t>(held, blocks[position].bytes);
      std::push_heap(loads.begin(), loads.end(), std::greater<>());
    }
    return places;
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
