// SPDX-License-Identifier: Apache-2.0
//===- PtxProgram.h - PTX, run by the host --------------------------------===//
//
// Interprets the text that the driver of a GPU gets, one thread at a time, and
// finds what would end a kernel there, or make it wrong by chance: accesses
// outside of buffers and at places that vectors cannot have, and races for
// shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_GRID_PTXPROGRAM_H
#define PS_TEST_GRID_PTXPROGRAM_H

#include "absl/status/statusor.h"
#include "runtime/device/GridRunner.h"
#include "test/grid/PtxOps.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ps {

enum class PtxSpace { Generic, Global, Shared, Local };

struct PtxInstruction {
  enum Kind {
    Compute,   // results[0] = compute(operands)
    Split,     // the parts of operands[0] to results
    Join,      // the parts operands to results[0]
    Load,      // results from space[operands[0] + offset]
    Store,     // operands[1..] to space[operands[0] + offset]
    LoadParam, // results from the parameters at offset
    StoreParam,
    Branch,
    Call,
    Return,
    Barrier,
    Shuffle,
    Ballot,
  };
  /// From the caller's parameters to the callee's, and back.
  struct Copy {
    size_t callerOffset, calleeOffset, bytes;
  };

  Kind kind;
  std::string text;
  /// The slot of a predicate; none if negative.
  int64_t guard = -1;
  bool guardIsNegated = false;
  std::vector<size_t> results, operands;
  PtxCompute compute = nullptr;
  PtxSpace space = PtxSpace::Generic;
  /// Of an element that is loaded or stored, or a part.
  size_t bytes = 0;
  bool isSigned = false;
  /// A shuffle from a lane after this one, instead of from a given one.
  bool isDown = false;
  int64_t offset = 0;
  /// The index of an instruction.
  size_t target = 0;
  std::string callee;
  std::vector<Copy> arguments, returned;
};

/// A function. Registers, constants, and addresses of arrays are slots.
struct PtxFunction {
  std::string name;
  std::vector<PtxInstruction> code;
  /// What slots hold at first.
  std::vector<uint64_t> slots;
  /// Slots that hold an address: of a place in local or shared memory, or of an
  /// array of the program.
  std::vector<std::pair<size_t, size_t>> localSlots, sharedSlots;
  std::vector<std::pair<size_t, std::string>> globalSlots;
  std::vector<size_t> threadSlots, blockSlots;
  size_t localBytes = 0, paramBytes = 0;
  /// The parameters in their order, and the result: offsets.
  std::vector<size_t> params;
  size_t resultOffset = 0;
};

/// What .ptx holds. Shared arrays are aligned as they ask, and no better.
class PtxProgram {
public:
  /// INVALID_ARGUMENT names what is not known.
  static absl::StatusOr<PtxProgram> parse(const std::string &text);

  std::map<std::string, PtxFunction> functions;
  /// Constants.
  std::map<std::string, std::vector<std::byte>> globals;
  /// Offsets from the beginning of shared memory, whose address is a multiple
  /// of mostAlignment.
  std::map<std::string, size_t> shared;
  size_t sharedBytes = 0;

  static constexpr size_t mostAlignment = 16;
};

/// One grid at a time, of functions called through `code`. Not thread-safe.
class PtxRun {
public:
  /// `program` outlives it. The kernel may access `buffers` only.
  PtxRun(const PtxProgram &program, const PtxFunction &function,
         std::span<const std::span<std::byte>> buffers);
  ~PtxRun();

  /// For GridCode: run by runtime::runGrid().
  static void runThread(void *const *buffers, int64_t rows, int64_t thread);

  /// The first; empty if there is none. Threads end when there is one.
  std::string problem;

private:
  friend class PtxThread;
  /// The last accesses to a byte of shared memory.
  struct Access {
    int64_t block = -1, epoch = 0, thread = 0;
    bool several = false;
  };

  const PtxProgram &program;
  const PtxFunction &function;
  std::vector<std::span<std::byte>> buffers;
  std::vector<Access> written, read;
};

} // namespace ps

#endif // PS_TEST_GRID_PTXPROGRAM_H
