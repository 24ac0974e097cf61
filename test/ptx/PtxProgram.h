// SPDX-License-Identifier: Apache-2.0
//===- PtxProgram.h - PTX, run by the host --------------------------------===//
//
// Interprets the text that the driver of a GPU gets, one thread at a time, and
// finds what would end a kernel there, or make it wrong by chance: accesses
// outside of buffers and at places that vectors cannot have, and races.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_PTX_PTXPROGRAM_H
#define PS_TEST_PTX_PTXPROGRAM_H

#include "absl/status/statusor.h"
#include "runtime/device/GridRunner.h"
#include "test/ptx/PtxOps.h"
#include "test/ptx/RaceDetector.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
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
    Atomic,    // results[0] = space[operands[0] + offset], which becomes
               // compute of that and of operands[1..]
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
  /// Those of %tid.x, %ctaid.x and %ntid.x.
  std::vector<size_t> threadSlots, blockSlots, sizeSlots;
  size_t localBytes = 0, paramBytes = 0;
  struct Param {
    size_t offset, bytes;
  };
  /// The parameters in their order, and where the result is.
  std::vector<Param> params;
  size_t resultOffset = 0;
  /// Whether threads wait for each other.
  bool waits = false;
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

/// A launch of a function.
class PtxRun {
public:
  /// `program` outlives it. The kernel may access `buffers` only. `arguments`
  /// are the addresses of those of `function`.
  PtxRun(const PtxProgram &program, const PtxFunction &function,
         std::vector<std::span<std::byte>> buffers,
         const void *const *arguments);

  /// Runs `blocks` of `threads` each, in an order drawn from `order`, once.
  /// Returns the first problem, at which all threads end; "" if there is none.
  std::string run(int64_t blocks, int64_t threads, std::mt19937_64 &order);

  /// Whether races for buffers are problems, as those for shared memory are. Of
  /// atomic operations none is.
  bool findsBufferRaces = false;

private:
  friend class PtxThread;
  static void runThread(void *const *, int64_t, int64_t thread);

  const PtxProgram &program;
  const PtxFunction &function;
  int64_t threads = 0;
  /// By their addresses.
  std::vector<std::span<std::byte>> buffers;
  std::vector<std::byte> params;
  RaceDetector bufferRaces, sharedRaces;
  /// That of sharedRaces.
  int64_t block = -1;
  std::string problem;
};

} // namespace ps

#endif // PS_TEST_PTX_PTXPROGRAM_H
