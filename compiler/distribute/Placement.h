// SPDX-License-Identifier: Apache-2.0
//===- Placement.h - which pserver holds which block ----------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_PLACEMENT_H
#define PS_COMPILER_DISTRIBUTE_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ps {

/// A block: some rows of a variable, and the pserver that holds them.
struct PlacedRows {
  /// The variable's name; the caller keeps it alive.
  llvm::StringRef variable;
  /// The number of the block within its variable, in row order.
  int64_t index = 0;
  /// Bytes of the block's value.
  int64_t bytes = 0;
  /// Which rows of the variable.
  int64_t firstRow = 0, rows = 0;
  /// The block's own name.
  std::string name = {};
  /// From 0; none until it is assigned.
  int64_t server = -1;
  /// Why this one, in a few words for the reader of the result, e.g. "turn 3".
  /// May be empty.
  std::string reason = {};
};

/// A policy that spreads blocks over pservers. Where a block goes may depend on
/// nothing but the arguments, so that every process that transpiles the same
/// graph comes to the same result.
class Dispatcher {
public:
  virtual ~Dispatcher() = default;

  /// Sets the server of each block, and the reason. `blocks` are sorted by
  /// variable name and, within a variable, by index; those that the user pinned
  /// are not among them. `pinned` holds, for each server, the bytes of the
  /// blocks that are pinned to it: its size is the number of servers.
  virtual void assign(llvm::MutableArrayRef<PlacedRows> blocks,
                      llvm::ArrayRef<int64_t> pinned) const = 0;
};

using DispatcherFactory = std::function<std::unique_ptr<Dispatcher>()>;

/// Makes a policy available as `split-method=<name>`; a second one of the same
/// name replaces the first. Not thread-safe: call it before the first pass
/// runs.
void registerDispatcher(llvm::StringRef name, DispatcherFactory factory);

/// Makes the policy registered as `name`, or returns null when there is none.
std::unique_ptr<Dispatcher> createDispatcher(llvm::StringRef name);

/// The names of all policies, sorted.
llvm::SmallVector<std::string> getDispatcherNames();

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_PLACEMENT_H
