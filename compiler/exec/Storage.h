// SPDX-License-Identifier: Apache-2.0
//===- Storage.h - where the buffers of an exec program lie ---------------===//

#ifndef PS_COMPILER_EXEC_STORAGE_H
#define PS_COMPILER_EXEC_STORAGE_H

#include "dialects/exec/ExecDialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <vector>

namespace ps {

/// A unit attribute of a pserver's variables, in ps and in exec: trainers may
/// pull the variable. A device that has it copies its values to the host at the
/// end of each update. Made by ps-select-program.
inline constexpr llvm::StringLiteral pulledAttrName = "exec.pulled";

/// The op that declares the memory which `buffer`, perhaps a view, shows.
mlir::Operation *getStorage(mlir::Value buffer);

/// Some bytes of one piece of memory. Two buffers of an arena, and two
/// `exec.variable`s of one variable in one memory space, lie in the same piece.
struct Span {
  /// Identifies the piece: a variable's or a feed's name, an arena, or the op.
  void *piece;
  int64_t begin, end;
  bool write;

  bool overlaps(const Span &other) const {
    return piece == other.piece && begin < other.end && other.begin < end;
  }
  /// Whether both may not run at the same time.
  bool conflicts(const Span &other) const {
    return (write || other.write) && overlaps(other);
  }
};

/// What `access` touches; a buffer without a place is a piece of its own.
Span getSpan(const exec::Access &access);
/// What `node` touches.
llvm::SmallVector<Span> getSpans(exec::NodeOpInterface node);
/// Whether nodes that touch `one` and `other` may not run at the same time.
bool conflict(llvm::ArrayRef<Span> one, llvm::ArrayRef<Span> other);

/// What the caller of `program` reads when a step is over.
llvm::SmallVector<Span> getFetchedSpans(exec::ProgramOp program);
/// Whether `node` touches what the caller fills between steps, or changes what
/// it reads then, the bytes `fetched`.
bool isSharedWithCaller(exec::NodeOpInterface node,
                        llvm::ArrayRef<Span> fetched);

/// Follows the nodes in program order and keeps, for each byte, which node
/// wrote it last and which have read it since. A node costs as many steps as
/// what it touches has segments that were used differently.
class MemoryHistory {
public:
  struct Touch {
    Span span;
    /// The op that declares the memory.
    mlir::Operation *storage;
  };
  struct Writer {
    unsigned node;
    mlir::Operation *storage;
  };

  /// The nodes that `node`, which has `number`, conflicts with, perhaps
  /// repeated. Those that come before one that overwrites all they share with
  /// `node` may be left out.
  llvm::SmallVector<unsigned> add(unsigned number, exec::NodeOpInterface node);
  /// The same for a node that touches these bytes.
  llvm::SmallVector<unsigned> add(unsigned number,
                                  llvm::SmallVector<Touch> touches);
  /// Which nodes wrote bytes of `span` last, by byte and perhaps repeated.
  llvm::SmallVector<Writer> getWriters(const Span &span) const;
  /// The nodes that one which touches `span` would conflict with, perhaps
  /// repeated; see add().
  llvm::SmallVector<unsigned> getConflicts(const Span &span) const;

private:
  /// Bytes that were used alike.
  struct Segment {
    int64_t end;
    std::optional<Writer> writer;
    llvm::SmallVector<unsigned, 2> readers;
  };
  using Segments = std::map<int64_t, Segment>; // by first byte, disjoint

  static void splitAt(Segments &segments, int64_t byte);
  static std::pair<Segments::iterator, Segments::iterator>
  cover(Segments &segments, const Span &span);
  void forEachSegment(const Span &span,
                      llvm::function_ref<void(const Segment &)> visit) const;

  llvm::DenseMap<void *, Segments> histories; // by Span::piece
};

/// The nodes of a program and which of them are done when one starts.
class NodeOrder {
public:
  explicit NodeOrder(exec::ProgramOp program);

  llvm::ArrayRef<exec::NodeOpInterface> getNodes() const { return nodes; }
  /// Whether node `earlier` is done when node `later` starts, by the tokens.
  bool isOrdered(unsigned earlier, unsigned later) const {
    return ancestors[later].test(earlier);
  }
  /// The nodes that are done when node `later` starts.
  const llvm::BitVector &getAncestors(unsigned later) const {
    return ancestors[later];
  }
  /// The index of the node that gives `token`.
  unsigned getMaker(mlir::Value token) const { return makers.lookup(token); }
  /// Makes `later` start after `earlier` in the analysis.
  void order(unsigned earlier, unsigned later) {
    ancestors[later] |= ancestors[earlier];
    ancestors[later].set(earlier);
  }

private:
  llvm::SmallVector<exec::NodeOpInterface> nodes;
  llvm::DenseMap<mlir::Value, unsigned> makers;
  std::vector<llvm::BitVector> ancestors;
};

/// What each byte is touched by first in a step: a history of the nodes from
/// the last one to the first. Where all conflicts are ordered, a node that
/// waits for the conflicts it gives waits for all others with the step's nodes.
MemoryHistory getFirstTouches(const NodeOrder &order);

/// The nodes that begin the exchange of a step: no others of the exchange come
/// before them.
llvm::BitVector getFirstOfExchange(const NodeOrder &order);

} // namespace ps

#endif // PS_COMPILER_EXEC_STORAGE_H
